// Every exported function, called with anything: it answers or throws an Error, and nothing ever traps.
//
// SEED=n repeats a run, ROUNDS=n makes it longer, FUZZ_SECONDS=n makes it last that long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ackguard from 'ackguard';

/** A small generator of numbers, so that a run can be repeated. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS = [
  'code message details error jsonrpc content isError meta _meta error_code a2c_cancelled a2c_timeout timeout',
  'auth_hint mcp_server mcp_server_name reason rel_path total_size trace_id server_version client_version id data',
  '2.0 protocol_error mcp:a:b a-b A--B ../x .skillenv SKILLE~1 4014 4900 -32000 0.2.0 https://a.example/?token=x',
  'password=hunter2 Bearer abcdef 密码：秘密 127.0.0.1:8080 a2c_version=0.2.0 %41 {"code":4008} \\u0000 \\ud800',
].flatMap((line) => line.split(' '));
const ODD = ['', '\0', '\0n12', '\0v0', '\0s', '\ud800', '\udc00x', '\ufeff', '💥', 'a'.repeat(70_000), '__proto__'];
const NUMBERS = [0, -0, 1, -1, 404, 4006, 4014, 4017, 4900, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 64, 1e308, -1e308, 0.5];

test('every exported function, with anything', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 32);
  const rounds = Number(process.env.ROUNDS ?? 20_000);
  const end = Date.now() + 1000 * Number(process.env.FUZZ_SECONDS ?? 0);
  console.log(`SEED=${seed} ROUNDS=${rounds}`);
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const value = (depth) => {
    switch (Math.floor(next() * (depth > 0 ? 16 : 10))) {
      case 0:
        return null;
      case 1:
        return next() < 0.5;
      case 2:
        return pick(NUMBERS);
      case 3:
        return BigInt(Math.floor(next() * 2 ** 40)) ** BigInt(Math.floor(next() * 9));
      case 4:
        return pick(ODD);
      case 5:
      case 6:
        return pick(WORDS);
      case 7:
        return pick([Number.NaN, Infinity, -Infinity, undefined, Symbol('s'), () => 1, new Date(0), /x/, new Set([1])]);
      case 8:
        return new Uint8Array(Array.from({ length: Math.floor(next() * 20) }, () => Math.floor(next() * 256)));
      case 9:
        return new Error(pick(WORDS));
      case 10:
      case 11:
        return Array.from({ length: Math.floor(next() * 4) }, () => value(depth - 1));
      case 12:
        return new Map(Array.from({ length: Math.floor(next() * 4) }, () => [pick(WORDS), value(depth - 1)]));
      case 13:
        return JSON.stringify(json(depth - 1)) ?? '';
      default: {
        const object = next() < 0.1 ? Object.create(null) : {};
        for (let i = Math.floor(next() * 6); i > 0; i--) object[pick(WORDS)] = value(depth - 1);
        if (next() < 0.05) object.self = object;
        return object;
      }
    }
  };
  const json = (depth) => {
    if (depth <= 0) return pick(WORDS);
    return { code: pick(NUMBERS), message: pick(WORDS), [pick(WORDS)]: json(depth - 1), list: [json(depth - 2)] };
  };
  const functions = Object.entries(ackguard).filter(
    ([name, exported]) => typeof exported === 'function' && !['init', 'default', 'initSync'].includes(name),
  );
  assert.ok(functions.length > 60);
  let round = 0;
  for (; round < rounds || round % 1000 !== 0 || Date.now() < end; round++) {
    const [name, exported] = functions[round % functions.length];
    const args = Array.from({ length: Math.floor(next() * 4) }, () => value(4));
    let outcome;
    try {
      if (/^[A-Z]/.test(name)) outcome = new exported(...args);
      else outcome = exported(...args);
      if (name === 'backoff') outcome = outcome.next();
      // What is read later has to hold as well.
      if (name.startsWith('classify') && outcome !== null && typeof outcome === 'object') {
        for (const key of Object.keys(outcome)) void outcome[key];
      }
      if (ackguard.isAckguardError(outcome)) outcome.toPayload();
    } catch (error) {
      const where = `${name}, SEED=${seed}, round ${round}`;
      assert.ok(error instanceof Error, `${where} threw ${String(error)}`);
      assert.ok(!(error instanceof WebAssembly.RuntimeError), `${where} trapped: ${error.stack}`);
      assert.ok(!/internal error/.test(error.message), `${where} trapped: ${error.cause?.stack}`);
      assert.ok(!(error instanceof RangeError && /call stack/.test(error.message)), `${where}: ${error.stack}`);
      assert.ok(
        !/Cannot (read|convert|set|mix)|is not a function|undefined/.test(error.message),
        `${where}: ${error.stack}`,
      );
    }
  }
  console.log(`${round} calls`);
});
