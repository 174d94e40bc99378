import { describe, expect, test } from 'vitest';
import { explainAddOn } from '../../../src/compiler/explain/explain-add-on.ts';
import { explanationText } from '../../../src/compiler/report/text/explanation-text.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { unorderedWaves } from '../../../src/compiler/check/requirements/unenforced-order.ts';
import {
  addOn,
  customResource,
  customResourceDefinition,
  findings,
  placementOf,
  planFindings,
  resolved,
  textsOf,
} from './required-states.ts';

describe('the clusters of an add-on', () => {
  test('all have what it requires', () => {
    expect(findings([...addOn('a', { placement: 'prod', requires: 'b' }), ...addOn('b')])).toEqual([]);
  });

  test('FW4015: some do not', () => {
    expect(findings([...addOn('a', { requires: 'b' }), ...addOn('b', { placement: 'prod' })]))
      .toMatchInlineSnapshot(`
      [
        "error FW4015: 1 cluster gets add-on "a" without "b", which it requires ("c4"): its placements select 3 of 4 clusters with "a"
      install "b" on these clusters too, or do not install "a" there",
      ]
    `);
    expect(findings(addOn('a', { requires: 'bb' }))).toMatchInlineSnapshot(`
      [
        "error FW4015: add-on "a" requires "bb" on 4 clusters, but there is no ClusterManagementAddOn "bb"
      add the add-on, remove the requirement, or list it under external in fleetwright.yaml if the hub has it",
        "warning FW4021: add-on "a" may be delivered to a cluster before "bb" is Available there: "bb" is not delivered by this app
      add a promotion, whose waves wait for it, or let the placements of "a" select the label feature.open-cluster-management.io/addon-bb: available; write "installed" if the order does not matter",
      ]
    `);
  });

  test('FW4017: the required add-on has another value', () => {
    const b = addOn('b', { variables: { CHANNEL: 'fast' } });
    expect(findings([...addOn('a', { requires: 'b CHANNEL=fast' }), ...b])).toEqual([]);
    expect(findings([...addOn('a', { requires: 'b CHANNEL=stable SIZE=1' }), ...b])).toMatchInlineSnapshot(`
      [
        "error FW4017: add-on "a" requires "b" with CHANNEL=stable, but on 4 clusters, such as "c1", AddOnDeploymentConfig "default/b" sets "fast"
      set CHANNEL of "b" to "stable" on these clusters, or change the requirement of "a"",
        "error FW4017: add-on "a" requires "b" with SIZE=1, but on 4 clusters, such as "c1", AddOnDeploymentConfig "default/b" does not set it
      set SIZE of "b" to "1" on these clusters, or change the requirement of "a"",
      ]
    `);
  });

  test('FW4017: the required add-on has another version', () => {
    const version = (text: string) =>
      addOn('b', { labels: { 'app.kubernetes.io/version': text, 'helm.sh/chart': `b-chart-${text}` } });
    const requires = (text: string, b = version('v1.13.2')): string[] =>
      findings([...addOn('a', { requires: text }), ...b]);
    for (const satisfied of [
      'version>=1.13',
      'version==1.13.2',
      'version~1.13',
      'chart^1.2,<2',
      'version!=1.14.0',
    ])
      expect(requires(`b ${satisfied}`)).toEqual([]);
    expect(requires('b version>=1.14 chart>=1.14,<2')).toMatchInlineSnapshot(`
      [
        "error FW4017: add-on "a" requires "b" with version >=1.14, but on 4 clusters, such as "c1", AddOnTemplate "b" has v1.13.2
      deliver a version of "b" that satisfies >=1.14 on these clusters, or change the requirement of "a"",
        "error FW4017: add-on "a" requires "b" with chart version >=1.14,<2, but on 4 clusters, such as "c1", AddOnTemplate "b" has v1.13.2
      deliver a version of "b" that satisfies >=1.14,<2 on these clusters, or change the requirement of "a"",
      ]
    `);
    const workload = (name: string, text: string): object => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'default', labels: { 'app.kubernetes.io/version': text } },
    });
    const byManifests = (...versions: string[]): object[] =>
      addOn('b', { manifests: versions.map((text, index) => workload(`s${index}`, text)) });
    expect(requires('b version>=1.14', byManifests('1.14.0', '1.14.0'))).toEqual([]);
    expect(requires('b version>=1.14', byManifests('1.13.0'))).toMatchInlineSnapshot(`
      [
        "error FW4017: add-on "a" requires "b" with version >=1.14, but on 4 clusters, such as "c1", Service open-cluster-management-agent-addon/s0 has 1.13.0
      deliver a version of "b" that satisfies >=1.14 on these clusters, or change the requirement of "a"",
      ]
    `);
    expect(requires('b version>=1.14', byManifests('1.13.0', '1.14.0'))).toMatchInlineSnapshot(`
      [
        "info FW4022: add-on "a" requires "b" with version >=1.14, which is unknown on 4 clusters, such as "c1": the label app.kubernetes.io/version of its manifests has the values "1.13.0" and "1.14.0"
      set the label app.kubernetes.io/version on its AddOnTemplate",
      ]
    `);
    expect(requires('b chart>=1.14', byManifests('1.13.0'))).toMatchInlineSnapshot(`
      [
        "info FW4022: add-on "a" requires "b" with chart version >=1.14, which is unknown on 4 clusters, such as "c1": neither its template nor its manifests have the label helm.sh/chart
      set the label helm.sh/chart on its AddOnTemplate",
      ]
    `);
    expect(requires('b version>=1.14', version('latest'))).toMatchInlineSnapshot(`
      [
        "info FW4022: add-on "a" requires "b" with version >=1.14, which is unknown on 4 clusters, such as "c1": "latest" of AddOnTemplate "b" is not a version
      set the label app.kubernetes.io/version on its AddOnTemplate",
      ]
    `);
  });

  test('FW4017: a field of the required add-on has another value', () => {
    const b = addOn('b', { variables: { CHANNEL: 'fast' } });
    const requires = (text: string): string[] => findings([...addOn('a', { requires: `b ${text}` }), ...b]);
    expect(requires('addondeploymentconfigs:spec.customizedVariables.0.value=fast')).toEqual([]);
    expect(requires('addondeploymentconfigs:spec.agentInstallNamespace=b issuers:spec.acme=true'))
      .toMatchInlineSnapshot(`
      [
        "error FW4017: add-on "a" requires "b" with addondeploymentconfigs:spec.agentInstallNamespace=b, but on 4 clusters, such as "c1", AddOnDeploymentConfig "default/b" has "open-cluster-management-agent-addon"
      set spec.agentInstallNamespace of the addondeploymentconfigs of "b" to "b" on these clusters, or change the requirement of "a"",
        "error FW4017: add-on "a" requires "b" with issuers:spec.acme=true, but on 4 clusters, such as "c1", it uses none of the issuers of the inputs
      set spec.acme of the issuers of "b" to "true" on these clusters, or change the requirement of "a"",
      ]
    `);
  });

  test('FW4017: a value of the chart of the required add-on is another one', () => {
    const requires = (text: string, b: object[]): string[] =>
      findings([...addOn('a', { requires: `b ${text}` }), ...b]);
    const b = addOn('b', { manifests: [chart], variables: { LEVEL: 'debug' } });
    const met = [
      'level=debug',
      'replicas=3',
      'sub.mode=strict',
      'global.zone=z',
      'list.0=x',
      'installMode=Default',
    ];
    expect(requires(met.map((each) => `values:${each}`).join(' '), b)).toEqual([]);
    expect(requires('values:level=info', b)).toMatchInlineSnapshot(`
      [
        "error FW4017: add-on "a" requires "b" with values:level=info, but on 4 clusters, such as "c1", chart "b-chart" has "debug"
      set the value level of the chart of "b" to "info" on these clusters, or change the requirement of "a"",
      ]
    `);
    expect(requires('values:image.tag=1 values:clusterName=c1', b)).toMatchInlineSnapshot(`
      [
        "error FW4017: add-on "a" requires "b" with values:image.tag=1, but on 4 clusters, such as "c1", chart "b-chart" has no such value
      set the value image.tag of the chart of "b" to "1" on these clusters, or change the requirement of "a"",
        "error FW4017: add-on "a" requires "b" with values:clusterName=c1, but on 1 cluster, such as "c2", chart "b-chart" has "c2"
      set the value clusterName of the chart of "b" to "c1" on these clusters, or change the requirement of "a"",
        "error FW4017: add-on "a" requires "b" with values:clusterName=c1, but on 1 cluster, such as "c3", chart "b-chart" has "c3"
      set the value clusterName of the chart of "b" to "c1" on these clusters, or change the requirement of "a"",
        "error FW4017: add-on "a" requires "b" with values:clusterName=c1, but on 1 cluster, such as "c4", chart "b-chart" has "c4"
      set the value clusterName of the chart of "b" to "c1" on these clusters, or change the requirement of "a"",
      ]
    `);
    const other = addOn('b', { manifests: [chart], placement: 'prod' });
    expect(requires('values:level=debug', other)).toMatchInlineSnapshot(`
      [
        "error FW4015: 1 cluster gets add-on "a" without "b", which it requires ("c4"): its placements select 3 of 4 clusters with "a"
      install "b" on these clusters too, or do not install "a" there",
        "error FW4017: add-on "a" requires "b" with values:level=debug, but on 3 clusters, such as "c1", chart "b-chart" has "info"
      set the value level of the chart of "b" to "debug" on these clusters, or change the requirement of "a"",
      ]
    `);
  });

  test('FW4022: a value of a chart that the compiler does not render', () => {
    const requires = (b: object[]): string[] =>
      findings([...addOn('a', { requires: 'b values:level=info' }), ...b]);
    expect(requires(addOn('b'))).toMatchInlineSnapshot(`
      [
        "info FW4022: add-on "a" requires "b" with values:level=info, which is unknown on 4 clusters, such as "c1": the compiler renders no chart of "b": it renders those of compiled delivery only
      use a condition on a variable, on a field of a configuration or on a version",
      ]
    `);
    expect(requires(addOn('b', { manifests: [chart], delivery: 'hub' }))[0]).toContain(
      'info FW4022: add-on "a" requires "b" with values:level=info, which is unknown on 4 clusters',
    );
  });

  test('FW4018: an add-on with its own manager may be there', () => {
    const own = addOn('b', { placement: 'prod', delivery: 'hub' }).slice(0, 1) as [
      { metadata: { annotations: Record<string, string> }; spec: Record<string, unknown> },
    ];
    own[0].metadata.annotations['addon.open-cluster-management.io/lifecycle'] = 'self';
    own[0].spec = { installStrategy: { type: 'Manual' } };
    expect(findings([...addOn('a', { requires: 'b installed' }), ...own])).toMatchInlineSnapshot(`
      [
        "info FW4018: 4 clusters with add-on "a", such as "c1", may not get "b", which it requires: its own manager installs it
      make sure that these clusters get "b"",
      ]
    `);
  });
});

