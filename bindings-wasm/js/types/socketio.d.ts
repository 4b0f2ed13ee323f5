import type { DialectOptions } from './types.js';

/** As much of a socket.io-client `Socket` as is needed. */
export interface AckSocket {
  // biome-ignore lint/suspicious/noExplicitAny: a typed socket's own signatures differ
  emitWithAck(event: string, ...args: any[]): Promise<any>;
}

export interface ConnectingSocket {
  readonly connected: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  on(event: any, listener: any): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  off(event: any, listener: any): unknown;
}

/**
 * Emits through the socket; the promise resolves with data and rejects with a `ProtocolError`, its subclass
 * `VersionMismatch`, or a `MalformedErrorPayload`.
 */
export function guardSocket(
  socket: AckSocket,
  options?: DialectOptions,
): { emitWithAck<T = unknown>(event: string, ...args: unknown[]): Promise<T> };

/** Resolves once the socket is connected; rejects with what `connectError` makes of the first refusal. */
export function connected(socket: ConnectingSocket): Promise<void>;

/** A `VersionMismatch` (or a `ProtocolError`) for a `connect_error` that says so; otherwise the error as it is. */
export function connectError(error: unknown): unknown;
