import type { FieldPath } from '../../model/field-path.ts';
import type { CelSelector } from '../cel-selector.ts';
import type { ClusterIndex } from '../cluster-index.ts';
import { meetsRequirement, type LabelRequirement } from '../label-selector.ts';
import { passesPredicate, type CompiledPredicate } from '../predicates.ts';
import { evaluationWords, requirementWords } from './words.ts';

/** The result of a placement's predicates for a cluster. */
export interface PredicatesVerdict {
  readonly text: string;
  readonly reasons: readonly string[];
  /** The predicate that matched, or the term that failed if there is only one predicate. */
  readonly path: FieldPath;
}

const predicatesPath: FieldPath = ['spec', 'predicates'];

/** Returns why a cluster passes, or fails, a non-empty list of predicates. */
export function explainPredicates(
  predicates: readonly CompiledPredicate[],
  cluster: number,
  index: ClusterIndex,
): PredicatesVerdict {
  const matching = predicates.findIndex((predicate) => passesPredicate(predicate, cluster));
  const matched = predicates[matching];
  if (matched !== undefined) {
    const terms = termsOf(matched, cluster, index);
    return {
      text:
        terms.length === 0 ? `predicate ${matching} matches every cluster` : `predicate ${matching} matches`,
      reasons: terms.map(({ words }) => words),
      path: [...predicatesPath, matching],
    };
  }
  const failures = predicates.map((predicate) => termsOf(predicate, cluster, index).find(({ met }) => !met));
  const [only] = failures;
  if (only !== undefined && failures.length === 1) {
    return {
      text: only.words,
      reasons: [],
      path: [...predicatesPath, 0, 'requiredClusterSelector', ...only.path],
    };
  }
  return {
    text: `none of the ${predicates.length} predicates matches`,
    reasons: failures.map((failure, number) => `predicate ${number}: ${failure?.words ?? ''}`),
    path: predicatesPath,
  };
}

interface Term {
  readonly met: boolean;
  readonly words: string;
  /** The path from the cluster selector on. */
  readonly path: FieldPath;
}

/** Returns the terms of a predicate in the order in which the hub evaluates them. */
function termsOf({ labels, claims, cel }: CompiledPredicate, cluster: number, index: ClusterIndex): Term[] {
  const terms = [
    ...selectorTerms('label', labels.selector.requirements, index.labels[cluster] ?? {}),
    ...selectorTerms('claim', claims.selector.requirements, index.claims(cluster)),
  ];
  if (cel !== undefined) terms.push(...celTerms(cel, cluster));
  return terms;
}

/** Returns all expressions if they are true; otherwise the one that decides. */
function celTerms(cel: CelSelector, cluster: number): Term[] {
  const evaluation = cel.evaluate(cluster);
  const path = (position: number): FieldPath => ['celSelector', 'celExpressions', position];
  if (evaluation.verdict === 'match') {
    return cel.expressions.map((expression, position) => ({
      met: true,
      words: `CEL expression is true: ${expression}`,
      path: path(position),
    }));
  }
  const position = cel.expressions.indexOf(evaluation.expression ?? '');
  return [{ met: false, words: evaluationWords(evaluation), path: path(Math.max(0, position)) }];
}

function selectorTerms(
  kind: 'label' | 'claim',
  requirements: readonly LabelRequirement[],
  values: Readonly<Record<string, string>>,
): Term[] {
  return requirements.map((requirement) => ({
    met: meetsRequirement(requirement, values),
    words: requirementWords(kind, requirement, values),
    path: [`${kind}Selector`, ...requirement.path],
  }));
}
