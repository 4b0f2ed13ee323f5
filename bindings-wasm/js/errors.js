// The exceptions. Each class has a guard beside it that also knows the instances of another copy of this
// package, which `instanceof` does not.

import { ask, askAbout, askWith, onRefusal } from './core.js';
import * as questions from './generated/questions.js';
import { integerText } from './numbers.js';
import { dialectOf, objectOf, optionalText, textOf } from './options.js';

/**
 * Marks a class, so that a guard knows its instances whichever copy of the package made them.
 * @param {Function} type
 * @param {string} name
 */
function brand(type, name) {
  const symbol = Symbol.for(`ackguard.${name}`);
  Object.defineProperty(type.prototype, symbol, { value: true });
  // A minifier has its own ideas about the class's name.
  Object.defineProperty(type, 'name', { value: name, configurable: true });
  // On the prototype, as the language's own errors have it.
  Object.defineProperty(type.prototype, 'name', { value: name, writable: true, configurable: true });
  /** @param {any} value */
  return (value) => {
    try {
      return (typeof value === 'object' || typeof value === 'function') && value !== null && value[symbol] === true;
    } catch {
      return false; // a proxy that does not want to be asked
    }
  };
}

/** @param {any} options */
function causeOf(options) {
  const given = objectOf(options, 'options');
  return 'cause' in given ? { cause: given.cause } : undefined;
}

export class AckguardError extends Error {
  /**
   * @param {string} [message]
   * @param {any} [options]
   */
  constructor(message, options) {
    super(optionalText(message, 'message') ?? '', causeOf(options));
    /** @type {any} */
    this.code = options?.code ?? null;
  }

  /** @param {any} [options] */
  toPayload(options) {
    return payloadOf(this.code, this.message, options);
  }
}

/**
 * @param {any} code
 * @param {string} message
 * @param {any} options
 */
function payloadOf(code, message, options) {
  const mode = dialectOf(options);
  return askAbout(questions.error_wire, { code: Number.isSafeInteger(code) ? code : 500, message }, true, mode);
}

/** A refusal of one input: what the core said about it. */
class Refusal extends AckguardError {
  /**
   * @param {any} refusal
   * @param {{ cause?: unknown }} [options]
   */
  constructor(refusal, options) {
    const said = objectOf(refusal, 'refusal');
    super(said.message, { ...causeOf(options), code: said.code });
    hide(this, PAYLOAD, said.payload);
  }

  toPayload() {
    return /** @type {any} */ (this)[PAYLOAD];
  }
}

const PAYLOAD = Symbol('payload');

/**
 * @param {object} object
 * @param {PropertyKey} name
 * @param {unknown} value
 */
function hide(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false });
}

export class SkillNameError extends Refusal {
  /** @param {any} refusal */
  constructor(refusal) {
    super(refusal);
    this.reason = refusal?.reason;
    this.segment = refusal?.segment;
    this.span = refusal?.span;
    this.skillName = refusal?.skillName;
  }
}

export class SkillResourceError extends Refusal {
  /** @param {any} refusal */
  constructor(refusal) {
    super(refusal);
    this.reason = refusal?.reason;
    this.relPath = refusal?.relPath;
    this.totalSize = refusal?.totalSize;
  }
}

export class BlobError extends Refusal {
  /** @param {any} refusal */
  constructor(refusal) {
    super(refusal);
    this.reason = refusal?.reason;
    this.chunkOffset = refusal?.chunkOffset;
    this.totalSize = refusal?.totalSize;
  }
}

export class ProtocolVersionError extends Refusal {
  /** @param {any} refusal */
  constructor(refusal) {
    super(refusal);
    this.reason = refusal?.reason;
    this.position = refusal?.position;
  }
}

/** Whether this is a view that this package made, and not a payload as it stands on the wire. @param {any} error */
function isView(error) {
  return typeof error.known === 'boolean' && typeof error.retry === 'object';
}

/** @param {any} view */
function partsOf(view) {
  const { code, message, details, rawDetails, extra, server, capability } = view;
  return {
    code,
    message,
    details: details ?? rawDetails,
    extra,
    server,
    capability,
    server_version: view.serverVersion,
    client_version: view.clientVersion,
    min_supported: view.minSupported,
    max_supported: view.maxSupported,
  };
}

/**
 * Asks the core about an error: a view, a payload on the wire, or an exception that carries one.
 * @param {number} question
 * @param {any} error
 * @param {number} mode
 * @param {unknown[]} given
 */
