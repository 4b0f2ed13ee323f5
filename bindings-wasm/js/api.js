// The functions, but for classification (classify.js), ACP (acp.js) and the exceptions (errors.js).

import { bytesOf, classify, sourceOf } from './classify.js';
import { ask, askAbout, askAboutNode, askWith, guarded, putBytes, putText } from './core.js';
import { askAboutError, VersionMismatch } from './errors.js';
import * as questions from './generated/questions.js';
import { ABSENT, Root, wrap } from './host.js';
import { wasm } from './memory.js';
import { integerText } from './numbers.js';
import {
  dialectOf,
  flagOf,
  integerOf,
  localeOf,
  maybeNumber,
  numberOf,
  objectOf,
  optionalNumber,
  optionalText,
  textOf,
} from './options.js';

// --- error payloads -------------------------------------------------------------------------------------

/** @type {{ readonly [name: string]: string }} */
const WIRE_NAMES = Object.freeze(
  /** @type {any} */ ({
    // A field may be called `constructor`.
    __proto__: null,
    serverVersion: 'server_version',
    clientVersion: 'client_version',
    minSupported: 'min_supported',
    maxSupported: 'max_supported',
    traceId: 'trace_id',
    relPath: 'rel_path',
    totalSize: 'total_size',
    computerName: 'computer_name',
    uploadId: 'upload_id',
    server: 'server',
    capability: 'capability',
    reason: 'reason',
  }),
);

/**
 * @param {number} code
 * @param {string} message
 * @param {Record<string, any>} [fields]
 * @param {any} [options]
 */
export function errorPayload(code, message, fields = {}, options = undefined) {
  /** @type {Record<string, any>} */
  const parts = { code: numberOf(code, 'code'), message: textOf(message, 'message') };
  for (const [name, value] of Object.entries(objectOf(fields, 'fields'))) {
    if (name === 'code' || name === 'message') continue;
    const wire = WIRE_NAMES[name];
    // What is read of a wrong type is absent; what is built of one is a mistake.
    if (name === 'totalSize') {
      if (value != null && integerText(value, name).startsWith('-')) throw new RangeError(`${name} is below 0`);
    } else if (name === 'details') objectOf(value, name);
    else if (wire !== undefined) optionalText(value, name);
    parts[wire ?? name] = value;
  }
  return askAbout(questions.error_built, parts, true, dialectOf(options));
}

/**
 * @param {any} error
 * @param {any} [options]
 */
export function toPayload(error, options) {
  return askAboutError(questions.error_wire, error, dialectOf(options));
}

/**
 * @param {any} error
 * @param {any} [options]
 */
export function toJson(error, options) {
  return askAboutError(questions.error_json, error, dialectOf(options));
}

/**
 * @param {any} error
 * @param {string} [locale]
 */
export function publicMessage(error, locale = 'en') {
  return askAboutError(questions.public_message, error, 0, textOf(locale, 'locale'));
}

/**
 * @param {any} error
 * @param {Record<string, unknown>} [added]
 */
export function logFields(error, added) {
  const fields = askAboutError(questions.log_fields, error, 0);
  return added === undefined ? fields : Object.freeze({ ...fields, ...objectOf(added, 'added') });
}

/** @type {readonly any[] | undefined} */
let registry;

/** @returns {readonly any[]} */
export function codes() {
  registry ??= /** @type {readonly any[]} */ (camel(ask(questions.codes)));
  return registry;
}

/** @param {number} code */
export function codeInfo(code) {
  return codes().find((info) => info.code === code) ?? null;
}

/** @param {any} value @returns {any} */
function camel(value) {
  if (Array.isArray(value)) return Object.freeze(value.map(camel));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, of]) => [
    name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
    camel(of),
  ]);
  return Object.freeze(Object.fromEntries(entries));
}

// --- tool results ---------------------------------------------------------------------------------------

/**
 * @param {string} mcpServer
 * @param {number} code
 * @param {unknown} [hint]
 * @param {any} [options]
 */
export function authErrorResult(mcpServer, code, hint, options) {
  const server = textOf(mcpServer, 'mcpServer');
  const locale = localeOf(options);
  const number = integerOf(code, 'code');
  if (hint === undefined || hint === null) return ask(questions.auth_error_result, 0, server, number, locale);
  return askAbout(questions.auth_error_result, hint, server, number, locale);
}

/**
 * @param {any} [reason]
 * @param {any} [options]
 */
export function cancelledResult(reason, options) {
  const given = named(options, { reason });
  const text = optionalText(given.reason, 'reason');
  return ask(questions.cancelled_result, localeOf(given), text);
}

/**
 * Arguments by their names: in their order with options behind them, or all of them in one object in the place of the
 * first.
 * @param {any} options
 * @param {Record<string, any>} inOrder
 */
