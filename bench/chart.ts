// Measures how long a chart of 11 templates takes on 1,000 clusters: all values differ, and the templates are parsed once. The
// agent of addon-framework renders the same chart with the same values in Go. Times are CPU seconds.
//
//   node --import tsx bench/chart.ts [clusters]
import { loadChart, renderChart } from '../src/engines/charts/index.ts';
import { askGoProgram, buildGoValues } from '../test/engines/charts/values/go-values.ts';
import { chartFiles } from '../test/engines/charts/chart-files.ts';

const clusters = Number(process.argv[2] ?? 1000);

const helpers = `{{- define "agent.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- define "agent.fullname" -}}
{{- printf "%s-%s" .Release.Name (include "agent.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- define "agent.labels" -}}
app.kubernetes.io/name: {{ include "agent.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
cluster: {{ .Values.clusterName | quote }}
{{- end -}}
`;

function object(apiVersion: string, kind: string, rest: string): string {
  return `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: {{ include "agent.fullname" . }}
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "agent.labels" . | nindent 4 }}
${rest}`;
}

const deployment = `spec:
  replicas: {{ .Values.replicas | int }}
  selector:
    matchLabels:
      app.kubernetes.io/name: {{ include "agent.name" . }}
  template:
    metadata:
      labels:
        {{- include "agent.labels" . | nindent 8 }}
      annotations:
        checksum/config: {{ .Values.config | toYaml | sha256sum }}
    spec:
      serviceAccountName: {{ include "agent.fullname" . }}
      {{- with .Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.global.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: agent
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
          args:
            - --cluster-name={{ .Values.clusterName }}
            - --v={{ .Values.logLevel | int }}
          env:
            {{- range $name, $value := .Values.env }}
            - name: {{ $name }}
              value: {{ $value | quote }}
            {{- end }}
          resources:
            {{- toYaml .Values.resources | nindent 12 }}
`;

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.0.0\nappVersion: 1.4.2\n',
  'values.yaml': `replicas: 1
logLevel: 2
image: { repository: quay.io/example/agent }
env: { LOG_FORMAT: json, REGION: none, SITE: none }
config: { interval: 30s, endpoints: [a, b, c] }
tolerations: [{ key: node-role.kubernetes.io/infra, operator: Exists, effect: NoSchedule }]
global: { nodeSelector: { kubernetes.io/os: linux } }
resources: { requests: { cpu: 50m, memory: 64Mi }, limits: { memory: 256Mi } }
monitoring: { enabled: true }
`,
  'templates/_helpers.tpl': helpers,
  'templates/namespace.yaml': object('v1', 'Namespace', ''),
  'templates/serviceaccount.yaml': object('v1', 'ServiceAccount', ''),
  'templates/config.yaml': object(
    'v1',
    'ConfigMap',
    'data:\n  config.yaml: |\n    {{- toYaml .Values.config | nindent 4 }}\n  cluster: {{ .Values.clusterName }}\n',
  ),
  'templates/secret.yaml': object(
    'v1',
    'Secret',
    'stringData:\n  token: {{ .Values.clusterName | b64enc }}\n',
  ),
  'templates/clusterrole.yaml': object(
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    'rules:\n{{- range list "pods" "nodes" "events" }}\n  - apiGroups: [""]\n    resources: [{{ . }}]\n    verbs: [get, list, watch]\n{{- end }}\n',
  ),
  'templates/clusterrolebinding.yaml': object(
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {{ include "agent.fullname" . }} }\nsubjects:\n  - { kind: ServiceAccount, name: {{ include "agent.fullname" . }}, namespace: {{ .Release.Namespace }} }\n',
  ),
  'templates/deployment.yaml': object('apps/v1', 'Deployment', deployment),
  'templates/service.yaml': object(
    'v1',
    'Service',
    'spec:\n  selector:\n    app.kubernetes.io/name: {{ include "agent.name" . }}\n  ports:\n    - { name: metrics, port: 8080 }\n',
  ),
  'templates/pdb.yaml': `{{- if gt (int .Values.replicas) 1 }}\n${object('policy/v1', 'PodDisruptionBudget', 'spec:\n  maxUnavailable: 1\n')}{{- end }}\n`,
  'templates/networkpolicy.yaml': object(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'spec:\n  podSelector: {}\n',
  ),
  'templates/role.yaml': object(
    'rbac.authorization.k8s.io/v1',
    'Role',
    'rules:\n  - apiGroups: [coordination.k8s.io]\n    resources: [leases]\n    verbs: ["*"]\n',
  ),
};

function valuesOf(index: number): Record<string, unknown> {
  return {
    clusterName: `cluster${String(index)}`,
    addonInstallNamespace: 'agents',
    installMode: 'Default',
    managedKubeConfigSecret: 'agent-managed-kubeconfig',
    replicas: 1 + (index % 3),
    env: { REGION: `region-${String(index % 20)}`, SITE: `site-${String(index)}` },
  };
}

const { chart } = loadChart(chartFiles(files));
if (chart === undefined) throw new Error('the chart does not load');

function render(from: number, count: number): number {
  let manifests = 0;
  for (let index = from; index < from + count; index++)
    manifests += renderChart(chart as NonNullable<typeof chart>, {
      values: valuesOf(index),
      release: { name: 'hello', namespace: 'agents' },
      capabilities: { kubeVersion: { version: 'v1.31.2' } },
    }).manifests.length;
  return manifests;
}

const parseStart = process.cpuUsage();
render(0, 1);
const parsed = process.cpuUsage(parseStart);
const start = process.cpuUsage();
const manifests = render(1, clusters);
const used = process.cpuUsage(start);
const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

buildGoValues();
const [go] = askGoProgram<{ readonly seconds: number; readonly count: number }>([
  JSON.stringify({
    bench: { files, values: Array.from({ length: clusters }, (_, index) => valuesOf(index + 1)) },
  }),
]);
const rows = [
  ['', 'manifests', 'CPU s', 'ms per cluster'],
  ['parse and first cluster', '', seconds(parsed).toFixed(2), ''],
  ['here', String(manifests), seconds(used).toFixed(2), ((seconds(used) * 1000) / clusters).toFixed(2)],
  [
    'addon-framework in Go',
    String(go?.count ?? 0),
    (go?.seconds ?? 0).toFixed(2),
    (((go?.seconds ?? 0) * 1000) / clusters).toFixed(2),
  ],
];
for (const [name = '', ...cells] of rows)
  process.stdout.write(`${name.padEnd(26)}${cells.map((cell) => cell.padStart(16)).join('')}\n`);
