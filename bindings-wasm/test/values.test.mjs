// What JavaScript's values do that JSON's cannot.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as ackguard from 'ackguard';

const { classify, classifyJson, scrubAuthHint } = ackguard;

/** An error whose every member is a getter that counts. */
function counted(members) {
  const counts = {};
  const object = {};
  for (const [name, value] of Object.entries(members)) {
    counts[name] = 0;
    Object.defineProperty(object, name, {
      enumerable: true,
      get() {
        counts[name]++;
        return value;
      },
    });
  }
  return { object, counts };
}

test('a getter runs at most once, whatever is asked for', () => {
  const inner = counted({ reason: 'gone', trace_id: 't', other: [1, 2] });
  const outer = counted({ code: 4018, message: 'm', details: inner.object, more: 1, jsonrpc: '1' });
  const classified = classify(outer.object);
  for (let i = 0; i < 3; i++) {
    assert.equal(classified.error.reason, 'gone');
    assert.deepEqual(classified.violations, []);
    assert.equal(classified.retry.action, 'remint_handle');
  }
  new ackguard.Tally().add(classified);
  assert.deepEqual(classified.error.extra, { more: 1, jsonrpc: '1' });
  for (const [name, times] of Object.entries({ ...outer.counts, ...inner.counts })) {
    assert.ok(times <= 1, `${name} was read ${times} times`);
  }
});

test('what is not asked for is not read', () => {
  const { object, counts } = counted({ tools: [], req_id: 'r', code: 200 });
  assert.equal(classify(object).kind, 'data');
  assert.equal(counts.tools, 0);
  assert.equal(counts.req_id, 0);
});

test('what a getter or a proxy throws passes through unchanged, and the next call is as good as ever', () => {
  const thrown = { any: 'thing' };
  const throwing = [
    {
      get code() {
        throw thrown;
      },
    },
    new Proxy(
      {},
      {
        get() {
          throw thrown;
        },
      },
    ),
    [
      true,
      new Proxy([], {
        getPrototypeOf() {
          throw thrown;
        },
        get() {
          throw thrown;
        },
      }),
    ],
  ];
  for (const value of throwing.slice(0, 2)) {
    assert.throws(
      () => classify(value),
      (error) => error === thrown,
    );
    assert.equal(classify({ code: 404, message: 'm' }).kind, 'error');
  }
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  assert.throws(() => classify(proxy), TypeError);
  const late = classify({
    code: 4018,
    message: 'm',
    get details() {
      throw thrown;
    },
  });
  assert.equal(late.kind, 'error');
  assert.throws(
    () => late.error,
    (error) => error === thrown,
  );
});

test('what a getter throws leaves neither stack nor memory behind, and the tallies as they were', () => {
  /** The sizes of the module's memory. @type {number[]} */
  const sizes = [];
  const { encodeInto } = TextEncoder.prototype;
  TextEncoder.prototype.encodeInto = function (text, into) {
    sizes.push(into.buffer.byteLength);
    return encodeInto.call(this, text, into);
  };
  const note = () => ackguard.isValidSkillName(`${'é'.repeat(100)}:b`);
  const tally = new ackguard.Tally();
  const thrown = new Error('mine');
  const throwing = (/** @type {() => void} */ before) => ({
    code: 4017,
    message: 'm',
    details: {
      text: 'x'.repeat(2000),
      get reason() {
        before();
        throw thrown;
      },
    },
  });
  const inner = throwing(() => {});
  // Two that throw within the one that throws, and a tally that is changed in the middle of it.
  const outer = throwing(() => {
    for (const ask of [() => classify(inner).error, () => ackguard.scrubDetails(inner)]) assert.throws(ask, thrown);
    tally.add(classify([true, null]));
  });
  try {
    note();
    for (let i = 0; i < 3000; i++) {
      assert.throws(() => ackguard.scrubDetails(outer), thrown);
      if (i % 100 === 0) tally.add(classify({ code: 4018, message: 'm', details: { reason: `r_${i}` } }));
    }
    note();
  } finally {
    TextEncoder.prototype.encodeInto = encodeInto;
  }
  assert.ok(sizes.length > 1 && sizes[sizes.length - 1] - sizes[0] < 3 * 2 ** 20, `${sizes}`);
  assert.equal(tally.total, 3030);
  const { rows } = tally.toJSON();
  assert.deepEqual(
    rows.filter((row) => row.kind === 'event_result'),
    [{ kind: 'event_result', outcome: 'ok', count: 3000 }],
  );
  assert.equal(rows.length, 31);
});

test('a getter may call the package itself', () => {
  const value = {
    get code() {
      assert.equal(classify({ code: 404, message: 'inner' }).error.message, 'inner');
      return 4101;
    },
    message: 'outer',
  };
  assert.equal(classify(value).error.message, 'outer');
});

