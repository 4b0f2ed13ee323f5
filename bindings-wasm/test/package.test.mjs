// The packed package, installed into an empty project and used as its users do.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { here, target } from './census.mjs';
import { launch, serve } from './chromium.mjs';

const project = join(target, 'npm', 'project');
const installed = join(project, 'node_modules', 'ackguard');
let browser;

function run(command, args, cwd = project) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function write(name, text) {
  const file = join(project, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

before(async () => {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  write('package.json', JSON.stringify({ name: 'project', private: true, type: 'module' }));
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], here));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`]);
  browser = await launch();
});
after(() => browser?.close());

test('the package holds what it should and nothing else', () => {
  const all = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(installed.length + 1));
  for (const file of all) {
    assert.match(file, /^(package\.json|README\.md|LICENSE|dist\/[a-z.]+\.(js|cjs|json|map|wasm|d\.ts|d\.cts))$/, file);
    if (!file.endsWith('.wasm')) {
      const text = readFileSync(join(installed, file), 'utf8');
      assert.ok(!text.includes(here), `${file} names a path of the machine that it was built on`);
    }
  }
  const wasm = readFileSync(join(installed, 'dist', 'ackguard.wasm')).toString('latin1');
  assert.ok(
    !wasm.includes(process.env.HOME ?? here) && !wasm.includes(here),
    'the module names a path of this machine',
  );
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.equal(manifest.scripts?.postinstall ?? manifest.scripts?.install ?? manifest.scripts?.preinstall, undefined);
  for (const file of all.filter((name) => /\.c?js$/.test(name))) {
    assert.ok(all.includes(`${file}.map`), `${file} has no source map`);
    assert.match(readFileSync(join(installed, file), 'utf8'), /\/\/# sourceMappingURL=/);
  }
  const named = JSON.stringify(manifest.exports).match(/\.\/dist\/[^"]+/g);
  for (const file of named) assert.ok(existsSync(join(installed, file)), file);
});

const USE = `
  const kinds = [ackguard.classify({ code: 404, message: 'm' }), ackguard.classifyJson('[true,null]')].map((c) => c.kind);
  if (kinds.join() !== 'error,event_result') throw new Error(kinds.join());
  if (!(new ackguard.ProtocolError({ code: 404, message: 'm' }) instanceof Error)) throw new Error('no Error');
`;

test('an ES module and require, in Node', () => {
  write('esm.mjs', `import * as ackguard from 'ackguard';\nimport 'ackguard/socketio';\n${USE}console.log('fine');`);
  assert.equal(run('node', ['esm.mjs']), 'fine\n');
  write('cjs.cjs', `const ackguard = require('ackguard');\nrequire('ackguard/socketio');\n${USE}console.log('fine');`);
  assert.equal(run('node', ['cjs.cjs']), 'fine\n');
  write('init.mjs', `import init, { classify } from 'ackguard';\nawait init();\nconsole.log(classify(null).kind);`);
  assert.equal(run('node', ['init.mjs']), 'none\n');
});

test('the file of codes is what codes() answers with', async () => {
  const file = JSON.parse(readFileSync(createRequire(join(project, 'x.cjs')).resolve('ackguard/codes.json'), 'utf8'));
  const { codes } = await import(pathToFileURL(join(installed, 'dist', 'node.js')));
  const snake = (value) => {
    if (Array.isArray(value)) return value.map(snake);
    if (typeof value !== 'object' || value === null) return value;
    const name = (text) => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [name(key), snake(of)]));
  };
  assert.deepEqual(file, snake(codes()));
});

test('a runtime that compiles nothing is handed the module', () => {
  write(
    'edge.mjs',
    `import { readFileSync } from 'node:fs';
     import { createRequire } from 'node:module';
     const bytes = readFileSync(createRequire(import.meta.url).resolve('ackguard/ackguard.wasm'));
     const module = new WebAssembly.Module(bytes);
     await fetch('data:,'); // Node's own client is WebAssembly as well, and is made ready here
     const forbidden = () => { throw new Error('compiling is forbidden here'); };
     WebAssembly.compile = forbidden;
     WebAssembly.compileStreaming = forbidden;
     WebAssembly.instantiateStreaming = forbidden;
     const instantiate = WebAssembly.instantiate;
     WebAssembly.instantiate = (source, imports) => source instanceof WebAssembly.Module ? instantiate(source, imports) : forbidden();
     globalThis.fetch = forbidden;
     const ackguard = await import('ackguard');
     let early;
     try { ackguard.classify(null); } catch (error) { early = error.message; }
     if (!/init/.test(early)) throw new Error(early);
     await ackguard.init(module);
     await import('ackguard/socketio');
     ${USE}console.log('fine');`,
  );
  for (const condition of ['workerd', 'edge-light']) {
    assert.equal(
      run('node', ['--disallow-code-generation-from-strings', `--conditions=${condition}`, 'edge.mjs']),
      'fine\n',
    );
  }
});

const PAGE = `
  import init, * as ackguard from 'ackguard';
  import { connectError } from 'ackguard/socketio';
  await init(globalThis.moduleAddress);
  ${USE}
  if (!ackguard.isProtocolError(connectError({ data: { code: 4101, message: 'm' } }))) throw new Error('two copies');
  document.title = 'fine';
`;

/** Opens a page that a bundler made. */
async function open(folder, html) {
  if (html !== undefined) writeFileSync(join(folder, 'index.html'), html);
  const server = await serve({ '/': folder });
  const page = await browser.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  try {
    await page.goto(server.origin);
    await page.waitForFunction(() => document.title === 'fine', null, { timeout: 10_000 }).catch(() => {});
    assert.deepEqual(problems, []);
    assert.equal(await page.title(), 'fine');
  } finally {
    await page.close();
    server.close();
  }
}

const html = (script) =>
  `<!doctype html><html lang="en"><head><title>x</title><link rel="icon" href="data:,">${script}</head><body></body></html>`;

test('a page without a bundler', async () => {
  const folder = join(project, 'plain');
  mkdirSync(folder, { recursive: true });
  cpSync(join(installed, 'dist'), join(folder, 'ackguard'), { recursive: true });
  writeFileSync(
    join(folder, 'main.js'),
    PAGE.replace("'ackguard'", "'./ackguard/browser.js'").replace(
      "'ackguard/socketio'",
      "'./ackguard/socketio.browser.js'",
    ),
  );
  await open(folder, html('<script type="module" src="/main.js"></script>'));
});

test('Vite', async () => {
  const { build } = await import('vite');
  write('vite/index.html', html('<script type="module" src="/main.js"></script>'));
  write('vite/main.js', PAGE);
  await build({ root: join(project, 'vite'), logLevel: 'error', configFile: false, build: { target: 'es2022' } });
  await open(join(project, 'vite', 'dist'));
});

test('webpack', async () => {
  const { default: webpack } = await import('webpack');
  write('webpack/main.js', PAGE);
  const path = join(project, 'webpack', 'dist');
  const stats = await new Promise((resolve, reject) => {
    webpack(
      {
        mode: 'production',
        context: join(project, 'webpack'),
        entry: './main.js',
        output: { path, filename: 'main.js', publicPath: '/' },
        performance: false,
      },
      (error, stats) => (error ? reject(error) : resolve(stats)),
    );
  });
  assert.equal(stats.hasErrors(), false, stats.toString());
  await open(path, html('<script defer src="/main.js"></script>'));
});

test('esbuild, which is told where the module is', async () => {
  const { build } = await import('esbuild');
  const main = write(
    'esbuild/main.js',
    `import address from 'ackguard/ackguard.wasm';\nglobalThis.moduleAddress = address;\n${PAGE}`,
  );
  // Imports run first, whatever stands before them; the address has to be there when init() is called.
  const outdir = join(project, 'esbuild', 'dist');
  await build({
    entryPoints: [main],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    outdir,
    publicPath: '/',
    loader: { '.wasm': 'file' },
    logLevel: 'error',
  });
  await open(outdir, html('<script type="module" src="/main.js"></script>'));
});

test('esbuild for Node, with the package left outside', async () => {
  const { build } = await import('esbuild');
  const main = write('server/main.js', `import * as ackguard from 'ackguard';\n${USE}console.log('fine');`);
  const outfile = join(project, 'server.mjs');
  await build({ entryPoints: [main], bundle: true, format: 'esm', platform: 'node', packages: 'external', outfile });
  assert.equal(run('node', [outfile]), 'fine\n');
});

const PROGRAM = `
import init, {
  classify, classifyJson, isProtocolError, parseSkillName, ErrorCode, ProtocolError, VersionMismatch, AcpRpcError, Tally,
} from 'ackguard';
import type { Classified, ErrorView, SkillName } from 'ackguard';
import { init as slim } from 'ackguard/slim';
import { guardSocket } from 'ackguard/socketio';

function told(classified: Classified): string {
  switch (classified.kind) {
    case 'error': return classified.error.name ?? String(classified.error.code);
    case 'tool_result': return classified.toolResult.outcome;
    case 'event_result': return String(classified.eventResult.ok);
    case 'rpc_error': return classified.rpcError.name ?? '';
    case 'malformed_error': return classified.violations.join();
    case 'none': case 'data': case 'invalid': return classified.kind;
    default: { const never: never = classified; return never; }
  }
}
// classify() never answers 'invalid'.
const kind: 'error' | 'tool_result' | 'event_result' | 'rpc_error' | 'malformed_error' | 'none' | 'data' = classify({}).kind;
const code: 4017 = ErrorCode.SKILL_RESOURCE_NOT_ACCESSIBLE;
const name: SkillName = parseSkillName('a:b', { dialect: '0.3' });
if (name.source === 'marketplace') { const plugin: string = name.plugin; void plugin; }
function handle(error: unknown): void {
  if (isProtocolError(error)) { const view: ErrorView = error.payload; void view; }
  if (error instanceof VersionMismatch) { const version: string | undefined = error.serverVersion; void version; }
  if (error instanceof AcpRpcError) { const data: unknown = error.data; void data; }
}
const socket = { emitWithAck: async (event: string, ...args: unknown[]) => [event, args] };
const answer: Promise<number> = guardSocket(socket).emitWithAck<number>('e');
void [init, slim, told, kind, code, handle, answer, ProtocolError, new Tally().add(classifyJson('{}'))];
// @ts-expect-error: results cannot be changed
classify({}).kind = 'data';
const view = classify({ code: 404, message: 'm' });
// @ts-expect-error: nor can what is in them
if (view.kind === 'error') view.error.message = 'x';
// @ts-expect-error: there is no such dialect
classify({}, { dialect: '0.1' });
// @ts-expect-error: a view belongs to its kind
classify({}).error;
// @ts-expect-error: findings cannot be added to
if (view.kind === 'tool_result') view.toolResult.findings.push({ path: '', category: 'user_secret', action: 'removed' });
`;

test('a strict TypeScript project, in each way that modules are found', () => {
  write('ts/main.mts', PROGRAM);
  write(
    'ts/main.cts',
    `import ackguard = require('ackguard');\nconst kind: string = ackguard.classify(null).kind;\nvoid kind;\nvoid ackguard.init;`,
  );
  const tsc = join(here, 'node_modules', '.bin', 'tsc');
  for (const [module, resolution, files] of [
    ['nodenext', 'nodenext', ['ts/main.mts', 'ts/main.cts']],
    ['esnext', 'bundler', ['ts/main.mts']],
  ]) {
    write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          target: 'es2022',
          module,
          moduleResolution: resolution,
          lib: ['es2022', 'dom'],
          types: [],
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          noUnusedLocals: true,
          noPropertyAccessFromIndexSignature: true,
          skipLibCheck: false,
          noEmit: true,
        },
        files,
      }),
    );
    try {
      run(tsc, ['-p', '.']);
    } catch (error) {
      assert.fail(`${module}: ${error.stdout}`);
    }
  }
});

test('the declarations name what is exported, and nothing else', async () => {
  const declared = (file) => {
    const text = readFileSync(join(installed, 'dist', file), 'utf8');
    return new Set(Array.from(text.matchAll(/^export (?:const|function|class) (\w+)/gm), ([, name]) => name));
  };
  const main = declared('main.d.ts');
  for (const [entry, own] of [
    ['node.js', ['init', 'default']],
    ['browser.js', ['init', 'default']],
    ['slim.js', ['init', 'initSync', 'default']],
  ]) {
    const real = Object.keys(await import(pathToFileURL(join(installed, 'dist', entry))));
    assert.deepEqual(real.sort(), [...main, ...own].sort(), entry);
  }
  const socketio = Object.keys(await import(pathToFileURL(join(installed, 'dist', 'socketio.node.js'))));
  assert.deepEqual(socketio.sort(), [...declared('socketio.d.ts')].sort());
  const cjs = createRequire(import.meta.url)(join(installed, 'dist', 'node.cjs'));
  assert.deepEqual(Object.keys(cjs).sort(), [...main, 'default', 'init'].sort());
  // The unions against the core's own tables.
  const types = readFileSync(join(installed, 'dist', 'types.d.ts'), 'utf8');
  const declaration = readFileSync(join(installed, 'dist', 'main.d.ts'), 'utf8');
  for (const { code, name, retry, reasons } of cjs.codes()) {
    assert.match(declaration, new RegExp(`readonly ${name}: ${code};`));
    for (const { action } of [retry, ...reasons.map((reason) => reason.retry)]) {
      assert.match(types, new RegExp(`\\| '${action}'`), action);
    }
  }
  for (const [name, code] of Object.entries(cjs.AcpErrorCode)) {
    assert.match(declaration, new RegExp(`readonly ${name}: '${code}';`));
    assert.match(types, new RegExp(`\\| '${code}'`));
  }
  // Members of the exceptions, as they really are.
  for (const [class_, make] of [
    ['SkillNameError', () => cjs.parseSkillName('A')],
    ['SkillResourceError', () => cjs.checkRelPath('..')],
    ['BlobError', () => cjs.checkBlobRange(2, 1)],
    ['VersionMismatch', () => cjs.raiseForError({ code: 4008, message: 'm' })],
  ]) {
    try {
      make();
      assert.fail(`${class_} was not thrown`);
    } catch (error) {
      const body = declaration.slice(declaration.indexOf(`export class ${class_} `)).split('\n}')[0];
      for (const name of Object.keys(error)) {
        if (['payload', 'reason', 'code'].includes(name) && class_ === 'VersionMismatch') continue;
        assert.match(body, new RegExp(`\\b${name}: `), `${class_}.${name}`);
      }
    }
  }
});
