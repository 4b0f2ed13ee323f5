// What is shown of each kind of input. Nothing is shown of a payload but what has been scrubbed.

import {
  type Classified,
  checkRelPath,
  classify,
  classifyJson,
  type Dialect,
  type Finding,
  isSkillNameError,
  isSkillResourceError,
  logFields,
  parseSkillName,
  publicMessage,
  scrubAuthHint,
  scrubDetails,
  suggestSkillName,
  Tally,
} from 'ackguard';
import { el, svg } from './dom.js';
import { type Key, type Language, type Mode, text } from './texts.js';

export interface Settings {
  readonly language: Language;
  readonly dialect: Dialect;
}

/** The lines of a log that are looked at; the rest is too much for a page. */
const MOST_LINES = 200_000;

export function show(mode: Mode, input: string, settings: Settings): HTMLElement[] {
  const t = (key: Key): string => text(settings.language, key);
  if (input.trim() === '' && mode !== 'path') return [el('p', {}, t('empty'))];
  switch (mode) {
    case 'payload':
      return payload(input, settings);
    case 'log':
      return log(input, settings);
    case 'name':
      return name(input, settings);
    case 'path':
      return path(input, settings);
    case 'hint':
      return scrubbed(scrubAuthHint(parsed(input)), t);
    case 'details':
      return scrubbed(scrubDetails(parsed(input)), t);
  }
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

function heading(title: string): HTMLElement {
  return el('h3', {}, title);
}

function badge(kind: string): HTMLElement {
  return el('strong', { class: `badge kind-${kind}`, 'data-kind': kind }, kind);
}

function rows(head: readonly [string, string], entries: Iterable<readonly [string, string]>): HTMLElement {
  const body = Array.from(entries, ([key, value]) =>
    el('tr', {}, el('th', { scope: 'row' }, key), el('td', {}, marked(value))),
  );
  return el(
    'table',
    { tabindex: '0' },
    el('thead', {}, el('tr', {}, ...head.map((title) => el('th', { scope: 'col' }, title)))),
    el('tbody', {}, body),
  );
}

/** What the scrubber writes where something stood. */
const REMOVED = /\[(?:redacted|truncated|removed)[^\]]*\]/g;

/** A text in which every place where something was taken out is highlighted. */
function marked(value: string): Node[] {
  const nodes: Node[] = [];
  let from = 0;
  for (const match of value.matchAll(REMOVED)) {
    nodes.push(document.createTextNode(value.slice(from, match.index)), el('mark', {}, match[0]));
    from = match.index + match[0].length;
  }
  nodes.push(document.createTextNode(value.slice(from)));
  return nodes;
}

type Drawn = (Node | string)[];

/**
 * A clean value as JSON, with everything that was found highlighted where it stood: what was taken out of a text,
 * a text that was cut, and a member that is gone.
 */
function drawn(value: unknown, findings: readonly Finding[], path: string, indent: string): Drawn {
  const here = findings.filter((finding) => finding.path === path && finding.action !== 'removed');
  if (typeof value === 'string') {
    const text = JSON.stringify(value);
    if (here.length === 0 || text.search(REMOVED) >= 0) return marked(text);
    return [el('mark', { title: here.map((finding) => finding.category).join(', ') }, text)];
  }
  if (typeof value !== 'object' || value === null)
    return here.length > 0 ? [el('mark', {}, shown(value))] : [shown(value)];
  const isList = Array.isArray(value);
  const deeper = `${indent}  `;
  const lines = Object.entries(value).map(([name, inner]): Drawn => {
    const below = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [...(isList ? [] : [...marked(JSON.stringify(name)), ': ']), ...drawn(inner, findings, below, deeper)];
  });
  for (const finding of findings) {
    const at = finding.path.lastIndexOf('/');
    if (finding.action !== 'removed' || at < 0 || finding.path.slice(0, at) !== path) continue;
    const name = finding.path
      .slice(at + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    lines.push([el('mark', { title: finding.category }, el('del', {}, JSON.stringify(name)))]);
  }
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (lines.length === 0) return [open + close];
  const joined = lines.flatMap((line, index): Drawn => [index > 0 ? ',\n' : '\n', deeper, ...line]);
  return [open, ...joined, `\n${indent}`, close];
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner), 2) ?? '';
}

