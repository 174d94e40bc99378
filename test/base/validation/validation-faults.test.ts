import { describe, expect, test } from 'vitest';
import { validatedKinds, validationFaults } from '../../../src/base/validation/validation-faults.ts';
import { kindKey } from '../../../src/base/names/resource-name.ts';
import { validationCases } from './cases/validation-cases.ts';

const texts = (object: object): string[] =>
  validationFaults(object as Record<string, unknown>).map(({ field, message }) => `${field}: ${message}`);

describe('an API server', () => {
  test.each(validationCases)('$name', ({ object, refused }) => {
    expect(texts(object)).toEqual(refused);
  });

  test('is compared for every kind that has rules, with accepted and with refused objects', () => {
    const kinds = (isRefused: boolean): string[] => [
      ...new Set(
        validationCases
          .filter(({ refused }) => refused.length > 0 === isRefused)
          .map(({ object }) => kindKey(object as { apiVersion: string; kind: string })),
      ),
    ];
    expect(kinds(false).sort()).toEqual([...validatedKinds].sort());
    expect(kinds(true).sort()).toEqual([...validatedKinds].sort());
  });
});

test('paths lead to the field in the object, also if the API server prints another one', () => {
  const paths = (object: object): unknown[] =>
    validationFaults(object as Record<string, unknown>).map(({ path }) => path);
  const template = { spec: { containers: [{ name: 'a', image: 'a' }] } };
  expect(
    paths({
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'a' },
      template: { ...template, metadata: { labels: { a: 'b c' } } },
    }),
  ).toEqual([['template', 'metadata', 'labels']]);
  expect(
    paths({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      type: 'kubernetes.io/dockercfg',
      stringData: { '.dockercfg': '[]' },
    }),
  ).toEqual([['stringData', '.dockercfg']]);
});

describe('values that the API server cannot decode', () => {
  test('a quantity is a fault, and nothing else of the resources is looked at', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'a' },
      spec: { resources: { requests: { storage: '1 Gi' } } },
    };
    expect(texts(object)).toEqual([
      "spec.resources.requests[storage]: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ]);
  });
  test('bytes are a fault', () => {
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { a: 'not base64' } };
    expect(texts(object)).toEqual(['data[a]: illegal base64 data']);
  });
});

describe('what only some releases or gates accept is no fault', () => {
  const pod = { containers: [{ name: 'a', image: 'a' }] };
  test.each([
    [
      'a Service whose name begins with a digit',
      { apiVersion: 'v1', kind: 'Service', metadata: { name: '1a' }, spec: { ports: [{ port: 80 }] } },
    ],
    [
      'a StatefulSet with a dot in its name',
      {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'a.b' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: pod },
        },
      },
    ],
    [
      'an autoscaler to zero',
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'a' },
        spec: { minReplicas: 0, maxReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'a' } },
      },
    ],
    [
      'a volume, a variable and a handler of a later release',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a' },
        spec: {
          volumes: [{ name: 'a', future: {} }],
          containers: [
            {
              name: 'a',
              image: 'a',
              env: [{ name: 'A', valueFrom: { future: {} } }],
              livenessProbe: { future: {} },
            },
          ],
        },
      },
    ],
    [
      'a toleration that compares numbers',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a' },
        spec: { ...pod, tolerations: [{ key: 'a', operator: 'Gt', value: '1' }] },
      },
    ],
  ])('%s', (_, object) => {
    expect(texts(object)).toEqual([]);
  });
});

test('other kinds have no faults', () => {
  expect(texts({ apiVersion: 'example.com/v1', kind: 'Deployment', metadata: { name: 'A B' } })).toEqual([]);
});

test('values of other types are not looked at', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 7, labels: ['a'] },
    spec: { ports: 'all', type: 3, selector: { app: 1 } },
  };
  expect(() => texts(object)).not.toThrow();
});
