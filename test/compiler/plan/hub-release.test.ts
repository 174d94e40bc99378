import { describe, expect, test } from 'vitest';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { hubVersion, type HubVersionName } from '../../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { app, clusters, placement } from './states.ts';

type Upgrade = readonly [HubVersionName, HubVersionName];

/** The plan of an upgrade of the hub, while nothing in Git changes. */
function planned(text: string, [from, to]: Upgrade, fleet: string): ReturnType<typeof plan> {
  const [base, head] = [from, to].map((hub) => resolveText(text, { fleet, hub }).resolution);
  if (base === undefined || head === undefined) throw new Error('two releases');
  return plan([{ app: 'hello', base, head }], { hub: hubVersion(to), baseHub: hubVersion(from), by: [] });
}

/** The report of the plan. */
function upgrade(text: string, releases: Upgrade = ['1.2', '1.3'], fleet = fleetOf(clusters)): string {
  const { value } = planned(text, releases, fleet);
  return planText(value, { paint: (_tone, part) => part, names: 10 })
    .replace(/\nreach\n[^]*/, '')
    .replace(/hash: [0-9a-f]{64}\n$/, '');
}

/** What the plan reports about the upgrade besides the changes of clusters. */
function effects(text: string, releases: Upgrade, fleet = fleetOf(clusters)): readonly string[] {
  return planned(text, releases, fleet).diagnostics.map(
    ({ code, object, path, message }) => `${code} ${object?.kind} ${object?.name} ${path}: ${message}`,
  );
}

const workload = (manifest: string): string =>
  app.replace(
    'kind: ConfigMap\n        metadata: { name: agent, namespace: agents }\n        data: { level: "{{LEVEL}}" }',
    manifest,
  );

