import { describe, expect, test } from 'vitest';
import { compiledClusters, type CompiledCluster } from '../../../src/compiler/deliver/compiled-clusters.ts';
import { uncompiled } from '../../../src/compiler/deliver/uncompiled.ts';
import { clusterFile } from '../../../src/compiler/emit/emit.ts';
import type { Engine } from '../../../src/compiler/emit/engine.ts';
import { hubObjects } from '../../../src/compiler/hub-objects.ts';
import { explainAddOn, summaryOf } from '../../../src/compiler/explain/explain-add-on.ts';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
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

describe('the pre-delete hooks of a hosted add-on', () => {
  const job = (name: string): object => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'agents', annotations: { [`${prefix}/addon-pre-delete`]: '' } },
  });
  const hooks = [
    located(job('bye'), 'managed'),
    located(job('bye-host'), 'hosting'),
    located(job('never'), 'none'),
  ];
  const large = ['a', 'b'].map((name) => located(configMap(name, { text: 'x'.repeat(250_000) }), 'hosting'));
  const hooked = (manifests: readonly object[], hosting?: string): TemplateAddOn => ({
    ...hosted({ manifests }, hosting),
    annotations: {
      'fleetwright.dev/delivery': 'compiled',
      'fleetwright.dev/pre-delete-hooks': 'run',
    },
  });
  const fileOf = (addOn: TemplateAddOn): CompiledCluster => {
    const [file] = compiledClusters(resolveTemplate(addOn).resolution, target);
    if (file === undefined) throw new Error('the cluster has the add-on');
    return file;
  };
  /** The names of the hooks in an object. */
  const hooksIn = ({ metadata }: KubernetesObject): readonly string[] => {
    const annotation = metadata.annotations?.['fleetwright.dev/pre-delete-hooks'] ?? '[]';
    return (JSON.parse(annotation) as readonly Named[]).map((hook) => hook.metadata.name ?? '');
  };

  test('are in the ManagedClusterAddOn and in the first work for the hosting cluster', () => {
    const addOn = hooked([...large, configMap('settings'), ...hooks]);
    const { objects } = fileOf(addOn);
    const shown = objects.map((object) => [
      `${object.metadata.namespace}/${object.metadata.name}`,
      object.metadata.annotations?.['fleetwright.dev/deleted-by'] ?? '',
      ...hooksIn(object),
    ]);
    expect(shown).toEqual([
      ['c1/agent', '', 'bye'],
      ['c1/addon-agent-deploy-0', ''],
      ['host/addon-agent-deploy-hosting-c1-0', 'companion', 'bye-host'],
      ['host/addon-agent-deploy-hosting-c1-1', 'companion'],
    ]);
    expect(resolveTemplate(addOn).on('c1').finalizers).toEqual([
      `${prefix}/addon-pre-delete`,
      `${prefix}/hosting-addon-pre-delete`,
    ]);
    expect(findings('FW7128', addOn)).toEqual([]);
  });

  test('protect the works for the hosting cluster from every engine, and those of the managed one from Flux', () => {
    const protectedBy = (manifests: readonly object[], engine: Engine): readonly string[] =>
      clusterFile(fileOf(hooked(manifests)), engine)
        .text.split('---\n')
        .filter((document) => document.includes('kind: ManifestWork\n'))
        .filter((document) => /prune: disabled|Prune=false,Delete=false/.test(document))
        .map((document) => /addon-agent-deploy[-a-z0-9]*/.exec(document)?.[0] ?? '');
    const [both, hosting] = ['addon-agent-deploy-0', 'addon-agent-deploy-hosting-c1-0'];
    const rest = [configMap('settings'), located(deployment('agent'), 'hosting')];
    expect(protectedBy([...rest, ...hooks], 'flux')).toEqual([both, hosting]);
    expect(protectedBy([...rest, ...hooks], 'argocd')).toEqual([hosting]);
    expect(protectedBy([...rest, ...hooks], 'none')).toEqual([]);
    // Without hooks there, the works for the hosting cluster go at once.
    expect(protectedBy([...rest, ...hooks.slice(0, 1)], 'flux')).toEqual([both]);
    expect(protectedBy([...rest, ...hooks.slice(0, 1)], 'argocd')).toEqual([]);
    expect(protectedBy([...rest, ...hooks.slice(1)], 'flux')).toEqual([both, hosting]);
  });

  test('FW7128: are not run on a hosting cluster that gets nothing else', () => {
    const lone = hooked([configMap('settings'), ...hooks]);
    expect(fileOf(lone).objects.map(hooksIn)).toEqual([['bye'], []]);
    expect(findings('FW7128', lone)).toMatchInlineSnapshot(`
      [
        "warning: nothing runs the 1 pre-delete hook of this template for hosting cluster "host": add-on "agent" delivers nothing else there, and only a work there can contain them
      spec.agentSpec.workload.manifests
      deliver another manifest to the hosting cluster, such as the ServiceAccount of the hooks, or give the hooks the location managed",
      ]
    `);
    const text = 'x'.repeat(200_000);
    const tooLarge = { ...job('large'), spec: { template: { spec: { message: text } } } };
    expect(
      findings('FW7128', hooked([located(deployment('agent'), 'hosting'), located(tooLarge, 'hosting')])),
    ).toMatchInlineSnapshot(`
      [
        "warning: nothing runs the 1 pre-delete hook of this template for hosting cluster "host": with more than 200,000 bytes, they are too large for the annotation that contains them
      spec.agentSpec.workload.manifests
      move data and scripts of the hooks into an image or a ConfigMap",
      ]
    `);
  });

  test('run on the managed cluster if no cluster hosts the add-on', () => {
    const { clusters: _, ...alone } = hooked([configMap('settings'), ...hooks]);
    expect(fileOf(alone).objects.map(hooksIn)).toEqual([['bye', 'bye-host', 'never'], []]);
    expect(findings('FW7128', alone)).toEqual([]);
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
