import { EqualValues } from '../../src/controller/cache/equal-values.ts';
import { expect, test } from 'vitest';
import { CompanionController } from '../../constructs/index.ts';
import { cachedAddOn } from '../../src/controller/hub/cached-objects.ts';
import { companionConditions } from '../../src/ocm/companion-conditions.ts';
import { storedOnCluster } from '../controller/hub/stored-add-ons.ts';
import { objectsOf } from '../constructs/in-chart.ts';

/** Returns the condition types that the admission policies allow the companion to write. */
function allowedTypes(tokenRegistration: boolean): string[] {
  const objects = objectsOf(
    (chart) =>
      new CompanionController(chart, 'companion', { image: 'a', namespace: 'ocm', tokenRegistration }),
  );
  const [, list = '[]'] =
    /!\(condition\.type in (\[.*?\])\)/.exec(
      objects.map((object) => JSON.stringify(object).replaceAll('\\"', '"')).join('\n'),
    ) ?? [];
  return JSON.parse(list) as string[];
}

test('the admission policies allow exactly the conditions that the companion decides on', () => {
  expect(allowedTypes(true)).toEqual(companionConditions);
  expect(allowedTypes(false)).toEqual(
    companionConditions.filter((type) => type !== 'TokenInfrastructureReady'),
  );
});

test('the companion caches exactly these conditions if there are too many', () => {
  const condition = (type: string) => ({
    type,
    status: 'True' as const,
    reason: 'R',
    message: '',
    lastTransitionTime: '2026-01-31T12:00:00Z',
  });
  const others = Array.from({ length: 1000 }, (_, index) => ({
    ...condition(`Own${index}`),
    message: 'x'.repeat(1000),
  }));
  const all = [...others, ...companionConditions.map(condition)];
  const cached = cachedAddOn(storedOnCluster({}, { conditions: all }), new EqualValues());
  expect(cached.status?.conditions?.map(({ type }) => type)).toEqual(companionConditions);
});
