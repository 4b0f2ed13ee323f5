// The playground in a real browser: typed into, dropped onto, read, photographed, and looked at by axe.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { here, target } from './census.mjs';
import { launch, serve } from './chromium.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SECRET = ['ghp', '_', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('');
const pictures = join(target, 'npm', 'screenshots');

let browser;
let server;
before(async () => {
  mkdirSync(pictures, { recursive: true });
  // Below a path of its own, as a project's page would be.
  server = await serve({ '/some/where/': join(here, 'playground', 'dist') }, {});
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

async function open(options = {}) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  page.problems = [];
  page.requests = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
  page.on('request', (request) => page.requests.push(request.url()));
  await page.goto(`${server.origin}/some/where/`);
  await page.getByText('There is nothing to look at yet.').or(page.getByText('还没有内容。')).waitFor();
  return page;
}

async function close(page) {
  assert.deepEqual(page.problems, []);
  for (const url of page.requests) {
    assert.ok(url.startsWith(`${server.origin}/some/where/`) || url.startsWith('data:'), `asked for ${url}`);
  }
  assert.equal(new URL(page.url()).search + new URL(page.url()).hash, '');
  await page.context().close();
}

/** The text of the result, once it holds what is waited for. */
async function result(page, text) {
  await page.locator('#out').getByText(text).first().waitFor({ timeout: 5000 });
  return page.locator('#out').textContent();
}

test('from the keyboard: a payload is typed and its result read', async () => {
  const page = await open();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  while ((await page.evaluate(() => document.activeElement.id)) !== 'text') await page.keyboard.press('Tab');
  await page.keyboard.insertText(`{"code":4018,"message":"m","details":{"reason":"gone","api_key":"${SECRET}"}}`);
  const text = await result(page, 'remint_handle');
  assert.match(text, /BLOB_NOT_ACCESSIBLE/);
  assert.match(text, /details_sensitive/);
  assert.ok(!(await page.locator('#result').innerHTML()).includes(SECRET), 'the secret is shown in the result');
  assert.equal(await page.locator('#out pre mark del').textContent(), '"api_key"', 'not highlighted where it stood');
  await page.getByLabel('Language').selectOption('zh');
  await page.locator('#out h3', { hasText: '可以告诉用户的话' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-Hans');
  assert.equal((await page.context().cookies()).length, 0);
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
  await close(page);
});

test('a dropped log gives a table and a chart', async () => {
  const page = await open();
  const log = readFileSync(join(here, '..', 'tests', 'data', 'acks.jsonl'), 'utf8');
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'acks.jsonl'));
    return transfer;
  }, log);
  await page.dispatchEvent('#text', 'drop', { dataTransfer: data });
  const text = await result(page, 'Payloads by kind');
  assert.match(text, /in all/);
  assert.ok((await page.locator('#out svg.chart rect').count()) > 2);
  assert.equal(await page.locator('#mode-log').isChecked(), true);
  await page.screenshot({ path: join(pictures, 'log.png'), fullPage: true });
  await close(page);
});

test('a file is opened, names, paths and hints are judged', async () => {
  const page = await open();
  await page.setInputFiles('#file', {
    name: 'a.json',
    mimeType: 'application/json',
    buffer: Buffer.from('[true,null]'),
  });
  await result(page, 'event_result');
  for (const [mode, input, expected] of [
    ['name', 'acme:Code Review', 'bad_char'],
    ['name', 'acme:code-review', 'marketplace'],
    ['path', 'references/../x', 'traversal'],
    ['path', './a//b', 'a/b'],
    ['hint', `Bearer ${SECRET}`, 'access_credential'],
    ['details', '{"where":"127.0.0.1:8080"}', 'internal_address'],
  ]) {
    await page.locator(`#mode-${mode}`).check();
    await page.locator('#text').fill(input);
    const text = await result(page, expected);
    assert.ok(!text.includes(SECRET));
  }
  await close(page);
});

test('each example is shown in every mode, and axe finds nothing, in light and dark, wide and narrow', async () => {
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, viewport] of Object.entries({
      wide: { width: 1280, height: 900 },
      phone: { width: 360, height: 740 },
    })) {
      const page = await open({ colorScheme, viewport });
      // Only to look at the page: axe is not part of it.
      await page.evaluate(AXE);
      for (const mode of ['payload', 'log', 'name', 'path', 'hint', 'details']) {
        await page.locator(`#mode-${mode}`).check();
        await page.locator('#example').click();
        await page.locator('#out :is(table, pre, .people)').first().waitFor();
        const violations = await page.evaluate(async () => (await globalThis.axe.run()).violations);
        const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(', ')}`);
        assert.deepEqual(told, [], `${mode}, ${colorScheme}, ${size}`);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wider <= 0, `${mode}, ${size}: ${wider} px wider than the window`);
        if (mode === 'payload' || mode === 'hint') {
          await page.screenshot({ path: join(pictures, `${mode}-${colorScheme}-${size}.png`), fullPage: true });
        }
      }
      page.requests.length = 0;
      await close(page);
    }
  }
});

test('markup that was pasted stays text', async () => {
  const page = await open();
  await page
    .locator('#text')
    .fill('{"code":404,"message":"<img src=x onerror=document.title=1>","details":{"a":"<b>b</b>"}}');
  await result(page, 'NOT_FOUND');
  assert.equal(await page.locator('#out :is(img, b)').count(), 0);
  await close(page);
});
