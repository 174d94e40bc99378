import { Random } from '../charts/random.ts';
import type { TemplateAddOn } from '../render/template-add-on.ts';

const prefix = 'addon.open-cluster-management.io';
const locationKey = `${prefix}/hosted-manifest-location`;

/** Returns a random add-on with compiled delivery on cluster `c1`, which `host` or no cluster hosts. */
export function randomHosted(seed: number): TemplateAddOn {
  const random = new Random(seed);
  const hosting = random.chance(0.85)
    ? { [`${prefix}/hosting-cluster-name`]: random.chance(0.08) ? random.pick(['nowhere', '']) : 'host' }
    : {};
  const isCopied = random.chance(0.08);
  const isLeaving = random.chance(0.05);
  return {
    annotations: { 'fleetwright.dev/delivery': 'compiled', [`${prefix}/lifecycle`]: 'self' },
    manifests: Array.from({ length: random.below(9) }, () => manifest(random)),
    ...(random.chance(0.3) && { config: { agentInstallNamespace: 'agents' } }),
    ...(random.chance(0.2) && {
      agentSpec: {
        manifestConfigs: [
          {
            resourceIdentifier: { group: 'apps', resource: 'deployments', name: 'a', namespace: 'agents' },
            updateStrategy: { type: 'CreateOnly' },
          },
        ],
      },
    }),
    clusters: {
      // A written ManagedClusterAddOn gets no annotations of its cluster.
      c1: isCopied ? { annotations: hosting } : { addOnMetadata: { annotations: hosting } },
    },
    others: [
      {
        apiVersion: 'cluster.open-cluster-management.io/v1',
        kind: 'ManagedCluster',
        metadata: {
          name: 'host',
          ...(isLeaving && { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/leave'] }),
        },
        spec: { hubAcceptsClient: true },
      },
    ],
  };
}

function manifest(random: Random): object {
  const name = random.pick(['a', 'b', 'c', 'agent', 'd-1']);
  const labels = { app: name, ...(random.chance(0.1) && { [locationKey]: location(random) }) };
  const annotations = {
    ...(random.chance(0.75) && { [locationKey]: location(random) }),
    ...(random.chance(0.15) && { [`${prefix}/deletion-orphan`]: '' }),
    ...(random.chance(0.4) && { [`${prefix}/addon-pre-delete`]: '' }),
  };
  const metadata = { name, namespace: 'agents', labels, annotations };
  const pod = {
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: 'main', image: 'example.com/agent:v1' }] },
  };
  const workload = { selector: { matchLabels: { app: name } }, template: pod };
  switch (random.below(9)) {
    case 0:
    case 1:
      return {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata,
        spec: { ...workload, replicas: random.below(3) },
      };
    case 2:
      return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata, spec: workload };
    case 3: {
      const template = { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } };
      return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { template } };
    }
    case 4:
      return { apiVersion: 'v1', kind: 'Pod', metadata, spec: pod.spec };
    case 5:
      return { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
    case 6:
      return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec: { size: random.below(100) } };
    default: {
      const size = random.chance(0.6) ? 150_000 + random.below(300_000) : random.below(200);
      return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'x'.repeat(size) } };
    }
  }
}

function location(random: Random): string {
  return random.chance(0.03)
    ? random.pick(['Hosting', 'hub', 'Managed'])
    : random.pick(['hosting', 'hosting', 'hosting', 'managed', 'managed', 'none', '']);
}
