import { describe, expect, test } from 'vitest';
import { planGithub } from '../../../src/compiler/report/ci/plan-github.ts';
import { planHtml } from '../../../src/compiler/report/html/plan-html.ts';
import { planJson } from '../../../src/compiler/report/json/plan-json.ts';
import { planJunit } from '../../../src/compiler/report/ci/plan-junit.ts';
import { planMarkdown } from '../../../src/compiler/report/ci/plan-markdown.ts';
import { planSarif } from '../../../src/compiler/report/ci/plan-sarif.ts';
import { fleetOf } from '../../resolve-text.ts';
import { addOn, app, clusters, config, installed, placement, planOf, reported } from './states.ts';

const api = 'addon.open-cluster-management.io';

/** Without placements and reach. */
function planText(base: string, head: string, fleet?: { base: string; head: string }): string {
  const [from, to] = [
    { text: base, ...(fleet && { fleet: fleet.base }) },
    { text: head, ...(fleet && { fleet: fleet.head }) },
  ];
  return reported(from, to).replace(/\n(?:placements|reach)\n[^]*?\n(?=\n|$)/g, '');
}

const own = (metadata: string, spec = '{}', version = 'v1alpha1'): string => `
---
apiVersion: ${api}/${version}
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1${metadata === '' ? '' : `, ${metadata}`} }
spec: ${spec}`;

const values = (text: string): string => `annotations: { ${api}/values: '${text}' }`;

