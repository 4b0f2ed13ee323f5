// The shared cases through the public API, in whatever runtime this is: test/node.test.mjs hands in Node's entry,
// test/chromium.test.mjs the browser's. tests/vectors/README.md says what each operation is.

/** Node and browsers have no file system in this package. */
export const SPARED = 'rel_paths_fs';

/** A whole vector file from its text. JSON.parse would round what does not fit a double. */
export function parseFile(text) {
  const kept = text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) =>
    token[0] === '"' ? token : `{"$integer":"${token}"}`,
  );
  const file = JSON.parse(kept, (_, value) =>
    value !== null && typeof value === 'object' && typeof value.$integer === 'string' ? BigInt(value.$integer) : value,
  );
  const tokens = Object.entries(file.tokens ?? {}).map(([name, parts]) => [`{{${name}}}`, parts.join('')]);
  file.cases = putIn(file.cases, tokens);
  return file;
}

function putIn(value, tokens) {
  if (typeof value === 'string') return tokens.reduce((text, [mark, token]) => text.replaceAll(mark, token), value);
  if (Array.isArray(value)) return value.map((item) => putIn(item, tokens));
  if (value === null || typeof value !== 'object') return value;
  const object = {};
  for (const [name, inner] of Object.entries(value)) define(object, putIn(name, tokens), putIn(inner, tokens));
  return object;
}

function define(object, name, value) {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}

/** Runs the files, given as `{name: text}`; answers with the ids that were run, and what is wrong. */
export function runAll(ackguard, texts) {
  const ran = [];
  const problems = [];
  for (const [name, text] of Object.entries(texts)) {
    for (const { id, input, expect } of parseFile(text).cases) {
      const fields = new Fields(input);
      let answer;
      try {
        answer = operate(ackguard, name, fields);
        const rest = fields.rest();
        if (rest.length > 0) throw new Unknown(`does not know the input ${rest}`);
      } catch (error) {
        problems.push(`${id}: ${error instanceof Unknown ? error.message : (error?.stack ?? error)}`);
        if (!(error instanceof Unknown)) ran.push(id);
        continue;
      }
      ran.push(id);
      const wrong = compare(answer, expect);
      if (wrong.length > 0) problems.push(`${id}: ${wrong.join('; ')}`);
    }
  }
  return { ran, problems };
}

/** One line of `make agree`, `{"file", "input"}`, answered as the runner answers a case. */
export function answerLine(ackguard, line) {
  const { cases } = parseFile(`{"cases":[${line}]}`);
  try {
    return { answer: operate(ackguard, cases[0].file, new Fields(cases[0].input)) };
  } catch (error) {
    return { not_run: String(error?.message ?? error) };
  }
}

class Unknown extends Error {}

class Fields {
  #fields;
  constructor(fields) {
    this.#fields = { ...fields };
  }
  take(name) {
    const value = this.#fields[name];
    delete this.#fields[name];
    return value;
  }
  needed(name) {
    const value = this.take(name);
    if (value === undefined) throw new Unknown(`needs the input ${name}`);
    return value;
  }
  rest() {
    return Object.keys(this.#fields);
  }
}

function compare(answer, expect) {
  const wrong = [];
  for (const [field, expected] of Object.entries(expect)) {
    const actual = answer[field];
    if ((field === 'must_contain' || field === 'must_not_contain') && actual === undefined) {
      for (const part of expected) {
        const wanted = field === 'must_contain';
        const findings = JSON.stringify(answer.findings);
        if (answer.text.includes(part) !== wanted || (!wanted && findings.includes(part))) {
          wrong.push(`${field} ${JSON.stringify(part)}: ${answer.text}, findings ${findings}`);
        }
      }
    } else if (field === '0.2' || field === '0.3') {
      wrong.push(...compare(actual, expected).map((it) => `in ${field} ${it}`));
    } else if (!(field in answer)) {
      wrong.push(`does not know the expectation ${field}`);
    } else if (!same(actual, expected)) {
      wrong.push(`${field} is ${shown(actual)}, not ${shown(expected)}`);
    }
  }
  return wrong;
}

const shown = (value) => JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner));

/** Equal as JSON values; a number and a bigint are when they are one number. */
export function same(a, b) {
  if (a === undefined) a = null;
  if (typeof a === 'bigint' || typeof b === 'bigint') {
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are never identical
    return typeof a !== 'string' && typeof b !== 'string' && a == b;
  }
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
  );
}

