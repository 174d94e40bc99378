import { diagnostic, type Diagnostic } from '../../diagnostic.ts';
import type { FieldPath } from '../../field-path.ts';
import type { Admitted, Inventory } from '../../inventory.ts';
import type { Decisions } from '../../place/decision.ts';
import { pointAt } from '../../point-at.ts';
import { worksOf } from '../../render/replica-set-works.ts';
import { replicaSetReach, replicaSets, replicaSetSpec } from '../../rollout/replica-set.ts';
import { strategyFaults } from '../../rollout/strategy-faults.ts';
import { clusterCount, listed } from '../../words.ts';
import type { Rule } from '../rule.ts';

/** Reports ManifestWorkReplicaSets that never settle, that stop the hub, or whose works the API server rejects. */
export const replicaSetRules: Rule = function* ({ inventory, decisions }): Iterable<Diagnostic> {
  for (const set of replicaSets(inventory)) {
    yield* stoppingValues(set);
    yield* contestedWorks(set, decisions, inventory);
    yield* refusedWorks(set);
  }
};

function placementPath(index: number): FieldPath {
  return ['spec', 'placementRefs', index];
}

/** As sdk-go's RolloutHandler. The set's controller uses the same handler as the add-on controller. */
function* stoppingValues(set: Admitted): Iterable<Diagnostic> {
  for (const [index, { name, rolloutStrategy }] of replicaSetSpec(set).placementRefs.entries()) {
    for (const { path, value, error } of strategyFaults(rolloutStrategy)) {
      const field = path.at(-1) ?? '';
      const when = field === 'maxConcurrency' ? ', after its mandatory groups' : '';
      yield diagnostic('FW6010', {
        message: `${field} "${value}" stops the hub from creating, updating and deleting works for Placement "${name}"${when}: ${error}`,
        ...pointAt(set, [...placementPath(index), 'rolloutStrategy', ...path]),
        hint:
          field === 'progressDeadline'
            ? 'write a number with h, m or s, such as 10m, or None'
            : 'write a number without quotes, or a percentage such as "25%"',
      });
    }
  }
}

/**
 * Reports clusters that several Placements select. A work has the label of one Placement, and the hub finds each Placement's
 * works by it.
 */
function* contestedWorks(set: Admitted, decisions: Decisions, inventory: Inventory): Iterable<Diagnostic> {
  const { contested } = replicaSetReach(set, decisions, inventory);
  const [first] = contested;
  if (first === undefined) return;
  const [cluster, placements] = first;
  const others = contested.size === 1 ? '' : `, and ${clusterCount(contested.size - 1)} more`;
  yield diagnostic('FW6009', {
    message: `Placements ${listed(placements)} both select cluster "${cluster}"${others}: the hub alternates between the two works, and never stops`,
    ...pointAt(set, ['spec', 'placementRefs']),
    hint: 'let the Placements select different clusters, or create a ManifestWorkReplicaSet for each',
  });
}

/** Reports works that the API server rejects. Every cluster gets the same work, so one work represents all. */
function* refusedWorks(set: Admitted): Iterable<Diagnostic> {
  const [placement] = replicaSetSpec(set).placementRefs;
  const made = worksOf(set)('cluster1', placement?.name ?? '');
  if ('work' in made) return;
  yield diagnostic('FW6011', {
    message: `the API server rejects the works of this set: ${made.error}`,
    ...pointAt(set, made.path ?? ['spec', 'manifestWorkTemplate']),
    hint:
      made.path === undefined
        ? 'correct the manifest'
        : 'shorten the name or the namespace: together they may have at most 62 characters',
  });
}
