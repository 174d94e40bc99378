import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { folderWith, runIn } from '../../cli/terminal.ts';
import { app } from '../plan/states.ts';
import { hubAtRest, served } from './served-hub.ts';

const labels = { 'app.kubernetes.io/managed-by': 'fleetwright' };

/** The metadata of an object that an Application of Argo CD applied, and that it does not prune. */
function left(name: string, namespace?: string, application = 'hello', prune = 'Prune=false') {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    labels,
    annotations: {
      'argocd.argoproj.io/tracking-id': `${application}:group/Kind:namespace/name`,
      'argocd.argoproj.io/sync-options': prune,
    },
  };
}

const addOnApi = 'addon.open-cluster-management.io/v1alpha1';
const clusterApi = 'cluster.open-cluster-management.io';

function template(metadata: object): KubernetesObject {
  return {
    apiVersion: addOnApi,
    kind: 'AddOnTemplate',
    metadata,
    spec: { addonName: 'hello', agentSpec: { workload: { manifests: [] } } },
  };
}

async function commands(
  objects: readonly KubernetesObject[],
  hub = hubAtRest(),
): Promise<{ readonly status: string; readonly doctor: string; readonly json: string }> {
  const server = await served([...hub.objects, ...objects]);
  const cwd = await folderWith({
    kubeconfig: server.kubeconfig,
    'fleetwright.yaml': 'engine: argocd\n',
    'apps/hello/hub.yaml': app,
    'dist/hello/.fleetwright.json': '{ "files": ["addontemplate_kept.yaml"] }\n',
  });
  const kubeconfig = ['--kubeconfig', 'kubeconfig'];
  const { out } = await runIn(cwd, ['status', ...kubeconfig]);
  const { out: json } = await runIn(cwd, ['status', '-o', 'json', ...kubeconfig]);
  const { err } = await runIn(cwd, ['doctor', '--against', 'hub', ...kubeconfig]);
  return { status: out, doctor: err, json };
}

test('status and doctor name an object that Git no longer has, and that nothing uses, with the command that deletes it', async () => {
  const { status, doctor, json } = await commands([template(left('hello-0'))]);
  expect(status).toContain(
    'AddOnTemplate hello-0 is on the hub, but no longer in Git: protected from pruning, nothing uses it; to delete it: kubectl delete addontemplates.addon.open-cluster-management.io hello-0\n',
  );
  expect(doctor).toContain(
    'warning FW9155: AddOnTemplate hello-0 is on the hub, but no longer in Git, and nothing uses it: protected from pruning\n',
  );
  expect(doctor).toContain(
    '= hint: to delete it: `kubectl delete addontemplates.addon.open-cluster-management.io hello-0`\n',
  );
  expect((JSON.parse(json) as { leftOnHub: unknown }).leftOnHub).toEqual({
    objects: [
      {
        object: 'AddOnTemplate hello-0',
        reason: 'protected from pruning',
        usedBy: [],
        command: 'kubectl delete addontemplates.addon.open-cluster-management.io hello-0',
      },
    ],
    unread: [],
  });
});

test('an object that a cluster still uses has its users, and no command', async () => {
  const hub = hubAtRest();
  const addOn = hub.get('ManagedClusterAddOn', 'hello', 'c1') as {
    status?: { configReferences?: readonly object[] };
  };
  const reference = { group: 'addon.open-cluster-management.io', resource: 'addontemplates' };
  const desiredConfig = { name: 'hello-1', specHash: 'one' };
  const lastAppliedConfig = { name: 'hello-0', specHash: 'zero' };
  const configReferences = [
    ...(addOn.status?.configReferences ?? []),
    { ...reference, name: 'hello-1', lastObservedGeneration: 1, desiredConfig, lastAppliedConfig },
  ];
  addOn.status = { ...addOn.status, configReferences };
  const { status, doctor } = await commands([template(left('hello-0'))], hub);
  expect(status).toContain(
    'AddOnTemplate hello-0 is on the hub, but no longer in Git: protected from pruning, used by hello on c1\n',
  );
  expect(doctor).not.toContain('FW9155');
});

test.each([
  ['an object in dist/', template(left('kept'))],
  ['an object that the engine prunes', template(left('pruned', undefined, 'hello', 'Prune=true'))],
  [
    'an object that no engine applied',
    template({ name: 'by-hand', labels, annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' } }),
  ],
  ['an object of another workspace', template(left('foreign', undefined, 'metrics'))],
])('%s is not named', async (_, object) => {
  const { status, doctor } = await commands([object]);
  expect(status).not.toContain('no longer in Git');
  expect(doctor).not.toContain('FW9155');
});

test('a binding is used by a Placement of its namespace, which is used by its add-on', async () => {
  const binding = {
    apiVersion: `${clusterApi}/v1beta2`,
    kind: 'ManagedClusterSetBinding',
    metadata: left('global', 'old'),
    spec: { clusterSet: 'global' },
  };
  const placement = {
    apiVersion: `${clusterApi}/v1beta1`,
    kind: 'Placement',
    metadata: left('all', 'old'),
    spec: {},
  };
  const { status } = await commands([binding, placement]);
  expect(status).toContain(
    'ManagedClusterSetBinding old/global is on the hub, but no longer in Git: protected from pruning, used by Placement old/all\n',
  );
  expect(status).toContain(
    'Placement old/all is on the hub, but no longer in Git: protected from pruning, nothing uses it; to delete it: kubectl delete placements.cluster.open-cluster-management.io all -n old\n',
  );
});

test('what status reads for two engines is not read again for what is left', async () => {
  const server = await served(hubAtRest().objects);
  const cwd = await folderWith({ kubeconfig: server.kubeconfig, 'apps/hello/hub.yaml': app });
  await runIn(cwd, ['status', '--kubeconfig', 'kubeconfig']);
  for (const kind of ['clustermanagementaddons', 'addondeploymentconfigs', 'placements'])
    // once for the prediction, and once for the rest
    expect(server.requests.filter((request) => request.includes(`/${kind}?`))).toHaveLength(2);
});
