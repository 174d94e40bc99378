import { goJson } from '../../../src/base/json/go-json.ts';
import { compareTo, parseQuantity } from '../../../src/base/quantity.ts';
import { isJsonMap, type JsonMap } from '../../../src/base/json/json-map.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { UnservedKind, type ApiClient } from '../client/api-client.ts';
import { ocmKinds } from '../client/kinds.ts';
import { until } from '../companion/until.ts';
import { cluster } from './random-works.ts';
import type { ManifestPair } from './manifest-pairs.ts';

/** The condition Applied of a manifest. */
export interface Applied {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

interface WorkStatus {
  readonly conditions?: readonly { readonly type: string; readonly observedGeneration?: number }[];
  readonly resourceStatus?: {
    readonly manifests?: readonly {
      readonly resourceMeta: { readonly ordinal: number };
      readonly conditions: readonly (Applied & { readonly type: string })[];
    }[];
  };
}

/** Returns the condition Applied of each manifest of a work, once the agent has reported the present generation. */
export async function appliedOf(hub: ApiClient, name: string): Promise<readonly Applied[]> {
  let status: WorkStatus = {};
  await until(`an answer to ${name}`, async () => {
    const work = await hub.get(...ocmKinds.manifestWork, name, cluster);
    status = work?.status ?? {};
    const applied = status.conditions?.find(({ type }) => type === 'Applied');
    return applied !== undefined && applied.observedGeneration === work?.metadata.generation;
  });
  const manifests = [...(status.resourceStatus?.manifests ?? [])];
  manifests.sort((a, b) => a.resourceMeta.ordinal - b.resourceMeta.ordinal);
  return manifests.map((manifest) => manifest.conditions.find(({ type }) => type === 'Applied') ?? {});
}

/**
 * Returns the object of a manifest in the version of what is predicted. Undefined if the cluster has none, or cannot have one.
 */
async function objectOf(
  managed: ApiClient,
  { before, resource: { namespace, name } }: Pick<ManifestPair, 'before' | 'resource'>,
  stored: JsonMap | undefined,
): Promise<KubernetesObject | undefined> {
  const { apiVersion, kind } = (stored ?? before) as { apiVersion: string; kind: string };
  try {
    return await managed.get(apiVersion, kind, name, ...(namespace === '' ? [] : [namespace]));
  } catch (error) {
    if (error instanceof UnservedKind) return undefined;
    throw error;
  }
}

/**
 * Reads an object until it has what is predicted, a few times: the agent deletes some StorageClasses and creates them again, whenever it
 * looks. Returns where it differs.
 */
export async function differenceOf(
  managed: ApiClient,
  pair: ManifestPair,
  stored: JsonMap | undefined,
): Promise<string | undefined> {
  for (let attempt = 0; ; attempt++) {
    const difference = unlike(await objectOf(managed, pair, stored), stored);
    if (difference === undefined || attempt === 10) return difference;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function unlike(
  object: JsonMap | KubernetesObject | undefined,
  stored: JsonMap | undefined,
): string | undefined {
  if (stored === undefined) return object === undefined ? undefined : 'the object exists';
  if (object === undefined) return 'the object does not exist';
  // the API server writes what `stringData` of a Secret has into `data`
  const { metadata, stringData: _, ...content } = stored;
  const { labels, annotations } = metadata as JsonMap;
  return lackingIn(object, { metadata: { labels, annotations }, ...content }, '');
}

/**
 * Returns the first field of a manifest that an object does not have. The API server adds fields, but no items to lists, and leaves out
 * what is empty.
 */
function lackingIn(object: unknown, manifest: unknown, path: string): string | undefined {
  if (manifest === undefined || (isEmpty(manifest) && isEmpty(object))) return undefined;
  const [items, all] = [childrenOf(manifest), childrenOf(object)];
  if (items === undefined || all === undefined || (Array.isArray(manifest) && items.size !== all.size))
    return isSameValue(object, manifest) ? undefined : `${path} is ${goJson(object ?? null)}`;
  for (const [key, item] of items) {
    const lacking = lackingIn(all.get(key), item, `${path}.${key}`);
    if (lacking !== undefined) return lacking;
  }
  return undefined;
}

function childrenOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) return new Map(value.map((item, index) => [String(index), item as unknown]));
  return isJsonMap(value) ? new Map(Object.entries(value)) : undefined;
}

function isEmpty(value: unknown): boolean {
  const children = childrenOf(value);
  return children === undefined ? !value : [...children.values()].every(isEmpty);
}

/** The API server writes a quantity in its canonical form. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (goJson(one ?? null) === goJson(other ?? null)) return true;
  const [first, second] = [one, other].map((value) => parseQuantity(String(value)));
  if (first === undefined || second === undefined) return false;
  if (first.error !== undefined || second.error !== undefined) return false;
  return compareTo(first.quantity, second.quantity) === 0;
}
