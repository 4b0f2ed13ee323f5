// A ratchet: what a browser loads may become less, and never more by accident.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loaded, total } from './size.mjs';

/** What was reached, in bytes, and half a percent for another version of the tools. The bound that is aimed at is in bench/bench.mjs. */
const REACHED = 187_200;

test('what a browser loads has not grown', () => {
  const parts = loaded()
    .map(({ name, bytes }) => `${name} ${bytes}`)
    .join(', ');
  assert.ok(total() <= REACHED * 1.005, `${total()} bytes: ${parts}`);
});
