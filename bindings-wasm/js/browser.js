// Browsers, with a bundler or without: `await init()` fetches the module from beside this file.

import { instantiateFrom } from './core.js';

/** @type {Promise<void> | undefined} */
let pending;

/** @param {unknown} [source] */
export function init(source) {
  pending ??= load(source).catch((error) => {
    // The next call may try again.
    pending = undefined;
    throw error;
  });
  return pending;
}

/** @param {unknown} source */
async function load(source) {
  const given = await (source ?? new URL('./ackguard.wasm', import.meta.url));
  const isAddress =
    typeof given === 'string' || given instanceof URL || (typeof Request === 'function' && given instanceof Request);
  await instantiateFrom(isAddress ? fetch(given) : given);
}

export default init;
export * from './main.js';
