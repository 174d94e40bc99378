import type { GoJsonObject } from '../../../encoding/go-json.ts';
import { goJson } from '../../../encoding/go-json.ts';
import type { RenderedManifests, RenderedObject } from '../../render/manifests.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../../render/object-identity.ts';
import type { RenderGroup } from '../../render/rendering.ts';

const samples = new WeakMap<RenderGroup, RenderedManifests>();

/** What a group's first cluster gets, or what stops the hub there; the others differ in the cluster's name only. */
export function sampleOf(group: RenderGroup): RenderedManifests {
  const sample = samples.get(group) ?? group.manifests.render(group.clusters[0] ?? '');
  samples.set(group, sample);
  return sample;
}

/** The objects of the sample. None where the hub cannot render, which the render phase tells. */
export function renderedSample(group: RenderGroup): readonly RenderedObject[] {
  const sample = sampleOf(group);
  return 'error' in sample ? [] : sample.objects;
}

/** How messages name an object: `Deployment agents/controller`. */
export function objectWords(object: GoJsonObject): string {
  const { kind } = groupVersionKind(object);
  const [namespace, name] = [namespaceOf(object), nameOf(object)];
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name === '' ? '(without a name)' : name}`;
}

/** A key for what a group renders from: equal for groups of the same template. */
export function templateKey({ template }: RenderGroup, ...more: readonly unknown[]): string {
  return goJson([template.object.metadata.name ?? '', ...more]);
}
