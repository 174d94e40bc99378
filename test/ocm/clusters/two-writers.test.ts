import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../../src/base/json/json-map.ts';
import { contestOf, writerOf, type Contest } from '../../../src/ocm/clusters/two-writers.ts';

type Strategy =
  | 'Update'
  | 'CreateOnly'
  | 'ReadOnly'
  | 'SSA'
  | 'SSA forced'
  | 'SSA ignoring'
  | 'SSA b'
  | 'SSA b forced'
  | 'SSA b ignoring';

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
  'SSA b ignoring': {
    type: 'ServerSideApply',
    serverSideApply: { fieldManager: 'b', force: true, ignoreFields: [{ jsonPaths: ['.data.ignored'] }] },
  },
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
  if (result.winner === 'first') {
    const anyway = result.refusedAnyway === undefined ? '' : `, ${result.refusedAnyway} refused anyway`;
    return `first: ${result.one.kind}/${result.other.kind}${anyway}`;
  }
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
    expect(contest('SSA', 'SSA b', service(80), headless, '/Service')).toBe(
      'one: refused, if it comes later, else both hold',
    );
    expect(contest('Update', 'CreateOnly', headless, service(81), '/Service')).toBe('first: refused/nothing');
    // the agent overwrites a Service once, and its address stays
    expect(contest('SSA b forced', 'Update', headless, service(80), '/Service')).toBe(
      'other: refused, if it comes later, else both hold',
    );
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

/** A manifest of a built-in kind, which has defaults, and lists and maps that are merged. */
const built = (apiVersion: string, kind: string, fields: JsonMap): JsonMap => ({
  apiVersion,
  kind,
  metadata: { name: 'a', namespace: 'default' },
  ...fields,
});

const deployment = (container: JsonMap, spec: JsonMap = {}): JsonMap =>
  built('apps/v1', 'Deployment', {
    spec: {
      ...spec,
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: { containers: [{ name: 'a', image: 'a', ...container }] },
      },
    },
  });

test('lists with keys are merged, others have one owner', () => {
  const kind = 'apps/Deployment';
  const applied = (first: JsonMap, second: JsonMap): string =>
    contest('SSA', 'SSA b', deployment(first), deployment(second), kind);
  expect(applied({}, { name: 'b', image: 'b' })).toBe('both hold');
  expect(applied({}, { image: 'c' })).toBe('first: refused/refused');
  expect(applied({ args: ['x'] }, { args: ['y'] })).toBe('first: refused/refused');
  const env = (value: string): JsonMap => ({ env: [{ name: value, value }] });
  expect(applied(env('x'), env('y'))).toBe('both hold');
  const ports = (protocol: JsonMap): JsonMap => ({ ports: [{ containerPort: 80, ...protocol }] });
  // the key of a port has a default
  expect(applied(ports({}), ports({ protocol: 'TCP' }))).toBe('both hold');
});

describe('a value with one owner that the API server completes', () => {
  const policy = (match: JsonMap = {}): JsonMap =>
    built('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', {
      metadata: { name: 'a' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], ...match },
          ],
        },
        validations: [{ expression: 'true' }],
      },
    });
  const slice = (endpoint: JsonMap = {}): JsonMap =>
    built('discovery.k8s.io/v1', 'EndpointSlice', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.0.1'], ...endpoint }],
    });
  const named = (fieldRef: JsonMap): JsonMap =>
    deployment({
      env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: 'metadata.name', ...fieldRef } } }],
    });
  const network = (protocol: JsonMap = {}): JsonMap =>
    built('networking.k8s.io/v1', 'NetworkPolicy', {
      spec: { podSelector: {}, ingress: [{ ports: [{ port: 80, ...protocol }] }], policyTypes: ['Ingress'] },
    });
  test.each<[string, string, JsonMap]>([
    ['a map', 'admissionregistration.k8s.io/ValidatingAdmissionPolicy', policy()],
    ['a list whose items have a map', 'discovery.k8s.io/EndpointSlice', slice()],
    ['a map in a list with keys', 'apps/Deployment', named({})],
    ['a list', 'networking.k8s.io/NetworkPolicy', network()],
  ])('is refused although both manifests are equal: %s', (_, kind, manifest) => {
    expect(contest('SSA', 'SSA b', manifest, manifest, kind)).toBe('first: refused/refused');
    expect(contest('SSA', 'SSA b forced', manifest, manifest, kind)).toBe('other: refused');
    expect(contest('SSA', 'SSA', manifest, manifest, kind)).toBe('both hold');
    // an update that changes nothing leaves the value to its manager
    const later = 'one: refused, if it comes later, else both hold';
    expect(contest('Update', 'SSA', manifest, manifest, kind)).toBe(later);
    expect(contest('CreateOnly', 'SSA', manifest, manifest, kind)).toBe(later);
    expect(contest('Update', 'SSA forced', manifest, manifest, kind)).toBe('both hold');
  });
  test.each<[string, string, JsonMap]>([
    ['a map', 'apps/Deployment', named({ apiVersion: 'v1' })],
    ['a list whose items have a map', 'discovery.k8s.io/EndpointSlice', slice({ conditions: {} })],
    ['a list', 'networking.k8s.io/NetworkPolicy', network({ protocol: 'TCP' })],
  ])('both hold if the manifests are complete: %s', (_, kind, manifest) => {
    expect(contest('SSA', 'SSA b', manifest, manifest, kind)).toBe('both hold');
    expect(contest('Update', 'SSA', manifest, manifest, kind)).toBe('both hold');
  });
  test('a quantity has its canonical form', () => {
    const claim = (storage: string): JsonMap =>
      built('v1', 'PersistentVolumeClaim', {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
      });
    const kind = '/PersistentVolumeClaim';
    expect(contest('SSA', 'SSA b', claim('1024Mi'), claim('1024Mi'), kind)).toBe('first: refused/refused');
    expect(contest('SSA', 'SSA b', claim('1Gi'), claim('1Gi'), kind)).toBe('both hold');
    expect(contest('Update', 'Update', claim('1024Mi'), claim('1Gi'), kind)).toBe('both hold');
  });
});

