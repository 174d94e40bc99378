import type { Expression } from '../../engines/cel/syntax/expression.ts';
import { evaluate, type Program } from '../place/cel/selector.ts';
import { managedClusterVariables } from '../place/cel/managed-cluster-value.ts';
import { ChainColumns } from '../../engines/cel/run/chain-columns.ts';
import type { Bounds, BoundsAlgebra, Obstacle } from './bounds.ts';
import { askedBy } from './cel-questions.ts';
import type { ClusterSpace } from './cluster-space.ts';
import type { Diagrams, Node } from './diagram.ts';
import { isOther, type Input, type OtherKind, type Questions } from './input.ts';

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
  const { diagrams } = space;
  const asked = [...(inputs ?? [])];
  const fields = asked
    .filter((input) => !isOther(input))
    .map((input) => space.variableOf(input) ?? -1)
    .sort((a, b) => a - b)
    .map((variable) => ({ variable, ...space.field(variable) }));
  const maps = asked.filter(isOther).map((input) => ({
    variable: space.variableOf(input) ?? -1,
    isPresent: besides(input.kind, asked, space),
  }));
  const evaluations = fields.reduce((product, { values }) => product * values.length, 2 ** maps.length);
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
  const build = (depth: number): Node => {
    const field = fields[depth];
    if (field === undefined) return diagrams.constant(answer());
    const { variable, values } = field;
    const children = values.map((_, region) => {
      path.set(variable, region);
      const child = build(depth + 1);
      path.delete(variable);
      return child;
    });
    return diagrams.node(variable, children);
  };
  const buildMaps = (depth: number): Node => {
    const map = maps[depth];
    if (map === undefined) return build(0);
    const [without, withOthers] = [0, 1].map((region) => {
      path.set(map.variable, region);
      return buildMaps(depth + 1);
    });
    return choose(
      map.isPresent,
      withOthers ?? without ?? diagrams.false,
      without ?? diagrams.false,
      diagrams,
    );
  };
  const answers = buildMaps(0);
  if (isUnknown) return { isTrue: unknown, isFalse: unknown };
  return {
    isTrue: algebra.exactly(diagrams.map(answers, (value) => (value === 1 ? 1 : 0))),
    isFalse: algebra.exactly(diagrams.map(answers, (value) => (value === 2 ? 1 : 0))),
  };
}

/** Returns where a cluster has an annotation or claim that is not among some inputs, read by another selector or by none. */
function besides(kind: OtherKind, inputs: readonly Input[], space: ClusterSpace): Node {
  const { diagrams } = space;
  const known = new Set(inputs.map((input) => space.variableOf(input)));
  const nodes = space.variables.flatMap((variable, position) => {
    if ('taint' in variable) return [];
    const { input, values } = variable;
    const isBeside = input.kind === kind || (`other ${input.kind}` === kind && !known.has(position));
    return isBeside ? [diagrams.where(position, (region) => values[region] !== undefined)] : [];
  });
  return diagrams.or(...nodes);
}

/** Returns the value of one function where a condition holds, and that of another one elsewhere. */
function choose(condition: Node, where: Node, elsewhere: Node, diagrams: Diagrams): Node {
  const chosen = diagrams.combine(condition, where, (holds, value) => (holds === 1 ? value : -1));
  return diagrams.combine(chosen, elsewhere, (value, other) => (value === -1 ? other : value));
}
