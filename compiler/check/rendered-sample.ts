import type { GoJsonObject } from '../../encoding/go-json.ts';
import { goJson } from '../../encoding/go-json.ts';
import type { RenderedObject } from '../render/manifests.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../render/object-identity.ts';
import type { RenderGroup } from '../render/rendering.ts';

const samples = new WeakMap<RenderGroup, readonly RenderedObject[]>();

/**
 * The objects that a group's first cluster gets; those of the others differ in the cluster's name only. Empty where the
 * hub cannot render, which the render phase tells.
 */
export function renderedSample(group: RenderGroup): readonly RenderedObject[] {
  let sample = samples.get(group);
  if (sample === undefined) {
    const rendered = group.manifests.render(group.clusters[0] ?? '');
    sample = 'error' in rendered ? [] : rendered.objects;
    samples.set(group, sample);
  }
  return sample;
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