describe('a ManagedClusterAddOn that is written', () => {
  test('is compared by its annotations and labels', () => {
    expect(planText(app + own(values('{"x":1}')), app + own(values('{"x":2}')))).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because its ManagedClusterAddOn was edited (app.yaml:80)
          ManagedClusterAddOn hello
            metadata.annotations[addon.open-cluster-management.io/values]: "{\\"x\\":1}" -> "{\\"x\\":2}"

      plan: 1 changed, 4 unchanged; 1 of 6 clusters reached
      "
    `);
    expect(planText(app + own(''), app + own('labels: { tier: gold }'))).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because its ManagedClusterAddOn was edited (app.yaml:80)
          ManagedClusterAddOn hello
            metadata.labels.tier: "gold" added

      plan: 1 changed, 4 unchanged; 1 of 6 clusters reached
      "
    `);
    expect(planText(app + own(values('{"x":1}')), app)).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because its ManagedClusterAddOn is no longer written (app.yaml:80 in the base)
          ManagedClusterAddOn hello
            metadata.annotations[addon.open-cluster-management.io/values]: "{\\"x\\":1}" removed

      plan: 1 changed, 4 unchanged; 1 of 6 clusters reached
      "
    `);
    expect(planText(app, app + own(values('{"x":1}')))).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because its ManagedClusterAddOn is written now (app.yaml:80)
          ManagedClusterAddOn hello
            metadata.annotations[addon.open-cluster-management.io/values]: "{\\"x\\":1}" added

      plan: 1 changed, 4 unchanged; 1 of 6 clusters reached
      "
    `);
  });

  test('is compared by the namespace to install into, in the version in which it is written', () => {
    expect(planText(app + own(''), app + own('', '{ installNamespace: agents }'))).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because its ManagedClusterAddOn was edited (app.yaml:81)
          ManagedClusterAddOn hello
            spec.installNamespace: "open-cluster-management-agent-addon" -> "agents"

      plan: 1 changed, 4 unchanged; 1 of 6 clusters reached
      "
    `);
    const annotated = own(`annotations: { ${api}/v1alpha1-install-namespace: agents }`, '{}', 'v1beta1');
    expect(planText(app + own('', '{ installNamespace: agents }'), app + annotated)).toBe(
      'plan: nothing changes on 6 clusters\n',
    );
    expect(planText(app + own('', '{}', 'v1beta1'), app + annotated)).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because its ManagedClusterAddOn was edited (app.yaml:80)
          ManagedClusterAddOn hello
            spec.installNamespace: "open-cluster-management-agent-addon" -> "agents"

      objects
        ManagedClusterAddOn c1/hello was edited (app.yaml:80)
          metadata.annotations[addon.open-cluster-management.io/v1alpha1-install-namespace]: "agents" added

      plan: 1 changed, 4 unchanged; 1 of 6 clusters reached
      "
    `);
  });

  test('is not compared by the annotations of the tools that apply it', () => {
    const synced = own('annotations: { argocd.argoproj.io/sync-wave: "0" }');
    expect(planText(app + own(''), app + synced)).toBe('plan: nothing changes on 6 clusters\n');
    // synth writes Prune=false itself; other options are the user's.
    const kept = own('annotations: { argocd.argoproj.io/sync-options: Prune=false }');
    expect(planText(app + own(''), app + kept)).toBe('plan: nothing changes on 6 clusters\n');
    const unpruned = own('annotations: { argocd.argoproj.io/sync-options: "Prune=false,Replace=true" }');
    expect(planText(app + own(''), app + unpruned)).toMatchInlineSnapshot(`
      "objects
        ManagedClusterAddOn c1/hello was edited (app.yaml:80)
          metadata.annotations[argocd.argoproj.io/sync-options]: "Replace=true" added

      plan: no add-on changes on 6 clusters; 1 object edited
      "
    `);
  });

  test('is compared if the hub cannot configure the add-on', () => {
    const stalled = app.replace('- name: stage\n', '- name: staging\n');
    expect(planText(stalled + own(values('{"x":1}')), stalled + own(values('{"x":2}'))))
      .toMatchInlineSnapshot(`
      "hello
        the hub configures nothing: placement default/staging not found
        changed on 1 cluster: c1
          because its ManagedClusterAddOn was edited (app.yaml:80)
          ManagedClusterAddOn hello
            metadata.annotations[addon.open-cluster-management.io/values]: "{\\"x\\":1}" -> "{\\"x\\":2}"
        stops: placement default/staging not found; 3 clusters left: c1, c2, c3

      plan: 1 changed, 2 unchanged; 1 of 6 clusters reached
      "
    `);
  });

  test('is reported as the cause of the removal if the install strategy removes it', () => {
    const strategy = addOn(installed('stage') + installed('prod', 'prod'));
    const manual = app.replace(strategy, addOn('', 't1', 'Manual'));
    const elsewhere = own('').replace('namespace: c1', 'namespace: c6');
    expect(planText(manual + elsewhere, app + elsewhere)).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 1 cluster: c6
          because no placement of the install strategy selects it (app.yaml:10)
        installed on 3 clusters: c1, c2, c3
          because the install strategy now lists Placement "default/stage" (app.yaml:12)
          because the install strategy now lists Placement "default/prod" (app.yaml:12)
          with addondeploymentconfigs default/prod, from placement default/prod (app.yaml:20)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/prod
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "warn"
        installed on 2 clusters: c4, c5
          because the install strategy now lists Placement "default/stage" (app.yaml:12)
          with addondeploymentconfigs default/base, from default (app.yaml:9)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/base
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "info"
        1 wave
          1: c1, c2, c3, c4, c5

      objects
        ClusterManagementAddOn hello was edited (app.yaml:11)
          spec.installStrategy.type: "Manual" -> "Placements"
          spec.installStrategy.placements[stage] added:
            + name: stage
            + namespace: default
            + configs: []
            + rolloutStrategy:
            +   type: All
          spec.installStrategy.placements[prod] added:
            + name: prod
            + namespace: default
            + configs:
            + - name: prod
            +   namespace: default
            +   group: addon.open-cluster-management.io
            +   resource: addondeploymentconfigs
            + rolloutStrategy:
            +   type: All

      plan: 1 uninstalled, 5 installed, 0 unchanged; 6 of 6 clusters reached in 1 wave
      "
    `);
    expect(planText(manual + elsewhere, manual)).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 1 cluster: c6
          because its ManagedClusterAddOn is gone (app.yaml:70 in the base)

      plan: 1 uninstalled, 0 unchanged; 1 of 6 clusters reached
      "
    `);
  });

  test('is in every format, with its location if the format has locations', () => {
    const { plan, findings } = planOf({ text: app + own(values('1')) }, { text: app + own(values('2')) });
    const report = { plan, findings, base: 'main', head: 'HEAD' };
    expect(planMarkdown(report)).toContain('its ManagedClusterAddOn was edited');
    expect(planMarkdown(report)).toContain('app.yaml:80');
    const [group] = plan.addOns[0]?.groups ?? [];
    expect(JSON.parse(planJson(report))).toMatchObject({ addOns: [{ groups: [group] }] });
    expect(group).toMatchObject({
      effect: 'changed',
      clusters: ['c1'],
      causes: [{ kind: 'add-on edited', location: { file: 'app.yaml', line: 80 } }],
      values: [{ before: '1', after: '2', location: { file: 'app.yaml', line: 80 } }],
    });
    expect(planHtml(report)).toContain('its ManagedClusterAddOn was edited (app.yaml:80)');
    expect(planGithub(report)).toContain('1 changed');
    expect(planJunit(report)).toContain('1 changed');
    expect(JSON.parse(planSarif(report))).toMatchObject({
      runs: [{ results: [{ ruleId: 'object-changed', level: 'note' }] }],
    });
  });
});

