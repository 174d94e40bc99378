import { expect, test } from 'vitest';
import {
  loadChart,
  renderChart,
  type ChartFault,
  type ChartRules,
} from '../../../src/engines/charts/index.ts';
import { chartFiles, tarball } from './chart-files.ts';

const chartYaml = 'apiVersion: v2\nname: agent\nversion: 1.0.0\n';

/** Loads and renders a chart, and returns the faults of both. */
function faultsOf(
  files: ReadonlyMap<string, Uint8Array> | Uint8Array,
  values: Readonly<Record<string, unknown>> = {},
  rules: ChartRules = 'embedded',
): readonly ChartFault[] {
  const { chart, faults } = loadChart(files, { rules, program: 'the renderer' });
  if (chart === undefined) return faults;
  const rendered = renderChart(chart, {
    values,
    release: { name: 'agent', namespace: 'agents' },
    capabilities: { kubeVersion: { version: 'v1.31.2' } },
  });
  return [...faults, ...rendered.faults];
}

function withTemplate(
  template: string,
  others: Readonly<Record<string, string>> = {},
): Map<string, Uint8Array> {
  return chartFiles({ 'Chart.yaml': chartYaml, 'templates/a.yaml': template, ...others });
}

test('FW6021: a chart that Helm cannot load', () => {
  expect(faultsOf(chartFiles({ 'values.yaml': '' }))).toEqual([
    { code: 'FW6021', message: 'Chart.yaml file is missing', file: 'Chart.yaml' },
  ]);
  for (const [text, message] of [
    ['apiVersion: v2\nversion: 1.0.0', 'validation: chart.metadata.name is required'],
    ['apiVersion: v2\nname: a/b\nversion: 1.0.0', 'validation: chart.metadata.name "a/b" is invalid'],
    ['apiVersion: v2\nname: a', 'validation: chart.metadata.version is required'],
    ['apiVersion: v2\nname: a\nversion: latest', 'validation: chart.metadata.version "latest" is invalid'],
    [
      'name: a\nversion: 1.0.0\nkeywords: x',
      'cannot load Chart.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go struct field Metadata.keywords of type []string',
    ],
    [
      'name: a\nversion: 1.0.0\ndependencies: [{ name: b }, { name: b }]',
      'validation: more than one dependency with name or alias "b"',
    ],
  ] as const)
    expect(faultsOf(chartFiles({ 'Chart.yaml': text }))).toEqual([
      { code: 'FW6021', message, file: 'Chart.yaml' },
    ]);
});

test('FW6021: a values file that is not valid names its line', () => {
  const [fault] = faultsOf(chartFiles({ 'Chart.yaml': chartYaml, 'values.yaml': 'a: 1\nb: [\n' }));
  expect(fault).toMatchObject({ code: 'FW6021', file: 'values.yaml' });
  expect(faultsOf(chartFiles({ 'Chart.yaml': chartYaml, 'charts/b/values.yaml': 'a: 1' }))).toEqual([
    { code: 'FW6021', message: 'Chart.yaml file is missing', file: 'charts/b/Chart.yaml' },
  ]);
});

test('FW6022: an archive that is not valid', () => {
  const codes = [
    Buffer.from('apiVersion: v2'),
    Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]),
    tarball([{ path: 'agent/Chart.yaml', text: chartYaml, size: 100_000 }]),
    tarball([]),
    tarball([{ path: 'Chart.yaml', text: chartYaml }]),
  ].map((bytes) => faultsOf(bytes).map(({ code }) => code));
  // A file without a folder is outside of the chart's folder.
  expect(codes).toEqual([['FW6022'], ['FW6022'], ['FW6022'], ['FW6022'], ['FW6023']]);
});

test('FW6023: links, absolute paths and paths outside of the chart', () => {
  for (const entry of [
    { path: 'agent/templates/a.yaml', type: '2' },
    { path: 'agent/templates/a.yaml', type: '1' },
    { path: 'agent/dev', type: '3' },
    { path: 'agent/../../etc/passwd' },
    { path: '/etc/passwd' },
    { path: 'agent//etc/passwd' },
    { path: '../a/b' },
    { path: 'agent\\..\\..\\a' },
    { path: 'agent/c:/a' },
  ])
    expect([
      entry,
      faultsOf(tarball([{ path: 'agent/Chart.yaml', text: chartYaml }, entry])).map(({ code }) => code),
    ]).toEqual([entry, ['FW6023']]);
  for (const name of ['../a', '/a', 'a/../b', './a'])
    expect(faultsOf(chartFiles({ 'Chart.yaml': chartYaml, [name]: '' }))[0]?.code).toBe('FW6023');
});