test('only own members count', () => {
  assert.equal(classify(Object.create({ code: 404, message: 'm' })).kind, 'data');
  try {
    Object.prototype.code = 4014;
    assert.equal(classify({ message: 'm' }).kind, 'data');
  } finally {
    delete Object.prototype.code;
  }
  const bare = Object.assign(Object.create(null), { code: 404, message: 'm' });
  assert.equal(classify(bare).kind, 'error');
});

test('a map is an object', () => {
  const error = classify(
    new Map([
      ['code', 4018],
      ['message', 'm'],
      ['details', new Map([['reason', 'gone']])],
      [7, 'seven'],
    ]),
  ).error;
  assert.equal(error.reason, 'gone');
  assert.deepEqual(error.details, { reason: 'gone' });
  assert.deepEqual(error.extra, { 7: 'seven' });
});

test('undefined is absent in an object and null in an array', () => {
  assert.equal(classify({ code: 404, message: undefined, req_id: undefined }).kind, 'error');
  assert.equal(classify({ code: 404, message: undefined, req_id: 'r' }).kind, 'data');
  assert.equal(classify(undefined).kind, 'none');
  assert.deepEqual(classify([true, undefined]), classify([true, null]));
  assert.deepEqual(classify({ code: 404, message: 'm', x: [undefined], y: undefined }).error.extra, { x: [null] });
});

test('integers: bigint, integral numbers, and what lies beyond', () => {
  const kind = (code) => classify({ code, message: 'm' }).kind;
  assert.equal(kind(4014n), 'error');
  assert.equal(kind(4014.0), 'error');
  for (const code of [
    2 ** 32 + 4014,
    2n ** 64n + 4014n,
    10n ** 5000n,
    2 ** 60,
    1e300,
    Number.NaN,
    Infinity,
    -0,
    true,
  ]) {
    assert.equal(kind(code), 'data', String(code).slice(0, 20));
  }
  assert.equal(kind(4014.5), 'malformed_error');
  for (const size of [2 ** 53 - 1, 2 ** 53, 2n ** 53n + 1n, 2n ** 64n - 1n]) {
    const of = classify({ code: 4017, message: 'm', details: { reason: 'too_large', total_size: size } });
    assert.equal(BigInt(of.error.totalSize), BigInt(size));
    assert.equal(typeof of.error.totalSize, BigInt(size) > 2n ** 53n - 1n ? 'bigint' : 'number');
    assert.deepEqual(of.violations, []);
    assert.ok(Object.is(of.error.details.total_size, size), 'the host keeps its own value');
  }
  const text = '{"code":4017,"message":"m","details":{"reason":"too_large","total_size":9007199254740993}}';
  assert.equal(classifyJson(text).error.totalSize, 9007199254740993n);
});

test('numbers come back as they are, whatever their size, and however many there are', () => {
  const list = [0, -0, 1, -1, 1.5, -1.5, Number.NaN, Infinity];
  for (const power of [27, 28, 29, 31, 32, 53, 127]) {
    for (const value of [2 ** power - 1, 2 ** power, 2 ** power + 1]) list.push(value, -value);
  }
  for (const times of [1, 100, 1]) {
    const all = Array.from({ length: times }, () => list).flat();
    const { details } = classify({ code: 404, message: 'm', details: { all } }).error;
    assert.equal(details.all.length, all.length);
    for (const [index, value] of all.entries()) assert.ok(Object.is(details.all[index], value), String(value));
  }
  for (const code of [2 ** 28 - 1, 2 ** 28, 2 ** 28 + 4014]) {
    assert.equal(classify({ jsonrpc: '2.0', id: 1, error: { code, message: 'm' } }).rpcError.rpcCode, code);
  }
});

test('lone surrogates are read as U+FFFD and kept where nothing changes', () => {
  const error = classify({ code: 404, message: 'a\ud800', details: { '\udc00': '\ud800x', z: -0 } }).error;
  assert.deepEqual(Object.keys(error.details), ['\udc00', 'z']);
  assert.equal(error.details['\udc00'], '\ud800x');
  assert.ok(Object.is(error.details.z, -0));
  assert.equal(error.message, 'a\ufffd');
  assert.equal(classifyJson('{"code":404,"message":"\ud800"}').kind, 'invalid');
  assert.throws(() => ackguard.checkRelPath('a/\ud800'), { reason: 'not_found' });
  assert.throws(() => ackguard.checkRelPath('.skill\ud800env'), { reason: 'forbidden' });
  assert.throws(() => ackguard.parseSkillName('a\ud800'), { reason: 'bad_char', span: [1, 2] });
});

test('a name like __proto__ is a name like any other', () => {
  const value = JSON.parse('{"code":404,"message":"m","__proto__":{"polluted":true},"details":{"__proto__":"x"}}');
  for (const { error } of [classify(value), classifyJson(JSON.stringify(value))]) {
    assert.equal(error.polluted, undefined);
    assert.deepEqual(Object.getOwnPropertyDescriptor(error.extra, '__proto__').value, { polluted: true });
    assert.equal(Object.getOwnPropertyDescriptor(error.details, '__proto__').value, 'x');
    assert.equal(Object.getPrototypeOf(error.details), Object.prototype);
  }
});

