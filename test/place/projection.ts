import type { PlacementDecisionV1beta1 } from '../../schemas/types.gen.ts';
import type { Decision } from '../../compiler/place/decision.ts';
import { objectKey } from '../../compiler/inventory.ts';

/** What is compared of the Placements and PlacementDecisions of a hub, as the recorded answers have it. */
export function project(decisions: Iterable<Decision>): Record<string, unknown> {
  const projected: Record<string, unknown> = {};
  for (const { placement, status, objects } of decisions) {
    const { name = '', namespace } = placement.object.metadata;
    projected[`Placement/${objectKey(namespace, name)}`] = {
      kind: 'Placement',
      name,
      namespace,
      numberOfSelectedClusters: status.numberOfSelectedClusters ?? 0,
      decisionGroups: status.decisionGroups ?? [],
      conditions: status.conditions ?? [],
    };
    for (const object of objects)
      projected[`PlacementDecision/${objectKey(namespace, object.metadata.name ?? '')}`] = page(object);
  }
  return projected;
}

function page({ kind, metadata, status }: PlacementDecisionV1beta1): object {
  return {
    kind,
    name: metadata.name,
    namespace: metadata.namespace,
    labels: metadata.labels,
    decisions: (status?.decisions ?? []).map(({ clusterName }) => clusterName),
  };
}
