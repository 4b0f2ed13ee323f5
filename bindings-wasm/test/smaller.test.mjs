// What build.mjs does to the module beyond wasm-opt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { order, ordered, renamed, renumbered } from '../smaller.mjs';

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

test('locals have other numbers, and functions do what they did', () => {
  // Twice the same function, whose locals are numbered otherwise: (func (param i32 i32) (result f64)) with calls, a
  // br_table, memory.fill, loads and stores, and constants of all lengths between them.
  const module = Buffer.from(
    '0061736d01000000010c0260017f017f60027f7f017c0304030001010404017000010503010001070902016600010168000209070100' +
      '41000b01000aef01030700200041016a0b7203027e027f017c2000410011000021052005100021042004ad21032003428794ebdc037e' +
      '210202400240024020010e020201000b200220037c21020b410721050b410020054108fc0b004100200420056a220436020444000000' +
      '000000e03f210620062002ba4104280200b8fc03b8a0a00b7203027e027f017c2000410011000021042004100021052005ad21022002' +
      '428794ebdc037e210302400240024020010e020201000b200320027c21030b410721040b410020044108fc0b004100200520046a2205' +
      '36020444000000000000e03f210620062003ba4104280200b8fc03b8a0a00b',
    'hex',
  );
  const smaller = renumbered(module);
  assert.ok(deflateRawSync(smaller).length < deflateRawSync(module).length);
  for (const choice of [0, 1, 2, 9]) {
    assert.equal(run(smaller).f(5, choice), run(module).f(5, choice));
    assert.equal(run(smaller).h(5, choice), run(module).f(5, choice));
  }
  assert.deepEqual(renumbered(module), smaller);
  assert.equal(run(renumbered(MODULE)).two(), 2);
});

test('an instruction that is not known is refused, not skipped', () => {
  const odd = Buffer.from(MODULE);
  odd[odd.length - 3] = 0xff;
  assert.throws(() => renumbered(odd), /not known/);
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
