import { describe, expect, it } from 'vitest';
import { chartFindings, hook, manifestsOf, namesOf, object, resolveChart } from './chart-add-on.ts';

/** Returns what to set according to the hint of the only finding, and checks its code. */
function hintOf(files: Readonly<Record<string, string>>, spec: object = {}): string {
  const [finding = '', ...others] = chartFindings(resolveChart(files, spec));
  expect(others).toEqual([]);
  expect(finding).toMatch(/^(?:FW6028|FW6053) /);
  return (finding.split('\n  ').at(-1) ?? '').replace(/^create .*?; or (?=set )/, '');
}

const config = object('ConfigMap', 'plain');
const secret = object('Secret', 'secret');

describe('a chart that calls functions by chance', () => {
  it('is delivered if only a test, NOTES.txt or a hook that is left out depends on them', () => {
    const resolved = resolveChart({
      'templates/NOTES.txt': 'Password: {{ randAlphaNum 10 }}\n',
      'templates/a.yaml': config,
      'templates/tests/test.yaml': object(
        'Pod',
        '{{ .Release.Name }}-{{ randAlphaNum 5 | lower }}',
        hook('test'),
      ),
      'templates/job.yaml': object('Job', 'removed-{{ now | unixEpoch }}', hook('post-rollback'), 'batch/v1'),
    });
    expect(namesOf(resolved)).toEqual(['ConfigMap agents/plain']);
    expect(chartFindings(resolved)).toEqual([expect.stringMatching(/^FW6048 .* 1 hook of Helm is left out/)]);
  });

  it('is delivered if no field depends on their results', () => {
    const duration = `{{- define "hasDuration" }}{{ $now := now }}{{ if ne $now ($now | dateModify (toString .)) }}{{ . }}{{ end }}{{ end -}}\n`;
    const resolved = resolveChart({
      'templates/a.yaml': `${duration}${config}data:
  interval: '{{ include "hasDuration" "5m0s" }}'
  length: '{{ randAlphaNum 12 | len }}'
  certificate: '{{ $ca := genCA "ca" 365 }}{{ (genSignedCert "agent" nil nil 365 $ca).Cert | hasPrefix "-----BEGIN CERTIFICATE-----" }}'
`,
    });
    expect(chartFindings(resolved)).toEqual([]);
    expect(manifestsOf(resolved)).toMatchObject([
      { data: { interval: '5m0s', length: '12', certificate: 'true' } },
    ]);
  });

  it.each([
    ['a field', { 'templates/a.yaml': `${config}data: { id: '{{ uuidv4 }}' }\n` }, 'uuidv4'],
    ['a name', { 'templates/a.yaml': object('ConfigMap', 'a-{{ randNumeric 4 }}') }, 'randNumeric'],
    [
      'a digest of another file',
      {
        'templates/a.yaml': `${config}data: { digest: '{{ include (print $.Template.BasePath "/test.yaml") . | sha256sum }}' }\n`,
        'templates/test.yaml': object('Pod', 'test-{{ randAlphaNum 5 | lower }}', hook('test')),
      },
      'randAlphaNum',
    ],
    [
      'a value that a test changes',
      {
        'values.yaml': 'token: none\n',
        'templates/a.yaml': `${config}data: { token: '{{ .Values.token }}' }\n`,
        'templates/test.yaml': `{{- $_ := set .Values "token" (randAlpha 8) -}}\n${object('Pod', 'test', hook('test'))}`,
      },
      'randAlpha',
    ],
    [
      'the number of objects',
      {
        'templates/a.yaml': `{{ range until (randInt 1 9) }}${object('ConfigMap', 'a-{{ . }}')}---\n{{ end }}`,
      },
      'randInt',
    ],
    ['an order', { 'templates/a.yaml': `${config}data: { order: '{{ shuffle "abc" }}' }\n` }, 'shuffle'],
  ])('is an error if %s depends on them', (_, files: Readonly<Record<string, string>>, name) => {
    const resolved = resolveChart(files);
    expect(namesOf(resolved)).toEqual([]);
    expect(chartFindings(resolved)).toEqual([
      expect.stringMatching(
        new RegExp(String.raw`^FW6028 .*error calling ${name}: not supported[\s\S]*no value was found`),
      ),
    ]);
  });

  it('reports what another file requires first, because the call may then not be reached', () => {
    const files = {
      'values.yaml': 'password: ""\n',
      'templates/a.yaml': `${secret}stringData: { a: '{{ .Values.password | default (randAlphaNum 10) }}' }\n`,
      'templates/0.yaml': `${config}data: { cluster: '{{ required "cluster must be set" .Values.cluster }}' }\n`,
    };
    expect(chartFindings(resolveChart(files))).toEqual([
      expect.stringMatching(
        /^FW6027 .*execution error at \(agent\/templates\/0\.yaml:4:21\): cluster must be set/,
      ),
    ]);
    expect(hintOf(files, { values: { cluster: 'c' } })).toContain('set password in `values`');
  });
});

