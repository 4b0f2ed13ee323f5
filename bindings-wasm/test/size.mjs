// What a browser loads, as a server sends it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { here } from './census.mjs';

/** The bytes of each file of the package that a page loads, gzipped. */
export function loaded() {
  return ['browser.js', 'shared.js', 'ackguard.wasm'].map((name) => ({
    name,
    bytes: gzipSync(readFileSync(join(here, 'dist', name)), { level: 9 }).length,
  }));
}

/** The sum of them. */
export function total() {
  return loaded().reduce((sum, file) => sum + file.bytes, 0);
}
