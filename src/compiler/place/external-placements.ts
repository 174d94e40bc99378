import type { ManagedClusterSetBindingV1beta2, PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import { isSingle, type Elsewhere } from '../model/elsewhere.ts';
import { objectKey, type Admitted, type Inventory } from '../model/inventory.ts';
import type { Decision } from './decision.ts';
import { placementLabel } from '../../ocm/labels.ts';
import type { Unscheduled } from './fault.ts';
import { clusterGroup as group } from '../../../schemas/groups.ts';

/** Returns the bindings that are expected on the hub outside of Git. An entry with a glob does not create an object. */
export function externalBindings({ external }: Elsewhere): ManagedClusterSetBindingV1beta2[] {
  return external.filter(isSingle).flatMap(({ group: given = group, kind, namespace, name }) =>
    given !== group || kind !== 'ManagedClusterSetBinding' || namespace === undefined
      ? []
      : [
          {
            apiVersion: `${group}/v1beta2`,
            kind,
            metadata: { name, namespace },
            spec: { clusterSet: name },
          } satisfies ManagedClusterSetBindingV1beta2,
        ],
  );
}

/**
 * Returns the Placements of which the fleet snapshot only has the decisions: the snapshot is older, or left the Placements out
 * because another app or repository writes them. A decision is evidence that the Placement exists. The exception is a snapshot
 * that covers Placements and does not name it: then the decision is a leftover.
 */
export function placementsByDecision({
  placements,
  placementDecisions,
  elsewhere,
}: Pick<Inventory, 'placements' | 'placementDecisions' | 'elsewhere'>): ReadonlyMap<
  string,
  Admitted<PlacementV1beta1>
> {
  const byKey = new Map<string, Admitted<PlacementV1beta1>>();
  for (const { object, origin, source } of placementDecisions.values()) {
    const { namespace = '', labels } = object.metadata;
    const name = labels?.[placementLabel];
    if (source !== 'fleet' || name === undefined) continue;
    const key = objectKey(namespace, name);
    if (placements.has(key) || byKey.has(key)) continue;
    const isCovered = elsewhere.lists('Placement');
    if (isCovered && elsewhere.existence({ group, kind: 'Placement', namespace, name }) === 'missing')
      continue;
    const metadata = { name, namespace };
    byKey.set(key, {
      object: { apiVersion: `${group}/v1beta1`, kind: 'Placement', metadata, spec: {} },
      origin,
      source,
    });
  }
  return byKey;
}

/** Why such a Placement is not decided again. */
export const decidedElsewhere: Unscheduled = {
  reason: 'known by its decisions',
  message: 'the inputs have its decisions, but not the Placement itself',
  path: [],
};

/** Whether only the decisions of a Placement are known: `placement` is then a placeholder without a spec. */
export function isKnownByDecision({ unscheduled }: Decision): boolean {
  return unscheduled === decidedElsewhere;
}
