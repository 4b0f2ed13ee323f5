// The shared cases in Chromium, by the entry that a page loads without a bundler.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { here, vectorTexts, writeCensus } from './census.mjs';
import { launch, serve } from './chromium.mjs';

let browser;
let server;
before(async () => {
  server = await serve({ '/dist/': join(here, 'dist'), '/test/': join(here, 'test') });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

test('every shared case', async () => {
  const page = await browser.newPage();
  await page.goto(server.origin);
  const { ran, problems } = await page.evaluate(async (texts) => {
    const ackguard = await import('/dist/browser.js');
    await ackguard.init();
    const { runAll } = await import('/test/vectors.mjs');
    return runAll(ackguard, texts);
  }, vectorTexts());
  writeCensus('chromium', ran);
  assert.ok(ran.length > 1000, `only ${ran.length} cases`);
  assert.equal(problems.length, 0, `${problems.length} problems, ${ran.length} cases run:\n${problems.join('\n')}`);
});

test('before init() a call says what is missing, and init() can be called again', async () => {
  const page = await browser.newPage();
  await page.goto(server.origin);
  const said = await page.evaluate(async () => {
    const { init, classify } = await import('/dist/browser.js');
    let message;
    try {
      classify({});
    } catch (error) {
      message = `${error instanceof Error} ${error.message}`;
    }
    let failed;
    try {
      await init('/nowhere.wasm');
    } catch (error) {
      failed = error instanceof Error;
    }
    await Promise.all([init(), init()]);
    await init();
    return { message, failed, kind: classify(null).kind };
  });
  assert.match(said.message, /^true .*init\(\)/);
  assert.equal(said.failed, true);
  assert.equal(said.kind, 'none');
});

test('the slim entry takes a module, bytes or a response', async () => {
  for (const make of ['module', 'bytes', 'response']) {
    const page = await browser.newPage();
    await page.goto(server.origin);
    const kind = await page.evaluate(async (make) => {
      const { init, classify } = await import('/dist/slim.js');
      const response = await fetch('/dist/ackguard.wasm');
      if (make === 'module') await init(await WebAssembly.compileStreaming(response));
      else if (make === 'bytes') await init(await response.arrayBuffer());
      else await init(response);
      return classify([true, null]).kind;
    }, make);
    assert.equal(kind, 'event_result', make);
    await page.close();
  }
});
