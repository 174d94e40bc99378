import { X509Certificate, createPrivateKey } from 'node:crypto';
import { compareSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { chartFindings, hook, manifestsOf, namesOf, object, resolveChart } from './chart-add-on.ts';

const workload = `${object('Deployment', 'server', '', 'apps/v1')}spec:
  template:
    metadata:
      labels: { app: server }
      annotations:
        checksum/secret: '{{ include (print $.Template.BasePath "/secret.yaml") . | sha256sum }}'
        rollme: '{{ randAlphaNum 5 }}'
    spec: { containers: [{ name: server, image: "server:{{ .Chart.AppVersion }}" }] }
`;

const values = 'addon.open-cluster-management.io/values';

const files = {
  'templates/secret.yaml': `${object('Secret', 'server')}stringData:
  level: info
  password: '{{ randAlphaNum 16 }}'
`,
  'templates/workload.yaml': workload,
};

/** Returns the values of the only Secret that is not delivered, made anew. */
function newValues(
  templates: Readonly<Record<string, string>>,
  spec: object = {},
): Readonly<Record<string, string>> {
  const secrets = resolveChart(templates, spec).rendering.secrets('agent', 'c1');
  if ('error' in secrets) throw new Error(secrets.error);
  const [secret, ...others] = secrets.managed;
  expect([...others, ...secrets.hosting]).toEqual([]);
  return (secret?.['stringData'] ?? {}) as Readonly<Record<string, string>>;
}

describe('a Secret with random values', () => {
  it('is not delivered and is reported (FW6053), and annotations of Pods are the same each time', () => {
    const [first, again] = [resolveChart(files), resolveChart(files)];
    expect(namesOf(first)).toEqual(['Deployment agents/server']);
    expect(manifestsOf(first)).toEqual(manifestsOf(again));
    expect(chartFindings(first)).toEqual([
      expect.stringMatching(
        /^FW6053 the chart of add-on "agent" on \d clusters?: an object is not delivered, because its values are random, and what is delivered is in Git: Secret agents\/server \(password\)\n {2}create it on each cluster, such as by `fleetwright render CLUSTER ADDON --secrets`, and then write `clusterSecrets: \['server'\]`/,
      ),
    ]);
  });

  it('is no finding if `clusterSecrets` names it, which also leaves out a Secret that is not random', () => {
    const both = { ...files, 'templates/fixed.yaml': `${object('Secret', 'fixed')}stringData: { a: b }\n` };
    const resolved = resolveChart(both, { clusterSecrets: ['server', 'fixed'] });
    expect(chartFindings(resolved)).toEqual([]);
    expect(namesOf(resolved)).toEqual(['Deployment agents/server']);
  });

  it('is not delivered either if the call is in a value that is a template', () => {
    const resolved = resolveChart(
      {
        'values.yaml': 'password: none\n',
        'templates/secret.yaml': `${object('Secret', 'a')}stringData: { a: '{{ tpl .Values.password . }}' }\n`,
        'templates/config.yaml': object('ConfigMap', 'plain'),
      },
      { values: { password: '{{ randAlphaNum 9 }}' } },
    );
    expect(namesOf(resolved)).toEqual(['ConfigMap agents/plain']);
    expect(chartFindings(resolved)).toEqual([expect.stringMatching(/^FW6053 /)]);
  });

  it('can be named with its namespace if another Secret has the name', () => {
    const random = `stringData: { a: '{{ uuidv4 }}' }\n`;
    const both = {
      'templates/a.yaml': `${object('Secret', 'a')}${random}`,
      'templates/b.yaml': `${object('Secret', 'a', ', namespace: other')}${random}`,
      'templates/c.yaml': `${object('Secret', 'b')}stringData: { a: b }\n`,
      'templates/d.yaml': `${object('Secret', 'b', ', namespace: other')}stringData: { a: b }\n`,
    };
    expect(chartFindings(resolveChart(both))).toEqual([
      expect.stringContaining("write `clusterSecrets: ['agents/a', 'other/a']` into"),
    ]);
    const resolved = resolveChart(both, { clusterSecrets: ['agents/a', 'agents/b'] });
    expect(namesOf(resolved)).toEqual(['Secret other/b']);
    expect(chartFindings(resolved)).toEqual([
      expect.stringMatching(/^FW6053 .*an object is not delivered.*: Secret other\/a \(a\)/),
    ]);
  });

  it('that `clusterSecrets` names is not among the hooks that become ordinary objects', () => {
    const secret = `${object('Secret', 'fixed', hook('pre-install'))}stringData: { a: b }\n`;
    const named = resolveChart({ 'templates/secret.yaml': secret }, { clusterSecrets: ['fixed'] });
    expect(chartFindings(named)).toEqual([]);
    expect(namesOf(named)).toEqual([]);
  });

  it('cannot be named by the rules of addon-framework, which would deliver it (FW6036)', () => {
    const secret = { 'templates/secret.yaml': `${object('Secret', 'fixed')}stringData: { a: b }\n` };
    const resolved = resolveChart(secret, { rules: 'addon-framework', clusterSecrets: ['fixed'] });
    expect(namesOf(resolved)).toEqual([]);
    expect(chartFindings(resolved)).toEqual([
      expect.stringMatching(/^FW6036 .*spec\.clusterSecrets is read only by Helm's rules/),
    ]);
  });

  it('is an error with hub delivery, unless `clusterSecrets` names it', () => {
    const spec = { rules: 'helm' };
    expect(chartFindings(resolveChart(files, spec, 'hub'))).toEqual([
      expect.stringMatching(
        /^FW6037 .*an object is not delivered.*\n {2}set delivery: compiled .*`clusterSecrets`/,
      ),
      expect.stringMatching(/^FW6053 /),
    ]);
    const named = resolveChart(files, { ...spec, clusterSecrets: ['server'] }, 'hub');
    expect(chartFindings(named)).toEqual([]);
    expect(namesOf(named)).toEqual(['Deployment agents/server']);
  });

  it('of a hosted add-on is for the cluster that its annotation names', () => {
    const at = (location: string): string =>
      `${object('Secret', location, `, annotations: { addon.open-cluster-management.io/hosted-manifest-location: ${location} }`)}stringData: { a: '{{ uuidv4 }}' }\n`;
    const resolved = resolveChart(
      { 'templates/a.yaml': ['managed', 'hosting', 'none'].map(at).join('---\n') },
      {},
      'compiled',
      {
        clusters: {
          c1: {
            addOnMetadata: { annotations: { 'addon.open-cluster-management.io/hosting-cluster-name': 'c2' } },
          },
          c2: {},
        },
      },
    );
    expect(resolved.rendering.secrets('agent', 'c1')).toMatchObject({
      managed: [{ metadata: { name: 'managed' } }],
      hosting: [{ metadata: { name: 'hosting' } }],
      hostingCluster: 'c2',
    });
    expect(resolved.rendering.secrets('agent', 'c2')).toMatchObject({
      managed: [{}, {}, {}],
      hosting: [],
    });
  });

  it('is decided for each cluster whose name the chart reads', () => {
    const resolved = resolveChart(
      {
        ...files,
        'templates/config.yaml': `${object('ConfigMap', '{{ .Values.clusterName }}')}data:
  a: '{{ if eq .Values.clusterName "c3" }}{{ uuidv4 }}{{ else if eq .Values.clusterName "c4" }}{{ fail "no" }}{{ end }}'
`,
        'templates/secret.yaml': `{{ if ne .Values.clusterName "c2" }}${files['templates/secret.yaml']}{{ end }}`,
      },
      {},
      'compiled',
      { clusters: { c1: {}, c2: {}, c3: {}, c4: {} } },
    );
    const worksOn = (cluster: string): number => resolved.on(cluster).works.length;
    expect(['c1', 'c2', 'c3', 'c4'].map(worksOn)).toEqual([1, 1, 0, 0]);
    expect(chartFindings(resolved)).toEqual([
      expect.stringMatching(/^FW6053 .* on 1 cluster: an object is not delivered/),
      expect.stringMatching(/^FW6028 .* on 1 cluster: .*config\.yaml.*uuidv4/),
      expect.stringMatching(/^FW6027 .* on 1 cluster: .*: no/),
    ]);
  });

  it('is reported if `clusterSecrets` names one that the chart does not have (FW6054)', () => {
    expect(chartFindings(resolveChart(files, { clusterSecrets: ['server', 'sever'] }))).toEqual([
      expect.stringMatching(/^FW6054 .*it has no Secret "sever", which `clusterSecrets` names/),
    ]);
  });

  it('can be named if only some clusters have it', () => {
    const onlyOn = (cluster: string): Readonly<Record<string, string>> => ({
      'templates/secret.yaml': `{{ if eq .Values.clusterName "${cluster}" }}${files['templates/secret.yaml']}{{ end }}`,
    });
    const clusters = {
      c1: {},
      c2: { addOnMetadata: { annotations: { [values]: '{"level":"debug"}' } } },
      c3: {},
    };
    const findings = ['c2', 'c4'].map((cluster) =>
      chartFindings(resolveChart(onlyOn(cluster), { clusterSecrets: ['server'] }, 'compiled', { clusters })),
    );
    expect(findings).toEqual([
      [],
      [expect.stringMatching(/^FW6054 .* on 3 clusters: it has no Secret "server"/)],
    ]);
  });

  it('is not delivered as a hook of the installation either', () => {
    const resolved = resolveChart({
      'templates/secret.yaml': `${object('Secret', 'server', hook('pre-install'))}stringData: { a: '{{ uuidv4 }}' }\n`,
      'templates/config.yaml': object('ConfigMap', 'plain'),
    });
    expect(namesOf(resolved)).toEqual(['ConfigMap agents/plain']);
    expect(chartFindings(resolved)).toEqual([expect.stringMatching(/^FW6053 /)]);
  });

  it('is nothing that Pods lack (FW8325)', () => {
    const mounted = workload
      .replace('server:{{', 'server:{{')
      .replace(
        'spec: { containers:',
        'spec: { volumes: [{ name: a, secret: { secretName: server } }, { name: b, secret: { secretName: other } }], containers:',
      );
    const withNamespace = { 'templates/a.yaml': object('Namespace', 'agents') };
    const resolved = resolveChart({ ...files, ...withNamespace, 'templates/workload.yaml': mounted });
    expect(resolved.found('FW8325').map(({ message }) => message)).toEqual([
      expect.stringContaining('no manifest creates Secret "agents/other"'),
    ]);
  });

  it.each([
    ['another object', `${object('ConfigMap', 'plain')}data: { password: '{{ randAlphaNum 9 }}' }\n`],
    [
      'an annotation of an object',
      object('ConfigMap', 'plain', ", annotations: { note: '{{ randAlphaNum 9 }}' }"),
    ],
    ['the name of the Secret', object('Secret', 'a-{{ randNumeric 4 }}')],
    ['a time in an annotation of a Pod', workload.replace('{{ randAlphaNum 5 }}', '{{ now | unixEpoch }}')],
  ])('is an error if %s is random', (_, text) => {
    const resolved = resolveChart({ ...files, 'templates/workload.yaml': text });
    expect(namesOf(resolved)).toEqual([]);
    expect(chartFindings(resolved)).toEqual([expect.stringMatching(/^FW6028 /)]);
  });

  it('is an error by the rules of addon-framework', () => {
    expect(chartFindings(resolveChart(files, { rules: 'addon-framework' }))).toEqual([
      expect.stringMatching(/^FW6028 /),
    ]);
  });
});

describe('a webhook that trusts a random authority', () => {
  const webhook = (path: string): string =>
    `{{- $ca := genCA "agent" 365 }}
${object('Secret', 'server')}data: { ca: {{ $ca.Cert | b64enc }} }
---
${object('ValidatingWebhookConfiguration', 'server', '', 'admissionregistration.k8s.io/v1')}webhooks:
- name: a.example.com
  clientConfig: { caBundle: {{ $ca.Cert | b64enc }}, service: { name: server, namespace: agents, path: ${path} } }
---
${object('ConfigMap', 'plain')}`;

  it('is not delivered either, and comes with the Secret', () => {
    const resolved = resolveChart({ 'templates/a.yaml': webhook('/a') });
    expect(namesOf(resolved)).toEqual(['ConfigMap agents/plain']);
    expect(chartFindings(resolved)).toEqual([
      expect.stringContaining(
        '2 objects are not delivered, because their values are random, and what is delivered is in Git: Secret agents/server (ca), ValidatingWebhookConfiguration server (caBundle)',
      ),
    ]);
    const made = resolved.rendering.secrets('agent', 'c1');
    if ('error' in made) throw new Error(made.error);
    const [secret, configuration] = made.managed as readonly {
      readonly data: { readonly ca: string };
      readonly webhooks: readonly { readonly clientConfig: { readonly caBundle: string } }[];
    }[];
    expect(configuration?.webhooks[0]?.clientConfig.caBundle).toBe(secret?.data.ca);
    expect(secret?.data.ca).toMatch(/^LS0t/);
  });

  it('is no finding if `clusterSecrets` names the Secret', () => {
    const resolved = resolveChart({ 'templates/a.yaml': webhook('/a') }, { clusterSecrets: ['server'] });
    expect(chartFindings(resolved)).toEqual([]);
    expect(namesOf(resolved)).toEqual(['ConfigMap agents/plain']);
  });

  it('is an error if something else in it is random', () => {
    expect(chartFindings(resolveChart({ 'templates/a.yaml': webhook('/{{ randAlphaNum 5 }}') }))).toEqual([
      expect.stringMatching(/^FW6028 /),
    ]);
  });
});

describe('new values of a Secret', () => {
  it('are others each time, with what is not random', () => {
    const [first, second] = [newValues(files), newValues(files)];
    expect(first['level']).toBe('info');
    expect(first['password']).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(first['password']).not.toBe(second['password']);
  });

  it('are an error if the chart fails with them', () => {
    const picky = `{{ if not (regexMatch "^(aA1){3}$|^([2-9][b-z][B-Z]){3}$" (randAlphaNum 9)) }}{{ fail "weak password" }}{{ end }}`;
    const resolved = resolveChart({ ...files, 'templates/0.yaml': picky });
    expect(chartFindings(resolved)).toEqual([expect.stringMatching(/^FW6053 /)]);
    expect(resolved.rendering.secrets('agent', 'c1')).toMatchObject({
      error: expect.stringContaining('weak password') as string,
    });
  });

  it('are of the Secrets that `clusterSecrets` names, too', () => {
    expect(newValues(files, { clusterSecrets: ['server'] })).toMatchObject({ level: 'info' });
  });

  it.each([
    ['randAlpha 12', /^[A-Za-z]{12}$/],
    ['randNumeric 12', /^\d{12}$/],
    ['randAscii 12 | b64enc', /^[\w+/=]{16}$/],
    ['randBytes 12', /^[\w+/]{16}$/],
    ['uuidv4', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
    ['randInt 100 200', /^1\d\d$/],
    ['shuffle "aaab"', /^a*ba*$/],
    ['encryptAES "key" "text"', /^[\w+/]{43}=$/],
    ['genPrivateKey "ecdsa" | b64enc', /^[\w+/]+=*$/],
  ])('have the form that Helm gives them: %s', (call, form) => {
    const values = (): string => {
      const secret = { 'templates/a.yaml': `${object('Secret', 'a')}stringData: { a: '{{ ${call} }}' }\n` };
      return newValues(secret)['a'] ?? '';
    };
    expect(values()).toMatch(form);
    expect(new Set(Array.from({ length: 12 }, values)).size).toBeGreaterThan(1);
  });

  it('have hashes of passwords that Apache reads', () => {
    const values = newValues({
      'templates/a.yaml': `${object('Secret', 'a')}stringData:
  line: '{{ htpasswd "admin" "secret" }}'
  long: '{{ bcrypt (repeat 73 "a") }}'
  wrong: '{{ htpasswd "a:b" "secret" }}'
`,
    });
    expect(values['line']).toMatch(/^admin:\$2a\$10\$/);
    expect(compareSync('secret', values['line']?.slice('admin:'.length) ?? '')).toBe(true);
    expect(values['long']).toBe(
      'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes',
    );
    expect(values['wrong']).toBe('invalid username: a:b');
  });

  it('have certificates that an authority of the same rendering signed', () => {
    const values = newValues({
      'templates/a.yaml': `{{- $ca := genCA "authority" 365 }}
{{- $cert := genSignedCert "server" (list "10.0.0.1" "fd00::1") (list "server.agents.svc" "*.example.com") 30 $ca }}
{{- $own := genSelfSignedCertWithKey "own" nil (list "own.example.com") 1 (genPrivateKey "ecdsa") }}
${object('Secret', 'a')}stringData:
  ca: {{ $ca.Cert | quote }}
  crt: {{ $cert.Cert | quote }}
  key: {{ $cert.Key | quote }}
  own: {{ $own.Cert | quote }}
`,
    });
    const [ca, certificate, own] = ['ca', 'crt', 'own'].map((key) => new X509Certificate(values[key] ?? ''));
    expect(ca?.ca).toBe(true);
    expect(ca?.verify(ca.publicKey)).toBe(true);
    expect(ca && certificate?.verify(ca.publicKey)).toBe(true);
    expect(ca && certificate?.checkIssued(ca)).toBe(true);
    expect(certificate?.ca).toBe(false);
    expect(certificate?.subject).toBe('CN=server');
    expect(certificate?.checkPrivateKey(createPrivateKey(values['key'] ?? ''))).toBe(true);
    expect(certificate?.checkHost('a.example.com')).toBe('*.example.com');
    expect(certificate?.checkIP('10.0.0.1')).toBe('10.0.0.1');
    expect(certificate?.checkIP('fd00::1')).toBe('fd00::1');
    expect(certificate?.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    const days =
      (Date.parse(certificate?.validTo ?? '') - Date.parse(certificate?.validFrom ?? '')) / 86_400_000;
    expect(days).toBe(30);
    expect(own?.verify(own.publicKey)).toBe(true);
    expect(own?.checkHost('own.example.com')).toBe('own.example.com');
  });
});
