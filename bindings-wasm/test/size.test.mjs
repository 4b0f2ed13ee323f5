// A ratchet: what a browser loads may become less, and never more by accident.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { here } from './census.mjs';
import { loaded, total } from './size.mjs';

/** What was reached, in bytes, and half a percent for another version of the tools. The bound that is aimed at is in bench/bench.mjs. */
const REACHED = 165_950;

test('what a browser loads has not grown', () => {
  const parts = loaded()
    .map(({ name, bytes }) => `${name} ${bytes}`)
    .join(', ');
  assert.ok(total() <= REACHED * 1.005, `${total()} bytes: ${parts}`);
});

test('what Node prints of an uncaught exception, the line that threw, fits a screen or two', () => {
  const scripts = readdirSync(join(here, 'dist')).filter((name) => /\.c?js$/.test(name));
  assert.ok(scripts.length >= 6, scripts.join(' '));
  for (const name of scripts) {
    const lines = readFileSync(join(here, 'dist', name), 'utf8').split('\n');
    assert.ok(Math.max(...lines.map((line) => line.length)) < 4000, name);
  }
});
