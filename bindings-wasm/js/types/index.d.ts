export * from './main.js';

/**
 * Makes the functions ready. Node needs none: there it does nothing. In browsers the module is fetched from beside the
 * script, or taken from what is given.
 */
export function init(
  source?:
    | string
    | URL
    | Request
    | Response
    | BufferSource
    | WebAssembly.Module
    | PromiseLike<Response | BufferSource | WebAssembly.Module>,
): Promise<void>;
export default init;
