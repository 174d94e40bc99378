import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { folderWith, runIn } from '../cli/terminal.ts';
import { linkDependencies, root } from '../linked-repository.ts';
import { committed, synthesizedIn } from './apply/emitted.ts';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { readAccess } from './client/kubeconfig.ts';
import { ocmKinds, reference, type KindOf } from './client/kinds.ts';
import { addOnCondition } from './companion/add-on-condition.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import { deploymentKind } from './companion/deployed-add-on.ts';
import { secretKind } from './companion/fleet.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';

// The whole way of charts with compiled delivery: what synth writes is applied, the companion registers the agents, and OCM's own
// agents apply the works on three clusters that differ by their labels.

const patience = { timeout: 120_000, interval: 250 };
const configMapKind: KindOf = ['v1', 'ConfigMap'];

/** The clusters of the fleet of the examples that the example app selects, each for another label. */
const names = ['cluster10', 'cluster2', 'shop-berlin'] as const;
type ClusterName = (typeof names)[number];

/** Their ManagedClusters in the fleet of the examples. */
const fleet = parseAllDocuments(readFileSync(path.join(root, 'fleet.yaml'), 'utf8'))
  .map((document) => document.toJS() as KubernetesObject)
  .filter(({ kind, metadata }) => kind === 'ManagedCluster' && names.some((name) => name === metadata.name));

let running: RunningHub;
let hub: Hub;
let companion: RunningCompanion;
const clusters = new Map<string, ApiClient>();

beforeAll(async () => {
  running = await startHub({ managedCluster: names.join(',') });
  hub = connect(running);
  for (const { name, kubeconfig } of running.managedClusters ?? [])
    clusters.set(name, new ApiClient(readAccess(kubeconfig)));
  for (const { metadata } of fleet)
    await hub.client.merge(reference(ocmKinds.managedCluster, metadata.name ?? ''), {
      metadata: { labels: metadata.labels },
    });
  const objects = committed('helloworld-chart');
  // The companion may grant only what its construct lists.
  for (const role of objects.filter(({ kind }) => kind === 'ClusterRole')) await hub.client.apply(role);
  const grants = [{ kind: 'ClusterRole', name: 'helloworld-chart-agent' }] as const;
  const confined = await confinedKubeconfig(hub.client, running.kubeconfig, 'companion', { grants });
  companion = startCompanion(confined);
  for (const object of objects) await hub.client.apply(object);
}, 240_000);
afterAll(async () => {
  await companion.stop();
  for (const cluster of clusters.values()) cluster.close();
  hub.close();
  await running.stop();
}, 60_000);

function clusterOf(name: string): ApiClient {
  const cluster = clusters.get(name);
  if (cluster === undefined) throw new Error(`there is no cluster ${name}`);
  return cluster;
}

async function condition(addOn: string, cluster: string, type: string): Promise<unknown> {
  const found = await addOnCondition(hub.client, addOn, cluster, type);
  return found && [found.status, found.reason, found.message];
}

test.each([
  ['cluster10', { replicas: 1, cpu: '10m', greeting: 'Hello, cluster10' }],
  ['cluster2', { replicas: 3, cpu: '100m', greeting: 'Welcome, cluster2' }],
  [
    'shop-berlin',
    {
      replicas: 1,
      cpu: '10m',
      greeting: 'Good morning, shop-berlin',
      nodeSelector: { 'node-role.kubernetes.io/infra': '' },
    },
  ],
] satisfies [ClusterName, object][])(
  'the chart is on %s with the values of its labels, and its agent is registered',
  async (name, { replicas, cpu, greeting, ...others }) => {
    const cluster = clusterOf(name);
    const agent = ['helloworld-chart-agent', 'helloworld-chart'] as const;
    await expect
      .poll(async () => await cluster.get(...deploymentKind, ...agent), patience)
      .toMatchObject({
        spec: {
          replicas,
          template: { spec: { containers: [{ resources: { requests: { cpu } } }], ...others } },
        },
      });
    await expect
      .poll(async () => await cluster.get(...configMapKind, ...agent), patience)
      .toMatchObject({ data: { greeting } });
    await expect
      .poll(async () => await condition('helloworld-chart', name, 'RegistrationApplied'), patience)
      .toEqual(['True', 'SetPermissionApplied', 'Registration of the addon agent is configured']);
    await expect
      .poll(
        async () => await cluster.get(...secretKind, 'helloworld-chart-hub-kubeconfig', agent[1]),
        patience,
      )
      .toMatchObject({ data: { 'tls.crt': expect.any(String) as string } });
    await expect
      .poll(async () => await condition('helloworld-chart', name, 'ManifestApplied'), patience)
      .toEqual(['True', 'AddonManifestApplied', 'manifests of addon are applied successfully']);
  },
);