test('cyclic, shared and very deep values survive', () => {
  const cyclic = { code: 404, message: 'm', details: {} };
  cyclic.details.self = cyclic.details;
  cyclic.details.also = cyclic.details;
  assert.ok(classify(cyclic).violations.includes('too_deep'));
  assert.equal(classify(cyclic).error.code, 404);
  let deep = 'x';
  for (let i = 0; i < 100_000; i++) deep = i % 2 ? [deep] : { a: deep };
  const far = classify({ code: 404, message: 'm', details: { deep } });
  assert.ok(far.violations.includes('too_deep'));
  assert.match(JSON.stringify(far.error.details), /\[truncated\]/);
  assert.equal(classify([[[[deep]]]]).kind, 'data');
  assert.equal(classifyJson('['.repeat(1_000_000) + ']'.repeat(1_000_000)).kind, 'data');
  const huge = [];
  huge.length = 2 ** 32 - 1;
  assert.equal(classify(huge).kind, 'data');
  scrubAuthHint(cyclic);
  for (const value of [cyclic, [cyclic, {}], deep, { message: 'm', deep }]) {
    const result = ackguard.authErrorResult('files', 4006, value);
    assert.equal(classify(result).toolResult.errorCode, 4006);
    assert.ok(JSON.stringify(result._meta ?? result.meta).length < 1_000_000);
    ackguard.scrubDetails(value);
    ackguard.checkAuthHint(value);
    ackguard.guardToolResult({ structuredContent: value });
    ackguard.raiseForError({ data: value });
    assert.ok(new ackguard.AcpClientError('m', { details: { value } }).toPayload().code);
  }
  scrubAuthHint(deep);
});

test('toJSON is not called, and what JSON has no form for is nobody’s secret to pass on', () => {
  const value = {
    message: 'm',
    toJSON() {
      throw new Error('called');
    },
    when: new Date(0),
    bytes: new Uint8Array([1, 2]),
    call: () => 'secret',
    symbol: Symbol('s'),
  };
  assert.equal(classify(value).kind, 'data');
  const { value: clean } = scrubAuthHint(value);
  for (const name of ['when', 'bytes', 'call', 'symbol']) {
    assert.ok([null, undefined, '[redacted]'].includes(clean[name]), name);
  }
});

test('results are frozen all the way down, and plain', () => {
  const frozen = (value) => {
    if (typeof value !== 'object' || value === null) return;
    assert.ok(Object.isFrozen(value));
    assert.ok([Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)));
    for (const name of Object.keys(value)) frozen(value[name]);
  };
  const payload = { code: 4017, message: 'm', details: { reason: 'x', list: [{ a: 1 }] }, extra: { b: [2] } };
  for (const result of [
    classify(payload),
    classifyJson(JSON.stringify(payload)),
    classify({ content: [], isError: true, meta: { error_code: 4006, mcp_server: 's', auth_hint: { a: ['b'] } } }),
    classify([true, 'm']),
    classify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'm' } }),
    classify({ error: { code: 1 } }),
    classify(null),
    ackguard.codes(),
    ackguard.parseSkillName('a:b'),
    scrubAuthHint({ a: [1, { b: 2 }] }),
    ackguard.guardToolResult({ content: [], meta: { a2c_x: 1 } }),
  ]) {
    frozen(result);
  }
  const result = classify(payload);
  assert.deepEqual(structuredClone(result).error.details, payload.details);
  assert.equal(JSON.parse(JSON.stringify(result)).error.code, 4017);
  payload.details.list.push('later');
  assert.equal(result.error.details.list.length, 1);
});

test('text may be bytes of any kind, and the caller may use its buffer again', () => {
  const bytes = new TextEncoder().encode('  {"code":404,"message":"für"}');
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  for (const text of [bytes, Buffer.from(bytes), bytes.buffer, new DataView(bytes.buffer), shared, bytes.subarray(1)]) {
    assert.equal(classifyJson(text).error.message, 'für');
  }
  const classified = classifyJson(bytes);
  bytes.fill(0);
  assert.equal(classified.error.message, 'für');
  for (const wrong of [undefined, null, 5, {}, []]) assert.throws(() => classifyJson(wrong), TypeError);
  assert.equal(classifyJson(`"${'ü'.repeat(70_000)}"`).kind, 'data');
  assert.equal(classifyJson('').kind, 'invalid');
});

