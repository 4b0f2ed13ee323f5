// What wasm-opt leaves to be had: short names of exports, and functions that are alike beside each other.

/** Reads a WebAssembly module byte by byte. */
class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** An unsigned integer in LEB128. */
  integer() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  byte() {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new Error('the module ends too early');
    return byte;
  }

  /** @param {number} length */
  take(length) {
    const taken = this.bytes.subarray(this.at, this.at + length);
    if (taken.length < length) throw new Error('the module ends too early');
    this.at += length;
    return taken;
  }

  name() {
    return Buffer.from(this.take(this.integer())).toString();
  }

  limits() {
    const flags = this.integer();
    this.integer();
    if (flags & 1) this.integer();
  }
}

/**
 * An unsigned integer in LEB128.
 * @param {number} value
 */
function leb(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}

/** @param {string} name */
const named = (name) => Buffer.concat([leb(Buffer.byteLength(name)), Buffer.from(name)]);

/** @param {number} id @param {Uint8Array} body */
const section = (id, body) => Buffer.concat([Buffer.from([id]), leb(body.length), body]);

const HEADER = 8;
const CUSTOM = 0;
const IMPORTS = 2;
const EXPORTS = 7;
const CODE = 10;

/** @param {Uint8Array} module */
function sections(module) {
  const reader = new Reader(module);
  reader.take(HEADER);
  const found = [];
  while (reader.at < module.length) {
    const id = reader.byte();
    found.push({ id, body: reader.take(reader.integer()) });
  }
  return found;
}

/** @param {number} index @returns {string} */
function short(index) {
  const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const last = LETTERS.charAt(index % LETTERS.length);
  return index < LETTERS.length ? last : short(Math.floor(index / LETTERS.length) - 1) + last;
}

/**
 * The module with short names for its exports, and the names that they had.
 * @param {Uint8Array} module
 */
export function renamed(module) {
  /** @type {Map<string, string>} */
  const names = new Map();
  const parts = sections(module).map(({ id, body }) => {
    if (id !== EXPORTS) return section(id, body);
    const reader = new Reader(body);
    const count = reader.integer();
    /** @type {Uint8Array[]} */
    const entries = [leb(count)];
    for (let index = 0; index < count; index++) {
      const name = short(index);
      names.set(reader.name(), name);
      entries.push(named(name), reader.take(1), leb(reader.integer()));
    }
    return section(id, Buffer.concat(entries));
  });
  return { module: Buffer.concat([module.subarray(0, HEADER), ...parts]), names };
}

/** @param {Uint8Array} module */
function functions(module) {
  let imported = 0;
  /** @type {Uint8Array[]} */
  const bodies = [];
  for (const { id, body } of sections(module)) {
    const reader = new Reader(body);
    if (id === IMPORTS) {
      for (let count = reader.integer(); count > 0; count--) {
        reader.name();
        reader.name();
        switch (reader.byte()) {
          case 0: // a function
            reader.integer();
            imported++;
            break;
          case 1: // a table
            reader.byte();
            reader.limits();
            break;
          case 2: // a memory
            reader.limits();
            break;
          case 3: // a global
            reader.take(2);
            break;
          default:
            throw new Error('an import of a kind that is not known');
        }
      }
    }
    if (id === CODE) {
      for (let count = reader.integer(); count > 0; count--) bodies.push(reader.take(reader.integer()));
    }
  }
  return { imported, bodies };
}

/** How many bytes are compared at a time. */
const PIECE = 5;
/** How far back gzip finds what is repeated; it looks for it in 32 KB. */
const WINDOW = 28_000;

/**
 * An order of functions in which each follows what it shares most with, so that gzip finds more that is repeated.
 * @param {Uint8Array[]} bodies
 */
export function order(bodies) {
  const pieces = bodies.map((body) => {
    const found = new Set();
    for (let at = 0; at + PIECE <= body.length; at++) {
      let piece = 0;
      for (let offset = 0; offset < PIECE; offset++) piece = piece * 256 + body[at + offset];
      found.add(piece);
    }
    return found;
  });
  /** @type {Map<number, number[]>} the functions that have a piece */
  const having = new Map();
  pieces.forEach((found, index) => {
    for (const piece of found) {
      const list = having.get(piece);
      if (list) list.push(index);
      else having.set(piece, [index]);
    }
  });
  // How many pieces of a function are within the window, which pieces are, and which functions.
  const shared = new Float64Array(bodies.length);
  /** @type {Map<number, number>} */
  const within = new Map();
  /** @type {number[]} */
  const window = [];
  let length = 0;
  /** @param {number} index @param {1 | -1} change */
  const note = (index, change) => {
    length += change * bodies[index].length;
    for (const piece of pieces[index]) {
      const before = within.get(piece) ?? 0;
      within.set(piece, before + change);
      if (Math.max(before, before + change) > 1) continue;
      for (const other of having.get(piece) ?? []) shared[other] = shared[other] + change;
    }
  };
  // What is long shares more by chance; a short one with as large a share goes first all the same.
  const weights = pieces.map((found) => (found.size + 8) ** 0.8);
  const left = new Set(bodies.keys());
  /** @type {number[]} */
  const ordered = [];
  while (left.size > 0) {
    let best = -1;
    let most = -1;
    for (const index of left) {
      const share = shared[index] / weights[index];
      if (share > most) [best, most] = [index, share];
    }
    left.delete(best);
    ordered.push(best);
    window.push(best);
    note(best, 1);
    while (length > WINDOW && window.length > 1) note(/** @type {number} */ (window.shift()), -1);
  }
  return ordered;
}

/**
 * The module with names that tell wasm-opt's `--reorder-functions-by-name` the order.
 * @param {Uint8Array} module
 */
export function ordered(module) {
  const { imported, bodies } = functions(module);
  /** @type {Buffer[]} */
  const names = [];
  order(bodies).forEach((index, place) => {
    names[index] = Buffer.concat([leb(imported + index), named(String(place).padStart(6, '0'))]);
  });
  const map = Buffer.concat([leb(names.length), ...names]);
  return Buffer.concat([module, section(CUSTOM, Buffer.concat([named('name'), section(1, map)]))]);
}
