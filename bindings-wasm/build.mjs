// node build.mjs [--dev]   makes dist/: the module, the entries, their source maps and their types.
//
// --dev has wasm-opt leave out what nothing uses, and no more; such a dist/ is for trying things out and cannot be packed.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ordered, renamed, renumbered } from './smaller.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');
const dist = join(here, 'dist');
const made = join(here, 'js', 'generated');
const dev = process.argv.includes('--dev');

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
function run(command, args, env = {}) {
  execFileSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CARGO_TARGET_DIR: target, ...env },
  });
}

const tool = (/** @type {string} */ name) => join(here, 'node_modules', '.bin', name);

if (!existsSync(tool('wasm-opt'))) {
  console.error('wasm-opt is missing: it comes with `npm ci` (package binaryen). Nothing is packed without it.');
  process.exit(1);
}

// 1. The module. No path of the machine it is built on goes into it.
const cargoHome = process.env.CARGO_HOME ?? join(process.env.HOME ?? '', '.cargo');
const sysroot = execFileSync('rustc', ['--print', 'sysroot'], { cwd: root, encoding: 'utf8' }).trim();
const flags = [
  `--remap-path-prefix=${root}=ackguard`,
  `--remap-path-prefix=${cargoHome}=cargo`,
  `--remap-path-prefix=${join(sysroot, 'lib', 'rustlib', 'src')}=src`,
  // What lies behind the stack has addresses below 2^20: the instructions that name one take a byte less.
  '-Clink-arg=-zstack-size=917504',
  // Set anew after an exception of the host's own has gone through.
  '-Clink-arg=--export=__stack_pointer',
];
run(
  'cargo',
  [
    'build',
    '--quiet',
    '--package',
    'ackguard-wasm',
    '--lib',
    '--profile',
    'wasm',
    '--target',
    'wasm32-unknown-unknown',
  ],
  {
    CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f'),
  },
);

// 2. Its glue, and the constants.
run('cargo', ['build', '--quiet', '--package', 'ackguard-wasm', '--bin', 'glue', '--features', 'glue']);
mkdirSync(made, { recursive: true });
run(join(target, 'debug', 'glue'), [join(target, 'wasm32-unknown-unknown', 'wasm', 'ackguard_wasm.wasm'), made]);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

// 3. Smaller.
const features = [
  'bulk-memory',
  'bulk-memory-opt',
  'multivalue',
  'mutable-globals',
  'nontrapping-float-to-int',
  'reference-types',
  'sign-ext',
];
const module = join(dist, 'ackguard.wasm');
const { module: input, names } = renamed(readFileSync(join(made, 'glue_bg.wasm')));
const allowed = features.map((feature) => `--enable-${feature}`);
if (dev) {
  writeFileSync(module, input);
  run(tool('wasm-opt'), [...allowed, '--remove-unused-module-elements', module, '-o', module]);
} else {
  const args = ['--flatten', '--rereloop', '-Oz', '--flatten', '--rereloop', '-Oz', '-Oz', '--low-memory-unused'];
  const stripped = ['--strip-debug', '--strip-producers', '--strip-target-features'];
  // What it has written it reads otherwise than it had it, and finds more. No alignment is promised: one number for all.
  const again = ['-Oz', '--low-memory-unused', '--dealign', '--reorder-functions-by-name', '--strip-debug'];
  // The same input with the same tools need not be made smaller twice.
  const version = execFileSync(tool('wasm-opt'), ['--version'], { encoding: 'utf8' });
  const key = createHash('sha256')
    .update(input)
    .update(JSON.stringify([version, allowed, args, stripped, again]))
    .update(readFileSync(join(here, 'smaller.mjs')))
    .digest('hex');
  const kept = join(target, 'npm', `${key}.wasm`);
  if (!existsSync(kept)) {
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(`${kept}.in`, input);
    run(tool('wasm-opt'), [...allowed, ...args, ...stripped, `${kept}.in`, '-o', `${kept}.new`]);
    writeFileSync(`${kept}.in`, ordered(readFileSync(`${kept}.new`)));
    run(tool('wasm-opt'), [...allowed, ...again, `${kept}.in`, '-o', `${kept}.new`]);
    rmSync(`${kept}.in`);
    writeFileSync(`${kept}.new`, renumbered(readFileSync(`${kept}.new`)));
    renameSync(`${kept}.new`, kept);
  }
  copyFileSync(kept, module);
}

