import { expect, test } from 'vitest';
import {
  fieldTracer,
  loadChart,
  renderChart,
  valuePlace,
  type FieldOrigin,
} from '../../../src/engines/charts/index.ts';
import { chartFiles } from './chart-files.ts';

const values = `replicas: 2
image:
  repository: quay.io/example/agent
  tag: ''
defaults:
  memory: 64Mi
  cpu: 100m
agent:
  cpu: 200m
resources:
  limits: { memory: 128Mi }
labels:
  app.kubernetes.io/team: edge
greeting: 'hello {{ .Values.name }}'
name: world
env:
  LEVEL: info
  MODE: fast
ports:
  - { name: web, port: 8080 }
  - { name: admin, port: 9090 }
hosts: [a.example.com, b.example.com]
enabled: true
fips: false
empty: {}
none: []
extra: |
  key: {{ .Values.name }}
global:
  registry: quay.io
`;

const templates = {
  'templates/_helpers.tpl': `{{- define "app.name" -}}{{ .Values.name | trunc 63 | trimSuffix "-" }}{{- end -}}
{{- define "app.render" -}}{{ tpl (.value | toString) .context }}{{- end -}}
{{- define "app.renderYaml" -}}{{ tpl (.value | toYaml) .context }}{{- end -}}
{{- define "app.image" -}}{{ printf "%s:%s" .image.repository (.image.tag | default .chart.AppVersion) }}{{- end -}}
{{- define "app.merged" -}}{{ range . }}{{ .cpu }}{{ end }}{{- end -}}`,
};

const shapes: readonly (readonly [string, string, readonly (string | number)[][]])[] = [
  ['a plain value', '{{ .Values.replicas }}', [['replicas']]],
  ['functions', '{{ .Values.name | default "x" | upper | quote }}', [['name']]],
  [
    'printf of two',
    '{{ printf "%s-%s" .Values.name .Values.defaults.cpu }}',
    [['defaults', 'cpu'], ['name']],
  ],
  ['a hash', '{{ .Values.name | sha256sum }}', [['name']]],
  ['with', '{{ with .Values.resources }}{{ .limits.memory }}{{ end }}', [['resources', 'limits', 'memory']]],
  [
    'with and else',
    '{{ with .Values.empty }}{{ .a }}{{ else }}{{ .Values.name }}{{ end }}',
    [['empty'], ['name']],
  ],
  ['a condition', '{{ if .Values.fips }}yes{{ else }}no{{ end }}', [['fips']]],
  ['ternary', '{{ ternary "yes" "no" .Values.fips }}', [['fips']]],
  [
    'with of a merge',
    '{{ with (merge .Values.agent .Values.defaults) }}{{ .memory }}-{{ .cpu }}{{ end }}',
    [
      ['defaults', 'memory'],
      ['agent', 'cpu'],
    ],
  ],
  [
    'mergeOverwrite of copies',
    '{{ $merged := mergeOverwrite (deepCopy .Values.defaults) .Values.agent }}{{ $merged.cpu }}',
    [['agent', 'cpu']],
  ],
  ['a merge of the root', '{{ $root := merge (dict "own" 1) . }}{{ $root.Values.name }}', [['name']]],
  ['a template', '{{ include "app.name" . }}', [['name']]],
  [
    'a template with a dict',
    '{{ include "app.image" (dict "image" .Values.image "chart" .Chart) }}',
    [
      ['image', 'repository'],
      ['image', 'tag'],
    ],
  ],
  ['a list of maps as an argument', '{{ include "app.merged" (list .Values.agent) }}', [['agent', 'cpu']]],
  ['tpl of a value', '{{ tpl .Values.greeting . }}', [['greeting'], ['name']]],
  [
    'tpl in a template',
    '{{ include "app.render" (dict "value" .Values.greeting "context" $) }}',
    [['greeting'], ['name']],
  ],
  [
    'get, index and dig',
    '{{ get .Values.defaults "cpu" }}{{ index .Values "env" "MODE" }}{{ dig "limits" "memory" "none" .Values.resources }}',
    [
      ['defaults', 'cpu'],
      ['resources', 'limits', 'memory'],
      ['env', 'MODE'],
    ],
  ],
  [
    'a range over a list',
    '{{ range $index, $host := .Values.hosts }}{{ if $index }},{{ end }}{{ $host }}{{ end }}',
    [
      ['hosts', 0],
      ['hosts', 1],
    ],
  ],
  [
    'a join',
    '{{ join "," .Values.hosts }}',
    [
      ['hosts', 0],
      ['hosts', 1],
    ],
  ],
  ['a variable', '{{ $values := .Values }}{{ $values.defaults.cpu }}', [['defaults', 'cpu']]],
  ['an empty map', '{{ .Values.empty | toJson | sha256sum }}', [['empty']]],
  ['an empty list', '{{ join "," .Values.none }}', [['none']]],
  ['coalesce', '{{ coalesce .Values.image.tag .Values.name }}', [['image', 'tag'], ['name']]],
  ['JSON', '{{ (fromJson (toJson .Values.resources)).limits.memory }}', [['resources', 'limits', 'memory']]],
  ['a global value', '{{ .Values.global.registry }}', [['global', 'registry']]],
  ['no value', '{{ .Release.Name }}', []],
];

