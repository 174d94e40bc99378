import { goJson } from '../../../base/json/go-json.ts';
import type { ApiClient } from '../../../client/api-client.ts';
import { isAlreadyExists } from '../../../client/api-error.ts';
import { keyOfName, nameOfKey, type ApiObject, type ObjectKey, type Stored } from '../../../client/object.ts';
import type { Resource } from '../../../client/resource.ts';
import { companionName } from '../../../ocm/companion-binding.ts';
import { tokenInfrastructure } from '../../../ocm/token-infrastructure.ts';
import { managedByLabel } from '../../../ocm/writer.ts';
import type { TokenInformers } from '../hub-informers.ts';
import {
  isOwn,
  roleBindings,
  roles,
  serviceAccounts,
  tokenHolderOf,
  type Role,
  type RoleBinding,
} from './token-objects.ts';

/** An object of another writer has the place of one that an agent needs. */
export class ForeignObjectError extends Error {}

/** The objects from which an agent gets its token, each in the cache or still to be created. */
export interface TokenObjects {
  readonly account: TokenObject<ApiObject>;
  readonly role: TokenObject<Role>;
  readonly binding: TokenObject<RoleBinding>;
}

interface TokenObject<T extends ApiObject> {
  readonly resource: Resource<T>;
  readonly desired: T;
  readonly cached: Stored<T> | undefined;
  /** Whether an object of any writer has the content that agents need. */
  readonly isSufficient: (object: Stored<T>) => boolean;
}

/** Returns the objects of an add-on on a cluster. With the label of the companion, they are as OCM's hub creates them. */
export function tokenObjects(
  { serviceAccounts: accounts, roles: cachedRoles, roleBindings: bindings }: TokenInformers,
  key: ObjectKey,
): TokenObjects {
  const { name: addOn, namespace: cluster = '' } = nameOfKey(key);
  const labels = { [managedByLabel]: companionName };
  const { serviceAccount, role, roleBinding } = tokenInfrastructure({ addOn, cluster }, labels);
  const isOfKey = (object: Stored<ApiObject>): boolean => tokenHolderOf(object) === key;
  return {
    account: {
      resource: serviceAccounts,
      desired: serviceAccount,
      cached: accounts.store.get(keyOfDesired(serviceAccount)),
      isSufficient: isOfKey,
    },
    role: {
      resource: roles,
      desired: role,
      cached: cachedRoles.store.get(keyOfDesired(role)),
      isSufficient: (stored) => isOfKey(stored) && goJson(stored.rules ?? []) === goJson(role.rules),
    },
    binding: {
      resource: roleBindings,
      desired: roleBinding,
      cached: bindings.store.get(keyOfDesired(roleBinding)),
      isSufficient: (stored) =>
        isOfKey(stored) &&
        goJson(stored.roleRef) === goJson(roleBinding.roleRef) &&
        goJson(stored.subjects ?? []) === goJson(roleBinding.subjects),
    },
  };
}

/** Whether all objects are there with their content, according to the cache. */
export function areApplied({ account, role, binding }: TokenObjects): boolean {
  return isApplied(account) && isApplied(role) && isApplied(binding);
}

/** Whether the cache has objects that the companion created. */
export function haveOwn({ account, role, binding }: TokenObjects): boolean {
  return [account, role, binding].some(({ cached }) => cached !== undefined && isOwn(cached));
}

/**
 * Creates the objects, and replaces those of the companion that have another content. As OCM ensureTokenInfrastructure, which also
 * takes over objects of others: the companion does not, since a ServiceAccount of another purpose may have permissions.
 *
 * @returns the uid of the ServiceAccount
 * @throws ApiError for the first object that the API server rejects, ForeignObjectError for one of another writer in its place
 */
export async function applyTokenInfrastructure(
  client: ApiClient,
  { account, role, binding }: TokenObjects,
  signal: AbortSignal,
): Promise<string> {
  const { metadata } = await ensure(client, account, signal);
  await ensure(client, role, signal);
  await ensure(client, binding, signal);
  return metadata.uid;
}

/** Deletes the objects that the companion created, the binding first. */
export async function removeTokenInfrastructure(
  client: ApiClient,
  { account, role, binding }: TokenObjects,
  signal: AbortSignal,
): Promise<void> {
  for (const { resource, cached } of [binding, role, account])
    if (cached !== undefined && isOwn(cached))
      await client.delete(resource, cached.metadata, { uid: cached.metadata.uid, signal });
}

function isApplied<T extends ApiObject>({ cached, isSufficient }: TokenObject<T>): boolean {
  return cached !== undefined && isSufficient(cached);
}

async function ensure<T extends ApiObject>(
  client: ApiClient,
  { resource, desired, cached, isSufficient }: TokenObject<T>,
  signal: AbortSignal,
): Promise<Stored<T>> {
  const existing = cached ?? (await createOrGet(client, resource, desired, signal));
  if (isSufficient(existing)) return existing;
  if (!isOwn(existing))
    throw new ForeignObjectError(
      `${resource.kind} "${existing.metadata.name}" exists with other labels or content, and the companion has not created it`,
    );
  await client.delete(resource, existing.metadata, { uid: existing.metadata.uid, signal });
  return await client.create(resource, desired, { signal });
}

/** Returns the new object, or the existing one if the cache did not contain it: it is new, or has other labels. */
async function createOrGet<T extends ApiObject>(
  client: ApiClient,
  resource: Resource<T>,
  desired: T,
  signal: AbortSignal,
): Promise<Stored<T>> {
  try {
    return await client.create(resource, desired, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { name = '', namespace = '' } = desired.metadata;
    const existing = await client.get(resource, { name, namespace }, signal);
    if (existing === undefined) throw error;
    return existing;
  }
}

function keyOfDesired({ metadata: { name = '', namespace = '' } }: ApiObject): ObjectKey {
  return keyOfName({ name, namespace });
}