describe('annotations of a cluster', () => {
  const annotated = (hosting: string): string =>
    fleetOf(clusters).replace(
      'name: c1, ',
      `name: c1, annotations: { ${api}/hosting-cluster-name: ${hosting}, other: "1" }, `,
    );

  test('are reported if the hub copies them to the ManagedClusterAddOns of the cluster', () => {
    expect(planText(app, app, { base: annotated('c2'), head: annotated('c3') })).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because annotation addon.open-cluster-management.io/hosting-cluster-name changed (fleet.yaml:13)
          ManagedClusterAddOn hello
            metadata.annotations[addon.open-cluster-management.io/hosting-cluster-name]: "c2" -> "c3"

      plan: 1 changed, 4 unchanged; 1 of 6 clusters reached
      "
    `);
    const plain = annotated('c2').replace(/annotations: \{.*?\}, /, '');
    expect(planText(app, app, { base: annotated('c2'), head: plain })).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because annotation addon.open-cluster-management.io/hosting-cluster-name changed (fleet.yaml:13)
          ManagedClusterAddOn hello
            metadata.annotations[addon.open-cluster-management.io/hosting-cluster-name]: "c2" removed

      objects
        ManagedCluster c1 was edited (fleet.yaml:13 in the base)
          metadata.annotations.other: "1" removed

      plan: 1 changed, 4 unchanged; 1 of 6 clusters reached
      "
    `);
    const others = annotated('c2').replace('other: "1"', 'other: "2"');
    expect(planText(app, app, { base: annotated('c2'), head: others })).toMatchInlineSnapshot(`
      "objects
        ManagedCluster c1 was edited (fleet.yaml:13)
          metadata.annotations.other: "1" -> "2"

      plan: no add-on changes on 6 clusters; 1 object edited
      "
    `);
  });

  test('are ignored for hubs that copy none', () => {
    const [base, head] = [{ fleet: annotated('c2') }, { fleet: annotated('c3') }];
    expect(planOf(base, head).plan.summary.effects.changed).toBe(1);
    expect(planOf(base, head, [], '1.2').plan.summary.effects.changed).toBe(0);
  });

  test('do not override those that are written', () => {
    const written = own(`annotations: { ${api}/hosting-cluster-name: c4 }`);
    const fleets = { base: annotated('c2'), head: annotated('c3') };
    expect(planText(app + written, app + written, fleets)).toMatchInlineSnapshot(`
      "objects
        ManagedCluster c1 was edited (fleet.yaml:13)
          metadata.annotations[addon.open-cluster-management.io/hosting-cluster-name]: "c2" -> "c3"

      plan: no add-on changes on 6 clusters; 1 object edited
      "
    `);
  });
});