describe('an upgrade of the hub changes', () => {
  test('nothing on clusters whose add-ons read nothing that differs', () => {
    expect(upgrade(app)).toMatchInlineSnapshot(`
      "plan: nothing changes on 6 clusters
      "
    `);
  });

  test('the groups of agents', () => {
    const registration = app.replace(
      'registration: []',
      'registration: [{ type: KubeClient, kubeClient: {} }]',
    );
    expect(upgrade(registration)).toMatchInlineSnapshot(`
      "hello
        changed on 5 clusters: c1, c2, c3, c4, c5
          because the release of the hub changed from OCM 1.2 to 1.3
          ManagedClusterAddOn hello
            status.registrations[kubeClient].kubeClient.subject.groups[2]: "system:authenticated" removed
      "
    `);
  });

  test('the registrations of a signer that a template lists twice', () => {
    const registration = app.replace(
      'registration: []',
      `registration:
  - { type: CustomSigner, customSigner: { signerName: example.com/a, signingCA: { name: ca } , subject: { user: one } } }
  - { type: CustomSigner, customSigner: { signerName: example.com/a, signingCA: { name: ca } , subject: { user: two } } }`,
    );
    expect(upgrade(registration)).toMatchInlineSnapshot(`
      "hello
        changed on 5 clusters: c1, c2, c3, c4, c5
          because the release of the hub changed from OCM 1.2 to 1.3
          ManagedClusterAddOn hello
            status.registrations[1] added:
              + customSigner:
              +   signerName: example.com/a
              +   subject:
              +     user: two
              + type: customSigner
      "
    `);
  });

  test('the names of the works of sets, which clusters do not notice', () => {
    const set = (refs: string): string => `
---
apiVersion: work.open-cluster-management.io/v1alpha1
kind: ManifestWorkReplicaSet
metadata: { name: web, namespace: default }
spec:
  placementRefs: [${refs}]
  manifestWorkTemplate: { workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: default } }] } }
`;
    expect(upgrade(app + set('{ name: stage }, { name: prod }'))).toBe(
      'plan: nothing changes on 6 clusters\n',
    );
    expect(effects(app + set('{ name: stage }'), ['1.2', '1.3']).at(-1)).toMatchInlineSnapshot(
      `"FW8033 ManifestWorkReplicaSet web metadata.name: the hub generates the names of the new works of 1 ManifestWorkReplicaSet, before they had the name of their set"`,
    );
    expect(effects(app + set('{ name: stage }'), ['1.3', '1.2']).at(-1)).toMatchInlineSnapshot(
      `"FW8033 ManifestWorkReplicaSet web metadata.name: the hub names the new works of 1 ManifestWorkReplicaSet after their set, before it generated their names"`,
    );
  });

  test('annotations that the hub copies from clusters', () => {
    const annotated = fleetOf(clusters).replace(
      'metadata: { name: c1,',
      'metadata: { name: c1, annotations: { addon.open-cluster-management.io/values: "{}" },',
    );
    expect(upgrade(app, ['1.2', '1.3'], annotated)).toMatchInlineSnapshot(`
      "hello
        changed on 1 cluster: c1
          because annotation addon.open-cluster-management.io/values changed (fleet.yaml:13)
          ManagedClusterAddOn hello
            metadata.annotations[addon.open-cluster-management.io/values]: "{}" added
      "
    `);
  });

  test('hooks before deletion', () => {
    const hook = workload(`kind: Pod
        metadata:
          name: clean-up
          namespace: agents
          labels: { open-cluster-management.io/addon-pre-delete: "" }
        spec: { containers: [{ name: clean-up, image: "quay.io/a/clean-up:1" }] }`);
    expect(upgrade(hook)).toMatchInlineSnapshot(`
      "hello
        changed on 5 clusters: c1, c2, c3, c4, c5
          because the release of the hub changed from OCM 1.2 to 1.3
          Pod agents/clean-up
            the object added:
              + apiVersion: v1
              + kind: Pod
              + metadata:
              +   name: clean-up
              +   namespace: agents
              +   labels:
              +     open-cluster-management.io/addon-pre-delete: ""
              + spec:
              +   containers:
              +   - name: clean-up
              +     image: quay.io/a/clean-up:1
      "
    `);
  });

  test('the fields of workloads that the hub understands', () => {
    const field = app.replace(
      'apiVersion: v1\n        kind: ConfigMap\n        metadata: { name: agent, namespace: agents }\n        data: { level: "{{LEVEL}}" }',
      `apiVersion: apps/v1
        kind: Deployment
        metadata: { name: agent, namespace: agents }
        spec:
          selector: { matchLabels: { app: agent } }
          template:
            metadata: { labels: { app: agent } }
            spec: { hostnameOverride: agent, containers: [{ name: agent, image: "quay.io/a/agent:1" }] }`,
    );
    expect(upgrade(field, ['1.1', '1.2'])).toMatchInlineSnapshot(`
      "hello
        changed on 5 clusters: c1, c2, c3, c4, c5
          because the release of the hub changed from OCM 1.1 to 1.2
          Deployment agents/agent
            spec.template.metadata.creationTimestamp: null removed
            spec.template.spec.hostnameOverride: "agent" added
      "
    `);
  });

  test('the clusters that an expression selects', () => {
    const cel = placement('prod', '{ matchLabels: { env: prod } }');
    const selected = app.replace(
      cel,
      cel.replace(
        'labelSelector: { matchLabels: { env: prod } }',
        'celSelector: { celExpressions: [\'managedCluster.metadata.labels.`env` == "prod"\'] }',
      ),
    );
    expect(upgrade(selected)).toMatchInlineSnapshot(`
      "hello
        changed on 3 clusters: c1, c2, c3
          because on OCM 1.2, the hub reports the placement as misconfigured, and selects nothing
          because placement default/prod names default/prod, previously default/base (app.yaml:20)
          AddOnDeploymentConfig default/prod
            spec.customizedVariables[LEVEL].value: "info" -> "warn"
              also ConfigMap agents/agent data.level
        1 wave
          1: c1, c2, c3

      placements
        default/prod: 3 clusters, before 0
          gains c1, c2, c3: on OCM 1.2, the hub reports the placement as misconfigured, and selects nothing
      "
    `);
  });
});

