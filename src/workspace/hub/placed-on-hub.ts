import type { Resolution } from '../../compiler/index.ts';
import type { OwnedApplication, PlacedOnHub, PolicyCopy } from '../../compiler/status/placed-status.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { fieldsOf, text } from '../../client/fields.ts';
import { namespacedResource } from '../../client/resource.ts';
import type { HubLists } from './hub-lists.ts';
import { unlessForbidden } from './unless-forbidden.ts';

const policies = namespacedResource('policy.open-cluster-management.io/v1', 'Policy', 'policies');
const applications = namespacedResource('argoproj.io/v1alpha1', 'Application', 'applications');

/** The label of copies: the namespace and the name of the Policy, with a dot between them. A namespace has no dot. */
const rootPolicy = 'policy.open-cluster-management.io/root-policy';

/**
 * Reads what controllers on the hub have made of the Policies and ApplicationSets of a state. Kinds that the state does not have are not
 * read, and a kind that the hub does not serve has no objects.
 *
 * @param unread - gets what the credentials do not allow to read
 */
export async function placedOnHub(
  hub: HubLists,
  { inventory }: Pick<Resolution, 'inventory'>,
  unread: Set<string>,
): Promise<PlacedOnHub> {
  const has = (kind: string): boolean => inventory.others.some(({ object }) => object.kind === kind);
  const read = async (resource: typeof policies): Promise<readonly KubernetesObject[] | undefined> => {
    let isForbidden = false;
    const objects = await unlessForbidden(hub.list(resource), () => {
      isForbidden = true;
      unread.add(resource.plural);
    });
    return isForbidden ? undefined : (objects ?? []);
  };
  const copies = has('Policy') ? await read(policies) : undefined;
  const owned = has('ApplicationSet') ? await read(applications) : undefined;
  return {
    ...(copies !== undefined && { policies: copies.flatMap(policyCopy) }),
    ...(owned !== undefined && { applications: owned.flatMap(ownedApplication) }),
  };
}

function policyCopy({ metadata, spec, status }: KubernetesObject): readonly PolicyCopy[] {
  const [, namespace, name] = /^([^.]+)\.(.+)$/.exec(metadata.labels?.[rootPolicy] ?? '') ?? [];
  const { namespace: cluster } = metadata;
  if (namespace === undefined || name === undefined || cluster === undefined) return [];
  const remediationAction = text(fieldsOf(spec)?.['remediationAction']);
  const compliance = text(fieldsOf(status)?.['compliant']);
  return [
    {
      policy: `${namespace}/${name}`,
      cluster,
      ...(remediationAction !== undefined && { remediationAction }),
      ...(compliance !== undefined && { compliance }),
    },
  ];
}

function ownedApplication({ metadata }: KubernetesObject): readonly OwnedApplication[] {
  const { namespace = '', name = '', ownerReferences = [] } = metadata;
  const owner = ownerReferences.find(({ kind }) => kind === 'ApplicationSet');
  return owner === undefined
    ? []
    : [{ name: `${namespace}/${name}`, applicationSet: `${namespace}/${owner.name}` }];
}
