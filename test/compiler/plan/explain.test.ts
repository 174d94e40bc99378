import { describe, expect, test } from 'vitest';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { explainAddOn } from '../../../src/compiler/explain/explain-add-on.ts';
import { load } from '../../../src/compiler/load/load.ts';
import { affectedBy, whoUses } from '../../../src/compiler/explain/who-uses.ts';
import {
  affectedText,
  explanationText,
  whoUsesText,
} from '../../../src/compiler/report/text/explanation-text.ts';
import { resolve } from '../../../src/compiler/resolve.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { app, appWithDeployment, clusters, config } from './states.ts';

const plain = { paint: (_tone: unknown, text: string) => text, names: 3 };
const own = `
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1 }
spec: { configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: own }] }`;

function resolution(text = app, fleet = fleetOf(clusters)) {
  return resolveText(text, { fleet }).resolution;
}

function explained(cluster: string, field = '', text = app, fleet = fleetOf(clusters)): string {
  const explanation = explainAddOn(resolution(text, fleet), 'hello', cluster, field, hubVersion('1.3'));
  return explanation === undefined ? 'no such add-on' : explanationText(explanation, plain);
}

describe('an add-on on a cluster', () => {
  test('is explained with its placements, its wave, its configurations and their values', () => {
    expect(explained('c1')).toMatchInlineSnapshot(`
      ""c1" has "hello", configured through Placement "default/prod"
      an installation configures it in wave 1 of 1

      placements
        "default/stage" selects "c1": it is in decision group 0, named by PlacementDecision "stage-decision-1"
          passes cluster sets: it belongs to "global", which namespace "default" is bound to
          passes predicates: predicate 0 matches (app.yaml:27)
            label env is "prod", and must be "prod" or "stage"
          passes taints: it has no taints
          passes choice: 5 clusters are left, and the placement selects all
          passes decision group: it is in decision group 0, named by PlacementDecision "stage-decision-1"
        "default/prod" selects "c1": it is in decision group 0, named by PlacementDecision "prod-decision-1"
          passes cluster sets: it belongs to "global", which namespace "default" is bound to
          passes predicates: predicate 0 matches (app.yaml:37)
            label env is "prod", and must be "prod"
          passes taints: it has no taints
          passes choice: 3 clusters are left, and the placement selects all
          passes decision group: it is in decision group 0, named by PlacementDecision "prod-decision-1"

      configuration
        addondeploymentconfigs.addon.open-cluster-management.io
          uses default/prod, from placement default/prod (app.yaml:20)
          not default/base, from default: replaced by placement (app.yaml:9)
        addontemplates.addon.open-cluster-management.io
          uses t1, from default (app.yaml:8)

      values
        spec.agentInstallNamespace: ""
          from AddOnDeploymentConfig default/prod, placement default/prod (app.yaml:57)
          not "" by default/base, default: replaced by placement (app.yaml:47)
        spec.customizedVariables[LEVEL].value: "warn"
          from AddOnDeploymentConfig default/prod, placement default/prod (app.yaml:60)
          not "info" by default/base, default: replaced by placement (app.yaml:50)

      what the cluster answers
        info FW8313: no manifest creates Namespace "agents", which ConfigMap agents/agent of add-on "hello" needs (app.yaml:74)
      "
    `);
  });

  test('that is not there is explained by the placements that do not select it', () => {
    expect(explained('c6')).toMatchInlineSnapshot(`
      ""c6" does not have "hello": none of its 2 placements selects the cluster

      placements
        "default/stage" does not select "c6": label env is "dev", but must be "prod" or "stage"
          passes cluster sets: it belongs to "global", which namespace "default" is bound to
          FAILS predicates: label env is "dev", but must be "prod" or "stage" (app.yaml:27)
        "default/prod" does not select "c6": label env is "dev", but must be "prod"
          passes cluster sets: it belongs to "global", which namespace "default" is bound to
          FAILS predicates: label env is "dev", but must be "prod" (app.yaml:37)
      "
    `);
    expect(explained('c99')).toMatchInlineSnapshot(`
      "the fleet has no cluster "c99"

      placements
        "default/stage" does not select "c99": the fleet has no cluster "c99"
          FAILS fleet: the fleet has no cluster "c99"
        "default/prod" does not select "c99": the fleet has no cluster "c99"
          FAILS fleet: the fleet has no cluster "c99"
      "
    `);
  });

  test('of a cluster with its own configuration names all candidates that lost', () => {
    expect(explained('c1', 'customizedVariables', app + own + config('own', 'trace'))).toMatchInlineSnapshot(`
      ""c1" has "hello", configured through Placement "default/prod"
      an installation configures it in wave 1 of 1

      configuration
        addondeploymentconfigs.addon.open-cluster-management.io
          uses default/own, from cluster (app.yaml:81)
          not default/base, from default: replaced by cluster (app.yaml:9)
          not default/prod, from placement default/prod: replaced by cluster (app.yaml:20)
        addontemplates.addon.open-cluster-management.io
          uses t1, from default (app.yaml:8)

      values
        spec.customizedVariables[LEVEL].value: "trace"
          from AddOnDeploymentConfig default/own, cluster (app.yaml:90)
          not "info" by default/base, default: replaced by cluster (app.yaml:50)
          not "warn" by default/prod, placement default/prod: replaced by cluster (app.yaml:60)
      "
    `);
  });

  test('is unknown if there is no such ClusterManagementAddOn', () => {
    expect(explainAddOn(resolution(), 'other', 'c1', '', hubVersion('1.3'))).toBeUndefined();
  });
});