describe('a default of the API server', () => {
  const kind = 'apps/Deployment';
  const scaled = (replicas?: number): JsonMap => deployment({}, replicas === undefined ? {} : { replicas });
  test('belongs to the work that creates or updates the object', () => {
    expect(contest('Update', 'SSA', scaled(), scaled(3), kind)).toBe('one: refused');
    expect(contest('Update', 'SSA forced', scaled(), scaled(3), kind)).toBe('alternating');
    expect(contest('CreateOnly', 'SSA', scaled(), scaled(3), kind)).toBe('first: nothing/refused');
  });
  test('belongs to no work that applies the object', () => {
    expect(contest('SSA', 'SSA b', scaled(), scaled(3), kind)).toBe('both hold');
  });
  test('is no difference', () => {
    expect(contest('Update', 'Update', scaled(), scaled(1), kind)).toBe('both hold');
    expect(contest('Update', 'SSA', scaled(), scaled(1), kind)).toBe('both hold');
    expect(contest('CreateOnly', 'CreateOnly', scaled(), scaled(1), kind)).toBe('both hold');
  });
});

describe('a Job whose selector the API server writes', () => {
  const kind = 'batch/Job';
  const job = (spec: JsonMap = {}): JsonMap =>
    built('batch/v1', 'Job', {
      spec: {
        ...spec,
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'a', image: 'a' }], restartPolicy: 'Never' },
        },
      },
    });
  const manual = (spec: JsonMap = {}): JsonMap =>
    job({ manualSelector: true, selector: { matchLabels: { app: 'a' } }, ...spec });
  test('is refused with Update, also if the manifests are equal', () => {
    expect(contest('CreateOnly', 'Update', job(), job(), kind)).toBe('one: refused');
    expect(contest('SSA', 'Update', job(), job(), kind)).toBe('one: refused');
    expect(contest('Update', 'Update', job(), job(), kind)).toBe('first: refused/refused');
    expect(contest('Update', 'ReadOnly', job(), job(), kind)).toBe('both hold');
  });
  test('is refused with Update even if it came first, once another work owns it, too', () => {
    expect(contest('Update', 'CreateOnly', job(), job({ parallelism: 2 }), kind)).toBe(
      'first: refused/nothing, one refused anyway',
    );
    expect(contest('CreateOnly', 'Update', job({ parallelism: 2 }), job(), kind)).toBe(
      'first: nothing/refused, other refused anyway',
    );
  });
  test('is updated if it has a selector', () => {
    expect(contest('Update', 'Update', manual(), manual(), kind)).toBe('both hold');
    expect(contest('Update', 'Update', manual({ parallelism: 2 }), manual({ parallelism: 3 }), kind)).toBe(
      'alternating',
    );
    expect(contest('Update', 'CreateOnly', manual(), manual(), kind)).toBe('both hold');
  });
});

test('the hash of ignoreFields is no conflict between equal manifests', () => {
  const manifest = data({ a: '1' });
  expect(contest('SSA ignoring', 'SSA b ignoring', manifest, manifest)).toBe('both hold');
  expect(contest('SSA ignoring', 'SSA b ignoring', data({ a: '1' }), data({ b: '1' }))).toBe('alternating');
});
