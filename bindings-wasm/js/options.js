// What the functions take besides their subject.

import * as glue from './glue.js';
import { guarded } from './core.js';

/** @type {Map<unknown, number>} */
const dialects = new Map();

/**
 * The number of a dialect.
 * @param {any} options
 */
export function dialectOf(options) {
  if (options === undefined || options === null) return 0;
  const name = options.dialect;
  if (name === undefined) return 0;
  const known = dialects.get(name);
  if (known !== undefined) return known;
  const number = typeof name === 'string' ? guarded(() => glue.dialect_index(name)) : 2;
  if (number > 1) throw new RangeError(guarded(() => glue.unknown_dialect()));
  dialects.set(name, number);
  return number;
}

/**
 * @param {unknown} value
 * @param {string} name
 */
export function textOf(value, name) {
  if (typeof value !== 'string') throw new TypeError(`${name} is not a string`);
  return value;
}
