import type { Random } from '../../engines/charts/random.ts';
import { valuePaths } from './chart-values.ts';
import { imageOfChart, type Expressions } from './expressions.ts';

/** Where an entry of a map is, and what its parts are made with. */
export interface EntrySite {
  readonly random: Random;
  readonly of: Expressions;
  /** A key that no other entry of the chart has. */
  readonly key: string;
  /** How many spaces are before the key. */
  readonly indent: number;
  /** These spaces. */
  readonly pad: string;
}

/** Returns an entry whose value is a text, as those of annotations and labels are. */
export function textEntry({ random, of, key, pad }: EntrySite): string {
  return random.pick<() => string>([
    () => `${pad}${key}: {{ ${of.text()} | quote }}\n`,
    () => `${pad}${key}: {{ ${of.any(1)} | toJson | quote }}\n`,
    () => `${pad}checksum/${key}: {{ include (print $.Template.BasePath "/config.yaml") $ | sha256sum }}\n`,
    () =>
      `{{- if ${of.flag()} }}\n${pad}${key}: "{{ ${of.integer()} }}"\n{{- else }}\n${pad}${key}: none\n{{- end }}\n`,
    () =>
      `{{- range $key, $value := $.Values.env }}\n${pad}${key}-{{ $key }}: {{ $value | quote }}\n{{- end }}\n`,
    () => `${pad}${key}: {{ tpl $.Values.greeting $ | quote }}\n`,
  ])();
}

function valueEntry({ random, of, key, pad, indent }: EntrySite): string {
  const start = `${pad}${key}: `;
  return random.pick<() => string>([
    () => `${start}{{ ${of.text()} | quote }}\n`,
    () => `${start}{{ ${of.text()} | toString | squote }}\n`,
    () => `${start}"{{ ${of.text(0)} | replace "\\"" "" | nospace }}-{{ ${of.integer()} }}"\n`,
    () => `${start}{{ ${of.number()} }}\n`,
    () =>
      `${start}{{ ${of.number()} | ${random.pick(['quote', 'int', 'int64', 'toString', 'toJson', 'float64', 'printf "%v"'])} }}\n`,
    () => `${start}{{ ${of.integer()} }}\n`,
    () => `${start}{{ ${of.flag()} }}\n`,
    () => `${start}{{ ${of.any(2)} | ${random.pick(['toJson', 'toYaml', 'toString', 'kindOf'])} | quote }}\n`,
    () => `${start}{{- ${random.pick([of.map(), of.list()])} | toYaml | nindent ${indent + 2} }}\n`,
    () => `${start}{{ ${of.map()} | toJson }}\n`,
    () => `${start}{{ required "a value is required" ${of.text()} | quote }}\n`,
    () => `${start}{{ $.Values.missing }}\n`,
    () => `${start}{{ $.Values.released | quote }}\n`,
  ])();
}

function blockEntry({ random, of, key, pad, indent }: EntrySite): string {
  const style = random.pick(['|', '|-', '>', '>-', '|+']);
  const inner = ' '.repeat(indent + 2);
  const content = random.pick<() => string>([
    () => `${inner}{{- ${of.map()} | toYaml | nindent ${indent + 2} }}\n`,
    () => `${inner}{{- ${of.text()} | nindent ${indent + 2} }}\n`,
    () => `${inner}{{ ${of.map()} | toToml | indent ${indent + 2} | trim }}\n`,
    () =>
      `${inner}first: {{ ${of.text(0)} }}\n${inner}  {{- include "app.flatten" (dict "map" $.Values.config "prefix" "") | nindent ${indent + 2} }}\n`,
    () =>
      `${inner}{{- range $.Values.args }}\n${inner}arg {{ . | quote }}\n${inner}{{- end }}\n${inner}last\n`,
    () => `${inner}{{- tpl ($.Files.Get "files/settings.tpl") $ | nindent ${indent + 2} }}\n`,
  ])();
  return `${pad}${key}: ${style}\n${content}`;
}

