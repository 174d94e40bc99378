import { expect, test } from 'vitest';
import { Store } from '../../../src/controller/cache/store.ts';
import { keyOf, type ApiObject, type Stored } from '../../../src/client/object.ts';

function pod(name: string, labels: Readonly<Record<string, string>>): Stored<ApiObject> {
  const metadata = {
    name,
    uid: name,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels,
  };
  return { apiVersion: 'v1', kind: 'Pod', metadata };
}

const labelsOf = ({ metadata }: Stored<ApiObject>): readonly string[] => Object.values(metadata.labels ?? {});

function namesIn(store: Store<ApiObject, 'label'>, value: string): readonly string[] {
  return store.by('label', value).map(keyOf);
}

test('an object is found under its values, and no longer under those that it had', () => {
  const store = new Store<ApiObject, 'label'>({ label: labelsOf });
  store.set(pod('a', { one: 'x', other: 'y' }));
  store.set(pod('b', { one: 'x' }));
  expect(namesIn(store, 'x')).toEqual(['a', 'b']);
  const before = store.set(pod('a', { one: 'z', other: 'y' }));
  expect(before?.metadata.labels).toEqual({ one: 'x', other: 'y' });
  expect(namesIn(store, 'x')).toEqual(['b']);
  expect(namesIn(store, 'y')).toEqual(['a']);
  expect(namesIn(store, 'z')).toEqual(['a']);
  expect(store.by('label', 'z')[0]?.metadata.labels).toEqual({ one: 'z', other: 'y' });
});

test('a deleted object is not in any index, and may be added again', () => {
  const store = new Store<ApiObject, 'label'>({ label: labelsOf });
  store.set(pod('a', { one: 'x' }));
  expect(store.delete('a')?.metadata.name).toBe('a');
  expect(store.delete('a')).toBeUndefined();
  expect([namesIn(store, 'x'), store.size, store.get('a')]).toEqual([[], 0, undefined]);
  store.set(pod('a', { one: 'x' }));
  expect(namesIn(store, 'x')).toEqual(['a']);
});

test('the values of an object are computed once for each of its states', () => {
  let asked = 0;
  const store = new Store<ApiObject, 'label'>({
    label: (object) => {
      asked += 1;
      return labelsOf(object);
    },
  });
  store.set(pod('a', { one: 'x' }));
  store.set(pod('a', { one: 'y' }));
  store.delete('a');
  expect(asked).toBe(2);
});
