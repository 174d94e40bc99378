import { describe, expect, test } from 'vitest';
import { summaryOf } from '../../../../src/compiler/explain/explain-add-on.ts';
import { hubObjects } from '../../../../src/compiler/hub-objects.ts';
import { hubVersion, type HubVersionName } from '../../../../src/ocm/hub-version.ts';
import { resolveText } from '../../../resolve-text.ts';

const prefix = 'addon.open-cluster-management.io';

interface Some {
  readonly hub?: HubVersionName;
  /** Annotations of the ManagedClusterAddOn. */
  readonly annotations?: string;
  /** Fields and annotations of the ClusterManagementAddOn. */
  readonly enables?: string;
  readonly addOnAnnotations?: string;
  readonly defaultConfigs?: string;
  readonly framework?: string;
  /** What the klusterlet of c1 reports. */
  readonly reported?: string;
  /** The sets of both clusters. */
  readonly sets?: readonly [string, string];
  readonly setObjects?: string;
}

const exclusive = (name: string): string =>
  `---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: { name: ${name} }
spec: { clusterSelector: { selectorType: ExclusiveClusterSetLabel } }
`;

/** An add-on of a manager on c1, which asks for hosted mode, and whose klusterlet reports the cluster \`host\`. */
function resolved({
  hub = '1.4',
  annotations = `${prefix}/install-mode: Hosted`,
  enables = 'hostedModeAutoDiscovery: { mode: Enable }',
  addOnAnnotations = '',
  defaultConfigs = '[]',
  framework,
  reported = 'host',
  sets = ['edge', 'edge'],
  setObjects = exclusive('edge'),
}: Some = {}): { findings: readonly string[]; annotations: object; conditions: unknown; summary: string } {
  const profile =
    framework === undefined
      ? ''
      : `---
apiVersion: fleetwright.dev/v1alpha1
kind: ManagerProfile
metadata: { name: agent }
spec: { ${framework} goTemplates: { files: { a.yaml: "{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: default } }" } } }
`;
  const app = `apiVersion: ${prefix}/v1beta1
kind: ClusterManagementAddOn
metadata: { name: agent, annotations: { ${addOnAnnotations} } }
spec: { defaultConfigs: ${defaultConfigs}, installStrategy: { type: Manual }, ${enables} }
---
apiVersion: ${prefix}/v1beta1
kind: ManagedClusterAddOn
metadata: { name: agent, namespace: c1, annotations: { ${annotations} } }
spec: {}
${profile}`;
  const cluster = (name: string, set: string, claims: string): string => `---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}, labels: { cluster.open-cluster-management.io/clusterset: ${set} } }
spec: { hubAcceptsClient: true }
status: { clusterClaims: [${claims}] }
`;
  const claim =
    reported === '' ? '' : `{ name: hosting-cluster.open-cluster-management.io, value: ${reported} }`;
  const fleet = cluster('c1', sets[0], claim) + cluster('host', sets[1], '') + setObjects;
  const { resolution, diagnostics } = resolveText(app, { fleet, hub });
  const held = [...hubObjects(resolution, { hub: hubVersion(hub), addOnApiVersion: 'v1beta1' })].find(
    ({ kind }) => kind === 'ManagedClusterAddOn',
  ) as { metadata: { annotations?: object }; status?: { conditions?: unknown } } | undefined;
  return {
    findings: diagnostics
      .filter(({ code }) => code.startsWith('FW609'))
      .map(({ code, message }) => `${code}: ${message}`),
    // The conversion adds an annotation about the namespace.
    annotations: Object.fromEntries(
      Object.entries(held?.metadata.annotations ?? {}).filter(([key]) => /hosting|install-mode/.test(key)),
    ),
    conditions: held?.status?.conditions,
    summary: summaryOf(resolution, 'agent', 'c1'),
  };
}

const discovered = {
  [`${prefix}/install-mode`]: 'Hosted',
  [`${prefix}/hosting-cluster-name`]: 'host',
  [`${prefix}/hosting-cluster-name-managed-by`]: 'auto-discovery',
};
const undiscovered = { [`${prefix}/install-mode`]: 'Hosted' };

test('the manager writes the reported cluster into the annotation', () => {
  const { findings, annotations, summary } = resolved();
  expect(findings).toEqual([]);
  expect(annotations).toEqual(discovered);
  expect(summary).toBe(
    '"c1" has "agent" because of its own ManagedClusterAddOn, hosted on "host", which its manager discovered',
  );
});

