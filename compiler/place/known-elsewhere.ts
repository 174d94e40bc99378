import type { ManagedClusterSetBindingV1beta2, PlacementV1beta1 } from '../../schemas/types.gen.ts';
import { clusterGroup as group } from '../api/placement-references.ts';
import { isSingle, type Elsewhere } from '../elsewhere.ts';
import { objectKey, type Admitted, type Inventory } from '../inventory.ts';
import type { Decision } from './decision.ts';
import { placementLabel } from '../api/labels.ts';
import type { Standstill } from './fault.ts';

/** The bindings that are expected on the hub outside of Git; what is named by a glob is no object yet. */
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
 * The Placements of which the fleet snapshot has the decisions only: an older snapshot, or one that left them out because
 * another app or repository writes them. A decision is evidence that the Placement exists, unless the snapshot covers
 * Placements and does not name it: then the decision was left behind.
 */
export function placementsByDecision({
  placements,
  placementDecisions,
  elsewhere,
}: Inventory): ReadonlyMap<string, Admitted<PlacementV1beta1>> {
  const found = new Map<string, Admitted<PlacementV1beta1>>();
  for (const { object, origin, source } of placementDecisions.values()) {
    const { namespace = '', labels } = object.metadata;
    const name = labels?.[placementLabel];
    if (source !== 'fleet' || name === undefined) continue;
    const key = objectKey(namespace, name);
    if (placements.has(key) || found.has(key)) continue;
    const isCovered = elsewhere.lists('Placement');
    if (isCovered && elsewhere.existence({ group, kind: 'Placement', namespace, name }) === 'missing')
      continue;
    const metadata = { name, namespace };
    found.set(key, {
      object: { apiVersion: `${group}/v1beta1`, kind: 'Placement', metadata, spec: {} },
      origin,
      source,
    });
  }
  return found;
}

/** Why such a Placement is not decided anew. */
export const decidedElsewhere: Standstill = {
  reason: 'known by its decisions',
  message: 'the inputs have its decisions, but not the Placement itself',
  path: [],
};

/** Whether nothing but its decisions is known of a Placement: `placement` is a stand-in without a spec. */
export function isKnownByDecision({ standstill }: Decision): boolean {
  return standstill === decidedElsewhere;
}
