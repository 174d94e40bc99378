import { expect, test } from 'vitest';
import { noFindingSettings } from '../../src/compiler/model/finding-settings.ts';
import { emptySharedContent } from '../../src/compiler/index.ts';
import { compileApp, type SynthTarget } from '../../src/workspace/output/compile-app.ts';
import { quietHost } from '../../src/workspace/host.ts';
import { Stopwatch } from '../../src/workspace/stopwatch.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { folderWith } from '../cli/terminal.ts';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';

test('apps with the same cache read and admit a shared fleet once', async () => {
  const cwd = await folderWith({
    'apps/one/hub.yaml': app,
    'apps/two/hub.yaml': app,
    'fleet.yaml': fleetOf(clusters),
  });
  const host = quietHost(cwd);
  const target: SynthTarget = {
    hub: hubVersion('1.3'),
    now: 0,
    addOnApiVersion: 'v1beta1',
    engine: 'argocd',
    policies: { policies: [], texts: new Map(), external: [], findings: noFindingSettings },
    cache: emptySharedContent(),
  };
  const clusterOf = async (name: string): Promise<unknown> => {
    const inputs = { path: [`apps/${name}`], fleet: [] };
    const { resolution } = await compileApp(inputs, target, host, new Stopwatch(host));
    return resolution?.inventory.managedClusters.get('c1')?.object;
  };
  expect(await clusterOf('one')).toBeDefined();
  expect(await clusterOf('one')).toBe(await clusterOf('two'));
});