function withEntry({ random, of, key, pad }: EntrySite): string {
  const lead = random.pick(['', pad]);
  const operand = random.pick([
    of.map(),
    of.any(1),
    of.text(1),
    '$.Values.missing',
    '$.Values.none',
    '$.Values.empty',
  ]);
  const declared = random.chance(0.3);
  const opened = `${lead}{{- with ${declared ? '$w := ' : ''}${operand} }}\n${pad}${key}: {{ ${declared ? '$w' : '.'} | toJson | quote }}\n`;
  const other = random.chance(0.3)
    ? `${lead}{{- else with ${of.any(1)} }}\n${pad}${key}: {{ . | toString | quote }}\n`
    : '';
  const last = random.chance(0.5) ? `${lead}{{- else }}\n${pad}${key}: {{ ${of.text(1)} | quote }}\n` : '';
  return `${opened}${other}${last}${lead}{{- end }}\n`;
}

function rangeEntry({ random, of, key, pad }: EntrySite): string {
  return random.pick<() => string>([
    () =>
      `{{- range $key, $value := ${of.map(1)} }}\n${pad}${key}-{{ $key }}: {{ $value | toJson | quote }}\n{{- end }}\n`,
    () =>
      `${pad}{{- range $index, $item := ${of.list(1)} }}\n${pad}${key}-{{ $index }}: {{ $item | toString | quote }}\n${pad}{{- end }}\n`,
    () =>
      `{{- range $i := until ${random.pick(['3', '(len $.Values.hosts)', '0'])} }}\n${pad}${key}-{{ $i }}: {{ add $i ${of.integer(0)} }}\n{{- end }}\n`,
    () =>
      `{{- range ${random.pick(['3', '(len $.Values.args)', '($.Values.replicas | int)'])} }}\n${pad}${key}-{{ . }}: x{{ . }}\n{{- end }}\n`,
    () =>
      `${pad}${key}:\n{{- range $.Values.ports }}\n${pad}  - name: {{ .name }}\n${pad}    port: {{ .port | default 80 }}\n${pad}    {{- with .protocol }}\n${pad}    protocol: {{ . }}\n${pad}    {{- end }}\n{{- else }}\n${pad}  []\n{{- end }}\n`,
    () =>
      `${pad}${key}: "{{ range $i, $host := $.Values.hosts }}{{ if $i }},{{ end }}{{ tpl $host $ }}{{ end }}"\n`,
    () =>
      `{{- range $key, $value := $.Values.config }}\n{{- if kindIs "map" $value }}{{ continue }}{{ end }}\n${pad}${key}-{{ $key }}: {{ tpl (toString $value) $ | quote }}\n{{- end }}\n`,
    () =>
      `{{- $last := "" }}\n{{- range ${of.texts(1)} }}\n{{- if gt (len .) 12 }}{{ break }}{{ end }}\n{{- $last = . }}\n{{- end }}\n${pad}${key}: {{ $last | quote }}\n`,
    () => `${pad}${key}: {{ range $k, $v := $.Values.env }}{{ $k }}={{ $v }};{{ end }}\n`,
  ])();
}

function conditionEntry({ random, of, key, pad }: EntrySite): string {
  const lead = random.pick(['', pad]);
  const entry = (text: string): string => `${pad}${key}: {{ ${text} | quote }}\n`;
  const other = random.chance(0.3) ? `${lead}{{- else if ${of.flag()} }}\n${entry(of.text(1))}` : '';
  const last = random.chance(0.6) ? `${lead}{{- else }}\n${entry(of.text(1))}` : '';
  return `${lead}{{- if ${of.flag()} }}\n${entry(of.text(1))}${other}${last}${lead}{{- end }}\n`;
}