function originsIn(
  template: string,
  path: readonly (string | number)[],
  others: Readonly<Record<string, string>> = {},
  name = 'a',
): readonly FieldOrigin[] {
  const files = chartFiles({
    'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\nappVersion: 1.2.3\n',
    'values.yaml': values,
    ...templates,
    'templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n${template}`,
    ...others,
  });
  const { chart, faults } = loadChart(files, { rules: 'helm' });
  if (chart === undefined) throw new Error(JSON.stringify(faults));
  const input = {
    values: {},
    release: { name: 'app', namespace: 'apps' },
    capabilities: { kubeVersion: { version: 'v1.31.2' } },
  };
  const { manifests, faults: found } = renderChart(chart, input);
  const manifest = manifests.find(
    ({ object }) => (object['metadata'] as { readonly name: string }).name === name,
  );
  if (manifest === undefined) throw new Error(JSON.stringify(found));
  return fieldTracer(chart, input).origins(manifest, path);
}

const valuesIn = (template: string, ...path: readonly (string | number)[]): readonly unknown[] =>
  originsIn(template, path).flatMap((origin) => origin.values);

test.each(shapes)('finds the values behind %s', (_name, action, expected) => {
  expect(new Set(valuesIn(`  a: x${action}\n`, 'data', 'a'))).toEqual(new Set(expected));
});

test('finds the value of each field that toYaml writes', () => {
  const template = '  {{- toYaml .Values.labels | nindent 2 }}\n  {{- toYaml .Values.env | nindent 2 }}\n';
  expect(valuesIn(template, 'data', 'app.kubernetes.io/team')).toEqual([
    ['labels', 'app.kubernetes.io/team'],
  ]);
  expect(valuesIn(template, 'data', 'MODE')).toEqual([['env', 'MODE']]);
});

test('finds the value of each field in a range over a map', () => {
  const template =
    '{{- range $key, $value := .Values.env }}\n  {{ $key }}: {{ $value | quote }}\n{{- end }}\n';
  expect(valuesIn(template, 'data', 'LEVEL')).toEqual([['env', 'LEVEL']]);
});

test('finds the value of a text that a condition chooses', () => {
  const template = '{{- if .Values.fips }}\n  mode: strict\n{{- else }}\n  mode: usual\n{{- end }}\n';
  expect(originsIn(template, ['data', 'mode'])).toMatchObject([
    { file: 'templates/a.yaml', isText: true, values: [['fips']] },
  ]);
});

test('finds the value of each item of a list', () => {
  const template = `  list:\n{{- range .Values.ports }}\n    - name: {{ .name }}\n      containerPort: {{ .port }}\n{{- end }}\n`;
  expect(valuesIn(template, 'data', 'list', 1, 'containerPort')).toEqual([['ports', 1, 'port']]);
  expect(valuesIn(template, 'data', 'list', 0, 'name')).toEqual([['ports', 0, 'name']]);
});

