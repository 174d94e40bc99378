import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { isJsonMap } from '../../src/base/json/json-map.ts';
import type { ApiClient } from '../../test/hub/client/api-client.ts';
import {
  namespaceKind,
  ocmKinds,
  reference,
  role,
  roleBinding,
  type KindOf,
} from '../../test/hub/client/kinds.ts';

const clusterRole: KindOf = ['rbac.authorization.k8s.io/v1', 'ClusterRole'];
const clusterRoleBinding: KindOf = ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'];
const lease: KindOf = ['coordination.k8s.io/v1', 'Lease'];

/** Kinds of objects in the namespace of a cluster, in the order in which they refer to each other. */
const namespaced = [ocmKinds.managedClusterAddOn, role, roleBinding, lease, ocmKinds.manifestWork];

/**
 * What a hub has for one cluster, to be written for others with their names: the state to which OCM's controllers come for each of them. No
 * controller may run meanwhile.
 */
export class ClusterCopies {
  readonly #hub: ApiClient;
  readonly #model: string;
  readonly #objects: readonly KubernetesObject[];

  private constructor(hub: ApiClient, model: string, objects: readonly KubernetesObject[]) {
    this.#hub = hub;
    this.#model = model;
    this.#objects = objects;
  }

  /**
   * Reads the objects of a cluster.
   *
   * @param isCopied - whether the objects of an add-on are copied
   */
  static async of(
    hub: ApiClient,
    model: string,
    isCopied: (addOn: string) => boolean,
  ): Promise<ClusterCopies> {
    const itself = await Promise.all([
      hub.get(...ocmKinds.managedCluster, model),
      hub.get(...namespaceKind, model),
    ]);
    const ofAll = (await Promise.all([clusterRole, clusterRoleBinding].map((kind) => hub.list(...kind))))
      .flat()
      .filter(({ metadata: { name = '' } }) => name.endsWith(`:${model}`));
    const inNamespace = (await Promise.all(namespaced.map((kind) => hub.list(...kind, model)))).flat();
    const isOfCopied = ({
      kind,
      metadata: { name = '', ownerReferences = [] },
    }: KubernetesObject): boolean => {
      if (kind === ocmKinds.managedClusterAddOn[1]) return isCopied(name);
      return ownerReferences.every(
        (owner) => owner.kind !== ocmKinds.managedClusterAddOn[1] || isCopied(owner.name),
      );
    };
    const objects = [...itself, ...ofAll, ...inNamespace.filter(isOfCopied)];
    return new ClusterCopies(
      hub,
      model,
      objects.filter((object) => object !== undefined),
    );
  }

  /** Writes the objects for another cluster, except the statuses of its works, which its agents report. */
  async write(cluster: string): Promise<void> {
    const uids = new Map<string, string>();
    for (const object of this.#objects) {
      const copy = JSON.parse(JSON.stringify(object).replaceAll(this.#model, cluster)) as KubernetesObject;
      const { uid = '', name = '', namespace, labels, annotations, finalizers } = copy.metadata;
      const { status, ...rest } = copy;
      const created = await this.#hub.create({
        ...rest,
        metadata: {
          name,
          ...(namespace !== undefined && { namespace }),
          ...(labels && { labels }),
          ...(annotations && { annotations }),
          ...(finalizers && { finalizers }),
          ownerReferences: (copy.metadata.ownerReferences ?? []).map((owner) => {
            const own = uids.get(owner.uid ?? '');
            return own === undefined ? owner : { ...owner, uid: own };
          }),
        },
        ...(copy.kind === lease[1] && { spec: renewed(copy['spec']) }),
      });
      uids.set(uid, created.metadata.uid ?? '');
      if (isJsonMap(status) && copy.kind !== ocmKinds.manifestWork[1] && copy.kind !== namespaceKind[1]) {
        const itself = reference([copy.apiVersion, copy.kind], name, namespace);
        await this.#hub.merge(itself, { status: ofFirst(status) }, 'status');
      }
    }
  }
}

/** A Lease that the agent of the cluster has just renewed. */
function renewed(spec: unknown): object {
  return { ...(isJsonMap(spec) && spec), renewTime: new Date().toISOString().replace('Z', '000Z') };
}

/** A status that observes the first generation of its object. */
function ofFirst(status: object): object {
  return JSON.parse(
    JSON.stringify(status).replaceAll(/"observedGeneration":\d+/g, '"observedGeneration":1'),
  ) as object;
}
