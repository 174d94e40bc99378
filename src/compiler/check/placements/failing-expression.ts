import { diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { managedClusterV1 } from '../../../../schemas/schemas.gen.ts';
import type { StructuralSchema } from '../../../../schemas/structural-schema.ts';
import type { SelectorEvaluation } from '../../place/cel/selector.ts';
import type { ClusterIndex, ClusterIndices } from '../../place/cluster-index.ts';
import { evaluationWords } from '../../place/explain/words.ts';
import { pointAt } from '../../model/point-at.ts';
import type { CompiledPredicate } from '../../place/predicates.ts';
import { closest } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports CEL expressions that are neither true nor false for some of the evaluated clusters: they fail, return no boolean, or
 * cost too much. The hub treats all of these as "no match" and reports nothing.
 */
export const failingExpression: Rule = {
  codes: ['FW7023'],
  *check({ decisions }) {
    for (const { placement, reasoning } of decisions.byPlacement.values()) {
      const { available, predicates = [] } = reasoning?.scheduling.candidates ?? {};
      if (available === undefined) continue;
      for (const [index, predicate] of predicates.entries()) {
        const failing = failingClusters(predicate, available);
        const [first] = failing.clusters;
        const evaluation = first === undefined ? undefined : predicate.cel?.evaluate(first);
        if (first === undefined || evaluation?.verdict !== 'no match') continue;
        const position = predicate.cel?.expressions.indexOf(evaluation.expression ?? '') ?? 0;
        const path: FieldPath = [
          'spec',
          'predicates',
          index,
          'requiredClusterSelector',
          'celSelector',
          'celExpressions',
        ];
        const [name = ''] = decisions.scheduler.index.namesOf([first]);
        yield diagnostic('FW7023', {
          message:
            failing.clusters.length === failing.asked
              ? `on ${failing.asked === 1 ? 'the 1 cluster' : `all ${failing.asked} clusters`} a ${evaluationWords(evaluation)}, so the predicate selects nothing`
              : `on ${failing.clusters.length} of ${failing.asked} clusters, such as "${name}", a ${evaluationWords(evaluation)}`,
          ...pointAt(placement, [...path, position]),
          hint: hintOf(evaluation, decisions.scheduler.index),
        });
      }
    }
  },
};

/** Returns the clusters that pass labels and claims and for which an expression is neither true nor false. */
function failingClusters(
  { labels, claims, cel }: CompiledPredicate,
  available: ClusterIndices,
): { asked: number; clusters: number[] } {
  const clusters: number[] = [];
  let asked = 0;
  if (cel === undefined) return { asked, clusters };
  for (const cluster of available) {
    if (!labels.matches(cluster) || !claims.matches(cluster)) continue;
    asked++;
    const outcome = cel.outcome(cluster);
    if (outcome === 'error' || outcome === 'not a boolean' || outcome === 'cost limit')
      clusters.push(cluster);
  }
  return { asked, clusters };
}

/** Returns the field or label that was probably meant, if the expression reads one that no cluster has. */
function hintOf(evaluation: SelectorEvaluation, { labels }: ClusterIndex): string {
  const guard =
    'guard optional fields, as in has(managedCluster.metadata.labels.env), and compare to get a boolean';
  if (evaluation.verdict !== 'no match' || evaluation.reason.kind !== 'error') return guard;
  const [, key] = /^no such key: (.+)$/.exec(evaluation.reason.message) ?? [];
  if (key === undefined) return guard;
  const names = new Set([...metadataFields, ...fieldNames(managedClusterV1), ...labels.flatMap(Object.keys)]);
  const meant = names.has(key) ? undefined : closest(key, names);
  return meant === undefined ? guard : `did you mean ${quote(meant)}?`;
}

const metadataFields = ['name', 'labels', 'annotations', 'creationTimestamp'];

function* fieldNames({ properties = {}, items }: StructuralSchema): Iterable<string> {
  for (const [name, schema] of Object.entries(properties)) {
    yield name;
    yield* fieldNames(schema);
  }
  if (items !== undefined) yield* fieldNames(items);
}
