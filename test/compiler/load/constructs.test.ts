import { expect, test } from 'vitest';
import { loadConstructs, type ConstructObject } from '../../../src/compiler/load/constructs.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';

const source = { file: 'app.ts', line: 3, column: 5 };

function construct(object: unknown, path = 'app/thing'): ConstructObject {
  return { object: object as KubernetesObject, construct: path, source };
}

test('every place in an object is its construct', () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hub' } };
  const { value, diagnostics } = loadConstructs([construct(namespace)]);
  expect(diagnostics).toEqual([]);
  expect(value.map(({ object, source }) => [object, source])).toEqual([[namespace, 'app']]);
  const place = { construct: 'app/thing', source };
  expect(value[0]?.origin.location).toEqual(place);
  expect(value[0]?.origin.locate(['metadata', 'name'])).toEqual(place);
});

test('the line of the app is requested only with a location', () => {
  let asked = 0;
  const { value } = loadConstructs([
    {
      object: { apiVersion: 'v1', kind: 'Namespace', metadata: {} },
      construct: 'app/thing',
      get source() {
        asked++;
        return undefined;
      },
    },
  ]);
  expect(asked).toBe(0);
  expect(value[0]?.origin.location).toEqual({ construct: 'app/thing' });
  expect(asked).toBe(1);
});

test('lists are taken apart', () => {
  const { value } = loadConstructs([construct({ kind: 'List', items: [{ kind: 'A' }, { kind: 'B' }] })]);
  expect(value.map(({ object, origin }) => [object.kind, origin.location])).toEqual([
    ['A', { construct: 'app/thing', source }],
    ['B', { construct: 'app/thing', source }],
  ]);
});

test('a value that JSON cannot represent is rejected with its field, other constructs are kept', () => {
  const wrong = {
    kind: 'A',
    absent: undefined,
    big: 2n ** 60n,
    spec: { ratio: Number.NaN, since: new Date(0), list: [1, undefined, () => 1], mark: Symbol('x') },
  };
  const { value, diagnostics } = loadConstructs([construct(wrong), construct({ kind: 'B' }, 'app/other')]);
  expect(value.map(({ object }) => object.kind)).toEqual(['B']);
  expect(diagnostics.map(({ code, path, message }) => `${code} ${path}: ${message}`)).toEqual([
    'FW1009 spec.ratio: JSON cannot represent the number NaN',
    'FW1009 spec.since: JSON cannot represent a Date',
    'FW1009 spec.list[1]: JSON cannot represent undefined',
    'FW1009 spec.list[2]: JSON cannot represent a function',
    'FW1009 spec.mark: JSON cannot represent a symbol',
  ]);
  expect(diagnostics[0]?.location).toEqual({ construct: 'app/thing', source });
});

test('values that contain themselves are refused', () => {
  const object: Record<string, unknown> = { kind: 'A' };
  object['self'] = object;
  const { value, diagnostics } = loadConstructs([construct(object)]);
  expect(value).toEqual([]);
  expect(diagnostics.map(({ message }) => message)).toEqual(['this is nested more than 500 levels deep']);
});
