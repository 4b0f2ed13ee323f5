import type {
  AcpConfig,
  AcpErrorCodeText,
  AcpErrorKind,
  AcpRetryAdvice,
  AcpServerState,
  Advice,
  Classified,
  ClassifiedInvalid,
  CodeInfo,
  DialectOptions,
  ErrorView,
  Finding,
  HandshakeAnswer,
  Json,
  LastError,
  LocaleOptions,
  ObservedFailure,
  Scrubbed,
  SeenFailure,
  SkillName,
  SkillNameReason,
  SkillResourceReason,
  Violation,
} from './types.js';

export type * from './types.js';

/** The version of this package. */
export const VERSION: string;
/** The A2C-SMCP protocol version that the default dialect speaks. */
export const PROTOCOL_VERSION: string;

/** The registered codes by name. */
export const ErrorCode: {
  readonly BAD_REQUEST: 400;
  readonly UNAUTHORIZED: 401;
  readonly FORBIDDEN: 403;
  readonly NOT_FOUND: 404;
  readonly TIMEOUT: 408;
  readonly INTERNAL_ERROR: 500;
  readonly TOOL_NOT_FOUND: 4001;
  readonly TOOL_DISABLED: 4002;
  readonly TOOL_EXECUTION_FAILED: 4003;
  readonly TOOL_TIMEOUT: 4004;
  readonly TOOL_REQUIRES_CONFIRMATION: 4005;
  readonly TOOL_AUTHORIZATION_REQUIRED: 4006;
  readonly TOOL_AUTHORIZATION_FAILED: 4007;
  readonly PROTOCOL_VERSION_MISMATCH: 4008;
  readonly MCP_SERVER_NOT_FOUND: 4014;
  readonly MCP_CAPABILITY_NOT_SUPPORTED: 4015;
  readonly INVALID_SKILL_NAME: 4016;
  readonly SKILL_RESOURCE_NOT_ACCESSIBLE: 4017;
  readonly BLOB_NOT_ACCESSIBLE: 4018;
  readonly BLOB_WRITE_FAILED: 4019;
  readonly ROOM_FULL: 4101;
  readonly ROOM_NOT_FOUND: 4102;
  readonly NOT_IN_ROOM: 4103;
  readonly CROSS_ROOM_ACCESS: 4104;
};

// --- payloads -------------------------------------------------------------------------------------------

/**
 * Says what a payload is, from any parsed value: members are read in place, each at most once. Never throws by
 * itself; what a getter or a proxy throws passes through.
 */
export function classify(value: unknown, options?: DialectOptions): Exclude<Classified, ClassifiedInvalid>;
/** Says what a JSON text is. What is no JSON (RFC 8259, UTF-8) is `invalid`. */
export function classifyJson(text: string | Uint8Array | ArrayBuffer, options?: DialectOptions): Classified;
/** Says what the argument list of a Socket.IO ack callback is. */
export function classifyAckArgs(
  args: ArrayLike<unknown> | Iterable<unknown>,
  options?: DialectOptions,
): Exclude<Classified, ClassifiedInvalid>;
/**
 * Throws for a protocol error and for a malformed one.
 * @throws {ProtocolError} or its subclass `VersionMismatch`
 * @throws {MalformedErrorPayload}
 */
export function raiseForError(value: unknown, options?: DialectOptions): void;

/** Whatever tells of an error: a view, a payload as it came, or an exception of this package. */
export type ErrorLike = ErrorView | AckguardError | { readonly code: number; readonly message?: unknown };

export interface ErrorFields {
  readonly server?: string | undefined;
  readonly capability?: string | undefined;
  readonly serverVersion?: string | undefined;
  readonly clientVersion?: string | undefined;
  readonly minSupported?: string | undefined;
  readonly maxSupported?: string | undefined;
  readonly traceId?: string | undefined;
  readonly reason?: string | undefined;
  readonly relPath?: string | undefined;
  readonly totalSize?: number | bigint | undefined;
  readonly details?: { readonly [name: string]: unknown } | undefined;
  readonly [name: string]: unknown;
}

/** Builds an error. Fields go where the code has them: to the top level, or into `details`. */
export function errorPayload(code: number, message: string, fields?: ErrorFields, options?: DialectOptions): ErrorView;
/** The flat payload as it stands on the wire, in the order of the specification. */
export function toPayload(error: ErrorLike, options?: DialectOptions): { readonly [name: string]: Json };
/** The same as JSON text. */
export function toJson(error: ErrorLike, options?: DialectOptions): string;
/** A fixed sentence for people; nothing of the payload gets into it but what is safe to show. */
export function publicMessage(error: ErrorLike, locale?: string): string;
/** Everything, scrubbed and flat, for structured logging; and what the caller adds. */
export function logFields(
  error: ErrorLike,
  added?: { readonly [name: string]: unknown },
): { readonly [name: string]: unknown };
export function codes(): readonly CodeInfo[];
export function codeInfo(code: number): CodeInfo | null;

