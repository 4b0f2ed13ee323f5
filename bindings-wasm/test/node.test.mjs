// The shared cases in Node.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ackguard from 'ackguard';
import { vectorTexts, writeCensus } from './census.mjs';
import { runAll } from './vectors.mjs';

test('every shared case', () => {
  const { ran, problems } = runAll(ackguard, vectorTexts());
  writeCensus('node', ran);
  assert.ok(ran.length > 1000, `only ${ran.length} cases`);
  assert.equal(problems.length, 0, `${problems.length} problems, ${ran.length} cases run:\n${problems.join('\n')}`);
});
