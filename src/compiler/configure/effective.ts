import { compareText } from '../../base/collections/compare-text.ts';
import type {
  Candidate,
  ConfigReference,
  EffectiveConfiguration,
  EffectiveKind,
  Loser,
  LossReason,
} from './resolved-add-on.ts';
import type { LevelCandidates } from './levels.ts';
import {
  configKindOfKey,
  configRead,
  referentKey,
  type ConfigKind,
  type ReadPosition,
} from '../../ocm/referent.ts';
import { effectiveConfigs, inStatusOrder } from '../../ocm/precedence.ts';

/** The candidates for one cluster, by level. */
export interface ClusterLevels {
  readonly defaults: LevelCandidates;
  /** The candidates of every placement that selects the cluster, in the install strategy's order. */
  readonly placements: readonly LevelCandidates[];
  readonly cluster: LevelCandidates;
}

/**
 * Returns the effective configuration: default < last placement < cluster, by group and resource, with whole lists replaced.
 * Kinds that the hub does not know remain, as in OCM's addonconfiguration graph. `statusReferences` are the
 * references in the ManagedClusterAddOn's status: those that remain keep their order, new ones follow.
 */
export function effectiveConfiguration(
  levels: ClusterLevels,
  statusReferences: readonly ConfigReference[],
  reads: ReadPosition,
): EffectiveConfiguration {
  const last = levels.placements.at(-1);
  const keys = new Set(
    [levels.defaults, ...levels.placements, levels.cluster].flatMap((level) => [...level.keys()]),
  );
  const rank = new Map(statusReferences.map((reference, index) => [referentKey(reference), index]));
  const kinds: EffectiveKind[] = [];
  for (const key of [...keys].sort(compareText)) {
    const fromDefault = levels.defaults.get(key) ?? [];
    const fromPlacement = last?.get(key);
    const fromCluster = levels.cluster.get(key);
    const winners = effectiveConfigs({
      default: fromDefault,
      placement: fromPlacement,
      cluster: fromCluster,
    });
    const loss: LossReason = fromCluster ? 'replaced by cluster' : 'replaced by placement';
    const losers: Loser[] = [];
    if (fromCluster ?? fromPlacement) losers.push(...lost(fromDefault, loss));
    for (const placement of levels.placements.slice(0, -1)) {
      losers.push(...lost(placement.get(key) ?? [], 'placement is not the last'));
    }
    if (fromCluster) losers.push(...lost(fromPlacement ?? [], 'replaced by cluster'));
    kinds.push({
      ...configKindOfKey(key),
      winners: inStatusOrder(winners, ({ reference }) => rank.get(referentKey(reference))),
      losers,
    });
  }
  const used = kinds.filter((kind) => kind.winners.length > 0 || kind.losers.length > 0);
  return {
    kinds: used,
    references: used.flatMap((kind) => kind.winners.map((winner) => winner.reference)),
    reads,
  };
}

/** Returns the configuration of a kind that the renderer reads. */
export function referenceRead(
  { references, reads }: Pick<EffectiveConfiguration, 'references' | 'reads'>,
  isKind: (kind: ConfigKind) => boolean,
): ConfigReference | undefined {
  return configRead(references.filter(isKind), reads);
}

function lost(candidates: readonly Candidate[], reason: LossReason): Loser[] {
  return candidates.map((candidate) => ({ ...candidate, reason }));
}
