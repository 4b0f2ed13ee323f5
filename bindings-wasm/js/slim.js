// Wherever the module is handed in: edge runtimes that compile nothing at run time, and whoever wants to say
// where it comes from. Nothing here knows an address.

import { instantiate, instantiateFrom } from './core.js';

/** @param {unknown} source a `WebAssembly.Module`, or its bytes or a `Response` where that may be compiled */
export async function init(source) {
  if (source === undefined) throw new TypeError('ackguard: init() takes the WebAssembly.Module here');
  await instantiateFrom(source);
}

/** @param {WebAssembly.Module} module */
export function initSync(module) {
  instantiate(module);
}

export default init;
export * from './main.js';
