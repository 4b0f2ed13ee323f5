export * from './main.js';

/** Makes the functions ready with a module that is handed in: `import module from 'ackguard/ackguard.wasm'`. */
export function init(
  source: WebAssembly.Module | BufferSource | Response | PromiseLike<WebAssembly.Module | BufferSource | Response>,
): Promise<void>;
/** The same, at once. Browsers allow it off the main thread. */
export function initSync(module: WebAssembly.Module): void;
export default init;
