// What wasm-opt leaves to be had: short names of exports, functions that are alike beside each other, and locals
// numbered so that gzip finds more that is repeated.

import { deflateRawSync } from 'node:zlib';

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
const TYPES = 1;
const IMPORTS = 2;
const FUNCTIONS = 3;
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

/** Exports that only a loader of wasm-bindgen's own would use, for values of JavaScript's that go over the border and for aborts. */
const OF_LOADERS = ['__wbindgen_externrefs', '__wbindgen_start', '__abort_handler', '__instance_terminated'];

/**
 * A function's import by wasm-bindgen, as what it is called in JavaScript.
 * @param {string} name such as `__wbg_count_4f85352439393323`
 */
const called = (name) => /^__wbg_(\w+)_[0-9a-f]{16}$/.exec(name)?.[1] ?? name;

/**
 * The module with short names for its exports, and the names that they had. What it imports has the name it has in
 * JavaScript, in a module called `host`.
 * @param {Uint8Array} module
 */
export function renamed(module) {
  /** @type {Map<string, string>} */
  const names = new Map();
  const parts = sections(module).map(({ id, body }) => {
    if (id !== EXPORTS && id !== IMPORTS) return section(id, body);
    const reader = new Reader(body);
    const count = reader.integer();
    /** @type {Uint8Array[]} */
    const entries = [leb(count)];
    for (let index = 0; index < count; index++) {
      if (id === IMPORTS) {
        reader.name();
        entries.push(named('host'), named(called(reader.name())));
        if (reader.byte() !== 0) throw new Error('an import that is no function');
        entries.push(Buffer.from([0]), leb(reader.integer()));
        continue;
      }
      const [before, kind, of] = [reader.name(), reader.take(1), leb(reader.integer())];
      if (OF_LOADERS.includes(before)) continue;
      const name = short(names.size);
      names.set(before, name);
      entries.push(named(name), kind, of);
    }
    if (id === EXPORTS) entries[0] = leb(names.size);
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

/** How many bytes are compared at a time. This and what follows was found by trying. */
const PIECE = 6;
/** How far back gzip finds what is repeated; it looks for it in 32 KB. */
const WINDOW = 32_500;

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
  const weights = pieces.map((found) => (found.size + 16) ** 0.8);
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

/**
 * How many integers follow an opcode, for those that are followed by nothing else.
 * @param {number} opcode
 */
function integersAfter(opcode) {
  if (opcode >= 0x28 && opcode <= 0x3e) return 2; // loads and stores: alignment and offset
  if (opcode >= 0x20 && opcode <= 0x26) return 1; // locals, globals, tables
  if (opcode >= 0x45 && opcode <= 0xc4) return 0; // arithmetic
  switch (opcode) {
    case 0x00: // unreachable, nop, else, end, return, drop, select
    case 0x01:
    case 0x05:
    case 0x0b:
    case 0x0f:
    case 0x1a:
    case 0x1b:
    case 0xd1: // ref.is_null
      return 0;
    case 0x02: // block, loop, if: the type
    case 0x03:
    case 0x04:
    case 0x0c: // br, br_if, call
    case 0x0d:
    case 0x10:
    case 0x3f: // memory.size, memory.grow
    case 0x40:
    case 0x41: // constants
    case 0x42:
    case 0xd0: // ref.null, ref.func
    case 0xd2:
      return 1;
    case 0x11: // call_indirect
      return 2;
    default:
      throw new Error(`an instruction that is not known: ${opcode}`);
  }
}

/** @param {Reader} reader */
function skipInstruction(reader) {
  const opcode = reader.byte();
  switch (opcode) {
    case 0x0e: // br_table: the targets, and the one for the rest
      for (let count = reader.integer(); count >= 0; count--) reader.integer();
      break;
    case 0x1c: // select with a type
      reader.take(reader.integer());
      break;
    case 0x43: // constants of floats
      reader.take(4);
      break;
    case 0x44:
      reader.take(8);
      break;
    case 0xfc: {
      const kind = reader.integer();
      if (kind > 17) throw new Error(`an instruction that is not known: 0xfc ${kind}`);
      // Below 8 they convert; init and copy name two things, the others one.
      const integers = kind < 8 ? 0 : [8, 10, 12, 14].includes(kind) ? 2 : 1;
      for (let count = integers; count > 0; count--) reader.integer();
      break;
    }
    default:
      for (let count = integersAfter(opcode); count > 0; count--) reader.integer();
  }
}

/** @param {number} opcode */
const namesLocal = (opcode) => opcode >= 0x20 && opcode <= 0x22;

/**
 * A function's code, taken apart where a local is named.
 * @param {Uint8Array} body
 * @param {number} parameters how many there are, whose numbers stay
 */
function apart(body, parameters) {
  const reader = new Reader(body);
  /** @type {number[]} the types of the locals */
  const types = [];
  for (let groups = reader.integer(); groups > 0; groups--) {
    const count = reader.integer();
    const type = reader.byte();
    for (let index = 0; index < count; index++) types.push(type);
  }
  /** @type {Uint8Array[]} */
  const pieces = [];
  /** @type {number[]} the local between two pieces */
  const named = [];
  let from = reader.at;
  while (reader.at < body.length) {
    if (namesLocal(body[reader.at])) {
      reader.byte();
      pieces.push(body.subarray(from, reader.at));
      named.push(reader.integer());
      from = reader.at;
    } else {
      skipInstruction(reader);
    }
  }
  pieces.push(body.subarray(from));
  return { types, pieces, named, parameters };
}

/**
 * A function whose locals come in this order.
 * @param {ReturnType<typeof apart>} code
 * @param {number[]} order
 */
function together({ types, pieces, named, parameters }, order) {
  /** @type {number[][]} */
  const groups = [];
  /** @type {number[]} */
  const places = [];
  order.forEach((local, place) => {
    places[local] = place;
    const last = groups.at(-1);
    if (last?.[1] === types[local]) last[0]++;
    else groups.push([1, types[local]]);
  });
  /** @type {Uint8Array[]} */
  const parts = [leb(groups.length), ...groups.flatMap(([count, type]) => [leb(count), Buffer.from([type])])];
  named.forEach((local, index) => {
    const number = local < parameters ? local : parameters + places[local - parameters];
    parts.push(pieces[index], leb(number));
  });
  return Buffer.concat([...parts, pieces[named.length]]);
}

/** How many other orders of its locals are tried in a function, at most. */
const TRIES = 1000;
/** How much of what is before a function is compressed with it, for its codes to be those that it will get. */
const NEAR = 8000;

/**
 * The order of a function's locals with which it takes the least space behind what is before it. There is no telling
 * which that is, so some are tried: as they are, by where they come first or last, and then with two exchanged or
 * one elsewhere.
 * @param {ReturnType<typeof apart>} code
 * @param {Uint8Array} before
 * @param {(below: number) => number} random
 */
function fewest(code, before, random) {
  const { types, named, parameters } = code;
  const [far, near] = [before.subarray(0, -NEAR), before.subarray(-NEAR)];
  const dictionary = far.length > 0 ? { dictionary: far } : {};
  /** @type {{ body: Buffer, size: number, order: number[] }} */
  let best = { body: Buffer.alloc(0), size: Infinity, order: [] };
  /** @param {number[]} order */
  const attempt = (order) => {
    const body = together(code, order);
    const size = deflateRawSync(Buffer.concat([near, body]), { level: 9, ...dictionary }).length;
    if (size < best.size) best = { body, size, order };
  };
  const locals = [...types.keys()];
  attempt(locals);
  const first = locals.map((local) => named.indexOf(local + parameters));
  const last = locals.map((local) => named.lastIndexOf(local + parameters));
  for (const key of [first, last]) {
    for (const sign of [1, -1]) {
      attempt(locals.toSorted((a, b) => types[b] - types[a] || sign * (key[a] - key[b])));
    }
  }
  for (let tries = Math.min(TRIES, types.length ** 2 * 2); tries >= 1; tries--) {
    const order = [...best.order];
    const [a, b] = [random(order.length), random(order.length)];
    if (a === b || types[order[a]] !== types[order[b]]) continue;
    if (random(2) === 0) [order[a], order[b]] = [order[b], order[a]];
    else order.splice(b, 0, ...order.splice(a, 1));
    attempt(order);
  }
  return best.body;
}

/**
 * The module with its locals numbered so that gzip finds more that is repeated.
 * @param {Uint8Array} module
 */
export function renumbered(module) {
  // The same numbers in each run, so that the same input gives the same module.
  let state = 1;
  const random = (/** @type {number} */ below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  /** @type {number[]} by type */
  const parameters = [];
  /** @type {number[]} by function */
  const types = [];
  const parts = sections(module).map(({ id, body }) => {
    const reader = new Reader(body);
    if (id === TYPES) {
      for (let count = reader.integer(); count > 0; count--) {
        if (reader.byte() !== 0x60) throw new Error('a type that is no function');
        parameters.push(reader.take(reader.integer()).length);
        reader.take(reader.integer());
      }
    }
    if (id === FUNCTIONS) for (let count = reader.integer(); count > 0; count--) types.push(reader.integer());
    if (id !== CODE) return section(id, body);
    let before = Buffer.alloc(0);
    const bodies = types.slice(0, reader.integer()).flatMap((type) => {
      const renamed = fewest(apart(reader.take(reader.integer()), parameters[type]), before, random);
      before = Buffer.from(Buffer.concat([before, renamed]).subarray(-WINDOW));
      return [leb(renamed.length), renamed];
    });
    return section(id, Buffer.concat([leb(types.length), ...bodies]));
  });
  return Buffer.concat([module.subarray(0, HEADER), ...parts]);
}