describe('it waits', () => {
  test.each<[string, Some]>([
    ['managed cluster c1 has not reported a hosting cluster', { reported: '' }],
    [
      'self-reported hosting cluster elsewhere is not a managed cluster of the hub',
      { reported: 'elsewhere' },
    ],
    ['managed cluster c1 and hosting cluster host do not share a ManagedClusterSet', { setObjects: '' }],
    [
      'managed cluster c1 and hosting cluster host do not share a ManagedClusterSet',
      { sets: ['default', 'default'], setObjects: exclusive('default') },
    ],
    [
      'managed cluster c1 and hosting cluster host do not share a ManagedClusterSet',
      { sets: ['edge', 'other'], setObjects: exclusive('edge') + exclusive('other') },
    ],
  ])('%s', (reason, some) => {
    const { findings, annotations, conditions, summary } = resolved(some);
    expect(findings).toEqual([
      `FW6090: add-on "agent" on cluster "c1" has no hosting cluster yet, and its manager creates and changes nothing: ${reason}`,
    ]);
    expect(annotations).toEqual(undiscovered);
    expect(conditions).toContainEqual({
      type: 'HostingClusterValidity',
      status: 'False',
      reason: 'HostingClusterAutoDiscoveryPending',
      message: reason,
    });
    expect(summary).toBe(
      `"c1" has "agent" because of its own ManagedClusterAddOn, without a hosting cluster: ${reason}`,
    );
  });
});

test('a set with a label selector counts if it selects both clusters', () => {
  const selects = (values: string): string => `---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: { name: both }
spec:
  clusterSelector:
    selectorType: LabelSelector
    labelSelector:
      matchExpressions:
      - { key: cluster.open-cluster-management.io/clusterset, operator: In, values: [${values}] }
`;
  expect(resolved({ setObjects: selects('edge') }).annotations).toEqual(discovered);
  expect(resolved({ setObjects: selects('other') }).annotations).toEqual(undiscovered);
});

describe('nobody looks', () => {
  const annotation = `${prefix}/hosted-mode-auto-discovery: Enable`;
  const templates = `[{ group: ${prefix}, resource: addontemplates, name: none }]`;
  test.each<[string, Some]>([
    [
      'its ClusterManagementAddOn does not enable spec.hostedModeAutoDiscovery',
      { enables: 'hostedModeAutoDiscovery: { mode: Disable }', addOnAnnotations: annotation },
    ],
    ['its ClusterManagementAddOn does not enable spec.hostedModeAutoDiscovery', { enables: '' }],
    ["the hub's manager of templates hosts no add-ons", { defaultConfigs: templates }],
    [
      'compiled delivery discovers no hosting clusters',
      {
        defaultConfigs: templates,
        addOnAnnotations: `fleetwright.dev/delivery: compiled, ${prefix}/lifecycle: self`,
      },
    ],
    [
      'managers up to those of OCM 1.3 discover no hosting clusters',
      { hub: '1.3', enables: '', addOnAnnotations: annotation },
    ],
    [
      'its manager is built with addon-framework up to 1.3, which discovers no hosting clusters',
      { framework: "framework: '1.3'," },
    ],
    [
      'its ManagerProfile does not name the release of addon-framework, and only managers since 1.4 discover hosting clusters',
      { framework: '' },
    ],
  ])('%s', (reason, some) => {
    const { findings, annotations } = resolved(some);
    expect(findings).toEqual([
      `FW6091: add-on "agent" on cluster "c1" asks for hosted mode, but ${reason}: it is not hosted`,
    ]);
    expect(annotations).toEqual(undiscovered);
  });

  test('unless a manager of 1.4 reads the annotation on a hub of 1.3', () => {
    const some = { hub: '1.3', enables: '', addOnAnnotations: annotation } as const;
    expect(resolved({ ...some, framework: "framework: '1.4'," })).toMatchObject({
      findings: [],
      annotations: discovered,
    });
  });
});

test('a hosting cluster that is named stays, and is compared with the reported one', () => {
  const named = (cluster: string): Some => ({
    annotations: `${prefix}/install-mode: Hosted, ${prefix}/hosting-cluster-name: ${cluster}`,
  });
  expect(resolved(named('host')).findings).toEqual([]);
  expect(resolved({ ...named('c1'), reported: '' }).findings).toEqual([]);
  expect(resolved(named('c1')).findings).toEqual([
    'FW6092: add-on "agent" on cluster "c1" names hosting cluster "c1", but the klusterlet reports that it runs on "host": it does not see the Lease of the agent, and managers since addon-framework 1.4 create nothing on the cluster named',
  ]);
});
