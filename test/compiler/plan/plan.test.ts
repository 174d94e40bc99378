import { describe, expect, test } from 'vitest';
import { fleetOf } from '../../resolve-text.ts';
import {
  addOn,
  app,
  appWithDeployment,
  clusters,
  config,
  installed,
  placement,
  planOf,
  reported,
  template,
} from './states.ts';

const labelled = (name: string, labels: Readonly<Record<string, string>>): string =>
  fleetOf({ ...clusters, [name]: labels });
const without = (name: string): string =>
  fleetOf(Object.fromEntries(Object.entries(clusters).filter(([cluster]) => cluster !== name)));

/** What happens to the add-on, without placements and reach. */
function addOnPart(base: Parameters<typeof reported>[0], head: Parameters<typeof reported>[1]): string {
  return reported(base, head).replace(/\n(?:placements|reach)\n[^]*/, '');
}

describe('installing and uninstalling', () => {
  test('nothing is reported if nothing changes', () => {
    expect(reported({}, {})).toBe('plan: nothing changes on 6 clusters\n');
  });

  test('a label that changes takes a cluster out of its placements, and the reach counts it', () => {
    expect(reported({}, { fleet: labelled('c3', { env: 'dev', region: 'us' }) }, ['env', 'region']))
      .toMatchInlineSnapshot(`
        "hello
          UNINSTALLED from 1 cluster (env=prod->dev; region=us): c3
            because label env changed from "prod" to "dev" (fleet.yaml:29)

        placements
          default/prod: 2 clusters, before 3
            loses c3: label env changed from "prod" to "dev"
          default/stage: 4 clusters, before 5
            loses c3: label env changed from "prod" to "dev"

        reach
          cluster set default: 1 of 6 clusters (1 uninstalled)
          cluster set global: 1 of 6 clusters (1 uninstalled)
          env dev: 1 of 2 clusters (1 uninstalled)
          env prod: 1 of 3 clusters (1 uninstalled)
          region us: 1 of 3 clusters (1 uninstalled)

        plan: 1 uninstalled, 4 unchanged; 1 of 6 clusters reached
        "
      `);
  });

  test('a cluster that is new gets the add-on, one that is gone loses it', () => {
    expect(addOnPart({}, { fleet: labelled('c7', { env: 'prod' }) })).toMatchInlineSnapshot(`
      "hello
        installed on 1 cluster: c7
          because the cluster is new in the fleet (fleet.yaml:59)
          with addondeploymentconfigs default/prod, from placement default/prod (app.yaml:20)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/prod
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "warn"
        1 wave
          1: c7
      "
    `);
    expect(addOnPart({}, { fleet: without('c4') })).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 1 cluster: c4
          because the cluster is no longer in the fleet (fleet.yaml:35 in the base)
      "
    `);
  });

  test('an edited selector is named with its place', () => {
    expect(addOnPart({}, { text: app.replace('values: [prod, stage]', 'values: [prod, dev]') }))
      .toMatchInlineSnapshot(`
        "hello
          UNINSTALLED from 2 clusters: c4, c5
            because the predicates of Placement "default/stage" were edited (app.yaml:27)
          installed on 1 cluster: c6
            because the predicates of Placement "default/stage" were edited (app.yaml:27)
            with addondeploymentconfigs default/base, from default (app.yaml:9)
            with addontemplates t1, from default (app.yaml:8)
            AddOnDeploymentConfig default/base
              spec.agentInstallNamespace: ""
              spec.customizedVariables[LEVEL].value: "info"
          1 wave
            1: c6
        "
      `);
  });

  test('a placement that is taken out of the install strategy uninstalls, one that is listed installs', () => {
    const more =
      app.replace(installed('prod', 'prod'), installed('prod', 'prod') + installed('dev')) +
      placement('dev', '{ matchLabels: { env: dev } }');
    const fewer = more.replace(installed('dev'), '');
    expect(addOnPart({ text: fewer }, { text: more })).toMatchInlineSnapshot(`
      "hello
        installed on 1 cluster: c6
          because the install strategy now lists Placement "default/dev" (app.yaml:12)
          with addondeploymentconfigs default/base, from default (app.yaml:9)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/base
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "info"
        1 wave
          1: c6
      "
    `);
    expect(addOnPart({ text: more }, { text: fewer })).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 1 cluster: c6
          because the install strategy no longer lists Placement "default/dev" (app.yaml:12)
      "
    `);
  });

  test('an add-on that is removed is uninstalled everywhere, one that is new is installed', () => {
    const rest = app.replace(addOn(installed('stage') + installed('prod', 'prod')), '');
    expect(addOnPart({}, { text: rest })).toMatchInlineSnapshot(`
      "hello, REMOVED
        UNINSTALLED from 5 clusters: c1, c2, c3, c4, c5
          because ClusterManagementAddOn "hello" no longer exists (app.yaml:3 in the base)
      "
    `);
    expect(addOnPart({ text: rest }, {})).toMatchInlineSnapshot(`
      "hello, new
        installed on 3 clusters: c1, c2, c3
          because ClusterManagementAddOn "hello" is new (app.yaml:3)
          with addondeploymentconfigs default/prod, from placement default/prod (app.yaml:20)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/prod
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "warn"
        installed on 2 clusters: c4, c5
          because ClusterManagementAddOn "hello" is new (app.yaml:3)
          with addondeploymentconfigs default/base, from default (app.yaml:9)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/base
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "info"
        1 wave
          1: c1, c2, c3, c4, c5
      "
    `);
  });

  test('an install strategy that becomes Manual keeps the installed add-ons', () => {
    expect(
      addOnPart(
        {},
        {
          text: app.replace(addOn(installed('stage') + installed('prod', 'prod')), addOn('', 't1', 'Manual')),
        },
      ),
    ).toMatchInlineSnapshot(`
      "hello
        moved between placements on 3 clusters: c1, c2, c3
          because the install strategy no longer lists Placement "default/stage" (app.yaml:12)
          because the install strategy no longer lists Placement "default/prod" (app.yaml:12)
        moved between placements on 2 clusters: c4, c5
          because the install strategy no longer lists Placement "default/stage" (app.yaml:12)
      "
    `);
  });

  test('a taint, a cluster set and a binding are causes', () => {
    const fleet = fleetOf(clusters);
    const tainted = fleet.replace(
      /(name: c4, .*\nspec: \{ hubAcceptsClient: true)/,
      '$1, taints: [{ key: maintenance, effect: NoSelect, timeAdded: "2026-01-01T00:00:00Z" }]',
    );
    expect(addOnPart({}, { fleet: tainted })).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 1 cluster: c4
          because taint maintenance:NoSelect added (fleet.yaml:38)
      "
    `);
    const unbound = fleet.replace(
      'metadata: { name: global, namespace: default }',
      'metadata: { name: global, namespace: other }',
    );
    expect(addOnPart({}, { fleet: unbound })).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 5 clusters: c1, c2, c3, c4, c5
          because namespace "default" is no longer bound to cluster set "global" (fleet.yaml:6 in the base)
      "
    `);
    const team = fleet.replaceAll('global', 'team');
    const narrower = team.replace('labelSelector: {}', 'labelSelector: { matchLabels: { region: eu } }');
    expect(addOnPart({ fleet: team }, { fleet: narrower })).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 3 clusters: c2, c3, c5
          because it belongs to "default" and "global", previously to "default", "global" and "team" (fleet.yaml:21)
      "
    `);
    const elsewhere = narrower.replace('{"env":"stage","region":"eu"}', '{"env":"stage","region":"us"}');
    expect(addOnPart({ fleet: narrower }, { fleet: elsewhere })).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 1 cluster: c4
          because label region changed from "eu" to "us" (fleet.yaml:37)
      "
    `);
  });

  test('fewer wanted clusters, and better ones, are causes', () => {
    const chosen = (n: number): string =>
      app
        .replace(
          'predicates: [{ requiredClusterSelector: { labelSelector: { matchExpressions',
          `numberOfClusters: ${n}\n  predicates: [{ requiredClusterSelector: { labelSelector: { matchExpressions`,
        )
        .replace(installed('prod', 'prod'), '');
    expect(addOnPart({ text: chosen(3) }, { text: chosen(2) })).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 1 cluster: c1
          because numberOfClusters of Placement "default/stage" was edited (app.yaml:23)
      "
    `);
    expect(addOnPart({ text: chosen(2) }, { text: chosen(2), fleet: labelled('c0', { env: 'stage' }) }))
      .toMatchInlineSnapshot(`
        "hello
          UNINSTALLED from 1 cluster: c5
            because other clusters rank above it in Placement "default/stage"
          installed on 1 cluster: c0
            because the cluster is new in the fleet (fleet.yaml:59)
            with addondeploymentconfigs default/base, from default (app.yaml:9)
            with addontemplates t1, from default (app.yaml:8)
            AddOnDeploymentConfig default/base
              spec.agentInstallNamespace: ""
              spec.customizedVariables[LEVEL].value: "info"
          1 wave
            1: c0
        "
      `);
  });
});

describe('a placement and its clusters that change together', () => {
  const stage = (n: number): string =>
    app
      .replace(
        'predicates: [{ requiredClusterSelector: { labelSelector: { matchExpressions',
        `numberOfClusters: ${n}\n  predicates: [{ requiredClusterSelector: { labelSelector: { matchExpressions`,
      )
      .replace(installed('prod', 'prod'), '');

  test('are both reported if neither is enough', () => {
    // c6 has to be of the stage, and there has to be room for it.
    const staged = labelled('c6', { env: 'stage', region: 'eu' });
    expect(addOnPart({ text: stage(5) }, { text: stage(6), fleet: staged })).toMatchInlineSnapshot(`
      "hello
        installed on 1 cluster: c6
          because label env changed from "dev" to "stage" (fleet.yaml:53)
          because numberOfClusters of Placement "default/stage" was edited (app.yaml:23)
          with addondeploymentconfigs default/base, from default (app.yaml:9)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/base
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "info"
        1 wave
          1: c6
      "
    `);
    expect(addOnPart({ text: stage(6), fleet: staged }, { text: stage(5) })).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 1 cluster: c6
          because label env changed from "stage" to "dev" (fleet.yaml:53)
          because numberOfClusters of Placement "default/stage" was edited (app.yaml:23)
      "
    `);
  });

  test('are reported alone if one is enough', () => {
    const staged = labelled('c6', { env: 'stage', region: 'eu' });
    expect(addOnPart({ text: stage(6) }, { text: stage(7), fleet: staged })).toMatchInlineSnapshot(`
      "hello
        installed on 1 cluster: c6
          because label env changed from "dev" to "stage" (fleet.yaml:53)
          with addondeploymentconfigs default/base, from default (app.yaml:9)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/base
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "info"
        1 wave
          1: c6
      "
    `);
  });

  test('are both reported for a new cluster that there was no room for', () => {
    const more = labelled('c7', { env: 'stage' });
    expect(addOnPart({ text: stage(5) }, { text: stage(6), fleet: more })).toMatchInlineSnapshot(`
      "hello
        installed on 1 cluster: c7
          because the cluster is new in the fleet (fleet.yaml:59)
          because numberOfClusters of Placement "default/stage" was edited (app.yaml:23)
          with addondeploymentconfigs default/base, from default (app.yaml:9)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/base
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "info"
        1 wave
          1: c7
      "
    `);
    expect(addOnPart({ text: stage(6) }, { text: stage(6), fleet: more })).toMatchInlineSnapshot(`
      "hello
        installed on 1 cluster: c7
          because the cluster is new in the fleet (fleet.yaml:59)
          with addondeploymentconfigs default/base, from default (app.yaml:9)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/base
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "info"
        1 wave
          1: c7
      "
    `);
  });

  test('are both reported if a taint and a predicate excluded a cluster', () => {
    const tainted = (taints: string): string =>
      fleetOf(clusters).replace(/(name: c6.*\nspec: \{ hubAcceptsClient: true)/, `$1, taints: [${taints}]`);
    const base = { text: stage(9), fleet: tainted('{ key: maintenance, effect: NoSelect }') };
    const head = {
      text: stage(9).replace('values: [prod, stage]', 'values: [prod, stage, dev]'),
      fleet: tainted(''),
    };
    expect(addOnPart(base, head)).toMatchInlineSnapshot(`
      "hello
        installed on 1 cluster: c6
          because taint maintenance:NoSelect removed (fleet.yaml:54)
          because the predicates of Placement "default/stage" were edited (app.yaml:24)
          with addondeploymentconfigs default/base, from default (app.yaml:9)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/base
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "info"
        1 wave
          1: c6
      "
    `);
  });
});

describe('configuration', () => {
  test('an edited value is reported with its rendered result', () => {
    expect(addOnPart({}, { text: app.replace('"warn"', '"debug"') })).toMatchInlineSnapshot(`
      "hello
        changed on 3 clusters: c1, c2, c3
          because AddOnDeploymentConfig default/prod was edited (app.yaml:60)
          AddOnDeploymentConfig default/prod
            spec.customizedVariables[LEVEL].value: "warn" -> "debug"
              also ConfigMap agents/agent data.level
        1 wave
          1: c1, c2, c3
      "
    `);
  });

  test('a cluster that moves to another placement gets its configuration', () => {
    expect(addOnPart({}, { fleet: labelled('c4', { env: 'prod', region: 'eu' }) })).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c4
          because label env changed from "stage" to "prod" (fleet.yaml:37)
          because placement default/prod names default/prod, previously default/base (app.yaml:20)
          AddOnDeploymentConfig default/prod
            spec.customizedVariables[LEVEL].value: "info" -> "warn"
              also ConfigMap agents/agent data.level
        1 wave
          1: c4
      "
    `);
  });

  test('a new template with a new name is reported by its rendered result', () => {
    const bumped =
      app.replace('defaultConfig: { name: t1 }', 'defaultConfig: { name: t2 }') +
      template('t2', '{ level: "{{LEVEL}}", more: "1" }');
    expect(addOnPart({}, { text: bumped })).toMatchInlineSnapshot(`
      "hello
        changed on 5 clusters: c1, c2, c3, c4, c5
          because default names t2, previously t1 (app.yaml:8)
          ConfigMap agents/agent
            data.more: "1" added
        1 wave
          1: c1, c2, c3, c4, c5
      "
    `);
  });

  test('the same content under another name is re-rolled, and nothing visible changes', () => {
    const renamed = app.replaceAll('name: prod }]', 'name: prod-v2 }]') + config('prod-v2', 'warn');
    expect(addOnPart({}, { text: renamed })).toMatchInlineSnapshot(`
      "hello
        re-rolled without a visible change on 3 clusters: c1, c2, c3
          because placement default/prod names default/prod-v2, previously default/prod (app.yaml:20)
        1 wave
          1: c1, c2, c3
      "
    `);
  });

  test('a variable that no manifest uses re-rolls', () => {
    const unused = app.replace('value: "warn"', 'value: "warn"\n  - name: UNUSED\n    value: "1"');
    expect(addOnPart({}, { text: unused })).toMatchInlineSnapshot(`
      "hello
        re-rolled without a visible change on 3 clusters: c1, c2, c3
          because AddOnDeploymentConfig default/prod was edited (app.yaml:61)
          AddOnDeploymentConfig default/prod
            spec.customizedVariables[UNUSED] added:
              + name: UNUSED
              + value: "1"
        1 wave
          1: c1, c2, c3
      "
    `);
  });

  test('the same configuration through another placement is moved', () => {
    const two = app.replace(installed('prod', 'prod'), installed('prod'));
    expect(
      addOnPart(
        { text: two },
        { text: two.replace(installed('stage') + installed('prod'), installed('prod') + installed('stage')) },
      ),
    ).toMatchInlineSnapshot(`
      "hello
        moved between placements on 3 clusters: c1, c2, c3
          because the install strategy lists its placements in another order (app.yaml:12)
      "
    `);
    expect(addOnPart({ text: two }, { text: two, fleet: labelled('c4', { env: 'prod', region: 'eu' }) }))
      .toMatchInlineSnapshot(`
      "hello
        moved between placements on 1 cluster: c4
          because label env changed from "stage" to "prod" (fleet.yaml:37)
      "
    `);
  });

  test('a configuration of a single cluster has precedence over all others', () => {
    const own = `
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1 }
spec: { configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: own }] }`;
    expect(addOnPart({}, { text: app + own + config('own', 'trace') })).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because cluster names default/own, previously default/prod (app.yaml:81)
          AddOnDeploymentConfig default/own
            spec.customizedVariables[LEVEL].value: "warn" -> "trace"
              also ConfigMap agents/agent data.level
        1 wave
          1: c1
      "
    `);
  });

  test('image registries of a cluster are part of its configuration', () => {
    const registries = JSON.stringify({ registries: [{ source: 'quay.io/a', mirror: 'mirror/a' }] });
    const fleet = fleetOf(clusters);
    const mirrored = fleet.replace(
      'name: c1, ',
      `name: c1, annotations: { open-cluster-management.io/image-registries: '${registries}' }, `,
    );
    expect(addOnPart({ text: appWithDeployment, fleet }, { text: appWithDeployment, fleet: mirrored }))
      .toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because annotation open-cluster-management.io/image-registries changed (fleet.yaml:13)
          Deployment agents/agent
            spec.template.spec.containers[agent].image: "quay.io/a/agent:1" -> "mirror/a/agent:1"
      "
    `);
  });
});

describe('the rollout', () => {
  test('waves are in order, with the time before which they cannot start', () => {
    const rollout = '{ type: Progressive, progressive: { maxConcurrency: 2, minSuccessTime: 5m } }';
    const slow = app.replace(installed('prod', 'prod'), installed('prod', 'prod', rollout));
    expect(addOnPart({ text: slow }, { text: slow.replace('"warn"', '"debug"') })).toMatchInlineSnapshot(`
      "hello
        changed on 3 clusters: c1, c2, c3
          because AddOnDeploymentConfig default/prod was edited (app.yaml:60)
          AddOnDeploymentConfig default/prod
            spec.customizedVariables[LEVEL].value: "warn" -> "debug"
              also ConfigMap agents/agent data.level
        2 waves, finished after 0 to 10m
          1: c1, c2
          2 after 0 to 5m: c3
      "
    `);
  });
});

describe('the hub', () => {
  const asking = (role: string, more = ''): string =>
    app.replace(
      'registration: []',
      `registration: [{ type: KubeClient, kubeClient: { hubPermissions: [{ type: CurrentCluster, currentCluster: { clusterRoleName: ${role} } }] } }${more}]`,
    );

  test('permissions widen and narrow', () => {
    expect(addOnPart({ text: asking('reader') }, { text: asking('writer') })).toMatchInlineSnapshot(`
      "hello
        changed on 5 clusters: c1, c2, c3, c4, c5
          because AddOnTemplate t1 was edited (app.yaml:68)
          RoleBinding open-cluster-management:hello:clusterrole:agent
            roleRef.name: "reader" -> "writer"
        hub permission widened: ClusterRole/writer in each cluster's namespace, for 5 clusters (app.yaml:68)
        hub permission narrowed: ClusterRole/reader in each cluster's namespace, for 5 clusters (app.yaml:68 in the base)
        1 wave
          1: c1, c2, c3, c4, c5
      "
    `);
  });

  test('a permission that more clusters have, and a role with other rules', () => {
    const role = (verbs: string): string => `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: [{ apiGroups: [""], resources: [configmaps], verbs: ${verbs} }]`;
    expect(
      addOnPart(
        { text: asking('reader') + role('[get]') },
        { text: asking('reader') + role('[get, list]'), fleet: labelled('c6', { env: 'stage' }) },
      ),
    ).toMatchInlineSnapshot(`
      "hello
        installed on 1 cluster: c6
          because label env changed from "dev" to "stage" (fleet.yaml:53)
          with addondeploymentconfigs default/base, from default (app.yaml:9)
          with addontemplates t1, from default (app.yaml:8)
          AddOnDeploymentConfig default/base
            spec.agentInstallNamespace: ""
            spec.customizedVariables[LEVEL].value: "info"
        hub permission role edited: ClusterRole/reader in each cluster's namespace, for 6 clusters (app.yaml:81)
        hub permission more clusters: ClusterRole/reader in each cluster's namespace: for 6 clusters, before 5 (app.yaml:68)
        1 wave
          1: c6
      "
    `);
  });

  test('registrations are added and removed', () => {
    const signer =
      ', { type: CustomSigner, customSigner: { signerName: example.com/agent, signingCA: { name: ca } } }';
    expect(addOnPart({ text: asking('reader') }, { text: asking('reader', signer) })).toMatchInlineSnapshot(`
      "hello
        changed on 3 clusters: c1, c2, c3
          because AddOnTemplate t1 was edited (app.yaml:68)
          ManagedClusterAddOn hello
            status.registrations[customSigner] (cluster c1; differs per cluster) added:
              + customSigner:
              +   signerName: example.com/agent
              +   subject:
              +     groups:
              +     - system:open-cluster-management:cluster:c1:addon:hello
              +     - system:open-cluster-management:addon:hello
              +     user: system:open-cluster-management:cluster:c1:addon:hello:agent:hello-agent
              + type: customSigner
        changed on 2 clusters: c4, c5
          because AddOnTemplate t1 was edited (app.yaml:68)
          ManagedClusterAddOn hello
            status.registrations[customSigner] (cluster c4; differs per cluster) added:
              + customSigner:
              +   signerName: example.com/agent
              +   subject:
              +     groups:
              +     - system:open-cluster-management:cluster:c4:addon:hello
              +     - system:open-cluster-management:addon:hello
              +     user: system:open-cluster-management:cluster:c4:addon:hello:agent:hello-agent
              + type: customSigner
        registration widened: example.com/agent (app.yaml:68)
        1 wave
          1: c1, c2, c3, c4, c5
      "
    `);
    expect(addOnPart({ text: asking('reader', signer) }, { text: asking('reader') })).toMatchInlineSnapshot(`
      "hello
        changed on 3 clusters: c1, c2, c3
          because AddOnTemplate t1 was edited (app.yaml:63)
          ManagedClusterAddOn hello
            status.registrations[customSigner] (cluster c1; differs per cluster) removed:
              - customSigner:
              -   signerName: example.com/agent
              -   subject:
              -     groups:
              -     - system:open-cluster-management:cluster:c1:addon:hello
              -     - system:open-cluster-management:addon:hello
              -     user: system:open-cluster-management:cluster:c1:addon:hello:agent:hello-agent
              - type: customSigner
        changed on 2 clusters: c4, c5
          because AddOnTemplate t1 was edited (app.yaml:63)
          ManagedClusterAddOn hello
            status.registrations[customSigner] (cluster c4; differs per cluster) removed:
              - customSigner:
              -   signerName: example.com/agent
              -   subject:
              -     groups:
              -     - system:open-cluster-management:cluster:c4:addon:hello
              -     - system:open-cluster-management:addon:hello
              -     user: system:open-cluster-management:cluster:c4:addon:hello:agent:hello-agent
              - type: customSigner
        registration narrowed: example.com/agent (app.yaml:68 in the base)
        1 wave
          1: c1, c2, c3, c4, c5
      "
    `);
  });
});

describe('steps that do harm', () => {
  const findings = (text: string) =>
    planOf({}, { text }).findings.map(({ code, message, path, hint }) => ({ code, message, path, hint }));
  const renamed = app.replace(
    'kind: Placement\nmetadata: { name: stage,',
    'kind: Placement\nmetadata: { name: staging,',
  );

  test('a placement that is renamed while the install strategy names it', () => {
    expect(findings(renamed)).toMatchInlineSnapshot(`
      [
        {
          "code": "FW8001",
          "hint": "it seems to be renamed to "default/staging": keep both until the install strategy refers to the new one",
          "message": "Placement "default/stage" is removed while the install strategy of "hello" still refers to it: the hub uninstalls the add-on from 2 clusters and configures it on no cluster",
          "path": "spec.installStrategy.placements[0]",
        },
      ]
    `);
    expect(addOnPart({}, { text: renamed })).toMatchInlineSnapshot(`
      "hello
        the hub configures nothing: placement default/stage not found
        UNINSTALLED from 2 clusters: c4, c5
          because Placement "default/stage" no longer exists (app.yaml:23 in the base)
        stops: placement default/stage not found; 3 clusters left: c1, c2, c3
      "
    `);
  });

  test('a placement that is renamed in one step with the install strategy', () => {
    expect(findings(renamed.replace('- name: stage\n', '- name: staging\n'))).toMatchInlineSnapshot(`
      [
        {
          "code": "FW8002",
          "hint": "change it in two steps: first list the new placement beside the old one, and remove the old one when the new one is decided",
          "message": "2 clusters would keep "hello" only through "default/staging", which the hub has not decided yet: until then it uninstalls the add-on there",
          "path": "spec.installStrategy.placements",
        },
      ]
    `);
  });

  test('the two steps that do no harm', () => {
    const both =
      app.replace(installed('stage'), installed('stage') + installed('staging')) +
      placement('staging', '{ matchExpressions: [{ key: env, operator: In, values: [prod, stage] }] }');
    expect(findings(both)).toEqual([]);
    const last = both.replace(installed('stage'), '');
    expect(planOf({ text: both }, { text: last }).findings).toEqual([]);
  });
});

describe('the hash', () => {
  const hash = (text: string): string => planOf({}, { text }).plan.hash;
  const changed = app.replace('"warn"', '"debug"');

  test('is that of the effect, not of the location', () => {
    expect(hash(`\n\n${changed}`)).toBe(hash(changed));
    expect(hash(app.replace('"warn"', '"error"'))).not.toBe(hash(changed));
    expect(hash(app)).not.toBe(hash(changed));
  });
});
