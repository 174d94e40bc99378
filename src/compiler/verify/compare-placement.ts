import { compareUtf8 } from '../../base/json/go-json.ts';
import type { PlacementAnswer, PrioritizerAnswer } from './placement-answer.ts';
import type { Difference } from './verification.ts';

/** Maximum number of clusters that a difference lists. */
const mostListed = 5;

/** Returns where the answer of a placement server differs from the predicted one. */
export function comparePlacement(
  predicted: PlacementAnswer,
  answered: PlacementAnswer,
): readonly Difference[] {
  const filters = [...predicted.filters, ...answered.filters].map(({ name }) => name);
  return [
    ...[...new Set(filters)].flatMap((name) => {
      const of = ({ filters: all }: PlacementAnswer): readonly string[] | undefined =>
        all.find((filter) => filter.name === name)?.clusters;
      return compareSets(`filter ${name}`, of(predicted), of(answered));
    }),
    ...comparePrioritizers(predicted.prioritizers, answered.prioritizers),
    ...(answered.totals === undefined
      ? []
      : compareNumbers('sum of scores', predicted.totals ?? new Map(), answered.totals)),
    // A misconfigured Placement selects nothing, and the server does not say so: the results above do.
    ...(predicted.choice === undefined ? [] : compareOrders(predicted.choice, answered.choice ?? [])),
  ];
}

function compareSets(
  part: string,
  predicted: readonly string[] | undefined,
  answered: readonly string[] | undefined,
): readonly Difference[] {
  if (predicted === undefined || answered === undefined) {
    const [ours, theirs] = [predicted, answered].map((names) =>
      names === undefined ? 'no result' : `${names.length} clusters`,
    );
    return [{ part, predicted: ours ?? '', answered: theirs ?? '' }];
  }
  const [ours, theirs] = [new Set(predicted), new Set(answered)];
  const onlyPredicted = predicted.filter((name) => !theirs.has(name));
  const onlyAnswered = answered.filter((name) => !ours.has(name));
  if (onlyPredicted.length + onlyAnswered.length === 0) return [];
  return [
    { part, predicted: keeps(onlyPredicted, onlyAnswered), answered: keeps(onlyAnswered, onlyPredicted) },
  ];
}

/** Two prioritizers can have the same name: the hub compares coordinates of add-ons by address. */
function comparePrioritizers(
  predicted: readonly PrioritizerAnswer[],
  answered: readonly PrioritizerAnswer[],
): readonly Difference[] {
  const [ours, theirs] = [inOrder(predicted), inOrder(answered)];
  const [names, answeredNames] = [ours, theirs].map((all) => all.map(weighted).join(', '));
  if (names !== answeredNames)
    return [{ part: 'prioritizers', predicted: names || 'none', answered: answeredNames || 'none' }];
  return ours.flatMap(({ name, scores }, position) =>
    compareNumbers(`prioritizer ${name}`, scores, theirs[position]?.scores ?? new Map()),
  );
}

function inOrder(prioritizers: readonly PrioritizerAnswer[]): readonly PrioritizerAnswer[] {
  return prioritizers.toSorted((a, b) => compareUtf8(a.name, b.name) || a.weight - b.weight);
}

function weighted({ name, weight }: PrioritizerAnswer): string {
  return `${name} × ${weight}`;
}

function compareNumbers(
  part: string,
  predicted: ReadonlyMap<string, number>,
  answered: ReadonlyMap<string, number>,
): readonly Difference[] {
  const different = [...new Set([...predicted.keys(), ...answered.keys()])].filter(
    (name) => predicted.get(name) !== answered.get(name),
  );
  if (different.length === 0) return [];
  const values = (of: ReadonlyMap<string, number>): string =>
    listed(different.map((name) => `${name} ${of.get(name) ?? 'without a score'}`));
  return [{ part, predicted: values(predicted), answered: values(answered) }];
}

function compareOrders(predicted: readonly string[], answered: readonly string[]): readonly Difference[] {
  const position = predicted.findIndex((name, index) => name !== answered[index]);
  if (position < 0 && predicted.length === answered.length) return [];
  const sets = compareSets('choice', predicted, answered);
  if (sets.length > 0) return sets;
  const from = Math.max(0, position);
  const part = from === 0 ? 'order of the choice' : `order of the choice from position ${from + 1} on`;
  return [{ part, predicted: listed(predicted.slice(from)), answered: listed(answered.slice(from)) }];
}

function keeps(only: readonly string[], others: readonly string[]): string {
  if (only.length === 0) return `without ${listed(others)}`;
  return others.length === 0 ? `with ${listed(only)}` : `with ${listed(only)}, without ${listed(others)}`;
}

function listed(names: readonly string[]): string {
  const rest = names.length - mostListed;
  return rest > 0 ? `${names.slice(0, mostListed).join(', ')} and ${rest} more` : names.join(', ');
}
