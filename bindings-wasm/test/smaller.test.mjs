// What build.mjs does to the module beyond wasm-opt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { order, ordered, renamed } from '../smaller.mjs';

/** A module with two functions and a memory, all exported: `() => 1`, `() => 2`. */
const MODULE = Buffer.from(
  '0061736d010000000105016000017f03030200000503010001071603036f6e6500000374776f0001066d656d6f' +
    '727902000a0b02040041010b040041020b',
  'hex',
);

/** @param {Uint8Array} module @returns {any} */
const run = (module) => new WebAssembly.Instance(new WebAssembly.Module(module)).exports;

test('exports have short names and do what they did', () => {
  const { module, names } = renamed(MODULE);
  assert.deepEqual(
    [...names],
    [
      ['one', 'a'],
      ['two', 'b'],
      ['memory', 'c'],
    ],
  );
  const { a, b, c } = run(module);
  assert.deepEqual([a(), b()], [1, 2]);
  assert.ok(c instanceof WebAssembly.Memory);
});

test('a module with names in it runs as before', () => {
  const { one, two } = run(ordered(MODULE));
  assert.deepEqual([one(), two()], [1, 2]);
});

test('what is alike comes together, and nothing is lost', () => {
  const text = (/** @type {string} */ it) => Buffer.from(it);
  const bodies = ['the first of its kind, long', 'something else altogether', 'x', 'the first of its kind, longer'];
  const found = order(bodies.map(text));
  assert.deepEqual([...found].sort(), [0, 1, 2, 3]);
  assert.equal(Math.abs(found.indexOf(0) - found.indexOf(3)), 1);
  assert.deepEqual(order(bodies.map(text)), found);
  assert.deepEqual(order([]), []);
});

test('what is no module is refused', () => {
  assert.throws(() => renamed(MODULE.subarray(0, 19)), /too early/);
});