/** A text as the scrubber leaves it. */
function safe(value: string): string {
  return shown(scrubDetails(value).value);
}

function advice(retry: Classified['retry'], t: (key: Key) => string): HTMLElement[] {
  if (retry === null) return [];
  return [
    heading(t('retry')),
    el(
      'p',
      {},
      `${t('automatic')}: `,
      el('code', {}, retry.automatic),
      ` · ${t('action')}: `,
      el('code', {}, retry.action),
    ),
  ];
}

function violations(list: readonly string[], t: (key: Key) => string): HTMLElement[] {
  if (list.length === 0) return [];
  return [
    heading(t('violations')),
    el(
      'ul',
      {},
      list.map((violation) => el('li', {}, el('code', {}, violation))),
    ),
  ];
}

function payload(input: string, settings: Settings): HTMLElement[] {
  const t = (key: Key): string => text(settings.language, key);
  const classified = classifyJson(input, { dialect: settings.dialect });
  const out: HTMLElement[] = [el('p', {}, `${t('kind')}: `, badge(classified.kind))];
  switch (classified.kind) {
    case 'error': {
      const fields = Object.entries(logFields(classified.error)).map(([key, value]) => [key, shown(value)] as const);
      out.push(
        heading(t('for-people')),
        el('p', { class: 'people', lang: settings.language }, publicMessage(classified.error, settings.language)),
        ...advice(classified.retry, t),
        ...violations(classified.violations, t),
        heading(t('fields')),
        rows([t('field'), t('value')], fields),
      );
      const { details } = classified.error;
      if (details !== undefined) out.push(...scrubbed(scrubDetails(details), t));
      return out;
    }
    case 'tool_result': {
      const { outcome, errorCode, mcpServer, authHint, findings, cancelReason } = classified.toolResult;
      const fields: [string, string][] = [[t('outcome'), outcome]];
      if (errorCode !== undefined) fields.push(['error_code', String(errorCode)]);
      if (mcpServer !== undefined) fields.push(['mcp_server', safe(mcpServer)]);
      if (cancelReason !== undefined) fields.push(['cancel_reason', safe(cancelReason)]);
      out.push(rows([t('field'), t('value')], fields), ...advice(classified.retry, t));
      if (authHint !== undefined) out.push(...scrubbed({ value: authHint, findings }, t));
      return [...out, ...violations(classified.violations, t)];
    }
    case 'event_result': {
      const { ok, message } = classified.eventResult;
      const fields: [string, string][] = [['ok', String(ok)]];
      if (message !== undefined) fields.push(['message', safe(message)]);
      return [...out, rows([t('field'), t('value')], fields), ...violations(classified.violations, t)];
    }
    case 'rpc_error': {
      const fields = Object.entries(classified.rpcError).map(([key, value]) => [key, safe(shown(value))] as const);
      return [...out, rows([t('field'), t('value')], fields), ...advice(classified.retry, t)];
    }
    case 'malformed_error':
      return [...out, ...violations(classified.violations, t)];
    case 'none':
    case 'data':
    case 'invalid':
      return out;
  }
}

function scrubbed(
  { value, findings }: { readonly value: unknown; readonly findings: readonly Finding[] },
  t: (key: Key) => string,
): HTMLElement[] {
  const out: HTMLElement[] = [
    heading(t('scrubbed')),
    el('pre', { tabindex: '0' }, drawn(value, findings, '', '')),
    heading(t('findings')),
  ];
  if (findings.length === 0) return [...out, el('p', {}, t('clean'))];
  const body = findings.map((finding) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, el('code', {}, finding.path || '/')),
      el('td', {}, finding.category),
      el('td', {}, el('mark', {}, finding.action)),
    ),
  );
  const head = [t('place'), t('category'), t('done')].map((title) => el('th', { scope: 'col' }, title));
  return [...out, el('table', { tabindex: '0' }, el('thead', {}, el('tr', {}, head)), el('tbody', {}, body))];
}