/** The whole CallToolResult for 4006 or 4007. The hint passes the scrubber, always. */
export function authErrorResult(
  mcpServer: string,
  code: number,
  hint?: unknown,
  options?: LocaleOptions,
): { readonly [name: string]: Json };
export function cancelledResult(reason?: string | null, options?: LocaleOptions): { readonly [name: string]: Json };
export function cancelledResult(options: LocaleOptions & { readonly reason?: string | null | undefined }): {
  readonly [name: string]: Json;
};
export function timeoutResult(options?: LocaleOptions): { readonly [name: string]: Json };
/** Takes out of an upstream's result what only the Computer may say, and reports what it took. */
export function guardToolResult(toolResult: unknown): Scrubbed;
/** The ready hint for 4006 or 4007; null for every other code. */
export function defaultAuthHint(
  code: number,
  options?: LocaleOptions,
): { readonly action: string; readonly message: string } | null;

// --- scrubbing ------------------------------------------------------------------------------------------

export function checkAuthHint(value: unknown): readonly Finding[];
export function scrubAuthHint(value: unknown, options?: { readonly strict?: boolean | undefined }): Scrubbed;
export function scrubDetails(value: unknown): Scrubbed;

// --- SKILL names, paths, blobs --------------------------------------------------------------------------

/** @throws {SkillNameError} */
export function parseSkillName(name: string, options?: DialectOptions): SkillName;
export function isValidSkillName(name: unknown, options?: DialectOptions): boolean;
/** @throws {SkillNameError} */
export function userSkillName(skill: string): string;
/** @throws {SkillNameError} */
export function marketplaceSkillName(plugin: string, skill: string): string;
/** @throws {SkillNameError} */
export function mcpSkillName(server: string, skill: string, options?: DialectOptions): string;
/** The nearest legal name for a near miss. */
export function suggestSkillName(text: string, options?: DialectOptions): string | null;
/**
 * The normalized path.
 * @throws {SkillResourceError}
 */
export function checkRelPath(
  relPath?: string | null,
  options?: { readonly forbid?: Iterable<string> | undefined; readonly credentials?: boolean | undefined },
): string;
/**
 * Whether a chunk may start there. A number beyond 2^53-1 has to be a bigint.
 * @throws {BlobError}
 */
export function checkBlobRange(chunkOffset: number | bigint, totalSize: number | bigint): { readonly eof: boolean };
/** @throws {BlobError} */
export function clampChunk(
  offset: number | bigint,
  total: number | bigint,
  wanted: number | bigint,
  cap: number | bigint,
): { readonly len: number | bigint; readonly eof: boolean };

// --- authorization, the handshake -----------------------------------------------------------------------

export function decideAuthorization(observed?: ObservedFailure): 4003 | 4006 | 4007 | null;
export function decideAuthorizationFromText(text: string): 4003 | 4006 | 4007 | null;

/** A protocol version, such as `0.2.0`. @throws {ProtocolVersionError} */
export class ProtocolVersion {
  constructor(text: string);
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Whether a client of this version may talk to a server of that one. */
  isCompatibleWith(server: ProtocolVersion | string): boolean;
  /** Below 0, 0, or above 0, for `sort`. */
  compare(other: ProtocolVersion | string): number;
  toString(): string;
  toJSON(): string;
}

/** The server's side: null to accept, or the ready answer. */
export function checkHandshake(query: string, serverVersion: ProtocolVersion | string): HandshakeAnswer | null;
/** The client's side: what the answer to a handshake that failed says; null for what is none of ours. */
export function parseHandshakeFailure(
  status: number,
  headers?:
    | Iterable<readonly [string, string]>
    | { readonly [name: string]: string | readonly string[] | undefined }
    | null,
  body?: string | Uint8Array | ArrayBuffer | object | null,
): VersionMismatch | ErrorView | null;
/** The same from the words of an exception. */
export function parseHandshakeText(text: string): VersionMismatch | ErrorView | null;
/**
 * The same from an exception, its causes, and what transports hang on to it. Ask within the handler of `connect_error`:
 * socket.io-client empties the request afterwards.
 */