// 4. The entries.
const esbuild = await import('esbuild');
/** The exports are called by their short names. @type {import('esbuild').Plugin} */
const exported = {
  name: 'exports',
  setup(build) {
    build.onLoad({ filter: /[/\\]js[/\\].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        /\bwasm\.(\w+)/g,
        (_, /** @type {string} */ name) => `wasm.${names.get(name) ?? name}`,
      ),
    }));
  },
};
const common = /** @type {import('esbuild').BuildOptions} */ ({
  absWorkingDir: here,
  bundle: true,
  minify: true,
  // Of an uncaught exception Node prints the whole line that threw: not all of the package.
  lineLimit: 1200,
  // The names of classes are shown to people.
  keepNames: false,
  sourcemap: true,
  sourcesContent: true,
  target: ['es2022'],
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [exported],
});
await esbuild.build({
  ...common,
  outdir: dist,
  entryPoints: ['js/node.js', 'js/browser.js', 'js/slim.js'],
  format: 'esm',
  splitting: true,
  chunkNames: 'shared',
  external: ['node:fs'],
});
await esbuild.build({
  ...common,
  outdir: dist,
  entryPoints: { node: 'js/node.js' },
  format: 'cjs',
  platform: 'node',
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': '__ackguard_url' },
  banner: { js: "const __ackguard_url = require('node:url').pathToFileURL(__filename).href;" },
});
if (existsSync(join(here, 'js/socketio.js'))) {
  for (const [entry, name, format] of /** @type {const} */ ([
    ['node.js', 'socketio.node.js', 'esm'],
    ['node.cjs', 'socketio.node.cjs', 'cjs'],
    ['browser.js', 'socketio.browser.js', 'esm'],
    ['slim.js', 'socketio.slim.js', 'esm'],
  ])) {
    await esbuild.build({
      ...common,
      outfile: join(dist, name),
      entryPoints: ['js/socketio.js'],
      format,
      plugins: [
        {
          name: 'entry',
          setup(build) {
            build.onResolve({ filter: /^ackguard$/ }, () => ({ path: `./${entry}`, external: true }));
          },
        },
      ],
    });
  }
}

// 5. The scripts, once more: terser finds what esbuild leaves.
const { minify } = await import('terser');
for (const file of readdirSync(dist).filter((name) => /\.c?js$/.test(name))) {
  const [script, map] = [join(dist, file), join(dist, `${file}.map`)];
  const less = await minify(readFileSync(script, 'utf8'), {
    module: !file.endsWith('.cjs'),
    ecma: 2020,
    compress: { passes: 3, sequences: false },
    // Of an uncaught exception Node prints the whole line that threw: not all of the package.
    format: { max_line_len: 1200 },
    sourceMap: { content: readFileSync(map, 'utf8'), url: `${file}.map`, includeSources: true },
  });
  writeFileSync(script, less.code ?? '');
  writeFileSync(map, String(less.map));
}

// 6. The types, once for each kind of module.
for (const file of readdirSync(join(here, 'js', 'types'))) {
  const text = readFileSync(join(here, 'js', 'types', file), 'utf8');
  writeFileSync(join(dist, file), text);
  writeFileSync(join(dist, file.replace('.d.ts', '.d.cts')), text.replaceAll(/(from '\.\/[a-z]+)\.js'/g, "$1.cjs'"));
}

// 7. The registry for whatever reads JSON, as every package has it.
copyFileSync(join(root, 'core', 'codes.json'), join(dist, 'codes.json'));
