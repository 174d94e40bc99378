import path from 'node:path';
import { expect, test } from 'vitest';
import { ArgoCdApplication } from '../../constructs/index.ts';
import { objectsOf } from '../constructs/in-chart.ts';
import { ocmKinds, reference } from '../hub/client/kinds.ts';
import { root } from './emitted-objects.ts';
import { applicationKind } from './engines/argo-cd.ts';
import { addOn, fleet } from './engines/argo-cd/add-on.ts';
import { follow } from './engines/argo-cd/guide.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import { addFleet, synced, writeFiles } from './engines/argo-cd/story.ts';
import { eventually } from './engines/eventually.ts';
import { page, shellSteps } from './engines/guide.ts';

// The plugin beside a real repo server: argocd-cmp-server runs the command, and the two talk over its socket.

const stage = useStage({ plugin: true });

test('the guide adds the plugin to the Deployment of the repo server', async () => {
  const manifests = path.join(
    stage.argoCd.module,
    'manifests/base/repo-server/argocd-repo-server-deployment.yaml',
  );
  const install = { command: `kubectl -n argocd apply --filename '${manifests}'`, printed: [] };
  const steps = shellSteps(page('gitops.md'), 'A plugin of Argo CD');
  // An image is built where a container runtime is; test/package runs the steps of the Dockerfile.
  const [build, ...others] = steps;
  expect(build?.command).toMatch(/^docker build /);
  await follow(stage, [install, ...others], root, { 'node_modules/fleetwright/': '' });

  const deployment = await stage.hub.client.get('apps/v1', 'Deployment', 'argocd-repo-server', 'argocd');
  const { template } = (deployment?.spec ?? {}) as { readonly template?: { readonly spec: PodSpec } };
  const { containers = [], initContainers = [], volumes = [] } = template?.spec ?? {};
  expect(containers.map(({ name }) => name).toSorted()).toEqual(['argocd-repo-server', 'fleetwright']);
  const repoServer = containers.find(({ name }) => name === 'argocd-repo-server');
  const plugin = containers.find(({ name }) => name === 'fleetwright');
  expect(build?.command.split(' ')).toContain(plugin?.image);
  // Both containers have the folder of the socket, and the plugin has Argo CD's program from its init container.
  const shared = { name: 'plugins', mountPath: '/home/argocd/cmp-server/plugins' };
  expect(repoServer?.volumeMounts).toContainEqual(shared);
  expect(plugin?.volumeMounts).toContainEqual(shared);
  const copied = initContainers.flatMap(({ volumeMounts }) => volumeMounts);
  const program = plugin?.volumeMounts.find(({ name }) => name === 'var-files');
  expect(copied).toContainEqual(program);
  expect(path.dirname(plugin?.command[0] ?? '')).toBe(program?.mountPath);
  // The volume for temporary files is another one than that of the repo server.
  expect(volumes.map(({ name }) => name)).toEqual(expect.arrayContaining(['tmp', 'fleetwright-tmp']));
});

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

test('an Application whose folder has an app is synced by the plugin, cold and warm', async () => {
  const name = 'plugged';
  const repository = stage.git.create(name);
  await addFleet(stage.hub, fleet(name, ['c1']));
  writeFiles(repository.folder, {
    'apps/plugged/app.yaml': addOn({ name }),
    'apps/plugged/fleet.yaml': fleet(name, ['c1']),
  });
  const commit = repository.commit('An app');
  const objects = objectsOf((chart) => {
    const { url: repoUrl } = repository;
    new ArgoCdApplication(chart, name, { name, repoUrl, targetRevision: 'main', path: 'apps/plugged' });
  });
  for (const object of objects) await stage.hub.client.apply(object);
  await synced(stage.argoCd, name, commit);
  const { status } = await stage.argoCd.application(name);
  expect(status?.sourceType).toBe('Plugin');
  expect(status?.conditions ?? []).toEqual([]);
  expect(await stage.hub.client.get(...ocmKinds.clusterManagementAddOn, name)).toBeDefined();

  // Without the manifests that the repo server has cached.
  const application = reference(applicationKind, name, 'argocd');
  const annotations = { 'argocd.argoproj.io/refresh': 'hard' };
  await stage.hub.client.merge(application, { metadata: { annotations } });
  await eventually('the Application was compared again', async () => {
    const { metadata } = await stage.argoCd.application(name);
    return metadata.annotations?.['argocd.argoproj.io/refresh'] === undefined;
  });
  expect((await stage.argoCd.application(name)).status?.sync?.status).toBe('Synced');
  expect(await stage.operations.syncsOf(name)).toHaveLength(1);
});
