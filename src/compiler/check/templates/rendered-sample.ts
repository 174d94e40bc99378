import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { GoJsonObject } from '../../../base/json/go-json.ts';
import { goJson } from '../../../base/json/go-json.ts';
import type { RenderedManifests, RenderedObject } from '../../render/manifests.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import type { RenderGroup } from '../../render/render-result.ts';

const samples = new WeakMap<RenderGroup, RenderedManifests>();

/**
 * The rendered objects of a group's first cluster, or the error that stops the hub. The other clusters differ only in the cluster
 * name.
 */
export function sampleOf(group: RenderGroup): RenderedManifests {
  return getOrInsertComputed(samples, group, () => group.manifests.render(group.clusters[0] ?? ''));
}

/** Returns the objects of the sample. Empty if the hub cannot render, which the render phase reports. */
export function renderedSample(group: RenderGroup): readonly RenderedObject[] {
  const sample = sampleOf(group);
  return 'error' in sample ? [] : sample.objects;
}

/** Returns the name of an object in messages: `Deployment agents/controller`. */
export function objectWords(object: GoJsonObject): string {
  const { kind } = groupVersionKind(object);
  const [namespace, name] = [namespaceOf(object), nameOf(object)];
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name === '' ? '(without a name)' : name}`;
}

/** Returns a key for the render inputs of a group. Groups of the same template have equal keys. */
export function templateKey({ template }: RenderGroup, ...more: readonly unknown[]): string {
  return goJson([template.object.metadata.name ?? '', ...more]);
}
