// The types of what the functions take and answer with. Written by hand; test/package.test.mjs holds them against
// what the package really exports.

/** A dialect of the A2C-SMCP wire. 0.4 changed nothing that this package reads. */
export type Dialect = '0.2' | '0.3' | '0.4';

export interface DialectOptions {
  /** `"0.2"` unless told otherwise. */
  readonly dialect?: Dialect | undefined;
}

export interface LocaleOptions {
  /** A BCP 47 tag: `zh*` gives Chinese, everything else English. */
  readonly locale?: string | undefined;
}

/** What JSON can hold, and integers beyond 2^53-1 as bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [name: string]: Json };

/** May the program try again by itself? */
export type Automatic = 'no' | 'once' | 'optional';

/** What has to happen before another try makes sense. */
export type Action =
  | 'none'
  | 'fix_request'
  | 'reauthenticate'
  | 'backoff'
  | 'refresh_tools'
  | 'confirm'
  | 'authorize'
  | 'review_authorization'
  | 'upgrade'
  | 'refresh_servers'
  | 'skip_server'
  | 'use_listed_name'
  | 'use_skill_body'
  | 'report_size'
  | 'remint_handle'
  | 'fix_range'
  | 'join_room'
  | 'authenticate'
  | 'report_bug'
  | 'operator';

export interface Advice {
  readonly automatic: Automatic;
  readonly action: Action;
}

/** One thing that scrubbing found; never any part of the secret. */
export interface Finding {
  /** A JSON Pointer. */
  readonly path: string;
  readonly category: FindingCategory;
  readonly action: 'removed' | 'redacted' | 'truncated';
}

export type FindingCategory =
  | 'access_credential'
  | 'oauth_parameter'
  | 'client_credential'
  | 'authorization_url'
  | 'user_secret'
  | 'internal_address'
  | 'connection_string'
  | 'stack_trace'
  | 'reserved_key'
  | 'out_of_bounds';

export interface Scrubbed<T = Json> {
  readonly value: T;
  readonly findings: readonly Finding[];
}

/** A protocol error as it was read, or as `errorPayload` made it. What is absent is not there. */
export interface ErrorView {
  /** A bigint only where the number is beyond 2^53-1. */
  readonly code: number | bigint;
  /** The registered name, such as `"ROOM_FULL"`. */
  readonly name?: string;
  /** Whether the dialect registers the code. */
  readonly known: boolean;
  /** As it came: for logs. People are shown `publicMessage(error)`. */
  readonly message: string;
  readonly reason?: string;
  readonly server?: string;
  readonly capability?: string;
  readonly serverVersion?: string;
  readonly clientVersion?: string;
  readonly minSupported?: string;
  readonly maxSupported?: string;
  /** In bytes. */
  readonly totalSize?: number | bigint;
  readonly traceId?: string;
  /** For logs and debugging only, never for the end user. */
  readonly details?: { readonly [name: string]: Json };
  /** What stood in the place of `details` although it is no object. */
  readonly rawDetails?: Json;
  /** Top-level fields that are not the code's standard ones. */
  readonly extra?: { readonly [name: string]: Json };
  readonly retry: Advice;
}

export type Outcome =
  | 'cancelled'
  | 'timed_out'
  | 'authorization_required'
  | 'authorization_failed'
  | 'failed'
  | 'completed';

export interface ToolResult {
  readonly outcome: Outcome;
  readonly errorCode?: number | bigint;
  readonly mcpServer?: string;
  /** Already scrubbed. */
  readonly authHint?: Json;
  readonly findings: readonly Finding[];
  readonly cancelReason?: string;
}

export interface EventResult {
  readonly ok: boolean;
  readonly message?: string;
}

export interface RpcErrorView {
  readonly errorCode: 'protocol_error';
  readonly rpcCode?: number | bigint;
  readonly name?: string;
  readonly message?: string;
  readonly id?: null | number | bigint | string;
  /** The first breach of JSON-RPC in the frame. */
  readonly problem?: string;
}

/** What breaks the contract although it could be understood: `kind`, or `kind:field`. */
export type Violation = string;

export interface ClassifiedError {
  readonly kind: 'error';
  readonly error: ErrorView;
  readonly violations: readonly Violation[];
  readonly retry: Advice;
}

export interface ClassifiedToolResult {
  readonly kind: 'tool_result';
  readonly toolResult: ToolResult;
  readonly violations: readonly Violation[];
  /** null for a completed call. */
  readonly retry: Advice | null;
}

export interface ClassifiedEventResult {
  readonly kind: 'event_result';
  readonly eventResult: EventResult;
  readonly violations: readonly Violation[];
  readonly retry: null;
}

export interface ClassifiedRpcError {
  readonly kind: 'rpc_error';
  readonly rpcError: RpcErrorView;
  readonly violations: readonly Violation[];
  readonly retry: Advice;
}

export interface ClassifiedMalformedError {
  readonly kind: 'malformed_error';
  readonly violations: readonly Violation[];
  readonly retry: null;
}

export interface ClassifiedNone {
  readonly kind: 'none';
  readonly violations: readonly Violation[];
  readonly retry: null;
}

export interface ClassifiedData {
  readonly kind: 'data';
  readonly violations: readonly Violation[];
  readonly retry: null;
}

/** Only `classifyJson` answers so: the text is not JSON. */
export interface ClassifiedInvalid {
  readonly kind: 'invalid';
  readonly violations: readonly Violation[];
  readonly retry: null;
}

/**
 * A verdict. The views (`error`, `violations` and so on) are read from the payload when they are first asked for
 * and then stay what they are: leave the payload alone in between.
 */