function name(input: string, settings: Settings): HTMLElement[] {
  const t = (key: Key): string => text(settings.language, key);
  const options = { dialect: settings.dialect };
  try {
    const fields = Object.entries(parseSkillName(input, options)).map(([key, value]) => [key, String(value)] as const);
    return [el('p', {}, badge('data'), ` ${t('legal')}`), rows([t('field'), t('value')], fields)];
  } catch (error) {
    if (!isSkillNameError(error)) throw error;
    const [start, end] = error.span;
    const context = 80;
    const suggestion = suggestSkillName(input, options);
    return [
      el('p', {}, badge('error'), ` ${t('refused')}: `, el('code', {}, error.reason)),
      el(
        'pre',
        { class: 'underlined', tabindex: '0' },
        input.slice(Math.max(start - context, 0), start),
        el('mark', {}, input.slice(start, Math.min(end, start + context)) || '∅'),
        input.slice(end, end + context),
      ),
      el('p', { lang: 'en' }, error.message),
      ...(suggestion === null ? [] : [el('p', {}, `${t('suggestion')}: `, el('code', {}, suggestion))]),
    ];
  }
}

function path(input: string, settings: Settings): HTMLElement[] {
  const t = (key: Key): string => text(settings.language, key);
  try {
    const normalized = checkRelPath(input, { credentials: true });
    return [el('p', {}, badge('data'), ` ${t('normalized')}: `, el('code', {}, normalized || '.'))];
  } catch (error) {
    if (!isSkillResourceError(error)) throw error;
    return [
      el('p', {}, badge('error'), ` ${t('refused')}: `, el('code', {}, error.reason)),
      el('p', { lang: 'en' }, error.message),
      el('p', { class: 'people', lang: settings.language }, publicMessage(error, settings.language)),
    ];
  }
}

/** A line of a recording, `{"event": ..., "ack": ...}`, or a payload by itself. */
function recorded(line: string, { dialect }: Settings): Classified {
  const value = parsed(line);
  const isRecord = typeof value === 'object' && value !== null && 'event' in value && 'ack' in value;
  return isRecord ? classify(value.ack, { dialect }) : classifyJson(line, { dialect });
}

function log(input: string, settings: Settings): HTMLElement[] {
  const t = (key: Key): string => text(settings.language, key);
  const tally = new Tally();
  let lines = 0;
  for (const line of input.split('\n')) {
    if (line.trim() === '') continue;
    if (++lines > MOST_LINES) break;
    tally.add(line.includes('"ack"') ? recorded(line, settings) : classifyJson(line, { dialect: settings.dialect }));
  }
  const kinds = Object.entries((tally.toJSON().kinds ?? {}) as Record<string, number>);
  return [
    heading(t('lines')),
    chart(kinds, t('chart')),
    rows(
      [t('kind'), t('count')],
      kinds.map(([kind, count]) => [kind, String(count)] as const),
    ),
    heading(t('table')),
    el('pre', { class: 'table', tabindex: '0', lang: 'en' }, tally.toString()),
  ];
}

function chart(kinds: readonly (readonly [string, number])[], title: string): Element & HTMLElement {
  const most = Math.max(1, ...kinds.map(([, count]) => count));
  const height = kinds.length * 28;
  const bars = kinds.flatMap(([kind, count], index) => {
    const y = index * 28;
    const label = svg('text', { x: '0', y: String(y + 18), class: 'label' });
    label.textContent = kind;
    const width = Math.max(2, Math.round((count / most) * 280));
    const bar = svg('rect', {
      x: '130',
      y: String(y + 5),
      width: String(width),
      height: '18',
      rx: '3',
      class: `bar kind-${kind}`,
    });
    const number = svg('text', { x: String(136 + width), y: String(y + 18), class: 'label' });
    number.textContent = String(count);
    return [label, bar, number];
  });
  const caption = svg('title', {});
  caption.textContent = title;
  const picture = svg(
    'svg',
    { viewBox: `0 0 460 ${height}`, role: 'img', 'aria-label': title, class: 'chart' },
    caption,
    ...bars,
  );
  return el('figure', {}, picture);
}