export function askAboutError(question, error, mode, ...given) {
  let subject = error;
  if (isProtocolError(subject)) subject = subject.payload;
  else if (isAckguardError(subject)) subject = subject.toPayload();
  if (typeof subject !== 'object' || subject === null) {
    throw new TypeError('an error payload is needed: a view, a payload as it came, or an exception of this package');
  }
  const parts = isView(subject);
  return askAbout(question, parts ? partsOf(subject) : subject, parts, mode, ...given);
}

export class ProtocolError extends AckguardError {
  /**
   * @param {any} payload a view or a payload as it came
   * @param {{ cause?: unknown }} [options]
   */
  constructor(payload, options) {
    const view = viewOf(payload);
    super(askAboutError(questions.error_summary, view, 0), { ...causeOf(options), code: view.code });
    this.payload = view;
    // What a runtime prints of an uncaught exception goes into logs, and `details` there only scrubbed.
    hide(this, 'payload', view);
    this.reason = view.reason;
  }

  get retry() {
    return this.payload.retry;
  }

  /** @param {any} [options] */
  toPayload(options) {
    return askAboutError(questions.error_wire, this.payload, dialectOf(options));
  }

  /** @param {string} [locale] */
  publicMessage(locale = 'en') {
    return askAboutError(questions.public_message, this.payload, 0, textOf(locale, 'locale'));
  }

  logFields() {
    return askAboutError(questions.log_fields, this.payload, 0);
  }
}

/** @param {any} payload */
export function viewOf(payload) {
  if (isProtocolError(payload)) return payload.payload;
  if (typeof payload === 'object' && payload !== null && isView(payload) && Object.isFrozen(payload)) return payload;
  return askAboutError(questions.error_view, payload, 0);
}

export class VersionMismatch extends ProtocolError {
  /**
   * @param {any} payload
   * @param {any} [options]
   */
  constructor(payload, options) {
    super(payload, options);
    // The payload has a message in any case; this is the server's own, if it sent one.
    const given = objectOf(options, 'options');
    const own = 'serverMessage' in given ? given.serverMessage : this.payload.message;
    this.serverMessage = own;
    hide(this, 'serverMessage', own);
    this.serverVersion = this.payload.serverVersion;
    this.clientVersion = this.payload.clientVersion;
    this.minSupported = this.payload.minSupported;
    this.maxSupported = this.payload.maxSupported;
  }
}

export class MalformedErrorPayload extends AckguardError {
  /**
   * @param {readonly string[]} violations
   * @param {{ cause?: unknown }} [options]
   */
  constructor(violations, options) {
    if (!Array.isArray(violations)) throw new TypeError('violations is not a list');
    const texts = violations.map((violation) => textOf(violation, 'violations'));
    const said = askWith(questions.malformed_error, texts);
    super(said.message, { ...causeOf(options), code: said.code });
    this.violations = Object.freeze(texts);
    hide(this, PAYLOAD, said.payload);
  }

  toPayload() {
    return /** @type {any} */ (this)[PAYLOAD];
  }
}

/**
 * The exception for an error payload: a version mismatch has its own.
 * @param {any} error
 * @param {{ cause?: unknown }} [options]
 */
export function protocolErrorFor(error, options) {
  const view = viewOf(error);
  return view.name === 'PROTOCOL_VERSION_MISMATCH'
    ? new VersionMismatch(view, options)
    : new ProtocolError(view, options);
}

// --- ACP ------------------------------------------------------------------------------------------------

const MADE = Symbol('made');

/**
 * The code of an ACP error, one of the nine. Whoever assigned one that is none of them, or no text, has said no more
 * than that something is wrong.
 * @param {any} error
 * @returns {string}
 */
export function codeOf({ errorCode }) {
  return typeof errorCode === 'string' && ask(questions.is_acp_code, errorCode) ? errorCode : 'protocol_error';
}

export class AcpClientError extends AckguardError {
  /**
   * @param {string} message
   * @param {any} [options]
   */
  constructor(message, options) {
    const code = options?.code ?? 'protocol_error';
    super(textOf(message, 'message'), { ...causeOf(options), code });
    /** @type {Record<string, unknown>} */
    this.details = { ...objectOf(options?.details, 'details') };
  }

  get kind() {
    return 'client';
  }

  get errorCode() {
    return this.code;
  }

  toPayload() {
    const { message, details } = this;
    return askAbout(questions.acp_wire, { ...details }, codeOf(this), undefined, message);
  }
}

