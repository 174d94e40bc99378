import { describe, expect, test } from 'vitest';
import { explainAddOn } from '../../../src/compiler/explain/explain-add-on.ts';
import { explainCluster } from '../../../src/compiler/explain/explain-cluster.ts';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { explanationText } from '../../../src/compiler/report/text/explanation-text.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { config, installed, placement } from './states.ts';

const api = 'addon.open-cluster-management.io';

/** An add-on whose manager renders it on the production clusters. */
const addOn = `
apiVersion: ${api}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello }
spec:
  supportedConfigs:
  - { group: ${api}, resource: addondeploymentconfigs, defaultConfig: { name: base, namespace: default } }
  installStrategy: { type: Placements, placements: [${installed('prod').trim().replace(/^- /, '{ ').replaceAll('\n     ', ',')} }] }
${placement('prod', '{ matchLabels: { env: prod } }')}${config('base', 'info')}`;

const profile = (text: string, kind = 'helmChart'): string => `
---
apiVersion: fleetwright.dev/v1alpha1
kind: ManagerProfile
metadata: { name: hello }
spec:
  ${kind}:
${text}`;

const chart = profile(`    files:
      Chart.yaml: "apiVersion: v2\\nname: hello\\nversion: 1.0.0\\n"
      values.yaml: "replicas: 1\\n"
      templates/settings.yaml: |
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: settings, namespace: '{{ .Release.Namespace }}' }
        data:
          cluster: '{{ .Values.clusterName }}'
          level: '{{ .Values.LEVEL }}'
          replicas: '{{ .Values.replicas }}'
          secret: '{{ .Values.hubKubeConfigSecret }}'
`);

const known = addOn + chart;

const fleet = fleetOf({ c1: { env: 'prod' }, c2: { env: 'dev' }, c3: { env: 'prod' } });

function planOf(before: string, after: string, fleets = [fleet, fleet]): string {
  const [base, head] = [before, after].map(
    (text, side) => resolveText(text, { fleet: fleets[side] ?? '' }).resolution,
  );
  if (base === undefined || head === undefined) throw new Error('two states');
  const { value } = plan([{ app: 'hello', base, head }], { hub: hubVersion('1.3'), by: [] });
  return planText(value, { paint: (_tone, part) => part, names: 10 })
    .replace(/\nreach\n[^]*/, '')
    .replace(/hash: [0-9a-f]{64}\n$/, '');
}

function explained(text: string, field: string): string {
  const { resolution } = resolveText(text, { fleet: fleetOf({ c1: { env: 'prod' }, c2: { env: 'dev' } }) });
  const explanation = explainAddOn(resolution, 'hello', 'c1', field, hubVersion('1.3'));
  if (explanation === undefined) return 'no such add-on';
  if (explanation.unknown !== undefined) return explanation.unknown.message;
  return explanationText(explanation, { paint: (_tone: unknown, part: string) => part, names: 3 }).replace(
    /^[^]*\nvalues\n/,
    '',
  );
}

