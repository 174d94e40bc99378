import { describe, expect, it } from 'vitest';
import {
  addOnTemplate,
  configMap,
  resolveTemplate,
  type ResolvedTemplate,
  type TemplateAddOn,
} from './template-add-on.ts';

const compiled = { 'fleetwright.dev/delivery': 'compiled' };

function helmChart(templates: Readonly<Record<string, string>>, spec: object = {}): object {
  const files = Object.fromEntries(
    Object.entries(templates).map(([name, text]) => [`templates/${name}`, text]),
  );
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'HelmChart',
    metadata: { name: 'agent' },
    spec: {
      files: {
        'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.0.0\n',
        'values.yaml': 'level: info\nreplicas: 1\n',
        ...files,
      },
      ...spec,
    },
  };
}

function goTemplates(files: Readonly<Record<string, string>>, spec: object = {}): object {
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'GoTemplates',
    metadata: { name: 'agent' },
    spec: { files, ...spec },
  };
}

const settings = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: {{ .Release.Namespace }}
data:
  cluster: {{ .Values.clusterName }}
  level: {{ .Values.level | quote }}
  replicas: {{ .Values.replicas | quote }}
`;

function resolveSource(addOn: TemplateAddOn): ResolvedTemplate {
  return resolveTemplate({ annotations: compiled, ...addOn });
}

/** The manifests of a cluster's works. */
function manifestsOn(resolved: ResolvedTemplate, cluster = 'c1'): unknown[] {
  return resolved.on(cluster).works.flatMap(({ spec }) => spec?.workload?.manifests ?? []);
}

describe('a chart', () => {
  const warned = {
    'Chart.yaml':
      'apiVersion: v2\nname: agent\nversion: 1.0.0\ndependencies: [{ name: redis, version: 1.x, condition: redis.enabled }, { name: mysql, version: 1.x, tags: [db] }]\n',
    'values.yaml': 'proxy: { image: { tag: v1 } }\n',
    'charts/redis/Chart.yaml': 'apiVersion: v2\nname: redis\nversion: 1.0.0\n',
    'templates/settings.yaml': settings,
  };
  const warnings = (resolved: ResolvedTemplate): unknown[] =>
    resolved.diagnostics
      .filter(({ code }) => /^FW603[234]$/.test(code))
      .map(({ code, severity, message, path, hint }) => ({ code, severity, message, path, hint }));
  const path = 'spec.agentSpec.workload.manifests[0]';
  const ignored = (clusters: string): object[] => [
    {
      code: 'FW6032',
      severity: 'warning',
      message: `the chart of add-on "agent"${clusters}: Chart.yaml: addon-framework ignores condition of the dependency "redis" and always renders the subchart`,
      path,
      hint: 'enclose the templates of the subchart in {{ if }}, and set its values below its name',
    },
    {
      code: 'FW6033',
      severity: 'warning',
      message: `the chart of add-on "agent"${clusters}: the folder charts/ has no chart "mysql", which Chart.yaml requires`,
      path,
      hint: 'run `helm dependency build`',
    },
  ];

  it('has warnings for what addon-framework ignores, and for ignored values on the clusters that have them', () => {
    const values = (image: string): object => ({
      addOnMetadata: {
        annotations: { 'addon.open-cluster-management.io/values': `{"proxy":{"image":${image}}}` },
      },
    });
    const resolved = resolveSource({
      manifests: [helmChart({}, { files: warned, rules: 'addon-framework' })],
      clusters: { c1: {}, c2: values('"v2"'), c3: values('{"tag":"v3"}'), c4: values('"v2"') },
    });
    expect(warnings(resolved)).toEqual([
      ...ignored(' on 4 clusters'),
      {
        code: 'FW6034',
        severity: 'warning',
        message:
          'the chart of add-on "agent" on 2 clusters: cannot overwrite table with non table for agent.proxy.image (map[tag:v1])',
        path,
        hint: 'give both values the same type',
      },
    ]);
    expect(manifestsOn(resolved)).toHaveLength(1);
  });

  it('has its warnings with hub delivery, too', () => {
    const resolved = resolveTemplate({ manifests: [helmChart({}, { files: warned })] });
    expect(warnings(resolved)).toEqual(ignored(''));
  });

  it('reads the clock only if the source sets the time', () => {
    const text = settings.replace('{{ .Values.level | quote }}', '{{ now | date "2006-01-02" | quote }}');
    const withNow = (spec: object): ResolvedTemplate =>
      resolveSource({ manifests: [helmChart({ 'settings.yaml': text }, spec)] });
    expect(manifestsOn(withNow({ now: '2026-01-31T12:00:00Z' }))).toMatchObject([
      { data: { level: '2026-01-31' } },
    ]);
    const messages = (spec: object): string[] =>
      withNow(spec)
        .diagnostics.filter(({ severity }) => severity === 'error')
        .map(({ code, message }) => `${code} ${message}`);
    expect(messages({})).toEqual([expect.stringContaining('depends on the time of rendering')]);
    expect(messages({ now: 'today' })).toEqual([
      expect.stringContaining('spec.now is not a time such as 2026-01-31T12:00:00Z'),
    ]);
  });

  it('is rendered for each cluster with the values of its configuration and its annotation', () => {
    const resolved = resolveSource({
      manifests: [helmChart({ 'settings.yaml': settings })],
      config: {
        agentInstallNamespace: 'agents',
        customizedVariables: [{ name: 'level', value: 'debug' }],
      },
      clusters: {
        c1: {},
        c2: {
          addOnMetadata: {
            annotations: { 'addon.open-cluster-management.io/values': '{"replicas":3,"level":"warn"}' },
          },
        },
      },
    });
    const data = (cluster: string, level: string, replicas: string): object => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'agents' },
      data: { cluster, level, replicas },
    });
    expect(manifestsOn(resolved, 'c1')).toEqual([data('c1', 'debug', '1')]);
    expect(manifestsOn(resolved, 'c2')).toEqual([data('c2', 'warn', '3')]);
    expect(resolved.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('uses the values of the source below all functions', () => {
    const resolved = resolveSource({
      manifests: [
        helmChart(
          { 'settings.yaml': settings },
          {
            values: { level: 'trace', replicas: 5 },
            valuesFunctions: [
              { function: 'GetAddOnDeploymentConfigValues', toValues: ['ToAddOnCustomizedVariableValues'] },
            ],
          },
        ),
      ],
      config: { customizedVariables: [{ name: 'level', value: 'debug' }] },
    });
    expect(manifestsOn(resolved)).toMatchObject([{ data: { level: 'debug', replicas: '5' } }]);
  });

  it('uses a customized variable as the value at the path that the source has for it', () => {
    const text = settings.replace('.Values.level', '.Values.log.level');
    const resolved = resolveSource({
      manifests: [
        helmChart(
          { 'settings.yaml': text },
          { values: { log: { level: 'info' } }, variables: { LOG_LEVEL: 'log.level', UNUSED: 'other' } },
        ),
      ],
      config: { customizedVariables: [{ name: 'LOG_LEVEL', value: 'debug' }] },
    });
    expect(manifestsOn(resolved)).toMatchObject([{ data: { level: 'debug' } }]);
  });

  it('is in one work with the other manifests, which are decorated while its workloads are not', () => {
    const workload = (name: string): object => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: 'agents' },
      spec: {
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: 'agent', image: 'agent' }] },
        },
      },
    });
    const resolved = resolveSource({
      manifests: [helmChart({ 'agent.json': JSON.stringify(workload('chart')) }), workload('template')],
    });
    const environments = manifestsOn(resolved).map((manifest) => {
      const { metadata, spec } = manifest as ReturnType<typeof JSON.parse>;
      return [metadata.name, spec.template.spec.containers[0].env?.map(({ name }: { name: string }) => name)];
    });
    expect(Object.fromEntries(environments)).toEqual({ chart: undefined, template: ['CLUSTER_NAME'] });
    const [work] = resolved.on().works;
    expect(work?.spec?.manifestConfigs?.map(({ resourceIdentifier }) => resourceIdentifier.name)).toEqual([
      'chart',
      'template',
    ]);
  });

  it('reads the version of Kubernetes of each cluster', () => {
    const text = `apiVersion: v1
