import { kindKey } from '../../base/names/resource-name.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { diagnostic, type Diagnostic } from '../../compiler/model/diagnostic.ts';
import { addOnGroup, clusterGroup, workGroup } from '../../../schemas/groups.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';

/** Why the objects of a chart belong on the hub. */
export interface HubChart {
  /** The kinds of the hub that the chart has, sorted. */
  readonly kinds: readonly string[];
  /** The Deployments that watch the hub, as `namespace/name`. */
  readonly managers: readonly string[];
}

/** Kinds that only a hub has. Clusters have others of OCM, such as ClusterClaim and Klusterlet. */
const hubKinds = [
  ocmKinds.addOnDeploymentConfig,
  ocmKinds.addOnTemplate,
  ocmKinds.clusterManagementAddOn,
  ocmKinds.managedClusterAddOn,
  ocmKinds.managedCluster,
  ocmKinds.managedClusterSet,
  ocmKinds.managedClusterSetBinding,
  ocmKinds.placement,
  ocmKinds.placementDecision,
  ocmKinds.clusterManager,
  ocmKinds.manifestWork,
  ocmKinds.manifestWorkReplicaSet,
];
const hubKeys = new Set<string>(hubKinds.map(({ key }) => key));
const hubGroups = new Set<string>([addOnGroup, clusterGroup, workGroup]);
const hubResources = new Set(hubKinds.map(({ plural }) => plural));
const reads = new Set(['*', 'get', 'list', 'watch']);

/**
 * Returns why a chart is for the hub: it has objects of the hub's kinds, or a Deployment whose permissions let it read them, which is
 * the manager of an add-on. Undefined for a chart for clusters.
 */
export function hubChart(manifests: readonly KubernetesObject[]): HubChart | undefined {
  const kinds = new Set(manifests.filter((object) => hubKeys.has(kindKey(object))).map(({ kind }) => kind));
  const managers = managersIn(manifests);
  if (kinds.size === 0 && managers.length === 0) return undefined;
  return { kinds: [...kinds].toSorted(), managers };
}

/** Reports that the objects of a chart become objects of the app. */
export function hubChartFinding(chart: string, { kinds, managers }: HubChart, path: string): Diagnostic {
  const why = [
    ...(kinds.length === 0 ? [] : [`it has ${kinds.join(', ')}`]),
    ...managers.map((manager) => `Deployment "${manager}" reads objects of the hub`),
  ];
  return diagnostic('FW9109', {
    message: `chart "${chart}" is for the hub, because ${why.join(', and ')}`,
    location: { file: path, line: 1, column: 1 },
    hint: 'its objects become objects of the app, and no cluster gets them',
  });
}

function managersIn(manifests: readonly KubernetesObject[]): string[] {
  const roles = new Set(
    manifests.filter((object) => isRole(object) && readsHub(object)).map((object) => nameOf(object)),
  );
  const accounts = new Set(
    manifests
      .filter((object) => isBinding(object) && roles.has(String(fieldOf(object, 'roleRef')?.['name'])))
      .flatMap((object) => subjectsOf(object)),
  );
  return manifests
    .filter((object) => object.kind === 'Deployment' && accounts.has(accountOf(object)))
    .map((object) => `${object.metadata.namespace ?? ''}/${nameOf(object)}`.replace(/^\//, ''));
}

function nameOf({ metadata }: KubernetesObject): string {
  return metadata.name ?? '';
}

function isRole({ kind }: KubernetesObject): boolean {
  return kind === 'ClusterRole' || kind === 'Role';
}

function isBinding({ kind }: KubernetesObject): boolean {
  return kind === 'ClusterRoleBinding' || kind === 'RoleBinding';
}

/** Whether a rule of a role names resources of the hub. A rule for all resources of all groups is that of an administrator. */
function readsHub(object: KubernetesObject): boolean {
  return listOf(object['rules']).some((rule) => {
    const texts = (field: string): string[] => {
      const value = rule[field];
      return Array.isArray(value) ? value.map(String) : [];
    };
    return (
      texts('apiGroups').some((group) => hubGroups.has(group)) &&
      texts('resources').some((resource) => hubResources.has(resource.replace(/\/.*$/, ''))) &&
      texts('verbs').some((verb) => reads.has(verb))
    );
  });
}

function subjectsOf(object: KubernetesObject): string[] {
  return listOf(object['subjects'])
    .filter(({ kind }) => kind === 'ServiceAccount')
    .map(({ name }) => String(name));
}

function accountOf(object: KubernetesObject): string {
  const template = fieldOf(fieldOf(object, 'spec'), 'template');
  const account = fieldOf(template, 'spec')?.['serviceAccountName'];
  return typeof account === 'string' ? account : 'default';
}

function fieldOf(value: unknown, name: string): JsonMap | undefined {
  const field = isJsonMap(value) ? value[name] : undefined;
  return isJsonMap(field) ? field : undefined;
}

function listOf(value: unknown): readonly JsonMap[] {
  return Array.isArray(value) ? value.filter(isJsonMap) : [];
}