export class AcpServerNotFound extends AcpClientError {
  /**
   * @param {string} name
   * @param {any} [options]
   */
  constructor(name, options) {
    const made = options?.[MADE] ?? ask(questions.acp_server_not_found, textOf(name, 'name'));
    const details = { ...made.details, ...objectOf(options?.details, 'details') };
    super(made.message, { ...options, code: made.code, details });
  }

  get kind() {
    return 'server_not_found';
  }
}

export class AcpRpcError extends AcpClientError {
  /** @param {any} [parts] */
  constructor(parts) {
    const given = objectOf(parts, 'parts');
    const number = given.rpcCode ?? given.code ?? -32603;
    const digits = integerText(number, 'rpcCode');
    const said = optionalText(given.rpcMessage, 'rpcMessage') ?? '';
    const message = optionalText(given.message, 'message') ?? ask(questions.acp_rpc_message, digits, said);
    super(message, { ...causeOf(given), code: given.code ?? number, details: given.details });
    this.rpcCode = number;
    this.rpcMessage = said;
    this.data = given.data ?? null;
  }

  get kind() {
    return 'rpc';
  }

  toPayload() {
    const { message, details, rpcCode } = this;
    const digits = integerText(rpcCode, 'rpcCode');
    return askAbout(questions.acp_wire, { ...details }, 'protocol_error', digits, message);
  }

  get errorCode() {
    return 'protocol_error';
  }
}

export class AcpInteractionRequiredError extends AcpClientError {
  /** @param {any} parts */
  constructor(parts) {
    const given = objectOf(parts, 'parts');
    const server = textOf(given.server, 'server');
    const method = textOf(given.method, 'method');
    const prompt = optionalText(given.prompt, 'prompt') ?? '';
    const options = given.options ?? [];
    if (!Array.isArray(options)) throw new TypeError('options is not a list');
    const choices = Object.freeze([...options]);
    const message = optionalText(given.message, 'message') ?? ask(questions.acp_interaction_message, server);
    const details = { server, method, prompt, options: choices, ...objectOf(given.details, 'details') };
    super(message, { ...causeOf(given), code: 'interaction_required', details });
    this.server = server;
    this.prompt = prompt;
    this.options = choices;
  }

  get kind() {
    return 'interaction_required';
  }
}

/**
 * The exception for an ACP error that the core has built.
 * @param {any} made
 * @param {{ cause?: unknown }} [options]
 */
export function acpError(made, options) {
  const { message, code, details } = made;
  switch (made.kind) {
    case 'server_not_found':
      return new AcpServerNotFound('', { ...causeOf(options), [MADE]: made });
    case 'rpc':
      return new AcpRpcError({ ...causeOf(options), ...made, code: made.rpcCode });
    case 'interaction_required':
      return new AcpInteractionRequiredError({ ...causeOf(options), ...made, method: details.method });
    default:
      return new AcpClientError(message, { ...causeOf(options), code, details });
  }
}

onRefusal((refusal) => {
  switch (refusal.class) {
    case 'SkillNameError':
      return new SkillNameError(refusal);
    case 'SkillResourceError':
      return new SkillResourceError(refusal);
    case 'BlobError':
      return new BlobError(refusal);
    case 'ProtocolVersionError':
      return new ProtocolVersionError(refusal);
    case 'Acp':
      return acpError(refusal);
    case 'RangeError':
      return new RangeError(refusal.message);
    default:
      return new TypeError(refusal.message);
  }
});

export const isAckguardError = brand(AckguardError, 'AckguardError');
export const isSkillNameError = brand(SkillNameError, 'SkillNameError');
export const isSkillResourceError = brand(SkillResourceError, 'SkillResourceError');
export const isBlobError = brand(BlobError, 'BlobError');
export const isProtocolVersionError = brand(ProtocolVersionError, 'ProtocolVersionError');
export const isProtocolError = brand(ProtocolError, 'ProtocolError');
export const isVersionMismatch = brand(VersionMismatch, 'VersionMismatch');
export const isMalformedErrorPayload = brand(MalformedErrorPayload, 'MalformedErrorPayload');
export const isAcpClientError = brand(AcpClientError, 'AcpClientError');
export const isAcpServerNotFound = brand(AcpServerNotFound, 'AcpServerNotFound');
export const isAcpRpcError = brand(AcpRpcError, 'AcpRpcError');
export const isAcpInteractionRequiredError = brand(AcpInteractionRequiredError, 'AcpInteractionRequiredError');
