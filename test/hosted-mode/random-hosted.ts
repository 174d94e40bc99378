import { Random } from '../engines/charts/random.ts';
import type { TemplateAddOn } from '../compiler/render/template-add-on.ts';

const prefix = 'addon.open-cluster-management.io';
const locationKey = `${prefix}/hosted-manifest-location`;

/** Returns a random add-on with compiled delivery on cluster `c1`, which `host` or no cluster hosts. */
export function randomHosted(seed: number): TemplateAddOn {
  return hostedAddOn(new Random(seed), manifest);
}

/** The works of hooks of such an add-on, for the managed and for the hosting cluster. */
export const hookWorks = ['c1/addon-agent-pre-delete', 'host/addon-agent-pre-delete-hosting-c1'] as const;

/** A random add-on whose hooks run, and which of their works are complete after it is deleted. */
export interface RandomHooked {
  readonly addOn: TemplateAddOn;
  readonly complete: readonly string[];
}

export function randomHooked(seed: number): RandomHooked {
  const random = new Random(seed);
  const addOn = hostedAddOn(random, hookOrSettings);
  return {
    addOn: { ...addOn, annotations: { ...addOn.annotations, 'fleetwright.dev/pre-delete-hooks': 'run' } },
    complete: hookWorks.filter(() => random.chance(0.5)),
  };
}

function hostedAddOn(random: Random, manifest: (random: Random, index: number) => object): TemplateAddOn {
  const hosting = random.chance(0.85)
    ? { [`${prefix}/hosting-cluster-name`]: random.chance(0.08) ? random.pick(['nowhere', '']) : 'host' }
    : {};
  const isCopied = random.chance(0.08);
  const isLeaving = random.chance(0.05);
  return {
    annotations: { 'fleetwright.dev/delivery': 'compiled', [`${prefix}/lifecycle`]: 'self' },
    manifests: Array.from({ length: random.below(9) }, (_, index) => manifest(random, index)),
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

/** Names are unique, since two hooks of one name would be one object on a cluster. */
function hookOrSettings(random: Random, index: number): object {
  const name = `m-${index}`;
  // Hooks for the hosting cluster need another manifest there.
  const isHook = index > 0 && random.chance(0.6);
  const metadata = {
    name,
    namespace: 'agents',
    annotations: {
      ...(random.chance(0.8) && { [locationKey]: index === 0 ? 'hosting' : location(random) }),
      ...(isHook && random.chance(0.9) && { [`${prefix}/addon-pre-delete`]: '' }),
    },
    ...(isHook && random.chance(0.2) && { labels: { [`${prefix}/addon-pre-delete`]: '' } }),
  };
  const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/bye:v1' }] };
  if (!isHook) return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { name } };
  return random.chance(0.7)
    ? { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { template: { spec } } }
    : { apiVersion: 'v1', kind: 'Pod', metadata, spec };
}

function location(random: Random): string {
  return random.chance(0.03)
    ? random.pick(['Hosting', 'hub', 'Managed'])
    : random.pick(['hosting', 'hosting', 'hosting', 'managed', 'managed', 'none', '']);
}
