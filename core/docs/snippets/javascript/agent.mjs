import assert from 'node:assert/strict';
import { test } from 'node:test';
// ANCHOR: ack
import { classify, publicMessage } from 'ackguard';

/** What the agent does next, in words. */
function onAck(ack) {
  const payload = classify(ack);
  switch (payload.kind) {
    case 'error': {
      const { automatic, action } = payload.retry;
      if (automatic === 'once') return `${action}, then try once more`;
      if (automatic === 'optional') return `${action}, if the call may be repeated`;
      return publicMessage(payload.error);
    }
    case 'tool_result': {
      const { outcome, authHint } = payload.toolResult;
      if (outcome === 'completed') return 'use the content';
      if (outcome === 'authorization_required' || outcome === 'authorization_failed') {
        // The hint has been scrubbed on the way: there is no secret left to show.
        return authHint ? JSON.stringify(authHint) : 'show the ready hint';
      }
      return `tell the model: ${outcome}`;
    }
    case 'rpc_error':
    case 'malformed_error':
    case 'invalid':
      return 'report the peer, use nothing of it';
    default:
      return 'use the answer';
  }
}
// ANCHOR_END: ack

test('an ack says what to do', () => {
  const missing = { code: 4014, message: 'no such server', mcp_server_name: 'docs' };
  assert.equal(onAck(missing), 'refresh_servers, then try once more');
  assert.equal(onAck({ code: 500, message: 'db at 10.0.0.7' }), 'backoff, if the call may be repeated');
  assert.equal(onAck({ code: 4101, message: 'Room full: sk-internal' }), 'Another agent is already in this room.');
  assert.equal(onAck({ content: [], isError: false }), 'use the content');
  const meta = { error_code: 4006, mcp_server: 'mail', auth_hint: { message: 'Sign in', access_token: 's3cr3t' } };
  assert.equal(onAck({ content: [], isError: true, meta }), '{"message":"Sign in"}');
  const cancelled = { content: [], isError: true, meta: { a2c_cancelled: true } };
  assert.equal(onAck(cancelled), 'tell the model: cancelled');
  assert.equal(onAck({ error: { code: 4014, message: 'wrapped' } }), 'report the peer, use nothing of it');
  assert.equal(onAck({ tools: [] }), 'use the answer');
});

import { logFields } from 'ackguard';

test('a log gets no secret', () => {
  const { error } = classify({ code: 403, message: 'denied', details: { token: 's3cr3t', room: 'r1' } });
  // ANCHOR: log
  // For people: a fixed sentence, in their language, with nothing of the payload's.
  const shown = publicMessage(error, 'zh-CN');
  // For the log: everything, flat, without what is secret.
  const logged = logFields(error);
  // ANCHOR_END: log
  assert.match(shown, /\p{Script=Han}/u);
  assert.equal(logged.error_code, 403);
  assert.ok(!JSON.stringify(logged).includes('s3cr3t'));
});