test('finds values in a text that is a template of YAML', () => {
  const template =
    '  {{- include "app.renderYaml" (dict "value" .Values.labels "context" $) | nindent 2 }}\n  {{- tpl .Values.extra . | nindent 2 }}\n';
  expect(valuesIn(template, 'data', 'app.kubernetes.io/team')).toEqual([
    ['labels', 'app.kubernetes.io/team'],
  ]);
  expect(valuesIn(template, 'data', 'key')).toContainEqual(['name']);
});

test('finds values that another template copies', () => {
  const profile =
    '{{- $_ := set $ "Values" (mergeOverwrite (deepCopy .Values.defaults) (omit .Values "defaults")) }}\n';
  const origins = originsIn('  a: {{ .Values.memory }}-{{ .Values.name }}\n', ['data', 'a'], {
    'templates/zzz_profile.yaml': profile,
    'templates/b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\n',
  });
  expect(origins.flatMap((origin) => origin.values)).toEqual([['defaults', 'memory'], ['name']]);
});

test('finds the value of the name of one of several objects', () => {
  const template = `  a: x
---
apiVersion: v1
kind: ConfigMap
metadata: { name: "{{ .Values.name }}" }
`;
  const origins = originsIn(template, ['metadata', 'name'], {}, 'world');
  expect(origins.flatMap((origin) => origin.values)).toEqual([['name']]);
});

test('each action has its own values', () => {
  const origins = originsIn('  a: "{{ .Values.name }}:{{ .Values.replicas }}"\n', ['data', 'a']);
  expect(origins.filter(({ isText }) => !isText).map((each) => each.values)).toEqual([
    [['name']],
    [['replicas']],
  ]);
});

test('values of subcharts are those of the root chart', () => {
  const { chart } = loadChart(
    chartFiles({
      'Chart.yaml':
        "apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies: [{ name: db, version: 1.x, repository: '', alias: store }]\n",
      'values.yaml': '# of the application\nstore:\n  size: 10\nglobal: { registry: quay.io }\n',
      'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'charts/db/values.yaml': 'size: 1\nmode: fast\n',
      'charts/db/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { size: "{{ .Values.size }}", mode: {{ .Values.mode }}, registry: {{ .Values.global.registry }} }\n',
    }),
    { rules: 'helm' },
  );
  if (chart === undefined) throw new Error('the chart does not load');
  const input = {
    values: {},
    release: { name: 'app', namespace: 'apps' },
    capabilities: { kubeVersion: { version: 'v1.31.2' } },
  };
  const [manifest] = renderChart(chart, input).manifests;
  if (manifest === undefined) throw new Error('the chart does not render');
  const tracer = fieldTracer(chart, input);
  const found = ['size', 'mode', 'registry'].map((key) =>
    tracer
      .origins(manifest, ['data', key])
      .flatMap((origin) => origin.values.map((path) => [path.join('.'), valuePlace(chart, path)])),
  );
  expect(found).toEqual([
    [['store.size', { file: 'values.yaml', line: 3 }]],
    [['store.mode', { file: 'charts/db/values.yaml', line: 2 }]],
    [['global.registry', { file: 'values.yaml', line: 4 }]],
  ]);
});

test('a key named global below another one is no global value', () => {
  const { chart } = loadChart(
    chartFiles({
      'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
      'values.yaml': 'zones: { global: { size: 3 } }\n',
      'templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { size: "{{ .Values.zones.global.size }}" }\n',
    }),
    { rules: 'helm' },
  );
  if (chart === undefined) throw new Error('the chart does not load');
  const input = {
    values: {},
    release: { name: 'app', namespace: 'apps' },
    capabilities: { kubeVersion: { version: 'v1.31.2' } },
  };
  const [manifest] = renderChart(chart, input).manifests;
  if (manifest === undefined) throw new Error('the chart does not render');
  const origins = fieldTracer(chart, input).origins(manifest, ['data', 'size']);
  expect(origins.flatMap((origin) => origin.values)).toEqual([['zones', 'global', 'size']]);
});