function named(options, inOrder) {
  const [first] = Object.values(inOrder);
  return typeof first === 'object' && first !== null ? first : { ...objectOf(options, 'options'), ...inOrder };
}

/** @param {any} [options] */
export function timeoutResult(options) {
  return ask(questions.timeout_result, localeOf(options));
}

/** @param {unknown} toolResult */
export function guardToolResult(toolResult) {
  return askAbout(questions.guard_tool_result, toolResult);
}

/**
 * @param {number} code
 * @param {any} [options]
 */
export function defaultAuthHint(code, options) {
  return ask(questions.default_hint, integerOf(code, 'code'), localeOf(options));
}

// --- scrubbing ------------------------------------------------------------------------------------------

/** @param {unknown} value */
export function checkAuthHint(value) {
  return scrubAuthHint(value).findings;
}

/**
 * @param {unknown} value
 * @param {any} [options]
 */
export function scrubAuthHint(value, options) {
  return askAbout(questions.scrub_auth_hint, value, flagOf(objectOf(options, 'options').strict, 'strict'));
}

/** @param {unknown} value */
export function scrubDetails(value) {
  return askAbout(questions.scrub_details, value);
}

// --- SKILL names ----------------------------------------------------------------------------------------

/** @type {string | undefined} */
let hintName;

/**
 * @param {string} name
 * @param {any} [options]
 */
export function parseSkillName(name, options) {
  const mode = dialectOf(options);
  const packed = lex(textOf(name, 'name'), mode);
  if (packed === 0) return ask(questions.skill_name_error, name, mode);
  const skill = packed >>> 3;
  switch (packed & 3) {
    case 1:
      return Object.freeze({ raw: name, source: 'user', skill: name });
    case 2: {
      const parsed = { raw: name, source: 'marketplace', plugin: name.slice(0, skill - 1), skill: name.slice(skill) };
      if ((packed & 4) === 0) return Object.freeze(parsed);
      hintName ??= ask(questions.skill_name_hint);
      return Object.freeze({ ...parsed, hint: hintName });
    }
    default:
      return Object.freeze({ raw: name, source: 'mcp', server: name.slice(4, skill - 1), skill: name.slice(skill) });
  }
}

/**
 * @param {string} name
 * @param {number} mode
 */
function lex(name, mode) {
  return guarded(() => wasm.lex_skill_name(putText(name), mode)) >>> 0;
}

/**
 * @param {unknown} name
 * @param {any} [options]
 */
export function isValidSkillName(name, options) {
  return typeof name === 'string' && lex(name, dialectOf(options)) !== 0;
}

/** @param {string} skill */
export function userSkillName(skill) {
  return built(1, '', skill, 0);
}

/**
 * @param {string} plugin
 * @param {string} skill
 */
export function marketplaceSkillName(plugin, skill) {
  return built(2, textOf(plugin, 'plugin'), skill, 0);
}

/**
 * @param {string} server
 * @param {string} skill
 * @param {any} [options]
 */
export function mcpSkillName(server, skill, options) {
  return built(3, textOf(server, 'server'), skill, dialectOf(options));
}

/**
 * @param {number} source
 * @param {string} owner
 * @param {string} skill
 * @param {number} mode
 */
function built(source, owner, skill, mode) {
  return ask(questions.build_skill_name, source, owner, textOf(skill, 'skill'), mode);
}

/**
 * @param {string} text
 * @param {any} [options]
 */
export function suggestSkillName(text, options) {
  const mode = dialectOf(options);
  return ask(questions.suggest_skill_name, textOf(text, 'text'), mode);
}

// --- paths and blobs ------------------------------------------------------------------------------------

/**
 * @param {string | null} [relPath]
 * @param {any} [options]
 */
export function checkRelPath(relPath, options) {
  const path = relPath === undefined || relPath === null ? '' : textOf(relPath, 'relPath');
  const { forbid: added, credentials } = objectOf(options, 'options');
  const forbid = added ?? [];
  // One string is a list of letters, and never what was meant.
  if (typeof forbid === 'string' || typeof forbid[Symbol.iterator] !== 'function')
    throw new TypeError('forbid is not a list of names');
  const names = Array.from(forbid, (name) => textOf(name, 'forbid'));
  return askWith(questions.check_rel_path, [putText(path), flagOf(credentials, 'credentials'), ...names]);
}

/**
 * @param {number | bigint} chunkOffset
 * @param {number | bigint} totalSize
 */
export function checkBlobRange(chunkOffset, totalSize) {
  const offset = integerText(chunkOffset, 'chunkOffset');
  const total = integerText(totalSize, 'totalSize');
  return ask(questions.check_blob_range, offset, total);
}

/**
 * @param {number | bigint} offset
 * @param {number | bigint} total
 * @param {number | bigint} wanted
 * @param {number | bigint} cap
 */