test('exceptions are what they say', () => {
  const caught = (call) => {
    try {
      call();
    } catch (error) {
      return error;
    }
    return assert.fail('nothing was thrown');
  };
  const exported = new Map(Object.entries(ackguard));
  const of = (name) => exported.get(name);
  const cases = [
    [() => ackguard.parseSkillName('A'), 'SkillNameError', 4016],
    [() => ackguard.checkRelPath('..'), 'SkillResourceError', 4017],
    [() => ackguard.checkBlobRange(2, 1), 'BlobError', 4018],
    [() => new ackguard.ProtocolVersion('x'), 'ProtocolVersionError', 400],
    [() => ackguard.raiseForError({ code: 4101, message: 'm' }), 'ProtocolError', 4101],
    [() => ackguard.raiseForError({ code: 4008, message: 'm', server_version: '1.0.0' }), 'VersionMismatch', 4008],
    [() => ackguard.raiseForError({ error: { code: 1 } }), 'MalformedErrorPayload', 500],
    [() => ackguard.parseConfig('{}'), 'AcpClientError', 'config_invalid'],
  ];
  for (const [call, name, code] of cases) {
    const error = caught(call);
    assert.ok(error instanceof Error && error instanceof ackguard.AckguardError && error instanceof of(name));
    assert.ok(of(`is${name}`)(error) && ackguard.isAckguardError(error));
    assert.equal(error.name, name);
    assert.equal(error.constructor.name, name);
    assert.equal(error.code, code);
    assert.match(error.stack, new RegExp(`^${name}: `));
    assert.equal(typeof error.toPayload().code, 'number');
    assert.ok(structuredClone(error) instanceof Error);
    assert.equal(structuredClone(error).message, error.message);
  }
  const malformed = caught(cases[6][0]);
  assert.deepEqual(malformed.toPayload(), { code: 500, message: malformed.message });
  assert.equal(malformed.message, 'malformed error payload: nested_envelope');
  const mismatch = caught(cases[5][0]);
  assert.ok(mismatch instanceof ackguard.ProtocolError && ackguard.isProtocolError(mismatch));
  assert.equal(ackguard.isVersionMismatch(caught(cases[4][0])), false);
  const cause = new Error('why');
  assert.equal(new ackguard.ProtocolError({ code: 404, message: 'm' }, { cause }).cause, cause);
  assert.equal('cause' in new ackguard.AcpClientError('m'), false);
  for (const value of [null, undefined, 'text', 5, {}, new Error('x')]) {
    assert.equal(ackguard.isProtocolError(value), false);
  }
});

test('what an ACP error says on the wire', () => {
  const secret = 'hunter2-hunter2';
  const details = { server: 'helper', stderr: 'no such file', env: { API_KEY: secret } };
  const error = new ackguard.AcpClientError(`password=${secret}`, { code: 'process_start_fail', details });
  const wire = error.toPayload();
  assert.equal(wire.code, 500);
  assert.equal(wire.details.error_code, 'process_start_fail');
  assert.equal(wire.details.server, 'helper');
  assert.ok(!('stderr' in wire.details) && !JSON.stringify(wire).includes(secret));
  assert.equal(error.details.stderr, 'no such file');
  const rpc = new ackguard.AcpRpcError({ rpcCode: -32000, rpcMessage: 'log in' });
  assert.deepEqual(rpc.toPayload().details, { error_code: 'protocol_error', rpc_code: -32000 });
});

test('no secret gets into an exception’s text', () => {
  const secret = 'hunter2-hunter2';
  const error = new ackguard.ProtocolError({ code: 500, message: `password=${secret}`, details: { password: secret } });
  for (const text of [error.message, String(error), error.publicMessage(), error.publicMessage('zh-CN')]) {
    assert.ok(!text.includes(secret), text);
  }
  assert.ok(!JSON.stringify(error.logFields()).includes(secret));
});

test('the guards know the exceptions of another copy', () => {
  const other = createRequire(import.meta.url)('ackguard');
  assert.notEqual(other.ProtocolError, ackguard.ProtocolError);
  const error = new other.VersionMismatch({ code: 4008, message: 'm' });
  assert.equal(error instanceof ackguard.ProtocolError, false);
  assert.ok(ackguard.isProtocolError(error) && ackguard.isVersionMismatch(error) && ackguard.isAckguardError(error));
  assert.equal(ackguard.isSkillNameError(error), false);
  assert.equal(ackguard.publicMessage(error), other.publicMessage(error));
  const acp = new other.AcpRpcError({ rpcCode: -32000, rpcMessage: 'm' });
  assert.equal(ackguard.reclassifyHandshake(acp, 's'), false);
  assert.deepEqual(ackguard.retryAdvice(acp), { retryable: false, action: 'authenticate' });
});

test('an error can be built, written and read back', () => {
  const error = ackguard.errorPayload(4014, 'm', { server: 'docs', traceId: 't', mine: [1] });
  const wire = ackguard.toPayload(error);
  assert.deepEqual(Object.keys(wire), ['code', 'message', 'mcp_server_name', 'mine', 'details']);
  assert.deepEqual(ackguard.toPayload(error, { dialect: '0.3' }).mcp_server, 'docs');
  assert.deepEqual(classify(wire).error, error);
  assert.deepEqual(JSON.parse(ackguard.toJson(wire)), wire);
  assert.equal(ackguard.publicMessage(wire, 'zh-Hans'), ackguard.publicMessage(error, 'zh'));
  assert.equal(ackguard.logFields(error, { req_id: 'r' }).req_id, 'r');
  assert.throws(() => ackguard.publicMessage({}), TypeError);
  assert.throws(() => ackguard.publicMessage('x'), TypeError);
});

