import type { Expression } from '../../engines/cel/syntax/expression.ts';
import { evaluate, type Program } from '../place/cel/selector.ts';
import { managedClusterVariables } from '../place/cel/managed-cluster-value.ts';
import { ChainColumns } from '../../engines/cel/run/chain-columns.ts';
import type { Bounds, BoundsAlgebra, Obstacle } from './bounds.ts';
import { askedBy } from './cel-questions.ts';
import type { ClusterSpace } from './cluster-space.ts';
import type { Node } from './diagram.ts';
import type { Input, Questions } from './input.ts';

/** A boolean expression as the hub evaluates it: divided where a part has a separate result. */
export type CelCondition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly CelCondition[] }
  | { readonly kind: 'not'; readonly part: CelCondition }
  | { readonly kind: 'part'; readonly program: Program; readonly inputs?: ReadonlySet<Input> };

/** Where an expression is true, and where it is false. It may be neither: an error, for example. */
interface Truth {
  readonly isTrue: Bounds;
  readonly isFalse: Bounds;
}

/** The number of clusters for which one part may be evaluated. */
const mostEvaluations = 20_000;

/** Divides an expression into parts, and adds their questions. */
export function divide(
  program: Program,
  questions: Questions,
  source: Expression = program.source,
): CelCondition {
  if (source.kind === 'call' && source.target === undefined) {
    const parts = (): CelCondition[] => source.args.map((part) => divide(program, questions, part));
    if (source.name === '_&&_') return { kind: 'and', parts: parts() };
    if (source.name === '_||_') return { kind: 'or', parts: parts() };
    const [only] = source.args;
    if (source.name === '!_' && only !== undefined)
      return { kind: 'not', part: divide(program, questions, only) };
  }
  const inputs = askedBy(source, questions);
  const part = source === program.source ? program : program.part(source);
  return { kind: 'part', program: part, ...(inputs !== undefined && { inputs }) };
}

/** Returns where a condition is true: for the clusters that the hub selects with it. */
export function whereTrue(
  condition: CelCondition,
  space: ClusterSpace,
  algebra: BoundsAlgebra,
  obstacle: Obstacle,
): Bounds {
  return truthOf(condition, space, algebra, obstacle).isTrue;
}

/** As cel-go: `false && error` is false, and `true || error` is true. */
function truthOf(
  condition: CelCondition,
  space: ClusterSpace,
  algebra: BoundsAlgebra,
  obstacle: Obstacle,
): Truth {
  if (condition.kind === 'part') return truthOfPart(condition, space, algebra, obstacle);
  if (condition.kind === 'not') {
    const { isTrue, isFalse } = truthOf(condition.part, space, algebra, obstacle);
    return { isTrue: isFalse, isFalse: isTrue };
  }
  const truths = condition.parts.map((part) => truthOf(part, space, algebra, obstacle));
  const whereAllTrue = truths.map(({ isTrue }) => isTrue);
  const whereFalse = truths.map(({ isFalse }) => isFalse);
  return condition.kind === 'and'
    ? { isTrue: algebra.and(...whereAllTrue), isFalse: algebra.or(...whereFalse) }
    : { isTrue: algebra.or(...whereAllTrue), isFalse: algebra.and(...whereFalse) };
}

function truthOfPart(
  { program, inputs }: Extract<CelCondition, { kind: 'part' }>,
  space: ClusterSpace,
  algebra: BoundsAlgebra,
  obstacle: Obstacle,
): Truth {
  const unknown = algebra.unknown(obstacle);
  const variables = Array.from(inputs ?? [], (input) => space.variableOf(input) ?? -1).sort((a, b) => a - b);
  const fields = variables.map((variable) => space.field(variable));
  const evaluations = fields.reduce((product, { values }) => product * values.length, 1);
  const isFinite = inputs !== undefined && fields.every(({ isPartitioned }) => isPartitioned);
  if (!isFinite || evaluations > mostEvaluations) return { isTrue: unknown, isFalse: unknown };

  const path = new Map<number, number>();
  let isUnknown = false;
  const chains = new ChainColumns();
  let row = 0;
  /** 1: true, 2: false, 0: neither. */
  const answer = (): number => {
    const cluster = managedClusterVariables(space.clusterAt(path));
    const evaluation = evaluate(program, { variables: cluster, scores: () => undefined, chains, row: row++ });
    if (evaluation.verdict === 'match') return 1;
    if (evaluation.verdict === 'no match') return evaluation.reason.kind === 'false' ? 2 : 0;
    isUnknown = true;
    return 0;
  };
  const { diagrams } = space;
  const build = (depth: number): Node => {
    const variable = variables[depth];
    if (variable === undefined) return diagrams.constant(answer());
    const children = (fields[depth]?.values ?? []).map((_, region) => {
      path.set(variable, region);
      const child = build(depth + 1);
      path.delete(variable);
      return child;
    });
    return diagrams.node(variable, children);
  };
  const answers = build(0);
  if (isUnknown) return { isTrue: unknown, isFalse: unknown };
  return {
    isTrue: algebra.exactly(diagrams.map(answers, (value) => (value === 1 ? 1 : 0))),
    isFalse: algebra.exactly(diagrams.map(answers, (value) => (value === 2 ? 1 : 0))),
  };
}
