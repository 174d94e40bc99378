import { expect, test } from 'vitest';
import { loadChart, renderChart } from '../../../../src/engines/charts/index.ts';
import { chartFiles } from '../chart-files.ts';
import type { SchemaCase } from './random-schema.ts';
import { readRecording } from '../recording.ts';

const recorded = readRecording<SchemaCase>('schemas');

test('values match a schema, or not, as in Helm, with the same messages', () => {
  const different = recorded
    .map(({ request, answer }) => ({ request, ours: ourPlaces(request), helm: helmPlaces(answer.error) }))
    .filter(({ ours, helm }) => JSON.stringify(ours) !== JSON.stringify(helm));
  expect(different).toEqual([]);
});

test('a half of the recorded values does not match, with each kind of message', () => {
  const places = recorded.flatMap(({ answer }) => helmPlaces(answer.error));
  const failing = recorded.filter(({ answer }) => answer.error !== undefined);
  expect(failing.length).toBeGreaterThan(recorded.length / 3);
  const kinds = [
    [
      'got ',
      'value must be ',
      "'enum' failed",
      "'anyOf' failed",
      "'oneOf' failed",
      "'not' failed",
      'false schema',
    ],
    ['missing propert', 'additional properties ', 'required, if ', 'does not match pattern '],
    ['minimum: ', 'maximum: ', 'exclusiveMinimum: ', 'exclusiveMaximum: ', 'multipleOf: '],
    ['minLength: ', 'maxLength: ', 'minItems: ', 'maxItems: ', 'minProperties: ', 'maxProperties: '],
    ['additionalItem(s) not allowed', 'match contains schema'],
  ];
  for (const words of kinds.flat())
    expect([words, places.some((place) => place.includes(words))]).toEqual([words, true]);
});

function ourPlaces({ schema, values }: SchemaCase): string[] {
  const { chart } = loadChart(
    chartFiles({
      'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.0.0\n',
      'values.schema.json': JSON.stringify(schema),
    }),
    { rules: 'helm' },
  );
  if (chart === undefined) throw new Error('the chart is not loaded');
  const { faults } = renderChart(chart, {
    values,
    release: { name: 'agent', namespace: 'agents' },
    capabilities: { kubeVersion: { version: 'v1.34.2' } },
  });
  return [...new Set(faults.map(({ message }) => comparable(message.replace('agent: ', ''))))].toSorted();
}

/** The places of Helm's message, each once. We do not print lines that only say that others follow. */
function helmPlaces(error = ''): string[] {
  const places = error
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('- at ') && !/: (?:validation failed|'allOf' failed)$/.test(line))
    .map((line) => comparable(line.slice(2)));
  return [...new Set(places)].toSorted();
}

/** Helm lists properties in the random order of Go's maps, and counts the items after those with schemas of their own from 0. */
function comparable(place: string): string {
  return place
    .replaceAll(/\/\d+(?=[/'])/g, '/item')
    .replace(
      /additional properties (.*) not allowed/,
      (_, list: string) => `additional properties ${list.split(', ').toSorted().join(', ')} not allowed`,
    );
}