const work = (name: string, data: string, more = '', labels = ''): string => `
---
apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: { name: ${name}, namespace: c1${labels} }
spec:
  workload:
    manifests:
    - { apiVersion: v1, kind: ConfigMap, metadata: { name: agent, namespace: agents }, data: ${data} }${more}`;

describe('an add-on with lifecycle self', () => {
  const self = `
---
apiVersion: ${api}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello, annotations: { ${api}/lifecycle: self } }
spec:
  supportedConfigs:
  - { group: ${api}, resource: addondeploymentconfigs, defaultConfig: { name: base, namespace: default } }
${config('base', 'info')}${config('prod', 'warn')}${own('')}`;
  const naming = (name: string): string =>
    self.replace(
      /spec: \{\}$/,
      `spec: { configs: [{ group: ${api}, resource: addondeploymentconfigs, namespace: default, name: ${name} }] }`,
    );

  test('is compared by the configurations that it names', () => {
    expect(planText(self, naming('prod'))).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because cluster names default/prod, previously default/base (app.yaml:34)
          but what its manager renders is unknown: the hub resolves no configuration for it, because it has lifecycle: self
          AddOnDeploymentConfig default/prod
            spec.customizedVariables[LEVEL].value: "info" -> "warn"

      plan: 1 changed, 0 unchanged; 1 of 6 clusters reached
      "
    `);
    expect(planText(naming('prod'), naming('prod').replace('"warn"', '"debug"'))).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because AddOnDeploymentConfig default/prod was edited (app.yaml:28)
          but what its manager renders is unknown: the hub resolves no configuration for it, because it has lifecycle: self
          AddOnDeploymentConfig default/prod
            spec.customizedVariables[LEVEL].value: "warn" -> "debug"

      plan: 1 changed, 0 unchanged; 1 of 6 clusters reached
      "
    `);
    expect(planText(self, self.replace('"info"', '"debug"'))).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because AddOnDeploymentConfig default/base was edited (app.yaml:18)
          but what its manager renders is unknown: the hub resolves no configuration for it, because it has lifecycle: self
          AddOnDeploymentConfig default/base
            spec.customizedVariables[LEVEL].value: "info" -> "debug"

      plan: 1 changed, 0 unchanged; 1 of 6 clusters reached
      "
    `);
    expect(planText(naming('prod'), naming('prod').replace('"info"', '"debug"'))).toMatchInlineSnapshot(`
      "objects
        AddOnDeploymentConfig default/base was edited (app.yaml:18)
          spec.customizedVariables[LEVEL].value: "info" -> "debug"

      plan: no add-on changes on 6 clusters; 1 object edited
      "
    `);
  });

  test('is compared by its annotations', () => {
    expect(planText(self, self.replace('namespace: c1 }', `namespace: c1, ${values('{}')} }`)))
      .toMatchInlineSnapshot(`
        "hello
          changed on 1 cluster: c1
            because its ManagedClusterAddOn was edited (app.yaml:33)
            but what its manager renders is unknown: the hub resolves no configuration for it, because it has lifecycle: self
            ManagedClusterAddOn hello
              metadata.annotations[addon.open-cluster-management.io/values]: "{}" added

        plan: 1 changed, 0 unchanged; 1 of 6 clusters reached
        "
      `);
  });

  test('is compared by the works that are written for it, whichever of them has a manifest', () => {
    const label = ', labels: { open-cluster-management.io/addon-name: hello }';
    const one = self + work('addon-hello-deploy-0', '{ level: info }', '', label);
    expect(planText(one, one.replace('level: info', 'level: debug'))).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because ManifestWork addon-hello-deploy-0 was edited (app.yaml:42)
          ConfigMap agents/agent
            data.level: "info" -> "debug"

      plan: 1 changed, 0 unchanged; 1 of 6 clusters reached
      "
    `);
    expect(planText(one, one.replace('deploy-0', 'deploy-1'))).toMatchInlineSnapshot(`
      "hello
        re-rolled without a visible change on 1 cluster: c1
          because ManifestWork addon-hello-deploy-1 is new (app.yaml:36)
          because ManifestWork addon-hello-deploy-0 is gone (app.yaml:36 in the base)

      plan: 1 re-rolled, 0 unchanged; 1 of 6 clusters reached
      "
    `);
    expect(planText(one, self)).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because ManifestWork addon-hello-deploy-0 is gone (app.yaml:36 in the base)
          but what its manager renders is unknown: the hub resolves no configuration for it, because it has lifecycle: self
          ConfigMap agents/agent
            the object removed:
              - apiVersion: v1
              - kind: ConfigMap
              - metadata:
              -   name: agent
              -   namespace: agents
              - data:
              -   level: info

      plan: 1 changed, 0 unchanged; 1 of 6 clusters reached
      "
    `);
    const orphan = `${one}\n  deleteOption: { propagationPolicy: Orphan }`;
    expect(planText(one, orphan)).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because ManifestWork addon-hello-deploy-0 was edited (app.yaml:43)
          ManifestWork addon-hello-deploy-0
            spec added:
              + deleteOption:
              +   propagationPolicy: Orphan

      objects
        ManifestWork c1/addon-hello-deploy-0 was edited (app.yaml:43)
          spec.deleteOption added:
            + propagationPolicy: Orphan

      plan: 1 changed, 0 unchanged; 1 of 6 clusters reached
      "
    `);
  });

  test('becomes one that the hub manages, and back', () => {
    const managed = self.replace('lifecycle: self', 'lifecycle: addon-manager');
    expect(planText(self, managed)).toMatchInlineSnapshot(`
      "objects
        ClusterManagementAddOn hello was edited (app.yaml:5)
          metadata.annotations[addon.open-cluster-management.io/lifecycle]: "self" -> "addon-manager"

      plan: no add-on changes on 6 clusters; 1 object edited
      "
    `);
    const strategy = addOn(installed('stage') + installed('prod', 'prod'));
    const unmanaged = app.replace(
      strategy,
      strategy.replace('{ name: hello }', `{ name: hello, annotations: { ${api}/lifecycle: self } }`),
    );
    expect(planText(app, unmanaged)).toMatchInlineSnapshot(`
      "hello
        moved between placements on 5 clusters: c1, c2, c3, c4, c5
          because annotation addon.open-cluster-management.io/lifecycle of the ClusterManagementAddOn changed from nothing to "self" (app.yaml:5)

      objects
        ClusterManagementAddOn hello was edited (app.yaml:5)
          metadata.annotations[addon.open-cluster-management.io/lifecycle]: "self" added

      plan: 5 moved, 0 unchanged; 0 of 6 clusters reached
      "
    `);
    expect(planText(unmanaged, app)).toMatchInlineSnapshot(`
      "hello
        installed on 3 clusters: c1, c2, c3
          because annotation addon.open-cluster-management.io/lifecycle of the ClusterManagementAddOn changed from "self" to nothing (app.yaml:5)
          with addondeploymentconfigs default/prod, from placement default/prod (app.yaml:20)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/prod
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "warn"
        installed on 2 clusters: c4, c5
          because annotation addon.open-cluster-management.io/lifecycle of the ClusterManagementAddOn changed from "self" to nothing (app.yaml:5)
          with addondeploymentconfigs default/base, from default (app.yaml:9)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/base
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "info"
        1 wave
          1: c1, c2, c3, c4, c5

      objects
        ClusterManagementAddOn hello was edited (app.yaml:5 in the base)
          metadata.annotations[addon.open-cluster-management.io/lifecycle]: "self" removed

      plan: 5 installed, 0 unchanged; 5 of 6 clusters reached in 1 wave
      "
    `);
    const elsewhere = own('').replace('namespace: c1', 'namespace: c6');
    expect(planText(unmanaged + elsewhere, app + elsewhere)).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 1 cluster: c6
          because annotation addon.open-cluster-management.io/lifecycle of the ClusterManagementAddOn changed from "self" to nothing (app.yaml:5)
        installed on 3 clusters: c1, c2, c3
          because annotation addon.open-cluster-management.io/lifecycle of the ClusterManagementAddOn changed from "self" to nothing (app.yaml:5)
          with addondeploymentconfigs default/prod, from placement default/prod (app.yaml:20)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/prod
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "warn"
        installed on 2 clusters: c4, c5
          because annotation addon.open-cluster-management.io/lifecycle of the ClusterManagementAddOn changed from "self" to nothing (app.yaml:5)
          with addondeploymentconfigs default/base, from default (app.yaml:9)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/base
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "info"
        1 wave
          1: c1, c2, c3, c4, c5

      objects
        ClusterManagementAddOn hello was edited (app.yaml:5 in the base)
          metadata.annotations[addon.open-cluster-management.io/lifecycle]: "self" removed

      plan: 1 uninstalled, 5 installed, 0 unchanged; 6 of 6 clusters reached in 1 wave
      "
    `);
  });
});

describe('works that are written by themselves', () => {
  test('are compared manifest by manifest', () => {
    const text = app + work('tools', '{ level: info }');
    expect(planText(text, text.replace('level: info', 'level: debug'))).toMatchInlineSnapshot(`
      "ManifestWork tools (app hello)
        changed on 1 cluster: c1
          because ManifestWork tools was edited (app.yaml:84)
          ConfigMap agents/agent
            data.level: "info" -> "debug"

      plan: 1 changed, 5 unchanged; 1 of 6 clusters reached
      "
    `);
    expect(planText(app, text)).toMatchInlineSnapshot(`
      "ManifestWork tools (app hello), new
        installed on 1 cluster: c1
          because ManifestWork tools is new (app.yaml:78)

      plan: 1 installed, 5 unchanged; 1 of 6 clusters reached
      "
    `);
    expect(planText(text, app)).toMatchInlineSnapshot(`
      "ManifestWork tools (app hello), REMOVED
        UNINSTALLED from 1 cluster: c1
          because ManifestWork tools is gone (app.yaml:78 in the base)

      plan: 1 uninstalled, 5 unchanged; 1 of 6 clusters reached
      "
    `);
    expect(planText(text, text.replace('name: tools', 'name: tools, labels: { team: a }')))
      .toMatchInlineSnapshot(`
        "objects
          ManifestWork c1/tools was edited (app.yaml:80)
            metadata.labels.team: "a" added

        plan: no add-on changes on 6 clusters; 1 object edited
        "
      `);
  });

  test('are reported together if clusters change in the same way', () => {
    const both = (level: string): string =>
      app +
      work('tools', `{ level: ${level} }`) +
      work('tools', `{ level: ${level} }`).replace('namespace: c1', 'namespace: c2');
    expect(planText(both('info'), both('debug'))).toContain('changed on 2 clusters: c1, c2');
  });

  test('are not a change if their cluster is not in the fleet', () => {
    const away = (level: string): string =>
      app + work('tools', `{ level: ${level} }`).replace('namespace: c1', 'namespace: away');
    expect(planText(away('info'), away('debug'))).toMatchInlineSnapshot(`
      "objects
        ManifestWork away/tools was edited (app.yaml:84)
          spec.workload.manifests[0].data.level: "info" -> "debug"

      plan: no add-on changes on 6 clusters; 1 object edited
      "
    `);
  });

  test('of a ManifestWorkReplicaSet go to the clusters that its placements select', () => {
    const set = (level: string, refs = '[{ name: stage }]'): string => `${app}
---
apiVersion: work.open-cluster-management.io/v1alpha1
kind: ManifestWorkReplicaSet
metadata: { name: tools, namespace: default }
spec:
  placementRefs: ${refs}
  manifestWorkTemplate:
    workload:
      manifests:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: tools, namespace: agents }, data: { level: ${level} } }`;
    expect(planText(set('info'), set('debug'))).toMatchInlineSnapshot(`
      "ManifestWorkReplicaSet default/tools (app hello)
        changed on 5 clusters: c1, c2, c3, c4, c5
          because ManifestWorkReplicaSet default/tools was edited (app.yaml:86)
          ConfigMap agents/tools
            data.level: "info" -> "debug"

      plan: 5 changed, 5 unchanged; 5 of 6 clusters reached
      "
    `);
    expect(planText(app, set('info'))).toMatchInlineSnapshot(`
      "ManifestWorkReplicaSet default/tools (app hello), new
        installed on 5 clusters: c1, c2, c3, c4, c5
          because ManifestWorkReplicaSet default/tools is new (app.yaml:78)

      plan: 5 installed, 5 unchanged; 5 of 6 clusters reached
      "
    `);
    expect(planText(set('info'), set('info', '[{ name: prod }]'))).toMatchInlineSnapshot(`
      "ManifestWorkReplicaSet default/tools (app hello)
        UNINSTALLED from 2 clusters: c4, c5
          because it no longer names Placement "default/stage" (app.yaml:82)

      objects
        ManifestWorkReplicaSet default/tools was edited (app.yaml:82)
          spec.placementRefs[prod] added:
            + name: prod
            + rolloutStrategy:
            +   all:
            +     maxFailures: 0
            +     minSuccessTime: "0"
            +     progressDeadline: None
            +   type: All
          spec.placementRefs[stage] removed:
            - name: stage
            - rolloutStrategy:
            -   all:
            -     maxFailures: 0
            -     minSuccessTime: "0"
            -     progressDeadline: None
            -   type: All

      plan: 2 uninstalled, 8 unchanged; 2 of 6 clusters reached
      "
    `);
    const dev = { ...clusters, c5: { env: 'dev', region: 'us' } };
    expect(planText(set('info'), set('info'), { base: fleetOf(clusters), head: fleetOf(dev) }))
      .toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 1 cluster: c5
          because label env changed from "stage" to "dev" (fleet.yaml:45)

      ManifestWorkReplicaSet default/tools (app hello)
        UNINSTALLED from 1 cluster: c5
          because label env changed from "stage" to "dev" (fleet.yaml:45)

      plan: 2 uninstalled, 8 unchanged; 1 of 6 clusters reached
      "
    `);
  });
});

