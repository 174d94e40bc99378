import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../../src/base/json/json-map.ts';
import { contestOf, writerOf, type Contest } from '../../../src/ocm/clusters/two-writers.ts';

type Strategy =
  'Update' | 'CreateOnly' | 'ReadOnly' | 'SSA' | 'SSA forced' | 'SSA ignoring' | 'SSA b' | 'SSA b forced';

const identifier = { group: '', resource: 'configmaps', namespace: 'default', name: 'a' };

const strategies: Readonly<Record<Strategy, object>> = {
  Update: { type: 'Update' },
  CreateOnly: { type: 'CreateOnly' },
  ReadOnly: { type: 'ReadOnly' },
  SSA: { type: 'ServerSideApply' },
  'SSA forced': { type: 'ServerSideApply', serverSideApply: { force: true } },
  'SSA ignoring': {
    type: 'ServerSideApply',
    serverSideApply: { force: true, ignoreFields: [{ jsonPaths: ['.data.ignored'] }] },
  },
  'SSA b': { type: 'ServerSideApply', serverSideApply: { fieldManager: 'b' } },
  'SSA b forced': { type: 'ServerSideApply', serverSideApply: { fieldManager: 'b', force: true } },
};

function contest(
  one: Strategy,
  other: Strategy,
  first: JsonMap,
  second: JsonMap,
  kind = '/ConfigMap',
): string {
  const writers = [
    [one, first],
    [other, second],
  ] as const;
  const [a, b] = writers.map(([strategy, manifest]) =>
    writerOf(
      {
        manifestConfigs: [
          { resourceIdentifier: identifier, updateStrategy: strategies[strategy] as { type: string } },
        ],
      },
      identifier,
      kind,
      manifest,
    ),
  );
  if (a === undefined || b === undefined) throw new Error('two writers');
  return words(contestOf(a, b));
}

function words(result: Contest | undefined): string {
  if (result === undefined) return 'both hold';
  if (result.winner === 'alternating') return 'alternating';
  if (result.winner === 'first') return `first: ${result.one.kind}/${result.other.kind}`;
  const { winner, loser, ifFirst } = result;
  return `${winner}: ${loser.kind}${ifFirst === undefined ? '' : `, if it comes later, else ${words(ifFirst.contest)}`}`;
}

const data = (values: JsonMap, metadata: JsonMap = {}): JsonMap => ({ metadata, data: values });

describe('both set a field to different values', () => {
  test.each<[Strategy, Strategy, string]>([
    ['Update', 'Update', 'alternating'],
    ['Update', 'SSA', 'one: refused'],
    ['Update', 'SSA forced', 'alternating'],
    ['Update', 'SSA ignoring', 'one: nothing'],
    ['Update', 'CreateOnly', 'both hold'],
    ['Update', 'ReadOnly', 'both hold'],
    ['SSA', 'SSA', 'alternating'],
    ['SSA', 'SSA b', 'first: refused/refused'],
    ['SSA', 'SSA b forced', 'other: refused'],
    ['SSA forced', 'SSA b forced', 'alternating'],
    ['SSA ignoring', 'SSA b', 'one: refused'],
    ['SSA ignoring', 'SSA b forced', 'other: nothing'],
    ['SSA', 'CreateOnly', 'first: refused/nothing'],
    ['SSA forced', 'CreateOnly', 'both hold'],
    ['CreateOnly', 'CreateOnly', 'first: nothing/nothing'],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(contest(one, other, data({ a: '1' }), data({ a: '2' }))).toBe(expected);
    const reverse: Readonly<Record<string, string>> = { one: 'other', other: 'one' };
    const swapped = expected
      .replace(/^(one|other):/, (_, winner: string) => `${reverse[winner] ?? ''}:`)
      .replace(/^first: (\w+)\/(\w+)$/, 'first: $2/$1');
    expect(contest(other, one, data({ a: '2' }), data({ a: '1' }))).toBe(swapped);
  });
});

describe('each sets other fields', () => {
  test.each<[Strategy, Strategy, string]>([
    ['Update', 'Update', 'alternating'],
    ['Update', 'SSA', 'alternating'],
    ['SSA', 'SSA', 'alternating'],
    ['SSA', 'SSA b', 'both hold'],
    ['SSA', 'CreateOnly', 'both hold'],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(contest(one, other, data({ a: '1' }), data({ b: '2' }))).toBe(expected);
  });
  test('an update keeps what the other one applies in labels and annotations', () => {
    const [first, second] = [data({}, { labels: { a: '1' } }), data({}, { annotations: { b: '2' } })];
    expect(contest('Update', 'Update', first, second)).toBe('both hold');
    expect(contest('Update', 'SSA', first, second)).toBe('both hold');
    expect(contest('Update', 'Update', first, data({}, { labels: { a: '2' } }))).toBe('alternating');
  });
  test('fields that only Update has stay', () => {
    expect(contest('Update', 'SSA', data({ a: '1', b: '2' }), data({ a: '1' }))).toBe('both hold');
    expect(contest('Update', 'SSA ignoring', data({ a: '1' }), data({ a: '1', ignored: '2' }))).toBe(
      'both hold',
    );
  });
});