describe('a manager whose profile is declared', () => {
  test('renders manifests that are predicted, and nothing is emitted for the profile', () => {
    const { resolution, diagnostics } = resolveText(known, { fleet: fleetOf({ c1: { env: 'prod' } }) });
    const predicted = resolution.rendering.predicted('hello', 'c1');
    expect(predicted?.works.map(({ metadata }) => metadata.name)).toEqual(['addon-hello-deploy-0']);
    expect(predicted?.works[0]?.spec?.workload?.manifests).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'settings', namespace: 'open-cluster-management-agent-addon' },
        data: { cluster: 'c1', level: 'info', replicas: '1', secret: 'hello-hub-kubeconfig' },
      },
    ]);
    expect(resolution.rendering.predicted('hello', 'c2')).toBeUndefined();
    expect(resolution.rendering.clusterAddOn('hello', 'c1')?.works).toEqual([]);
    expect(resolution.inventory.objects.map(({ object }) => object.kind)).not.toContain('ManagerProfile');
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('has its changed manifests in a plan', () => {
    expect(planOf(known, known.replace('value: "info"', 'value: "debug"'))).toMatchInlineSnapshot(`
      "hello
        changed on 2 clusters: c1, c3
          because AddOnDeploymentConfig default/base was edited (app.yaml:28)
          AddOnDeploymentConfig default/base
            spec.customizedVariables[LEVEL].value: "info" -> "debug"
              also ConfigMap open-cluster-management-agent-addon/settings data.level
        1 wave
          1: c1, c3
      "
    `);
  });

  test('changes with the profile', () => {
    expect(planOf(known, known.replace('replicas: 1', 'replicas: 2'))).toMatchInlineSnapshot(`
      "hello
        changed on 2 clusters: c1, c3
          because the ManagerProfile was edited (app.yaml:31)
          ConfigMap open-cluster-management-agent-addon/settings
            data.replicas: "1" -> "2"
      "
    `);
  });

  test('renders each class of clusters with the same configuration in its way', () => {
    const versioned = known.replace(
      '{{ .Values.replicas }}',
      '{{ if semverCompare ">=1.31-0" .Capabilities.KubeVersion.Version }}many{{ else }}one{{ end }}',
    );
    const running = (...versions: readonly string[]): string => {
      const each = versions[Symbol.iterator]();
      return fleet.replaceAll(
        /status:(?=\n {2}conditions)/g,
        () => `status:\n  version: { kubernetes: ${each.next().value ?? ''} }`,
      );
    };
    const before = running('v1.30.1', 'v1.30.1', 'v1.31.2');
    expect(planOf(versioned, versioned.replace('}}one{{', '}}single{{'), [before, before]))
      .toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because the ManagerProfile was edited (app.yaml:31)
          ConfigMap open-cluster-management-agent-addon/settings
            data.replicas: "one" -> "single"
      "
    `);
    expect(planOf(versioned, versioned, [before, running('v1.31.1', 'v1.30.1', 'v1.31.3')]))
      .toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because the version of Kubernetes changed from v1.30.1 to v1.31.1 (fleet.yaml:16)
          ConfigMap open-cluster-management-agent-addon/settings
            data.replicas: "one" -> "many"
      "
    `);
  });

  test('is explained by the line of its chart and the layer of the value', () => {
    expect(explained(known, 'ConfigMap/settings data.level')).toMatchInlineSnapshot(`
      "  ConfigMap open-cluster-management-agent-addon/settings data.level: "info"
          because of variable LEVEL of AddOnDeploymentConfig default/base; without it "" (app.yaml:27)
          written by templates/settings.yaml:6, which reads LEVEL from ToAddOnCustomizedVariableValues
      "
    `);
    expect(explained(known, 'ConfigMap/settings data.replicas')).toMatchInlineSnapshot(`
      "  ConfigMap open-cluster-management-agent-addon/settings data.replicas: "1"
          because of ManagerProfile hello (app.yaml:35)
          written by templates/settings.yaml:7, which reads replicas from values.yaml of the chart (values.yaml:1)
      "
    `);
  });

  test('reads the values that the hub copies from the cluster', () => {
    const annotated = fleetOf({ c1: { env: 'prod' } }).replace(
      'metadata: { name: c1,',
      `metadata: { name: c1, annotations: { ${api}/values: '{"replicas":7}' },`,
    );
    const { resolution } = resolveText(known, { fleet: annotated });
    const [work] = resolution.rendering.predicted('hello', 'c1')?.works ?? [];
    expect(work?.spec?.workload?.manifests?.[0]).toMatchObject({ data: { replicas: '7' } });
    const older = resolveText(known, { fleet: annotated, hub: '1.2' }).resolution;
    const [before] = older.rendering.predicted('hello', 'c1')?.works ?? [];
    expect(before?.spec?.workload?.manifests?.[0]).toMatchObject({ data: { replicas: '1' } });
  });

  test('can render Go templates', () => {
    const text =
      addOn +
      profile(
        `    files:
      settings.yaml: |
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: settings, namespace: '{{ .AddonInstallNamespace }}' }
        data: { level: '{{ .LEVEL }}', secret: '{{ .HubKubeConfigSecret }}' }
  registers: false
`,
        'goTemplates',
      );
    const { resolution } = resolveText(text, { fleet: fleetOf({ c1: { env: 'prod' } }) });
    const [work] = resolution.rendering.predicted('hello', 'c1')?.works ?? [];
    expect(work?.spec?.workload?.manifests?.[0]).toMatchObject({ data: { level: 'info', secret: '' } });
  });
});

describe('a manager without a profile', () => {
  test('renders what a plan reports as unknown', () => {
    expect(planOf(addOn, addOn.replace('value: "info"', 'value: "debug"'))).toMatchInlineSnapshot(`
      "hello
        changed on 2 clusters: c1, c3
          because AddOnDeploymentConfig default/base was edited (app.yaml:28)
          but what its manager renders is unknown: no ManagerProfile declares it
          AddOnDeploymentConfig default/base
            spec.customizedVariables[LEVEL].value: "info" -> "debug"
        1 wave
          1: c1, c3
      "
    `);
  });

  test('renders what explain reports as unknown', () => {
    expect(explained(addOn, 'ConfigMap/settings')).toBe(
      'what the manager of "hello" renders is unknown: no ManagerProfile declares it',
    );
    const { resolution } = resolveText(addOn, { fleet: fleetOf({ c1: { env: 'prod' } }) });
    const [onCluster] = explainCluster(resolution, 'c1', hubVersion('1.3'))?.addOns ?? [];
    expect(onCluster?.delivery).toBe('manager');
  });
});

