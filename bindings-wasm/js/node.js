// Node: the module is read from the file beside this one, at import. There is nothing to wait for.

import { readFileSync } from 'node:fs';
import { instantiate } from './core.js';

instantiate(new WebAssembly.Module(readFileSync(new URL('./ackguard.wasm', import.meta.url))));

export async function init() {}
export default init;
export * from './main.js';