/** Templates that are included, and texts that are templates. */
function templateEntry({ random, of, key, pad, indent }: EntrySite): string {
  return random.pick<() => string>([
    () => `${pad}${key}: {{ ${imageOfChart} }}\n`,
    () => `${pad}${key}: {{ include (print $.Template.BasePath "/config.yaml") $ | sha256sum }}\n`,
    () => `${pad}${key}:\n${pad}  {{- include "app.labels" $ | nindent ${indent + 2} }}\n`,
    () => `${pad}${key}:\n${pad}  {{- include "app.env" $ | trim | nindent ${indent + 2} }}\n`,
    () =>
      `${pad}${key}: {{ tpl ${random.pick(['$.Values.greeting', '(index $.Values.hosts 0)', '"{{ .Release.Name }}-{{ .Values.domain }}"'])} $ | quote }}\n`,
    () => `${pad}${key}:\n${pad}  {{- tpl (toYaml ${of.map(0)}) $ | nindent ${indent + 2} }}\n`,
    () => `${pad}${key}: {{ include "app.render" (dict "value" ${of.any(1)} "context" $) | quote }}\n`,
    () =>
      `${pad}${key}: {{ tpl "${random.pick(['{{ define \\"own\\" }}o{{ . }}{{ end }}{{ include \\"own\\" 1 }}', '{{ tpl .Values.greeting . }}', '', '{{ include \\"app.fullname\\" . }}', '{{ $.Template.Name }}'])}" $ | quote }}\n`,
    () =>
      `${pad}${key}:\n${pad}  {{- include "app.overridden" (list $ "app.labels" "app.selectorLabels") | nindent ${indent + 2} }}\n`,
    () => `${pad}${key}: {{ template "app.fullname" $ }}\n`,
    () =>
      `${pad}${key}:\n${pad}  {{- include "app.merged" (dict "values" (list ${of.map(0)} ${of.map(0)}) "context" $) | nindent ${indent + 2} }}\n`,
    () => `${pad}${key}: {{ include "app.apiVersion" $ }}\n`,
  ])();
}

/** Merges of the root context, and values that a template changes for those after it. */
function rootEntry({ random, of, key, pad }: EntrySite): string {
  return random.pick<() => string>([
    () => `${pad}${key}: {{ (merge (dict "own" ${of.text(0)}) $).Values.logLevel | quote }}\n`,
    () =>
      `{{- $root := merge (dict "item" ${of.text(0)}) $ }}\n${pad}${key}: {{ include "app.item" $root | quote }}\n`,
    () =>
      `{{- range ${of.texts(0)} }}\n{{- $each := mergeOverwrite (dict "item" .) (omit $ "Files") }}\n${pad}${key}-{{ . | sha1sum | trunc 6 }}: {{ include "app.item" $each | quote }}\n{{- end }}\n`,
    () =>
      `{{- $_ := set $.Values "computed" ${of.text(0)} }}\n${pad}${key}: {{ $.Values.computed | quote }}\n`,
    () => `${pad}${key}: {{ $.Values.computed | default "not yet" | quote }}\n`,
    () =>
      `{{- with (merge (dict "Values" (dict "logLevel" "own")) (deepCopy $)) }}\n${pad}${key}: {{ .Values.logLevel }}/{{ .Values.domain | quote | trimAll "\\"" }}\n{{- end }}\n`,
    () => `${pad}${key}: {{ mergeOverwrite $.Values.config $.Values.override | toJson | quote }}\n`,
    () =>
      `${pad}${key}: {{ (dict "Values" $.Values "Release" $.Release "Chart" $.Chart | merge (dict)).Chart.Name }}\n`,
    () => `${pad}${key}: {{ keys $ | sortAlpha | join "," }}\n`,
  ])();
}

function fileEntry({ random, key, pad, indent }: EntrySite): string {
  return random.pick([
    `${pad}${key}: {{ $.Files.Get "files/plain.txt" | quote }}\n`,
    `${pad}${key}: |-\n${pad}  {{- $.Files.Get "${random.pick(['files/plain.txt', 'files/nested/a.conf', 'files/absent'])}" | nindent ${indent + 2} }}\n`,
    `${pad}{{- ($.Files.Glob "${random.pick(['files/*', 'files/**', '**.conf', 'files/nested/*.{conf,json}', 'none/*'])}").AsConfig | nindent ${indent} }}\n`,
    `${pad}{{- ($.Files.Glob "files/*.bin").AsSecrets | nindent ${indent} }}\n`,
    `{{- range $path, $bytes := $.Files.Glob "files/**" }}\n${pad}${key}-{{ base $path }}: {{ $.Files.Get $path | b64enc | trunc 20 | quote }}\n{{- end }}\n`,
    `${pad}${key}: {{ $.Files.Get "files/picture.bin" | b64enc }}\n`,
    `{{- range $i, $line := $.Files.Lines "files/plain.txt" }}\n${pad}${key}-{{ $i }}: {{ $line | quote }}\n{{- end }}\n`,
    `${pad}${key}: {{ tpl ($.Files.Get "files/settings.tpl") $ | toJson }}\n`,
    `${pad}${key}: {{ (fromYaml ($.Files.Get "files/nested/data.yaml")).a | toJson }}\n`,
    `${pad}${key}: {{ $.Files.GetBytes "files/plain.txt" | len }}\n`,
  ]);
}

