import { tarball } from '../../engines/charts/chart-files.ts';
import type { Random } from '../../engines/charts/random.ts';
import { chartValues } from './chart-values.ts';
import { ManifestTemplates } from './manifest-templates.ts';
import { valuesSchema } from './schemas.ts';

/** Files by their path, in the folder of the chart. */
export type ChartTexts = Readonly<Record<string, string | Uint8Array>>;

/** Charts below `charts/`, and their items of `dependencies` in Chart.yaml. */
export interface Subcharts {
  readonly dependencies: readonly object[];
  readonly files: ChartTexts;
}

/** Returns subcharts with conditions, tags, aliases, imported values and a library chart. */
export function subcharts(random: Random): Subcharts {
  const dependencies: object[] = [];
  const files: Record<string, string | Uint8Array> = {};
  const add = (folder: string, texts: ChartTexts): void => {
    for (const [name, content] of Object.entries(texts)) files[`charts/${folder}/${name}`] = content;
  };
  if (random.chance(0.5)) {
    dependencies.push({
      name: 'db',
      version: random.pick(['1.x.x', '^1.0.0', '>=0.1.0', '2.x']),
      repository: 'https://charts.example.com',
      ...(random.chance(0.4) && { alias: 'store' }),
      ...(random.chance(0.6) && {
        condition: random.pick([
          'store.enabled',
          'db.enabled,enabled',
          'enabled',
          'metrics.enabled',
          'absent',
        ]),
      }),
      ...(random.chance(0.5) && { tags: random.pick([['store'], ['other', 'store'], ['unset']]) }),
      ...(random.chance(0.5) && {
        'import-values': random.pick<unknown>([
          ['data'],
          [{ child: 'exports.data', parent: 'imported' }],
          [{ child: 'nested', parent: 'config.nested' }, 'more'],
          ['absent'],
        ]),
      }),
    });
    const texts = database(random);
    if (random.chance(0.2)) files['charts/db-1.2.3.tgz'] = packed('db', texts);
    else add('db', texts);
  }
  if (random.chance(0.15)) {
    // Two dependencies on one chart.
    for (const alias of ['first', 'second'])
      dependencies.push({
        name: 'twice',
        version: '*',
        repository: '',
        alias,
        ...(alias === 'second' && { condition: 'second.enabled' }),
      });
    add('twice', {
      'Chart.yaml': 'apiVersion: v2\nname: twice\nversion: 0.1.0\n',
      'values.yaml': 'size: 1\n',
      'templates/twice.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "{{ .Chart.Name }}" }\ndata: { size: "{{ .Values.size }}", region: "{{ .Values.global.region }}" }\n',
    });
  }
  if (random.chance(0.4)) {
    if (random.chance(0.8))
      dependencies.push({ name: 'common', version: '1.x.x', repository: 'file://../common' });
    add('common', {
      'Chart.yaml': 'apiVersion: v2\nname: common\nversion: 1.0.0\ntype: library\n',
      'values.yaml': random.pick(['exampleValue: common\n', '', 'exports: { data: { library: 1 } }\n']),
      'templates/_names.tpl':
        '{{- define "common.name" -}}{{ .Chart.Name }}-{{ .Values.logLevel }}{{- end -}}\n{{- define "app.chart" -}}common-{{ .Chart.Name }}{{- end -}}\n',
      'templates/ignored.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ignored }\n',
    });
  }
  return { dependencies, files };
}

function database(random: Random): ChartTexts {
  const manifests = new ManifestTemplates(random);
  return {
    'Chart.yaml': `apiVersion: ${random.pick(['v1', 'v2'])}\nname: db\nversion: 1.2.3\n${random.pick(['', 'appVersion: "5"\n', 'description: a database\n'])}`,
    'values.yaml': `${chartValues(random)}size: 10Gi\nnested: { a: 1, b: { c: 2 } }\nexports:\n  data: { port: 5432, domain: from.child }\n  more: { resources: { limits: { cpu: 2 } } }\n`,
    'templates/db-config.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: db-{{ .Release.Name }} }\ndata: { size: {{ .Values.size | quote }}, region: {{ .Values.global.region | quote }} }\n',
    'templates/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: own-{{ .Chart.Name }} }\n',
    'templates/db-0.yaml': manifests.file(),
    'files/plain.txt': 'of the\ndatabase\n',
    'files/settings.tpl': 'level={{ .Values.logLevel }}\n',
    'files/nested/data.yaml': 'a: 1\n',
    ...(random.chance(0.3) && {
      'templates/_db.tpl': '{{- define "app.name" -}}db-{{ .Chart.Name }}{{- end -}}\n',
    }),
    ...(random.chance(0.2) && { 'values.schema.json': valuesSchema(random) }),
    ...(random.chance(0.2) && { 'templates/NOTES.txt': 'The database of {{ .Release.Name }}.\n' }),
    ...(random.chance(0.2) && {
      'charts/inner/Chart.yaml': 'apiVersion: v2\nname: inner\nversion: 0.0.1\n',
      'charts/inner/values.yaml': 'a: 1\n',
      'charts/inner/templates/inner.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: inner-{{ .Release.Name }} }\ndata: { a: "{{ .Values.a }}", chart: "{{ .Chart.Name }}", template: "{{ .Template.Name }}" }\n',
    }),
  };
}

function packed(folder: string, texts: ChartTexts): Uint8Array {
  return tarball(
    Object.entries(texts).map(([name, text]) => ({
      path: `${folder}/${name}`,
      text: Buffer.from(text).toString(),
    })),
  );
}