/** A chart with a subchart. The variable LEVEL sets a value. */
const chart = {
  apiVersion: 'fleetwright.dev/v1alpha1',
  kind: 'HelmChart',
  metadata: { name: 'b' },
  spec: {
    files: {
      'Chart.yaml': 'apiVersion: v2\nname: b-chart\nversion: 1.0.0\n',
      'values.yaml': 'level: info\nreplicas: 1\nlist: [x]\nglobal: { zone: z }\n',
      'templates/settings.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { level: "{{ .Values.level }}" }\n',
      'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
      'charts/sub/values.yaml': 'mode: strict\n',
    },
    values: { replicas: 3 },
    variables: { LEVEL: 'level' },
  },
};

describe('what is declared', () => {
  test('FW4014: a line is not valid', () => {
    expect(findings([...addOn('a', { requires: 'b ready' }), ...addOn('b')])).toMatchInlineSnapshot(`
      [
        "error FW4014: "ready" is neither a state nor a condition
      use "available" (the default) or "installed", or a condition: VARIABLE=VALUE, version>=1.2, chart>=1.2 or RESOURCE:FIELD=VALUE",
      ]
    `);
  });

  test('FW4014: a constraint of a version is not valid', () => {
    expect(findings([...addOn('a', { requires: 'b version>=new' }), ...addOn('b')])).toMatchInlineSnapshot(`
      [
        "error FW4014: the constraint ">=new" of the version of "b" is not valid: improper constraint: >=new
      write version>=1.14, version>=1.14,<2 or version==1.14.2",
      ]
    `);
  });

  test('FW4016: add-ons require each other', () => {
    expect(
      findings([
        ...addOn('a', { requires: 'b' }),
        ...addOn('b', { requires: 'c installed' }),
        ...addOn('c', { requires: 'a' }),
      ]),
    ).toMatchInlineSnapshot(`
      [
        "error FW4016: "a" requires "b" requires "c" requires "a": none of them can be installed first
      remove one of these requirements",
      ]
    `);
  });

  test('FW4019: another add-on delivers the kind of a manifest', () => {
    const b = addOn('b', { manifests: [customResourceDefinition] });
    expect(findings([...addOn('a', { manifests: [customResource] }), ...b])).toMatchInlineSnapshot(`
      [
        "info FW4019: add-on "a" delivers Issuer open-cluster-management-agent-addon/i to 4 clusters, and add-on "b" delivers the CustomResourceDefinition of the kind, but no requirement says so
      add the annotation fleetwright.dev/requires: b, or \`requires\` in TypeScript",
      ]
    `);
    expect(findings([...addOn('a', { manifests: [customResource], requires: 'b' }), ...b])).toEqual([]);
  });
});