describe('an upgrade to OCM 1.4', () => {
  const to14 = ['1.3', '1.4'] as const;

  test('changes nothing on clusters whose add-ons read nothing that differs', () => {
    expect(upgrade(app, to14)).toBe('plan: nothing changes on 6 clusters\n');
    expect(effects(app, to14)).toEqual([]);
  });

  test('changes the clusters that an expensive expression selects', () => {
    const loop = (name: string, body: string): string => `[1,2,3,4,5,6,7,8,9,10].all(${name}, ${body})`;
    const expensive = loop('a', loop('b', loop('c', loop('d', `"${'a'.repeat(200)}".upperAscii() != ""`))));
    const cel = placement('prod', '{ matchLabels: { env: prod } }');
    const selected = app.replace(
      cel,
      cel.replace(
        'labelSelector: { matchLabels: { env: prod } }',
        `celSelector: { celExpressions: ['${expensive}'] }`,
      ),
    );
    expect(upgrade(selected, to14)).toMatchInlineSnapshot(`
      "hello
        UNINSTALLED from 1 cluster: c6
          because on OCM 1.4, CEL expression costs more than the hub allows: [1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".upperAscii() != ""))))
        changed on 5 clusters: c1, c2, c3, c4, c5
          because on OCM 1.4, CEL expression costs more than the hub allows: [1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".upperAscii() != ""))))
          because default names default/base, previously default/prod (app.yaml:9)
          AddOnDeploymentConfig default/base
            spec.customizedVariables[LEVEL].value: "warn" -> "info"
              also ConfigMap agents/agent data.level
        1 wave
          1: c1, c2, c3, c4, c5

      placements
        default/prod: 0 clusters, before 6
          loses c1, c2, c3, c4, c5, c6: on OCM 1.4, CEL expression costs more than the hub allows: [1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".upperAscii() != ""))))
      "
    `);
  });

  test('reads the last of several configurations, whose order was random', () => {
    const two = app.replace(
      'name: prod }]',
      'name: prod }, { group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: base }]',
    );
    expect(upgrade(two, to14)).toMatchInlineSnapshot(`
      "hello
        changed on 3 clusters: c1, c2, c3
          because the release of the hub changed from OCM 1.3 to 1.4
          ConfigMap agents/agent
            data.level: "warn" -> "info"
      "
    `);
    expect(effects(two, to14)).toMatchInlineSnapshot(`
      [
        "FW8033 ClusterManagementAddOn hello spec.installStrategy.placements[1].configs[1]: on OCM 1.3 the hub orders the addondeploymentconfigs of placement default/prod randomly, and on OCM 1.4 it keeps their order",
        "FW8033 ClusterManagementAddOn hello spec.supportedConfigs: on OCM 1.4 template add-ons read the last of several addondeploymentconfigs, before the first; 3 clusters of "hello" have several",
      ]
    `);
  });

  test('reads the annotation about clocks', () => {
    const annotated = fleetOf(clusters).replace(
      'metadata: { name: c1,',
      'metadata: { name: c1, annotations: { registration.open-cluster-management.io/skip-clock-sync-check: "true" },',
    );
    expect(effects(app, to14, annotated)).toMatchInlineSnapshot(`
      [
        "FW8033 ManagedCluster c1 metadata.annotations[registration.open-cluster-management.io/skip-clock-sync-check]: the hub begins to ignore the clocks of 1 cluster with the annotation registration.open-cluster-management.io/skip-clock-sync-check",
      ]
    `);
    expect(effects(app, ['1.2', '1.3'], annotated)).not.toContainEqual(expect.stringContaining('clock'));
  });
});

test('an upgrade reports what changes in statuses and in the output', () => {
  expect(effects(app, ['1.2', '1.3'])).toMatchInlineSnapshot(`
    [
      "FW8033 ClusterManagementAddOn hello status.installProgressions: the hub counts the progress of placements differently: "selected clusters 5. configured addons 2/2 completed with no errors, 0 failed 0 timeout." for default/stage, before "2/5 progressing..., 0 failed 0 timeout."",
      "FW8033 ClusterManagementAddOn hello metadata: the hub writes 5 ManagedClusterAddOns and their owner references in v1beta1, before in v1alpha1",
      "FW8033 Placement stage spec: the output has the defaults of sortBy and scoreRateLimit in 2 Placements, which no release reads",
    ]
  `);
  expect(effects(app, ['1.1', '1.2'])).toEqual([]);
});