describe('the remedy for a call', () => {
  it('is the name of a Secret, or a password', () => {
    const files = {
      'values.yaml': 'admin: { existingSecret: "", user: "" }\nadminPassword: ""\nlevel: ""\n',
      'templates/a.yaml': `{{ if not .Values.admin.existingSecret }}${secret}stringData:
  password: {{ .Values.adminPassword | default (randAlphaNum 40) }}
{{ end }}`,
    };
    expect(hintOf(files)).toBe(
      "set admin.existingSecret (or adminPassword) in `values` of the HelmChart, such as `values: { admin: { existingSecret: '…' } }`; for a secret, name one that exists on the clusters if the chart can read it",
    );
    expect(chartFindings(resolveChart(files, { values: { adminPassword: 'a' } }))).toEqual([]);
  });

  it('is a value that a function reads by its name, also if the chart has none, in a list if templates read one', () => {
    const files = {
      'values.yaml': 'config: {}\nauth: { secret: "" }\n',
      'templates/a.yaml': `${secret}stringData:
  keys: '{{ if dig "crypt" "keys" "" .Values.config }}{{ .Values.config.crypt.keys | join ";" }}{{ else }}{{ randAlphaNum 8 }}{{ end }}'
  token: '{{ index .Values.auth "secret" | default (randAlphaNum 8) }}'
  cookie: '{{ get .Values.config "cookie" | default (randAlphaNum 8) }}'
`,
    };
    const values = "{ config: { crypt: { keys: ['…'] }, cookie: '…' }, auth: { secret: '…' } }";
    const hint = hintOf(files);
    expect(hint).toContain("config.crypt.keys: ['…']");
    expect(hint).toContain(`such as \`values: ${values}\``);
  });

  it('is every value that a certificate consists of, also those that the template reads afterwards', () => {
    const files = {
      'values.yaml': 'webhook: { caBundle: "", crt: "", key: "" }\n',
      'templates/a.yaml': `{{- $ca := genCA "agent" 365 }}
${secret}stringData:
  ca: {{ .Values.webhook.caBundle | default $ca.Cert | quote }}
  crt: {{ ternary $ca.Cert .Values.webhook.crt (empty .Values.webhook.crt) | quote }}
  key: {{ if .Values.webhook.key }}{{ .Values.webhook.key }}{{ else }}{{ $ca.Key | quote }}{{ end }}
`,
    };
    expect(hintOf(files)).toContain('set webhook.key and webhook.crt and webhook.caBundle in `values`');
  });

  it('leaves out values that exclude each other', () => {
    const files = {
      'values.yaml': 'tap: { caBundle: "", crt: "", injectFrom: "" }\n',
      'templates/a.yaml': `{{- $ca := genSelfSignedCert "agent" (list) (list "agent") 365 }}
{{- if and .Values.tap.caBundle .Values.tap.injectFrom }}{{ fail "set one of caBundle and injectFrom" }}{{ end }}
${secret}stringData:
  ca: {{ .Values.tap.caBundle | default $ca.Cert | quote }}
  crt: {{ .Values.tap.crt | default $ca.Cert | quote }}
`,
    };
    expect(hintOf(files)).toContain('set tap.crt and tap.caBundle in `values`');
  });

  it('is another method that templates name', () => {
    const files = {
      'values.yaml': 'tls: { enabled: true, auto: { method: helm } }\n',
      'templates/a.yaml': `{{ if and .Values.tls.enabled (eq .Values.tls.auto.method "helm") }}${secret}stringData: { ca: {{ (genCA "ca" 365).Cert | quote }} }
{{ end }}`,
      'templates/b.yaml': `{{ if eq .Values.tls.auto.method "cronJob" }}${config}{{ end }}`,
    };
    expect(hintOf(files)).toBe(
      "set tls.auto.method: 'cronJob' in `values` of the HelmChart, such as `values: { tls: { auto: { method: 'cronJob' } } }`",
    );
    expect(namesOf(resolveChart(files, { values: { tls: { auto: { method: 'cronJob' } } } }))).toEqual([
      'ConfigMap agents/plain',
    ]);
  });

  it('turns on what makes certificates elsewhere rather than turning off a part of the chart', () => {
    const files = {
      'values.yaml': 'webhook: { enabled: true, certManager: { enabled: false } }\n',
      'templates/a.yaml': `{{ if .Values.webhook.enabled }}
${secret}{{ if not .Values.webhook.certManager.enabled }}stringData: { ca: {{ (genCA "ca" 365).Cert | quote }} }{{ end }}
{{ end }}`,
    };
    expect(hintOf(files)).toContain('set webhook.certManager.enabled: true in `values`');
  });

  it('has the values of all calls, and none that a later one makes unnecessary', () => {
    const files = {
      'values.yaml': 'version: ""\ntoken: ""\nother: ""\ncookie: ""\n',
      'templates/a.yaml': `${config}data:
  checksum: '{{ if not .Values.version }}{{ include (print $.Template.BasePath "/b.yaml") . | sha256sum }}{{ end }}'
`,
      'templates/b.yaml': `${secret}stringData:
  token: '{{ .Values.token | default (randAlphaNum 16) }}'
  cookie: '{{ .Values.cookie | default (uuidv4) }}'
`,
    };
    expect(hintOf(files)).toContain(
      "set token (or version), cookie (or version) in `values` of the HelmChart, such as `values: { token: '…', cookie: '…' }`",
    );
  });

  it('is below the name of a subchart, and not a copy of a global value', () => {
    const files = {
      'values.yaml': 'global: { db: { password: "" } }\n',
      'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'charts/db/values.yaml': 'auth: { password: "" }\nglobal: { db: { password: "" } }\n',
      'charts/db/templates/a.yaml': `${secret}stringData: { a: '{{ coalesce .Values.global.db.password .Values.auth.password (randAlphaNum 10) }}' }\n`,
    };
    expect(hintOf(files)).toContain('set db.auth.password (or global.db.password) in `values`');
  });

  it('is not a value that the chart rejects', () => {
    const files = {
      'values.yaml': 'secretName: ""\ntoken: ""\n',
      'templates/a.yaml': `${secret}stringData: { a: '{{ if .Values.secretName }}x{{ else }}{{ .Values.token | default (randAlphaNum 10) }}{{ end }}' }\n`,
      'templates/b.yaml': `{{ if .Values.secretName }}{{ fail "secretName is gone" }}{{ end }}${config}`,
    };
    expect(hintOf(files)).toContain('set token in `values`');
  });

  it('names the line of a call that no value avoids', () => {
    const files = {
      'values.yaml': 'password: ""\n',
      'templates/a.yaml': `${secret}stringData: { a: '{{ .Values.password | default (randAlphaNum 10) }}' }\n`,
      'templates/b.yaml': `${config}data:\n  id: '{{ uuidv4 }}'\n`,
    };
    expect(hintOf(files)).toContain('no value was found that avoids the call in templates/b.yaml:5: ');
  });

  it('is the time, if a function reads the clock', () => {
    const files = { 'templates/a.yaml': `${config}data: { time: '{{ now | unixEpoch }}' }\n` };
    expect(hintOf(files)).toBe(
      "write the time that the chart shall see into the HelmChart, such as `now: '2026-01-31T12:00:00Z'`",
    );
    expect(chartFindings(resolveChart(files, { now: '2026-01-31T12:00:00Z' }))).toEqual([]);
  });
});

