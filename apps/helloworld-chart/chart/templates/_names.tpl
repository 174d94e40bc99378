{{- define "helloworld.name" -}}
{{ .Release.Name }}-agent
{{- end }}

{{- define "helloworld.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
