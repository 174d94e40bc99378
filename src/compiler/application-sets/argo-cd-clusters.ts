import { isJsonMap } from '../../base/json/json-map.ts';
import { clusterGroup } from '../../../schemas/groups.ts';
import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import { fieldAt, isOfKind, namespaceOf, objectReference, textAt } from '../api/placement-references.ts';
import { objectKey, type Admitted, type Inventory } from '../model/inventory.ts';
import type { Decisions } from '../place/decision.ts';

/** A cluster that Argo CD knows: a Secret with the label `argocd.argoproj.io/secret-type: cluster`. */
export interface ArgoCdCluster {
  /** GitOpsCluster names it as the ManagedCluster. */
  readonly name: string;
  /** The URL of its API server. Where the inputs do not have it, a text that no URL is: see `unknownServer`. */
  readonly server: string;
  readonly project?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The GitOpsCluster that registers it, and `namespace/name` of its Placement. Absent for a Secret of the inputs. */
  readonly gitOpsCluster?: { readonly holder: Admitted; readonly placement: string };
}

/** The clusters that Argo CD knows in one namespace. */
export interface ArgoCdClusters {
  readonly byName: ReadonlyMap<string, ArgoCdCluster>;
  /** The names by the URL of the API server, without a slash at the end. */
  readonly byServer: ReadonlyMap<string, string>;
  /** Whether the inputs have no Secret and no GitOpsCluster for the namespace, so that these are all clusters of the fleet. */
  readonly isAssumed: boolean;
}

const secretTypeLabel = 'argocd.argoproj.io/secret-type';
const registeredLabel = 'apps.open-cluster-management.io/acm-cluster';
const nameLabel = 'apps.open-cluster-management.io/cluster-name';
const serverLabel = 'apps.open-cluster-management.io/cluster-server';
const backupLabel = 'cluster.open-cluster-management.io/backup';
const appsGroup = 'apps.open-cluster-management.io';

/** The server of the cluster that Argo CD runs on. */
export const localServer = 'https://kubernetes.default.svc';
export const localName = 'in-cluster';

/** Returns a text for the URL of a cluster's API server that the inputs do not have. */
export function unknownServer(cluster: string): string {
  return `<server of ${cluster}>`;
}

/** Returns the name of the cluster with an API server. */
export function nameOfServer(server: string, { byServer }: ArgoCdClusters): string | undefined {
  return byServer.get(withoutSlash(server));
}

function withoutSlash(server: string): string {
  return server.replace(/\/+$/, '');
}

/**
 * Returns the clusters that Argo CD knows in a namespace: the Secrets of the inputs, and those that the controller of
 * GitOpsClusters creates, by the rules of multicloud-integrations. If there are neither, all clusters of the fleet.
 */
export function argoCdClusters(
  { others }: Pick<Inventory, 'others'>,
  decisions: Pick<Decisions, 'clusters' | 'byPlacement'>,
  namespace: string,
): ArgoCdClusters {
  const written = others.filter((admitted) => isClusterSecret(admitted, namespace)).map(secretCluster);
  const byName = new Map(written.map((cluster) => [cluster.name, cluster]));
  const registering = others.filter(
    (admitted) =>
      isOfKind(admitted, appsGroup, 'GitOpsCluster') &&
      textAt(admitted.object, ['spec', 'argoServer', 'argoNamespace']) === namespace,
  );
  for (const holder of registering) {
    const placement = registeredPlacement(holder);
    for (const name of decisions.byPlacement.get(placement)?.selected ?? []) {
      const cluster = decisions.clusters.get(name);
      // A Secret that a user wrote stays, and the first GitOpsCluster explains the cluster.
      if (cluster !== undefined && !byName.has(name))
        byName.set(name, registeredCluster(name, cluster, holder, placement));
    }
  }
  if (written.length + registering.length > 0) return indexed(byName, false);
  return indexed(
    new Map(
      Array.from(decisions.clusters, ([name, { metadata }]) => [name, assumedCluster(name, metadata.labels)]),
    ),
    true,
  );
}

