// What the tests share with the rest of the repository: the vector files and the census.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SPARED } from './vectors.mjs';

export const here = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(here);
export const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');

/** The vector files by name, as text. */
export function vectorTexts() {
  const folder = join(root, 'tests', 'vectors');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'schema.json');
  const files = names.map((name) => name.slice(0, -'.json'.length)).filter((name) => name !== SPARED);
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, `${name}.json`), 'utf8')]));
}

/** Leaves word of the cases that a language ran. */
export function writeCensus(language, ids) {
  const folder = process.env.ACKGUARD_CENSUS ?? join(target, 'census');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${language}.json`), JSON.stringify({ language, ids }));
}