/** The findings of an app, as `code: message`. */
function findingsOf(text: string): string[] {
  try {
    return resolveText(text, { fleet: fleetOf({ c1: { env: 'prod' } }) }).diagnostics.flatMap(
      ({ code, message, path }) => (code.startsWith('FW60') ? [`${code} ${path}: ${message}`] : []),
    );
  } catch (error) {
    return [...String(error).matchAll(/"code": "(FW60\d\d)"[^]*?"message": ("[^\n]*"),/g)].map(
      ([, code, message = '""']) => `${code}: ${JSON.parse(message) as string}`,
    );
  }
}

describe('of several configurations of one kind', () => {
  const several = (framework?: string): string => {
    const named =
      framework === undefined ? chart : chart.replace('spec:', `spec:\n  framework: '${framework}'`);
    return `${addOn}${config('extra', 'debug')}${named}---
apiVersion: ${api}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1 }
spec:
  configs:
  - { group: ${api}, resource: addondeploymentconfigs, name: base, namespace: default }
  - { group: ${api}, resource: addondeploymentconfigs, name: extra, namespace: default }
`;
  };
  const read = (text: string): { readonly level: unknown; readonly codes: readonly string[] } => {
    const { resolution, diagnostics } = resolveText(text, { fleet: fleetOf({ c1: { env: 'prod' } }) });
    const [manifest] =
      resolution.rendering.predicted('hello', 'c1')?.works[0]?.spec?.workload?.manifests ?? [];
    const codes = diagnostics.map(({ code }) => code).filter((code) => code === 'FW4020');
    return { level: (manifest as { data?: Record<string, string> }).data?.['level'], codes };
  };

  test.each([
    ['1.3', 'info'],
    ['v1.3.1', 'info'],
    ['1.4', 'debug'],
    ['v1.10.0', 'debug'],
  ])('a manager with addon-framework %s reads %s', (framework, level) => {
    expect(read(several(framework))).toEqual({ level, codes: [] });
  });

  test('the first is predicted for a manager of unknown release, which is reported (FW4020)', () => {
    expect(read(several())).toEqual({ level: 'info', codes: ['FW4020'] });
    expect(read(known).codes).toEqual([]);
    expect(findingsOf(several('newest'))).toEqual([expect.stringContaining('FW6043')]);
  });
});

test('a hosted add-on is on two clusters, and what its manager renders is unknown', () => {
  const hosted = `${known}
---
apiVersion: ${api}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1, annotations: { ${api}/hosting-cluster-name: c2 } }
spec: {}
`;
  expect(explained(hosted, 'ConfigMap/settings')).toBe(
    'what the manager of "hello" renders is unknown: it is hosted on another cluster',
  );
  expect(planOf(hosted, hosted.replace('value: "info"', 'value: "debug"'))).toContain(
    'but what its manager renders is unknown: it is hosted on another cluster\n',
  );
});

describe('a profile is reported', () => {
  test('if its fields are invalid (FW6043)', () => {
    expect(findingsOf(addOn + profile('    file: {}\n'))).toEqual(['FW6043: unknown field "file"']);
    expect(findingsOf(addOn + chart.replace('helmChart:', 'registers: true\n  other:'))).toEqual([
      'FW6043: unknown field "other"',
    ]);
    expect(findingsOf(addOn + profile('').replace('spec:\n  helmChart:', 'spec: {}'))).toEqual([
      'FW6043: spec needs either helmChart or goTemplates',
    ]);
    expect(findingsOf(known + chart)).toEqual(['FW6043: add-on "hello" has two ManagerProfiles']);
  });

  test('if nothing uses it (FW6044)', () => {
    expect(findingsOf(addOn + chart.replace('name: hello }', 'name: helo }'))).toEqual([
      'FW6044 metadata.name: there is no ClusterManagementAddOn "helo"',
    ]);
    const own = known.replace(
      'metadata: { name: hello }',
      `metadata: { name: hello, annotations: { ${api}/lifecycle: self } }`,
    );
    expect(findingsOf(own)).toEqual([
      'FW6044 metadata.name: the hub resolves no configuration for add-on "hello", because it has lifecycle: self',
    ]);
  });

  test('where its chart cannot be rendered', () => {
    const broken = chart.replace('.Values.LEVEL', 'required "no LEVEL" .Values.LEVL');
    expect(findingsOf(addOn + broken)).toEqual([
      'FW6027 spec.helmChart: cannot render the chart of add-on "hello" on 1 cluster: execution error at (hello/templates/settings.yaml:6:13): no LEVEL',
    ]);
    expect(findingsOf(addOn + chart.replace('replicas: 1', 'replicas: ['))).toEqual([
      'FW6021 spec.helmChart: cannot render the chart of add-on "hello" on 1 cluster: values.yaml:2: cannot load values.yaml: error converting YAML to JSON: yaml: line 1: did not find expected node content',
    ]);
    expect(findingsOf(addOn + chart + '    variables: { LEVEL: .. }\n')).toEqual([
      'FW6036 spec.helmChart.variables.LEVEL: cannot read the source of the manifests of add-on "hello" on 1 cluster: spec.variables.LEVEL is not the path of a value, such as image.tag',
    ]);
  });
});