kind: ConfigMap
metadata: { name: version }
data: { minor: {{ if semverCompare ">=1.31" .Capabilities.KubeVersion.Version }}new{{ else }}old{{ end }} }
`;
    const resolved = resolveSource({
      manifests: [helmChart({ 'version.yaml': text })],
      clusters: { c1: { kubernetes: 'v1.30.1' }, c2: { kubernetes: 'v1.31.2' } },
    });
    expect(['c1', 'c2'].map((cluster) => manifestsOn(resolved, cluster))).toMatchObject([
      [{ data: { minor: 'old' } }],
      [{ data: { minor: 'new' } }],
    ]);
  });

  it.each([
    'any',
    '{{ tpl .Values.level . }}',
    '{{ with .Values.level }}{{ $.Values.level }}{{ end }}',
    '{{ if false }}{{ .Values.clusterName }}{{ end }}',
  ])('is rendered once for clusters with equal values if no template reads their name: %s', (action) => {
    const text = settings.replace('{{ .Values.clusterName }}', action);
    const resolved = resolveSource({
      manifests: [helmChart({ 'settings.yaml': text })],
      clusters: { c1: {}, c2: {} },
    });
    const [group] = resolved.rendering.groups;
    const objects = ['c1', 'c2'].map((cluster) => {
      const rendered = group?.manifests.render(cluster);
      return rendered === undefined || 'error' in rendered ? undefined : rendered.objects[0]?.object;
    });
    expect(objects[0]).toBeDefined();
    expect(objects[0]).toBe(objects[1]);
  });

  it.each([
    '{{ toYaml .Values | sha256sum }}',
    '{{ toJson . | sha256sum }}',
    '{{ range .Values }}{{ . }}{{ end }}',
    '{{ with .Values }}{{ .clusterName }}{{ end }}',
    '{{ index .Values "cluster" | default (index $ "Values" | values | join "-") | sha256sum }}',
  ])('is rendered for each cluster if a template may read its name: %s', (action) => {
    const text = `apiVersion: v1
