import { expect, test } from 'vitest';
import { TypedMap, type ValueMap } from '../../../src/engines/gotemplate/index.ts';
import {
  chartValues,
  loadChart,
  renderChart,
  type ChartRules,
  type RenderedManifest,
} from '../../../src/engines/charts/index.ts';
import { chartFiles, tarball } from './chart-files.ts';

const chartYaml = 'apiVersion: v2\nname: agent\nversion: 1.0.0\nappVersion: 1.10\n';

/** Renders a chart and returns the texts of its objects' field `data.a`. */
function rendered(
  files: ReadonlyMap<string, Uint8Array> | Uint8Array,
  values: Readonly<Record<string, unknown>> = {},
  rules: ChartRules = 'embedded',
): readonly RenderedManifest[] {
  const { chart, faults } = loadChart(files, { rules });
  if (chart === undefined) throw new Error(JSON.stringify(faults));
  const result = renderChart(chart, {
    values,
    release: { name: 'agent', namespace: 'agents' },
    capabilities: { kubeVersion: { version: 'v1.31.2' } },
  });
  expect(result.faults).toEqual([]);
  return result.manifests;
}

function config(template: string): string {
  return `apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |-\n    ${template}\n`;
}

function dataOf(manifests: readonly RenderedManifest[]): unknown[] {
  return manifests.map(({ object }) => (object['data'] as Readonly<Record<string, unknown>>)['a']);
}

test('templates see the release, capabilities, chart and template', () => {
  const text = [
    '.Release.Name',
    '.Release.Namespace',
    '.Release.Service',
    '.Release.IsInstall',
    '.Release.Revision',
    '.Capabilities.KubeVersion',
    '.Capabilities.KubeVersion.Version',
    '.Capabilities.KubeVersion.Major',
    '.Capabilities.APIVersions.Has "v1"',
    '.Capabilities.HelmVersion.Version',
    '.Chart.Name',
    '.Chart.AppVersion',
    '.Chart.IsRoot',
    '.Template.Name',
    '.Template.BasePath',
  ].map((field) => `{{ ${field} }}`);
  const files = chartFiles({ 'Chart.yaml': chartYaml, 'templates/a.yaml': config(text.join(' ')) });
  expect(dataOf(rendered(files))).toEqual([
    'agent agents Helm false 0 v1.31.2 v1.31.2  false  agent 1.1 true agent/templates/a.yaml agent/templates',
  ]);
});

test('numbers of values are float64', () => {
  const files = chartFiles({
    'Chart.yaml': chartYaml,
    'values.yaml': 'count: 100000000\n',
    'templates/a.yaml': config(
      '{{ .Values.count }} {{ .Values.m }} {{ kindOf .Values.m }} {{ int .Values.count }}',
    ),
  });
  expect(dataOf(rendered(files, { m: 3 }))).toEqual(['1e+08 3 float64 100000000']);
});

test('a template that is included with a missing value sees none, and no error', () => {
  const files = chartFiles({
    'Chart.yaml': chartYaml,
    'templates/_a.tpl':
      '{{ define "version" }}{{ default .Capabilities.Version "1.0" }}{{ .a.b | default "c" }}{{ end }}',
    'templates/a.yaml': config('{{ include "version" .missing }}{{ tpl "{{ .a.b | default 1 }}" .missing }}'),
  });
  expect(dataOf(rendered(files))).toEqual(['1.0c1']);
});

test('templates read the files of the chart', () => {
  const files = chartFiles({
    'Chart.yaml': chartYaml,
    'files/a.txt': 'one\ntwo\n',
    'files/b.json': '{}',
    'templates/a.yaml': config(
      [
        '{{ .Files.Get "files/a.txt" | quote }}',
        '{{ .Files.Lines "files/a.txt" | toJson }}',
        '{{ .Files.GetBytes "files/b.json" }}',
        '{{ range $name, $_ := .Files.Glob "files/*.{txt,md}" }}{{ $name }}{{ end }}',
        '{{ (.Files.Glob "files/b*").AsSecrets }}',
        '{{ .Files.Get "Chart.yaml" | quote }}',
      ].join(' '),
    ),
  });
  expect(dataOf(rendered(files))).toEqual([
    '"one\\ntwo\\n" ["one","two"] [123 125] files/a.txt b.json: e30= ""',
  ]);
});

const subchart = {
  'charts/b/Chart.yaml': 'name: b\nversion: 1.2.0',
  'charts/b/values.yaml': 'size: small\nexports: { shared: { level: 7 } }\n',
  'charts/b/templates/b.yaml': config('{{ .Chart.Name }} {{ .Values.size }} {{ .Values.global.zone }}'),
};

