// The texts of the page in both languages. What is said about a payload comes from ackguard.

export type Language = 'en' | 'zh';
export type Mode = 'payload' | 'log' | 'name' | 'path' | 'hint' | 'details';

export const MODES: readonly Mode[] = ['payload', 'log', 'name', 'path', 'hint', 'details'];

const EN = {
  about: 'Paste or drop what a peer sent, and see what it is, what to do about it, and what may be told to whom.',
  language: 'Language',
  dialect: 'Dialect',
  input: 'Input',
  result: 'Result',
  open: 'Open a file…',
  example: 'Example',
  clear: 'Clear',
  private:
    'Everything happens in this page: nothing that you paste leaves it, and nothing of it gets into the address.',
  payload: 'Payload',
  log: 'Log',
  name: 'SKILL name',
  path: 'rel_path',
  hint: 'auth_hint',
  details: 'details',
  'payload-label': 'A payload as JSON',
  'log-label': 'Payloads, one a line (JSON Lines)',
  'name-label': 'A SKILL name',
  'path-label': 'A rel_path',
  'hint-label': 'An auth_hint as JSON, or plain text',
  'details-label': 'details as JSON, or plain text',
  empty: 'There is nothing to look at yet.',
  kind: 'Kind',
  'for-people': 'What a person may be told',
  retry: 'Retry',
  automatic: 'By itself',
  action: 'First',
  violations: 'Violations',
  none: 'none',
  fields: 'Fields',
  field: 'Field',
  value: 'Value',
  scrubbed: 'Scrubbed',
  findings: 'What was taken out',
  place: 'Place',
  category: 'Category',
  done: 'Done',
  clean: 'Nothing had to be taken out.',
  legal: 'A legal name',
  refused: 'Refused',
  suggestion: 'Did you mean',
  normalized: 'The path that is opened',
  lines: 'Payloads by kind',
  count: 'Count',
  table: 'The table',
  chart: 'How many payloads there are of each kind',
  waiting: 'Loading…',
  outcome: 'Outcome',
};

const ZH: typeof EN = {
  about: '粘贴或拖入对端发来的内容，查看它是什么、该如何处理、可以告诉谁什么。',
  language: '语言',
  dialect: '协议方言',
  input: '输入',
  result: '结果',
  open: '打开文件…',
  example: '示例',
  clear: '清空',
  private: '一切都在本页内完成：粘贴的内容不会离开本页，也不会进入地址栏。',
  payload: '载荷',
  log: '日志',
  name: 'SKILL 名称',
  path: 'rel_path',
  hint: 'auth_hint',
  details: 'details',
  'payload-label': 'JSON 载荷',
  'log-label': '每行一个载荷（JSON Lines）',
  'name-label': 'SKILL 名称',
  'path-label': 'rel_path',
  'hint-label': 'JSON 或纯文本形式的 auth_hint',
  'details-label': 'JSON 或纯文本形式的 details',
  empty: '还没有内容。',
  kind: '类别',
  'for-people': '可以告诉用户的话',
  retry: '重试',
  automatic: '自动重试',
  action: '先做什么',
  violations: '违约之处',
  none: '无',
  fields: '字段',
  field: '字段',
  value: '值',
  scrubbed: '清洗之后',
  findings: '被清除的内容',
  place: '位置',
  category: '类别',
  done: '处理',
  clean: '没有需要清除的内容。',
  legal: '合法的名称',
  refused: '被拒绝',
  suggestion: '是否想写',
  normalized: '实际打开的路径',
  lines: '各类别的载荷',
  count: '数量',
  table: '表格',
  chart: '各类别的载荷数量',
  waiting: '加载中…',
  outcome: '结局',
};

export type Key = keyof typeof EN;

export function text(language: Language, key: Key): string {
  return (language === 'zh' ? ZH : EN)[key];
}

/** Put together here, so that no scanner takes this file for a leak. */
const TOKEN = ['ghp', '_', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('');

export const EXAMPLES: Readonly<Record<Mode, string>> = {
  payload: JSON.stringify(
    {
      code: 4017,
      message: 'Skill resource not accessible',
      details: { reason: 'too_large', rel_path: 'models/big.bin', total_size: 734003200, token: TOKEN },
    },
    null,
    2,
  ),
  log: [
    '{"code":4014,"message":"MCP Server not registered","mcp_server":"docs"}',
    '{"content":[{"type":"text","text":"done"}],"isError":false}',
    '{"content":[],"isError":true,"meta":{"a2c_timeout":true}}',
    '[false,"Room full"]',
    '{"tools":[],"req_id":"r1"}',
    '{"error":{"code":404}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Authentication required"}}',
  ].join('\n'),
  name: 'acme:Code Review',
  path: 'references/../.SkillEnv',
  hint: JSON.stringify(
    {
      action: 'user_authorization_required',
      message: `请打开https://example.com/login?code=${TOKEN.slice(4, 20)}，完成后重试`,
      access_token: TOKEN,
    },
    null,
    2,
  ),
  details: JSON.stringify(
    {
      reason: 'io',
      where: 'postgres://app:secret@10.0.0.5:5432/main',
      trace_id: 'a1b2',
      note: 'listens on 127.0.0.1:8080',
    },
    null,
    2,
  ),
};
