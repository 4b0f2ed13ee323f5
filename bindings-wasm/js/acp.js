// The ACP client taxonomy: what the core decides about this package's exceptions.

import { errorPayload } from './api.js';
import { bytesOf } from './classify.js';
import { ask, askAbout, askAboutNode, askWith, putBytes, putText } from './core.js';
import { acpError, codeOf, isAcpClientError } from './errors.js';
import { MAX_SERVERS } from './generated/constants.js';
import * as questions from './generated/questions.js';
import { ABSENT, Root, wrap } from './host.js';
import { integerText } from './numbers.js';
import { flagOf, maybeNumber, numberOf, objectOf, optionalText, textOf } from './options.js';

/** @type {string[] | undefined} */
let phase;

/** The names in `details` that tell of the handshake. */
function marks() {
  phase ??= ask(questions.acp_phase);
  const [key, handshake, server, underlying] = /** @type {string[]} */ (phase);
  return { key, handshake, server, underlying };
}

/** @param {any} error */
function partsOf(error) {
  if (!isAcpClientError(error)) throw new TypeError('an AcpClientError is needed');
  const { kind, details, rpcCode } = error;
  return {
    kind,
    code: codeOf(error),
    message: textOf(error.message, 'message'),
    details: objectOf(details, 'details'),
    rpcCode: kind === 'rpc' ? integerText(rpcCode, 'rpcCode') : undefined,
  };
}

/**
 * @param {any} error
 * @param {string} server
 */
export function reclassifyHandshake(error, server) {
  const name = textOf(server, 'server');
  const { kind, code, details, rpcCode } = partsOf(error);
  const of = marks();
  /** @param {string} key */
  const has = (key) => details?.[key] !== undefined && details[key] !== null;
  const plan = ask(questions.acp_plan, kind, code, rpcCode, has(of.server), has(of.underlying), name);
  if (plan.code !== undefined) error.code = plan.code;
  // Handlers hold the exception, and perhaps its details.
  if (Object.isExtensible(error.details)) Object.assign(details, plan.set);
  else error.details = { ...details, ...plan.set };
  return plan.counts;
}

/** @param {any} error */
export function isHandshakeFailure(error) {
  const { key, handshake } = marks();
  return isAcpClientError(error) && error.details?.[key] === handshake;
}

/**
 * @param {any} error an exception, or the code of an error payload
 * @param {string | null} [reason] beside a code
 */
export function retryAdvice(error, reason) {
  if (typeof error === 'number') return errorPayload(error, '', { reason }).retry;
  const { kind, code, rpcCode } = partsOf(error);
  const inHandshake = isHandshakeFailure(error);
  return ask(questions.acp_retry_advice, kind, code, inHandshake, rpcCode);
}

/** @param {any} error */
export function recordsLastError(error) {
  const { code } = partsOf(error);
  return ask(questions.acp_records, code);
}

/** @param {any} error */
export function missingDetails(error) {
  const { code, details } = partsOf(error);
  const set = Object.keys(details).filter((key) => details[key] !== undefined && details[key] !== null);
  return askWith(questions.acp_missing_details, [code, ...set]);
}

/**
 * @param {string} state
 * @param {boolean} [hasActiveTurn]
 */
export function readiness(state, hasActiveTurn = false) {
  return ask(questions.acp_readiness, textOf(state, 'state'), flagOf(hasActiveTurn, 'hasActiveTurn'));
}

/** @param {number | bigint} code */
export function rpcCodeName(code) {
  if (typeof code !== 'bigint' && !Number.isInteger(code)) return null;
  return ask(questions.acp_rpc_code_name, String(BigInt(code)));
}

/**
 * @param {any} [response] JSON text, or a frame that has been parsed
 * @param {any} [seen]
 */
