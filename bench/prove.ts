// Measures the answers for 20 invariants over 50 placements and 20 add-ons at 100, 1,000 and 10,000 clusters: processor time of
// prove(), the best of several runs, beside that of the resolution that it begins with.
//   node --import tsx bench/prove.ts
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import type { LoadedObject } from '../src/compiler/model/inventory.ts';
import { prove, type Invariant } from '../src/compiler/prove/index.ts';
import { resolve } from '../src/compiler/resolve.ts';
import { hubVersion } from '../src/ocm/hub-version.ts';

const hub = hubVersion('1.3');
const now = Date.parse('2026-11-01T00:00:00Z');
const fleetSizes = [100, 1_000, 10_000];
const placements = 50;
const addOns = 20;
const runs = 5;
const clusterGroup = 'cluster.open-cluster-management.io';
const addOnGroup = 'addon.open-cluster-management.io';
const environments = ['dev', 'test', 'stage', 'prod'];

function spec(index: number): object {
  const region = `region-${index % 17}`;
  const selectors = [
    {
      labelSelector: {
        matchLabels: { region },
        matchExpressions: [{ key: 'env', operator: 'In', values: ['prod', 'stage'] }],
      },
    },
    { labelSelector: { matchLabels: { env: environments[index % 4] } } },
    {
      claimSelector: {
        matchExpressions: [
          { key: 'platform.example.com', operator: 'In', values: [['AWS', 'GCP'][index % 2]] },
        ],
      },
    },
    {
      celSelector: {
        celExpressions: [
          `managedCluster.metadata.labels["region"].matches("^region-1?${index % 10}$") && !("retired" in managedCluster.metadata.labels)`,
        ],
      },
    },
    {
      labelSelector: {
        matchLabels: { pci: 'true' },
        matchExpressions: [{ key: `retired-${index}`, operator: 'DoesNotExist' }],
      },
    },
  ];
  return { predicates: [{ requiredClusterSelector: selectors[index % 5] }] };
}

function workspace(clusters: number): readonly KubernetesObject[] {
  const meta = (name: string, namespace = 'fleet'): object => ({ name, namespace });
  const config = (name: string): object => ({
    group: addOnGroup,
    resource: 'addondeploymentconfigs',
    namespace: 'fleet',
    name,
  });
  const objects: object[] = [
    {
      apiVersion: `${clusterGroup}/v1beta2`,
      kind: 'ManagedClusterSetBinding',
      metadata: meta('global'),
      spec: { clusterSet: 'global' },
    },
  ];
  for (let index = 0; index < placements; index++)
    objects.push({
      apiVersion: `${clusterGroup}/v1beta1`,
      kind: 'Placement',
      metadata: meta(`p-${index}`),
      spec: spec(index),
    });
  for (let index = 0; index < addOns; index++) {
    const name = `add-on-${index}`;
    for (const level of ['a', 'b'])
      objects.push({
        apiVersion: `${addOnGroup}/v1alpha1`,
        kind: 'AddOnDeploymentConfig',
        metadata: meta(`${name}-${level}`),
        spec: { customizedVariables: [{ name: 'LEVEL', value: level }] },
      });
    objects.push({
      apiVersion: `${addOnGroup}/v1alpha1`,
      kind: 'ClusterManagementAddOn',
      metadata: { name },
      spec: {
        supportedConfigs: [{ group: addOnGroup, resource: 'addondeploymentconfigs' }],
        installStrategy: {
          type: 'Placements',
          placements: [0, 1, 2, 3, 4].map((each) => ({
            namespace: 'fleet',
            name: `p-${(index * 3 + each * 7) % placements}`,
            ...(each > 2 && { configs: [config(`${name}-${each === 3 ? 'a' : 'b'}`)] }),
          })),
        },
      },
    });
    for (let cluster = 0; cluster < 5; cluster++)
      objects.push({
        apiVersion: `${addOnGroup}/v1alpha1`,
        kind: 'ManagedClusterAddOn',
        metadata: meta(name, `cluster-${cluster * 7}`),
        spec: { configs: [config(`${name}-a`)] },
      });
  }
  for (let index = 0; index < clusters; index++)
    objects.push({
      apiVersion: `${clusterGroup}/v1`,
      kind: 'ManagedCluster',
      metadata: {
        name: `cluster-${index}`,
        labels: {
          env: environments[index % 4],
          region: `region-${index % 17}`,
          ...(index % 5 === 0 && { pci: 'true' }),
        },
      },
      spec: { hubAcceptsClient: true },
      status: {
        conditions: [
          {
            type: 'ManagedClusterConditionAvailable',
            status: 'True',
            reason: 'A',
            message: '',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
        clusterClaims: [{ name: 'platform.example.com', value: index % 3 === 0 ? 'AWS' : 'GCP' }],
      },
    });
  return objects as KubernetesObject[];
}

const place = { file: 'bench.yaml', line: 1, column: 1 };

const invariants: readonly Invariant[] = Array.from({ length: 20 }, (_, index): Invariant => {
  const name = `invariant ${index}`;
  const addOn = `add-on-${index}`;
  switch (index % 5) {
    case 0:
      return { name, where: { labels: { env: 'prod', region: 'region-3' } }, has: [addOn] };
    case 1:
      return { name, edits: 1, before: { labels: { env: 'prod' } }, keeps: true };
    case 2:
      return {
        name,
        edits: 2,
        of: ['labels', 'claims'],
        where: { labels: { pci: 'true' } },
        unchanged: [addOn],
      };
    case 3:
      return { name, values: { [addOn]: { LEVEL: ['a', 'b', ''] } } };
    default:
      return { name, atMostOnePlacementOf: ['fleet/p-1', 'fleet/p-6', 'fleet/p-11', 'fleet/p-16'] };
  }
});

function processorTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

print('| clusters | resolution | prove  | prove by resolution | answers |');
print('| -------- | ---------- | ------ | ------------------- | ------- |');
for (const size of fleetSizes) {
  const objects = workspace(size).map((object): LoadedObject => ({
    object,
    source: object.kind === 'ManagedCluster' ? 'fleet' : 'app',
    origin: { location: place, locate: () => place },
  }));
  let resolution = Infinity;
  let proofs = Infinity;
  let answers = '';
  for (let run = 0; run < runs; run++) {
    let resolved: ReturnType<typeof resolve> | undefined;
    resolution = Math.min(
      resolution,
      processorTime(() => (resolved = resolve(objects, { hub, now }))),
    );
    const state = resolved?.value;
    if (state === undefined) throw new Error('the example does not resolve');
    const time = processorTime(() => {
      const verdicts = prove(invariants, [state], hub);
      answers = ['proved', 'refuted', 'cannot prove']
        .map((answer) => verdicts.filter((each) => each.answer === answer).length)
        .join('/');
    });
    proofs = Math.min(proofs, time);
  }
  const ratio = (proofs / resolution).toFixed(2);
  print(`| ${size} | ${resolution.toFixed(0)} ms | ${proofs.toFixed(0)} ms | ${ratio} | ${answers} |`);
}
