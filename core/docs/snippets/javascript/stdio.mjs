import assert from 'node:assert/strict';
import { test } from 'node:test';
// ANCHOR: failure
import { classifyFailure, retryAdvice } from 'ackguard';

/** What came of a request to the agent: a line, a timeout, an exit, or several of them. */
function check(line, seen) {
  const error = classifyFailure(line, seen);
  // null is a success.
  if (error !== null) throw error;
}

/** What the host does next, in words. */
function nextStep(error) {
  const { retryable, action } = retryAdvice(error);
  // An RPC error's `code` is the agent's integer; `errorCode` is one of the nine for every error.
  return `${error.errorCode}: ${action}${retryable ? ', then try again' : ''}`;
}
// ANCHOR_END: failure

function failed(line, seen) {
  try {
    check(line, seen);
  } catch (error) {
    return error;
  }
  return assert.fail('a success');
}

test('a failure has one of nine codes', () => {
  const asked = { expectedId: 7, server: 'helper' };
  check('{"jsonrpc":"2.0","id":7,"result":{"stopReason":"end_turn"}}', asked);

  const late = failed(null, { ...asked, timeout: 30, method: 'session/prompt' });
  assert.equal(nextStep(late), 'request_timeout: backoff, then try again');
  assert.match(nextStep(failed(null, { ...asked, exitCode: 137 })), /^transport_disconnect: /);

  const refused = '{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"Authentication required"}}';
  assert.equal(nextStep(failed(refused, asked)), 'protocol_error: authenticate');
});

// ANCHOR: ledger
import { ErrorLedger, readiness, reclassifyHandshake } from 'ackguard';

const ledger = new ErrorLedger();

/** A failure during `initialize` or `session/new`: named anew, in place, and remembered. */
function onHandshakeFailure(server, error) {
  reclassifyHandshake(error, server);
  ledger.record(server, error);
}

/** Whether a turn may be submitted. */
function maySubmit(state, hasActiveTurn) {
  return readiness(state, hasActiveTurn) === 'ready';
}
// ANCHOR_END: ledger

test('the last error is remembered', () => {
  const error = failed(null, { timeout: 10, method: 'initialize' });
  onHandshakeFailure('helper', error);
  assert.equal(error.code, 'handshake_fail');
  assert.equal(ledger.lastError('helper').code, 'handshake_fail');
  assert.equal(ledger.lastError('other'), null);
  assert.ok(maySubmit('ready', false));
  assert.ok(!maySubmit('ready', true));
  assert.ok(!maySubmit('failed', false));
});
