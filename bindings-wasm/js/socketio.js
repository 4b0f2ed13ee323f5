// `emitWithAck` with an answer that is what it says: data, or an exception of the right class.

import { classify, MalformedErrorPayload, parseHandshakeException, protocolErrorFor } from 'ackguard';

/**
 * @param {any} socket
 * @param {any} [options]
 */
export function guardSocket(socket, options) {
  return {
    /**
     * @param {string} event
     * @param {...unknown} args
     */
    async emitWithAck(event, ...args) {
      const ack = await socket.emitWithAck(event, ...args);
      const classified = classify(ack, options);
      if (classified.kind === 'error') throw protocolErrorFor(classified.error);
      if (classified.kind === 'malformed_error') throw new MalformedErrorPayload(classified.violations);
      return ack;
    },
  };
}

/**
 * @param {any} socket
 * @returns {Promise<void>}
 */
export function connected(socket) {
  if (socket.connected) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const done = () => {
      socket.off('connect', onConnect);
      socket.off('connect_error', onError);
    };
    const onConnect = () => {
      done();
      resolve();
    };
    /** @param {unknown} error */
    const onError = (error) => {
      done();
      reject(connectError(error));
    };
    socket.on('connect', onConnect);
    socket.on('connect_error', onError);
  });
}

/** @param {any} error */
export function connectError(error) {
  const said = parseHandshakeException(error);
  if (said instanceof Error) return Object.assign(said, { cause: error });
  if (said !== null) return protocolErrorFor(said, { cause: error });
  // What a middleware of the server refuses with travels as the error's data.
  const classified = classify(error?.data);
  return classified.kind === 'error' ? protocolErrorFor(classified.error, { cause: error }) : error;
}
