import { expect, test } from 'vitest';
import type { LoadedObject, Source } from '../../src/compiler/model/inventory.ts';
import { updatedObjects } from '../../src/compiler/model/updated-objects.ts';

function loaded(name: string, source: Source, fields: object = {}): LoadedObject {
  const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, ...fields };
  return { object, source, origin: { location: { construct: name }, locate: () => ({ construct: name }) } };
}

function shown(objects: readonly LoadedObject[]): string[] {
  return objects.map(
    ({ object, source }) => `${object.metadata.name} ${JSON.stringify(object['revision'] ?? 1)} ${source}`,
  );
}

test('objects are replaced at their position, and new ones are last', () => {
  const update = [loaded('c', 'app', { revision: 2 }), loaded('a', 'app', { revision: 2 })];
  expect(shown(updatedObjects([loaded('a', 'app'), loaded('b', 'app')], update))).toEqual([
    'a 2 app',
    'b 1 app',
    'c 2 app',
  ]);
});

test('an object that replaces one of the fleet belongs to the fleet', () => {
  expect(shown(updatedObjects([loaded('a', 'fleet')], [loaded('a', 'app', { revision: 2 })]))).toEqual([
    'a 2 fleet',
  ]);
});

test('if app and fleet have the same object, that of the app is replaced', () => {
  const both = [loaded('a', 'fleet'), loaded('a', 'app')];
  expect(shown(updatedObjects(both, [loaded('a', 'app', { revision: 2 })]))).toEqual([
    'a 1 fleet',
    'a 2 app',
  ]);
});

test('an object is the same in every version of its group, and in the namespace default if it has none', () => {
  const metadata = (namespace: string) => ({ metadata: { name: 'a', namespace } });
  const objects = [loaded('a', 'app', metadata('default')), loaded('a', 'app', metadata('other'))];
  const update = [loaded('a', 'app', { apiVersion: 'example.com/v2', revision: 2 })];
  expect(shown(updatedObjects(objects, update))).toEqual(['a 2 app', 'a 1 app']);
});

test('a value that is not an object is left to admission', () => {
  const nothing = {
    ...loaded('a', 'app'),
    object: { apiVersion: 3, metadata: null } as unknown as LoadedObject['object'],
  };
  expect(updatedObjects([nothing], [])).toEqual([nothing]);
});

test('objects whose names are integers beyond 2^53 are different objects', () => {
  const named = (name: bigint): LoadedObject => {
    const object = loaded('a', 'app');
    return {
      ...object,
      object: { ...object.object, metadata: { name } } as unknown as LoadedObject['object'],
    };
  };
  const [one, other] = [named(9007199254740993n), named(9007199254740995n)];
  expect(updatedObjects([one], [other])).toEqual([one, other]);
  expect(updatedObjects([one], [one])).toEqual([one]);
});
