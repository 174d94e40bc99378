import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { GitRepository } from './repository.ts';

let repository: GitRepository;
beforeAll(() => {
  repository = new GitRepository();
  vi.stubEnv('TMPDIR', repository.temporary);
  const start = repository.commit('start', {
    'apps/hello/hub.yaml': app,
    'apps/hello/fleet.yaml': fleetOf(clusters),
  });
  repository.branch('edit', start);
  repository.commit('edit', { 'apps/hello/hub.yaml': app.replace('"warn"', '"debug"') });
});
afterAll(() => {
  vi.unstubAllEnvs();
  repository.remove();
});

test.each([
  ['main', 'warn', 'the working tree', 'trace'],
  ['edit', 'debug', 'the working tree', 'trace'],
  ['main..edit', 'warn', 'edit', 'debug'],
])('render --diff %s', async (range, before, label, after) => {
  repository.write({ 'apps/hello/hub.yaml': app.replace('"warn"', '"trace"') });
  expect(await repository.fleetwright(['render', 'c1', 'hello', '--diff', range])).toEqual({
    code: 1,
    out: `--- ConfigMap agents/agent	${range.replace(/\..*/, '')}
+++ ConfigMap agents/agent	${label}
@@ -4,4 +4,4 @@
   name: agent
   namespace: agents
 data:
-  level: ${before}
+  level: ${after}
`,
    err: '',
  });
  expect(readdirSync(repository.temporary)).toEqual([]);
});

test('a cluster that gets the same has no difference', async () => {
  expect(await repository.fleetwright(['render', 'c4', 'hello', '--diff', 'main'])).toEqual({
    code: 0,
    out: '',
    err: '',
  });
});
