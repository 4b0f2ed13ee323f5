// The module instance, how text gets in and how results get out.

import {
  ABSENT,
  at,
  count,
  digits,
  isWellFormed,
  lay,
  learn,
  mark,
  member,
  name,
  number,
  push,
  Root,
  release,
  text,
  valueAt,
  wrap,
} from './host.js';
import { bytes, decode, encode, setExports, wasm } from './memory.js';

/** What the module calls. */
const imports = { host: { at, count, digits, learn, member, name, number, text } };
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
  start(new WebAssembly.Instance(module, imports));
  compiled = module;
}

/** @param {WebAssembly.Instance} instance */
function start(instance) {
  setExports(instance.exports);
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
    const instance = await WebAssembly.instantiate(given, imports);
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
 * given back on its way; once no call is under way, stack and memory are made free again. Should it ever trap, the trap
 * becomes an Error and a new instance takes its place, so that the next call is as good as the first.
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
    start(new WebAssembly.Instance(compiled, imports));
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
      guarded(() => {
        const length = wasm.ask(question, lay(given), given.length);
        return decode(wasm.answer(), length);
      }),
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

/**
 * Writes bytes where the module reads them.
 * @param {Uint8Array} given
 */
export function putBytes(given) {
  const address = guarded(() => wasm.scratch(given.length)) >>> 0;
  bytes().set(given, address);
  return given.length;
}

/**
 * Writes a text there in UTF-8. A surrogate without its other half is written as if it were a character, which
 * is no UTF-8: the module has to know.
 * @param {string} text
 */
export function putText(text) {
  return isWellFormed(text) ? guarded(() => encode(text, wasm.scratch)) : putBytes(surrogates(text));
}

const encoder = new TextEncoder();

/** @param {string} text */
function surrogates(text) {
  /** @type {number[]} */
  const units = [];
  for (const character of text) {
    const point = /** @type {number} */ (character.codePointAt(0));
    if (point < 0xd800 || point > 0xdfff) {
      units.push(...encoder.encode(character));
    } else {
      units.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    }
  }
  return Uint8Array.from(units);
}
