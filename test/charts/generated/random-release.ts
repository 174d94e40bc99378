import { stringify } from 'yaml';
import { Random } from '../../engines/charts/random.ts';
import { chartValues, userValues } from './chart-values.ts';
import { ManifestTemplates } from './manifest-templates.ts';
import { namedTemplates } from './named-templates.ts';
import { valuesSchema } from './schemas.ts';
import { subcharts, type ChartTexts } from './subcharts.ts';

/** A chart, and what it is installed with. */
export interface GeneratedRelease {
  /** The bytes of each file by its path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The text of a values file. */
  readonly values: string;
  readonly release: string;
  readonly namespace: string;
  readonly kubeVersion: string;
}

/** Returns a chart with the shapes of public charts; the same one for the same seed. */
export function randomRelease(seed: number): GeneratedRelease {
  const random = new Random(seed);
  const { dependencies, files: below } = random.chance(0.55)
    ? subcharts(random)
    : { dependencies: [], files: {} };
  const texts: ChartTexts = {
    'Chart.yaml': chartYaml(random, dependencies),
    'values.yaml': chartValues(random),
    ...namedTemplates(random),
    'templates/config.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ include "app.fullname" . }}-config }\ndata:\n  config.yaml: |\n    {{- toYaml .Values.config | nindent 4 }}\n',
    ...manifests(random),
    ...files(random),
    ...(random.chance(0.3) && { 'values.schema.json': valuesSchema(random) }),
    ...below,
  };
  return {
    files: new Map(Object.entries(texts).map(([name, content]) => [name, Buffer.from(content)])),
    values: random.chance(0.7) ? userValues(random) : '',
    release: random.pick(['hello', 'my-app', 'r1']),
    namespace: random.pick(['agents', 'default', 'open-cluster-management-agent-addon']),
    kubeVersion: random.pick(['v1.34.2', 'v1.28.0', 'v1.31.5-eks-1', 'v1.30.1+rke2r1']),
  };
}

function chartYaml(random: Random, dependencies: readonly object[]): string {
  return stringify({
    apiVersion: 'v2',
    name: 'app',
    version: random.pick(['1.0.0', '0.1.0-beta.1+build.5', '10.2.3']),
    ...(random.chance(0.8) && { appVersion: random.pick(['1.10', 'v2.3.4', '3', '1.0.0@sha256']) }),
    ...(random.chance(0.2) && {
      kubeVersion: random.pick(['>=1.25.0-0', '>=1.25.0-0', '>= 1.29.0', '^1.28-0', '<1.30.0-0']),
    }),
    ...(random.chance(0.3) && { keywords: ['a', 'b'] }),
    ...(random.chance(0.2) && { maintainers: [{ name: 'someone', email: 'someone@example.com' }] }),
    ...(random.chance(0.2) && { annotations: { category: 'agent', images: '- name: a\n' } }),
    ...(random.chance(0.3) && { type: 'application' }),
    ...(dependencies.length > 0 && { dependencies }),
  });
}

function manifests(random: Random): ChartTexts {
  const made = new ManifestTemplates(random);
  const texts: Record<string, string> = {};
  for (let index = 1 + random.below(3); index >= 0; index--)
    texts[
      `templates/${random.pick(['', '', 'nested/', 'z/'])}${random.pick(['a', 'b', 'm'])}${String(index)}.yaml`
    ] = made.file();
  for (let index = random.chance(0.4) ? random.below(3) : -1; index >= 0; index--)
    texts[`templates/hook${String(index)}.yaml`] = made.hook();
  if (random.chance(0.3))
    texts['templates/NOTES.txt'] = random.pick([
      'Thank you for {{ .Chart.Name }}.\n{{- if .Values.enabled }}\nIt is enabled.\n{{- end }}\n',
      '{{ include "app.fullname" . }}\n{{ .Values.hosts | toYaml }}\n',
      'a: b\n',
    ]);
  if (random.chance(0.15))
    texts['templates/tests/connection.yaml'] = made
      .hook()
      .replace(/"helm.sh\/hook": .*/, '"helm.sh/hook": test');
  if (random.chance(0.3)) {
    texts['crds/widgets.yaml'] = definition('Widget', 'widgets', 'Namespaced');
    texts[random.pick(['crds/zones.yaml', 'crds/nested/all.yaml'])] = definition('Zone', 'zones', 'Cluster');
    if (random.chance(0.7)) texts['templates/custom.yaml'] = made.custom();
    if (random.chance(0.2)) texts['crds/README.md'] = 'No definition.\n';
  }
  if (random.chance(0.04)) texts['templates/wrong.yaml'] = random.pick(wrong);
  return texts;
}

/** Templates that Helm cannot parse, render or read. */
const wrong = [
  '{{ .Values.missing.deeper.still }}\n',
  '{{ fail "this is not supported" }}\n',
  '{{ include "absent" . }}\n',
  '{{ if }}\n',
  'a: {{ .Values.hosts | upper }}\n',
  'apiVersion: v1\nkind: ConfigMap\n  metadata: x\n',
  'apiVersion: v1\nkind: [\n',
  'just a text\n',
  '{{ required "set it" .Values.missing }}\n',
  '{{ index .Values.hosts 99 }}\n',
  '{{ tpl "{{ .Values.missing.deeper.still }}" . }}\n',
  '{{ template "app.flatten" }}\n',
];

function definition(kind: string, plural: string, scope: string): string {
  return `${kind === 'Zone' ? '---\n' : ''}apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.example.com }
spec:
  group: example.com
  scope: ${scope}
  names: { kind: ${kind}, plural: ${plural}, singular: ${kind.toLowerCase()}, listKind: ${kind}List }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: { type: object, description: 'not a template: {{ .Values.absent }}' }
`;
}

function files(random: Random): ChartTexts {
  return {
    'files/plain.txt': random.pick(['one\ntwo\n', 'no newline at the end', '', 'windows\r\nlines\r\n']),
    'files/settings.tpl':
      'level={{ .Values.logLevel }}\nname={{ include "app.name" . }}\n{{- range .Values.hosts }}\nhost={{ . }}\n{{- end }}\n',
    'files/nested/a.conf': 'a = 1\n\n[section]\nb = "é"\n',
    'files/nested/data.yaml': 'a: [1, 1.5, "x"]\nb: { c: 2024-01-01 }\n',
    'files/picture.bin': Uint8Array.from({ length: 40 }, (_, index) => (index * 37) % 256),
    ...(random.chance(0.3) && {
      '.helmignore': random.chance(0.1)
        ? '!files/plain.txt\n'
        : random.pick(['*.md\nfiles/nested\n', '# nothing\n', 'files/*.bin\n', 'templates/tests/\n*.txt\n']),
      'docs/README.md': 'Read me.\n',
    }),
    ...(random.chance(0.1) && { 'README.md': '# The chart\n', LICENSE: 'none\n' }),
  };
}
