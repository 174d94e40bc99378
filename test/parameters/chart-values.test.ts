import { expect, test } from 'vitest';
import { chartValues } from '../../compiler/parameters/chart-values.ts';
import { fleetOf } from '../resolve-text.ts';
import { addOnText, emittedNames, parametersText, resolveParameters } from './parameters-text.ts';

const spec = `parameters:
  tag: { type: string, chartValue: image.tag, default: v1 }
  repository: { type: string, chartValue: image.repository, default: example.com/logs }
  annotations: { type: object, chartValue: [podAnnotations], default: {} }
  dotted: { type: string, chartValue: [labels, example.com/tier], default: basic }
layers:
- where: { region: eu }
  values: { tag: v2, annotations: { a: b } }
`;

test('values of a chart are nested by their paths, with the layers of each', () => {
  const { resolution } = resolveParameters(
    addOnText() + parametersText(spec),
    fleetOf({ c1: { region: 'eu' }, c2: {} }),
  );
  const ofAddOn = resolution?.parameters.get('logs');
  const values = ofAddOn?.clusters.get('c1');
  if (resolution === undefined || ofAddOn === undefined || values === undefined) throw new Error('no values');
  expect(chartValues(ofAddOn.parameters, values)).toEqual({
    image: { tag: 'v2', repository: 'example.com/logs' },
    podAnnotations: { a: 'b' },
    labels: { 'example.com/tier': 'basic' },
  });
  const sources = values.traces().find(({ path }) => path.join('.') === 'tag');
  expect(sources?.winners.map(({ layer, value, location }) => [layer, value, location()])).toEqual([
    ['region=eu', 'v2', { file: 'app.yaml', line: 37, column: 15 }],
  ]);
  expect(sources?.losers.map(({ layer, value }) => [layer, value])).toEqual([['default', 'v1']]);
  expect(emittedNames(resolution, 'AddOnDeploymentConfig')).toEqual([]);
});
