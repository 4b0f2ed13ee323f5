// The module instance, how text gets in and how results get out.

import * as glue from './generated/glue.js';
import { ABSENT, isWellFormed, lay, mark, push, Root, release, valueAt, wrap } from './host.js';

/** @type {any} the instance's exports, once there are some */
let wasm;
/** @type {WebAssembly.Module | undefined} */
let compiled;
/** Where the module's stack begins. */
let stack = 0;

/** Whether the functions can be called. */
export function isReady() {
  return wasm !== undefined;
}

/**
 * Makes the instance. A second time does nothing.
 * @param {WebAssembly.Module} module
 */
export function instantiate(module) {
  if (wasm !== undefined) return;
  start(glue.initSync({ module }));
  compiled = module;
}

/** @param {any} instance its exports */
function start(instance) {
  wasm = instance;
  stack = wasm.__stack_pointer.value;
}

/**
 * Makes the instance from whatever a platform has the module as.
 * @param {unknown} source
 */
export async function instantiateFrom(source) {
  if (wasm !== undefined) return;
  const given = await source;
  if (given instanceof WebAssembly.Module) {
    const instance = await glue.default({ module_or_path: given });
    if (wasm === undefined) start(instance);
    compiled = given;
    return;
  }
  /** @type {WebAssembly.Module} */
  let module;
  if (typeof Response === 'function' && given instanceof Response) {
    if (!given.ok) throw new Error(`ackguard: the WebAssembly module could not be fetched (HTTP ${given.status})`);
    module = await compileResponse(given);
  } else if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) {
    module = await WebAssembly.compile(/** @type {BufferSource} */ (given));
  } else {
    throw new TypeError('ackguard: init() takes a WebAssembly.Module, its bytes, a Response, a URL or nothing');
  }
  await instantiateFrom(module);
}

/**
 * Compiles while it is being fetched, where the server calls the module what it is.
 * @param {Response} response
 */
