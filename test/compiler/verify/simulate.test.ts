import { describe, expect, test } from 'vitest';
import { cel028 } from '../../../src/engines/cel/behaviour.ts';
import {
  comparePlacement,
  readServerAnswer,
  simulator,
  type PlacementAnswer,
} from '../../../src/compiler/verify/index.ts';
import { answerOfServer, objectsOf, vectors, type Vector } from './scheduler-vectors.ts';

function predicted(vector: Vector): PlacementAnswer {
  const simulate = simulator(objectsOf(vector), { now: Date.parse(vector.now), cel: cel028 });
  const answer = simulate(vector.placement, 'of its sets');
  if ('reason' in answer) throw new Error(answer.message);
  return answer;
}

function answered(vector: Vector): PlacementAnswer {
  const read = readServerAnswer(answerOfServer(vector), vector.placement.spec.numberOfClusters);
  if (read === undefined || 'error' in read) throw new Error('there is no answer');
  return read.answer;
}

test.each(vectors)("$id: the prediction equals the answer of OCM's scheduler", (vector) => {
  expect(comparePlacement(predicted(vector), answered(vector))).toEqual([]);
});

describe('a wrong prediction is found', () => {
  const choosing = vectors.find(({ placement, expected }) => {
    const { numberOfClusters = Infinity } = placement.spec;
    return Object.keys(expected.scoreSum ?? {}).length > numberOfClusters && numberOfClusters > 1;
  });

  test('in the scores of a prioritizer, their sum and the choice', () => {
    if (choosing === undefined) throw new Error('there is no vector with a choice');
    const right = predicted(choosing);
    const [first] = right.prioritizers;
    const [cluster = ''] = right.choice ?? [];
    if (first === undefined) throw new Error('there is no prioritizer');
    const score = first.scores.get(cluster) ?? 0;
    const wrong: PlacementAnswer = {
      ...right,
      prioritizers: [
        { ...first, scores: new Map([...first.scores, [cluster, score + 2]]) },
        ...right.prioritizers.slice(1),
      ],
      totals: new Map([...(right.totals ?? []), [cluster, 1000]]),
      choice: right.choice?.toReversed(),
    };
    const differences = comparePlacement(wrong, answered(choosing));
    expect(differences.map(({ part }) => part)).toEqual([
      `prioritizer ${first.name}`,
      'sum of scores',
      'order of the choice',
    ]);
    expect(differences[0]).toEqual({
      part: `prioritizer ${first.name}`,
      predicted: `${cluster} ${score + 2}`,
      answered: `${cluster} ${score}`,
    });
  });

  test('in the clusters of a filter', () => {
    if (choosing === undefined) throw new Error('there is no vector with a choice');
    const right = predicted(choosing);
    const [predicate, ...others] = right.filters;
    const [lost = ''] = predicate?.clusters ?? [];
    const wrong = {
      ...right,
      filters: [{ name: 'Predicate', clusters: predicate?.clusters.slice(1) ?? [] }, ...others],
    };
    expect(comparePlacement(wrong, answered(choosing))).toEqual([
      { part: 'filter Predicate', predicted: `without ${lost}`, answered: `with ${lost}` },
    ]);
  });

  test('in the weight of a prioritizer', () => {
    if (choosing === undefined) throw new Error('there is no vector with a choice');
    const right = predicted(choosing);
    const prioritizers = right.prioritizers.map((each) => ({ ...each, weight: each.weight + 1 }));
    const [difference] = comparePlacement({ ...right, prioritizers }, answered(choosing));
    expect(difference?.part).toBe('prioritizers');
  });
});