test('a subchart sees its own values and the global ones', () => {
  const files = chartFiles({ 'Chart.yaml': chartYaml, 'values.yaml': 'global: { zone: eu }', ...subchart });
  expect(dataOf(rendered(files))).toEqual(['b small eu']);
  expect(dataOf(rendered(files, { b: { size: 'large' }, global: { zone: 'us' } }))).toEqual(['b large us']);
});

test('null removes a value of the chart', () => {
  const files = chartFiles({
    'Chart.yaml': chartYaml,
    'values.yaml': 'a: { b: 1, c: 2 }\n',
    'templates/a.yaml': config('{{ toJson .Values.a }}'),
  });
  expect(dataOf(rendered(files, { a: { b: null } }))).toEqual(['{"c":2}']);
});

const withDependency = {
  'Chart.yaml': `${chartYaml}dependencies: [{ name: b, version: ^1.0, condition: enabled, alias: c, import-values: [shared] }]`,
  'templates/a.yaml': config('level {{ .Values.level }}'),
  ...subchart,
};

test("Helm's rules apply conditions, aliases and imported values", () => {
  expect(dataOf(rendered(chartFiles(withDependency), {}, 'helm'))).toEqual(['c small', 'level 7']);
  expect(dataOf(rendered(chartFiles(withDependency), { enabled: false }, 'helm'))).toEqual(['level']);
});

test.each([
  ['helm', {}],
  ['helm', { enabled: false, own: { a: 1.5, b: [true, null, 'x'] } }],
  ['embedded', { enabled: false, b: { size: 'large' } }],
] as const)('by the rules %s, chartValues returns what the templates see: %j', (rules, values) => {
  const files = chartFiles({ ...withDependency, 'templates/a.yaml': config('{{ toJson .Values }}') });
  files.set('values.yaml', new TextEncoder().encode('own: { a: 1, c: null }\nglobal: { zone: z }\n'));
  const { chart } = loadChart(files, { rules });
  if (chart === undefined) throw new Error('the chart does not load');
  const input = {
    values,
    release: { name: 'a', namespace: 'b' },
    capabilities: { kubeVersion: { version: '' } },
  };
  const manifest = renderChart(chart, input).manifests.find(({ file }) => file === 'templates/a.yaml');
  const [seen] = dataOf(manifest === undefined ? [] : [manifest]);
  const read = chartValues(chart, input);
  expect(plain('values' in read ? read.values : undefined)).toEqual(JSON.parse(String(seen)));
});

