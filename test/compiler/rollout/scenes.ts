import type {
  ClusterManagementAddOnV1beta1RolloutStrategy,
  PlacementDecisionV1beta1,
} from '../../../schemas/types.gen.ts';
import { binding, cluster, placement } from '../place/hub-fixture.ts';

const addOnGroup = 'addon.open-cluster-management.io';

/** A PlacementDecision with the labels of a decision group. */
export function decisionOf(
  index: string,
  name: string,
  clusters: readonly string[],
  placementName = 'placement',
): PlacementDecisionV1beta1 {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'PlacementDecision',
    metadata: {
      namespace: 'default',
      name: `${placementName}-decision-${index}`,
      labels: {
        'cluster.open-cluster-management.io/placement': placementName,
        'cluster.open-cluster-management.io/decision-group-index': index,
        'cluster.open-cluster-management.io/decision-group-name': name,
      },
    },
    status: { decisions: clusters.map((clusterName) => ({ clusterName, reason: '' })) },
  };
}

/** Clusters by the decision group that they are in; those of the group `''` are in none of a name. */
export type Grouped = Readonly<Record<string, readonly string[]>>;

/** Clusters with a label `group`, and what a placement needs to select them. */
export function fleet(groups: Grouped): object[] {
  const labelled = Object.entries(groups).flatMap(([group, names]) =>
    names.map((name) => cluster(name, { labels: { group } })),
  );
  return [...labelled, binding('default')];
}

/** A placement of these clusters, in groups of their labels. */
export function grouped(groups: Grouped, name = 'pl', clustersPerDecisionGroup?: number | string): object {
  const named = Object.keys(groups).filter((group) => group !== '');
  return placement(
    {
      predicates: [{ requiredClusterSelector: { labelSelector: selector(Object.keys(groups)) } }],
      decisionStrategy: {
        groupStrategy: {
          decisionGroups: named.map((groupName) => ({
            groupName,
            groupClusterSelector: { labelSelector: selector([groupName]) },
          })),
          ...(clustersPerDecisionGroup === undefined ? {} : { clustersPerDecisionGroup }),
        },
      },
    },
    { name },
  );
}

function selector(values: readonly string[]): object {
  return { matchExpressions: [{ key: 'group', operator: 'In', values }] };
}

/** An AddOnDeploymentConfig `default/<name>` whose content depends on the revision. */
export function config(name = 'settings', revision = '1'): object {
  return {
    apiVersion: `${addOnGroup}/v1alpha1`,
    kind: 'AddOnDeploymentConfig',
    metadata: { name, namespace: 'default' },
    spec: { agentInstallNamespace: '', customizedVariables: [{ name: 'REVISION', value: revision }] },
  };
}

/** How an add-on refers to `config(name)`. */
export function reference(name = 'settings'): object {
  return { group: addOnGroup, resource: 'addondeploymentconfigs', namespace: 'default', name };
}

export type Rollout = ClusterManagementAddOnV1beta1RolloutStrategy;

/** An add-on that placements of namespace `default` install, each with its rollout, configured by `config(name)`. */
export function addOn(
  placements: Readonly<Record<string, Rollout>>,
  configName = 'settings',
  name = 'agent',
): object {
  return {
    apiVersion: `${addOnGroup}/v1beta1`,
    kind: 'ClusterManagementAddOn',
    metadata: { name },
    spec: {
      defaultConfigs: [reference(configName)],
      installStrategy: {
        type: 'Placements',
        placements: Object.entries(placements).map(([placement, rolloutStrategy]) => ({
          name: placement,
          namespace: 'default',
          rolloutStrategy,
        })),
      },
    },
  };
}

/** A ManagedClusterAddOn of `addOn()`. */
export function onCluster(
  clusterName: string,
  fields: { configs?: readonly object[]; status?: object; name?: string },
): object {
  const { configs, status, name = 'agent' } = fields;
  return {
    apiVersion: `${addOnGroup}/v1beta1`,
    kind: 'ManagedClusterAddOn',
    metadata: { name, namespace: clusterName },
    spec: configs === undefined ? {} : { configs },
    ...(status === undefined ? {} : { status }),
  };
}

/** Objects as one YAML text. */
export function text(...objects: readonly object[]): string {
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}