describe('the order', () => {
  test('FW4021: the hub delivers one of both', () => {
    expect(findings([...addOn('a', { requires: 'b', delivery: 'hub' }), ...addOn('b')]))
      .toMatchInlineSnapshot(`
      [
        "warning FW4021: add-on "a" may be delivered to a cluster before "b" is Available there: the hub delivers it, and does not know requirements
      use compiled delivery for both, or let the placements of "a" select the label feature.open-cluster-management.io/addon-b: available; write "installed" if the order does not matter",
      ]
    `);
    expect(findings([...addOn('a', { requires: 'b' }), ...addOn('b', { delivery: 'hub' })]))
      .toMatchInlineSnapshot(`
        [
          "warning FW4021: add-on "a" may be delivered to a cluster before "b" is Available there: the hub delivers "b", and waves of compiled delivery do not wait for it
        use compiled delivery for both, add a promotion, whose waves wait for it, or let the placements of "a" select the label feature.open-cluster-management.io/addon-b: available; write "installed" if the order does not matter",
        ]
      `);
    expect(findings([...addOn('a', { requires: 'b installed', delivery: 'hub' }), ...addOn('b')])).toEqual(
      [],
    );
  });

  test('FW4021: a promotion asks the hub, except for clusters that join a hub-delivered add-on later', () => {
    const isPromoted = true;
    expect(
      findings([...addOn('a', { requires: 'b' }), ...addOn('b', { delivery: 'hub' })], { isPromoted }),
    ).toEqual([]);
    expect(findings([...addOn('a', { requires: 'b', delivery: 'hub' }), ...addOn('b')], { isPromoted }))
      .toMatchInlineSnapshot(`
      [
        "warning FW4021: add-on "a" may be delivered to a cluster before "b" is Available there: the promotion asks before it changes a placement, but the hub delivers it at once to clusters that join later
      use compiled delivery for "a", or let the placements of "a" select the label feature.open-cluster-management.io/addon-b: available; write "installed" if the order does not matter",
      ]
    `);
  });

  test('FW4021: no engine waits between waves', () => {
    const { resolution } = resolved([...addOn('a', { requires: 'b' }), ...addOn('b')]);
    expect(unorderedWaves(resolution, 'argocd')).toEqual([]);
    expect(textsOf(unorderedWaves(resolution, 'none'))).toMatchInlineSnapshot(`
      [
        "warning FW4021: add-on "a" may be delivered to a cluster before "b" is Available there: the output is written for no engine, so nothing waits between waves
      add a promotion, or set \`engine\` to argocd or flux; write "installed" if the order does not matter",
      ]
    `);
    const byHub = resolved([...addOn('a', { requires: 'b' }), ...addOn('b', { delivery: 'hub' })]).resolution;
    expect(unorderedWaves(byHub, 'none')).toEqual([]);
  });

  test('a placement by the label of the available add-on enforces it', () => {
    const label = { 'feature.open-cluster-management.io/addon-b': 'available' };
    const byLabel = placementOf('ready', { matchLabels: label });
    const a = addOn('a', { requires: 'b', delivery: 'hub', placement: 'ready' });
    expect(findings([byLabel, ...a, ...addOn('b')])).toEqual([]);
  });

  test('waves of compiled delivery come after those of the required add-on', () => {
    const oneByOne = { type: 'Progressive', progressive: { maxConcurrency: 1 } };
    const { resolution } = resolved([
      ...addOn('a', { requires: 'b', placement: 'prod' }),
      ...addOn('b', { requires: 'c', rolloutStrategy: oneByOne }),
      ...addOn('c'),
    ]);
    const waves = (name: string): Record<string, number> =>
      Object.fromEntries(resolution.rollouts.get(name)?.waveNumbers ?? []);
    expect(waves('c')).toEqual({ c1: 1, c2: 1, c3: 1, c4: 1 });
    expect(waves('b')).toEqual({ c1: 2, c2: 3, c3: 4, c4: 5 });
    expect(waves('a')).toEqual({ c1: 5, c2: 5, c3: 5 });
  });
});