kind: ConfigMap
metadata: { name: all }
data:
  all: '${action}'
`;
    const resolved = resolveSource({
      manifests: [helmChart({ 'all.yaml': text })],
      clusters: { c1: {}, c2: {} },
    });
    expect(manifestsOn(resolved, 'c1')).toHaveLength(1);
    expect(manifestsOn(resolved, 'c1')).not.toEqual(manifestsOn(resolved, 'c2'));
  });

  it('reports an error of a template with its file, for the clusters that have it', () => {
    const text = `{{ if eq .Values.clusterName "c2" }}{{ fail "not on c2" }}{{ end }}
apiVersion: v1
kind: ConfigMap
metadata: { name: any }
`;
    const resolved = resolveSource({
      manifests: [helmChart({ 'any.yaml': text })],
      clusters: { c1: {}, c2: {}, c3: {} },
    });
    expect(resolved.found('FW6027')).toEqual([
      {
        severity: 'error',
        message:
          'cannot render the chart of add-on "agent" on 1 cluster: execution error at (agent/templates/any.yaml:1:39): not on c2',
        path: 'spec.agentSpec.workload.manifests[0]',
        hint: 'correct the chart or its values',
      },
    ]);
  });

  it('reports values in an annotation that are not an object', () => {
    const resolved = resolveSource({
      manifests: [helmChart({ 'settings.yaml': settings })],
      clusters: {
        c1: {},
        c2: { addOnMetadata: { annotations: { 'addon.open-cluster-management.io/values': '[1]' } } },
      },
    });
    expect(resolved.found('FW6035')).toMatchObject([
      {
        message:
          'cannot read the values of add-on "agent" on 1 cluster: json: cannot unmarshal array into Go value of type map[string]interface {}',
        path: 'metadata.annotations[addon.open-cluster-management.io/values]',
      },
    ]);
  });

  it.each([
    [{ valuesFunctions: [{ function: 'GetValues' }] }, 'spec.valuesFunctions.0 has no known function'],
    [{ values: [1] }, 'spec.values is not an object'],
    [{ variables: { A: 'a..b' } }, 'spec.variables.A is not the path of a value'],
    [{ path: 'chart' }, 'spec.path is unknown'],
    [{ archive: 'H4sI' }, 'spec needs either files or an archive'],
  ])('reports a source with invalid fields: %j', (spec, message) => {
    const resolved = resolveSource({ manifests: [helmChart({ 'settings.yaml': settings }, spec)] });
    expect(resolved.found('FW6036').map((finding) => finding.message)).toEqual([
      expect.stringContaining(`of add-on "agent" on 1 cluster: ${message}`),
    ]);
  });
});

describe('Go templates', () => {
  const template = `kind: ConfigMap
