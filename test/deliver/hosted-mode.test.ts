import { describe, expect, test } from 'vitest';
import { compiledClusters } from '../../compiler/deliver/compiled-clusters.ts';
import { uncompiled } from '../../compiler/deliver/uncompiled.ts';
import { hubObjects } from '../../compiler/hub-objects.ts';
import { explainAddOn, summaryOf } from '../../compiler/plan/explain-add-on.ts';
import { plan } from '../../compiler/plan/plan.ts';
import { planText } from '../../compiler/report/plan-text.ts';
import { hubVersion } from '../../ocm/hub-version.ts';
import type { KubernetesObject } from '../../kubernetes/object-meta.ts';
import { configMap, deployment, resolveTemplate, type TemplateAddOn } from '../render/template-add-on.ts';

const prefix = 'addon.open-cluster-management.io';
const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;

type Named = Pick<KubernetesObject, 'metadata'>;

/** A manifest with a location. */
function located(object: object, location?: string): object {
  const { metadata } = object as Named;
  const annotations = { ...metadata.annotations, [`${prefix}/hosted-manifest-location`]: location };
  return location === undefined ? object : { ...object, metadata: { ...metadata, annotations } };
}

function cluster(name: string, more: { readonly metadata?: object; readonly spec?: object } = {}): object {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, ...more.metadata },
    spec: more.spec ?? { hubAcceptsClient: true },
  };
}

/** An add-on with compiled delivery on `c1`, which `hosting` hosts. */
function hosted(some: Partial<TemplateAddOn> = {}, hosting = 'host'): TemplateAddOn {
  const annotations = { [`${prefix}/hosting-cluster-name`]: hosting };
  return {
    annotations: { 'fleetwright.dev/delivery': 'compiled', [`${prefix}/lifecycle`]: 'self' },
    manifests: [
      located(deployment('agent'), 'hosting'),
      located(configMap('rules'), 'managed'),
      configMap('settings'),
      located(configMap('notes'), 'none'),
    ],
    clusters: { c1: { addOnMetadata: { annotations } } },
    others: [cluster('host')],
    ...some,
  };
}

/** `namespace/name: Kind/name …` of the works. */
function worksOf(addOn: TemplateAddOn): string[] {
  return resolveTemplate(addOn)
    .on('c1')
    .works.map(({ metadata, spec }) => {
      const manifests = spec?.workload?.manifests ?? [];
      const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      return `${metadata.namespace}/${metadata.name}: ${names.join(' ')}`;
    });
}

function conditionsOf(addOn: TemplateAddOn): string[] {
  return resolveTemplate(addOn)
    .on('c1')
    .status.conditions.filter(({ type }) => type.includes('Hosting') || type === 'ManifestApplied')
    .map(({ type, status, message }) => `${type} ${status}: ${message}`);
}

function findings(code: string, addOn: TemplateAddOn): string[] {
  return resolveTemplate(addOn)
    .found(code)
    .map(({ severity, message, path, hint }) => `${severity}: ${message}\n${path}\n${hint}`);
}

