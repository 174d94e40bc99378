import type { ApiClient } from '../../../kubernetes/client/api-client.ts';
import { isAlreadyExists } from '../../../kubernetes/client/api-error.ts';
import type { Stored } from '../../../kubernetes/client/object.ts';
import { roleBindings, type RoleBinding } from './role-binding.ts';
import { bindingPrefix, companionName } from '../../../ocm/companion-binding.ts';
import { managedByLabel } from '../../../ocm/writer.ts';
import { addOnNameLabel, clusterNameLabel } from '../../../ocm/labels.ts';

/** Whether a binding is the companion's, by its name and label. The companion never changes others. */
export function isOurs({ metadata }: Stored<RoleBinding>): boolean {
  return metadata.name.startsWith(bindingPrefix) && metadata.labels?.[managedByLabel] === companionName;
}

/**
 * Returns the add-on and cluster of a binding, as `cluster/addOn`; undefined for bindings that are not the
 * companion's.
 */
export function holderOf(binding: Stored<RoleBinding>): string | undefined {
  const { [clusterNameLabel]: cluster, [addOnNameLabel]: addOn } = binding.metadata.labels ?? {};
  return isOurs(binding) && cluster !== undefined && addOn !== undefined ? `${cluster}/${addOn}` : undefined;
}

/**
 * Creates the wanted bindings of an add-on on a cluster, and removes all others.
 *
 * @param held - the existing bindings
 * @throws ApiError for the first binding that the API server rejects; the others stay as they were
 */
export async function applyPermissions(
  client: ApiClient,
  wanted: readonly RoleBinding[],
  held: readonly Stored<RoleBinding>[],
  signal: AbortSignal,
): Promise<void> {
  const rest = new Map(held.map((binding) => [keyOf(binding), binding]));
  // Remove bindings that are no longer allowed first.
  const wantedKeys = new Set(wanted.map(keyOf));
  for (const [key, binding] of rest) if (!wantedKeys.has(key)) await remove(client, binding, signal);
  for (const binding of wanted) {
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
    if (existing === undefined || !isOurs(existing)) throw error;
    return existing;
  }
}

async function correct(
  client: ApiClient,
  wanted: RoleBinding,
  held: Stored<RoleBinding>,
  signal: AbortSignal,
): Promise<void> {
  if (!isSameRole(wanted, held)) {
    // The role of a binding cannot be changed.
    await remove(client, held, signal);
    await client.create(roleBindings, wanted, { signal });
    return;
  }
  if (isAsWanted(wanted, held)) return;
  const { ownerReferences = [], labels } = wanted.metadata;
  const patch = { metadata: { labels, ownerReferences }, subjects: wanted.subjects };
  await client.merge(roleBindings, held.metadata, patch, { signal });
}

function isSameRole({ roleRef: a }: RoleBinding, { roleRef: b }: RoleBinding): boolean {
  return a.apiGroup === b.apiGroup && a.kind === b.kind && a.name === b.name;
}

function isAsWanted(wanted: RoleBinding, { metadata, subjects = [] }: Stored<RoleBinding>): boolean {
  const owners = (metadata.ownerReferences ?? []).map(({ uid }) => uid);
  const wantedOwners = (wanted.metadata.ownerReferences ?? []).map(({ uid }) => uid);
  const [only] = subjects;
  return (
    owners.join(' ') === wantedOwners.join(' ') &&
    Object.entries(wanted.metadata.labels ?? {}).every(
      ([name, value]) => metadata.labels?.[name] === value,
    ) &&
    subjects.length === 1 &&
    only?.kind === 'User' &&
    only.name === wanted.subjects?.[0]?.name
  );
}

function keyOf({ metadata }: RoleBinding): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
