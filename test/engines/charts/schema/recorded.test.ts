import { expect, test } from 'vitest';
import type { ChartFault } from '../../../../src/engines/charts/chart-fault.ts';
import { loadChart, renderChart } from '../../../../src/engines/charts/index.ts';
import { chartFiles } from '../chart-files.ts';
import type { SchemaCase } from './random-schema.ts';
import type { SchemaShape } from './schema-shapes.ts';
import { readRecording } from '../recording.ts';

const recorded = readRecording<SchemaCase>('schemas');

test('values match a schema, or not, as in Helm, with the same messages', () => {
  const different = recorded
    .map(({ request, answer }) => ({ request, ours: ourPlaces(request), helm: helmPlaces(answer.error) }))
    .filter(({ ours, helm }) => JSON.stringify(ours) !== JSON.stringify(helm));
  expect(different).toEqual([]);
});

const shapes = readRecording<SchemaShape>('schema-shapes');
const wrong = readRecording<SchemaCase>('wrong-schemas').map(({ request: { schema, values }, answer }) => ({
  request: { schema: JSON.stringify(schema), values },
  answer,
}));

test.each([
  ['references, dialects, cycles, numbers and formats', shapes],
  ['keywords with a wrong value', wrong],
])('schemas with %s are valid, or not, as in Helm', (_, cases) => {
  const different = cases
    .map(({ request, answer }) => ({ request, ours: ourOutcome(request), helm: helmOutcome(answer.error) }))
    .filter(({ ours, helm }) => JSON.stringify(ours) !== JSON.stringify(helm));
  expect(different).toEqual([]);
});

test('a schema that is not valid is described as Helm does', () => {
  const described = [...shapes, ...wrong].flatMap(({ request, answer: { error = '' } }) =>
    error.includes('is not valid against metaschema') ? [{ request, wanted: problems(error) }] : [],
  );
  expect(described.length).toBeGreaterThan(200);
  const different = described
    .map(({ request, wanted }) => ({
      request,
      wanted,
      ours: comparable(ourFaults(request)[0]?.message ?? ''),
    }))
    // A message names five problems, each with its place in the whole schema.
    .filter(({ ours }) => !/, and \d+ more$/.test(ours))
    .filter(
      ({ wanted, ours }) => !wanted.every((problem) => ours.includes(problem.replace(/^at '.*?': /, ''))),
    );
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

function ourFaults({ schema, values }: SchemaShape): readonly ChartFault[] {
  const { chart } = loadChart(
    chartFiles({
      'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.0.0\n',
      'values.schema.json': schema,
    }),
    { rules: 'helm' },
  );
  if (chart === undefined) throw new Error('the chart is not loaded');
  return renderChart(chart, {
    values,
    release: { name: 'agent', namespace: 'agents' },
    capabilities: { kubeVersion: { version: 'v1.34.2' } },
  }).faults;
}

function ourPlaces({ schema, values }: SchemaCase): string[] {
  const faults = ourFaults({ schema: JSON.stringify(schema), values });
  return [...new Set(faults.map(({ message }) => comparable(message.replace('agent: ', ''))))].toSorted();
}

/** The messages about values. One list with a word for a schema that is not valid. */
function ourOutcome(shape: SchemaShape): string[] {
  const faults = ourFaults(shape);
  if (faults.some(({ code }) => code === 'FW6026')) return ['invalid'];
  return [...new Set(faults.map(({ message }) => withoutPlace(message.replace('agent: ', ''))))].toSorted();
}

function helmOutcome(error: string | undefined): string[] {
  if (error === undefined) return [];
  const [, , first = ''] = error.split('\n');
  return first.startsWith('- at ') ? problems(error) : ['invalid'];
}

/** What Helm prints after the places. */
function problems(error: string): string[] {
  return [...new Set(helmPlaces(error).map(withoutPlace))].toSorted();
}

/** Helm prints the place of a name, and of a schema that only a reference reads, from the name or the schema on. */
function withoutPlace(place: string): string {
  const [, problem = ''] = /^at '.*?(?<!\\)': (.*)$/s.exec(place) ?? [];
  return /invalid propertyName|is not valid|does not match|maxLength/.test(problem)
    ? comparable(problem)
    : comparable(place);
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