apiVersion: v1
metadata:
  name: settings
  namespace: {{ .AddonInstallNamespace }}
data:
  cluster: {{ .ClusterName }}
  secret: "{{ .HubKubeConfigSecret }}"
  tolerations: "{{ range .Tolerations }}{{ .Key }}{{ end }}"
`;

  it('are rendered as addon-framework renders them', () => {
    const resolved = resolveSource({
      manifests: [goTemplates({ 'b.yaml': template, 'a.yaml': template.replace('settings', 'first') })],
      registration: [{ type: 'KubeClient' }],
      config: { agentInstallNamespace: 'agents', nodePlacement: { tolerations: [{ key: 'infra' }] } },
    });
    const data = { cluster: 'c1', secret: 'agent-hub-kubeconfig', tolerations: 'infra' };
    // The largest objects are the first ones of a work.
    expect(manifestsOn(resolved)).toMatchObject([
      { metadata: { name: 'settings', namespace: 'agents' }, data },
      { metadata: { name: 'first', namespace: 'agents' }, data },
    ]);
  });

  it.each([
    ['{{ .ClusterName', 'template: a.yaml:1: unclosed action'],
    ['{{ toYaml .ClusterName }}', 'template: a.yaml:1: function "toYaml" not defined'],
    [`${template}---\n${template}`, 'a.yaml: addon-framework reads one object per file, and this one has 2'],
  ])('report what cannot be rendered: %s', (text, message) => {
    const resolved = resolveSource({ manifests: [goTemplates({ 'a.yaml': text }), configMap('other', {})] });
    expect(resolved.found('FW6038').map((finding) => finding.message)).toEqual([
      `cannot render the Go templates of add-on "agent" on 1 cluster: ${message}`,
    ]);
    expect(manifestsOn(resolved)).toEqual([]);
  });
});

describe('with hub delivery', () => {
  const hub = (text: string, addOn: Partial<TemplateAddOn> = {}, spec: object = {}): ResolvedTemplate =>
    resolveTemplate({
      manifests: [configMap('first', {}), helmChart({ 'settings.yaml': text }, spec)],
      clusters: { c1: {}, c2: {} },
      ...addOn,
    });
  const levels = { variables: { LEVEL: 'level' } };

  it('a chart becomes manifests with variables, which the hub renders', () => {
    const resolved = hub(
      settings,
      {
        config: { customizedVariables: [{ name: 'LEVEL', value: 'debug' }], agentInstallNamespace: 'agents' },
      },
      levels,
    );
    const template = resolved.resolution.inventory.addOnTemplates.get('template')?.object;
    expect(template?.spec.agentSpec.workload?.manifests?.slice(1)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'settings', namespace: 'open-cluster-management-agent-addon' },
        data: { cluster: '{{CLUSTER_NAME}}', level: '{{LEVEL}}', replicas: '1' },
      },
    ]);
    expect(manifestsOn(resolved, 'c2')).toContainEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'agents' },
      data: { cluster: 'c2', level: 'debug', replicas: '1' },
    });
    expect(resolved.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  const failure = (text: string, value = 'debug'): readonly string[] =>
    hub(settings + text, { config: { customizedVariables: [{ name: 'LEVEL', value }] } }, levels)
      .found('FW6037')
      .map(({ message }) => message.replace(/^.*template of the hub: /, ''));

  it.each([
    ['a condition', '  debug: "{{ if eq .Values.level "debug" }}yes{{ end }}"\n'],
    ['its length', '  length: "{{ len .Values.level }}"\n'],
    ['a part of it', '  part: {{ trunc 3 .Values.level }}\n'],
    ['other letters', '  letters: {{ upper .Values.level }}\n'],
    ['a hash', '  hash: {{ sha256sum .Values.level }}\n'],
    ['a default', '  default: {{ .Values.level | default "info" | trimPrefix "de" }}\n'],
  ])('reports the value and the line of %s', (_name, text) => {
    expect(failure(text)).toEqual([
      expect.stringMatching(
        /^level \(variable LEVEL\) in templates\/settings\.yaml:10 .*is more than an inserted text/,
      ),
    ]);
  });

  const upperOfLevel = '{{ define "letters" }}{{ upper .Values.log.level }}{{ end }}';
  const nested = (text: string): readonly string[] =>
    resolveTemplate({
      manifests: [
        helmChart(
          {
            '_letters.tpl': upperOfLevel,
            'settings.yaml': settings.replace('.Values.level', '.Values.log.level') + text,
          },
          { values: { log: { level: 'info' } }, variables: { LEVEL: 'log.level' } },
        ),
      ],
      config: { customizedVariables: [{ name: 'LEVEL', value: 'debug' }] },
    })
      .found('FW6037')
      .map(({ message }) => message.replace(/^.*template of the hub: /, ''));

  it.each([
    ['a template that is included', '  included: "{{ include "letters" . }}"\n'],
    ['a map', '  map: {{ toJson .Values.log | b64enc }}\n'],
    ['a map in a variable', '  {{- $log := .Values.log }}\n  letters: {{ upper $log.level }}\n', 11],
    [
      'a condition within a map',
      '  within: "{{ with .Values.log }}{{ if eq .level "debug" }}yes{{ end }}{{ end }}"\n',
    ],
  ])('reports the value and the line of %s', (_name, text, line = 10) => {
    expect(nested(text)).toEqual([
      expect.stringContaining(
        `log.level (variable LEVEL) in templates/settings.yaml:${line} is more than an inserted text`,
      ),
    ]);
  });

  it('reports the value with which a template fails', () => {
    expect(
      nested('  name: {{ index (dict "info" "a") .Values.log.level | required "no such level" }}\n'),
    ).toEqual([
      'log.level (variable LEVEL) is more than an inserted text: execution error at (agent/templates/settings.yaml:10:55): no such level',
    ]);
  });

  it('reports a value that is not a string', () => {
    expect(failure('  number: {{ .Values.level }}\n', '3')).toEqual([
      expect.stringContaining('data.number has another value'),
    ]);
  });

  describe('a comparison of the version of Kubernetes', () => {
    const compares = `${settings}  policy: {{ if semverCompare ">=1.25-0" .Capabilities.KubeVersion.Version }}new{{ else }}old{{ end }}\n`;
    const onVersions = (versions: readonly (string | undefined)[], spec: object = {}): ResolvedTemplate =>
      hub(
        compares,
        {
          clusters: Object.fromEntries(
            versions.map((kubernetes, index) => [
              `c${index + 1}`,
              kubernetes === undefined ? {} : { kubernetes },
            ]),
          ),
        },
        spec,
      );
    const policyOf = (resolved: ResolvedTemplate): unknown => {
      const template = resolved.resolution.inventory.addOnTemplates.get('template')?.object;
      const manifest = template?.spec.agentSpec.workload?.manifests?.[1] as
        { data?: { policy?: string } } | undefined;
      return manifest?.data?.policy;
    };

    it('has one result if the versions of all clusters have it', () => {
      const resolved = onVersions(['v1.31.2', 'v1.34.0+k3s1', 'v1.31.2']);
      expect(resolved.found('FW6051')).toEqual([]);
      expect(policyOf(resolved)).toBe('new');
      expect(policyOf(onVersions(['v1.24.9', 'v1.23.0']))).toBe('old');
    });

    it('reports clusters whose versions have other results', () => {
      expect(onVersions(['v1.31.2', 'v1.24.9', 'v1.31.2', 'v1.31.2', 'v1.31.2']).found('FW6051')).toEqual([
        {
          severity: 'error',
          message:
            'the chart or Go templates of add-on "agent" cannot become a template of the hub: templates/settings.yaml reads the version of Kubernetes, which differs between its clusters: data.policy has another value with v1.24.9 (c2) than with v1.31.2 (c1, c3 and 2 others)',
          path: 'spec.agentSpec.workload.manifests[1]',
          hint: 'set delivery: compiled on the ClusterManagementAddOn, or use one template for each version, each with its own Placement',
        },
      ]);
    });

    it('uses the stated version for clusters that report none', () => {
      const resolved = onVersions([undefined, 'v1.31.2'], { kubeVersion: '1.30' });
      expect(resolved.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(policyOf(resolved)).toBe('new');
      expect(policyOf(onVersions([], { kubeVersion: '1.20' }))).toBe('old');
      expect(onVersions([undefined, 'v1.31.2'], { kubeVersion: '1.20' }).found('FW6051')).toHaveLength(1);
    });

    it('names the clusters that report no version, and how to state it', () => {
      const [unknown] = onVersions(['v1.31.2', undefined]).found('FW6051');
      expect(unknown).toMatchObject({
        message: expect.stringMatching(
          /template of the hub: it compares the version of Kubernetes, which is unknown on c2: .*settings\.yaml:10.*[iI]nvalid [sS]emantic [vV]ersion$/,
        ) as unknown,
        hint: "these clusters report no version of Kubernetes: run `fleetwright fleet pull`, or write `kubeVersion: '1.34'` into the HelmChart",
      });
      expect(onVersions([]).found('FW6051')).toEqual([
        expect.objectContaining({
          message: expect.stringContaining('the version of Kubernetes, which no cluster reports') as unknown,
        }),
      ]);
    });

    it('only asks for the clusters that use the template', () => {
      const other = helmChart({ 'settings.yaml': compares });
      const resolved = hub(compares, {
        clusters: {
          old: {
            kubernetes: 'v1.20.1',
            addOnSpec: {
              configs: [
                { group: 'addon.open-cluster-management.io', resource: 'addontemplates', name: 'other' },
              ],
            },
          },
          new: { kubernetes: 'v1.34.0' },
        },
        others: [
          addOnTemplate('other', { addonName: 'agent', agentSpec: { workload: { manifests: [other] } } }),
        ],
      });
      expect(resolved.found('FW6051')).toEqual([]);
      expect(manifestsOn(resolved, 'old')).toContainEqual(
        expect.objectContaining({ data: expect.objectContaining({ policy: 'old' }) as unknown }),
      );
      expect(manifestsOn(resolved, 'new')).toContainEqual(
        expect.objectContaining({ data: expect.objectContaining({ policy: 'new' }) as unknown }),
      );
    });
  });

  it('reports a chart that fails with any values as it is', () => {
    const [fault] = hub(`${settings}  name: {{ required "no name" .Values.name }}\n`).found('FW6037');
    expect(fault).toMatchObject({
      message:
        'the chart or Go templates of add-on "agent" cannot become a template of the hub: execution error at (agent/templates/settings.yaml:10:11): no name',
      hint: 'the template reads name last, which has no value: set it in `values` of the HelmChart',
    });
  });

  it('reports a chart that cannot be loaded once, on clusters and without any', () => {
    const reported = (clusters: Record<string, object>): readonly string[] =>
      hub(settings, { clusters }, { strict: 'no' })
        .diagnostics.filter(({ severity }) => severity === 'error')
        .map(({ code, message, hint }) => `${code}: ${message} (${hint})`);
    expect([reported({ c1: {} }), reported({})]).toEqual([
      [
        'FW6036: cannot read the source of the manifests of add-on "agent" on 1 cluster: spec.strict is not true or false (write the fields that docs/charts.md describes)',
      ],
      [
        'FW6037: the chart or Go templates of add-on "agent" cannot become a template of the hub: spec.strict is not true or false (write the fields that docs/charts.md describes)',
      ],
    ]);
  });

  it('reports a condition on the name of a cluster of the fleet', () => {
    const resolved = hub(
      settings.replace('{{ .Values.clusterName }}', '{{ if eq .Values.clusterName "c2" }}second{{ end }}'),
    );
    expect(resolved.found('FW6037').map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'clusterName (variable CLUSTER_NAME) in templates/settings.yaml:7 is more than an inserted text',
      ),
    ]);
  });
});
