// What the functions take besides their subject.

import { ask } from './core.js';
import * as questions from './generated/questions.js';

/** @type {Map<unknown, number>} */
const dialects = new Map();

/**
 * The number of a dialect.
 * @param {any} options
 */
export function dialectOf(options) {
  if (options === undefined) return 0;
  const name = objectOf(options, 'options').dialect;
  if (name === undefined) return 0;
  const known = dialects.get(name);
  if (known !== undefined) return known;
  const number = ask(questions.dialect_index, typeof name === 'string' ? name : '');
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

/**
 * A text that may be left out.
 * @param {unknown} value
 * @param {string} name
 * @returns {string | undefined}
 */
export function optionalText(value, name) {
  return value === undefined || value === null ? undefined : textOf(value, name);
}

/**
 * @param {unknown} value
 * @param {string} name
 */
export function numberOf(value, name) {
  if (typeof value !== 'number') throw new TypeError(`${name} is not a number`);
  return value;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number | undefined}
 */
export function optionalNumber(value, name) {
  return value === undefined || value === null ? undefined : numberOf(value, name);
}

/**
 * Codes and counts: what has a fraction would become another one if it were cut.
 * @param {unknown} value
 * @param {string} name
 */
export function integerOf(value, name) {
  if (!Number.isInteger(value)) throw new TypeError(`${name} is not an integer`);
  return /** @type {number} */ (value);
}

/**
 * Whether there is a number, and the number, as a question has them.
 * @param {unknown} value
 * @param {string} name
 * @param {(value: unknown, name: string) => number} of
 */
export function maybeNumber(value, name, of = integerOf) {
  const given = value !== undefined && value !== null;
  return given ? [true, of(value, name)] : [false, undefined];
}

/**
 * A switch, off where it is left out. Of any other type it is a mistake: most of them make a check stricter, and whoever
 * gave one wanted that.
 * @param {unknown} value
 * @param {string} name
 */
export function flagOf(value, name) {
  if (typeof (value ?? false) !== 'boolean') throw new TypeError(`${name} is not a boolean`);
  return value === true;
}

/**
 * What stands for no options at all.
 * @param {any} options
 * @param {string} name
 * @returns {any}
 */
export function objectOf(options, name) {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object' || Array.isArray(options)) throw new TypeError(`${name} is not an object`);
  return options;
}

/** @param {any} options */
export function localeOf(options) {
  return optionalText(objectOf(options, 'options').locale, 'locale') ?? 'en';
}
