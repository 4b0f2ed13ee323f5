// Integers as the module takes them: in decimal, since no size may be rounded on the way.

/**
 * @param {unknown} value
 * @param {string} name
 */
export function integerText(value, name) {
  if (typeof value === 'bigint') return BigInt.asIntN(128, value) === value ? String(value) : value < 0n ? '-' : '+';
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new TypeError(`${name} is not an integer`);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${name} is beyond 2^53-1: give it as a bigint`);
  return String(value);
}
