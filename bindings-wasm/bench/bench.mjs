// make bench-wasm   ratios against what JavaScript has itself, in one run; a bound that does not hold fails it.

import { join } from 'node:path';
import * as ackguard from 'ackguard';
import { here } from '../test/census.mjs';
import { launch, serve } from '../test/chromium.mjs';
import { total } from '../test/size.mjs';

/**
 * Nanoseconds per call: the best of many rounds, taken in turn so that neither has the quieter machine. A round is
 * shorter than what a busy machine gives at a time, or no round of them all would be undisturbed.
 */
function measure(calls) {
  const names = Object.keys(calls);
  const best = Object.fromEntries(names.map((name) => [name, Infinity]));
  const times = {};
  for (const name of names) {
    // As many calls as take 2 ms, by how many there are in 200 ms that this process had, however long that was.
    let count = 0;
    for (const start = process.cpuUsage(); process.cpuUsage(start).user < 200_000; count += 10) {
      for (let i = 0; i < 10; i++) calls[name]();
    }
    times[name] = Math.ceil(count / 100);
  }
  for (let round = 0; round < 100; round++) {
    for (const name of names) {
      globalThis.gc?.();
      // The collection has emptied the processor's caches.
      for (let i = 0; i < times[name]; i += 10) calls[name]();
      const start = process.hrtime.bigint();
      for (let i = 0; i < times[name]; i++) calls[name]();
      best[name] = Math.min(best[name], Number(process.hrtime.bigint() - start) / times[name]);
    }
  }
  return best;
}

const rows = [];
function row(what, value, bound, unit) {
  rows.push([
    what,
    `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`,
    `${bound} ${unit}`,
    value <= bound ? '' : '  MISSED',
  ]);
}

/** A payload whose JSON text has about so many bytes. */
function payload(bytes) {
  const base = { code: 4018, message: 'Blob not accessible', details: { reason: 'gone', trace_id: 'a1b2c3d4e5f6' } };
  const items = [];
  const length = () => JSON.stringify({ ...base, items }).length;
  while (length() + 90 < bytes) {
    items.push({
      name: `tool_${items.length}`,
      description: 'Reads a file of the workspace.',
      size: items.length * 3.5,
    });
  }
  return items.length > 0 ? { ...base, items } : { ...base, note: 'x'.repeat(Math.max(bytes - length(), 0)) };
}

const encoder = new TextEncoder();
let sink = 0;
{
  const [small, large] = [payload(200), payload(65_536)];
  const best = measure({
    small: () => {
      sink += ackguard.classify(small).kind.length;
    },
    large: () => {
      sink += ackguard.classify(large).kind.length;
    },
  });
  row('classify(object), an error of 200 B', best.small / 1000, 1, 'us');
  row('classify(object), an error of 64 KB', best.large / 1000, 1, 'us');
}
for (const [name, size] of [
  ['2 KB', 2048],
  ['64 KB', 65_536],
]) {
  const text = JSON.stringify(payload(size));
  const bytes = encoder.encode(text);
  const best = measure({
    ours: () => {
      sink += ackguard.classifyJson(bytes).kind.length;
    },
    parse: () => {
      sink += JSON.parse(text).code;
    },
  });
  row(`classifyJson(bytes) / JSON.parse(text), ${name}`, best.ours / best.parse, 1, 'x');
}
{
  const names = ['code-review', 'acme:code-review', 'mcp:tfrobot-tools:code-review', 'a', 'my-plugin:my-skill-2'];
  const kebab = '[a-z0-9]+(?:-[a-z0-9]+)*';
  const one = `(?=[^:]{1,64}(?::|$))${kebab}`;
  const pattern = new RegExp(
    `^(?:(?<user>${one})|(?<plugin>${one}):(?<skill>${one})|mcp:(?<server>[A-Za-z0-9_-]{1,64}):(?<of>${one}))$`,
  );
  const byHand = (name) => {
    const groups = pattern.exec(name)?.groups;
    if (groups === undefined) throw new Error('invalid');
    const { user, plugin, skill, server, of } = groups;
    if (user !== undefined) return Object.freeze({ raw: name, source: 'user', skill: user });
    if (plugin !== undefined) return Object.freeze({ raw: name, source: 'marketplace', plugin, skill });
    return Object.freeze({ raw: name, source: 'mcp', server, skill: of });
  };
  const best = measure({
    ours: () => {
      for (const name of names) sink += ackguard.parseSkillName(name).skill.length;
    },
    regex: () => {
      for (const name of names) sink += byHand(name).skill.length;
    },
  });
  row('parseSkillName / a hand-written regex', best.ours / best.regex, 3, 'x');
}
row('what a browser loads, gzip', total() / 1000, 90, 'KB');
{
  const server = await serve({ '/dist/': join(here, 'dist') });
  const browser = await launch();
  const page = await browser.newPage();
  const took = [];
  for (let i = 0; i < 8; i++) {
    await page.goto(server.origin);
    took.push(
      await page.evaluate(async () => {
        const { init } = await import('/dist/browser.js');
        const start = performance.now();
        await init();
        return performance.now() - start;
      }),
    );
  }
  await browser.close();
  server.close();
  // The first loads fill the caches.
  row('await init() in Chromium, warm', Math.min(...took.slice(2)), 20, 'ms');
}

const width = Math.max(...rows.map(([what]) => what.length));
console.log(`${''.padEnd(width)}    measured      bound`);
for (const [what, value, bound, missed] of rows) {
  console.log(`${what.padEnd(width)}  ${value.padStart(10)} ${bound.padStart(9)}${missed}`);
}
if (sink < 0) console.log(sink);
if (rows.some(([, , , missed]) => missed !== '')) process.exitCode = 1;
