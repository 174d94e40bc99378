import { kindKey } from '../../base/names/resource-name.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import { type Diagnostic } from '../../compiler/model/diagnostic.ts';
import type { LoadedObject } from '../../compiler/model/inventory.ts';
import { resolve } from '../../compiler/resolve.ts';

/** The clusters of a hub that an app is rendered for. */
export interface PreviewFleet {
  readonly objects: readonly LoadedObject[];
  readonly hub: HubVersion;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What an app delivers, before it is written. */
export interface Preview {
  /** The manifests of one of the clusters. Undefined if the chart cannot be rendered. */
  readonly manifests: readonly KubernetesObject[] | undefined;
  readonly clusters: number;
  /** Whether a cluster needs Secrets that are not delivered, because they are random. */
  readonly needsSecrets: boolean;
  /** The findings about the app. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The version of Kubernetes of the cluster that takes the place of a missing fleet. */
export const assumedVersion = 'v1.34.2';

/** Renders the app of an add-on for a fleet; for an assumed cluster, if the fleet has none. */
export function preview(app: readonly LoadedObject[], addOn: string, fleet: PreviewFleet): Preview {
  const hasClusters = fleet.objects.some(({ object }) => kindKey(object) === ocmKinds.managedCluster.key);
  const surroundings = hasClusters ? fleet.objects : assumedFleet();
  const { value, diagnostics } = resolve([...app, ...surroundings], { now: fleet.now, hub: fleet.hub });
  const clusters = [...(value?.configuration.get(addOn)?.clusters.keys() ?? [])];
  let manifests: readonly KubernetesObject[] | undefined;
  let needsSecrets = false;
  for (const cluster of clusters) {
    const { works = [], undelivered = [] } = value?.rendering.clusterAddOn(addOn, cluster) ?? {};
    needsSecrets ||= undelivered.length > 0;
    if (works.length === 0) continue;
    manifests = works.flatMap(({ spec }) => spec?.workload?.manifests ?? []);
    break;
  }
  return {
    manifests,
    clusters: clusters.length,
    needsSecrets,
    diagnostics: diagnostics.filter(
      ({ location }) =>
        location === undefined || ('construct' in location && location.construct !== assumedFleetName),
    ),
  };
}

const assumedFleetName = 'assumed fleet';

function assumedFleet(): LoadedObject[] {
  const location = { construct: assumedFleetName };
  const origin = { location, locate: () => location };
  const objects: KubernetesObject[] = [
    {
      apiVersion: 'cluster.open-cluster-management.io/v1beta2',
      kind: 'ManagedClusterSet',
      metadata: { name: 'global' },
      spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
    },
    {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name: 'cluster' },
      spec: { hubAcceptsClient: true },
      status: {
        version: { kubernetes: assumedVersion },
        conditions: [
          {
            type: 'ManagedClusterConditionAvailable',
            status: 'True',
            reason: 'ManagedClusterAvailable',
            message: '',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
    },
  ];
  return objects.map((object) => ({ object, origin, source: 'fleet' }));
}