export function clampChunk(offset, total, wanted, cap) {
  return ask(
    questions.clamp_chunk,
    integerText(offset, 'offset'),
    integerText(total, 'total'),
    integerText(wanted, 'wanted'),
    integerText(cap, 'cap'),
  );
}

// --- authorization --------------------------------------------------------------------------------------

/** @param {any} [observed] */
export function decideAuthorization(observed) {
  const { httpStatus, wwwAuthenticate, oauthError, credential, event, providerFault } = objectOf(observed, 'observed');
  return ask(
    questions.decide_authorization,
    ...maybeNumber(httpStatus, 'httpStatus'),
    optionalText(wwwAuthenticate, 'wwwAuthenticate'),
    optionalText(oauthError, 'oauthError'),
    optionalText(credential, 'credential'),
    optionalText(event, 'event'),
    flagOf(providerFault, 'providerFault'),
  );
}

/** @param {string} text */
export function decideAuthorizationFromText(text) {
  return ask(questions.decide_authorization_from_text, textOf(text, 'text'));
}

// --- the handshake --------------------------------------------------------------------------------------

export class ProtocolVersion {
  /** @param {string} text */
  constructor(text) {
    const [major, minor, patch] = ask(questions.parse_protocol_version, textOf(text, 'version'));
    /** @type {number} */
    this.major = major;
    this.minor = minor;
    this.patch = patch;
    Object.freeze(this);
  }

  /** @param {ProtocolVersion | string} server */
  isCompatibleWith(server) {
    const of = server instanceof ProtocolVersion ? server : new ProtocolVersion(server);
    return ask(questions.is_compatible, String(this), String(of));
  }

  /** @param {ProtocolVersion | string} other */
  compare(other) {
    const of = other instanceof ProtocolVersion ? other : new ProtocolVersion(other);
    return Math.sign(this.major - of.major || this.minor - of.minor || this.patch - of.patch);
  }

  toString() {
    return `${this.major}.${this.minor}.${this.patch}`;
  }

  toJSON() {
    return this.toString();
  }
}

/**
 * @param {string} query
 * @param {ProtocolVersion | string} serverVersion
 */
export function checkHandshake(query, serverVersion) {
  const server =
    serverVersion instanceof ProtocolVersion ? String(serverVersion) : textOf(serverVersion, 'serverVersion');
  return ask(questions.check_handshake, textOf(query, 'query'), server);
}

/** @param {any} said */
function handshakeFailure(said) {
  if (said === null) return null;
  return said.mismatch ? new VersionMismatch(said.payload, { serverMessage: said.message }) : said.payload;
}

/**
 * @param {number} status
 * @param {any} [headers]
 * @param {any} [body]
 */
export function parseHandshakeFailure(status, headers, body) {
  const lines = headerLines(headers);
  const given = body ?? '';
  // An HTTP library may have parsed it already.
  const parsed = typeof given === 'object' && !ArrayBuffer.isView(given) && !(given instanceof ArrayBuffer);
  const root = new Root();
  const node = parsed ? wrap(given, root) : ABSENT;
  const code = numberOf(status, 'status');
  const length = parsed ? 0 : typeof given === 'string' ? putText(given) : putBytes(bytesOf(given));
  return handshakeFailure(askAboutNode(questions.parse_handshake_failure, root, [node], [code, length, ...lines]));
}

/**
 * Names and values in turn.
 * @param {any} headers
 */
function headerLines(headers) {
  /** @type {string[]} */
  const lines = [];
  const given = Array.isArray(headers) ? headers : objectOf(headers, 'headers');
  const entries = typeof given[Symbol.iterator] === 'function' ? given : Object.entries(given);
  for (const entry of entries) {
    if (!Array.isArray(entry)) throw new TypeError('headers are not pairs of a name and a value');
    const [name, value] = entry;
    // Node joins none of the headers that come more than once.
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof name === 'string' && ['string', 'number'].includes(typeof one)) lines.push(name, String(one));
    }
  }
  return lines;
}

/** @param {string} text */
export function parseHandshakeText(text) {
  return handshakeFailure(ask(questions.parse_handshake_text, textOf(text, 'text')));
}

/** How many objects are looked into for what a server said. */
const LOOKED_INTO = 64;
/** Where a body may be. An object there is one, or none: there is no envelope to unwrap. */
const BODIES = ['data', 'body', 'error'];
const PLACES = ['responseText', 'response', 'context', 'description', 'cause', 'errors', 'message', ...BODIES];