test('sizes are never rounded', () => {
  const { checkBlobRange, clampChunk } = ackguard;
  assert.deepEqual(checkBlobRange(2n ** 63n, 2n ** 64n - 1n), { eof: false });
  assert.deepEqual(clampChunk(2n ** 53n, 2n ** 64n - 1n, 2n ** 62n, 2n ** 62n), { len: 2n ** 62n, eof: false });
  assert.deepEqual(clampChunk(0, 10, 4, 100), { len: 4, eof: false });
  assert.throws(() => checkBlobRange(2 ** 53, 5), RangeError);
  assert.throws(() => checkBlobRange(1.5, 5), TypeError);
  assert.throws(() => checkBlobRange('1', 5), TypeError);
  assert.throws(() => checkBlobRange(-1, 5), { code: 4018, reason: 'range' });
  assert.throws(() => checkBlobRange(10n ** 60n, 5), { code: 4018 });
  assert.throws(() => checkBlobRange(-(10n ** 60n), 5), { code: 4018 });
  assert.throws(() => checkBlobRange(1, -1), TypeError);
});

test('the constants are the core’s', () => {
  const byName = Object.fromEntries(ackguard.codes().map(({ name, code }) => [name, code]));
  assert.deepEqual(ackguard.ErrorCode, byName);
  assert.equal(ackguard.codeInfo(4017).reasons.length, 4);
  assert.equal(ackguard.codeInfo(4900), null);
  assert.equal(Object.keys(ackguard.AcpErrorCode).length, 9);
  assert.match(ackguard.VERSION, /^\d+\.\d+\.\d+/);
  assert.equal(ackguard.PROTOCOL_VERSION, '0.2.0');
});

test('10^6 calls leave the memory as it was', async () => {
  const payload = { code: 4018, message: 'm', details: { reason: 'gone' } };
  const text = new TextEncoder().encode(JSON.stringify(payload));
  const round = async (times) => {
    for (let i = 0; i < times; i++) {
      // What a tally has in the module is given back between two tasks.
      if (i % 10_000 === 0) await new Promise((go) => setImmediate(go));
      classify(payload);
      classifyJson(text);
      if (i % 10 === 0) {
        classify(payload).error;
        ackguard.isValidSkillName('a:b');
        new ackguard.Tally().add(classify([true, null]));
      }
    }
  };
  // What is garbage counts for nothing: when it is collected is the engine's affair.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  await round(50_000);
  collect();
  const before = process.memoryUsage();
  await round(500_000);
  collect();
  const after = process.memoryUsage();
  const grown = (after.rss - before.rss) / 2 ** 20;
  assert.ok(grown < 64, `${grown.toFixed(1)} MiB more after 10^6 calls`);
});

test('a ledger remembers the last error of each server, and the oldest makes room', () => {
  const ledger = new ackguard.ErrorLedger({ clock: () => 5 });
  const error = (/** @type {string} */ message) => new ackguard.AcpClientError(message);
  for (let i = 0; i < 1024; i++) assert.equal(ledger.record(`s${i}`, error('first')), true);
  assert.equal(ledger.record('s0', error('second')), true);
  assert.equal(ledger.record('new', error('third')), true);
  assert.equal(ledger.lastError('s1'), null);
  assert.equal(ledger.lastError('s0')?.message, 'second');
  assert.equal(ledger.lastError('s2')?.at, '1970-01-01T00:00:00.005000Z');
  assert.ok(Object.isFrozen(ledger.lastError('new')));
  // No configuration declares a name as long as this.
  assert.equal(ledger.record('s'.repeat(1025), error('fourth')), false);
  assert.equal(ledger.reset('new'), true);
  assert.equal(ledger.reset('new'), false);
  assert.equal(ledger.lastError('new'), null);
});

test('after a trap the next call has an instance of its own', () => {
  const { Instance } = WebAssembly;
  const { decode } = TextDecoder.prototype;
  let instances = 0;
  WebAssembly.Instance = class extends Instance {
    constructor(...args) {
      super(...args);
      instances++;
    }
  };
  // Nothing that can be put in traps: the text that comes out is where one is feigned.
  TextDecoder.prototype.decode = () => {
    throw new WebAssembly.RuntimeError('unreachable');
  };
  try {
    assert.throws(
      () => scrubAuthHint({ message: 'feigned' }),
      (error) =>
        error instanceof Error && error.message === 'ackguard: internal error' && error.name === 'AckguardError',
    );
  } finally {
    TextDecoder.prototype.decode = decode;
    WebAssembly.Instance = Instance;
  }
  assert.equal(instances, 1);
  assert.deepEqual(scrubAuthHint({ message: 'm' }).value, { message: 'm' });
  assert.equal(classify({ code: 4014, message: 'm' }).kind, 'error');
  assert.equal(classifyJson('{"code":4014,"message":"m"}').error.name, 'MCP_SERVER_NOT_FOUND');
});

