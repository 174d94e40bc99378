import { expect, test } from 'vitest';
import { explainAddOn } from '../../../src/compiler/explain/explain-add-on.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { resolveTemplate, type ResolvedTemplate } from './template-add-on.ts';

const workload = (kind: string, name: string, spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'agents' },
  spec: {
    ...spec,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'quay.io/a/main:1' }] },
    },
  },
});
const manifests = [
  workload('Deployment', 'agent', { replicas: 1 }),
  workload('Deployment', 'proxy'),
  workload('StatefulSet', 'store', { replicas: 1 }),
  workload('DaemonSet', 'agent'),
  { ...workload('Deployment', 'foreign', { replicas: 1 }), apiVersion: 'example.com/v1' },
];

function withReplicas(...entries: readonly (readonly [string, number])[]): ResolvedTemplate {
  const replicaConfigs = entries.map(([workloadID, replicas]) => ({ workloadID, replicas }));
  return resolveTemplate({ manifests, hub: '1.5', config: { agentInstallNamespace: '', replicaConfigs } });
}

interface RenderedWorkload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly replicas?: number };
}

function rendered(resolved: ResolvedTemplate): readonly RenderedWorkload[] {
  return resolved
    .on()
    .works.flatMap(
      ({ spec }) => (spec?.workload?.manifests ?? []) as readonly unknown[] as readonly RenderedWorkload[],
    );
}

function replicasOf(resolved: ResolvedTemplate): Readonly<Record<string, number | undefined>> {
  return Object.fromEntries(
    rendered(resolved).map(({ kind, metadata, spec }) => [`${kind} ${metadata.name}`, spec.replicas]),
  );
}

const written = { 'Deployment agent': 1, 'Deployment foreign': 1, 'StatefulSet store': 1 };

test('replicas are those of the template if no entry matches', () => {
  expect(replicasOf(withReplicas())).toEqual(written);
  expect(replicasOf(withReplicas(['deployments:age', 7]))).toEqual(written);
});

test('replicas are those of the last entry that matches, and only Deployments and StatefulSets have any', () => {
  expect(replicasOf(withReplicas(['deployments:agent', 3], ['statefulsets:*', 0]))).toEqual({
    ...written,
    'Deployment agent': 3,
    'StatefulSet store': 0,
  });
  expect(replicasOf(withReplicas(['deployments:agent', 3], ['deployments:*', 2]))).toEqual({
    ...written,
    'Deployment agent': 2,
    'Deployment proxy': 2,
  });
  expect(replicasOf(withReplicas(['*:*', 2], ['deployments:p.+', 4]))).toEqual({
    ...written,
    'Deployment agent': 2,
    'Deployment proxy': 4,
    'StatefulSet store': 2,
  });
});

test('nothing but the number of a StatefulSet changes', () => {
  const store = rendered(withReplicas(['statefulsets:store', 5])).find(({ kind }) => kind === 'StatefulSet');
  expect(store).toEqual(workload('StatefulSet', 'store', { replicas: 5 }));
});

test('the hash of the configuration covers the replicas', () => {
  const hashOf = (replicas: number): unknown =>
    withReplicas(['deployments:agent', replicas]).on().works[0]?.metadata.annotations;
  expect(hashOf(2)).not.toEqual(hashOf(3));
});

test('explain names the entry that decides', () => {
  const { resolution } = withReplicas(['deployments:agent', 3], ['deployments:*', 2]);
  const explained = explainAddOn(
    resolution,
    'agent',
    'c1',
    'Deployment/agent spec.replicas',
    hubVersion('1.5'),
  );
  expect(JSON.stringify(explained)).toContain('replicas of deployments:* of AddOnDeploymentConfig ns/config');
});

test('FW7151: an entry that matches no workload', () => {
  expect(
    withReplicas(['deployments:agnt', 3], ['statefulsets:[', 1], ['deployments:agent', 1]).found('FW7151'),
  ).toEqual([
    {
      severity: 'warning',
      message:
        'no workload matches workloadID "deployments:agnt", so its number of replicas has no effect on 1 cluster',
      path: 'spec.replicaConfigs[0].workloadID',
      hint: 'did you mean "deployments:agent"?',
    },
    {
      severity: 'warning',
      message:
        'workloadID "statefulsets:[" is not a valid pattern, so its number of replicas has no effect on 1 cluster',
      path: 'spec.replicaConfigs[1].workloadID',
      hint: 'the workloads are "deployments:agent", "deployments:proxy" and "statefulsets:store"',
    },
  ]);
});
