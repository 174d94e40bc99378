import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { toValue, type ValueMap } from '../../../../src/engines/gotemplate/index.ts';
import { agentValues, winningLayer } from '../../../../src/compiler/render/agent-values/agent-values.ts';
import { readRecording } from '../recording.ts';
import { goAnswer, ourAnswer } from './agent-data.ts';
import type { ValuesAnswer, ValuesRequest } from './random-request.ts';

test("values are those of addon-framework's agents", () => {
  const different = readRecording<ValuesRequest>('values')
    .map(({ request, answer }) => ({
      request,
      expected: goAnswer(answer as ValuesAnswer),
      actual: ourAnswer(request),
    }))
    .filter(({ expected, actual }) => !isDeepStrictEqual(actual, expected));
  expect(different.slice(0, 5)).toEqual([]);
});

test('an annotation that is no JSON object is FW6035', () => {
  const values = agentValues(
    'helm',
    { functions: [{ function: 'GetValuesFromAddonAnnotation' }], registers: false },
    { addOn: 'agent', cluster: 'cluster1', annotation: '{"replicas":' },
  );
  expect(values).toEqual({
    error: 'unexpected end of JSON input',
    code: 'FW6035',
    path: ['metadata', 'annotations', 'addon.open-cluster-management.io/values'],
  });
});

test('the strongest layer with a value wins', () => {
  const values = agentValues(
    'helm',
    {
      functions: [
        { function: 'GetValuesFromAddonAnnotation' },
        { function: 'GetAddOnDeploymentConfigValues', toValues: ['ToAddOnCustomizedVariableValues'] },
      ],
      registers: true,
    },
    {
      addOn: 'agent',
      cluster: 'cluster1',
      annotation: '{"replicas":2,"level":"info","clusterName":"other"}',
      config: {
        apiVersion: 'addon.open-cluster-management.io/v1alpha1',
        kind: 'AddOnDeploymentConfig',
        metadata: { name: 'agent', namespace: 'addons' },
        spec: { customizedVariables: [{ name: 'level', value: 'debug' }] },
      },
    },
    [{ name: 'values of the add-on', values: toValue({ replicas: 1, image: 'a' }) as ValueMap }],
  );
  if ('error' in values) throw new Error(values.error);
  const winners = ['replicas', 'level', 'clusterName', 'hubKubeConfigSecret', 'image', 'other'].map(
    (key) => winningLayer(values.layers, [key])?.name,
  );
  expect(winners).toEqual([
    'GetValuesFromAddonAnnotation',
    'ToAddOnCustomizedVariableValues',
    'built-in values of the agent',
    'default values of the agent',
    'values of the add-on',
    undefined,
  ]);
});