test('the answer to a handshake is found wherever a library left it, and no envelope is unwrapped', () => {
  const body = { code: 4008, message: 'm', server_version: '0.4.0' };
  const text = JSON.stringify(body);
  const header = { 'X-A2C-Error-Code': '4008' };
  const xhr = 'content-type: text/html\r\nx-a2c-error-code: 4008\r\n';
  const bytes = new TextEncoder().encode(text);
  const of = (/** @type {object} */ parts, message = 'no') => Object.assign(new Error(message), parts);
  const bad = JSON.stringify({ code: 400, message: 'm' });
  for (const [error, expected] of [
    [of({ response: { status: 400, data: body } }), '0.4.0'],
    [of({ response: { status: 400, data: text } }), '0.4.0'],
    [of({ response: { statusCode: 400, headers: header, body: bytes } }), '0.4.0'],
    [of({ body: bytes.buffer }), '0.4.0'],
    [of({ context: { responseText: text } }), '0.4.0'],
    [{ name: 'HttpErrorResponse', status: 400, error: body }, '0.4.0'],
    [{ type: 'error', error: new Error(text) }, '0.4.0'],
    [new AggregateError([new Error('a'), new Error(text)]), '0.4.0'],
    [of({ cause: new Error(text) }, bad), '0.4.0'],
    // Without a body the header is enough.
    [of({ response: { status: 400, headers: header, data: '' } }), undefined],
    [of({ response: new Response('', { status: 400, headers: header }) }), undefined],
    [of({ context: { status: 400, responseText: '', getAllResponseHeaders: () => xhr } }), undefined],
  ]) {
    const found = /** @type {any} */ (ackguard.parseHandshakeException(error));
    assert.equal(found?.code, 4008);
    assert.equal(found.serverVersion ?? undefined, expected);
  }
  const refused = { status: 400, headers: header, data: { code: 400, message: 'm' } };
  assert.equal(ackguard.parseHandshakeException(of({ response: refused }))?.code, 400);
  for (const data of [
    { error: body },
    { data: body },
    { body: { error: body } },
    [body],
    { code: 4014, message: 'm' },
  ]) {
    assert.equal(ackguard.parseHandshakeException(of({ response: { ...refused, headers: {}, data } })), null);
  }
  assert.equal(ackguard.parseHandshakeException(of({ response: new Response('', { status: 403 }) })), null);
  for (const [status, said] of /** @type {[number, unknown][]} */ ([
    [200, xhr],
    [400, 'content-type: text/html'],
    [400, null],
    [400, 5],
  ])) {
    const context = { status, responseText: '', getAllResponseHeaders: () => said };
    assert.equal(ackguard.parseHandshakeException(of({ context })), null);
  }
  const numeric = /** @type {any} */ ({ 'X-A2C-Error-Code': 4008 });
  assert.equal(ackguard.parseHandshakeFailure(400, numeric, '')?.code, 4008);
});

test('what is built of a wrong type is a mistake, not absent', () => {
  const build = (/** @type {number} */ code, /** @type {any} */ fields) => ackguard.errorPayload(code, 'm', fields);
  for (const [code, fields] of /** @type {[number, object][]} */ ([
    [4014, { server: 5 }],
    [4015, { server: 'docs', capability: {} }],
    [4008, { serverVersion: 1 }],
    [404, { traceId: 5 }],
    [404, { computerName: [] }],
    [4018, { reason: 5 }],
    [500, { details: ['a'] }],
    [500, { details: 'a' }],
    [4017, { reason: 'too_large', totalSize: 2.5 }],
    [4017, { reason: 'too_large', totalSize: '5' }],
  ])) {
    assert.throws(() => build(code, fields), TypeError);
  }
  assert.throws(() => build(4017, { reason: 'too_large', totalSize: -1 }), RangeError);
  assert.equal(build(4017, { reason: 'too_large', totalSize: 5n }).totalSize, 5);
  assert.deepEqual(ackguard.toPayload(build(404, { traceId: null, constructor: 1 })), {
    code: 404,
    message: 'm',
    constructor: 1,
  });
  for (const bad of [-1, Number.NaN]) {
    assert.throws(() => ackguard.backoff({ cap: bad }), RangeError);
    assert.throws(() => ackguard.backoff(3, bad), RangeError);
    assert.throws(() => ackguard.backoff(bad), RangeError);
  }
  assert.throws(() => ackguard.backoff('3'), TypeError);
  assert.deepEqual([...ackguard.backoff({ cap: 0, maxRetries: 1 })], [0]);
  assert.deepEqual([...ackguard.backoff(4, 5, { random: () => 0.5 })], [1.5, 2.5, 4.5, 5]);
  assert.equal([...ackguard.backoff()].length, 3);
});