describe('kinds that the agent updates otherwise', () => {
  test('of a ServiceAccount, Update changes only labels and annotations', () => {
    const [first, second] = [true, false].map((value) => ({ automountServiceAccountToken: value }));
    if (first === undefined || second === undefined) throw new Error('two manifests');
    const kind = '/ServiceAccount';
    expect(contest('Update', 'Update', first, second, kind)).toBe('first: nothing/nothing');
    expect(contest('Update', 'SSA', first, second, kind)).toBe('first: nothing/refused');
    expect(contest('Update', 'SSA forced', first, second, kind)).toBe('other: nothing');
  });
  test('of a Service, Update looks at the type, the selector and its own hash', () => {
    const service = (spec: JsonMap): JsonMap => ({ spec: { selector: { a: 'b' }, ...spec } });
    const [first, second] = [service({ sessionAffinity: 'None' }), service({ sessionAffinity: 'ClientIP' })];
    expect(contest('Update', 'SSA forced', first, second, '/Service')).toBe('other: nothing');
    expect(contest('Update', 'SSA', first, second, '/Service')).toBe('one: refused');
    expect(contest('Update', 'SSA', service({}), second, '/Service')).toBe('both hold');
    const other = service({ selector: { a: 'c' } });
    expect(contest('Update', 'SSA forced', first, other, '/Service')).toBe('alternating');
  });
});

test('the API server refuses the second one if an immutable field differs', () => {
  const deployment = (app: string): JsonMap => ({ spec: { selector: { matchLabels: { app } } } });
  const kind = 'apps/Deployment';
  expect(contest('Update', 'Update', deployment('a'), deployment('b'), kind)).toBe('first: refused/refused');
  const claim = (storage: string): JsonMap => ({ spec: { resources: { requests: { storage } } } });
  expect(contest('Update', 'Update', claim('1Gi'), claim('2Gi'), '/PersistentVolumeClaim')).toBe(
    'other: refused',
  );
});

describe('a value that no other manifest has', () => {
  const service = (port: number, spec: JsonMap = {}): JsonMap => ({ spec: { ports: [{ port }], ...spec } });
  const headless = service(80, { clusterIP: 'None' });
  test('the address of a Service stays, and is refused only if it comes later', () => {
    expect(contest('Update', 'Update', headless, service(81), '/Service')).toBe(
      'other: refused, if it comes later, else alternating',
    );
    expect(contest('SSA', 'SSA b', service(81), headless, '/Service')).toBe(
      'one: refused, if it comes later, else both hold',
    );
    expect(contest('Update', 'CreateOnly', headless, service(81), '/Service')).toBe('first: refused/nothing');
  });
  test('the policy of a StatefulSet stays with server-side apply, but not with Update', () => {
    const set = (spec: JsonMap): JsonMap => ({ spec: { serviceName: 'a', ...spec } });
    const parallel = set({ podManagementPolicy: 'Parallel' });
    const kind = 'apps/StatefulSet';
    expect(contest('SSA', 'SSA b', set({}), parallel, kind)).toBe(
      'one: refused, if it comes later, else both hold',
    );
    expect(contest('SSA', 'SSA b forced', parallel, set({ replicas: 2 }), kind)).toBe(
      'other: refused, if it comes later, else both hold',
    );
    expect(contest('Update', 'Update', set({}), parallel, kind)).toBe('first: refused/refused');
  });
});

test('the API server refuses what both manifests are together', () => {
  const service = (port: number, spec: JsonMap = {}): JsonMap => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { ports: [{ port }], ...spec },
  });
  const [one, other] = [service(80), service(81)];
  // two ports need names
  expect(contest('SSA', 'SSA b', one, other, '/Service')).toBe('first: refused/refused');
  expect(contest('CreateOnly', 'SSA', one, other, '/Service')).toBe('first: nothing/refused');
  // which overwrites the object once
  expect(contest('Update', 'SSA', one, other, '/Service')).toBe('one: refused');
  expect(contest('SSA forced', 'Update', one, other, '/Service')).toBe('other: refused');
  const headless = service(81, { clusterIP: 'None' });
  expect(contest('SSA forced', 'Update', one, headless, '/Service')).toBe('first: refused/refused');
});

test('lists with keys are merged, others have one owner', () => {
  const pod = (...containers: readonly object[]): JsonMap => ({ spec: { containers } });
  const [a, b] = [
    { name: 'a', image: 'a' },
    { name: 'b', image: 'b' },
  ];
  expect(contest('SSA', 'SSA b', pod(a), pod(b), 'apps/Deployment')).toBe('both hold');
  expect(contest('SSA', 'SSA b', pod(a), pod({ ...a, image: 'c' }), 'apps/Deployment')).toBe(
    'first: refused/refused',
  );
  const args = (...list: readonly string[]): JsonMap => pod({ name: 'a', args: list });
  expect(contest('SSA', 'SSA b', args('x'), args('y'), 'apps/Deployment')).toBe('first: refused/refused');
});
