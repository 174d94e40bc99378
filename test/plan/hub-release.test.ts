import { describe, expect, test } from 'vitest';
import { plan } from '../../compiler/plan/plan.ts';
import { planText } from '../../compiler/report/plan-text.ts';
import { hubVersion, type HubVersionName } from '../../ocm/hub-version.ts';
import { fleetOf, resolveText } from '../resolve-text.ts';
import { app, clusters, placement } from './states.ts';

/** The plan of an upgrade of the hub, while nothing in Git changes. */
function upgrade(
  text: string,
  [from, to]: readonly [HubVersionName, HubVersionName] = ['1.2', '1.3'],
  fleet: string = fleetOf(clusters),
): string {
  const [base, head] = [from, to].map((hub) => resolveText(text, { fleet, hub }).resolution);
  if (base === undefined || head === undefined) throw new Error('two releases');
  const { value } = plan([{ app: 'hello', base, head }], {
    hub: hubVersion(to),
    baseHub: hubVersion(from),
    by: [],
  });
  return planText(value, { paint: (_tone, part) => part, names: 10 })
    .replace(/\nreach\n[^]*/, '')
    .replace(/hash: [0-9a-f]{64}\n$/, '');
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

  test('what is a hook before deletion', () => {
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
          because placement default/prod names default/prod, before it was default/base (app.yaml:20)
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