test('arguments in their order, as Python has them, or by their names', () => {
  const { meta } = ackguard.cancelledResult('user', { locale: 'zh' });
  assert.deepEqual(meta, { a2c_cancel_reason: 'user', a2c_cancelled: true });
  assert.deepEqual(
    ackguard.cancelledResult({ reason: 'user', locale: 'zh' }),
    ackguard.cancelledResult('user', { locale: 'zh' }),
  );
  assert.deepEqual(ackguard.cancelledResult(null), ackguard.cancelledResult());
  assert.throws(() => ackguard.cancelledResult(5), TypeError);
  assert.throws(() => ackguard.checkRelPath('a/b', { forbid: new Set(['b']) }), { reason: 'forbidden' });
  for (const forbid of ['b', 5, [5]]) assert.throws(() => ackguard.checkRelPath('a/b', { forbid }), TypeError);
});

test('the advice for a code and a reason', () => {
  for (const { code, retry, reasons } of ackguard.codes()) {
    assert.deepEqual(ackguard.retryAdvice(code), retry);
    for (const { name, retry: advice } of reasons) assert.deepEqual(ackguard.retryAdvice(code, name), advice);
    const unknown = reasons.length > 0 ? { automatic: 'no', action: 'none' } : retry;
    assert.deepEqual(ackguard.retryAdvice(code, 'brand_new'), unknown);
  }
  assert.deepEqual(ackguard.retryAdvice(4999, 'gone'), { automatic: 'no', action: 'none' });
  assert.deepEqual(ackguard.retryAdvice(new ackguard.AcpRpcError({ rpcCode: -32000 })), {
    retryable: false,
    action: 'authenticate',
  });
  assert.throws(() => ackguard.retryAdvice('4018'), TypeError);
});

test('a tally counts what was classified, and what was not yet', () => {
  const tally = new ackguard.Tally();
  tally.add(ackguard.classifyJson('{"code":4101,"message":"m"}'));
  tally.add({ code: 4101, message: 'm' });
  tally.add(null, { dialect: '0.3' });
  assert.equal(tally.total, 3);
  assert.deepEqual(tally.toJSON().kinds, { error: 2, none: 1 });
  assert.deepEqual(tally.kinds, { error: 2, none: 1 });
  assert.deepEqual(tally.attributes(), [
    [{ 'error.type': 'ROOM_FULL', 'ackguard.kind': 'error', 'ackguard.code': 4101 }, 2],
    [{ 'ackguard.kind': 'none' }, 1],
  ]);
  assert.deepEqual(new ackguard.Tally().attributes(), []);
});

test('what is null is not written again', () => {
  const bare = { code: 4015, message: 'm' };
  for (const [came, written] of [
    [{ ...bare, mcp_server: null, capability: null }, bare],
    [
      { code: 404, message: null, details: null },
      { code: 404, message: 'Not Found' },
    ],
    [{ code: 4014, message: 'm', server: null }],
    [{ ...bare, capability: 7 }],
    [{ code: 404, message: 'm', details: { x: null } }],
  ]) {
    const view = ackguard.classify(came).error;
    for (const given of [view, came]) {
      assert.deepEqual(ackguard.toPayload(given), written ?? came);
      assert.deepEqual(JSON.parse(ackguard.toJson(given)), written ?? came);
    }
  }
});

test('a switch that is no boolean is a mistake, since most of them make a check stricter', () => {
  const any = (/** @type {any} */ value) => value;
  for (const wrong of ['yes', 1, 0, {}]) {
    assert.throws(() => ackguard.checkRelPath('.env', { credentials: any(wrong) }), TypeError);
    assert.throws(() => ackguard.scrubAuthHint({}, { strict: any(wrong) }), TypeError);
    assert.throws(() => ackguard.decideAuthorization({ providerFault: any(wrong) }), TypeError);
    assert.throws(() => ackguard.readiness('ready', any(wrong)), TypeError);
  }
  assert.throws(() => ackguard.scrubAuthHint({}, any(true)), TypeError);
  assert.throws(() => ackguard.checkRelPath('x', any(['x'])), TypeError);
  assert.throws(() => ackguard.checkRelPath('.env', { credentials: true }), ackguard.SkillResourceError);
  assert.equal(ackguard.checkRelPath('.env', { credentials: undefined, forbid: any(null) }), '.env');
  assert.equal(ackguard.readiness('ready', any(null)), 'ready');
});

