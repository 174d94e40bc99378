import type { Random } from '../../engines/charts/random.ts';
import { Entries } from './entries.ts';
import { Expressions, imageOfChart } from './expressions.ts';

interface ObjectKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Returns the fields beside the metadata. */
  readonly body: (entries: Entries, random: Random) => string;
}

const pod = (entries: Entries, random: Random, indent: number): string => {
  const pad = ' '.repeat(indent);
  return `${pad}metadata:
${pad}  labels:
${pad}    {{- include "app.selectorLabels" $ | nindent ${indent + 4} }}
${pad}  annotations:
${entries.texts(indent + 4)}${pad}spec:
${pad}  {{- with $.Values.global.pullSecrets }}
${pad}  imagePullSecrets:
${pad}    {{- toYaml . | nindent ${indent + 4} }}
${pad}  {{- end }}
${pad}  serviceAccountName: {{ include "app.fullname" $ }}
${pad}  containers:
${pad}    - name: {{ $.Chart.Name }}
${pad}      image: {{ ${imageOfChart} | quote }}
${pad}      imagePullPolicy: {{ $.Values.image.pullPolicy }}
${pad}      {{- if $.Values.args }}
${pad}      args:
${pad}        {{- range $.Values.args }}
${pad}        - {{ ${random.pick(['. | quote', 'tpl . $ | quote'])} }}
${pad}        {{- end }}
${pad}      {{- end }}
${pad}      env:
${pad}        {{- include "app.env" $ | trim | nindent ${indent + 8} }}
${pad}        - name: FIXED
${pad}          value: "1"
${pad}      resources:
${pad}        {{- toYaml $.Values.resources | nindent ${indent + 8} }}
${pad}  {{- with $.Values.tolerations }}
${pad}  tolerations:
${pad}    {{- toYaml . | nindent ${indent + 4} }}
${pad}  {{- end }}
`;
};

const workload = (entries: Entries, random: Random): string => `spec:
  replicas: {{ $.Values.replicas }}
  selector:
    matchLabels:
      {{- include "app.selectorLabels" $ | nindent 6 }}
  template:
${pod(entries, random, 4)}`;

const job = (entries: Entries, random: Random): string => `spec:
  backoffLimit: {{ $.Values.replicas | int }}
  template:
${pod(entries, random, 4)}`;

const kinds: readonly ObjectKind[] = [
  { apiVersion: 'v1', kind: 'ConfigMap', body: (entries) => `data:\n${entries.some(2)}` },
  { apiVersion: 'v1', kind: 'ConfigMap', body: (entries) => `data:\n${entries.some(2, 8)}` },
  { apiVersion: 'v1', kind: 'Secret', body: (entries) => `stringData:\n${entries.some(2)}` },
  { apiVersion: 'v1', kind: 'ServiceAccount', body: () => '' },
  {
    apiVersion: 'v1',
    kind: 'Service',
    body: () =>
      'spec:\n  type: {{ $.Values.service.type }}\n  ports:\n    {{- range $.Values.ports }}\n    - port: {{ .port }}\n      name: {{ .name }}\n    {{- end }}\n    - { port: {{ $.Values.service.port }}, name: main }\n',
  },
  { apiVersion: 'v1', kind: 'Namespace', body: () => '' },
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim', body: (entries) => `spec:\n${entries.some(2, 2)}` },
  { apiVersion: 'apps/v1', kind: 'Deployment', body: workload },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', body: workload },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', body: workload },
  { apiVersion: 'batch/v1', kind: 'Job', body: job },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    body: (entries) => `spec:\n  containers: [{ name: a, image: b }]\n  nodeSelector:\n${entries.some(4, 2)}`,
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    body: () =>
      'rules:\n{{- range list "pods" "nodes" }}\n  - { apiGroups: [""], resources: [{{ . }}], verbs: [get] }\n{{- end }}\n',
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    body: () =>
      'roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {{ include "app.fullname" $ }} }\nsubjects:\n  - { kind: ServiceAccount, name: a, namespace: {{ $.Release.Namespace }} }\n',
  },
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', body: () => 'rules: []\n' },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    body: (entries) => `spec:\n  podSelector:\n    matchLabels:\n${entries.some(6, 2)}`,
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    body: () =>
      'spec:\n  rules:\n    {{- range $.Values.hosts }}\n    - host: {{ tpl . $ | quote }}\n    {{- end }}\n    - host: {{ $.Values.domain | quote }}\n',
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    body: () => 'value: {{ $.Values.numbers.large | int64 }}\n',
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    body: (entries) => `parameters:\n${entries.some(2, 2)}`,
  },
  {
    apiVersion: '{{ include "app.apiVersion" $ }}',
    kind: 'PodDisruptionBudget',
    body: () => 'spec: { maxUnavailable: {{ $.Values.replicas }} }\n',
  },
];

