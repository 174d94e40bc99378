import { Random } from '../random.ts';
import { randomRequest, type ValuesRequest } from './random-request.ts';

/** A chart or Go templates, and what an agent of addon-framework renders them with. */
export interface AgentRequest extends ValuesRequest {
  /** The text of each file, by path. */
  readonly chart?: Readonly<Record<string, string>>;
  readonly templates?: Readonly<Record<string, string>>;
  readonly strict?: boolean;
  readonly kubeVersion: string;
}

const paths = [
  '.Values.clusterName',
  '.Values.addonInstallNamespace',
  '.Values.installMode',
  '.Values.replicas',
  '.Values.LogLevel',
  '.Values.global',
  '(.Values.global).nodeSelector',
  '.Values.global.proxyConfig.HTTP_PROXY',
  '((.Values.global).imageOverrides).agent',
  '.Values.tolerations',
  '.Values.image',
  '.Values.count',
  '.Values.labels',
  '.Values.hubKubeConfigSecret',
  '.Values.missing',
  '.Release.Name',
  '.Release.Namespace',
  '.Release',
  '.Chart.Name',
  '.Chart.Version',
  '.Chart.AppVersion',
  '.Chart.Keywords',
  '.Capabilities.KubeVersion.Version',
  '.Capabilities.KubeVersion',
  '.Capabilities.APIVersions',
  '.Template.Name',
  '(.Files.Get "files/a.txt")',
  '(.Files.Lines "files/a.txt")',
  '(.Files.Glob "files/*").AsConfig',
  '(.Files.Glob "**.json").AsSecrets',
  '.Subcharts.sub.Values',
  '($.Values.nested).deep',
];
const filters = [
  'quote',
  'toJson | quote',
  'toYaml | quote',
  'default "none" | quote',
  'toString | b64enc',
  'toString | sha256sum | trunc 8',
  'kindOf',
  'toString | upper | quote',
  'printf "%v" | quote',
  'empty | quote',
  'required "a value is required" | toJson | quote',
];
const conditions = [
  '.Values.replicas',
  'eq .Values.installMode "Default"',
  '(.Values.global).nodeSelector',
  'semverCompare ">=1.29.0-0" .Capabilities.KubeVersion.Version',
  '.Capabilities.APIVersions.Has "apps/v1"',
  'and .Values.tolerations (not .Values.missing)',
  'hasKey .Values "LogLevel"',
  'gt (.Values.count | int) 2',
];
const kinds = [
  ['v1', 'ConfigMap', 'data'],
  ['v1', 'Secret', 'stringData'],
  ['v1', 'ServiceAccount', ''],
  ['v1', 'Namespace', ''],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', ''],
  ['apps/v1', 'Deployment', ''],
  ['v1', 'ConfigMap', 'data'],
  ['policy/v1', 'PodDisruptionBudget', ''],
] as const;

/** Returns a random request; the same one for the same seed. */
export function randomAgentRequest(seed: number): AgentRequest {
  const random = new Random(seed);
  const request = {
    ...randomRequest(seed),
    kubeVersion: random.pick(['v1.31.2', 'v1.28.0', '', 'v1.30.1+rke2']),
  };
  if (random.chance(0.2)) return { ...request, templates: goTemplates(random) };
  return { ...request, chart: chart(random), strict: random.chance(0.05) };
}