describe('a hosted add-on with compiled delivery', () => {
  test('has one work for each cluster', () => {
    expect(worksOf(hosted())).toEqual([
      'c1/addon-agent-deploy-0: ConfigMap/rules ConfigMap/settings',
      'host/addon-agent-deploy-hosting-c1-0: Deployment/agent',
    ]);
    expect(conditionsOf(hosted())).toEqual([
      'HostingClusterValidity True: hosting cluster host is a managed cluster of the hub',
    ]);
    expect(resolveTemplate(hosted()).diagnostics.map(({ code }) => code)).not.toContain('FW7117');
  });

  test('has all manifests on the managed cluster if it is not hosted', () => {
    expect(worksOf(hosted({ clusters: { c1: {} } }))).toEqual([
      'c1/addon-agent-deploy-0: Deployment/agent ConfigMap/rules ConfigMap/notes ConfigMap/settings',
    ]);
  });

  test('names its cluster on the work for the hosting cluster, which has no owner', () => {
    const [, work] = resolveTemplate(hosted()).on('c1').works;
    expect(work?.metadata).toMatchObject({
      name: 'addon-agent-deploy-hosting-c1-0',
      namespace: 'host',
      labels: {
        'open-cluster-management.io/addon-name': 'agent',
        'open-cluster-management.io/addon-namespace': 'c1',
      },
    });
    expect(work?.metadata).not.toHaveProperty('ownerReferences');
  });

  test('is written to one file, and reads back as it was', () => {
    const { resolution } = resolveTemplate(hosted());
    const [file, ...others] = compiledClusters(resolution, target);
    expect(others).toEqual([]);
    expect(file?.objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}`)).toEqual([
      'ManagedClusterAddOn c1',
      'ManifestWork c1',
      'ManifestWork host',
    ]);
    const loaded = [...hubObjects(resolution, target)].map((object) => ({ object }));
    const left = uncompiled(loaded as unknown as Parameters<typeof uncompiled>[0]);
    expect(left.map(({ object }) => object.kind)).toEqual(['ClusterManagementAddOn', 'ManagedClusterAddOn']);
  });

  test('names the clusters to which there is nothing to deploy, so that the companion does not wait', () => {
    const onlyHosting = hosted({ manifests: [located(deployment('agent'), 'hosting')] });
    expect(conditionsOf(onlyHosting)).toContain('ManifestApplied True: no manifest need to apply');
    const [file] = compiledClusters(resolveTemplate(onlyHosting).resolution, target);
    expect(file?.objects[0].metadata.annotations).toEqual({
      [`${prefix}/hosting-cluster-name`]: 'host',
      'fleetwright.dev/delivery': 'compiled',
      'fleetwright.dev/empty-locations': 'managed',
      'fleetwright.dev/own-configs': undefined,
    });
  });

  test('is not deployed to a hosting cluster that leaves', () => {
    const others = [cluster('host', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })];
    expect(worksOf(hosted({ others }))).toEqual([
      'c1/addon-agent-deploy-0: ConfigMap/rules ConfigMap/settings',
    ]);
  });
});

test('explain names the hosting cluster, and the manifests that it gets', () => {
  const both = hosted({ manifests: [located(configMap('rules', { a: '1' }), 'hosting')] });
  const { resolution } = resolveTemplate(both);
  expect(summaryOf(resolution, 'agent', 'c1')).toBe(
    '"c1" has "agent" because of its own ManagedClusterAddOn, hosted on "host"',
  );
  const explained = explainAddOn(resolution, 'agent', 'c1', 'ConfigMap/rules .data', target.hub);
  expect(
    explained?.manifest?.map(({ object, path, value }) => `${object} ${path}: ${String(value)}`),
  ).toEqual(['ConfigMap agents/rules (hosting cluster) data.a: 1']);
});

describe('a plan', () => {
  const planOf = (before: TemplateAddOn, after: TemplateAddOn): string => {
    const [base, head] = [before, after].map((each) => resolveTemplate(each).resolution);
    if (base === undefined || head === undefined) throw new Error('two states');
    const { value } = plan([{ app: 'agent', base, head }], { hub: target.hub, by: [] });
    return planText(value, { paint: (_tone, part) => part, names: 10 })
      .replace(/\nreach\n[^]*/, '')
      .replace(/hash: [0-9a-f]{64}\n$/, '');
  };

  test('shows what moves to another hosting cluster', () => {
    const others = [cluster('host'), cluster('other')];
    expect(planOf(hosted({ others }), hosted({ others }, 'other'))).toMatchInlineSnapshot(`
      "agent
        changed on 1 cluster: c1
          because its ManagedClusterAddOn was edited (app.yaml:7)
          ManagedClusterAddOn agent
            metadata.annotations[addon.open-cluster-management.io/hosting-cluster-name]: "host" -> "other"
              also ManifestWork addon-agent-deploy (hosting cluster) metadata.namespace
      "
    `);
  });

  test('shows what moves to the hosting cluster', () => {
    const before = hosted({ clusters: { c1: {} } });
    expect(planOf(before, hosted())).toContain('Deployment agents/agent (hosting cluster)');
  });

  test('shows that the hosting cluster leaves the fleet', () => {
    expect(planOf(hosted(), hosted({ others: [] }))).toContain(
      'hosting cluster "host" is no longer in the fleet',
    );
  });
});

describe('a finding', () => {
  test('names a location that is not valid (FW6039), hosted or not', () => {
    const manifests = [configMap('settings'), located(configMap('rules'), 'Hosting')];
    for (const addOn of [hosted({ manifests }), hosted({ manifests, clusters: { c1: {} } })])
      expect(findings('FW6039', addOn)).toEqual([
        `error: cannot decide which cluster gets a manifest of add-on "agent" on 1 cluster: not supported manifest location: Hosting
spec.agentSpec.workload.manifests[1]
write managed, hosting or none into ${prefix}/hosted-manifest-location of ConfigMap rules`,
      ]);
  });

  test('is not reported for hub delivery, which ignores locations', () => {
    const manifests = [located(configMap('rules'), 'Hosting')];
    expect(findings('FW6039', hosted({ manifests, annotations: {}, clusters: { c1: {} } }))).toEqual([]);
    expect(findings('FW7117', hosted({ annotations: {} }))).toHaveLength(1);
  });

  test('names a hosting cluster that the fleet does not have (FW6040)', () => {
    expect(findings('FW6040', hosted({}, 'elsewhere'))).toMatchInlineSnapshot(`
      [
        "error: hosting cluster "elsewhere" of add-on "agent" on 1 cluster is not in the fleet: no manifest for it is delivered, and the add-on never becomes available
      metadata.annotations[addon.open-cluster-management.io/hosting-cluster-name]
      name a managed cluster of this hub, or remove the annotation",
      ]
    `);
  });

  test('names a hosting cluster that runs no works (FW6041)', () => {
    const unaccepted = hosted({ others: [cluster('host', { spec: { hubAcceptsClient: false } })] });
    const leaving = hosted({
      others: [cluster('host', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
    });
    expect([unaccepted, leaving, hosted({}, 'c1')].flatMap((each) => findings('FW6041', each)))
      .toMatchInlineSnapshot(`
      [
        "error: hosting cluster "host" of add-on "agent" on 1 cluster is not accepted by the hub: its agent cannot read its works
      metadata.annotations[addon.open-cluster-management.io/hosting-cluster-name]
      set spec.hubAcceptsClient of the ManagedCluster, or name another one",
        "error: hosting cluster "host" of add-on "agent" on 1 cluster is being deleted: it gets no works any more
      metadata.annotations[addon.open-cluster-management.io/hosting-cluster-name]
      name another managed cluster",
        "error: hosting cluster "c1" of add-on "agent" on 1 cluster is the managed cluster itself: no work counts as one for a hosting cluster, and the add-on never becomes available
      metadata.annotations[addon.open-cluster-management.io/hosting-cluster-name]
      remove the annotation: without it, all manifests are delivered to the managed cluster",
      ]
    `);
    expect(findings('FW6041', hosted())).toEqual([]);
  });

  test('names an add-on that runs nothing on its hosting cluster (FW6042)', () => {
    expect(findings('FW6042', hosted({ manifests: [configMap('settings')] }))).toMatchInlineSnapshot(`
      [
        "warning: add-on "agent" is hosted for 1 cluster, but none of its manifests has the location hosting: nothing runs on hosting cluster "host", and the companion finds no work whose health it can check
      metadata.annotations[addon.open-cluster-management.io/hosting-cluster-name]
      annotate the manifests for the hosting cluster with addon.open-cluster-management.io/hosted-manifest-location: hosting, or remove the annotation",
      ]
    `);
    expect(findings('FW6042', hosted())).toEqual([]);
  });
});
