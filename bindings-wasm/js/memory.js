// The exports of the module's instance, and texts in its memory.

/** @type {any} the instance's exports, once there are some */
export let wasm;

/** @param {WebAssembly.Exports} exports */
export function setExports(exports) {
  wasm = exports;
}

let memory = new Uint8Array(0);

/** The module's memory as it is now: it moves when it grows. */
export function bytes() {
  if (memory.buffer !== wasm.memory.buffer) memory = new Uint8Array(wasm.memory.buffer);
  return memory;
}

const encoder = new TextEncoder();

/**
 * Writes a text in UTF-8. The answer is how many bytes it has.
 * @param {string} text
 * @param {(length: number) => number} room gives the address of a space that is so long
 */
export function encode(text, room) {
  const { length } = text;
  if (length <= 80) {
    const address = room(length * 3) >>> 0;
    const memory = bytes();
    let at = 0;
    for (; at < length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 127) break;
      memory[address + at] = unit;
    }
    if (at === length) return length;
  }
  // Most texts are ASCII; the others are told how much room they need.
  for (let size = length; ; size = length * 3) {
    const address = room(size) >>> 0;
    const { read, written } = encoder.encodeInto(text, bytes().subarray(address, address + size));
    if (read === length) return written;
  }
}

/** @type {TextDecoder} */
let decoder;
/** How much the decoder may still read: Safari's fails after 2 GiB. */
let readable = 0;

/**
 * Reads a text.
 * @param {number} address
 * @param {number} length
 */
export function decode(address, length) {
  readable -= length;
  if (readable < 0) {
    decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    readable = 2 ** 30;
  }
  const from = address >>> 0;
  return decoder.decode(bytes().subarray(from, from + length));
}