test('FW6024: large files, many files, and charts in charts', () => {
  const large = 'x'.repeat(6 * 1024 * 1024);
  expect(faultsOf(chartFiles({ 'Chart.yaml': chartYaml, large }))[0]?.code).toBe('FW6024');
  expect(faultsOf(tarball([{ path: 'agent/large', text: large }]))[0]?.code).toBe('FW6024');
  const many = Object.fromEntries(
    Array.from({ length: 10_001 }, (_, index) => [`files/${String(index)}`, '']),
  );
  expect(faultsOf(chartFiles({ 'Chart.yaml': chartYaml, ...many }))[0]?.code).toBe('FW6024');
  const deep = Object.fromEntries(
    Array.from({ length: 25 }, (_, depth) => [`${'charts/agent/'.repeat(depth)}Chart.yaml`, chartYaml]),
  );
  expect(faultsOf(chartFiles(deep))[0]?.code).toBe('FW6024');
});

test('FW6024: an archive that unpacks to more than a chart may have', () => {
  const zeros = 'x'.repeat(5 * 1024 * 1024);
  const entries = Array.from({ length: 21 }, (_, index) => ({ path: `agent/${String(index)}`, text: zeros }));
  expect(faultsOf(tarball(entries))[0]?.code).toBe('FW6024');
});

test('FW6025: values that the schema of a chart or subchart rejects', () => {
  const schema = JSON.stringify({
    type: 'object',
    required: ['image'],
    properties: {
      replicas: { type: 'integer', minimum: 1 },
      labels: { additionalProperties: { type: 'string' } },
    },
  });
  const files = withTemplate('', {
    'values.schema.json': schema,
    'charts/b/Chart.yaml': 'name: b\nversion: 1.0.0',
    'charts/b/values.schema.json': '{ "properties": { "size": { "enum": ["s", "m"] } } }',
  });
  const values = { replicas: 0, labels: { a: 1 }, b: { size: 'l' } };
  expect(
    faultsOf(files, values).map(({ code, message, file, value }) => [code, message, file, value]),
  ).toEqual([
    ['FW6025', "agent: at '': missing property 'image'", 'values.schema.json', ''],
    ['FW6025', "agent: at '/replicas': minimum: got 0, want 1", 'values.schema.json', 'replicas'],
    ['FW6025', "agent: at '/labels/a': got number, want string", 'values.schema.json', 'labels.a'],
    ['FW6025', "b: at '/size': value must be one of 's', 'm'", 'charts/b/values.schema.json', 'b.size'],
  ]);
  expect(faultsOf(files, { image: 'a', b: 1 })).toEqual([
    { code: 'FW6025', message: 'type mismatch on b: %!t(float64=1)', value: 'b' },
  ]);
});

test('FW6025: numbers, properties and patterns are described as Helm does', () => {
  const schema = JSON.stringify({
    required: ['x', 'y'],
    additionalProperties: false,
    properties: {
      count: { maximum: 1000 },
      large: { minimum: 2e9 },
      mode: { pattern: '^D' },
      kind: { const: null },
    },
  });
  const values = { count: 1_000_000, large: 12_345.5, mode: "it's", kind: 1, a: 1, b: 2 };
  expect(
    faultsOf(withTemplate('', { 'values.schema.json': schema }), values).map(({ message }) => message),
  ).toEqual([
    "agent: at '': missing properties 'x', 'y'",
    "agent: at '/count': maximum: got 1×10⁰⁶, want 1,000",
    "agent: at '/large': minimum: got 12,345.5, want 2×10⁰⁹",
    String.raw`agent: at '/mode': 'it\'s' does not match pattern '^D'`,
    "agent: at '/kind': value must be <nil>",
    "agent: at '': additional properties 'a', 'b' not allowed",
  ]);
});

test('FW6026: a schema that is not valid or that is elsewhere', () => {
  for (const schema of [
    '{',
    '{ "type": "text" }',
    '{ "$ref": "https://example.com/a.json" }',
    '{ "$ref": "file:///etc/passwd" }',
  ])
    expect([schema, faultsOf(withTemplate('', { 'values.schema.json': schema }))[0]?.code]).toEqual([
      schema,
      'FW6026',
    ]);
});

test('FW6027: an error of a template has its place', () => {
  expect(faultsOf(withTemplate('a: b\nc: {{ required "set it" .Values.c }}'))).toEqual([
    {
      code: 'FW6027',
      message: 'execution error at (agent/templates/a.yaml:2:6): set it',
      template: 'templates/a.yaml',
      file: 'templates/a.yaml',
      line: 2,
      column: 7,
    },
  ]);
  expect(faultsOf(withTemplate('a: {{ nope }}'))).toEqual([
    {
      code: 'FW6027',
      message: 'parse error at (agent/templates/a.yaml:1): function "nope" not defined',
      template: 'templates/a.yaml',
      file: 'templates/a.yaml',
      line: 1,
    },
  ]);
});

test('FW6027: the lines of an empty file', () => {
  const template = 'a: {{ .Files.Lines "a.txt" | join "," | quote }}';
  expect(faultsOf(withTemplate(template, { 'a.txt': '' }))).toMatchObject([
    {
      code: 'FW6027',
      message:
        'template: agent/templates/a.yaml:1:12: executing "agent/templates/a.yaml" at <.Files.Lines>: error calling Lines: runtime error: index out of range [-1]',
    },
  ]);
});