async function compileResponse(response) {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/wasm') && typeof WebAssembly.compileStreaming === 'function') {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

function ready() {
  if (wasm === undefined) {
    throw new Error('ackguard: call `await init()` first (Node needs none; see the package’s README)');
  }
}

/** How many calls are under way. There is more than one when a getter that is read calls something here. */
let calls = 0;
/** Whether an exception has gone through the module: what a getter or a proxy threw. */
let crossed = false;

/**
 * Calls into the module. Whatever the host's own code throws while it is read goes through the module, where nothing is
 * given back on its way; once no call is under way, stack and memory are made free again. Should it ever trap, the trap becomes an Error and a new instance takes its place, so
 * that the next call is as good as the first.
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
export function guarded(call) {
  if (wasm === undefined) ready();
  calls++;
  try {
    return call();
  } catch (error) {
    crossed = true;
    throw recovered(error);
  } finally {
    if (--calls === 0 && crossed) {
      crossed = false;
      wasm.__stack_pointer.value = stack;
      wasm.forget();
    }
  }
}

/** @param {unknown} error */
function recovered(error) {
  if (!(error instanceof WebAssembly.RuntimeError) || compiled === undefined) return error;
  try {
    // The glue keeps the instance it has until it is told to make another.
    glue.__wbg_reset_state();
    start(glue.initSync({ module: compiled }));
  } catch {
    // A browser's main thread may refuse to do this at once; the instance that trapped stays.
  }
  const failure = new Error('ackguard: internal error', { cause: error });
  failure.name = 'AckguardError';
  return failure;
}

// --- results --------------------------------------------------------------------------------------------

/** @type {(refusal: any) => Error} */
let exception = (refusal) => new Error(refusal.message);

/** @param {(refusal: any) => Error} maker of an exception from a refusal */
export function onRefusal(maker) {
  exception = maker;
}

/**
 * A result from what src/lib.rs answers with.
 * @param {string} answer
 * @param {Map<string, string>} [odd] names that lost a lone surrogate on the way
 */
function result(answer, odd) {
  const first = answer.charAt(0);
  const value = settle(JSON.parse(answer.slice(1)), odd);
  if (first === '!') throw exception(value);
  return value;
}

/**
 * Puts in what JSON has no form for, and freezes.
 * @param {any} value
 * @param {Map<string, string>} [odd]
 * @returns {any}
 */
function settle(value, odd) {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? special(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = settle(value[index], odd);
    return Object.freeze(value);
  }
  let object = value;
  if (odd !== undefined && Object.keys(value).some((name) => odd.has(name))) {
    object = {};
    for (const name of Object.keys(value)) put(object, odd.get(name) ?? name, settle(value[name], odd));
    return Object.freeze(object);
  }
  for (const name of Object.keys(object)) {
    const before = object[name];
    const after = settle(before, odd);
    if (after !== before) put(object, name, after);
  }
  return Object.freeze(object);
}

/**
 * @param {any} object
 * @param {string} name
 * @param {unknown} value
 */
function put(object, name, value) {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}

/** @param {string} text */
function special(text) {
  const rest = text.slice(2);
  switch (text.charCodeAt(1)) {
    case 110: // n
      return BigInt(rest);
    case 118: // v
      return valueAt(Number(rest));
    default:
      return rest;
  }
}

/**
 * Asks the module. What goes with the question are texts, numbers and booleans; a text may be left out.
 * @param {number} question by its number in `generated/questions.js`
 * @param {readonly unknown[]} given
 * @param {Root} [root] of the value that is asked about
 */
export function askWith(question, given, root) {
  const before = mark();
  try {
    return result(
      guarded(() => glue.ask(question, lay(given), given.length)),
      root?.odd,
    );
  } finally {
    release(before);
  }
}

/**
 * Asks about something that is no value of the host's.
 * @param {number} question
 * @param {unknown[]} given
 */
export function ask(question, ...given) {
  return askWith(question, given);
}

/**
 * Asks about a value, which is the first that goes with the question.
 * @param {number} question
 * @param {unknown} value
 * @param {unknown[]} given
 */
export function askAbout(question, value, ...given) {
  const root = new Root();
  return askAboutNode(question, root, [wrap(value, root)], given);
}

/**
 * The same for what has been wrapped, and perhaps been read before.
 * @param {number} question
 * @param {Root} root
 * @param {readonly unknown[]} nodes `ABSENT` for one that is not there
 * @param {readonly unknown[]} given
 */
export function askAboutNode(question, root, nodes, given) {
  const before = mark();
  try {
    const places = nodes.map((node) => (node === ABSENT ? 0 : push(node)));
    return askWith(question, [...places, ...given], root);
  } finally {
    release(before);
  }
}

// --- text -----------------------------------------------------------------------------------------------

const encoder = new TextEncoder();
let memory = new Uint8Array(0);

/** @param {number} length */
function space(length) {
  const address = guarded(() => wasm.scratch(length)) >>> 0;
  // The memory moves when it grows.
  if (memory.buffer !== wasm.memory.buffer) memory = new Uint8Array(wasm.memory.buffer);
  return address;
}

/**
 * Writes bytes where the module reads them.
 * @param {Uint8Array} bytes
 */
export function putBytes(bytes) {
  const address = space(bytes.length);
  memory.set(bytes, address);
  return bytes.length;
}

/**
 * Writes a text there in UTF-8. A surrogate without its other half is written as if it were a character, which
 * is no UTF-8: the module has to know.
 * @param {string} text
 */
export function putText(text) {
  const length = text.length;
  if (length <= 80) {
    const address = space(length * 3);
    let at = 0;
    for (; at < length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 127) break;
      memory[address + at] = unit;
    }
    if (at === length) return length;
  }
  if (!isWellFormed(text)) return putBytes(surrogates(text));
  // Most texts are ASCII; the others are told how much room they need.
  let address = space(length);
  let { read, written } = encoder.encodeInto(text, memory.subarray(address, address + length));
  if (read < length) {
    address = space(length * 3);
    ({ written } = encoder.encodeInto(text, memory.subarray(address, address + length * 3)));
  }
  return written;
}

/** @param {string} text */
function surrogates(text) {
  /** @type {number[]} */
  const bytes = [];
  for (const character of text) {
    const point = /** @type {number} */ (character.codePointAt(0));
    if (point < 0xd800 || point > 0xdfff) {
      for (const byte of encoder.encode(character)) bytes.push(byte);
    } else {
      bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    }
  }
  return Uint8Array.from(bytes);
}
