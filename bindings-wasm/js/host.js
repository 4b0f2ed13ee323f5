// The list of values that the WebAssembly module reads by number, and what has been read of each.
//
// Nothing here decides anything about a payload. It says what a JavaScript value is in JSON's terms, reads
// every member at most once, and lets whatever a getter or a proxy throws pass through unchanged.

import { decode, encode, wasm } from './memory.js';

// The tags of src/host.rs.
const NULL = 1;
const FALSE = 2;
const TRUE = 3;
const INTEGER = 4;
const FLOAT = 5;
const BIG = 6;
const BIGINT = 7;
const TEXT = 8;
const ARRAY = 9;
const OBJECT = 10;
const OPAQUE = 11;
const MAP = 12;
/** The number's own place is its value: it is in no list, and nobody has to ask for it. */
const SMALL = 13;

/** Instead of a text's length: there is none. */
const NONE = 0xffffffff;
/** How many items an array has at the most. A proxy may claim more. */
const MOST = 0xffffffff;
/** No integer that large is told apart from its neighbours by what a code or a size can be. */
const TOO_LARGE = 2 ** 127;
export const ABSENT = Symbol('absent');

const has = Object.prototype.hasOwnProperty;
const mapGet = Map.prototype.get;
const mapHas = Map.prototype.has;
const mapForEach = Map.prototype.forEach;

/** @type {unknown[]} */
const values = [];
/** How many of them there are. What lies beyond is room that stays: taking it anew costs more than a call. */
let top = 0;
/** How much room stays at the most. */
const ROOM = 256;
/** @type {number[][]} */
const sets = [];
/** @type {string[]} */
const names = [];
/** @type {Map<string, number>} */
const numbers = new Map();

/** An object that is being read, with what has been read of it. */
class Rec {
  /**
   * @param {object} value
   * @param {Root} root
   * @param {number} form
   */
  constructor(value, root, form) {
    this.value = value;
    this.root = root;
    this.form = form;
    /** @type {unknown[]} by the number of the name; with room for those that are asked for first */
    this.members = new Array(16);
    /** @type {unknown[] | undefined} */
    this.keys = undefined;
    /** @type {unknown[] | undefined} */
    this.items = undefined;
  }
}

/** What belongs to one payload: an object that stands in two places is read once. */
export class Root {
  constructor() {
    /** @type {Rec | undefined} nearly always the only one */
    this.first = undefined;
    /** @type {Map<object, Rec> | undefined} */
    this.recs = undefined;
    /** @type {Map<string, string> | undefined} */
    this.odd = undefined;
  }
}

/** @param {object} value */
function formOf(value) {
  if (Array.isArray(value)) return ARRAY;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return OBJECT;
  if (
    ArrayBuffer.isView(value) ||
    value instanceof ArrayBuffer ||
    value instanceof Date ||
    value instanceof RegExp ||
    value instanceof Promise ||
    value instanceof Set ||
    value instanceof WeakMap ||
    value instanceof WeakSet ||
    value instanceof String ||
    value instanceof Number ||
    value instanceof Boolean ||
    value instanceof BigInt ||
    value instanceof Symbol
  ) {
    return OPAQUE;
  }
  if (value instanceof Map) {
    try {
      mapHas.call(value, '');
      return MAP;
    } catch {
      // Only its prototype is a map's.
    }
  }
  return OBJECT;
}

/**
 * @param {unknown} value
 * @param {Root} root
 */
export function wrap(value, root) {
  if (typeof value !== 'object' || value === null) return value;
  const { first } = root;
  if (first === undefined) {
    root.first = new Rec(value, root, formOf(value));
    return root.first;
  }
  if (first.value === value) return first;
  root.recs ??= new Map();
  let rec = root.recs.get(value);
  if (rec === undefined) {
    rec = new Rec(value, root, formOf(value));
    root.recs.set(value, rec);
  }
  return rec;
}

/** @param {unknown} value */
function tagOf(value) {
  switch (typeof value) {
    case 'string':
      return TEXT;
    case 'number':
      if (!Number.isInteger(value)) return FLOAT;
      return value < TOO_LARGE && value > -TOO_LARGE ? INTEGER : BIG;
    case 'object':
      if (value === null) return NULL;
      return /** @type {Rec} */ (value).form === MAP ? OBJECT : /** @type {Rec} */ (value).form;
    case 'boolean':
      return value ? TRUE : FALSE;
    case 'undefined':
      return NULL;
    case 'bigint':
      return BigInt.asIntN(128, value) === value ? BIGINT : BIG;
    default:
      return OPAQUE;
  }
}

/**
 * Puts a value, as `wrap` gives it, into the list. The answer is its place and its tag in one number.
 * @param {unknown} value
 */
export function push(value) {
  if (typeof value === 'number' && value > 0 && (value & 0xfffffff) === value) return (value << 4) | SMALL;
  values[top] = value;
  return (top++ << 4) | tagOf(value);
}

/**
 * Lays what goes with a question into the list, as it is. The answer is the place of the first.
 * @param {readonly unknown[]} given
 */
export function lay(given) {
  const first = top;
  for (const value of given) values[top++] = value;
  return first;
}

/** The length of the list, for `release`. */
export function mark() {
  return top;
}