export function parseHandshakeException(error: unknown): VersionMismatch | ErrorView | null;
export function classifyWsClose(code: number): 'version_handshake_rejected' | 'ordinary';

/**
 * Waits in seconds: 2^i and a random part below 1, capped. The caller sleeps.
 * @throws {RangeError} for a number below 0
 */
export function backoff(
  maxRetries?: number,
  cap?: number,
  options?: { readonly random?: (() => number) | undefined },
): Generator<number, void, undefined>;
export function backoff(options: {
  readonly maxRetries?: number | undefined;
  readonly cap?: number | undefined;
  readonly random?: (() => number) | undefined;
}): Generator<number, void, undefined>;

/** Counts classified payloads by kind, code, reason and outcome. */
export class Tally {
  constructor();
  /** Counts what `classify` answered, or a payload that it is asked about. */
  add(payload: unknown, options?: DialectOptions): void;
  merge(other: Tally): void;
  readonly total: number | bigint;
  /** How many there were of each kind. */
  readonly kinds: { readonly [kind in Classified['kind']]?: number | bigint };
  /**
   * The rows as OpenTelemetry has them: attributes of a measurement, named by its semantic conventions where they have
   * a name, and the count. `for (const [attributes, count] of tally.attributes()) counter.add(Number(count), attributes)`
   */
  attributes(): readonly (readonly [
    attributes: { readonly [name: string]: string | number },
    count: number | bigint,
  ])[];
  toJSON(): { readonly [name: string]: Json };
  /** The same as text, byte for byte what every language gives. */
  toJson(): string;
  toPrometheus(): string;
  /** A table. */
  toString(): string;
}

// --- exceptions -----------------------------------------------------------------------------------------

/** What every exception of this package is. Each class has a guard, right across copies of the package. */
export class AckguardError extends Error {
  constructor(message?: string, options?: { readonly code?: unknown; readonly cause?: unknown });
  code: unknown;
  /** The payload to send. */
  toPayload(options?: DialectOptions): { readonly [name: string]: Json };
}

export class SkillNameError extends AckguardError {
  private constructor();
  code: 4016;
  readonly reason: SkillNameReason;
  /** Which segment, from 0; null for the name as a whole. */
  readonly segment: number | null;
  /** Where to underline, in UTF-16 units: `name.slice(...span)`. */
  readonly span: readonly [start: number, end: number];
  /** The refused name, shortened if it was long. */
  readonly skillName: string;
}

export class SkillResourceError extends AckguardError {
  private constructor();
  code: 4017;
  readonly reason: SkillResourceReason;
  readonly relPath: string | null;
  readonly totalSize: number | bigint | null;
}

export class BlobError extends AckguardError {
  private constructor();
  code: 4018;
  readonly reason: 'range';
  readonly chunkOffset: number | bigint;
  readonly totalSize: number | bigint;
}

export class ProtocolVersionError extends AckguardError {
  private constructor();
  code: 400;
  readonly reason: string;
  /** Where, from 0. */
  readonly position: number;
}

export class ProtocolError extends AckguardError {
  constructor(
    payload: ErrorView | { readonly code: number; readonly message?: unknown },
    options?: { readonly cause?: unknown },
  );
  code: number | bigint;
  readonly payload: ErrorView;
  readonly reason: string | undefined;
  readonly retry: Advice;
  publicMessage(locale?: string): string;
  logFields(): { readonly [name: string]: unknown };
}

export class VersionMismatch extends ProtocolError {
  /** What the server said, for logs. */
  readonly serverMessage: string | undefined;
  readonly serverVersion: string | undefined;
  readonly clientVersion: string | undefined;
  readonly minSupported: string | undefined;
  readonly maxSupported: string | undefined;
}

export class MalformedErrorPayload extends AckguardError {
  constructor(violations: readonly Violation[], options?: { readonly cause?: unknown });
  code: 500;
  readonly violations: readonly Violation[];
}

/** The exception for an error: 4008 has its own class. */
export function protocolErrorFor(error: ErrorView, options?: { readonly cause?: unknown }): ProtocolError;

export function isAckguardError(value: unknown): value is AckguardError;
export function isSkillNameError(value: unknown): value is SkillNameError;
export function isSkillResourceError(value: unknown): value is SkillResourceError;
export function isBlobError(value: unknown): value is BlobError;
export function isProtocolVersionError(value: unknown): value is ProtocolVersionError;
export function isProtocolError(value: unknown): value is ProtocolError;
export function isVersionMismatch(value: unknown): value is VersionMismatch;
export function isMalformedErrorPayload(value: unknown): value is MalformedErrorPayload;
export function isAcpClientError(value: unknown): value is AcpClientError;
export function isAcpServerNotFound(value: unknown): value is AcpServerNotFound;
export function isAcpRpcError(value: unknown): value is AcpRpcError;
export function isAcpInteractionRequiredError(value: unknown): value is AcpInteractionRequiredError;

