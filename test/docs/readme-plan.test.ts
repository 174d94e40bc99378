import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linkDependencies, root, runProgram } from '../linked-repository.ts';

test('the plan on the first screen is the output for a typo in an example, with the output of npm run build', () => {
  const [, block = ''] =
    /```\n\$ fleetwright plan main\n(.*?)```/s.exec(readFileSync(path.join(root, 'README.md'), 'utf8')) ?? [];
  const lines = block.split('\n').filter((line) => line !== '' && line !== '…');
  expect(lines.length).toBeGreaterThan(6);

  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-readme-')));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  linkDependencies(folder);
  for (const state of ['main', 'head'])
    for (const name of ['apps', 'fleet.yaml'])
      cpSync(path.join(root, name), path.join(folder, state, name), { recursive: true });
  const app = path.join(folder, 'head/apps/policy-framework/app.ts');
  const text = readFileSync(app, 'utf8');
  writeFileSync(app, text.replace("governed: 'true'", "govern: 'true'"));

  const { code, out, err } = runProgram(folder, process.execPath, [
    path.join(root, 'build/cli/main.js'),
    'plan',
    'main',
    'head',
  ]);
  const missing = lines.filter((line) => !`${out}${err}`.includes(line));
  expect({ code, missing }).toEqual({ code: 0, missing: [] });
});