describe('objects that change', () => {
  test('are named, so that every change is reported', () => {
    const role = `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: []`;
    const unused = placement('nobody', '{ matchLabels: { env: none } }') + config('unused', 'info');
    const before = app + unused;
    const after =
      before
        .replace('name: hello }\nspec:\n', 'name: hello }\nspec:\n  addOnMeta: { displayName: Hello }\n')
        .replace('env: none', 'env: nobody')
        .replace(config('unused', 'info'), config('unused', 'debug')) + role;
    expect(planText(before, after)).toMatchInlineSnapshot(`
      "objects
        AddOnDeploymentConfig default/unused was edited (app.yaml:96)
          spec.customizedVariables[LEVEL].value: "info" -> "debug"
        ClusterManagementAddOn hello was edited (app.yaml:7)
          spec.addOnMeta added:
            + displayName: Hello
        ClusterRole reader was added (app.yaml:99)
        Placement default/nobody was edited (app.yaml:83)
          spec.predicates[0].requiredClusterSelector.labelSelector.matchLabels.env: "none" -> "nobody"

      plan: no add-on changes on 6 clusters; 3 objects edited, 1 added
      "
    `);
    expect(planText(after, before)).toContain('ClusterRole reader was removed (app.yaml:');
  });

  test('are explained if the plan shows their effect', () => {
    const { plan } = planOf(
      {},
      { text: app.replace('"warn"', '"debug"').replace('[prod, stage]', '[prod]') },
    );
    expect(plan.objects.map(({ object, explained }) => [object, explained])).toEqual([
      ['AddOnDeploymentConfig default/prod', true],
      ['Placement default/stage', true],
    ]);
  });
});