describe('a rendered value', () => {
  const deployment = appWithDeployment.replace(
    'value: "warn"',
    'value: "warn"\n  registries: [{ source: quay.io/other, mirror: mirror/other }, { source: quay.io/a, mirror: mirror/a }]',
  );

  test('names the registry entry that rewrote an image', () => {
    expect(explained('c1', 'Deployment/agent .spec.template.spec.containers[0].image', deployment))
      .toMatchInlineSnapshot(`
        ""c1" has "hello", configured through Placement "default/prod"
        an installation configures it in wave 1 of 1

        configuration
          addondeploymentconfigs.addon.open-cluster-management.io
            uses default/prod, from placement default/prod (app.yaml:20)
            not default/base, from default: replaced by placement (app.yaml:9)
          addontemplates.addon.open-cluster-management.io
            uses t1, from default (app.yaml:8)

        values
          Deployment agents/agent spec.template.spec.containers[agent].image: "mirror/a/agent:1"
            because of registry quay.io/a -> mirror/a of AddOnDeploymentConfig default/prod; without it "quay.io/a/agent:1" (app.yaml:61)
        "
      `);
    expect(
      explained('c1', 'Deployment/agents/agent spec.template.spec.containers[agent].image', deployment),
    ).toBe(explained('c1', 'Deployment/agent .spec.template.spec.containers[0].image', deployment));
  });

  test('names the variable that it was rendered from, and the template if nothing else decides', () => {
    const values = (field: string): string =>
      explained('c1', field, deployment).replace(/^[^]*\nvalues\n/, '');
    expect(values('ConfigMap/agent data.level')).toMatchInlineSnapshot(`
      "  ConfigMap agents/agent data.level: "warn"
          because of variable LEVEL of AddOnDeploymentConfig default/prod; without it "" (app.yaml:59)
      "
    `);
    expect(values('Deployment/agent .spec.selector')).toMatchInlineSnapshot(`
      "  Deployment agents/agent spec.selector.matchLabels.app: "agent"
          because of AddOnTemplate t1 (app.yaml:72)
      "
    `);
  });

  test("names the cluster's annotation", () => {
    const registries = JSON.stringify({ registries: [{ source: 'quay.io/a', mirror: 'mirror/a' }] });
    const fleet = fleetOf(clusters).replace(
      'name: c4, ',
      `name: c4, annotations: { open-cluster-management.io/image-registries: '${registries}' }, `,
    );
    const text = explained(
      'c4',
      'Deployment/agent .spec.template.spec.containers[agent].image',
      deployment,
      fleet,
    );
    expect(text.replace(/^[^]*\nvalues\n/, '')).toMatchInlineSnapshot(`
      "  Deployment agents/agent spec.template.spec.containers[agent].image: "mirror/a/agent:1"
          because of annotation open-cluster-management.io/image-registries of ManagedCluster c4; without it "quay.io/a/agent:1" (fleet.yaml:37)
      "
    `);
  });
});

describe('who uses a configuration', () => {
  const text = (name: string, written = app): string =>
    whoUsesText(whoUses(resolution(written), name), plain);

  test('is reported by add-on, level and cluster', () => {
    expect(text('default/prod')).toMatchInlineSnapshot(`
      "addondeploymentconfigs default/prod
        hello, from placement default/prod: 3 clusters: c1, c2, c3
      placements default/prod
        hello, from install strategy: 3 clusters: c1, c2, c3
      "
    `);
    expect(text('t1')).toMatchInlineSnapshot(`
      "addontemplates t1
        hello, from default: 5 clusters: c1, c2, c3 and 2 more
      "
    `);
  });

  test('includes add-ons that name it without using it', () => {
    const shadowed = app.replace(
      'configs: []',
      'configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: stage }]',
    );
    expect(text('default/base', shadowed + config('stage', 'x'))).toMatchInlineSnapshot(`
      "addondeploymentconfigs default/base
        hello names it, but uses it on no cluster
      "
    `);
  });

  test('is empty if nothing names it', () => {
    expect(text('default/unknown')).toBe('');
  });
});

describe('the effects of files', () => {
  const text = (...files: string[]): string => affectedText(affectedBy(resolution(), files), plain);

  test('is reported by add-on, with the objects that they have', () => {
    expect(text('app.yaml')).toMatchInlineSnapshot(`
      "hello: 5 clusters: c1, c2, c3 and 2 more
      6 objects: ClusterManagementAddOn hello, Placement default/stage, Placement default/prod and 3 more
      "
    `);
    expect(text('fleet.yaml')).toMatchInlineSnapshot(`
      "hello: 5 clusters: c1, c2, c3 and 2 more
      8 objects: ManagedClusterSet global, ManagedClusterSetBinding default/global, ManagedCluster c1 and 5 more
      "
    `);
  });

  test('is empty for files that were not read', () => {
    expect(text('README.md')).toMatchInlineSnapshot(`
      "no add-on on any cluster
      0 objects
      no object is written in README.md
      "
    `);
  });

  test('counts a configuration where it is used, and not another one of the same name', () => {
    const loaded = load([
      { file: 'hub.yaml', text: app.replace(config('prod', 'warn'), ''), source: 'app' },
      { file: 'configs.yaml', text: config('prod', 'warn'), source: 'app' },
      { file: 'fleet.yaml', text: fleetOf(clusters), source: 'fleet' },
    ]);
    const { value } = resolve(loaded.value, { now: 0, hub: hubVersion('1.3') });
    if (value === undefined) throw new Error('it resolves');
    // The placement of the same name is in the other file, and selects through another one as well.
    expect(affectedBy(value, ['configs.yaml']).addOns).toEqual([
      { addOn: 'hello', clusters: ['c1', 'c2', 'c3'] },
    ]);
  });
});