// --- ACP ------------------------------------------------------------------------------------------------

export const AcpErrorCode: {
  readonly CONFIG_INVALID: 'config_invalid';
  readonly SERVER_NOT_FOUND: 'server_not_found';
  readonly PROCESS_START_FAIL: 'process_start_fail';
  readonly HANDSHAKE_FAIL: 'handshake_fail';
  readonly REQUEST_TIMEOUT: 'request_timeout';
  readonly TRANSPORT_DISCONNECT: 'transport_disconnect';
  readonly INTERACTION_REQUIRED: 'interaction_required';
  readonly PROTOCOL_ERROR: 'protocol_error';
  readonly SERVER_BUSY: 'server_busy';
};

export interface AcpErrorOptions {
  readonly details?: { readonly [name: string]: unknown } | undefined;
  readonly cause?: unknown;
}

/** A failure of an ACP client. Branch on the code, never on the message; `code` and `details` can be assigned. */
export class AcpClientError extends AckguardError {
  constructor(message: string, options?: AcpErrorOptions & { readonly code?: AcpErrorCodeText | undefined });
  /** One of the nine, except that an RPC error has its integer here. */
  code: unknown;
  /** Always one of the nine. */
  readonly errorCode: AcpErrorCodeText;
  readonly kind: AcpErrorKind;
  details: { [name: string]: unknown };
}

export class AcpServerNotFound extends AcpClientError {
  constructor(name: string, options?: AcpErrorOptions);
}

export class AcpRpcError extends AcpClientError {
  constructor(
    parts?: AcpErrorOptions & {
      readonly rpcCode?: number | bigint | null | undefined;
      readonly rpcMessage?: string | null | undefined;
      readonly data?: unknown;
      readonly code?: number | bigint | undefined;
      readonly message?: string | undefined;
    },
  );
  code: number | bigint;
  readonly rpcCode: number | bigint;
  readonly rpcMessage: string;
  readonly data: unknown;
}

export class AcpInteractionRequiredError extends AcpClientError {
  constructor(
    parts: AcpErrorOptions & {
      readonly server: string;
      readonly method: string;
      readonly prompt?: string | undefined;
      readonly options?: readonly unknown[] | undefined;
    },
  );
  readonly server: string;
  readonly prompt: string;
  readonly options: readonly unknown[];
}

/** Changes the error in place, since handlers hold it; whether it counts as a failure of the handshake. */
export function reclassifyHandshake(error: AcpClientError, server: string): boolean;
export function isHandshakeFailure(error: unknown): boolean;
export function retryAdvice(error: AcpClientError): AcpRetryAdvice;
/** The advice for a code of the registry and a `details.reason`; an unknown one of either is not tried again. */
export function retryAdvice(code: number, reason?: string | null): Advice;
export function recordsLastError(error: AcpClientError): boolean;
/** The keys that `details` should have with the error's code and that it lacks. */
export function missingDetails(error: AcpClientError): readonly string[];
export function readiness(
  state: AcpServerState | (string & {}),
  hasActiveTurn?: boolean,
): 'ready' | 'busy' | 'failed' | 'not_ready';
export function rpcCodeName(code: number | bigint): string | null;
/** The right error for what a host saw; null where the response is a success. */
export function classifyFailure(response?: unknown, seen?: SeenFailure): AcpClientError | null;
/** @throws {AcpClientError} `config_invalid`, with every problem in `details.problems` */
export function parseConfig(
  json: string | Uint8Array,
  env?: { readonly [name: string]: string | undefined },
): AcpConfig;
/** The protocol version that the agent chose. @throws {AcpClientError} */
export function checkInitializeResult(value: unknown): number;
/** The session's id. @throws {AcpClientError} */
export function checkSessionResult(value: unknown): string;
export function methodNotFoundReply(id: number | bigint | string | null, method: string): string;

export class ErrorLedger {
  constructor(options?: { readonly clock?: (() => number) | undefined });
  /** Whether it was recorded: `server_busy` and `server_not_found` never are. */
  record(server: string, error: AcpClientError, now?: Date | number): boolean;
  lastError(server: string): LastError | null;
  reset(server: string): boolean;
}
