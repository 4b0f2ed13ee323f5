// The JavaScript of the guide in core/docs does what its pages say, imported as its readers import it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { here, target } from './census.mjs';

test('the guide', () => {
  const project = join(target, 'npm', 'guide');
  rmSync(project, { recursive: true, force: true });
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(here, join(project, 'node_modules', 'ackguard'), 'junction');
  cpSync(join(here, '..', 'core', 'docs', 'snippets', 'javascript'), project, { recursive: true });
  const files = readdirSync(project).filter((name) => name.endsWith('.mjs'));
  assert.ok(files.length >= 3);
  // Not as a child of this run, whose report would take the place of the exit code.
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  for (const file of files) {
    try {
      execFileSync(process.execPath, [file], { cwd: project, env, encoding: 'utf8' });
    } catch (error) {
      assert.fail(`${file}:\n${error.stdout}${error.stderr}`);
    }
  }
});