function operate(ackguard, file, input) {
  const op = input.take('op');
  const operation = OPERATIONS[op === undefined ? file : `${file}, ${op}`];
  if (operation === undefined) throw new Unknown(`${file}: does not know the operation ${op}`);
  return operation(ackguard, input);
}

const dialectOf = (input) => {
  const dialect = input.take('dialect');
  return dialect === undefined ? {} : { dialect };
};

/** A classified payload under the names of the wire, whatever its kind. */
function told(classified) {
  const { kind, violations, retry } = classified;
  const answer = {};
  for (const name of (
    'auth_hint cancel_reason capability client_version code details error_code extra findings id known max_supported ' +
    'mcp_server message min_supported name ok outcome problem raw_details reason rpc_code server server_version total_size trace_id'
  ).split(' ')) {
    answer[name] = null;
  }
  for (const part of ['error', 'toolResult', 'eventResult', 'rpcError']) {
    for (const [name, value] of Object.entries(classified[part] ?? {})) {
      answer[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value;
    }
  }
  return { ...answer, kind, violations, retry };
}

/** Whether every number of a JSON text is one that JavaScript writes the same way. */
function survives(text) {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)) {
    if (token[0] !== '"' && String(Number(token)) !== token) return false;
  }
  return true;
}

/** The refusal that `call` throws, as an answer; anything else that it throws is no answer. */
function refusal(ackguard, call, answer) {
  try {
    return call();
  } catch (error) {
    if (!ackguard.isAckguardError(error)) throw error;
    return answer(error);
  }
}

const refused = (error) => ({ error: error.code, reason: error.reason, segment: error.segment });

function scrubbed(scrub, value) {
  const once = scrub(value);
  const again = scrub(once.value);
  if (!same(again.value, once.value) || again.findings.length > 0)
    throw new Error('scrubbing what came out changes it');
  return {
    text: JSON.stringify(once.value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner)),
    value: once.value,
    findings: once.findings,
    clean: once.findings.length === 0,
    idempotent: true,
  };
}

function handshakeSaid(ackguard, said) {
  if (said === null) return { version_mismatch: false, code: null };
  const mismatch = ackguard.isVersionMismatch(said);
  const payload = mismatch ? said.payload : said;
  const answer = { version_mismatch: mismatch, code: payload.code, message: payload.message };
  if (!mismatch) return answer;
  return {
    ...answer,
    message: said.serverMessage,
    server_version: said.serverVersion,
    client_version: said.clientVersion,
    min_supported: said.minSupported,
    max_supported: said.maxSupported,
  };
}

function acpError(ackguard, described) {
  const fields = new Fields(described);
  const kind = fields.needed('kind');
  const details = fields.take('details');
  const make = {
    client: () => new ackguard.AcpClientError('m', { code: fields.needed('code'), details }),
    server_not_found: () => new ackguard.AcpServerNotFound(fields.needed('name'), { details }),
    rpc: () =>
      new ackguard.AcpRpcError({
        rpcCode: fields.needed('rpc_code'),
        rpcMessage: fields.needed('rpc_message'),
        data: fields.take('data'),
        details,
      }),
    interaction: () =>
      new ackguard.AcpInteractionRequiredError({
        server: fields.needed('server'),
        method: fields.needed('method'),
        prompt: fields.take('prompt'),
        options: fields.take('options'),
        details,
      }),
  }[kind];
  if (make === undefined) throw new Unknown(`does not know the error ${kind}`);
  const error = make();
  if (fields.rest().length > 0) throw new Unknown(`does not know the error's ${fields.rest()}`);
  return error;
}

const acpTold = (error) => ({
  ok: false,
  kind: error.kind,
  code: error.errorCode,
  details: error.details,
  message: error.message,
  rpc_code: error.rpcCode,
  rpc_message: error.rpcMessage,
  data: error.data,
});

