import type { LabelSelector } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import { call, list, literal, plain, type Expression } from '../code/expression.ts';

type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

/** Writes a label selector: the pairs alone if they are enough. Undefined if `Selector` cannot express it. */
export function labelSelector(selector: LabelSelector, path: FieldPath): Expression | undefined {
  const { matchLabels, matchExpressions, ...others } = selector;
  if (Object.keys(others).length > 0) return undefined;
  const pairs = matchLabels && plain(matchLabels, [...path, 'matchLabels']);
  if (pairs !== undefined && matchExpressions === undefined) return pairs;
  return chain(pairs, matchExpressions ?? []);
}

/** Writes a claim selector, in which a pair is an `In` with one value. */
export function claimSelector(
  { matchExpressions = [], ...others }: Pick<LabelSelector, 'matchExpressions'>,
  path: FieldPath,
): Expression | undefined {
  if (Object.keys(others).length > 0) return undefined;
  const pairs = new Map<string, string>();
  for (const { key, operator, values = [] } of matchExpressions) {
    const [value, ...more] = values;
    // integer keys would come first, whatever their position
    if (operator !== 'In' || value === undefined || more.length > 0 || pairs.has(key) || /^\d+$/.test(key))
      break;
    pairs.set(key, value);
  }
  const rest = matchExpressions.slice(pairs.size);
  // a pair before other requirements is harder to read than requirements only
  if (rest.length > 0) return chain(undefined, matchExpressions);
  return plain(Object.fromEntries(pairs), path);
}

function chain(pairs: Expression | undefined, requirements: readonly Requirement[]): Expression | undefined {
  let selector: Expression | undefined = pairs && call('Selector', 'of', pairs);
  for (const { key, operator, values = [] } of requirements) {
    const method = methods.get(operator);
    const wantsValues = operator === 'In' || operator === 'NotIn';
    if (method === undefined || wantsValues !== values.length > 0) return undefined;
    const args = [literal(key), wantsValues ? list(values.map(literal)) : undefined];
    selector = call(selector ?? 'Selector', method, ...args);
  }
  return selector ?? call('Selector', 'all');
}

const methods: ReadonlyMap<string, string> = new Map([
  ['In', 'in'],
  ['NotIn', 'notIn'],
  ['Exists', 'exists'],
  ['DoesNotExist', 'doesNotExist'],
]);
