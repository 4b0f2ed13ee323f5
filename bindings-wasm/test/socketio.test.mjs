// The helper for socket.io-client, against a real server on the loopback address.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import * as ackguard from 'ackguard';
import { connectError, connected, guardSocket } from 'ackguard/socketio';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';

let http;
let server;
let url;
const sockets = [];

const ANSWERS = {
  'client:get_skill': { code: 4017, message: 'Skill resource not accessible', details: { reason: 'traversal' } },
  'client:get_tools': { tools: [], req_id: 'r' },
  'client:broken': { error: { code: 404 } },
  'client:tool_call': { content: [], isError: true, meta: { a2c_timeout: true } },
};

before(async () => {
  http = createServer();
  server = new Server(http, {
    // The A2C-SMCP server's check, for both transports.
    allowRequest(request, callback) {
      const query = new URL(request.url, 'http://localhost').search;
      const refusal = ackguard.checkHandshake(query, '0.2.0');
      callback(refusal === null ? null : 'refused', refusal === null);
    },
  });
  // engine.io answers a refused request with a body of its own; a real server gives its own answer before.
  const listeners = http.listeners('request').slice();
  http.removeAllListeners('request');
  http.on('request', (request, response) => {
    const refusal = ackguard.checkHandshake(new URL(request.url, 'http://localhost').search, '0.2.0');
    if (refusal !== null) {
      response.writeHead(refusal.status, refusal.headers).end(refusal.body);
      return;
    }
    for (const listener of listeners) listener.call(http, request, response);
  });
  server.on('connection', (socket) => {
    socket.onAny((event, ...args) => {
      const answer = ANSWERS[event];
      args.at(-1)(answer);
    });
  });
  server.of('/closed').use((_, next) => {
    const error = new Error('not allowed');
    error.data = { code: 4101, message: 'Room full' };
    next(error);
  });
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${http.address().port}`;
});
after(async () => {
  for (const socket of sockets) socket.disconnect();
  await server.close();
});

function connect(path, version, transports = ['polling']) {
  const socket = io(`${url}${path}`, {
    query: { a2c_version: version },
    transports,
    reconnection: false,
    forceNew: true,
  });
  sockets.push(socket);
  return socket;
}

test('data resolves, an error rejects with the right class', async () => {
  const socket = connect('', '0.2.1', ['websocket']);
  await connected(socket);
  await connected(socket);
  const guarded = guardSocket(socket);
  assert.deepEqual(await guarded.emitWithAck('client:get_tools', { req_id: 'r' }), ANSWERS['client:get_tools']);
  assert.deepEqual(await guarded.emitWithAck('client:tool_call', {}), ANSWERS['client:tool_call']);
  await assert.rejects(guarded.emitWithAck('client:get_skill', {}), (error) => {
    assert.ok(error instanceof ackguard.ProtocolError);
    assert.equal(error.code, 4017);
    assert.equal(error.reason, 'traversal');
    return true;
  });
  await assert.rejects(guarded.emitWithAck('client:broken', {}), (error) => ackguard.isMalformedErrorPayload(error));
});

test('a refused version is a VersionMismatch', async () => {
  await assert.rejects(connected(connect('', '9.0.0')), (error) => {
    assert.ok(ackguard.isVersionMismatch(error), String(error));
    assert.equal(error.serverVersion, '0.2.0');
    assert.equal(error.clientVersion, '9.0.0');
    assert.ok(error.cause instanceof Error);
    assert.equal(error.retry.action, 'upgrade');
    return true;
  });
});

test('what a middleware refuses with is that error', async () => {
  await assert.rejects(connected(connect('/closed', '0.2.0')), (error) => {
    assert.ok(ackguard.isProtocolError(error), String(error));
    assert.equal(error.code, 4101);
    return true;
  });
});

test('any other failure to connect stays what it is', async () => {
  const error = new Error('xhr poll error');
  assert.equal(connectError(error), error);
  const socket = io('http://127.0.0.1:1', { reconnection: false, transports: ['polling'] });
  sockets.push(socket);
  await assert.rejects(connected(socket), (failure) => !ackguard.isAckguardError(failure));
});