function chart(random: Random): Record<string, string> {
  const files: Record<string, string> = {
    'Chart.yaml': `apiVersion: v2\nname: agent\nversion: 1.2.3\nappVersion: ${random.pick(['1.10', '"2.0"', 'v3'])}\n${random.chance(0.3) ? 'keywords: [a, 1, true]\n' : ''}`,
    'values.yaml': valuesFile(random),
    'templates/_helpers.tpl':
      '{{- define "labels" -}}\napp: {{ .Chart.Name }}\nrelease: {{ .Release.Name | quote }}\n{{- end -}}\n{{- define "name" -}}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 }}{{- end -}}',
    'files/a.txt': 'one\ntwo\n',
    'files/b.json': '{"a":1}',
  };
  for (let index = random.below(4); index >= 0; index--)
    files[`templates/${random.pick(['a', 'b', 'c/d'])}${String(index)}.yaml`] = documents(random);
  if (random.chance(0.3)) {
    files['charts/sub/Chart.yaml'] = 'name: sub\nversion: 0.1.0\n';
    files['charts/sub/values.yaml'] = valuesFile(random);
    files['charts/sub/templates/s.yaml'] = documents(random);
  }
  if (random.chance(0.2))
    files['crds/widget.yaml'] =
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: widgets.example.com }\nspec: { group: example.com, scope: Cluster, names: { kind: Widget, plural: widgets }, versions: [] }\n';
  if (random.chance(0.15)) files['values.schema.json'] = schema(random);
  if (random.chance(0.15)) files['templates/wrong.yaml'] = random.pick(wrongDocuments);
  else if (random.chance(0.04)) files['templates/NOTES.txt'] = random.pick(['Thank you', 'a: b', '']);
  return files;
}

function valuesFile(random: Random): string {
  const maybe = (text: string): string => (random.chance(0.6) ? `${text}\n` : '');
  return [
    maybe(`replicas: ${random.pick(['1', '2', 'two', 'null', '1.5'])}`),
    maybe(`count: ${random.pick(['3', '100000000', '1e3', '"7"', '0x10'])}`),
    maybe(`LogLevel: ${random.pick(['info', 'on', '{ a: b }'])}`),
    maybe('image: quay.io/agent:v1'),
    maybe('labels: { a: b, c: 1 }'),
    maybe('nested: { deep: [1, two, { three: 3 }] }'),
    maybe('tolerations: [{ key: a, operator: Exists }]'),
    maybe('global: { nodeSelector: { os: linux }, proxyConfig: { HTTP_PROXY: http://default } }'),
    maybe(
      `sub: ${random.pick(['{ count: 9 }', '{ global: { nodeSelector: { os: other } } }', '{ count: null }'])}`,
    ),
  ].join('');
}

function schema(random: Random): string {
  const draft = random.pick(['draft-04', 'draft-06', 'draft-07', 'draft/2019-09', 'draft/2020-12']);
  const properties = {
    replicas: random.pick([
      { type: 'integer' },
      { type: ['integer', 'string', 'null', 'number'] },
      { minimum: 2 },
      draft === 'draft-04' ? { minimum: 2, exclusiveMinimum: true } : { exclusiveMaximum: 2 },
      { $ref: '#/definitions/size', minimum: 5 },
      { if: { type: 'integer' }, else: { minimum: 2 }, id: 'replicas' },
    ]),
    count: random.pick([
      { type: 'number' },
      { type: 'integer', maximum: 50 },
      { type: ['number', 'string'] },
    ]),
    installMode: random.pick([{ enum: ['Default', 'Hosted'] }, { const: 'Default' }, { pattern: '^D' }]),
    labels: { additionalProperties: { type: 'string' } },
  };
  return JSON.stringify({
    $schema: `${random.pick(['http', 'https'])}://json-schema.org/${draft}/schema${random.pick(['', '#'])}`,
    definitions: { size: { type: ['integer', 'string', 'number', 'null'] } },
    properties,
    ...(random.chance(0.3) ? { required: [random.pick(['clusterName', 'image', 'other'])] } : {}),
  });
}

function documents(random: Random): string {
  const texts = Array.from({ length: 1 + random.below(3) }, () => document(random));
  const text = texts.join(random.pick(['---\n', '---\n# comment\n', '--- # comment\n', '\n---\n---\n']));
  const block = random.chance(0.1) ? `---\n${lastBlock}` : '';
  return random.chance(0.2) ? (text + block).trimEnd() : text + block;
}

/** Whether the last line of a file ends decides what the text contains. */
const lastBlock =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: last }\ndata:\n  text: |\n    one\n    two\n';