const OPERATIONS = {
  payloads(ackguard, input) {
    const options = dialectOf(input);
    const text = input.needed('json');
    const answer = told(ackguard.classifyJson(text, options));
    const bytes = told(ackguard.classifyJson(new TextEncoder().encode(text), options));
    if (!same(answer, bytes)) throw new Error(`as text ${shown(answer)}, as bytes ${shown(bytes)}`);
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      return answer;
    }
    // What the core refuses, JavaScript's parser may take: an escaped lone surrogate.
    if (answer.kind === 'invalid') return answer;
    const parsed = told(ackguard.classify(value, options));
    if (parsed.kind !== answer.kind) throw new Error(`as text ${answer.kind}, as a value ${parsed.kind}`);
    if (survives(text) && !same(answer, parsed))
      throw new Error(`as text ${shown(answer)}, as a value ${shown(parsed)}`);
    return answer;
  },
  'payloads, ack_args': (ackguard, input) => told(ackguard.classifyAckArgs(input.needed('args'), dialectOf(input))),
  'payloads, build'(ackguard, input) {
    const options = dialectOf(input);
    const fields = { ...input.take('fields') };
    const details = input.take('details');
    if (details !== undefined) fields.details = details;
    const error = ackguard.errorPayload(input.needed('code'), input.needed('message'), fields, options);
    return { payload: ackguard.toPayload(error, options) };
  },
  'payloads, public_message'(ackguard, input) {
    const { error } = ackguard.classifyJson(input.needed('json'));
    return { message: ackguard.publicMessage(error, input.needed('locale')) };
  },
  'payloads, guard'(ackguard, input) {
    const { value, findings } = ackguard.guardToolResult(input.needed('result'));
    return { value, paths: findings.map((finding) => finding.path).sort() };
  },
  'payloads, cancelled_result': (ackguard, input) =>
    told(ackguard.classify(ackguard.cancelledResult(input.take('reason')))),
  'payloads, timeout_result': (ackguard) => told(ackguard.classify(ackguard.timeoutResult())),
  'payloads, auth_error_result'(ackguard, input) {
    let made;
    try {
      made = ackguard.authErrorResult(input.needed('mcp_server'), input.needed('code'), input.take('hint'));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { error: 'not_an_authorization_code' };
    }
    return told(ackguard.classify(made));
  },

  skill_names(ackguard, input) {
    const name = input.needed('name');
    const parsed = (dialect) =>
      refusal(
        ackguard,
        () => {
          const { source, skill, plugin, server, hint, raw } = ackguard.parseSkillName(name, { dialect });
          if (raw !== name || !ackguard.isValidSkillName(name, { dialect })) throw new Error('not the name it was');
          return { source, skill, plugin, server, hint };
        },
        (error) => {
          if (ackguard.isValidSkillName(name, { dialect })) throw new Error('refused, and yet valid');
          return { ...refused(error), underlined: name.slice(...error.span) };
        },
      );
    return { 0.2: parsed('0.2'), 0.3: parsed('0.3') };
  },
  'skill_names, build'(ackguard, input) {
    const options = dialectOf(input);
    const [skill, plugin, server] = [input.needed('skill'), input.take('plugin'), input.take('server')];
    return refusal(
      ackguard,
      () => {
        if (plugin !== undefined) return { ok: ackguard.marketplaceSkillName(plugin, skill) };
        if (server !== undefined) return { ok: ackguard.mcpSkillName(server, skill, options) };
        return { ok: ackguard.userSkillName(skill) };
      },
      refused,
    );
  },
  'skill_names, suggest': (ackguard, input) => ({
    suggestion: ackguard.suggestSkillName(input.needed('text'), dialectOf(input)),
  }),

  rel_paths(ackguard, input) {
    const options = { forbid: input.take('forbid'), credentials: input.take('credentials') };
    const path = input.take('rel_path');
    return refusal(ackguard, () => ({ ok: ackguard.checkRelPath(path, options) }), refused);
  },
  'blobs, check': (ackguard, input) =>
    refusal(
      ackguard,
      () => ({ ok: true, ...ackguard.checkBlobRange(input.needed('chunk_offset'), input.needed('total_size')) }),
      refused,
    ),
  'blobs, clamp': (ackguard, input) =>
    refusal(
      ackguard,
      () => ({
        ok: true,
        ...ackguard.clampChunk(
          input.needed('chunk_offset'),
          input.needed('total_size'),
          input.needed('wanted'),
          input.needed('cap'),
        ),
      }),
      refused,
    ),

  authorization(ackguard, input) {
    const text = input.take('text');
    if (text !== undefined) return { code: ackguard.decideAuthorizationFromText(text) };
    return {
      code: ackguard.decideAuthorization({
        httpStatus: input.take('http_status'),
        wwwAuthenticate: input.take('www_authenticate'),
        oauthError: input.take('oauth_error'),
        credential: input.take('credential'),
        event: input.take('event'),
        providerFault: input.take('provider_fault'),
      }),
    };
  },
  auth_hints(ackguard, input) {
    const options = { strict: input.take('strict') };
    const hint = input.needed('hint');
    const answer = scrubbed((value) => ackguard.scrubAuthHint(value, options), hint);
    return answer;
  },
  details: (ackguard, input) => scrubbed(ackguard.scrubDetails, input.needed('details')),

  versions(ackguard, input) {
    const version = input.take('version');
    if (version === undefined) {
      const client = new ackguard.ProtocolVersion(input.needed('client'));
      return { compatible: client.isCompatibleWith(input.needed('server')) };
    }
    return refusal(
      ackguard,
      () => ({ ok: true, text: String(new ackguard.ProtocolVersion(version)) }),
      (error) => ({ ok: false, reason: error.reason }),
    );
  },
  handshake: (ackguard, input) =>
    handshakeSaid(
      ackguard,
      ackguard.parseHandshakeFailure(input.needed('status'), input.needed('headers'), input.needed('body')),
    ),
  'handshake, text': (ackguard, input) => handshakeSaid(ackguard, ackguard.parseHandshakeText(input.needed('text'))),
  'handshake, check'(ackguard, input) {
    const refusal = ackguard.checkHandshake(input.needed('query'), input.needed('server'));
    if (refusal === null) return { accepted: true };
    return { accepted: false, status: refusal.status, headers: refusal.headers, body: JSON.parse(refusal.body) };
  },
  'handshake, ws_close': (ackguard, input) => ({ close: ackguard.classifyWsClose(input.needed('code')) }),

  'acp, reclassify'(ackguard, input) {
    const error = acpError(ackguard, input.needed('error'));
    const counts = ackguard.reclassifyHandshake(error, input.needed('server'));
    return { ...acpTold(error), counts, handshake: ackguard.isHandshakeFailure(error) };
  },
  'acp, retry': (ackguard, input) => ackguard.retryAdvice(acpError(ackguard, input.needed('error'))),
  'acp, records_last_error': (ackguard, input) => ({
    recorded: ackguard.recordsLastError(acpError(ackguard, input.needed('error'))),
  }),
  'acp, missing_details': (ackguard, input) => ({
    missing: ackguard.missingDetails(acpError(ackguard, input.needed('error'))),
  }),
  'acp, readiness': (ackguard, input) => ({
    readiness: ackguard.readiness(input.needed('state'), input.needed('has_active_turn')),
  }),
  'acp, rpc_code_name': (ackguard, input) => ({ name: ackguard.rpcCodeName(input.needed('code')) }),
  'acp, response'(ackguard, input) {
    const error = ackguard.classifyFailure(input.take('line'), {
      expectedId: input.take('expected_id'),
      exitCode: input.take('exit_code'),
      ioError: input.take('io_error'),
      timeout: input.take('timeout'),
      interaction: input.take('interaction'),
      server: input.take('server'),
      method: input.take('method'),
    });
    return error === null ? { ok: true } : acpTold(error);
  },
  'acp, config': (ackguard, input) =>
    refusal(
      ackguard,
      () => {
        ackguard.parseConfig(input.needed('json'), input.take('env'));
        return { ok: true };
      },
      (error) => ({
        ok: false,
        code: error.code,
        problems: error.details.problems.map(({ server = null, field }) => [server, field]),
      }),
    ),
  'acp, initialize_result': (ackguard, input) =>
    refusal(
      ackguard,
      () => ({ ok: true, protocol_version: ackguard.checkInitializeResult(input.needed('result')) }),
      acpTold,
    ),
  'acp, session_result': (ackguard, input) =>
    refusal(ackguard, () => ({ ok: true, session_id: ackguard.checkSessionResult(input.needed('result')) }), acpTold),
  'acp, method_not_found_reply': (ackguard, input) => ({
    reply: JSON.parse(ackguard.methodNotFoundReply(input.needed('id'), input.needed('method'))),
  }),
  'acp, ledger'(ackguard, input) {
    const ledger = new ackguard.ErrorLedger();
    const recorded = [];
    const last = {};
    for (const described of input.needed('steps')) {
      const step = new Fields(described);
      const server = step.needed('server');
      last[server] = null;
      switch (step.needed('do')) {
        case 'record':
          recorded.push(ledger.record(server, acpError(ackguard, step.needed('error')), step.needed('now_ms')));
          break;
        case 'reset':
          ledger.reset(server);
          break;
        case 'success':
          break;
        default:
          throw new Unknown('does not know the step');
      }
      if (step.rest().length > 0) throw new Unknown(`does not know the step's ${step.rest()}`);
    }
    for (const server of Object.keys(last)) {
      const error = ledger.lastError(server);
      if (error !== null) last[server] = { code: error.code, at_ms: Date.parse(error.at) };
    }
    return { recorded, last };
  },
};
