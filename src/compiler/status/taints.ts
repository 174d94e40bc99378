import type { ManagedClusterV1Taint } from '../../../schemas/types.gen.ts';
import type { Decision, Decisions } from '../place/decision.ts';
import { judgeTaint } from '../place/taints.ts';

/** Returns the clusters that a placement would select without a taint, and the first taint that excludes each. */
export function excludedByTaints(
  { reasoning }: Decision,
  { scheduler: { index }, now }: Decisions,
): ReadonlyMap<string, ManagedClusterV1Taint> {
  const { candidates, tolerated, tolerations = [], isSelected } = reasoning?.scheduling ?? {};
  const excluded = new Map<string, ManagedClusterV1Taint>();
  if (candidates === undefined || tolerated === undefined || isSelected === undefined) return excluded;
  if (candidates.matching.length === tolerated.length) return excluded;
  const remaining = new Set(tolerated);
  for (const position of candidates.matching) {
    const cluster = index.clusters[position];
    if (remaining.has(position) || cluster === undefined) continue;
    const taint = (cluster.spec?.taints ?? []).find(
      (each) => !judgeTaint(each, tolerations, isSelected(position), now).accepted,
    );
    if (taint !== undefined) excluded.set(cluster.metadata.name ?? '', taint);
  }
  return excluded;
}
