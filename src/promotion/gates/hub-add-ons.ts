import { clusterKey } from '../decide/promotion.ts';
import type { HubAddOn } from '../decide/cluster-health.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { addOnNamespaceLabel } from '../../ocm/hosted-mode.ts';
import { addOnNameLabel } from '../../ocm/labels.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import { resourceOf } from '../../ocm/resource.ts';
import type { ManagedClusterAddOnV1beta1, ManifestWorkV1 } from '../../../schemas/types.gen.ts';
import { HubError, unexpectedField } from '../../workspace/hub/hub-error.ts';
import type { HubReader } from '../../workspace/hub/hub-reader.ts';

const managedClusterAddOns = resourceOf(ocmKinds.managedClusterAddOn, 'v1alpha1');
const manifestWorks = resourceOf(ocmKinds.manifestWork, 'v1');

interface MutableAddOn {
  addOn?: ManagedClusterAddOnV1beta1;
  readonly works: ManifestWorkV1[];
}

/**
 * Reads add-ons on all clusters, by `clusterKey`. The number of requests depends on the number of pages, not of clusters: two
 * lists per add-on.
 *
 * @param hasWorks - whether the works of an add-on are read: those that the hub makes decide nothing here
 * @throws HubError if the hub rejects a request, does not answer, or is no hub of OCM.
 */
export async function readHubAddOns(
  hub: HubReader,
  addOns: Iterable<string>,
  hasWorks: (addOn: string) => boolean = () => true,
): Promise<ReadonlyMap<string, HubAddOn>> {
  const found = new Map<string, MutableAddOn>();
  const of = (addOn: string, { metadata }: KubernetesObject): MutableAddOn => {
    // In hosted mode, works for the hosting cluster are in its namespace.
    const key = clusterKey(addOn, metadata.labels?.[addOnNamespaceLabel] ?? metadata.namespace ?? '');
    const entry = found.get(key) ?? { works: [] };
    found.set(key, entry);
    return entry;
  };
  for (const addOn of addOns) {
    const fieldSelector = `metadata.name=${addOn}`;
    for (const object of await listed(hub, managedClusterAddOns, { fieldSelector }))
      if (object.metadata.name === addOn)
        of(addOn, object).addOn = withSpec(hub, object) as unknown as ManagedClusterAddOnV1beta1;
    if (!hasWorks(addOn)) continue;
    const labelSelector = `${addOnNameLabel}=${addOn}`;
    for (const object of await listed(hub, manifestWorks, { labelSelector }))
      if (isDeployWork(object, addOn)) of(addOn, object).works.push(object as unknown as ManifestWorkV1);
  }
  return found;
}

/** Returns an add-on with a spec. @throws HubError without one: a gate must not open on a part of an answer */
function withSpec(hub: HubReader, object: KubernetesObject): KubernetesObject {
  if (object['spec'] !== undefined) return object;
  throw unexpectedField(hub.server, object, 'spec', 'an object');
}

/** Whether a work stays on the cluster. Works of hooks run once. */
function isDeployWork({ metadata }: KubernetesObject, addOn: string): boolean {
  const { name = '', labels } = metadata;
  return labels?.[addOnNameLabel] === addOn && name.startsWith(`addon-${addOn}-deploy`);
}

async function listed(
  hub: HubReader,
  resource: Parameters<HubReader['list']>[0],
  selection: Parameters<HubReader['list']>[1],
): Promise<readonly KubernetesObject[]> {
  const objects = await hub.list(resource, selection);
  if (objects !== undefined) return objects;
  throw new HubError(
    'FW9008',
    `${hub.server} does not serve ${resource.plural} of ${resource.apiVersion}`,
    "is that the hub? The kubeconfig may name a managed cluster, or OCM's cluster manager is not installed",
  );
}