const hookEvents = [
  'pre-install',
  'post-install',
  'pre-install,pre-upgrade',
  'post-install,post-upgrade',
  'post-install, pre-upgrade',
  'pre-delete',
  'post-delete',
  'pre-install,post-install',
  'pre-upgrade',
  'post-upgrade,pre-rollback',
  'test',
  'test-success',
  'PRE-INSTALL',
  'pre-install,unknown',
];
const hookKinds = new Set(['ConfigMap', 'Secret', 'ServiceAccount', 'Job', 'Pod', 'ClusterRole']);

/** Makes the templates of manifests of a chart. */
export class ManifestTemplates {
  readonly #random: Random;
  readonly #entries: Entries;
  readonly #expressions: Expressions;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#entries = new Entries(random);
    this.#expressions = new Expressions(random);
  }

  /** Returns a file with one to three objects. */
  file(): string {
    const random = this.#random;
    const documents = Array.from({ length: 1 + random.below(3) }, () => this.#document());
    const text = documents.join(random.pick(['---\n', '---\n# comment\n', '\n---\n', '---\n---\n']));
    const around = random.below(10);
    if (around === 0) return `{{- if ${this.#expressions.flag()} }}\n${text}{{- end }}\n`;
    if (around === 1) return `{{- $top := . }}\n---\n${text.trimEnd()}`;
    if (around === 2) return `{{/* what this is */}}\n${text}\n\n`;
    return text;
  }

  /** Returns a file with an object that is a hook. */
  hook(): string {
    const random = this.#random;
    const chosen = kinds.filter(({ kind }) => hookKinds.has(kind));
    const annotations = [
      `"helm.sh/hook": ${JSON.stringify(random.pick(hookEvents))}`,
      ...(random.chance(0.7)
        ? [
            `"helm.sh/hook-weight": ${random.pick(['"5"', '"-5"', '"0"', '"+3"', '"x"', '"10"', '{{ $.Values.replicas | quote }}'])}`,
          ]
        : []),
      ...(random.chance(0.5)
        ? [
            `"helm.sh/hook-delete-policy": ${random.pick(['hook-succeeded', 'before-hook-creation,hook-succeeded', 'hook-failed'])}`,
          ]
        : []),
    ];
    return this.#object(random.pick(chosen), annotations);
  }

  /** Returns a file with an object of a kind that a file in `crds/` defines. */
  custom(): string {
    return this.#object(
      {
        apiVersion: 'example.com/v1',
        kind: this.#random.pick(['Widget', 'Zone']),
        body: (entries) => `spec:\n${entries.some(2)}`,
      },
      [],
    );
  }

  #document(): string {
    const random = this.#random;
    if (random.chance(0.03)) return random.pick(['# only a comment\n', '{{- /* nothing */ -}}\n', '\n']);
    if (random.chance(0.04))
      return `apiVersion: v1\nkind: ${random.pick(['List', 'ConfigMapList'])}\nitems:\n{{- range until 2 }}\n  - apiVersion: v1\n    kind: ConfigMap\n    metadata: { name: item-{{ $.Chart.Name }}-{{ . }}-${this.#number()} }\n{{- end }}\n`;
    const text = this.#object(random.pick(kinds), []);
    return random.chance(0.2) ? `{{- if ${this.#expressions.flag()} }}\n${text}{{- end }}\n` : text;
  }

  #number(): string {
    this.#count += 1;
    return String(this.#count);
  }

  #object({ apiVersion, kind, body }: ObjectKind, annotations: readonly string[]): string {
    const random = this.#random;
    let text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n`;
    text += `  name: ${random.pick(['{{ include "app.fullname" $ }}', '{{ .Release.Name }}-{{ .Chart.Name }}', 'fixed-{{ $.Chart.Name }}'])}-${this.#number()}\n`;
    if (random.chance(0.35))
      text += `  namespace: ${random.pick(['{{ .Release.Namespace }}', '{{ $.Release.Namespace | quote }}', 'elsewhere', '""'])}\n`;
    if (random.chance(0.6)) text += '  labels:\n    {{- include "app.labels" . | nindent 4 }}\n';
    const own = random.chance(0.3) ? this.#entries.texts(4) : '';
    if (annotations.length > 0 || own !== '')
      text += `  annotations:\n${annotations.map((each) => `    ${each}\n`).join('')}${own}`;
    return text + body(this.#entries, random);
  }
}