/** @param {unknown} error */
export function parseHandshakeException(error) {
  /** @type {unknown[]} */
  const waiting = [error];
  const seen = new Set();
  const bodies = new Set();
  // A mismatch anywhere wins over the server's 400, and a body over a header.
  let refused = null;
  let named = null;
  while (waiting.length > 0 && seen.size < LOOKED_INTO) {
    const value = waiting.shift();
    if (seen.has(value)) continue;
    seen.add(value);
    const found = said(value);
    if (found instanceof VersionMismatch) return found;
    refused ??= found;
    if (typeof value !== 'object' || value === null || bodies.has(value)) continue;
    named ??= attempt(() => {
      const { status, statusCode, headers, data, body } = /** @type {any} */ (value);
      return parseHandshakeFailure(status ?? statusCode, headers ?? linesOf(value), data ?? body);
    });
    for (const name of Array.isArray(value) ? value.slice(0, LOOKED_INTO).keys() : PLACES) {
      // An XMLHttpRequest refuses to show its text where it has another kind of answer.
      const inner = attempt(() => /** @type {any} */ (value)[name]);
      if (typeof inner !== 'string' && (typeof inner !== 'object' || inner === null)) continue;
      if (BODIES.includes(/** @type {string} */ (name)) && !(inner instanceof Error)) bodies.add(inner);
      waiting.push(inner);
    }
  }
  return refused ?? named;
}

/** The headers of an XMLHttpRequest, which has them as a text. @param {any} request */
function linesOf(request) {
  return [...(request.getAllResponseHeaders?.() ?? '').matchAll(/^(.+?): *(.*)$/gm)].map(([, ...pair]) => pair);
}

/**
 * @param {() => any} read
 * @returns {any}
 */
function attempt(read) {
  try {
    return read();
  } catch {
    return null;
  }
}

/** @param {any} value */
function said(value) {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return attempt(() => parseHandshakeText(new TextDecoder().decode(value)));
  }
  if (typeof value === 'string') return parseHandshakeText(value);
  if (typeof value !== 'object' || value === null || value instanceof Error) return null;
  return attempt(() => handshakeFailure(askAbout(questions.parse_handshake_body, value)));
}

/** @param {number} code */
export function classifyWsClose(code) {
  return ask(questions.classify_ws_close, numberOf(code, 'code'));
}

// --- retrying -------------------------------------------------------------------------------------------

/**
 * @param {any} [most]
 * @param {number} [longest]
 * @param {any} [options]
 */
export function backoff(most, longest, options) {
  const [retries, seconds] = ask(questions.backoff_defaults);
  const given = named(options, { maxRetries: most, cap: longest });
  const maxRetries = optionalNumber(given.maxRetries, 'maxRetries') ?? retries;
  const cap = optionalNumber(given.cap, 'cap') ?? seconds;
  const random = given.random ?? Math.random;
  if (!(maxRetries >= 0)) throw new RangeError('maxRetries is below 0, or no number');
  // Infinity is as many as there are.
  if (maxRetries % 1 > 0) throw new TypeError('maxRetries is not an integer');
  if (!(cap >= 0)) throw new RangeError('cap is below 0, or no number');
  if (typeof random !== 'function') throw new TypeError('random is not a function');
  return waits(Math.min(maxRetries, 0xffffffff), cap, random);
}

/**
 * @param {number} most
 * @param {number} cap
 * @param {() => number} random
 */
function* waits(most, cap, random) {
  for (let retry = 0; retry < most; retry++) {
    const unit = numberOf(random(), 'what random() gives');
    const wait = ask(questions.backoff, retry, most, cap, unit);
    if (wait === null) return;
    yield wait;
  }
}

// --- counting -------------------------------------------------------------------------------------------

/** @type {FinalizationRegistry<number> | undefined} */
const dropped =
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry((number) => ask(questions.tally_free, number))
    : undefined;

export class Tally {
  #number;

  constructor() {
    this.#number = ask(questions.tally_new);
    dropped?.register(this, this.#number);
  }

  /**
   * @param {any} payload
   * @param {any} [options]
   */
  add(payload, options) {
    const source = sourceOf(payload) ?? sourceOf(classify(payload, options));
    source?.addTo(this.#number);
  }

  /** @param {Tally} other */
  merge(other) {
    if (!(typeof other === 'object' && other !== null && #number in other))
      throw new TypeError('merge() takes a Tally');
    ask(questions.tally_merge, other.#number, this.#number);
  }

  get total() {
    return ask(questions.tally_total, this.#number);
  }

  get kinds() {
    return this.toJSON().kinds;
  }

  attributes() {
    return ask(questions.tally_attributes, this.#number);
  }

  toJSON() {
    return ask(questions.tally_value, this.#number);
  }

  toJson() {
    return ask(questions.tally_json, this.#number);
  }

  toPrometheus() {
    return ask(questions.tally_prometheus, this.#number);
  }

  toString() {
    return ask(questions.tally_table, this.#number);
  }
}
