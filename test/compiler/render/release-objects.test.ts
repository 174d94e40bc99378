import { describe, expect, it } from 'vitest';
import {
  chart,
  chartFindings,
  hook,
  manifestsOf,
  namesOf,
  object,
  resolveChart as resolve,
} from './chart-add-on.ts';
import { resolveTemplate } from './template-add-on.ts';

describe('a chart with compiled delivery', () => {
  it('has the namespace of the release in objects whose kind is namespaced', () => {
    const resolved = resolve({
      'crds/widget.yaml': `${object('CustomResourceDefinition', 'widgets.example.com', '', 'apiextensions.k8s.io/v1')}spec: { group: example.com, scope: Cluster, names: { kind: Widget } }\n`,
      'templates/a.yaml': [
        object('ConfigMap', 'plain'),
        object('ConfigMap', 'elsewhere', ', namespace: other'),
        object('ClusterRole', 'role', ', namespace: wrong', 'rbac.authorization.k8s.io/v1'),
        object('Widget', 'widget', '', 'example.com/v1'),
        object('Gadget', 'gadget', '', 'example.org/v1'),
      ].join('---\n'),
    });
    expect(namesOf(resolved)).toEqual([
      'CustomResourceDefinition widgets.example.com',
      'ConfigMap agents/plain',
      'ConfigMap other/elsewhere',
      'ClusterRole role',
      'Gadget agents/gadget',
      'Widget widget',
    ]);
    expect(chartFindings(resolved)).toEqual([
      `FW6049 the chart of add-on "agent" on 1 cluster: Gadget gadget has no namespace, and it is unknown whether example.org/Gadget is namespaced: it gets the namespace "agents" of the release
  write \`scopes: { 'example.org/Gadget': 'Namespaced' }\`, or 'Cluster', into the HelmChart`,
    ]);
  });

  it('can state the scope of a kind', () => {
    const files = { 'templates/a.yaml': object('Gadget', 'gadget', '', 'example.org/v1') };
    const cluster = resolve(files, { scopes: { 'example.org/Gadget': 'Cluster' } });
    expect(namesOf(cluster)).toEqual(['Gadget gadget']);
    expect(chartFindings(cluster)).toEqual([]);
    const namespaced = resolve(files, { scopes: { 'example.org/Gadget': 'Namespaced' } });
    expect(namesOf(namespaced)).toEqual(['Gadget agents/gadget']);
    expect(chartFindings(namespaced)).toEqual([]);
  });

  it('has no NOTES.txt, no tests and no ignored files', () => {
    const resolved = resolve({
      '.helmignore': 'templates/ignored.yaml\n',
      'templates/NOTES.txt': 'Thank you for installing.\n',
      'templates/ignored.yaml': '{{ fail "not rendered" }}',
      'templates/tests/test.yaml': object('Pod', 'test', hook('test')),
      'templates/a.yaml': object('ConfigMap', 'plain'),
    });
    expect(namesOf(resolved)).toEqual(['ConfigMap agents/plain']);
    expect(chartFindings(resolved)).toEqual([]);
  });

  it('has hooks of an installation as objects in the order of their weights, and reports them', () => {
    const resolved = resolve({
      'templates/a.yaml': [
        object('ConfigMap', 'release'),
        object('Job', 'second', hook('pre-install,pre-upgrade', '5'), 'batch/v1'),
        object('ServiceAccount', 'first', hook('pre-install', '-5')),
        object('Job', 'last', hook('post-install'), 'batch/v1'),
        object('Job', 'migration', hook('post-install,pre-upgrade'), 'batch/v1'),
        object('Job', 'after-deletion', hook('post-delete'), 'batch/v1'),
        object('Job', 'unknown', hook('pre-install,crd-install'), 'batch/v1'),
      ].join('---\n'),
    });
    expect(namesOf(resolved)).toEqual([
      'ServiceAccount agents/first',
      'Job agents/second',
      'ConfigMap agents/release',
      'Job agents/last',
      'Job agents/migration',
    ]);
    expect(chartFindings(resolved)).toEqual([
      `FW6048 the chart of add-on "agent" on 1 cluster: 4 hooks of Helm become ordinary objects, and nothing waits until a Job is complete: ServiceAccount first (pre-install), Job second (pre-install,pre-upgrade), Job last (post-install), and 1 more
  let the containers wait for what the Job does, or turn off the hook with a value of the chart`,
      `FW6048 the chart of add-on "agent" on 1 cluster: 2 hooks of Helm are left out, because a work has no such event: Job after-deletion (post-delete), Job unknown (pre-install,crd-install)
  do what the hook does in another way, such as a Job that is an ordinary object`,
    ]);
  });

  it('runs Jobs before a deletion as pre-delete hooks of OCM, and delivers what they need', () => {
    const resolved = resolveTemplate({
      annotations: {
        'fleetwright.dev/delivery': 'compiled',
        'fleetwright.dev/pre-delete-hooks': 'run',
      },
      manifests: [
        chart({
          'templates/a.yaml': [
            object('ConfigMap', 'release'),
            object('ServiceAccount', 'cleanup', hook('pre-delete')),
            object('Job', 'cleanup', hook('pre-delete'), 'batch/v1'),
          ].join('---\n'),
        }),
      ],
      config: { agentInstallNamespace: 'agents' },
    });
    expect(namesOf(resolved)).toEqual(['ConfigMap agents/release', 'ServiceAccount agents/cleanup']);
    expect(JSON.stringify(resolved.on('c1'))).toContain(
      String.raw`\"addon.open-cluster-management.io/addon-pre-delete\":\"\"`,
    );
    expect(chartFindings(resolved)).toEqual([]);
  });

  it('has the items of lists as separate objects', () => {
    const resolved = resolve({
      'templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMapList\nitems: [{ metadata: { name: a } }, { apiVersion: v1, kind: Secret, metadata: { name: b } }]\n',
    });
    expect(namesOf(resolved)).toEqual(['ConfigMap agents/a', 'Secret agents/b']);
  });

  it('reads the release, and the capabilities of its cluster', () => {
    const text = `${object('ConfigMap', 'facts')}data:
  release: '{{ .Release.IsInstall }} {{ .Release.Revision }} {{ .Release.Namespace }}'
  kubernetes: '{{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.KubeVersion.Minor }}'
  apis: '{{ .Capabilities.APIVersions.Has "policy/v1/PodDisruptionBudget" }} {{ .Capabilities.APIVersions.Has "policy/v1beta1" }} {{ .Capabilities.APIVersions.Has "example.com/v1" }}'
  helm: '{{ hasPrefix "v3." .Capabilities.HelmVersion.Version }}'
`;
    const resolved = resolve(
      { 'templates/a.yaml': text },
      { kubeVersion: '1.31', apiVersions: ['example.com/v1'] },
    );
    expect(manifestsOf(resolved)).toMatchObject([
      {
        data: {
          release: 'true 1 agents',
          kubernetes: 'v1.31.0 31',
          apis: 'true false true',
          helm: 'true',
        },
      },
    ]);
  });

  it('validates the values of the chart alone', () => {
    const files = {
      'values.yaml': 'level: info\n',
      'values.schema.json':
        '{ "type": "object", "additionalProperties": false, "properties": { "level": { "type": "string" } } }',
      'templates/a.yaml': `${object('ConfigMap', 'plain')}data: { cluster: '{{ .Values.clusterName }}' }\n`,
    };
    expect(chartFindings(resolve(files))).toEqual([]);
    expect(manifestsOf(resolve(files))).toMatchObject([{ data: { cluster: 'c1' } }]);
    expect(chartFindings(resolve(files, { values: { clusterName: 'other' } }))).toEqual([
      expect.stringContaining("additional properties 'clusterName' not allowed"),
    ]);
    expect(chartFindings(resolve(files, { rules: 'addon-framework' }))).toEqual([
      expect.stringContaining('not allowed'),
    ]);
  });

  it('can choose the rules of addon-framework, which hub delivery has by default', () => {
    const files = {
      'templates/a.yaml': `${object('ConfigMap', 'plain')}---\n${object('Pod', 'test', hook('test'))}`,
    };
    const expected = ['Pod test', 'ConfigMap plain'];
    expect(namesOf(resolve(files, { rules: 'addon-framework' }))).toEqual(expected);
    expect(namesOf(resolve(files, { rules: 'helm' }, 'hub'))).toEqual(['ConfigMap agents/plain']);
    expect(chartFindings(resolve(files, { rules: 'argo' }))).toEqual([
      expect.stringContaining('spec.rules is neither helm nor addon-framework'),
    ]);
  });

  it('names the values that avoid a random function, and the line to write', () => {
    const files = {
      'values.yaml': 'adminPassword: ""\nnested: { token: "", other: "" }\nlevel: ""\n',
      'templates/a.yaml': `${object('Secret', 'secret')}stringData:
  a: '{{ if .Values.adminPassword }}{{ .Values.adminPassword }}{{ else }}{{ randAlphaNum 10 }}{{ end }}'
  b: '{{ .Values.nested.token | default (randAlphaNum 16) }}'
`,
    };
    expect(chartFindings(resolve(files))).toEqual([
      expect.stringMatching(
        /^FW6053 .*: Secret agents\/secret \(a, b\)\n {2}create it .*; or set adminPassword, nested\.token in `values` of the HelmChart, such as `values: \{ adminPassword: '…', nested: \{ token: '…' \} \}`/,
      ),
    ]);
    expect(chartFindings(resolve(files, { values: { adminPassword: 'a', nested: { token: 'b' } } }))).toEqual(
      [],
    );
  });

  it('says what to do if a chart compares the version of a cluster that reports none', () => {
    const files = {
      'templates/a.yaml': `{{ if semverCompare ">=1.20-0" .Capabilities.KubeVersion.Version }}${object('ConfigMap', 'a')}{{ end }}`,
    };
    expect(chartFindings(resolve(files))).toEqual([
      expect.stringContaining("write `kubeVersion: '1.34'` into the HelmChart"),
    ]);
    expect(namesOf(resolve(files, { kubeVersion: '1.34' }))).toEqual(['ConfigMap agents/a']);
  });
});
