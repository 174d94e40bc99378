import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { admitObject } from '../../../src/compiler/admit/admit.ts';
import { noAdmissions } from '../../../src/compiler/admit/admit-object.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { line, loaded } from './loaded.ts';
import { ocmObject } from './schema-values.ts';

/** Returns what the API server answers about an object, as values that can be compared. */
function answer(object: object, shared = noAdmissions()): unknown {
  const { object: admitted, valid, diagnostics } = admitObject(loaded(object, 'fleet'), shared);
  return { object: admitted?.object, valid, diagnostics: diagnostics.map(line) };
}

test('recorded objects have the same findings after similar ones', () => {
  const recorded = readFileSync(new URL('../../conformance/validation.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((text) => (JSON.parse(text) as { object: KubernetesObject }).object);
  const shared = noAdmissions();
  const has = vi.spyOn(shared.similar, 'has');
  for (const object of recorded) expect(answer(object, shared)).toStrictEqual(answer(object));
  expect(has.mock.results.filter(({ value }) => value === true).length).toBeGreaterThan(10);
});

interface Leaf {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
}

/** Returns all values of an object that have no parts. */
function leavesOf(value: unknown): Leaf[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string | number, unknown>;
  return Object.keys(holder).flatMap((key) => {
    const inside = holder[key];
    return typeof inside === 'object' && inside !== null ? leavesOf(inside) : [{ holder, key }];
  });
}

test('an object that differs in some values has the same findings as alone', () => {
  const texts = [
    '',
    'abc',
    'ABC',
    'a-b',
    '5m',
    '200%',
    'True',
    'None',
    '2026-01-01T00:00:00Z',
    'x'.repeat(40_000),
  ];
  const others = ['2026-13-01T00:00:00Z', 0, 1, -1, 1.5, 2 ** 40, true, false, null, [], {}];
  const other = fc.constantFrom<unknown>(...texts, ...others);
  const changes = fc.array(fc.tuple(fc.nat(), other), { minLength: 1, maxLength: 3 });
  let similar = 0;
  fc.assert(
    fc.property(ocmObject, changes, (object, replaced) => {
      const { object: model } = admitObject(loaded(object, 'fleet'));
      if (model === undefined) return;
      const changed = structuredClone(model.object);
      const leaves = leavesOf(changed);
      for (const [index, value] of replaced) {
        const leaf = leaves[index % leaves.length];
        if (leaf !== undefined) leaf.holder[leaf.key] = value;
      }
      const shared = noAdmissions();
      const has = vi.spyOn(shared.similar, 'has');
      admitObject(loaded(model.object, 'fleet'), shared);
      expect(answer(changed, shared)).toStrictEqual(answer(changed));
      if (has.mock.results.at(-1)?.value === true) similar++;
    }),
    { numRuns: 500 },
  );
  expect(similar).toBeGreaterThan(20);
});

test('values that only matter together are not compared one by one', () => {
  const addOn = (...types: readonly string[]) => ({
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'ManagedClusterAddOn',
    metadata: { name: 'a', namespace: 'c1' },
    spec: { installNamespace: 'ns' },
    status: {
      conditions: types.map((type) => ({
        type,
        status: 'True',
        reason: 'R',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  });
  const shared = noAdmissions();
  expect(answer(addOn('A', 'B'), shared)).toMatchObject({ diagnostics: [] });
  expect(answer(addOn('A', 'C'), shared)).toMatchObject({ diagnostics: [] });
  expect(answer(addOn('A', 'A'), shared)).toStrictEqual(answer(addOn('A', 'A')));
  expect(answer(addOn('A', 'A'), shared)).not.toMatchObject({ diagnostics: [] });
});
