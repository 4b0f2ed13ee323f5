// The ACP client taxonomy: what the core decides about this package's exceptions.

import { errorPayload } from './api.js';
import { bytesOf } from './classify.js';
import { guarded, putBytes, putText, result, withValue } from './core.js';
import { acpError, isAcpClientError } from './errors.js';
import * as glue from './generated/glue.js';
import { mark, push, Root, release, wrap } from './host.js';
import { integerText } from './numbers.js';
import { numberOf, objectOf, optionalNumber, optionalText, textOf } from './options.js';

/** @type {string[] | undefined} */
let phase;

/** The names in `details` that tell of the handshake. */
function marks() {
  phase ??= guarded(() => glue.acp_phase());
  const [key, handshake, server, underlying] = /** @type {string[]} */ (phase);
  return { key, handshake, server, underlying };
}

/** @param {any} error */
function partsOf(error) {
  if (!isAcpClientError(error)) throw new TypeError('an AcpClientError is needed');
  const { kind, errorCode, details, rpcCode } = error;
  return {
    kind,
    code: textOf(errorCode, 'code'),
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
  const plan = result(guarded(() => glue.acp_plan(kind, code, rpcCode, has(of.server), has(of.underlying), name)));
  if (plan.code !== undefined) error.code = plan.code;
  // Handlers hold the exception, and perhaps its details.
  if (Object.isFrozen(details)) error.details = { ...details, ...plan.set };
  else Object.assign(details, plan.set);
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
  return result(guarded(() => glue.acp_retry_advice(kind, code, inHandshake, rpcCode)));
}

/** @param {any} error */
export function recordsLastError(error) {
  const { code } = partsOf(error);
  return guarded(() => glue.acp_records(code));
}

/** @param {any} error */
export function missingDetails(error) {
  const { code, details } = partsOf(error);
  const set = Object.keys(details).filter((key) => details[key] !== undefined && details[key] !== null);
  return result(guarded(() => glue.acp_missing_details(code, set)));
}

/**
 * @param {string} state
 * @param {boolean} [hasActiveTurn]
 */
export function readiness(state, hasActiveTurn = false) {
  return guarded(() => glue.acp_readiness(textOf(state, 'state'), hasActiveTurn === true));
}

/** @param {number | bigint} code */
export function rpcCodeName(code) {
  if (typeof code !== 'bigint' && !Number.isInteger(code)) return null;
  return guarded(() => glue.acp_rpc_code_name(String(BigInt(code)))) ?? null;
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
      ? undefined
      : [optionalText(question.method, 'method') ?? '', optionalText(question.prompt, 'prompt') ?? ''];
  const line = typeof response === 'string' || ArrayBuffer.isView(response) || response instanceof ArrayBuffer;
  const before = mark();
  try {
    const root = new Root();
    /** @param {any} value */
    const node = (value) => (value === undefined || value === null ? 0 : push(wrap(value, root)));
    const frame = line || response === undefined || response === null ? 0 : push(wrap(response, root));
    const id = node(expectedId);
    const options = node(question?.options);
    const length = !line ? -1 : typeof response === 'string' ? putText(response) : putBytes(bytesOf(response));
    const made = result(
      guarded(() =>
        glue.acp_classify_failure(
          length,
          frame,
          id,
          optionalNumber(exitCode, 'exitCode'),
          optionalNumber(timeout, 'timeout'),
          ioErrorName(ioError),
          asked,
          options,
          optionalText(server, 'server'),
          optionalText(method, 'method'),
        ),
      ),
    );
    return made === null ? null : acpError(made, ioError instanceof Error ? { cause: ioError } : undefined);
  } finally {
    release(before);
  }
}

/**
 * The name of an I/O error: Node's own has it as its code.
 * @param {any} error
 */
function ioErrorName(error) {
  if (error === undefined || error === null || typeof error === 'string') return error ?? undefined;
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
  return result(
    guarded(() => glue.acp_parse_config(typeof json === 'string' ? putText(json) : putBytes(bytesOf(json)), lines)),
  );
}

/** @param {unknown} value */
export function checkInitializeResult(value) {
  return withValue(value, (packed) => glue.acp_check_initialize_result(packed));
}

/** @param {unknown} value */
export function checkSessionResult(value) {
  return withValue(value, (packed) => glue.acp_check_session_result(packed));
}

/**
 * @param {unknown} id
 * @param {string} method
 */
export function methodNotFoundReply(id, method) {
  return withValue(id, (packed) => glue.acp_method_not_found_reply(packed, textOf(method, 'method')));
}

/** @type {FinalizationRegistry<number> | undefined} */
const dropped =
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry((number) => glue.ledger_free(number))
    : undefined;

export class ErrorLedger {
  #number;
  #clock;

  /** @param {any} [options] */
  constructor(options) {
    const clock = objectOf(options, 'options').clock ?? Date.now;
    if (typeof clock !== 'function') throw new TypeError('clock is not a function');
    this.#clock = clock;
    this.#number = guarded(() => glue.ledger_new());
    dropped?.register(this, this.#number);
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
    return withValue({ ...details }, (packed) =>
      glue.ledger_record(this.#number, textOf(server, 'server'), kind, code, message, rpcCode, packed, at),
    );
  }

  /** @param {string} server */
  lastError(server) {
    return result(guarded(() => glue.ledger_last_error(this.#number, textOf(server, 'server'))));
  }

  /** @param {string} server */
  reset(server) {
    return guarded(() => glue.ledger_reset(this.#number, textOf(server, 'server')));
  }
}