function specialEntry({ random, of, key, pad }: EntrySite): string {
  return random.pick<() => string>([
    () =>
      `{{- $existing := lookup "v1" "Secret" $.Release.Namespace "existing" }}\n${pad}${key}: {{ if $existing }}{{ index $existing.data "password" }}{{ else }}{{ ${of.text(0)} | b64enc }}{{ end }}\n`,
    () => `${pad}${key}: {{ (lookup "apps/v1" "Deployment" "" "").items | default list | len }}\n`,
    () => `${pad}${key}: {{ (lookup "v1" "ConfigMap" $.Release.Namespace "c").data | toJson | quote }}\n`,
    () =>
      `${pad}${key}: {{ ${of.date()} | ${random.pick(['date "2006-01-02"', 'unixEpoch', 'htmlDate', 'date "Mon Jan 2 2006"', 'dateModify "1h" | date "15:04"', 'toString'])} | quote }}\n`,
    () =>
      `${pad}${key}: {{ ${random.pick(['duration 3725', 'durationRound "36h5m"', 'dateInZone "2006-01-02 15:04" (toDate "2006-01-02" "2024-05-01") "Europe/Berlin"'])} | quote }}\n`,
    () =>
      `${pad}${key}: {{ printf "${random.pick(['%v', '%d', '%s', '%6.1f', '%T', '%+v', '%#v'])}" $.Values.${random.pick([...valuePaths.number, ...valuePaths.integer])} | quote }}\n`,
    () =>
      `${pad}${key}: {{ ${random.pick(['$.Release', '$.Chart', '$.Capabilities.KubeVersion', '$.Values.global', '$.Subcharts', '$.Template'])} | toYaml | sha256sum }}\n`,
    () =>
      `${pad}${key}: {{ ${random.pick(['$.Chart.IsRoot', '$.Release.IsInstall', '$.Release.Revision', '$.Chart.Keywords', '$.Capabilities.HelmVersion.Version', '$.Capabilities.KubeVersion.Minor', '$.Chart.Maintainers', '$.Chart.Annotations', '$.Chart.Type'])} | toJson | quote }}\n`,
    () => `${pad}${key}: {{ $.Values.AsMap | toJson | sha256sum }}\n`,
    () => `${pad}${key}: {{ get $.Values.labels "team" | default "none" | quote }}{{/* a comment */}}\n`,
    () =>
      `{{- if and $.Values.metrics (eq ($.Values.metrics.enabled | toString) "true") -}}\n${pad.replace(/^$/, ' ')}{{- end }}\n`,
    () =>
      `{{- $sum := 0 }}\n{{- range $.Values.ports }}\n{{- $sum = add $sum (.port | int) }}\n{{- end }}\n${pad}${key}: {{ $sum }}\n`,
    () => `${pad}${key}: {{ ${of.map()} | toYaml | fromYaml | toJson | quote }}\n`,
    () =>
      `${pad}${key}: {{ $.Values.numbers | ${random.pick(['toYaml', 'toJson', 'toToml', 'toString', 'toRawJson'])} | quote }}\n`,
    () =>
      `${pad}${key}: {{ list ${of.number()} ${of.integer()} ${of.flag(0)} | ${random.pick(['toJson', 'toString', 'toYaml'])} | quote }}\n`,
  ])();
}

/** The shapes of an entry. A shape that is listed more often is more frequent. */
export const entryShapes: readonly ((site: EntrySite) => string)[] = [
  valueEntry,
  valueEntry,
  valueEntry,
  blockEntry,
  withEntry,
  rangeEntry,
  conditionEntry,
  templateEntry,
  rootEntry,
  fileEntry,
  specialEntry,
  specialEntry,
];
