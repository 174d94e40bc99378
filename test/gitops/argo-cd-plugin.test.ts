import { expect, test } from 'vitest';
import { ArgoCdApplication } from '../../constructs/index.ts';
import { objectsOf } from '../constructs/in-chart.ts';
import { ocmKinds, reference } from '../hub/client/kinds.ts';
import { applicationKind } from './engines/argo-cd.ts';
import { addOn, fleet } from './engines/argo-cd/add-on.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import { addFleet, synced, writeFiles } from './engines/argo-cd/story.ts';
import { eventually } from './engines/eventually.ts';

// The plugin beside a real repo server: argocd-cmp-server runs the command, and the two talk over its socket.

const stage = useStage({ plugin: true });

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
