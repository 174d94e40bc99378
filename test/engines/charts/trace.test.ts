import { expect, test } from 'vitest';
import {
  loadChart,
  renderChart,
  traceField,
  type FieldOrigin,
  type RenderedManifest,
} from '../../../src/engines/charts/index.ts';
import { chartFiles } from './chart-files.ts';

const files = chartFiles({
  'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.0.0\n',
  'values.yaml': 'replicas: 2\nimage: { name: agent }\n',
  'templates/_helpers.tpl':
    '{{ define "labels" }}app: {{ .Chart.Name }}\nlevel: {{ .Values.level | default "info" }}{{ end }}',
  'templates/a.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-config
  labels:
    {{- include "labels" . | nindent 4 }}
  missing: {{ .Values.nothing }}
{{ with .Values.image }}data:
  image: {{ .name }}
{{- range $index, $each := $.Values.list }}
  item{{ $index }}: {{ $each.name }}
{{- end }}
  fixed: text
{{ end }}
`,
});

const input = {
  values: { list: [{ name: 'x' }] },
  release: { name: 'agent', namespace: 'agents' },
  capabilities: { kubeVersion: { version: 'v1.31.2' } },
};

function origins(...path: string[]): FieldOrigin[] {
  const { chart } = loadChart(files);
  if (chart === undefined) throw new Error('the chart does not load');
  const [manifest] = renderChart(chart, input).manifests;
  if (manifest === undefined) throw new Error('the chart does not render');
  return [...traceField(chart, input, manifest, path)];
}

test('a field has the line of its action and the values that it reads', () => {
  expect(origins('data', 'image')).toEqual([
    {
      file: 'templates/a.yaml',
      line: 9,
      column: 13,
      isText: false,
      paths: ['Values.image.name'],
      values: [['image', 'name']],
    },
  ]);
  expect(origins('data', 'item0')).toEqual([
    {
      file: 'templates/a.yaml',
      line: 11,
      column: 24,
      isText: false,
      paths: ['Values.list.name'],
      values: [['list', 0, 'name']],
    },
  ]);
});

test('a field can have text and actions', () => {
  expect(origins('metadata', 'name').map(({ line, isText, paths }) => [line, isText, paths])).toEqual([
    [4, false, ['Release.Name']],
    [4, true, []],
  ]);
  expect(origins('data', 'fixed').map(({ isText }) => isText)).toEqual([true]);
});

test('a field that an include wrote has what the included template reads', () => {
  expect(origins('metadata', 'labels', 'level')).toEqual([
    {
      file: 'templates/a.yaml',
      line: 6,
      column: 9,
      isText: false,
      paths: ['Chart.Name', 'Values.level'],
      values: [],
    },
  ]);
});

test('a field that does not exist has no origin', () => {
  expect(origins('data', 'other')).toEqual([]);
});

test('a field is traced in a chart that calls random functions for what is not used', () => {
  const { chart } = loadChart(
    chartFiles({
      'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.0.0\n',
      'values.yaml': 'level: info\n',
      'templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { level: {{ .Values.level }}, size: "{{ randAlpha 3 | len }}" }\n',
      'templates/test.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: { name: test-{{ uuidv4 }}, annotations: { helm.sh/hook: test } }\n',
    }),
    { rules: 'helm' },
  );
  if (chart === undefined) throw new Error('the chart does not load');
  const sampled = {
    ...input,
    values: {},
    isUsed: ({ hook }: RenderedManifest): boolean => hook === undefined,
  };
  const manifest = renderChart(chart, sampled).manifests.find(({ kind }) => kind === 'ConfigMap');
  if (manifest === undefined) throw new Error('the chart does not render');
  expect(traceField(chart, sampled, manifest, ['data', 'level'])).toEqual([
    {
      file: 'templates/a.yaml',
      line: 4,
      column: 19,
      isText: false,
      paths: ['Values.level'],
      values: [['level']],
    },
  ]);
});
