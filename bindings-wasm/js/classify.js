// Classification: the verdict at once, what goes with it when it is asked for.

import { ask, askAboutNode, guarded, putBytes, putText } from './core.js';
import { MalformedErrorPayload, protocolErrorFor } from './errors.js';
import * as questions from './generated/questions.js';
import { mark, push, Root, release, wrap } from './host.js';
import { wasm } from './memory.js';
import { dialectOf } from './options.js';

/** The value is an ack callback's argument list. */
const ARGUMENTS = 2;

/** @type {readonly string[]} */
const EMPTY = Object.freeze([]);

/** What a result keeps to itself: where its views come from, and those that have been made. */
class Source {
  /**
   * @param {any} subject JSON text, or a value that is being read, as `wrap` gives it
   * @param {Root | undefined} root none for text
   * @param {number} mode
   */
  constructor(subject, root, mode) {
    this.subject = subject;
    this.root = root;
    this.mode = mode;
    /** @type {any} */
    this.view = undefined;
    /** @type {any} */
    this.violations = undefined;
  }
  /**
   * @param {number} question
   * @param {unknown[]} given
   */
  ask(question, ...given) {
    const { subject, root, mode } = this;
    return root === undefined
      ? ask(question, put(subject), true, mode, ...given)
      : askAboutNode(question, root, [subject], [false, mode, ...given]);
  }
  /**
   * The violations, or a part of the view.
   * @param {string} name
   */
  part(name) {
    if (name === 'violations') {
      this.violations ??= this.ask(questions.violations);
      return this.violations;
    }
    this.view ??= this.ask(questions.view);
    return this.view[name];
  }
  /** @param {number} tally */
  addTo(tally) {
    this.ask(questions.tally_add, tally);
  }
}

/** @param {string | Uint8Array} text */
function put(text) {
  return typeof text === 'string' ? putText(text) : putBytes(text);
}

/** Lays a private mark on a plain object: nobody else can see it, and the object stays as plain as it was. */
class Marked extends /** @type {any} */ (
  function (/** @type {object} */ object) {
    return object;
  }
) {
  /** @type {Source} */
  #source;
  /**
   * @param {object} object
   * @param {Source} source
   */
  constructor(object, source) {
    super(object);
    this.#source = source;
  }
  /**
   * @param {any} object
   * @returns {Source | undefined}
   */
  static sourceOf(object) {
    return typeof object === 'object' && object !== null && #source in object ? object.#source : undefined;
  }
}
export const { sourceOf } = Marked;

/**
 * The getter of a member whose value is made when it is first asked for. All results share the function: an
 * engine can then give them one hidden class.
 * @param {string} name
 */
function late(name) {
  /** @this {object} */
  return function () {
    return sourceOf(this)?.part(name);
  };
}

const VIOLATIONS = late('violations');
const RETRY = late('retry');

/** @type {{ kind: string, name: string | undefined, get: () => unknown }[] | undefined} by number */
let kinds;

/** The kinds whose view is made late, and its name. */
const VIEWS = /** @type {any} */ ({
  __proto__: null,
  error: 'error',
  tool_result: 'toolResult',
  rpc_error: 'rpcError',
});

/** Makes a getter as one in a literal is, and takes two thirds of the time that a descriptor does. */
const defineGetter = /** @type {any} */ (Object.prototype).__defineGetter__;

/**
 * A result. Its views are made when they are first asked for, and then stay what they are.
 * @param {number} number of the kind
 * @param {Source} source
 */
function classified(number, source) {
  kinds ??= ask(questions.kinds).map((/** @type {string} */ kind) => {
    return { kind, name: VIEWS[kind], get: late(VIEWS[kind]) };
  });
  const { kind, name, get } = /** @type {NonNullable<typeof kinds>} */ (kinds)[number];
  /** @type {any} */
  const object = { kind };
  new Marked(object, source);
  if (name !== undefined) {
    defineGetter.call(object, name, get);
    defineGetter.call(object, 'violations', VIOLATIONS);
    defineGetter.call(object, 'retry', RETRY);
  } else {
    const event = kind === 'event_result';
    if (event) object.eventResult = source.part('eventResult');
    object.violations = event || kind === 'malformed_error' ? source.part('violations') : EMPTY;
    object.retry = null;
  }
  return Object.freeze(object);
}

/**
 * @param {unknown} value
 * @param {number} mode
 */
function classifyValue(value, mode) {
  const before = mark();
  const root = new Root();
  const node = wrap(value, root);
  let number;
  try {
    const packed = push(node);
    number = guarded(() => wasm.classify(packed, mode));
  } finally {
    release(before);
  }
  return classified(number, new Source(node, root, mode));
}

/**
 * @param {unknown} value
 * @param {any} [options]
 */
export function classify(value, options) {
  return classifyValue(value, dialectOf(options));
}

/**
 * @param {ArrayLike<unknown> | Iterable<unknown>} args
 * @param {any} [options]
 */
export function classifyAckArgs(args, options) {
  if (typeof args !== 'object' || args === null) throw new TypeError('args is not a list');
  const list = Array.isArray(args) ? args : Array.from(args);
  return classifyValue(list, dialectOf(options) | ARGUMENTS);
}

/**
 * @param {string | Uint8Array} text
 * @param {any} [options]
 */
export function classifyJson(text, options) {
  const mode = dialectOf(options);
  const given = typeof text === 'string' || text instanceof Uint8Array ? text : bytesOf(text);
  const number = guarded(() => wasm.classify_text(put(given), mode));
  // The caller may use its buffer again, and the views are still to come.
  const kept = typeof given === 'string' ? given : given.slice();
  return classified(number, new Source(kept, undefined, mode));
}

/** @param {unknown} text */
export function bytesOf(text) {
  if (text instanceof Uint8Array) return text;
  if (ArrayBuffer.isView(text)) return new Uint8Array(text.buffer, text.byteOffset, text.byteLength);
  if (text instanceof ArrayBuffer) return new Uint8Array(text);
  if (typeof SharedArrayBuffer === 'function' && text instanceof SharedArrayBuffer) return new Uint8Array(text);
  throw new TypeError('JSON text is needed: a string or a Uint8Array');
}

/**
 * @param {unknown} value
 * @param {any} [options]
 */
export function raiseForError(value, options) {
  const classified = /** @type {any} */ (sourceOf(/** @type {any} */ (value)) ? value : classify(value, options));
  if (classified.kind === 'error') throw protocolErrorFor(classified.error);
  if (classified.kind === 'malformed_error') throw new MalformedErrorPayload(classified.violations);
}
