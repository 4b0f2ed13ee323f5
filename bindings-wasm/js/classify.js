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

/** Lays a private mark on a plain object: nobody else can see it, and it is not the object's own. */
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
  /** @param {any} object */
  static sourceOf(object) {
    return typeof object === 'object' && object !== null && #source in object ? object.#source : undefined;
  }
}

export const { sourceOf } = Marked;

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
  let view;
  /** @type {readonly string[] | undefined} */
  let violations;
  let object;
  switch (kind) {
    case 'error':
      object = {
        kind,
        get error() {
          view ??= source.view();
          return view.error;
        },
        get violations() {
          violations ??= source.violations();
          return violations;
        },
        get retry() {
          view ??= source.view();
          return view.retry;
        },
      };
      break;
    case 'tool_result':
      object = {
        kind,
        get toolResult() {
          view ??= source.view();
          return view.toolResult;
        },
        get violations() {
          violations ??= source.violations();
          return violations;
        },
        get retry() {
          view ??= source.view();
          return view.retry;
        },
      };
      break;
    case 'rpc_error':
      object = {
        kind,
        get rpcError() {
          view ??= source.view();
          return view.rpcError;
        },
        get violations() {
          violations ??= source.violations();
          return violations;
        },
        get retry() {
          view ??= source.view();
          return view.retry;
        },
      };
      break;
    case 'event_result':
      object = { kind, eventResult: source.view().eventResult, violations: source.violations(), retry: null };
      break;
    case 'malformed_error':
      object = { kind, violations: source.violations(), retry: null };
      break;
    default:
      object = { kind, violations: EMPTY, retry: null };
  }
  new Marked(object, source);
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
