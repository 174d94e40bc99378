import { expect, test } from 'vitest';
import { load } from '../../../src/compiler/load/load.ts';
import { lineAndColumn, loadText, objectsIn } from './load-text.ts';

const cluster = (name: string): string => `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata:
  name: ${name}
`;
const clusterObject = (name: string): object => ({
  apiVersion: 'cluster.open-cluster-management.io/v1',
  kind: 'ManagedCluster',
  metadata: { name },
});

test('a file may contain several documents, empty ones and comments', () => {
  const text = `# the fleet\n---\n${cluster('cluster1')}---\n# nothing here\n---\n\n--- # the second\n${cluster('cluster2')}...\n---\nnull\n---\n`;
  expect(objectsIn(text)).toEqual([clusterObject('cluster1'), clusterObject('cluster2')]);
});

test('files without an object produce nothing', () => {
  for (const text of ['', '\n', '# comment', '---\n---\n', '~', '\ufeff'])
    expect(objectsIn(text)).toEqual([]);
});

test('objects keep the order of files and documents, and whether they belong to the app or the fleet', () => {
  const { value, diagnostics } = load([
    { file: 'b.yaml', text: `${cluster('b1')}---\n${cluster('b2')}`, source: 'fleet' },
    { file: 'a.yaml', text: cluster('a1'), source: 'app' },
  ]);
  expect(diagnostics).toEqual([]);
  expect(value.map(({ object, source, origin }) => [object.metadata.name, source, origin.location])).toEqual([
    ['b1', 'fleet', { file: 'b.yaml', line: 1, column: 1 }],
    ['b2', 'fleet', { file: 'b.yaml', line: 6, column: 1 }],
    ['a1', 'app', { file: 'a.yaml', line: 1, column: 1 }],
  ]);
});

test('a byte order mark and Windows line ends change nothing', () => {
  const text = `\ufeff${cluster('cluster1')}---\n\ufeff${cluster('cluster2')}`;
  const { objects } = loadText(text.replaceAll('\n', '\r\n'));
  expect(objects.map(({ object }) => object)).toEqual([clusterObject('cluster1'), clusterObject('cluster2')]);
  expect(objects.map(({ origin }) => lineAndColumn(origin.locate(['metadata', 'name'])))).toEqual([
    '4:3',
    '9:3',
  ]);
});

test('JSON files may contain several objects one after the other', () => {
  const text = `${JSON.stringify(clusterObject('cluster1'))}\n  ${JSON.stringify(clusterObject('cluster2'), null, '\t')}`;
  expect(objectsIn(text, 'fleet.json')).toEqual([clusterObject('cluster1'), clusterObject('cluster2')]);
});

test('braces may also begin YAML', () => {
  expect(objectsIn('{ apiVersion: v1, kind: Namespace, metadata: { name: hub }, }')).toEqual([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hub' } },
  ]);
});

test('lists are taken apart, also lists in lists and lists of one kind', () => {
  const text = `apiVersion: v1
kind: List
items:
- ${cluster('cluster1').replaceAll('\n', '\n  ').trimEnd()}
- apiVersion: cluster.open-cluster-management.io/v1
  kind: ManagedClusterList
  metadata: { resourceVersion: "12" }
  items:
  - metadata: { name: cluster2 }
  - { apiVersion: v1, kind: Namespace, metadata: { name: cluster2 } }
---
apiVersion: v1
kind: List
items: null
`;
  expect(objectsIn(text)).toEqual([
    clusterObject('cluster1'),
    clusterObject('cluster2'),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'cluster2' } },
  ]);
});

test('a list that is odd in one item is read like one that is not', () => {
  const plain = `apiVersion: v1\nkind: List\nitems:\n- ${cluster('cluster1').replaceAll('\n', '\n  ').trimEnd()}\n`;
  const odd = `${plain}- {"apiVersion": "v1", "kind": "Namespace",\n   "metadata": {"name": "hub"}}\n- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: !!str yes\n`;
  expect(objectsIn(odd)).toEqual([
    clusterObject('cluster1'),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hub' } },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'yes' } },
  ]);
});