describe('FW6027: a value that a template demands', () => {
  const hint = (template: string): string | undefined =>
    chartFindings(
      resolveChart({
        'values.yaml': 'cluster: { name: "" }\nmode: a\n',
        'templates/a.yaml': `${template}\n${config}`,
      }),
    )[0]
      ?.split('\n  ')
      .at(-1);

  it.each([
    ['required', '# {{ required "set the name" .Values.cluster.name }}'],
    ['fail', '{{ if not .Values.cluster.name }}{{ fail "a name please" }}{{ end }}'],
  ])('is named if it is empty: %s', (_, template) => {
    expect(hint(template)).toBe(
      'the template reads cluster.name last, which has no value: set it in `values` of the HelmChart',
    );
  });

  it('is not named if the template rejects a value', () => {
    expect(hint('{{ if eq .Values.mode "a" }}{{ fail "no mode a" }}{{ end }}')).toBe(
      'correct the chart or its values',
    );
  });
});

describe('FW6052: a CustomResourceDefinition that is too large for a work', () => {
  const definition = (description: string): string =>
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a', description: 'kept' }],
            schema: {
              openAPIV3Schema: {
                description,
                type: 'object',
                required: ['description'],
                properties: {
                  description: { type: 'string', description, enum: ['description'] },
                  spec: {
                    type: 'object',
                    description,
                    additionalProperties: { type: 'string', description },
                    anyOf: [{ required: ['a'], description }],
                    properties: { a: { type: 'array', items: { type: 'string', description } } },
                  },
                },
              },
            },
          },
        ],
      },
    });

  it('is delivered without the descriptions in its schemas', () => {
    const resolved = resolveChart({ 'crds/widget.yaml': definition('a'.repeat(100_000)) });
    expect(chartFindings(resolved)).toEqual([
      'FW6052 the chart of add-on "agent" on 1 cluster: CustomResourceDefinition widgets.example.com is delivered without the descriptions in its schemas: with them, it is too large for a work\n  to keep the descriptions, install the definitions in another way than with the add-on',
    ]);
    expect(manifestsOf(resolved)).toMatchObject([
      {
        spec: {
          versions: [
            {
              additionalPrinterColumns: [{ description: 'kept' }],
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  required: ['description'],
                  properties: {
                    description: { type: 'string', enum: ['description'] },
                    spec: {
                      type: 'object',
                      additionalProperties: { type: 'string' },
                      anyOf: [{ required: ['a'] }],
                      properties: { a: { type: 'array', items: { type: 'string' } } },
                    },
                  },
                },
              },
            },
          ],
        },
      },
    ]);
    expect(JSON.stringify(manifestsOf(resolved))).not.toContain('aaaa');
    expect(resolved.diagnostics.map(({ code }) => code)).not.toContain('FW7122');
  });

  it('keeps them if it fits', () => {
    const resolved = resolveChart({ 'crds/widget.yaml': definition('a'.repeat(50_000)) });
    expect(chartFindings(resolved)).toEqual([]);
    expect(JSON.stringify(manifestsOf(resolved))).toContain('aaaa');
  });
});