/** @param {number} length */
export function release(length) {
  if (top > ROOM) values.length = top = length;
  while (top > length) values[--top] = undefined;
}

/** @param {number} place */
export function valueAt(place) {
  return values[place];
}

// --- called by the WebAssembly module -------------------------------------------------------------------

/**
 * @param {number} set
 * @param {number} address of the names
 * @param {number} length
 */
export function learn(set, address, length) {
  const lines = decode(address, length).split('\n');
  // There is nothing behind the last end of a line.
  lines.pop();
  sets[set] = lines.map((name) => {
    let number = numbers.get(name);
    if (number === undefined) {
      number = names.push(name) - 1;
      numbers.set(name, number);
    }
    return number;
  });
}

/**
 * @param {number} place
 * @param {number} set
 * @param {number} index
 */
export function member(place, set, index) {
  const rec = /** @type {Rec} */ (values[place]);
  const number = sets[set][index];
  let value = rec.members[number];
  if (value === undefined) {
    value = read(rec, names[number]);
    rec.members[number] = value;
  }
  return value === ABSENT ? 0 : push(value);
}

/**
 * @param {Rec} rec
 * @param {string} name
 */
function read(rec, name) {
  if (rec.keys !== undefined) {
    // What has been listed has perhaps been read.
    const index = rec.keys.indexOf(name);
    if (index >= 0) return itemOf(rec, index);
  }
  const object = rec.value;
  const value = rec.form === MAP ? mapGet.call(object, name) : /** @type {Record<string, unknown>} */ (object)[name];
  // The name is looked for where it belongs only if there is a value: what a prototype holds is no member.
  if (value === undefined || (rec.form !== MAP && !has.call(object, name))) return ABSENT;
  return wrap(value, rec.root);
}

/** @param {number} place */
export function count(place) {
  const rec = /** @type {Rec} */ (values[place]);
  if (rec.form === ARRAY) {
    rec.items ??= [];
    return Math.min(/** @type {unknown[]} */ (rec.value).length, MOST);
  }
  if (rec.keys === undefined) list(rec);
  return /** @type {unknown[]} */ (rec.keys).length;
}

/** @param {Rec} rec */
function list(rec) {
  if (rec.form !== MAP) {
    rec.keys = Object.keys(rec.value);
    rec.items = [];
    return;
  }
  /** @type {unknown[]} */
  const keys = [];
  /** @type {unknown[]} */
  const items = [];
  mapForEach.call(rec.value, (value, key) => {
    // As an object would have it: other keys than text are written as text, and what has none is left out.
    if (typeof key === 'symbol' || (typeof key === 'object' && key !== null) || typeof key === 'function') return;
    const name = String(key);
    const number = numbers.get(name);
    const known = number === undefined ? undefined : rec.members[number];
    keys.push(name);
    items.push(known ?? (value === undefined ? ABSENT : wrap(value, rec.root)));
  });
  rec.keys = keys;
  rec.items = items;
}

/**
 * @param {number} place
 * @param {number} index
 */
export function name(place, index) {
  const rec = /** @type {Rec} */ (values[place]);
  const key = /** @type {string} */ (/** @type {unknown[]} */ (rec.keys)[index]);
  if (isWellFormed(key)) return handOver(key);
  const shown = key.replace(LONE, '\ufffd');
  rec.root.odd ??= new Map();
  rec.root.odd.set(shown, key);
  return handOver(shown);
}

/**
 * @param {Rec} rec
 * @param {number} index
 */
function itemOf(rec, index) {
  const items = /** @type {unknown[]} */ (rec.items);
  let value = items[index];
  if (value !== undefined) return value;
  if (rec.form === ARRAY) {
    value = /** @type {unknown[]} */ (rec.value)[index];
    value = value === undefined ? null : wrap(value, rec.root);
  } else {
    const key = /** @type {string} */ (/** @type {unknown[]} */ (rec.keys)[index]);
    const number = numbers.get(key);
    value = number === undefined ? undefined : rec.members[number];
    if (value === undefined) {
      value = /** @type {Record<string, unknown>} */ (rec.value)[key];
      value = value === undefined ? ABSENT : wrap(value, rec.root);
      if (number !== undefined) rec.members[number] = value;
    }
  }
  items[index] = value;
  return value;
}

/**
 * @param {number} place
 * @param {number} index
 */
export function at(place, index) {
  const value = itemOf(/** @type {Rec} */ (values[place]), index);
  return value === ABSENT ? 0 : push(value);
}

/** @param {number} place */
export function number(place) {
  return Number(values[place]);
}

/** @param {number} place */
export function text(place) {
  const value = values[place];
  return typeof value === 'string' ? handOver(value) : NONE;
}

/** @param {number} place */
export function digits(place) {
  return handOver(String(values[place]));
}

/**
 * Writes a text where the module takes it. The answer is its length.
 * @param {string} text
 */
function handOver(text) {
  return encode(text, wasm.room);
}

// --- text ----------------------------------------------------------------------------------------------

const LONE = /\p{Surrogate}/gu;

/**
 * Whether every surrogate of a text has its other half.
 * @type {(text: string) => boolean}
 */
export const isWellFormed =
  typeof (/** @type {any} */ (String.prototype).isWellFormed) === 'function'
    ? (text) => /** @type {any} */ (text).isWellFormed()
    : (text) => text.search(LONE) < 0;
