import type { Random } from '../../engines/charts/random.ts';

/** Templates that the manifests include: they include each other, and return texts, YAML and items of lists. */
const definitions = `{{- define "app.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" | lower }}
{{- end }}

{{/* The name of the release, unless that contains the name of the chart. */}}
{{- define "app.fullname" -}}
{{- $name := include "app.name" . -}}
{{- if contains $name .Release.Name -}}
{{ .Release.Name | trunc 63 }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end -}}
{{- end }}

{{- define "app.chart" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "app.selectorLabels" -}}
app.kubernetes.io/name: {{ include "app.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "app.labels" -}}
helm.sh/chart: {{ include "app.chart" . }}
{{ include "app.selectorLabels" . }}
{{- if .Chart.AppVersion }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}
{{- with .Values.labels }}
{{ tpl (toYaml .) $ }}
{{- end }}
{{- end }}

{{- define "app.render" -}}
{{- $text := typeIs "string" .value | ternary .value (.value | toYaml) -}}
{{- if contains "{{" ($text | toString) -}}
{{- tpl $text .context -}}
{{- else -}}
{{- $text -}}
{{- end -}}
{{- end -}}

{{- define "app.merged" -}}
{{- $result := dict -}}
{{- range .values -}}
{{- $result = include "app.render" (dict "value" . "context" $.context) | fromYaml | merge $result -}}
{{- end -}}
{{- $result | toYaml -}}
{{- end -}}

{{- define "app.image" -}}
{{- $registry := .image.registry | default (.global | default dict).imageRegistry -}}
{{- $tag := .image.tag | default .chart.AppVersion | toString -}}
{{- if $registry }}{{ $registry }}/{{ end }}{{ .image.repository }}{{ hasPrefix "sha256:" $tag | ternary "@" ":" }}{{ $tag }}
{{- end -}}

{{- define "app.flatten" -}}
{{- $prefix := .prefix -}}
{{- range $key, $value := .map -}}
{{- $path := empty $prefix | ternary $key (printf "%s.%s" $prefix $key) -}}
{{- if kindIs "map" $value -}}
{{- include "app.flatten" (dict "map" $value "prefix" $path) -}}
{{- else }}
{{ $path }}={{ $value | toJson }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "app.env" -}}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "app.apiVersion" -}}
{{- if and (.Capabilities.APIVersions.Has "policy/v1") (semverCompare ">=1.21-0" .Capabilities.KubeVersion.Version) -}}
policy/v1
{{- else -}}
policy/v1beta1
{{- end -}}
{{- end -}}

{{- define "app.overridden" -}}
{{- $top := first . -}}
{{- $own := fromYaml (include (index . 1) $top) | default dict -}}
{{- $base := fromYaml (include (index . 2) $top) | default dict -}}
{{- toYaml (merge $own $base) -}}
{{- end -}}

{{- define "app.item" -}}
{{ .item }}/{{ .Release.Name }}/{{ .Values.logLevel }}
{{- end -}}
`;

/** Returns the texts of `_helpers.tpl` and of files that define a template again or are empty. */
export function namedTemplates(random: Random): Record<string, string> {
  const files: Record<string, string> = { 'templates/_helpers.tpl': definitions };
  // Of two definitions with one name, the order in which Helm parses the files decides.
  if (random.chance(0.15))
    files[random.pick(['templates/_again.tpl', 'templates/zz/_more.tpl', 'templates/0.tpl'])] =
      `{{- define "app.chart" -}}again-{{ .Chart.Name }}{{- end -}}\n`;
  if (random.chance(0.1)) files['templates/_empty.tpl'] = random.pick(['', '\n', '{{/* nothing */}}']);
  return files;
}