test('a number with a fraction is no code and no count', () => {
  for (const wrong of [4006.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => ackguard.authErrorResult('docs', wrong), TypeError);
    assert.throws(() => ackguard.defaultAuthHint(wrong), TypeError);
    assert.throws(() => ackguard.decideAuthorization({ httpStatus: wrong }), TypeError);
    assert.throws(() => ackguard.classifyFailure(undefined, { exitCode: wrong }), TypeError);
  }
  assert.throws(() => ackguard.backoff(1.5), TypeError);
  assert.equal(ackguard.classifyFailure(undefined, { timeout: 0.5 })?.details.timeout, 0.5);
});

test('the id of the request is an id, or every response would pass for the answer', () => {
  const response = { jsonrpc: '2.0', id: 7, result: {} };
  for (const wrong of /** @type {any[]} */ ([true, {}, [7], Symbol('7')])) {
    assert.throws(() => ackguard.classifyFailure(response, { expectedId: wrong }), TypeError);
  }
  for (const other of ['7', 8, 8n]) {
    assert.equal(ackguard.classifyFailure(response, { expectedId: other })?.code, 'protocol_error');
  }
  for (const same of [7, 7n, null, undefined]) {
    assert.equal(ackguard.classifyFailure(response, { expectedId: same }), null);
  }
});

test('the parsed body of a handshake may hold what JSON has no word for', () => {
  /** @type {any} */
  const body = { code: 4008n, server_version: '0.3.0', size: 5n };
  body.self = body;
  for (const given of [body, new Map(Object.entries(body))]) {
    const found = ackguard.parseHandshakeFailure(400, null, given);
    assert.ok(ackguard.isVersionMismatch(found));
    assert.equal(found.serverVersion, '0.3.0');
  }
  const named = ackguard.parseHandshakeFailure(400, { 'X-A2C-Error-Code': '4008' }, { self: body });
  assert.ok(ackguard.isVersionMismatch(named));
  assert.equal(ackguard.parseHandshakeFailure(400, null, { error: body }), null);
});

test('the mark of a handshake stands whatever the details were', () => {
  const marked = { underlying_code: 'request_timeout', server: 'docs', phase: 'handshake' };
  for (const [details, after] of /** @type {[any, object][]} */ ([
    [null, marked],
    [undefined, marked],
    [Object.freeze({ a: 1 }), { a: 1, ...marked }],
    [Object.seal({ a: 1 }), { a: 1, ...marked }],
    [Object.preventExtensions({}), marked],
  ])) {
    const error = new ackguard.AcpClientError('m', { code: 'request_timeout' });
    error.details = details;
    assert.ok(ackguard.reclassifyHandshake(error, 'docs'));
    assert.deepEqual(error.details, after);
    assert.ok(ackguard.isHandshakeFailure(error));
  }
  const held = {};
  const error = new ackguard.AcpClientError('m');
  error.details = held;
  ackguard.reclassifyHandshake(error, 'docs');
  assert.equal(error.details, held, 'whoever holds the details sees it');
});

test('an ACP code that is none of the nine says no more than that something is wrong', () => {
  for (const code of /** @type {any[]} */ (['of_another_version', 5, undefined])) {
    const error = new ackguard.AcpClientError('m');
    error.code = code;
    assert.equal(ackguard.retryAdvice(error).action, 'report_bug');
    assert.ok(ackguard.recordsLastError(error));
    const ledger = new ackguard.ErrorLedger();
    assert.ok(ledger.record('docs', error, 0));
    assert.equal(ledger.lastError('docs')?.code, 'protocol_error');
    assert.ok(ackguard.reclassifyHandshake(error, 'docs'));
    assert.equal(error.code, 'handshake_fail');
  }
  const error = new ackguard.AcpClientError('m');
  assert.throws(() => new ackguard.ErrorLedger().record('docs', error, new Date(Number.NaN)), RangeError);
});

test('what is printed of a protocol error has nothing of what the peer wrote', () => {
  const secret = 'written-by-a-peer';
  for (const code of [500, 4008]) {
    const payload = { code, message: secret, details: { any: secret }, extra: secret };
    const error = ackguard.protocolErrorFor(/** @type {any} */ (ackguard.classify(payload)).error);
    assert.equal(error.payload.message, secret);
    for (const shown of [inspect(error), JSON.stringify(error), String(error)])
      assert.ok(!shown.includes(secret), shown);
  }
});

test('a process that Node could not start is one, whatever the number', () => {
  for (const [code, syscall, expected] of [
    ['EAGAIN', 'spawn agent', 'process_start_fail'],
    ['UNKNOWN', 'spawn', 'process_start_fail'],
    ['EAGAIN', 'read', 'transport_disconnect'],
    ['EPIPE', 'write', 'transport_disconnect'],
    ['ETIMEDOUT', 'spawnSync agent', 'request_timeout'],
    ['EAGAIN', undefined, 'transport_disconnect'],
  ]) {
    const ioError = Object.assign(new Error('m'), { code, syscall });
    assert.equal(ackguard.classifyFailure(undefined, { ioError })?.code, expected, `${code} ${syscall}`);
  }
});