function indexed(byName: ReadonlyMap<string, ArgoCdCluster>, isAssumed: boolean): ArgoCdClusters {
  const byServer = new Map(Array.from(byName.values(), ({ name, server }) => [withoutSlash(server), name]));
  return { byName, byServer, isAssumed };
}

function assumedCluster(name: string, labels: Readonly<Record<string, string>> = {}): ArgoCdCluster {
  return {
    name,
    server: unknownServer(name),
    labels: { ...labels, [secretTypeLabel]: 'cluster' },
    annotations: {},
  };
}

function isClusterSecret(admitted: Admitted, namespace: string): boolean {
  const { object } = admitted;
  return (
    isOfKind(admitted, '', 'Secret') &&
    namespaceOf(admitted) === namespace &&
    object.metadata.labels?.[secretTypeLabel] === 'cluster'
  );
}

function secretCluster({ object }: Admitted): ArgoCdCluster {
  const { labels = {}, annotations = {} } = object.metadata;
  const field = (name: string): string | undefined => {
    const text = fieldAt(object, ['stringData', name]);
    if (typeof text === 'string') return text;
    const encoded = fieldAt(object, ['data', name]);
    return typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString('utf8') : undefined;
  };
  const project = field('project');
  const name = field('name') ?? '';
  return {
    name,
    server: field('server') ?? '',
    ...(project !== undefined && { project }),
    labels,
    annotations,
  };
}

/** Returns `namespace/name` of the Placement. The controller accepts two versions, and no other namespace. */
function registeredPlacement(holder: Admitted): string {
  const path = ['spec', 'placementRef'];
  const version = textAt(holder.object, [...path, 'apiVersion'])?.toLowerCase();
  const [reference] = objectReference(holder, path);
  const isRead = version === `${clusterGroup}/v1beta1` || version === `${clusterGroup}/v1alpha1`;
  return isRead && reference?.kind === 'Placement' ? reference.key : '';
}

function registeredCluster(
  name: string,
  { metadata, spec }: ManagedClusterV1,
  holder: Admitted,
  placement: string,
): ArgoCdCluster {
  const isBlank = fieldAt(holder.object, ['spec', 'createBlankClusterSecrets']) === true;
  const account = textAt(holder.object, ['spec', 'managedServiceAccountRef']);
  const urls = spec?.managedClusterClientConfigs ?? [];
  // Of several URLs, the controller takes the first that answers.
  const known = urls.length === 1 ? urls[0]?.url : undefined;
  const server = isBlank ? `https://${name}-control-plane` : (known ?? unknownServer(name));
  return {
    name,
    server,
    labels: {
      ...metadata.labels,
      [secretTypeLabel]: 'cluster',
      [registeredLabel]: 'true',
      [nameLabel]: name,
      [serverLabel]: isBlank ? `${name}-control-plane` : serverLabelOf(server),
      ...(!isBlank && account !== undefined && { [backupLabel]: '' }),
    },
    annotations: {},
    gitOpsCluster: { holder, placement },
  };
}

/** Returns the URL without protocol and port, as a label can have it. */
function serverLabelOf(server: string): string {
  return server
    .replace(/^.+?:\/\//, '')
    .replace(/(?<=.):.*$/s, '')
    .slice(0, 63);
}

/** Returns the key of an ApplicationSet's ConfigMap. */
export function configMapIn(
  { others }: Pick<Inventory, 'others'>,
  namespace: string,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const found = others.find(
    (admitted) =>
      isOfKind(admitted, '', 'ConfigMap') &&
      objectKey(namespaceOf(admitted), admitted.object.metadata.name ?? '') === objectKey(namespace, name),
  );
  const data = fieldAt(found?.object, ['data']);
  return isJsonMap(data) ? data : undefined;
}
