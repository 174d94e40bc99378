import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { compiledClusters } from '../../../src/compiler/deliver/compiled-clusters.ts';
import { individualObjects } from '../../../src/compiler/deliver/individual-objects.ts';
import { clusterFile, emit, type Tree } from '../../../src/compiler/emit/emit.ts';
import type { Engine } from '../../../src/compiler/emit/engine.ts';
import { resolutionDocument } from '../../../src/compiler/emit/resolution.ts';
import { yamlDocument } from '../../../src/compiler/emit/yaml.ts';
import { hubObjects } from '../../../src/compiler/hub-objects.ts';
import { hubVersion, type HubVersionName } from '../../../src/ocm/hub-version.ts';
import type { Resolution } from '../../../src/compiler/resolve.ts';
import { rollout } from '../../../src/compiler/rollout/rollout.ts';
import { hubPermissions } from '../../../src/controller/hub/registration/hub-permissions.ts';
import type { RoleBinding } from '../../../src/controller/hub/registration/role-binding.ts';
import { addOnStatus } from '../../../src/controller/hub/add-on-status.ts';
import { specHash } from '../../../src/ocm/spec-hash.ts';
import type {
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
} from '../../../schemas/types.gen.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { storedAddOn, storedCluster, storedOnCluster } from '../../controller/hub/stored-add-ons.ts';
import { importText } from '../../importer/imported.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { addOn, app, clusters, installed, reported } from '../plan/states.ts';
import { agentUser } from '../../../src/ocm/agent-identity.ts';

const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
const fleet = fleetOf(clusters);

const asCompiled = (text: string): string =>
  text.replace('metadata: { name: hello }', () => {
    const annotations =
      '{ fleetwright.dev/delivery: compiled, addon.open-cluster-management.io/lifecycle: self }';
    return `metadata: { name: hello, annotations: ${annotations} }`;
  });
const compiled = asCompiled(app);

const twoAtATime = '{ type: Progressive, progressive: { maxConcurrency: 2 } }';
/** Placements, configurations and template of `app`, without its add-on. */
const others = app.slice(addOn(installed('stage') + installed('prod', 'prod')).length);
const inWaves = asCompiled(addOn(installed('stage', undefined, twoAtATime)) + others);

const own = (cluster: string, name: string): string => `
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: ${cluster} }
spec:
  configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: ${name} }]
`;

function treeOf(resolution: Resolution, engine: Engine = 'argocd'): Tree {
  const objects = individualObjects(resolution, target);
  return emit(objects, resolutionDocument(resolution), engine, {
    compiled: compiledClusters(resolution, target),
  });
}

/** The files of a tree that contain objects, as one text. */
function objectsIn(tree: Tree): string {
  return [...tree]
    .filter(([name]) => !name.endsWith('kustomization.yaml') && name !== 'resolution.yaml')
    .map(([, text]) => text)
    .join('---\n');
}

