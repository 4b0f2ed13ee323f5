// Classification: the verdict at once, what goes with it when it is asked for.

import { guarded, putBytes, putText, result, withNode } from './core.js';
import { MalformedErrorPayload, protocolErrorFor } from './errors.js';
import * as glue from './generated/glue.js';
import { mark, push, Root, release, takeThrown, wrap } from './host.js';
import { dialectOf } from './options.js';

const THREW = 0xffffffff;
/** The value is an ack callback's argument list. */
const ARGUMENTS = 2;

/** @type {readonly string[]} */
const EMPTY = Object.freeze([]);

/**
 * Where a result's views come from: a value that is being read, or JSON text.
 * @typedef {{ view(): any, violations(): readonly string[], addTo(tally: number): void }} Source
 */

class ValueSource {
  /**
   * @param {unknown} node
   * @param {Root} root
   * @param {number} mode
   */
  constructor(node, root, mode) {
    this.node = node;
    this.root = root;
    this.mode = mode;
  }
  view() {
    return withNode(this.node, this.root, (packed) => glue.view(packed, this.mode));
  }
  violations() {
    return withNode(this.node, this.root, (packed) => glue.violations(packed, this.mode));
  }
  /** @param {number} tally */
  addTo(tally) {
    withNode(this.node, this.root, (packed) => (glue.tally_add(tally, packed, this.mode) ? '=null' : '?'));
  }
}

class TextSource {
  /**
   * @param {string | Uint8Array} text
   * @param {number} mode
   */
  constructor(text, mode) {
    this.text = text;
    this.mode = mode;
  }
  view() {
    return result(guarded(() => glue.view_text(put(this.text), this.mode)));
  }
  violations() {
    return result(guarded(() => glue.violations_text(put(this.text), this.mode)));
  }
  /** @param {number} tally */
  addTo(tally) {
    guarded(() => glue.tally_add_text(tally, put(this.text), this.mode));
  }
}

/** @param {string | Uint8Array} text */
function put(text) {
  return typeof text === 'string' ? putText(text) : putBytes(text);
}

/** What a result keeps to itself: where its views come from, and those that have been made. */
class Kept {
  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    /** @type {any} */
    this.view = undefined;
    /** @type {readonly string[] | undefined} */
    this.violations = undefined;
  }
}

/** Lays a private mark on a plain object: nobody else can see it, and the object stays as plain as it was. */
class Marked extends /** @type {any} */ (
  function (/** @type {object} */ object) {
    return object;
  }
) {
  /** @type {Kept} */
  #kept;
  /**
   * @param {object} object
   * @param {Kept} kept
   */
  constructor(object, kept) {
    super(object);
    this.#kept = kept;
  }
  /**
   * @param {any} object
   * @returns {Kept | undefined}
   */
  static keptBy(object) {
    return typeof object === 'object' && object !== null && #kept in object ? object.#kept : undefined;
  }
}

/** @param {any} object */
export function sourceOf(object) {
  return Marked.keptBy(object)?.source;
}

/**
 * A member whose value is made when it is first asked for. All results share the function: an engine can then
 * give them one hidden class.
 * @param {(kept: Kept) => unknown} make
 */
function late(make) {
  return {
    /** @this {object} */
    get() {
      const kept = Marked.keptBy(this);
      return kept === undefined ? undefined : make(kept);
    },
    enumerable: true,
    configurable: true,
  };
}

/** @param {string} name */
const part = (name) =>
  late((kept) => {
    kept.view ??= kept.source.view();
    return kept.view[name];
  });
const ERROR = part('error');
const TOOL_RESULT = part('toolResult');
const RPC_ERROR = part('rpcError');
const RETRY = part('retry');
const VIOLATIONS = late((kept) => {
  kept.violations ??= kept.source.violations();
  return kept.violations;
});

/** @type {string[] | undefined} */
let kinds;

/** @param {number} number */
function kindOf(number) {
  kinds ??= guarded(() => glue.kinds()).split('\n');
  return /** @type {string[]} */ (kinds)[number];
}

/**
 * A result. Its views are made when they are first asked for, and then stay what they are.
 * @param {number} number of the kind
 * @param {Source} source
 */
function classified(number, source) {
  const kind = kindOf(number);
  /** @type {any} */
  const object = { kind };
  new Marked(object, new Kept(source));
  switch (kind) {
    case 'error':
      Object.defineProperty(object, 'error', ERROR);
      break;
    case 'tool_result':
      Object.defineProperty(object, 'toolResult', TOOL_RESULT);
      break;
    case 'rpc_error':
      Object.defineProperty(object, 'rpcError', RPC_ERROR);
      break;
    case 'event_result':
      object.eventResult = source.view().eventResult;
      object.violations = source.violations();
      object.retry = null;
      return Object.freeze(object);
    default:
      object.violations = kind === 'malformed_error' ? source.violations() : EMPTY;
      object.retry = null;
      return Object.freeze(object);
  }
  Object.defineProperty(object, 'violations', VIOLATIONS);
  Object.defineProperty(object, 'retry', RETRY);
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
    number = guarded(() => glue.classify(packed, mode));
  } finally {
    release(before);
  }
  if (number === THREW) throw takeThrown().thrown;
  return classified(number, new ValueSource(node, root, mode));
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
  const number = guarded(() => glue.classify_text(put(given), mode));
  // The caller may use its buffer again, and the views are still to come.
  const kept = typeof given === 'string' ? given : given.slice();
  return classified(number, new TextSource(kept, mode));
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