describe('FW8064: an uninstall of a required add-on', () => {
  const c = addOn('c', { requires: 'b' });

  test('takes others along', () => {
    const [a, b] = [addOn('a', { placement: 'prod', requires: 'b' }), addOn('b')];
    expect(planFindings([...a, ...b, ...c], [])).toMatchInlineSnapshot(`
      [
        "warning FW8064: uninstalling "b" takes 2 others along ("a" and "c") on 4 clusters
      uninstall the add-ons that require it with an earlier change, so that they are removed first. A promotion does so by itself, while Git has their ClusterManagementAddOns",
      ]
    `);
  });

  test('leaves others without it', () => {
    expect(planFindings([...addOn('b'), ...c], [...addOn('b', { placement: 'prod' }), ...c]))
      .toMatchInlineSnapshot(`
      [
        "warning FW8064: uninstalling "b" leaves 1 add-on without it ("c") on 1 cluster
      keep "b" on these clusters, or uninstall "c" there too, or remove the annotation fleetwright.dev/requires",
      ]
    `);
  });

  test('is not reported if nothing requires it on these clusters', () => {
    const a = addOn('a', { placement: 'prod', requires: 'b' });
    expect(planFindings([...a, ...addOn('b')], [...a, ...addOn('b', { placement: 'prod' })])).toEqual([]);
  });
});

test('explain shows both directions of a chain', () => {
  const { resolution } = resolved([
    ...addOn('a', { requires: 'b' }),
    ...addOn('b', { requires: 'c installed X=1' }),
    ...addOn('c', { placement: 'prod' }),
  ]);
  const explanation = explainAddOn(resolution, 'b', 'c4', '', hubVersion('1.3'));
  expect(explanation?.requirements).toEqual({
    requires: [{ addOn: 'c', state: 'installed', installed: false, conditions: ['X=1'] }],
    requiredBy: ['a'],
  });
  const text = explanation && explanationText(explanation, { paint: (_, words) => words, names: 10 });
  expect(text).toContain(
    'requirements\n  requires c, with X=1: the cluster does not have it\n  required by a\n',
  );
});
