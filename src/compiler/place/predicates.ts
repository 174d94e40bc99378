import type { PlacementV1beta1ClusterPredicate } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { CelSelector, CelSelectors } from './cel-selector.ts';
import type { ClusterIndices } from './cluster-index.ts';
import type { Misconfiguration, Unscheduled } from './fault.ts';
import type { SelectorFault } from './label-selector.ts';
import type { ClusterSelector, Selectors } from './selectors.ts';

/** One predicate of a placement: a cluster passes if all its selectors match. */
export interface CompiledPredicate {
  readonly labels: ClusterSelector;
  readonly claims: ClusterSelector;
  /** Absent without expressions. */
  readonly cel?: CelSelector;
}

const selectorPath = 'requiredClusterSelector';

/**
 * Validates the predicates of a placement, as the hub does once there is a cluster to apply them to: predicate by predicate,
 * labels before claims before CEL. The first fault makes the whole placement misconfigured.
 */
export function compilePredicates(
  predicates: readonly PlacementV1beta1ClusterPredicate[],
  selectors: Selectors,
  cel: CelSelectors,
): readonly CompiledPredicate[] | Misconfiguration | Unscheduled {
  const compiled: CompiledPredicate[] = [];
  for (const [index, { requiredClusterSelector: selector }] of predicates.entries()) {
    const path: FieldPath = ['spec', 'predicates', index, selectorPath];
    const labels = selectors.labels(selector?.labelSelector);
    if ('error' in labels) return misconfigured(labels, [...path, 'labelSelector']);
    const { matchExpressions } = selector?.claimSelector ?? {};
    const claims = selectors.claims(matchExpressions === undefined ? undefined : { matchExpressions });
    if ('error' in claims) return misconfigured(claims, [...path, 'claimSelector']);
    const expressions = selector?.celSelector?.celExpressions ?? [];
    const matching = expressions.length === 0 ? undefined : cel(expressions);
    if (matching !== undefined && !('matches' in matching)) {
      const at: FieldPath = [...path, 'celSelector', 'celExpressions', matching.index];
      if ('error' in matching) return { plugin: 'Predicate', message: matching.error, path: at };
      return { reason: 'unknown expression', message: matching.unknown, path: at };
    }
    compiled.push(matching === undefined ? { labels, claims } : { labels, claims, cel: matching });
  }
  return compiled;
}

/**
 * Returns the first cluster with an unknown result: no predicate certainly passes, and one has an expression without a known
 * result.
 */
export function firstUncertainty(
  predicates: readonly CompiledPredicate[],
  clusters: ClusterIndices,
): Unscheduled | undefined {
  if (!predicates.some(({ cel }) => cel?.isUncertain())) return undefined;
  for (const cluster of clusters) {
    if (passesPredicates(predicates, cluster)) continue;
    const index = predicates.findIndex((predicate) => isUncertain(predicate, cluster));
    const evaluation = predicates[index]?.cel?.evaluate(cluster);
    if (evaluation?.verdict !== 'cannot tell') continue;
    const position = predicates[index]?.cel?.expressions.indexOf(evaluation.expression) ?? 0;
    const path = ['spec', 'predicates', index, selectorPath, 'celSelector', 'celExpressions', position];
    return { reason: 'unknown expression', message: evaluation.reason, path };
  }
  return undefined;
}

function isUncertain({ labels, claims, cel }: CompiledPredicate, cluster: number): boolean {
  return labels.matches(cluster) && claims.matches(cluster) && cel?.outcome(cluster) === 'cannot tell';
}

/** Whether a cluster passes: one predicate is enough, and without predicates all clusters pass. */
export function passesPredicates(predicates: readonly CompiledPredicate[], cluster: number): boolean {
  if (predicates.length === 0) return true;
  for (const predicate of predicates) if (passesPredicate(predicate, cluster)) return true;
  return false;
}

/** Whether a cluster passes one predicate. */
export function passesPredicate({ labels, claims, cel }: CompiledPredicate, cluster: number): boolean {
  return labels.matches(cluster) && claims.matches(cluster) && (cel === undefined || cel.matches(cluster));
}

function misconfigured({ error, path }: SelectorFault, selector: FieldPath): Misconfiguration {
  return { plugin: 'Predicate', message: error, path: [...selector, ...path] };
}
