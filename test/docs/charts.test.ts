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
import { tarball } from '../engines/charts/chart-files.ts';
import { linkDependencies, root } from '../linked-repository.ts';
import { registryWith, serve } from '../workspace/charts/chart-server.ts';
import { consoleSteps } from './console-steps.ts';
import { runSteps } from './run-steps.ts';

const heading = 'From a public chart to a promotion';

/** A chart with what public charts have: labels with its version, NOTES.txt and a test. */
function greeter(version: string): Uint8Array {
  const files = {
    'Chart.yaml': `apiVersion: v2\nname: greeter\nversion: ${version}\n`,
    'values.yaml': 'image: busybox:1.37\n',
    'templates/NOTES.txt': 'Greets: {{ .Release.Name }}\n',
    'templates/tests/pod.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: { name: test, annotations: { helm.sh/hook: test } }\n',
    'templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: {{ .Release.Name }}, labels: { version: {{ .Chart.Version }} } }
spec:
  selector: { matchLabels: { app: greeter } }
  template:
    metadata: { labels: { app: greeter } }
    spec:
      containers: [{ name: greeter, image: {{ .Values.image }}, command: [sleep, infinity] }]
`,
  };
  return tarball(Object.entries(files).map(([name, text]) => ({ path: `greeter/${name}`, text })));
}

test('the steps from a chart to a promotion print the output below them, with the output of npm run build', async () => {
  const answer = registryWith({ '1.2.0': greeter('1.2.0'), '1.3.0': greeter('1.3.0') });
  const { host } = await serve((request) =>
    answer({ ...request, url: request.url.replace('/charts/greeter/', '/charts/agent/') }),
  );
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-charts-')));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const bin = path.join(folder, 'bin');
  const repository = path.join(folder, 'repository');
  for (const each of [bin, repository]) mkdirSync(each);
  const main = `exec "${process.execPath}" "${root}/build/cli/main.js"`;
  writeFileSync(path.join(bin, 'npx'), `#!/bin/sh\nshift; ${main} "$@"\n`);
  chmodSync(path.join(bin, 'npx'), 0o755);
  linkDependencies(repository);
  const text = readFileSync(path.join(root, 'docs/charts.md'), 'utf8').replaceAll(
    'registry.example.com',
    host,
  );
  const init = [
    'npx fleetwright init . --gitops argocd --ci github --repo-url https://example.com/add-ons.git',
    'git init -q -b main . && git add -A && git commit -qm init',
  ].map((command) => ({ command, printed: [] }));
  const steps = [...init, ...consoleSteps(text, heading)];
  const results = await runSteps(steps, {
    cwd: repository,
    scratch: folder,
    env: {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      GIT_AUTHOR_NAME: 'Team',
      GIT_AUTHOR_EMAIL: 'team@example.com',
      GIT_COMMITTER_NAME: 'Team',
      GIT_COMMITTER_EMAIL: 'team@example.com',
    },
  });
  expect(results.filter(({ code, missing }) => code !== 0 || missing.length > 0)).toEqual([]);
  expect(results).toHaveLength(steps.length);
  expect(steps.length).toBeGreaterThan(11);
}, 240_000);