/** As a snapshot holds it: a hub notes times, and owners are not kept. */
function snapshotOf({
  metadata: { ownerReferences: _, ...metadata },
  status,
  ...object
}: KubernetesObject): string {
  const { conditions = [], ...rest } = status as { conditions?: readonly object[] };
  const timed = conditions.map((condition) => ({ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' }));
  return yamlDocument({ ...object, metadata, status: { ...rest, conditions: timed } });
}

function codesOf(text: string): string[] {
  return resolveText(text, { fleet }).diagnostics.map(({ code }) => code);
}

function findingTexts(text: string, code: string): string[] {
  return resolveText(text, { fleet })
    .diagnostics.filter((diagnostic) => diagnostic.code === code)
    .map(({ severity, message, path, hint }) => `${severity}: ${message}\n${path}\n${hint}`);
}

/** The clusters of each wave. */
function wavesOf(resolution: Resolution): string[] {
  const waves: string[][] = [];
  for (const { cluster, wave } of compiledClusters(resolution, target))
    (waves[wave - 1] ??= []).push(cluster);
  return waves.map((wave) => wave.join(' '));
}

describe('the output', () => {
  test('the add-on is kept, except for the fields that would make the hub deliver it too', () => {
    const text = treeOf(resolveText(compiled, { fleet }).resolution).get('clustermanagementaddon_hello.yaml');
    expect(text).toMatchInlineSnapshot(`
      "apiVersion: addon.open-cluster-management.io/v1alpha1
      kind: ClusterManagementAddOn
      metadata:
        name: hello
        annotations:
          addon.open-cluster-management.io/lifecycle: self
          fleetwright.dev/clusters: |
            c1
            c2
            c3
            c4
            c5
          fleetwright.dev/default-template: t1
          fleetwright.dev/delivery: compiled
        labels:
          app.kubernetes.io/managed-by: fleetwright
      spec:
        installStrategy:
          placements:
          - name: stage
            namespace: default
            rolloutStrategy:
              type: All
          - name: prod
            namespace: default
            configs:
            - name: prod
              namespace: default
              group: addon.open-cluster-management.io
              resource: addondeploymentconfigs
            rolloutStrategy:
              type: All
          type: Placements
        supportedConfigs:
        - defaultConfig:
            name: base
            namespace: default
          group: addon.open-cluster-management.io
          resource: addondeploymentconfigs
      "
    `);
  });

  test('a lifecycle that is not set is written', () => {
    const unsaid = compiled.replace(', addon.open-cluster-management.io/lifecycle: self', '');
    expect(objectsIn(treeOf(resolveText(unsaid, { fleet }).resolution))).toBe(
      objectsIn(treeOf(resolveText(compiled, { fleet }).resolution)),
    );
  });

  test('one file a cluster, with its ManagedClusterAddOn and its works', () => {
    const { resolution } = resolveText(compiled + own('c2', 'base'), { fleet });
    const tree = treeOf(resolution);
    expect([...tree.keys()].filter((name) => name.startsWith('clusters/'))).toEqual([
      'clusters/managedclusteraddon_c1_hello.yaml',
      'clusters/managedclusteraddon_c2_hello.yaml',
      'clusters/managedclusteraddon_c3_hello.yaml',
      'clusters/managedclusteraddon_c4_hello.yaml',
      'clusters/managedclusteraddon_c5_hello.yaml',
      'clusters/kustomization.yaml',
    ]);
    expect(tree.get('clusters/managedclusteraddon_c2_hello.yaml')).toMatchInlineSnapshot(`
      "apiVersion: addon.open-cluster-management.io/v1alpha1
      kind: ManagedClusterAddOn
      metadata:
        name: hello
        namespace: c2
        annotations:
          argocd.argoproj.io/sync-wave: "1"
          fleetwright.dev/delivery: compiled
          fleetwright.dev/own-configs: addondeploymentconfigs.addon.open-cluster-management.io
        labels:
          app.kubernetes.io/managed-by: fleetwright
      spec:
        configs:
        - name: base
          namespace: default
          group: addon.open-cluster-management.io
          resource: addondeploymentconfigs
        - name: t1
          group: addon.open-cluster-management.io
          resource: addontemplates
        installNamespace: open-cluster-management-agent-addon
      ---
      apiVersion: work.open-cluster-management.io/v1
      kind: ManifestWork
      metadata:
        name: addon-hello-deploy-0
        namespace: c2
        annotations:
          argocd.argoproj.io/sync-wave: "1"
          open-cluster-management.io/config-spec-hash: "{\\"addondeploymentconfigs.addon.open-cluster-management.io/default/base\\":\\"cb6faf7a8b0b7c8a6a0e1abb2f32ce194faa10f43355920d26adca7282d19b76\\",\\"addontemplates.addon.open-cluster-management.io//t1\\":\\"a75eaba66aa04487c8e1ba59173c036d4776905dcf191ec9ca05b6a4b75ae707\\"}"
        labels:
          app.kubernetes.io/managed-by: fleetwright
          open-cluster-management.io/addon-name: hello
      spec:
        workload:
          manifests:
          - apiVersion: v1
            kind: ConfigMap
            metadata:
              name: agent
              namespace: agents
            data:
              level: info
      "
    `);
    expect(
      tree.get('kustomization.yaml')?.endsWith('- clustermanagementaddon_hello.yaml\n- clusters\n'),
    ).toBe(true);
  });

  test('in v1beta1 as the hub returns it', () => {
    const { resolution } = resolveText(compiled, { fleet });
    const [first] = compiledClusters(resolution, { ...target, addOnApiVersion: 'v1beta1' });
    expect(yamlDocument(first?.objects[0] ?? {})).toMatchInlineSnapshot(`
      "apiVersion: addon.open-cluster-management.io/v1beta1
      kind: ManagedClusterAddOn
      metadata:
        name: hello
        namespace: c1
        annotations:
          addon.open-cluster-management.io/v1alpha1-install-namespace: open-cluster-management-agent-addon
          fleetwright.dev/delivery: compiled
      spec:
        configs:
        - name: prod
          namespace: default
          group: addon.open-cluster-management.io
          resource: addondeploymentconfigs
        - name: t1
          group: addon.open-cluster-management.io
          resource: addontemplates
      "
    `);
  });

  test('nothing for clusters that no placement selects', () => {
    const { resolution } = resolveText(compiled, { fleet });
    expect([...compiledClusters(resolution, target)].map(({ cluster }) => cluster)).not.toContain('c6');
  });

  test('without placements, the ManagedClusterAddOns of the app', () => {
    const manual = asCompiled(addOn('', 't1', 'Manual') + others);
    const { resolution } = resolveText(manual + own('c6', 'base'), { fleet });
    expect(wavesOf(resolution)).toEqual(['c6']);
  });
});

describe('waves', () => {
  test('are those of an installation, by the strategy of the placement', () => {
    const { resolution } = resolveText(inWaves, { fleet });
    expect(wavesOf(resolution)).toEqual(['c1 c2', 'c3 c4', 'c5']);
  });

  test('Argo CD reads it in each object, so that no file moves if a wave changes', () => {
    const tree = treeOf(resolveText(inWaves, { fleet }).resolution);
    const text = tree.get('clusters/managedclusteraddon_c5_hello.yaml') ?? '';
    expect(text.match(/argocd.argoproj.io\/sync-wave: "3"/g)).toHaveLength(2);
  });

  test('are folders for Flux, applied one after the other', () => {
    const tree = treeOf(resolveText(inWaves, { fleet }).resolution, 'flux');
    expect(tree.get('wave-2/kustomization.yaml')).toBe(`apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- managedclusteraddon_c3_hello.yaml
- managedclusteraddon_c4_hello.yaml
`);
    expect(tree.get('kustomization.yaml')?.split('\n').slice(-4, -1)).toEqual([
      '- wave-1',
      '- wave-2',
      '- wave-3',
    ]);
    expect(objectsIn(tree)).not.toContain('sync-wave');
  });

  test('do not depend on the actual state of clusters', () => {
    const { resolution } = resolveText(inWaves, { fleet });
    const statuses = [...hubObjects(resolution, target)].filter(({ kind }) => kind === 'ManagedClusterAddOn');
    const later = resolveText(inWaves, { fleet: `${fleet}---\n${statuses.map(snapshotOf).join('---\n')}` });
    expect(wavesOf(later.resolution)).toEqual(wavesOf(resolution));
    expect(later.resolution.rollouts.get('hello')?.waves).toEqual([]);
  });

  test('that are predicted have the clusters that change, in their turns', () => {
    const text = inWaves + own('c4', 'prod');
    expect(
      reported({ text: inWaves }, { text })
        .split('\n')
        .filter((line) => /^ {2}\d+ wave|^ {4}\d/.test(line)),
    ).toEqual(['  1 wave', '    1: c4']);
    const changed = inWaves.replace('level: "{{LEVEL}}"', 'level: "{{LEVEL}}!"');
    expect(
      reported({ text: inWaves }, { text: changed })
        .split('\n')
        .filter((line) => /^ {2}\d+ wave|^ {4}\d/.test(line)),
    ).toEqual(['  3 waves', '    1: c1, c2', '    2: c3, c4', '    3: c5']);
  });

  test('behind a cluster that fails are not applied, and keep their state', () => {
    const { resolution } = resolveText(inWaves, { fleet });
    const { value } = rollout(resolution, {
      now: 0,
      hub: target.hub,
      failing: new Set(['c3']),
      from: new Map(),
    });
    const { waves, stops, unready, reached } = value.get('hello') ?? {};
    expect(waves?.map((wave) => wave.clusters)).toEqual([
      ['c1', 'c2'],
      ['c3', 'c4'],
    ]);
    expect(unready).toEqual(['c3']);
    expect(stops).toEqual([
      {
        reason: 'under way',
        message: 'waits for "c3" to become healthy, without a deadline: the add-on is delivered from Git',
        culprits: ['c3'],
        left: ['c5'],
      },
    ]);
    expect(reached?.get('c5')?.references).toEqual([]);
  });
});

describe('the output', () => {
  const written = compiled + own('c2', 'base');
  const tree = treeOf(resolveText(written, { fleet }).resolution, 'none');

  test('resolves to itself', () => {
    expect([...treeOf(resolveText(objectsIn(tree), { fleet }).resolution, 'none')]).toEqual(
      [...tree]
        .filter(([name]) => name !== 'resolution.yaml')
        .concat([['resolution.yaml', expect.any(String)]] as never),
    );
  });

  test('in a fleet snapshot defines the actual state of clusters, not the desired one', () => {
    const snapshot = `${fleet}---\n${objectsIn(tree)}`;
    // The app has the override of c2 no more.
    expect([...treeOf(resolveText(compiled, { fleet: snapshot }).resolution, 'none')]).toEqual([
      ...treeOf(resolveText(compiled, { fleet }).resolution, 'none'),
    ]);
  });

  test('is rejected by admission if one of its annotations is not a string', () => {
    const number = objectsIn(tree).replace(
      /fleetwright.dev\/own-configs: .*/,
      'fleetwright.dev/own-configs: 5',
    );
    expect(() => resolveText(number, { fleet })).toThrow(
      /^not admitted: .*"path": "metadata.annotations".*quotes: /s,
    );
  });

  test('becomes the constructs that produce it again', () => {
    const configs = `configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: prod }]`;
    const text = objectsIn(tree).replace(/( +)rolloutStrategy:/, `$1${configs}\n$&`);
    const { app, diagnostics } = importText(text);
    const code = [...(app?.files.values() ?? [])].join('\n');
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(code.slice(code.indexOf('// --- Add-ons'))).toMatchInlineSnapshot(`
      "// --- Add-ons ---

      const hello = new ClusterManagementAddOn(hub, 'hello', {
        delivery: 'compiled',
        defaultConfigs: [base, t1],
        placements: [
          { placement: stage, configs: [prodConfig] },
          { placement: prod, configs: [prodConfig] },
        ],
      });

      hello.forCluster('c2', { configs: [base] });

      export default app;
      "
    `);
  });
});

describe('the content of the hub', () => {
  const held = [...hubObjects(resolveText(compiled, { fleet }).resolution, target)];
  const of = (kind: string): KubernetesObject[] => held.filter((object) => object.kind === kind);

  test('has the works of hub delivery', () => {
    const byHub = [...hubObjects(resolveText(app, { fleet }).resolution, target)];
    expect(of('ManifestWork')).toEqual(byHub.filter(({ kind }) => kind === 'ManifestWork'));
  });

  test('and no progress of an add-on that the hub does not roll out', () => {
    const [addOn] = of('ClusterManagementAddOn');
    expect(addOn?.['status']).toEqual({
      defaultconfigReferences: [
        {
          group: 'addon.open-cluster-management.io',
          resource: 'addondeploymentconfigs',
          desiredConfig: { namespace: 'default', name: 'base', specHash: '' },
        },
      ],
    });
  });
});

describe('the behavior of the companion', () => {
  const permissions = `
  - type: KubeClient
    kubeClient:
      hubPermissions:
      - { type: CurrentCluster, currentCluster: { clusterRoleName: reader } }
      - { type: CurrentCluster, currentCluster: { clusterRoleName: "system:a:${'role'.repeat(70)}" } }
      - type: SingleNamespace
        singleNamespace: { namespace: prices, roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: prices } }`;
  const asked = compiled.replace('registration: []', `registration: ${permissions}`);
  const registering = (hub: HubVersionName): KubernetesObject[] => [
    ...hubObjects(resolveText(asked, { fleet, hub }).resolution, { ...target, hub: hubVersion(hub) }),
  ];

  test('is predicted: each cluster has its own permissions, for its agent only', () => {
    const template = addOnTemplateOf(asked);
    const predicted = registering('1.3').filter(({ kind }) => kind === 'RoleBinding');
    const made = ['c1', 'c2', 'c3', 'c4', 'c5'].flatMap((cluster) => {
      const found = hubPermissions(template, {
        addOn: 'hello',
        cluster,
        owner: {
          apiVersion: 'addon.open-cluster-management.io/v1beta1',
          kind: 'ManagedClusterAddOn',
          name: 'hello',
          uid: '',
        },
        user: agentUser({ addOn: 'hello', cluster }),
      });
      return 'error' in found ? [] : found.bindings;
    });
    expect(made).toHaveLength(15);
    expect(sorted(predicted)).toEqual(sorted(made.map(withoutUids)));
  });

  test('is predicted: a role that cannot be bound is reported in the words of the API server', () => {
    const role = 'roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: prices }';
    const unbindable = asked.replace(
      role,
      'roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Group, name: "" }',
    );
    const { resolution } = resolveText(unbindable, { fleet });
    const status = [...hubObjects(resolution, target)].find(
      ({ kind }) => kind === 'ManagedClusterAddOn',
    )?.status;
    expect(JSON.stringify(status)).toContain(
      'RoleBinding.rbac.authorization.k8s.io \\"fleetwright:hello:c1:group:\\" is invalid: ' +
        '[roleRef.kind: Unsupported value: \\"Group\\": supported values: \\"Role\\", \\"ClusterRole\\", roleRef.name: Required value]',
    );
  });

  test('is predicted: agents are registered in no group of everybody, also on hubs that do so', () => {
    const registered = (objects: readonly KubernetesObject[]): string =>
      JSON.stringify(
        objects.filter(({ kind }) => kind === 'ManagedClusterAddOn').map(({ status }) => status),
      );
    expect(registered(registering('1.2'))).toContain('agent:hello-agent');
    expect(registered(registering('1.2'))).not.toContain('system:authenticated');
  });

  test('is predicted: it follows the Lease if the add-on requests that', () => {
    const modes = (text: string): unknown[] =>
      [...hubObjects(resolveText(text, { fleet }).resolution, target)].flatMap(({ kind, status }) =>
        kind === 'ManagedClusterAddOn' ? [(status as { healthCheck?: object }).healthCheck] : [],
      );
    const byLease = compiled.replace(
      'fleetwright.dev/delivery',
      'fleetwright.dev/health: lease, fleetwright.dev/delivery',
    );
    expect(new Set(modes(compiled).map((mode) => JSON.stringify(mode)))).toEqual(
      new Set(['{"mode":"Customized"}']),
    );
    expect(new Set(modes(byLease).map((mode) => JSON.stringify(mode)))).toEqual(
      new Set(['{"mode":"Lease"}']),
    );
  });
});

describe('configurations of other kinds', () => {
  const others = `
  - { resource: configmaps, defaultConfig: { name: greeting, namespace: default } }
  - { resource: secrets, defaultConfig: { name: login, namespace: default } }`;
  const listing = compiled.replace('supportedConfigs:', `supportedConfigs:${others}`);
  const greeting = (text: string): string => `
---
apiVersion: v1
kind: ConfigMap
metadata: { name: greeting, namespace: default }
data: { text: ${text} }
`;
  const statusOn = (text: string): ManagedClusterAddOnV1alpha1['status'] & object => {
    const held = [...hubObjects(resolveText(text, { fleet }).resolution, target)];
    const found = held.find(
      ({ kind, metadata }) => kind === 'ManagedClusterAddOn' && metadata.namespace === 'c1',
    );
    return found?.['status'] as ManagedClusterAddOnV1alpha1['status'] & object;
  };
  const written = listing + greeting('hello');

  test('are named for the companion, which supports and hashes them as predicted', () => {
    const tree = treeOf(resolveText(written, { fleet }).resolution, 'none');
    const emitted = (file: string): unknown => parseAllDocuments(tree.get(file) ?? '')[0]?.toJS();
    const { metadata, spec } = emitted('clustermanagementaddon_hello.yaml') as ClusterManagementAddOnV1alpha1;
    const onCluster = emitted('clusters/managedclusteraddon_c1_hello.yaml') as ManagedClusterAddOnV1alpha1;
    const predicted = statusOn(written);
    const hashes = new Map(
      predicted.configReferences?.map(({ resource, desiredConfig }) => [
        resource,
        desiredConfig?.specHash ?? '',
      ]),
    );
    const companion = addOnStatus(
      {
        addOn: storedAddOn(spec, metadata.annotations),
        onCluster: storedOnCluster(onCluster.spec),
        cluster: storedCluster(),
        template: addOnTemplateOf(written),
        deploymentConfig: undefined,
        factsOf: ({ resource }) => ({ specHash: hashes.get(resource) ?? '', generation: 1 }),
        works: [],
        permissionError: undefined,
      },
      0,
    );
    expect(predicted.supportedConfigs).toEqual(companion.supportedConfigs);
    const desiredConfigs = (status: typeof companion): unknown =>
      status.configReferences?.map(({ resource, name, desiredConfig }) => [resource, name, desiredConfig]);
    expect(desiredConfigs(predicted)).toEqual(desiredConfigs(companion));
    const { apiVersion, kind } = onCluster;
    expect(hashes.get('configmaps')).toBe(specHash({ apiVersion, kind, metadata, data: { text: 'hello' } }));
    // It is in no Git: only the hub knows.
    expect(hashes.get('secrets')).toBe('');
  });

  test('change no work, and need no explanation', () => {
    const works = (text: string): KubernetesObject[] =>
      [...hubObjects(resolveText(text, { fleet }).resolution, target)].filter(
        ({ kind }) => kind === 'ManifestWork',
      );
    expect(works(written)).toEqual(works(compiled));
    expect(codesOf(written).filter((code) => code.startsWith('FW4'))).toEqual([]);
  });

  test('that only the hub has do not block a wave', () => {
    const text = inWaves.replace('supportedConfigs:', `supportedConfigs:${others}`);
    const { resolution } = resolveText(text, { fleet });
    expect(wavesOf(resolution)).toEqual(['c1 c2', 'c3 c4', 'c5']);
    expect(resolution.rollouts.get('hello')?.stops).toEqual([]);
    expect(statusOn(text).conditions).toContainEqual(
      expect.objectContaining({ type: 'Progressing', reason: 'Completed' }),
    );
  });

  test('that are not listed anywhere are reported, and those that are not available', () => {
    const unlisted = own('c2', 'base').replace(
      'configs: [',
      'configs: [{ resource: services, namespace: default, name: x }, ',
    );
    expect(findingTexts(listing + unlisted, 'FW4002')).toEqual([
      'warning: services "default/x" is of a kind that the add-on does not support, so it has no effect (used by 1 cluster)\n' +
        "spec.configs[0]\nlist services in the ClusterManagementAddOn's supportedConfigs",
    ]);
    expect(codesOf(listing).filter((code) => code.startsWith('FW4'))).toEqual(['FW4008']);
  });
});

function addOnTemplateOf(text: string): AddOnTemplateV1alpha1 {
  const [template] = resolveText(text, { fleet }).resolution.inventory.addOnTemplates.values();
  if (template === undefined) throw new Error('there is no template');
  return template.object;
}

function sorted(objects: readonly object[]): string[] {
  return objects.map((object) => JSON.stringify(object, Object.keys(flat(object)).sort())).sort();
}

/** All keys of an object and of what is in it, for a replacer. */
function flat(value: unknown): Record<string, true> {
  if (typeof value !== 'object' || value === null) return {};
  const own = Array.isArray(value)
    ? {}
    : Object.fromEntries(Object.keys(value).map((key) => [key, true as const]));
  return Object.assign({}, own, ...Object.values(value).map(flat)) as Record<string, true>;
}

/** Only the hub knows uids. */
function withoutUids(binding: RoleBinding): object {
  const { ownerReferences, ...metadata } = binding.metadata;
  const owners = ownerReferences?.map(({ uid: _, ...owner }) => owner);
  return { ...binding, metadata: { ...metadata, ...(owners && { ownerReferences: owners }) } };
}

test('a change of the delivery alone changes nothing on any cluster', () => {
  expect(reported({}, { text: compiled })).toBe(`objects
  ClusterManagementAddOn hello was edited (app.yaml:5)
    metadata.annotations[fleetwright.dev/delivery]: "compiled" added
    metadata.annotations[addon.open-cluster-management.io/lifecycle]: "self" added

plan: no add-on changes on 6 clusters; 1 object edited
`);
});

describe('findings', () => {
  test('FW4013: a delivery that does not exist, and two at the same time', () => {
    const unknown = compiled.replace('delivery: compiled', 'delivery: compile');
    expect(findingTexts(unknown, 'FW4013')).toEqual([
      'error: "compile" is not a delivery\nmetadata.annotations[fleetwright.dev/delivery]\nwrite "hub" or "compiled"; without the annotation the hub delivers',
    ]);
    const both = compiled.replace('lifecycle: self', 'lifecycle: addon-manager');
    expect(findingTexts(both, 'FW4013')).toEqual([
      'error: the add-on is compiled, but this annotation lets the hub\'s addon-manager manage it at the same time\nmetadata.annotations[addon.open-cluster-management.io/lifecycle]\nwrite "self", or remove the annotation',
    ]);
    expect(codesOf(compiled)).not.toContain('FW4013');
    expect(codesOf(app)).not.toContain('FW4013');
  });

  test('FW4006: nothing to compile from', () => {
    expect(codesOf(compiled.replace(/^.*resource: addontemplates.*$/m, ''))).toContain('FW4006');
  });

  test('FW4003: a ManagedClusterAddOn that no placement selects', () => {
    expect(findingTexts(compiled + own('c6', 'base'), 'FW4003')).toEqual([
      'error: no placement of "hello" selects "c6", so nothing is delivered there\nmetadata.namespace\nselect the cluster with a placement of the install strategy, or remove this object',
    ]);
  });

  const hook = `
      - apiVersion: batch/v1
        kind: Job
        metadata: { name: bye, namespace: agents, annotations: { addon.open-cluster-management.io/addon-pre-delete: "" } }
        spec: {}`;
  const hooked = app.replace('      manifests:', `      manifests:${hook}`);
  const withHooks = (text: string, value = 'run'): string =>
    text.replace('fleetwright.dev/delivery: compiled', `$&, fleetwright.dev/pre-delete-hooks: ${value}`);

  test('FW7128: hooks that never run', () => {
    expect(findingTexts(asCompiled(hooked), 'FW7128')).toEqual([
      'warning: nothing runs the 1 pre-delete hook of this template: add-on "hello" has compiled delivery, and is removed with its works\nspec.agentSpec.workload.manifests\nlet the companion run them (preDeleteHooks: "run"), remove them, or let the hub deliver',
    ]);
    expect(codesOf(hooked)).not.toContain('FW7128');
    expect(codesOf(withHooks(asCompiled(hooked)))).not.toContain('FW7128');
    const large = hooked.replace(
      'spec: {}',
      `spec: { template: { spec: { message: "${'x'.repeat(200_000)}" } } }`,
    );
    expect(findingTexts(withHooks(asCompiled(large)), 'FW7128')).toEqual([
      'warning: nothing runs the 1 pre-delete hook of this template: with more than 200,000 bytes, they are too large for the annotation that contains them\nspec.agentSpec.workload.manifests\nmove data and scripts of the hooks into an image or a ConfigMap',
    ]);
  });

  test('FW4013: hooks that the companion cannot run', () => {
    const hint = 'write "run" on an add-on with compiled delivery, or remove the annotation';
    const field = 'metadata.annotations[fleetwright.dev/pre-delete-hooks]';
    expect(findingTexts(withHooks(asCompiled(hooked), 'yes'), 'FW4013')).toEqual([
      `error: "yes" is not a way to run pre-delete hooks\n${field}\n${hint}`,
    ]);
    expect(
      findingTexts(withHooks(asCompiled(hooked)).replace('delivery: compiled', 'delivery: hub'), 'FW4013'),
    ).toEqual([
      `error: the annotation has no effect: the hub delivers the add-on, and runs its pre-delete hooks itself\n${field}\n${hint}`,
    ]);
  });

  test('hooks that the companion runs are in the ManagedClusterAddOn, and its works wait for them', () => {
    const { resolution } = resolveText(withHooks(asCompiled(hooked)), { fleet });
    const [file] = compiledClusters(resolution, target);
    const [onCluster, ...works] = file?.objects ?? [];
    expect(onCluster?.metadata.annotations).toEqual({
      'fleetwright.dev/delivery': 'compiled',
      'fleetwright.dev/pre-delete-hooks': `[
{"apiVersion":"batch/v1","kind":"Job","metadata":{"annotations":{"addon.open-cluster-management.io/addon-pre-delete":""},"name":"bye","namespace":"agents"},"spec":{}}
]
`,
    });
    // The companion adds the finalizer, so that no uninstall waits on a hub without it.
    expect(onCluster?.metadata.finalizers).toBeUndefined();
    expect(resolution.rendering.clusterAddOn('hello', file?.cluster ?? '')?.finalizers).toEqual([
      'addon.open-cluster-management.io/addon-pre-delete',
    ]);
    expect(JSON.stringify(works)).not.toContain('"kind":"Job"');
    const keptWorks = (engine: Engine): number =>
      file === undefined
        ? 0
        : clusterFile(file, engine).text.split('kustomize.toolkit.fluxcd.io/prune: disabled').length - 1;
    expect([keptWorks('flux'), keptWorks('argocd'), keptWorks('none')]).toEqual([works.length + 1, 0, 0]);
    // The companion deletes them without hooks, too, so that no move between waves uninstalls the add-on.
    const [withoutHooks] = compiledClusters(resolveText(asCompiled(hooked), { fleet }).resolution, target);
    expect(withoutHooks && clusterFile(withoutHooks, 'flux').text).toContain('prune: disabled');
  });

  test('output with hooks compiles to the same objects again', () => {
    const { resolution } = resolveText(withHooks(asCompiled(hooked)), { fleet });
    const tree = treeOf(resolution);
    const again = treeOf(resolveText(objectsIn(tree), { fleet }).resolution);
    expect(objectsIn(again)).toBe(objectsIn(tree));
  });

  test('FW7211: settings of a rollout that Git cannot keep, but not those about how the hub stores them', () => {
    const strategy = '{ maxConcurrency: 2, minSuccessTime: 5m, progressDeadline: 10m, maxFailures: 9 }';
    const slow = `{ type: Progressive, progressive: ${strategy} }`;
    const text = addOn(installed('stage', undefined, slow)) + others;
    expect(findingTexts(asCompiled(text), 'FW7211')).toMatchInlineSnapshot(`
      [
        "warning: compiled delivery does not wait for minSuccessTime: the next wave is applied as soon as this one is healthy
      spec.installStrategy.placements[0].rolloutStrategy.progressive.minSuccessTime
      remove it, or add a promotion of the app, which soaks between waves: docs/promotion.md",
        "warning: compiled delivery ignores progressDeadline: a cluster that does not become healthy blocks the waves after it
      spec.installStrategy.placements[0].rolloutStrategy.progressive.progressDeadline
      remove it, or add a promotion of the app, which knows deadlines: docs/promotion.md",
        "warning: compiled delivery tolerates no failures, regardless of maxFailures: one failed cluster blocks the waves after it
      spec.installStrategy.placements[0].rolloutStrategy.progressive.maxFailures
      remove it, or add a promotion of the app, which has a budget of failures: docs/promotion.md",
      ]
    `);
    expect(codesOf(text).filter((code) => code.startsWith('FW72'))).toEqual(['FW7202']);
    expect(codesOf(asCompiled(text)).filter((code) => code.startsWith('FW72'))).toEqual([
      'FW7211',
      'FW7211',
      'FW7211',
    ]);
    expect(codesOf(inWaves).filter((code) => code.startsWith('FW72'))).toEqual([]);
  });

  test('FW7116: no group has a permission that the companion grants each agent separately', () => {
    const permission =
      '[{ type: KubeClient, kubeClient: { hubPermissions: [{ type: CurrentCluster, currentCluster: { clusterRoleName: r } }] } }]';
    const text = app.replace('registration: []', `registration: ${permission}`);
    expect(codesOf(text)).toContain('FW7116');
    expect(codesOf(asCompiled(text))).not.toContain('FW7116');
  });
});
