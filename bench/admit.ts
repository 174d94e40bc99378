import { admit } from '../src/compiler/admit/admit.ts';
import { byFloor, readingFloor } from './floor.ts';
import type { LoadedObject } from '../src/compiler/model/inventory.ts';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';

const addOn = 'addon.open-cluster-management.io';
const cluster = 'cluster.open-cluster-management.io';
const lastTransitionTime = '2026-01-01T00:00:00Z';

function managedCluster(name: string): KubernetesObject {
  return {
    apiVersion: `${cluster}/v1`,
    kind: 'ManagedCluster',
    metadata: { name, labels: { [`${cluster}/clusterset`]: 'prod', env: 'prod', region: 'eu-central-1' } },
    spec: { hubAcceptsClient: true },
    status: {
      conditions: [
        { type: 'ManagedClusterJoined', status: 'True', reason: 'Joined', message: '', lastTransitionTime },
      ],
      allocatable: { cpu: '32', memory: '128Gi' },
      capacity: { cpu: '32', memory: '128Gi' },
      clusterClaims: [{ name: 'platform.open-cluster-management.io', value: 'AWS' }],
      version: { kubernetes: 'v1.34.2' },
    },
  };
}

function managedClusterAddOn(version: string, name: string, namespace: string): KubernetesObject {
  return {
    apiVersion: `${addOn}/${version}`,
    kind: 'ManagedClusterAddOn',
    metadata: { name, namespace },
    spec: {
      configs: [{ group: addOn, resource: 'addondeploymentconfigs', namespace: 'ns', name: 'config' }],
    },
    status: {
      conditions: [{ type: 'Available', status: 'True', reason: 'Up', message: 'fine', lastTransitionTime }],
    },
  };
}

/** Returns a fleet with two add-ons on every cluster. */
function fleet(clusters: number, version: string): LoadedObject[] {
  const location = { construct: 'bench' };
  const origin = { location, locate: () => location };
  const names = Array.from({ length: clusters }, (_, index) => `cluster-${index}`);
  return names
    .flatMap((name) => [
      managedCluster(name),
      managedClusterAddOn(version, 'first', name),
      managedClusterAddOn(version, 'second', name),
    ])
    .map((object) => ({ object, origin, source: 'fleet' }));
}

function milliseconds(objects: readonly LoadedObject[]): number {
  const start = performance.now();
  const { diagnostics } = admit(objects);
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics[0]));
  return performance.now() - start;
}

const lines = [['clusters', 'objects', 'v1alpha1 ms', 'v1beta1 ms', 'µs/object', 'by floor']];
milliseconds(fleet(1, 'v1alpha1'));
for (const clusters of [100, 1_000, 10_000]) {
  const objects = clusters * 3;
  const old = milliseconds(fleet(clusters, 'v1alpha1'));
  const young = milliseconds(fleet(clusters, 'v1beta1'));
  const each = ((old + young) / 2 / objects) * 1000;
  const floor = readingFloor(fleet(clusters, 'v1beta1').map(({ object }) => object));
  lines.push([
    `${clusters}`,
    `${objects}`,
    old.toFixed(0),
    young.toFixed(0),
    each.toFixed(0),
    byFloor(young, floor),
  ]);
}
for (const line of lines) process.stdout.write(`${line.map((cell) => cell.padStart(12)).join('')}\n`);
