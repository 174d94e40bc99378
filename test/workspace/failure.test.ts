import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { describeThrown, systemFailure, unexpectedFailure } from '../../src/workspace/failure.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

test('an error of the operating system is reported in one sentence, and the command exits with 2', async () => {
  const folder = await folderWith({ 'apps/hello/config.yaml': '{}\n', file: '' });
  await writeFile(
    path.join(folder, 'apps/hello/config.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\n',
  );
  expect(await runIn(folder, ['synth', '--out', 'file/dist'])).toEqual({
    code: 2,
    out: '',
    err: `fleetwright: ${folder}/file/dist: not a directory (mkdir)\n`,
  });
});

test('only errors of the operating system are its refusals', () => {
  expect(systemFailure(new Error('no'))).toBeUndefined();
  expect(systemFailure('no')).toBeUndefined();
  const denied = Object.assign(new Error("EACCES: permission denied, open '/a b'"), {
    code: 'EACCES',
    syscall: 'open',
    path: '/a b',
  });
  expect(systemFailure(denied)?.message).toBe('/a b: permission denied (open)');
  expect(unexpectedFailure(denied)).toBe('/a b: permission denied (open)');
});

test('an unexpected error is reported with the first location outside of packages and Node', () => {
  const error = new Error('first\nsecond');
  error.stack = `Error: first
    at node:internal/timers:1:2
    at run (file:///repo/node_modules/yargs/build/index.js:1:2)
    at plan (file:///repo/node_modules/fleetwright/build/cli/plan.js:3:4)
    at more (file:///repo/app.ts:5:6)`;
  expect(unexpectedFailure(error)).toBe(
    'unexpected error: first\n  at plan (file:///repo/node_modules/fleetwright/build/cli/plan.js:3:4)',
  );
  expect(unexpectedFailure('text')).toBe('something failed: text');
});

test('anything that is thrown has a text', () => {
  expect(describeThrown(Object.create(null))).toBe('an object without a text');
  expect(describeThrown(undefined)).toBe('undefined');
});