export type Classified =
  | ClassifiedError
  | ClassifiedToolResult
  | ClassifiedEventResult
  | ClassifiedRpcError
  | ClassifiedMalformedError
  | ClassifiedNone
  | ClassifiedData
  | ClassifiedInvalid;

export type Kind = Classified['kind'];

export interface TextIn {
  readonly en: string;
  readonly zh: string;
}

export interface FieldInfo {
  readonly name: string;
  readonly required: boolean;
  readonly type: 'string' | 'size';
}

export interface ReasonInfo {
  readonly name: string;
  readonly retry: Advice;
  readonly userMessage?: TextIn;
}

/** One entry of the registry. */
export interface CodeInfo {
  readonly code: number;
  readonly name: string;
  readonly title: TextIn;
  readonly category: 'general' | 'tool' | 'connection' | 'routing' | 'skill' | 'blob' | 'room';
  readonly carrier: string;
  readonly since: '0.2' | '0.3';
  readonly meaning: string;
  readonly fields: readonly FieldInfo[];
  readonly details: readonly FieldInfo[];
  readonly reasons: readonly ReasonInfo[];
  /** Where no reason says otherwise. */
  readonly retry: Advice;
  readonly userMessage: TextIn;
}

export interface UserSkillName {
  readonly raw: string;
  readonly source: 'user';
  readonly skill: string;
  readonly plugin?: undefined;
  readonly server?: undefined;
  readonly hint?: undefined;
}

export interface MarketplaceSkillName {
  readonly raw: string;
  readonly source: 'marketplace';
  readonly plugin: string;
  readonly skill: string;
  readonly server?: undefined;
  /** Something its author may not have meant: a plugin called `mcp`. */
  readonly hint?: 'mcp_plugin';
}

export interface McpSkillName {
  readonly raw: string;
  readonly source: 'mcp';
  readonly server: string;
  readonly skill: string;
  readonly plugin?: undefined;
  readonly hint?: undefined;
}

export type SkillName = UserSkillName | MarketplaceSkillName | McpSkillName;

export type SkillNameReason =
  | 'empty'
  | 'segment_count'
  | 'reserved_prefix'
  | 'empty_segment'
  | 'too_long'
  | 'bad_char'
  | 'leading_hyphen'
  | 'trailing_hyphen'
  | 'double_hyphen'
  | 'double_underscore';

export type SkillResourceReason = 'traversal' | 'forbidden' | 'not_found' | 'too_large';

/** What a Computer observed when a tool's upstream refused. */
export interface ObservedFailure {
  readonly httpStatus?: number | null | undefined;
  /** The header's text. */
  readonly wwwAuthenticate?: string | null | undefined;
  /** The `error` of RFC 6749 or RFC 6750. */
  readonly oauthError?: string | null | undefined;
  readonly credential?: 'never_configured' | 'present' | 'unknown' | null | undefined;
  readonly event?:
    | 'refresh_failed'
    | 'revoked'
    | 'scope_insufficient'
    | 'flow_incomplete'
    | 'registration_failed'
    | null
    | undefined;
  readonly providerFault?: boolean | undefined;
}

/** A ready HTTP answer to a handshake that is refused. */
export interface HandshakeAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

export type AcpErrorCodeText =
  | 'config_invalid'
  | 'server_not_found'
  | 'process_start_fail'
  | 'handshake_fail'
  | 'request_timeout'
  | 'transport_disconnect'
  | 'interaction_required'
  | 'protocol_error'
  | 'server_busy';

export type AcpErrorKind = 'client' | 'server_not_found' | 'rpc' | 'interaction_required';

export interface AcpRetryAdvice {
  readonly retryable: boolean;
  readonly action:
    | 'fix_configuration'
    | 'fix_call'
    | 'operator'
    | 'backoff'
    | 'restart_server'
    | 'use_interactive_session'
    | 'report_bug'
    | 'wait_for_turn'
    | 'authenticate';
}

export type AcpServerState =
  | 'configured'
  | 'starting'
  | 'initializing'
  | 'ready'
  | 'busy'
  | 'waiting_for_user'
  | 'stopping'
  | 'stopped'
  | 'failed';

/** What a host saw of a call that failed. */
export interface SeenFailure {
  readonly expectedId?: number | bigint | string | null | undefined;
  readonly exitCode?: number | null | undefined;
  /** In seconds. */
  readonly timeout?: number | null | undefined;
  /** Node's own error, or its code. */
  readonly ioError?: string | Error | null | undefined;
  readonly interaction?:
    | {
        readonly method: string;
        readonly prompt?: string | undefined;
        readonly options?: readonly unknown[] | undefined;
      }
    | null
    | undefined;
  readonly server?: string | null | undefined;
  readonly method?: string | null | undefined;
}

/** The last error of a server, as it was when it was recorded. */
export interface LastError {
  readonly kind: AcpErrorKind;
  readonly code: AcpErrorCodeText;
  readonly rpcCode?: number | bigint;
  readonly message: string;
  readonly details: { readonly [name: string]: Json };
  readonly truncated: boolean;
  /** UTC, RFC 3339. */
  readonly at: string;
}

export interface AcpServerConfig {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
  readonly autoStart?: boolean;
  readonly startupTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly capabilities?: { readonly [name: string]: Json };
  readonly description?: string;
  readonly nonInteractivePolicy?: { readonly mode: 'reject_all' | 'accept_all' };
  readonly maxRecoverableRestarts?: number;
}

export interface AcpConfig {
  readonly servers: { readonly [name: string]: AcpServerConfig };
}