export function classifyFailure(response, seen) {
  const { expectedId, exitCode, timeout, ioError, interaction, server, method } = objectOf(seen, 'seen');
  const question = interaction === undefined || interaction === null ? null : objectOf(interaction, 'interaction');
  const asked =
    question === null
      ? [undefined, undefined]
      : [optionalText(question.method, 'method') ?? '', optionalText(question.prompt, 'prompt') ?? ''];
  // One that cannot be compared would let every response pass for the answer.
  if (!['string', 'number', 'bigint'].includes(typeof (expectedId ?? ''))) throw new TypeError('expectedId is no id');
  const line = typeof response === 'string' || ArrayBuffer.isView(response) || response instanceof ArrayBuffer;
  const root = new Root();
  /** @param {any} value */
  const node = (value) => (value === undefined || value === null ? ABSENT : wrap(value, root));
  const nodes = [line ? ABSENT : node(response), node(expectedId), node(question?.options)];
  const others = [
    ...maybeNumber(exitCode, 'exitCode'),
    ...maybeNumber(timeout, 'timeout', numberOf),
    ioErrorName(ioError),
    ...asked,
    optionalText(server, 'server'),
    optionalText(method, 'method'),
  ];
  const length = !line ? -1 : typeof response === 'string' ? putText(response) : putBytes(bytesOf(response));
  const made = askAboutNode(questions.acp_classify_failure, root, nodes, [length, ...others]);
  return made === null ? null : acpError(made, ioError instanceof Error ? { cause: ioError } : undefined);
}

/**
 * The name of an I/O error: Node's own has it as its code.
 * @param {any} error
 */
function ioErrorName(error) {
  if (error === undefined || error === null || typeof error === 'string') return error ?? undefined;
  // Whatever the number is, Node knows what it was doing. Not so of `spawnSync`, which also waits for the end.
  if (/^spawn( |$)/.test(error.syscall)) return 'spawn';
  if (typeof error.code === 'string') return error.code;
  return textOf(error.name, 'ioError');
}

/**
 * @param {string | Uint8Array} json
 * @param {Record<string, string | undefined>} [env]
 */
export function parseConfig(json, env) {
  const lines = Object.entries(objectOf(env, 'env')).flatMap(([name, value]) =>
    value === undefined ? [] : [name, textOf(value, `env.${name}`)],
  );
  const length = typeof json === 'string' ? putText(json) : putBytes(bytesOf(json));
  return askWith(questions.acp_parse_config, [length, ...lines]);
}

/** @param {unknown} value */
export function checkInitializeResult(value) {
  return askAbout(questions.acp_check_initialize_result, value);
}

/** @param {unknown} value */
export function checkSessionResult(value) {
  return askAbout(questions.acp_check_session_result, value);
}

/**
 * @param {unknown} id
 * @param {string} method
 */
export function methodNotFoundReply(id, method) {
  return askAbout(questions.acp_method_not_found_reply, id, textOf(method, 'method'));
}

export class ErrorLedger {
  /** In the order of their recording. @type {Map<string, any>} */
  #last = new Map();
  #clock;

  /** @param {any} [options] */
  constructor(options) {
    const clock = objectOf(options, 'options').clock ?? Date.now;
    if (typeof clock !== 'function') throw new TypeError('clock is not a function');
    this.#clock = clock;
  }

  /**
   * @param {string} server
   * @param {any} error
   * @param {Date | number} [now]
   */
  record(server, error, now) {
    const { kind, code, message, details, rpcCode } = partsOf(error);
    const time = now ?? this.#clock();
    const at = numberOf(time instanceof Date ? time.getTime() : time, 'now');
    if (Number.isNaN(at)) throw new RangeError('now is no time');
    const given = [textOf(server, 'server'), kind, code, message, rpcCode, at];
    const last = askAbout(questions.last_error, { ...details }, ...given);
    if (last === null) return false;
    this.#last.delete(server);
    // The oldest makes room.
    if (this.#last.size >= MAX_SERVERS) this.reset(/** @type {string} */ (this.#last.keys().next().value));
    this.#last.set(server, last);
    return true;
  }

  /** @param {string} server */
  lastError(server) {
    return this.#last.get(textOf(server, 'server')) ?? null;
  }

  /** @param {string} server */
  reset(server) {
    return this.#last.delete(textOf(server, 'server'));
  }
}