function document(random: Random): string {
  if (random.chance(0.04))
    return random.pick(['# nothing\n', 'a: b\n', '{"apiVersion":"v1","kind":"ConfigMap"}\n', '']);
  const [apiVersion, kind, data] = random.pick(kinds);
  let body = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: {{ include "name" . }}-${String(random.below(1000))}\n`;
  if (random.chance(0.5)) body += '  namespace: {{ .Release.Namespace }}\n';
  if (random.chance(0.4)) body += '  labels:\n    {{- include "labels" . | nindent 4 }}\n';
  if (random.chance(0.4))
    body += `  annotations:\n    a: {{ ${random.pick(paths)} | ${random.pick(filters)} }}\n`;
  if (data !== '') body += `${data}:\n${entries(random)}`;
  else if (kind === 'Deployment') body += deployment(random);
  if (random.chance(0.25)) body = `{{- if ${random.pick(conditions)} }}\n${body}{{- end }}\n`;
  return body;
}

/** A document that cannot be decoded. A chart has at most one: Go reports the first in an order that is random. */
const wrongDocuments = [
  'apiVersion: v9\nkind: ConfigMap\n',
  'apiVersion: example.com/v1\nkind: Widget\n',
  'kind: ConfigMap\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: x\n',
  'apiVersion: v1\nkind: ConfigMap\n  - x\n',
  'apiVersion: v1\nkind: ConfigMap\ndata: { a: 1 }\n',
  'apiVersion: v1\n\tkind: ConfigMap\n',
  '- a\n',
  'text\n',
  '--- text\n',
  '{"kind": }\n',
  'apiVersion: a/b/c\nkind: A\n',
  'apiVersion: v1\nkind: 1\n',
];

function entries(random: Random): string {
  const lines = Array.from({ length: 1 + random.below(3) }, (_, index) => {
    const path = random.pick(paths);
    switch (random.below(6)) {
      case 0:
        return `{{- with ${path} }}\n  w${String(index)}: {{ . | toJson | quote }}\n{{- else }}\n  w${String(index)}: none\n{{- end }}\n`;
      case 1:
        return `{{- range $k, $v := ${random.pick(['.Values.labels', '.Values.nested', '.Values.global', '.Values.tolerations', '.Values.count'])} }}\n  r${String(index)}-{{ $k }}: {{ $v | toString | quote }}\n{{- end }}\n`;
      case 2:
        return `  t${String(index)}: {{ tpl "{{ .Release.Name }}/{{ .Values.clusterName }}" $ }}\n`;
      default:
        return `  k${String(index)}: {{ ${path} | ${random.pick(filters)} }}\n`;
    }
  });
  return lines.join('');
}

function deployment(random: Random): string {
  return `spec:
  replicas: {{ .Values.replicas | int }}
  selector: { matchLabels: { app: a } }
  template:
    metadata: { labels: { app: a } }
    spec:
      serviceAccountName: ${random.pick(['agent', '{{ .Values.missing }}', '{{ .Release.Name }}'])}
      {{- with .Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if .Values.global }}
      {{- with .Values.global.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- end }}
      containers:
        - name: agent
          image: {{ .Values.image | default "quay.io/default" }}
          args: [ "--cluster={{ .Values.clusterName }}", "--level={{ .Values.LogLevel }}" ]
`;
}

function goTemplates(random: Random): Record<string, string> {
  const path = (): string =>
    random.pick([
      '.ClusterName',
      '.AddonInstallNamespace',
      '.InstallMode',
      '.LogLevel',
      '.HTTPProxy',
      '.Image',
      '.Missing',
      '.NodeSelector',
    ]);
  const files: Record<string, string> = {};
  for (let index = random.below(3); index >= 0; index--)
    files[`manifests/${String(index)}.yaml`] =
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a${String(index)}\n  namespace: {{ .AddonInstallNamespace }}\ndata:\n  a: '{{ ${path()} }}'\n{{- if ${path()} }}\n  b: "yes"\n{{- end }}\n{{- range $k, $v := .NodeSelector }}\n  n-{{ $k }}: {{ printf "%q" $v }}\n{{- end }}\n`;
  return files;
}
