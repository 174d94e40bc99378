import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { groupOf, guessResource } from '../../../base/names/resource-name.ts';
import {
  isOwned,
  updateStrategyOf,
  type ManifestOptions,
  type UpdateStrategy,
} from '../../../ocm/clusters/manifest-options.ts';
import { objectKey, type Admitted } from '../../model/inventory.ts';
import type { AddOnChange } from '../add-on-plan.ts';
import type { Side } from '../change.ts';
import type { Pair } from '../resolution-pair.ts';
import { onHosting } from '../works/compare-rendering.ts';
import { workSpecPath } from '../works/direct-works.ts';
import type { ManifestWorkV1 } from '../../../../schemas/types.gen.ts';

/** An object that works deliver to a cluster. */
export interface DeliveredObject {
  /** `group/Kind`. */
  readonly kind: string;
  /** `Deployment agents/agent`. */
  readonly words: string;
  readonly manifest: JsonMap;
  readonly strategy: UpdateStrategy;
  /** Whether it is deleted when no work delivers it any more. */
  readonly isOwned: boolean;
  /** The hosting cluster that gets it in hosted mode, and its key among the objects of that cluster. */
  readonly hosted?: { readonly cluster: string; readonly key: string };
}

/** Whether the work owns the object, so that it exists at least as long. The agent does not own what it only reads. */
export function isHeld({ isOwned, strategy }: Pick<DeliveredObject, 'isOwned' | 'strategy'>): boolean {
  return isOwned && strategy !== 'ReadOnly';
}

/** Objects by kind, namespace and name; those of a hosting cluster also by its name. */
export type DeliveredObjects = ReadonlyMap<string, DeliveredObject>;

/** Returns what an add-on or a work of a plan delivers to a cluster in one state. */
export function deliveredBy(
  { kind, addOn }: Pick<AddOnChange, 'kind' | 'addOn'>,
  cluster: string,
  side: Side,
  pair: Pair,
): DeliveredObjects {
  const { addOns, others, replicaSets } = pair.works[side];
  if (kind === 'ManifestWork') return deliveredObjects((others.get(addOn)?.get(cluster) ?? []).map(specOf));
  if (kind === 'ManifestWorkReplicaSet') {
    const set = replicaSets.get(addOn);
    return deliveredObjects(set === undefined ? [] : [specOf(set)]);
  }
  if (kind !== undefined) return new Map();
  const rendered = pair[side].resolution.rendering.predicted(addOn, cluster)?.works ?? [];
  const written = addOns.get(addOn)?.get(cluster) ?? [];
  const managed = rendered.filter(({ metadata }) => metadata.namespace === cluster);
  const objects = deliveredObjects([...managed.map(({ spec }) => spec ?? {}), ...written.map(specOf)]);
  if (managed.length === rendered.length) return objects;
  const hosting = rendered.filter(({ metadata }) => metadata.namespace !== cluster);
  return new Map([...objects, ...hosting.flatMap(hostedObjects)]);
}

/** Returns the objects of a work for a hosting cluster. */
function hostedObjects({ metadata, spec = {} }: ManifestWorkV1): [string, DeliveredObject][] {
  const { namespace: cluster = '' } = metadata;
  return Array.from(deliveredObjects([spec]), ([key, object]) => [
    JSON.stringify([cluster, key]),
    { ...object, words: `${object.words}${onHosting}`, hosted: { cluster, key } },
  ]);
}

/** The parts of a work's spec that the agent reads. */
export type WorkSpec = ManifestOptions & { readonly workload?: { readonly manifests?: readonly unknown[] } };

/** Returns the objects of works. */
export function deliveredObjects(specs: readonly WorkSpec[]): DeliveredObjects {
  const objects = new Map<string, DeliveredObject>();
  for (const spec of specs) {
    for (const manifest of spec.workload?.manifests ?? []) {
      if (!isJsonMap(manifest)) continue;
      const { apiVersion, kind, metadata } = manifest;
      if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isJsonMap(metadata)) continue;
      const { name = '', namespace = '' } = metadata as { name?: string; namespace?: string };
      const resource = { group: groupOf(apiVersion), resource: guessResource(kind), namespace, name };
      const words = `${kind} ${objectKey(namespace, name)}`;
      objects.set(`${resource.group}/${words}`, {
        kind: `${resource.group}/${kind}`,
        words,
        manifest,
        strategy: updateStrategyOf(spec, resource),
        isOwned: isOwned(spec, resource),
      });
    }
  }
  return objects;
}

function specOf(work: Admitted): WorkSpec {
  let value: unknown = work.object;
  for (const field of workSpecPath(work)) value = isJsonMap(value) ? value[String(field)] : undefined;
  return isJsonMap(value) ? value : {};
}
