import type { ApiClient } from '../../../client/api-client.ts';
import { isAlreadyExists } from '../../../client/api-error.ts';
import type { Stored } from '../../../client/object.ts';
import { roleBindings, type RoleBinding } from './role-binding.ts';
import { bindingPrefix, companionName } from '../../../ocm/companion-binding.ts';
import { managedByLabel } from '../../../ocm/writer.ts';
import { addOnNameLabel, clusterNameLabel } from '../../../ocm/labels.ts';

/** Whether a binding is the companion's, by its name and label. The companion never changes others. */
export function isCompanions({ metadata }: Stored<RoleBinding>): boolean {
  return metadata.name.startsWith(bindingPrefix) && metadata.labels?.[managedByLabel] === companionName;
}

/**
 * Returns the add-on and cluster of a binding, as `cluster/addOn`; undefined for bindings that are not the
 * companion's.
 */
export function holderOf(binding: Stored<RoleBinding>): string | undefined {
  const { [clusterNameLabel]: cluster, [addOnNameLabel]: addOn } = binding.metadata.labels ?? {};
  return isCompanions(binding) && cluster !== undefined && addOn !== undefined
    ? `${cluster}/${addOn}`
    : undefined;
}

/**
 * Creates the desired bindings of an add-on on a cluster, and removes all others.
 *
 * @param existing - the bindings in the cache
 * @throws ApiError for the first binding that the API server rejects; the others stay as they were
 */
export async function applyPermissions(
  client: ApiClient,
  desired: readonly RoleBinding[],
  existing: readonly Stored<RoleBinding>[],
  signal: AbortSignal,
): Promise<void> {
  const rest = new Map(existing.map((binding) => [keyOf(binding), binding]));
  // Remove bindings that are no longer allowed first.
  const desiredKeys = new Set(desired.map(keyOf));
  for (const [key, binding] of rest) if (!desiredKeys.has(key)) await remove(client, binding, signal);
  for (const binding of desired) {
    const existing = rest.get(keyOf(binding)) ?? (await create(client, binding, signal));
    if (existing !== undefined) await correct(client, binding, existing, signal);
  }
}

export async function remove(
  client: ApiClient,
  binding: Stored<RoleBinding>,
  signal: AbortSignal,
): Promise<void> {
  await client.delete(roleBindings, binding.metadata, { uid: binding.metadata.uid, signal });
}

/** Returns the existing binding if the cache did not contain it yet. */
async function create(
  client: ApiClient,
  binding: RoleBinding,
  signal: AbortSignal,
): Promise<Stored<RoleBinding> | undefined> {
  try {
    await client.create(roleBindings, binding, { signal });
    return undefined;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { name = '', namespace = '' } = binding.metadata;
    const existing = await client.get(roleBindings, { name, namespace }, signal);
    if (existing === undefined || !isCompanions(existing)) throw error;
    return existing;
  }
}

async function correct(
  client: ApiClient,
  desired: RoleBinding,
  existing: Stored<RoleBinding>,
  signal: AbortSignal,
): Promise<void> {
  if (!isSameRole(desired, existing)) {
    // The role of a binding cannot be changed.
    await remove(client, existing, signal);
    await client.create(roleBindings, desired, { signal });
    return;
  }
  if (isUpToDate(desired, existing)) return;
  const { ownerReferences = [], labels } = desired.metadata;
  const patch = { metadata: { labels, ownerReferences }, subjects: desired.subjects };
  await client.merge(roleBindings, existing.metadata, patch, { signal });
}

function isSameRole({ roleRef: a }: RoleBinding, { roleRef: b }: RoleBinding): boolean {
  return a?.apiGroup === b?.apiGroup && a?.kind === b?.kind && a?.name === b?.name;
}

function isUpToDate(desired: RoleBinding, { metadata, subjects = [] }: Stored<RoleBinding>): boolean {
  const owners = (metadata.ownerReferences ?? []).map(({ uid }) => uid);
  const desiredOwners = (desired.metadata.ownerReferences ?? []).map(({ uid }) => uid);
  const [only] = subjects;
  return (
    owners.join(' ') === desiredOwners.join(' ') &&
    Object.entries(desired.metadata.labels ?? {}).every(
      ([name, value]) => metadata.labels?.[name] === value,
    ) &&
    subjects.length === 1 &&
    only?.kind === 'User' &&
    only.name === desired.subjects?.[0]?.name
  );
}

function keyOf({ metadata }: RoleBinding): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
