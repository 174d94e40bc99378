import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linkDependencies, root } from '../linked-repository.ts';
import { consoleSteps } from './console-steps.ts';
import { runSteps } from './run-steps.ts';

const steps = consoleSteps(readFileSync(path.join(root, 'README.md'), 'utf8'), 'Getting started');

/** Replaces the network: nothing is installed, and npx runs the output of `npm run build`. `npm run` is npm's own. */
const programs = {
  npm: `case "$1" in
  ci) ;;
  pack) for folder; do :; done; echo packed > "$folder/fleetwright-0.1.0.tgz" ;;
  install) [ -f package.json ] && cp -RP "$INSTALLED/." node_modules ;;
  *) PATH="\${PATH#*:}" exec npm "$@" ;;
esac`,
  npx: `shift; exec "${process.execPath}" "${root}/build/cli/main.js" "$@"`,
};

test('the steps of the README print the output below them, with the output of npm run build', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-readme-')));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const bin = path.join(folder, 'bin');
  for (const name of ['bin', 'fleetwright', 'installed']) mkdirSync(path.join(folder, name));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  linkDependencies(path.join(folder, 'installed'));
  const results = await runSteps(steps, {
    cwd: path.join(folder, 'fleetwright'),
    scratch: folder,
    env: {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      INSTALLED: path.join(folder, 'installed/node_modules'),
      GIT_AUTHOR_NAME: 'Team',
      GIT_AUTHOR_EMAIL: 'team@example.com',
      GIT_COMMITTER_NAME: 'Team',
      GIT_COMMITTER_EMAIL: 'team@example.com',
    },
  });
  expect(results.filter(({ code, missing }) => code !== 0 || missing.length > 0)).toEqual([]);
  expect(results.map(({ command }) => command)).toEqual(steps.map(({ command }) => command));
  expect(steps.length).toBeGreaterThan(8);
}, 120_000);
