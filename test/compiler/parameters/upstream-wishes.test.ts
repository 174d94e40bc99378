import { expect, test } from 'vitest';
import { fleetOf } from '../../resolve-text.ts';
import {
  addOnText,
  emittedNames,
  parametersText,
  resolveParameters,
  variablesOf,
} from './parameters-text.ts';

// Two wishes of OCM's users, as issues of its repositories describe them.

test('ocm#1603: overriding one variable on a cluster keeps all the others', () => {
  const { resolution } = resolveParameters(
    addOnText() +
      parametersText(`parameters:
  IMAGE: { type: string, default: quay.io/example/agent:v1 }
  LOG_LEVEL: { type: string, default: info }
  REPLICAS: { type: integer, default: 1 }
layers:
- cluster: edge-1
  values: { LOG_LEVEL: debug }
`),
    fleetOf({ 'edge-1': {}, 'edge-2': {} }),
  );
  if (resolution === undefined) throw new Error('not resolved');
  const common = { IMAGE: 'quay.io/example/agent:v1', REPLICAS: '1' };
  expect(variablesOf(resolution)).toEqual({
    'edge-1': { ...common, LOG_LEVEL: 'debug' },
    'edge-2': { ...common, LOG_LEVEL: 'info' },
  });
});

test('addon-framework#224: labels of the cluster and values that are not texts', () => {
  const { resolution } = resolveParameters(
    addOnText() +
      parametersText(`parameters:
  CLUSTER_TYPE: { type: string }
  REPLICAS: { type: integer, min: 1 }
layers:
- values:
    CLUSTER_TYPE: { $fact: cluster.labels.type }
    REPLICAS: { $fact: cluster.labels.replicas, $default: 1 }
`),
    fleetOf({ hub1: { type: 'large', replicas: '3' }, hub2: { type: 'small' } }),
  );
  if (resolution === undefined) throw new Error('not resolved');
  expect(variablesOf(resolution)).toEqual({
    hub1: { CLUSTER_TYPE: 'large', REPLICAS: '3' },
    hub2: { CLUSTER_TYPE: 'small', REPLICAS: '1' },
  });
});

test('one more override adds one object, and one configuration if the result is new', () => {
  const layers = `parameters:
  LOG_LEVEL: { type: string, default: info }
layers:
- cluster: c1
  values: { LOG_LEVEL: debug }
`;
  const clusters = fleetOf(
    Object.fromEntries(['c1', 'c2', 'c3', 'c4', 'c5', 'c6'].map((name) => [name, {}])),
  );
  const emitted = (more: string): readonly number[] => {
    const { resolution } = resolveParameters(addOnText() + parametersText(layers + more), clusters);
    if (resolution === undefined) throw new Error('not resolved');
    return ['ManagedClusterAddOn', 'AddOnDeploymentConfig', 'Placement'].map(
      (kind) => emittedNames(resolution, kind).length,
    );
  };
  expect(emitted('')).toEqual([1, 2, 1]);
  expect(emitted('- cluster: c2\n  values: { LOG_LEVEL: debug }\n')).toEqual([2, 2, 1]);
  expect(emitted('- cluster: c2\n  values: { LOG_LEVEL: warn }\n')).toEqual([2, 3, 1]);
});