test.each(names)('the Go templates are on %s', async (name) => {
  const work = committed('helloworld-chart').find(
    ({ kind, metadata }) =>
      kind === 'ManifestWork' &&
      metadata.namespace === name &&
      metadata.name === 'addon-helloworld-go-templates-deploy-0',
  );
  if (work === undefined) throw new Error(`dist/ has no work for ${name}`);
  const { workload } = work['spec'] as { workload: { manifests: readonly KubernetesObject[] } };
  for (const manifest of workload.manifests) {
    const { apiVersion, kind, metadata } = manifest;
    await expect
      .poll(
        async () => await clusterOf(name).get(apiVersion, kind, metadata.name ?? '', metadata.namespace),
        patience,
      )
      .toMatchObject(manifest);
  }
});

// As enhancements#186 of OCM asks for: a chart that exists, with values, and no manager and no copied manifests.
test('a chart of another project is imported, and on the clusters', async () => {
  const folder = await folderWith({
    'fleet.yaml': [
      {
        ...reference(ocmKinds.managedClusterSet, 'global'),
        spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
      },
      ...fleet,
    ]
      .map((object) => JSON.stringify(object))
      .join('\n---\n'),
    'metrics/Chart.yaml': 'apiVersion: v2\nname: metrics\nversion: 3.1.0\nappVersion: 3.1.0\n',
    'metrics/values.yaml': 'image: { repository: example.com/metrics, tag: "" }\nreplicas: 1\n',
    'metrics/crds/targets.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: targets.metrics.example.com }
spec:
  group: metrics.example.com
  scope: Namespaced
  names: { kind: Target, listKind: TargetList, plural: targets, singular: target }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object } }
`,
    'metrics/templates/_names.tpl':
      '{{ define "metrics.name" }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}',
    'metrics/templates/rbac.yaml': `apiVersion: v1
kind: ServiceAccount
metadata: { name: {{ include "metrics.name" . }}, namespace: {{ .Release.Namespace }} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: {{ include "metrics.name" . }} }
rules: [{ apiGroups: [metrics.example.com], resources: [targets], verbs: [get, list, watch] }]
`,
    'metrics/templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: {{ include "metrics.name" . }}, namespace: {{ .Release.Namespace }} }
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: {{ .Chart.Name }} } }
  template:
    metadata: { labels: { app: {{ .Chart.Name }} } }
    spec:
      serviceAccountName: {{ include "metrics.name" . }}
      containers:
        - name: metrics
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
          args: [--cluster={{ .Values.clusterName }}]
`,
  });
  linkDependencies(folder);
  const imported = await runIn(folder, ['import', 'metrics', '--as-template', 'shop-metrics']);
  expect(imported).toMatchObject({ code: 0, err: '' });
  expect(await runIn(folder, ['synth'])).toMatchObject({ code: 0, err: '' });
  // The namespace of the release, which the app creates on the clusters.
  const namespace = 'shop-metrics';
  for (const object of synthesizedIn(path.join(folder, 'dist/shop-metrics'))) await hub.client.apply(object);
  for (const name of names) {
    await expect
      .poll(
        async () => await clusterOf(name).get(...deploymentKind, 'shop-metrics-metrics', namespace),
        patience,
      )
      .toMatchObject({
        spec: {
          replicas: 1,
          template: {
            spec: {
              serviceAccountName: 'shop-metrics-metrics',
              containers: [{ image: 'example.com/metrics:3.1.0', args: [`--cluster=${name}`] }],
            },
          },
        },
      });
    await expect
      .poll(async () => await condition('shop-metrics', name, 'ManifestApplied'), patience)
      .toEqual(['True', 'AddonManifestApplied', 'manifests of addon are applied successfully']);
  }
});