test('FW6028: a function that is not supported', () => {
  const template = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: {{ uuidv4 }} }';
  expect(faultsOf(withTemplate(template))[0]).toMatchObject({
    code: 'FW6028',
    file: 'templates/a.yaml',
    line: 4,
    column: 15,
  });
  expect(faultsOf(withTemplate('a: {{ uuidv4 }}'))).toEqual([]);
});

test('FW6029: a template beyond the bounds', () => {
  const files = withTemplate('{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}');
  expect(faultsOf(files)[0]).toMatchObject({ code: 'FW6029', file: 'templates/a.yaml' });
});

test('FW6030: output that is not valid YAML', () => {
  expect(faultsOf(withTemplate('kind: A\nb: [\n'))[0]).toMatchObject({
    code: 'FW6030',
    file: 'templates/a.yaml',
  });
  expect(faultsOf(withTemplate('--- kind: A\n'))).toMatchObject([
    { code: 'FW6030', message: 'invalid Yaml document separator: kind: A (line 1 of the output)' },
  ]);
});

test('FW6031: output that is not an object, or has no apiVersion', () => {
  const notes = withTemplate('', { 'templates/NOTES.txt': 'Thank you' });
  expect(faultsOf(notes)[0]).toMatchObject({ code: 'FW6031', file: 'templates/NOTES.txt' });
  expect(faultsOf(notes, {}, 'helm')).toEqual([]);
  expect(faultsOf(withTemplate('kind: ConfigMap'))).toMatchObject([
    { code: 'FW6031', message: "Object 'apiVersion' is missing in 'kind: ConfigMap\n'" },
  ]);
  expect(faultsOf(withTemplate('', { 'crds/a.yaml': 'a: b' }))).toMatchObject([
    { code: 'FW6031', file: 'crds/a.yaml' },
  ]);
});

const withDependency = {
  'Chart.yaml': `${chartYaml}dependencies: [{ name: b, version: 1.x, condition: b.enabled, alias: c }]\n`,
};

test('FW6032: what a program that embeds the engine ignores of a dependency', () => {
  const files = chartFiles({ ...withDependency, 'charts/b/Chart.yaml': 'name: b\nversion: 1.0.0' });
  expect(faultsOf(files).map(({ code, message }) => [code, message])).toEqual([
    ['FW6032', 'the renderer ignores condition, alias of the dependency "b" and always renders the subchart'],
  ]);
  expect(faultsOf(files, {}, 'helm')).toEqual([]);
});

test('FW6033: a dependency that is missing', () => {
  const codesWith = (rules: ChartRules): unknown[] =>
    faultsOf(chartFiles(withDependency), {}, rules).map(({ code, file }) => [code, file]);
  expect(codesWith('helm')).toEqual([['FW6033', 'Chart.yaml']]);
  expect(codesWith('embedded')).toEqual([['FW6033', 'Chart.yaml']]);
});

test('FW6027: a template that no chart has names the charts that are missing', () => {
  const template = 'a: {{ include "db.name" . }}';
  const requires = (...names: readonly string[]): string =>
    `${chartYaml}dependencies:\n${names.map((name) => `  - { name: ${name}, version: 1.x, repository: '' }\n`).join('')}`;
  const hintOf = (chart: string): string | undefined =>
    faultsOf(withTemplate(template, { 'Chart.yaml': chart })).find(({ code }) => code === 'FW6027')?.hint;
  expect(hintOf(requires('db', 'cache'))).toBe(
    'get the charts that the folder charts/ does not have with `helm dependency build`: db, cache',
  );
  expect(hintOf(chartYaml)).toBeUndefined();
});

test('FW6033 is not reported for a dependency that the values turn off, by the rules of Helm', () => {
  const files = chartFiles(withDependency);
  expect(faultsOf(files, { b: { enabled: false } }, 'helm')).toEqual([]);
});

test('FW6050: a chart for another version of Kubernetes, by the rules of Helm', () => {
  const files = chartFiles({
    'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.0.0\nkubeVersion: ">=1.40.0-0"\n',
  });
  expect(faultsOf(files, {}, 'embedded')).toEqual([]);
  expect(faultsOf(files, {}, 'helm')).toEqual([
    {
      code: 'FW6050',
      message: expect.stringMatching(
        /^chart requires kubeVersion: >=1\.40\.0-0 which is incompatible with Kubernetes v1/,
      ) as string,
      file: 'Chart.yaml',
    },
  ]);
});

test('FW6034: a value that Helm ignores', () => {
  const files = withTemplate('', { 'values.yaml': 'image: { tag: v1 }' });
  expect(faultsOf(files, { image: { tag: { a: 1 } } })).toEqual([
    {
      code: 'FW6034',
      message: 'destination for agent.image.tag is a table. Ignoring non-table value (v1)',
    },
  ]);
});
