import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { FieldPath } from '../../../src/compiler/model/field-path.ts';
import type { Origin } from '../../../src/compiler/model/origin.ts';
import { lineAndColumn, loadText } from './load-text.ts';

function originIn(text: string, index = 0, file?: string): Origin {
  const object = loadText(text, file).objects[index];
  if (object === undefined) throw new Error('no object');
  return object.origin;
}

/** Returns the text from the location of a field to the end of the line. */
function at(text: string, origin: Origin, path: FieldPath): string {
  const location = origin.locate(path);
  if (!('file' in location)) throw new Error('no file');
  return text.split('\n')[location.line - 1]?.slice(location.column - 1) ?? '';
}

const placement = `# two documents
apiVersion: v1
kind: Namespace
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: aws   # the name
  labels: { "tier": prod, zone: 'b' }
spec:
  clusterSets:
  - one
  - two
  predicates:
    - requiredClusterSelector:
        labelSelector:
          matchLabels:
            cloud: aws
    -
      requiredClusterSelector: {}
`;

test('the location of a field is its key, that of an item its beginning', () => {
  const origin = originIn(placement, 1);
  const place = (...path: FieldPath): string => lineAndColumn(origin.locate(path));
  expect(lineAndColumn(origin.location)).toBe('5:1');
  expect(place()).toBe('5:1');
  expect(place('metadata')).toBe('7:1');
  expect(place('metadata', 'name')).toBe('8:3');
  expect(place('metadata', 'labels', 'tier')).toBe('9:13');
  expect(place('metadata', 'labels', 'zone')).toBe('9:27');
  expect(place('spec', 'clusterSets', 1)).toBe('13:5');
  expect(place('spec', 'predicates', 0)).toBe('15:7');
  expect(
    place('spec', 'predicates', 0, 'requiredClusterSelector', 'labelSelector', 'matchLabels', 'cloud'),
  ).toBe('18:13');
  expect(place('spec', 'predicates', 1)).toBe('20:7');
});

test('a field that is not written is at the nearest value around it', () => {
  const origin = originIn(placement, 1);
  const place = (...path: FieldPath): string => lineAndColumn(origin.locate(path));
  expect(place('status', 'conditions', 0)).toBe('5:1');
  expect(place('metadata', 'namespace')).toBe('7:1');
  expect(place('spec', 'clusterSets', 2)).toBe('11:3');
  expect(place('spec', 'clusterSets', 0, 'name')).toBe('12:5');
  expect(place('metadata', 'name', 'x')).toBe('8:3');
});

test('aliases and merge keys lead to the location of the field', () => {
  const text = `kind: A
base: &base
  tier: prod
  zone: a
other: &other { zone: b, rack: r1 }
alias: *base
merged:
  <<: [*base, *other]
  tier: canary
`;
  const origin = originIn(text);
  expect(at(text, origin, ['alias'])).toBe('alias: *base');
  expect(at(text, origin, ['alias', 'zone'])).toBe('zone: a');
  expect(at(text, origin, ['merged', 'tier'])).toBe('tier: canary');
  expect(at(text, origin, ['merged', 'zone'])).toBe('zone: a');
  expect(at(text, origin, ['merged', 'rack'])).toBe('rack: r1 }');
  expect(at(text, origin, ['merged', 'none'])).toBe('merged:');
});

test('keys are located by their value', () => {
  const text = 'kind: A\n"quoted": 1\non: 2\n0x10: 3\n? explicit\n: 4\n';
  const origin = originIn(text);
  expect(at(text, origin, ['quoted'])).toBe('"quoted": 1');
  expect(at(text, origin, ['on'])).toBe('on: 2');
  expect(at(text, origin, ['16'])).toBe('0x10: 3');
  expect(at(text, origin, ['explicit'])).toBe('explicit');
});

test('items of lists have their own places', () => {
  const text = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Namespace
  metadata:
    name: a
-   apiVersion: v1
    kind: Namespace
    metadata: { name: b }
- kind: List
  items:
  - kind: Namespace
    metadata:
      name: c
`;
  const places = [0, 1, 2].map((index) => {
    const origin = originIn(text, index);
    return [lineAndColumn(origin.location), at(text, origin, ['metadata', 'name'])];
  });
  expect(places).toEqual([
    ['4:3', 'name: a'],
    ['8:5', 'name: b }'],
    ['13:5', 'name: c'],
  ]);
});

test('JSON has the same places', () => {
  const text = `{ "kind": "List", "items": [
\t{ "kind": "A", "metadata": { "name": "a",
\t\t"labels": {"a/b": "x", "c\\/d": "y" } } },
  {"kind":"B","list":[1,{"x":null}]}
]}
{"kind":"C","a":{"b":[{"c":1}]}}`;
  expect(lineAndColumn(originIn(text, 0).location)).toBe('2:2');
  expect(at(text, originIn(text, 0), ['metadata', 'labels', 'a/b'])).toBe('"a/b": "x", "c\\/d": "y" } } },');
  expect(at(text, originIn(text, 0), ['metadata', 'labels', 'c/d'])).toBe('"c\\/d": "y" } } },');
  expect(at(text, originIn(text, 1), ['list', 1, 'x'])).toBe('"x":null}]}');
  expect(at(text, originIn(text, 1), ['list', 0])).toBe('1,{"x":null}]}');
  expect(at(text, originIn(text, 2), ['a', 'b', 0, 'c'])).toBe('"c":1}]}}');
});

const key = fc
  .stringMatching(/^[a-z]{1,8}$/)
  .filter((name) => !/^(?:y|n|on|off|no|yes|null|true|false|kind|items)$/.test(name));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.string(), fc.integer(), fc.boolean(), tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  map: fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
}));

function pathsOf(root: unknown): FieldPath[] {
  if (typeof root !== 'object' || root === null) return [[]];
  const below = Object.entries(root).flatMap(([step, inner]) =>
    pathsOf(inner).map((path): FieldPath => [Array.isArray(root) ? Number(step) : step, ...path]),
  );
  return [[], ...below];
}

function get(root: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], root);
}

test('in any form, every field is located: as YAML, as an item of a list, and as JSON', () => {
  const style = fc.record({ indent: fc.integer({ min: 1, max: 6 }), indentSeq: fc.boolean() });
  const fields = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });
  fc.assert(
    fc.property(fields, style, (written, options) => {
      const object = { kind: 'A', ...written };
      const list = { kind: 'List', items: [{ kind: 'B' }, object] };
      const yaml = (value: unknown): string => stringify(value, { ...options, version: '1.1', lineWidth: 0 });
      for (const [text, index] of [
        [yaml(object), 0],
        [`kind: B\n---\n${yaml(object)}`, 1],
        [yaml(list), 1],
        [JSON.stringify(object), 0],
        [JSON.stringify(list, null, '\t'), 1],
      ] as const) {
        const origin = originIn(text, index);
        const paths = pathsOf(object).filter((path) => typeof path.at(-1) === 'string');
        for (const path of paths) {
          const [name, field] = [String(path.at(-1)), get(object, path)];
          const rest = at(text, origin, path);
          expect(rest.startsWith(name) || rest.startsWith(JSON.stringify(name))).toBe(true);
          expect(typeof field !== 'number' || Number(/: ?(-?\d+)/.exec(rest)?.[1]) === field).toBe(true);
        }
        expect(new Set(paths.map((path) => lineAndColumn(origin.locate(path)))).size).toBe(paths.length);
      }
    }),
    { numRuns: 100 },
  );
});