function plain(value: unknown): unknown {
  if (value instanceof TypedMap) return plain(value.entries);
  if (value instanceof Map)
    return Object.fromEntries([...(value as ValueMap)].map(([key, each]) => [key, plain(each)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

test('addon-framework renders every subchart under its own name', () => {
  const { chart } = loadChart(chartFiles(withDependency));
  const input = { release: { name: 'a', namespace: 'b' }, capabilities: { kubeVersion: { version: '' } } };
  const manifests = chart && renderChart(chart, { values: { enabled: false }, ...input }).manifests;
  expect(dataOf(manifests ?? [])).toEqual(['b small ', 'level ']);
});

test('an archive renders as its folder, also inside of a chart', () => {
  const archive = tarball([
    { path: 'b/', type: '5' },
    ...Object.entries(subchart).map(([name, text]) => ({ path: name.slice('charts/'.length), text })),
  ]);
  expect(dataOf(rendered(archive, { global: {} }))).toEqual(['b small ']);
  const files = chartFiles({ 'Chart.yaml': chartYaml });
  files.set('charts/b-1.2.0.tgz', archive);
  expect(rendered(files).map(({ file }) => file)).toEqual(['charts/b-1.2.0.tgz/templates/b.yaml']);
});

test('a library chart has no manifests, and others use it', () => {
  const files = chartFiles({
    'Chart.yaml': chartYaml,
    'charts/l/Chart.yaml': 'name: l\nversion: 1.0.0\ntype: library',
    'charts/l/templates/_x.tpl': '{{ define "x" }}from the library{{ end }}',
    'charts/l/templates/y.yaml': '{{ fail "not rendered" }}',
    'templates/a.yaml': config('{{ include "x" . }}'),
  });
  expect(dataOf(rendered(files))).toEqual(['from the library']);
});

test('objects are in the order of installation, those of crds/ first among equal kinds', () => {
  const object = (kind: string, name: string): string =>
    `apiVersion: v1\nkind: ${kind}\nmetadata: { name: ${name} }\n`;
  const files = chartFiles({
    'Chart.yaml': chartYaml,
    'crds/z.yaml': object('CustomResourceDefinition', 'z'),
    'templates/a.yaml': `# nothing\n---\n${object('Widget', 'a')}---\n${object('Deployment', 'b')}`,
    'templates/b.yaml': `${object('Namespace', 'c')}---\n${object('Gadget', 'd')}---\n${object('CustomResourceDefinition', 'e')}`,
    'templates/_c.yaml': 'kind: [',
  });
  expect(rendered(files).map(({ object: { metadata }, kind, line }) => [kind, metadata, line])).toEqual([
    ['Namespace', { name: 'c' }, 1],
    ['CustomResourceDefinition', { name: 'z' }, 1],
    ['CustomResourceDefinition', { name: 'e' }, 9],
    ['Deployment', { name: 'b' }, 7],
    ['Gadget', { name: 'd' }, 5],
    ['Widget', { name: 'a' }, 3],
  ]);
});

test("Helm's rules leave out the files of .helmignore", () => {
  const files = chartFiles({
    'Chart.yaml': chartYaml,
    '.helmignore': '# comment\n*.bak\n/docs/\ntemplates/tests/\n',
    'a.bak': '',
    'docs/a.md': '',
    'b/docs/c.md': '',
    'templates/tests/t.yaml': '{{ fail "not rendered" }}',
    'templates/a.yaml': config('{{ range $name, $_ := .Files }}{{ $name }} {{ end }}'),
  });
  expect(dataOf(rendered(files, {}, 'helm'))).toEqual(['.helmignore b/docs/c.md']);
});

test('keys such as __proto__ are keys like all others', () => {
  const values = JSON.parse('{ "__proto__": { "a": 1 }, "constructor": 2 }') as Record<string, unknown>;
  const files = chartFiles({
    'Chart.yaml': chartYaml,
    'values.yaml': '__proto__: { b: 1 }\n',
    'values.schema.json': '{ "properties": { "constructor": { "type": "number" } } }',
    'templates/a.yaml': `${config('{{ toJson .Values }}')}  __proto__: { polluted: 1 }\n`,
  });
  const [manifest] = rendered(files, values);
  expect(dataOf([manifest as RenderedManifest])).toEqual(['{"__proto__":{"a":1,"b":1},"constructor":2}']);
  expect(Object.keys(manifest?.object['data'] as object)).toEqual(['a', '__proto__']);
  expect(Object.prototype).not.toHaveProperty('polluted');
});

test('an object that is the same on many clusters is decoded once, whatever else the clusters have', () => {
  const padding = 'x'.repeat(1 << 20);
  const { chart } = loadChart(
    chartFiles({
      'Chart.yaml': chartYaml,
      'crds/same.yaml': config('same'),
      'templates/same.yaml': config('same, too'),
      'templates/different.yaml': config(`{{ .Release.Name }} ${padding}`),
    }),
    { rules: 'helm' },
  );
  if (chart === undefined) throw new Error('the chart does not load');
  const objectsOf = (cluster: number): readonly unknown[] => {
    const { manifests } = renderChart(chart, {
      values: {},
      release: { name: `cluster${cluster}`, namespace: 'agents' },
      capabilities: { kubeVersion: { version: 'v1.31.2' } },
    });
    return manifests.filter(({ file }) => file.endsWith('same.yaml')).map(({ object }) => object);
  };
  const [first, ...others] = Array.from({ length: 20 }, (_, cluster) => objectsOf(cluster));
  expect(first).toHaveLength(2);
  for (const objects of others)
    for (const [at, object] of objects.entries()) expect(object).toBe(first?.[at]);
});

test.each([
  ['{{ tpl .Values.greeting . }}', {}, ['greeting']],
  ['{{ tpl "{{ .Values.name }}" . }}', {}, ['name']],
  ['{{ (merge (dict) .).Values.name }}', {}, ['greeting', 'name']],
  ['{{ toYaml .Values | sha256sum }}', {}, ['greeting', 'name']],
  ['{{ range $key, $value := .Values }}{{ $key }}{{ end }}', {}, ['greeting', 'name']],
  ['{{ index .Values "name" }}', {}, ['name']],
  ['{{ pluck "name" .Values.AsMap }}', {}, ['name']],
  ['{{ keys .Values | sortAlpha }}', {}, []],
  ['{{ .Release.Name }}', { 'values.schema.json': '{ "type": "object" }' }, ['greeting', 'name']],
  ['{{ .Release.Name }}', {}, []],
])('%s reports the values that it reads', (template, files, expected) => {
  const { chart } = loadChart(
    chartFiles({
      'Chart.yaml': chartYaml,
      'values.yaml': 'greeting: hello\nname: a\n',
      'templates/config.yaml': config(template),
      ...files,
    }),
    { rules: 'helm' },
  );
  if (chart === undefined) throw new Error('the chart does not load');
  const read = new Set<string>();
  const { faults } = renderChart(chart, {
    values: {},
    release: { name: 'agent', namespace: 'agents' },
    capabilities: { kubeVersion: { version: 'v1.31.2' } },
    onTopValue: (name) => read.add(name),
  });
  expect(faults).toEqual([]);
  expect([...read].toSorted()).toEqual(expected);
});
