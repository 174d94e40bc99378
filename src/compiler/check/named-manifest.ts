import { kubernetesKinds } from '../../../schemas/kubernetes/kubernetes.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { groupOf, guessResource } from '../../base/names/resource-name.ts';
import type { ResourceIdentifier } from '../../ocm/clusters/manifest-options.ts';

/** A manifest, as an entry of manifestConfigs or an orphaning rule can name it. */
export interface NamedManifest {
  readonly kind: string;
  readonly resource: Required<ResourceIdentifier>;
  /** Whether the resource is a guess, because the kind is not one of Kubernetes. */
  readonly isGuess: boolean;
}

/** Returns how a manifest can be named. Undefined for what is no object. */
export function namedManifest({ apiVersion, kind, metadata }: JsonMap): NamedManifest | undefined {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isJsonMap(metadata)) return undefined;
  const { name = '', namespace = '' } = metadata as { readonly name?: string; readonly namespace?: string };
  return {
    kind,
    resource: { group: groupOf(apiVersion), resource: guessResource(kind), namespace, name },
    isGuess: kubernetesKinds().byVersion.get(apiVersion)?.has(kind) !== true,
  };
}

/**
 * Whether an entry names a manifest. The resource of a kind that is not one of Kubernetes is not compared.
 *
 * @param matches - compares an entry with a manifest
 */
export function isNamedBy(
  entry: ResourceIdentifier,
  { resource, isGuess }: NamedManifest,
  matches: (entry: ResourceIdentifier, resource: ResourceIdentifier) => boolean,
): boolean {
  return matches(entry, isGuess ? { ...resource, resource: entry.resource } : resource);
}