test('anchors may lead from one item of a list to another', () => {
  const text = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Namespace
  metadata: { name: a, labels: &labels { tier: prod } }
- apiVersion: v1
  kind: Namespace
  metadata: { name: b, labels: { <<: *labels, tier: canary, zone: x } }
`;
  expect(objectsIn(text)).toEqual([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', labels: { tier: 'prod' } } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'b', labels: { tier: 'canary', zone: 'x' } } },
  ]);
});

test('integers beyond the safe range keep their digits', () => {
  const text =
    'kind: A\nsafe: 9007199254740991\nexact: 9007199254740993\nleast: -9223372036854775808\nfloat: 1e18\n';
  const value = {
    kind: 'A',
    safe: 9007199254740991,
    exact: 9007199254740993n,
    least: -9223372036854775808n,
    float: 1e18,
  };
  expect(loadText(text).objects[0]?.object).toEqual(value);
  expect(objectsIn('{"kind":"A","exact":9007199254740993,"float":1.0}')).toEqual([
    { kind: 'A', exact: 9007199254740993n, float: 1 },
  ]);
});

test('a key named like the prototype is a key like any other', () => {
  const own = (object: unknown): unknown => Object.entries(Object(object) as object);
  for (const text of ['kind: A\n__proto__: { a: 1 }\n', '{"kind":"A","__proto__":{"a":1}}']) {
    expect(own(objectsIn(text)[0])).toEqual([
      ['kind', 'A'],
      ['__proto__', { a: 1 }],
    ]);
  }
});

test('a file with an error produces no objects, other files do', () => {
  const { value, diagnostics } = load([
    { file: 'wrong.yaml', text: `${cluster('cluster1')}---\na: b: c\n`, source: 'app' },
    { file: 'right.yaml', text: cluster('cluster2'), source: 'app' },
  ]);
  expect(value.map(({ object }) => object.metadata.name)).toEqual(['cluster2']);
  expect(diagnostics.map(({ code, location }) => [code, location])).toEqual([
    ['FW1001', { file: 'wrong.yaml', line: 6, column: 4 }],
  ]);
});

test('warnings leave the objects', () => {
  const { objects, printed } = loadText('kind: A\nmetadata:\n  name: yes\n');
  expect(objects.map(({ object }) => object)).toEqual([{ kind: 'A', metadata: { name: 'yes' } }]);
  expect(printed).toContain('warning FW1007');
});

test('findings in the items of a large list name the item', () => {
  const text =
    'kind: List\nitems:\n- kind: A\n  x: 1\n- kind: B\n  metadata:\n    labels:\n      canary: on\n';
  expect(loadText(text).printed).toMatchInlineSnapshot(`
    "warning FW1007: on is text, but kubectl reads it as true
     --> app.yaml:8:15
      |
    8 |       canary: on
      |               ^
      = field: items[1].metadata.labels.canary
      = hint: put it in quotes if you mean text; otherwise write true

    1 warning
    "
  `);
});

test('a value that is not an object is rejected at its location', () => {
  const text =
    'kind: List\nitems:\n- kind: A\n- null\n- kind: List\n  items: [x]\n---\n- kind: A\n---\n5\n---\nkind: FooList\nitems: { a: 1 }\n';
  expect(loadText(text).printed).toMatchInlineSnapshot(`
    "error FW1010: this item of the list is null, not an object
     --> app.yaml:4:3
      |
    4 | - null
      |   ^
      = field: items[1]
      = hint: an object begins with apiVersion and kind

    error FW1010: this item of the list is a string, not an object
     --> app.yaml:6:11
      |
    6 |   items: [x]
      |           ^
      = field: items[2].items[0]
      = hint: an object begins with apiVersion and kind

    error FW1010: the document is a list, not an object
     --> app.yaml:8:1
      |
    8 | - kind: A
      | ^
      = hint: an object begins with apiVersion and kind

    error FW1010: the document is a number, not an object
      --> app.yaml:10:1
       |
    10 | 5
       | ^
       = hint: an object begins with apiVersion and kind

    error FW1010: "items" of the FooList is a mapping, not a list
      --> app.yaml:13:1
       |
    13 | items: { a: 1 }
       | ^
       = field: items

    5 errors
    "
  `);
});

test('aliases may be many, but not multiply', () => {
  const wide = `kind: A\na: &a { x: 1 }\nlist:\n${'- *a\n'.repeat(20_000)}`;
  expect(loadText(wide).printed).toBe('');
  const levels = 'abcdefgh'.split('').map((name, i, all) => {
    const before = all[i - 1];
    return `${name}: &${name} [${Array.from({ length: 10 }, () => (before === undefined ? 'x' : `*${before}`)).join()}]`;
  });
  expect(loadText(`kind: A\n${levels.join('\n')}\n`).printed).toMatchInlineSnapshot(`
    "error FW1006: the aliases of this document expand to too many values
     --> app.yaml:5:14
      |
    5 | d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]
      |              ^
      = field: d[2][4][8][5]

    1 error
    "
  `);
});

test('nesting is bounded, in blocks, brackets and JSON', () => {
  const blocks = Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}a:`).join('\n');
  const brackets = `a: ${'['.repeat(50_000)}`;
  const json = `{"a":${'['.repeat(50_000)}`;
  for (const text of [blocks, brackets, json]) {
    const { objects, printed } = loadText(text);
    expect(objects).toEqual([]);
    expect(printed.split('\n')[0]).toMatch(/^error FW100[14]: this is nested more than 500 levels deep$/);
  }
  expect(loadText(`a: ${'['.repeat(400)}${']'.repeat(400)}`).printed).toBe('');
});
