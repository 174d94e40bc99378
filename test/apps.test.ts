import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { existsSync, readdirSync } from 'node:fs';
import { AppRunners } from '../src/workspace/app/app-runners.ts';
import { readInputs } from '../src/workspace/inputs/inputs.ts';
import { resolveInputs } from '../src/workspace/inputs/resolve-inputs.ts';
import type { ResolvedAddOn } from '../src/compiler/configure/resolved-add-on.ts';
import type { Diagnostic } from '../src/compiler/model/diagnostic.ts';
import { load } from '../src/compiler/load/load.ts';
import { hubVersion } from '../src/ocm/hub-version.ts';
import type { Decision } from '../src/compiler/place/decision.ts';
import { resolve, type Resolution } from '../src/compiler/resolve.ts';

const cwd = path.resolve(import.meta.dirname, '..');

const unused = (): never => {
  throw new Error('nothing is read or printed');
};
// All apps run in one process.
const apps = new AppRunners();
afterAll(() => apps.end());
const terminal = { cwd, now: unused, readInput: unused, out: unused, err: unused, color: false, apps };

/** What the hub makes of an app and its fleet, as the commands read them. */
async function resolveApp(
  name: string,
  addOnName = name,
): Promise<Resolution & { readonly addOn: ResolvedAddOn; readonly diagnostics: readonly Diagnostic[] }> {
  const { resolution, diagnostics } = await resolveInputs(
    { path: [`apps/${name}`], fleet: [] },
    { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1', now: Date.parse('2026-11-21T00:00:00Z') },
    terminal,
  );
  const addOn = resolution?.configuration.get(addOnName);
  if (resolution === undefined || addOn === undefined) throw new Error(`${addOnName} does not resolve`);
  return { ...resolution, addOn, diagnostics };
}

/** The groups of the clusters that a placement selects. */
function groupsOf(decision: Decision | undefined): unknown {
  return decision?.groups.map(({ name, clusters }) => [name, clusters.join(' ')]);
}

/** The names of what the add-on uses, in the order of the hub, by the clusters that use it. */
function clustersByConfigs(addOn: ResolvedAddOn): unknown {
  const clusters = new Map<string, string[]>();
  for (const [cluster, { effective }] of addOn.clusters) {
    const names = effective.references.map(({ name }) => name).join(' ');
    clusters.set(names, [...(clusters.get(names) ?? []), cluster]);
  }
  return Object.fromEntries([...clusters].map(([names, found]) => [names, found.join(' ')]));
}

const groups = [
  ['prod-canary-west', 'cluster2'],
  ['prod-canary-east', 'cluster3'],
  ['', 'cluster1 cluster4 cluster5 cluster6'],
];

describe('apps/helloworld', () => {
  test('is configured on each cluster by the last level that sets a value', async () => {
    const { addOn, decisions, diagnostics } = await resolveApp('helloworld');

    expect(clustersByConfigs(addOn)).toEqual({
      'cluster1-deploy-config cluster1-example-config': 'cluster1',
      'deploy-config example-config-1 example-config-2': 'cluster2 cluster3 cluster4 cluster5 cluster6',
      'default-deploy-config default-example-config': 'cluster10 cluster7 cluster8 cluster9',
    });
    expect(groupsOf(decisions.byPlacement.get('default/placement-aws'))).toEqual(groups);
    // Both are the documentation's: two example configs of one placement, failures beside mandatory groups.
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['FW4004', 'spec.installStrategy.placements[1].configs[2]'],
      ['FW7206', 'spec.installStrategy.placements[1].rolloutStrategy.progressive.maxFailures'],
    ]);
  });
});

describe('apps/helloworld-chart', () => {
  /** The content of a manifest on each cluster. */
  async function contentOf(addOnName: string, name: string): Promise<unknown> {
    const { addOn, rendering, diagnostics } = await resolveApp('helloworld-chart', addOnName);
    expect(diagnostics).toEqual([]);
    return Object.fromEntries(
      Array.from(addOn.clusters.keys(), (cluster) => {
        const works = rendering.clusterAddOn(addOnName, cluster)?.works ?? [];
        const manifests = works.flatMap(({ spec }) => spec?.workload?.manifests ?? []) as readonly {
          readonly kind: string;
          readonly metadata: { readonly name: string };
          readonly data?: unknown;
          readonly spec?: { readonly replicas: number; readonly template: { readonly spec: object } };
        }[];
        const found = manifests.find(({ kind, metadata }) => `${kind} ${metadata.name}` === name);
        const { tolerations, nodeSelector } = (found?.spec?.template.spec ?? {}) as Record<string, unknown>;
        return [cluster, found?.data ?? { replicas: found?.spec?.replicas, tolerations, nodeSelector }];
      }),
    );
  }

  test('the chart is rendered with the values of each cluster', async () => {
    expect(await contentOf('helloworld-chart', 'ConfigMap helloworld-chart-agent')).toEqual({
      cluster10: { greeting: 'Hello, cluster10', interval: '60' },
      cluster2: { greeting: 'Welcome, cluster2', interval: '60' },
      'shop-berlin': { greeting: 'Good morning, shop-berlin', interval: '60' },
    });
    expect(await contentOf('helloworld-chart', 'Deployment helloworld-chart-agent')).toEqual({
      cluster10: { replicas: 1 },
      cluster2: { replicas: 3 },
      'shop-berlin': {
        replicas: 1,
        tolerations: [{ key: 'infra', operator: 'Exists', effect: 'NoSchedule' }],
        nodeSelector: { 'node-role.kubernetes.io/infra': '' },
      },
    });
  });

  test('the Go templates are rendered with the values of each cluster', async () => {
    expect(await contentOf('helloworld-go-templates', 'ConfigMap helloworld-templates')).toEqual(
      Object.fromEntries(
        ['cluster10', 'cluster2', 'shop-berlin'].map((cluster) => [cluster, { cluster, greeting: 'Hello' }]),
      ),
    );
  });
});

describe('apps/shop-beacon', () => {
  test('reaches headquarters first, then two shops at a time, and no cluster that is not a shop', async () => {
    const { addOn, rollouts, diagnostics } = await resolveApp('shop-beacon');

    expect(addOn.delivery).toBe('compiled');
    expect(clustersByConfigs(addOn)).toEqual({
      'config shop-beacon-1.0.0': 'shop-berlin shop-lyon shop-oslo shop-porto',
      'tromso shop-beacon-1.0.0': 'shop-tromso',
    });
    expect(rollouts.get('shop-beacon')?.waves.map(({ clusters }) => clusters.join(' '))).toEqual([
      'shop-berlin',
      'shop-lyon shop-oslo',
      'shop-porto shop-tromso',
    ]);
    expect(diagnostics).toEqual([]);
  });
});

describe('apps/helloworld-template', () => {
  test('is configured on each cluster by the last level that sets a value', async () => {
    const { addOn, decisions, diagnostics } = await resolveApp('helloworld-template');

    expect(clustersByConfigs(addOn)).toEqual({
      'cluster1-deploy-config helloworld-template-0.1.0': 'cluster1',
      'deploy-config helloworld-template-0.1.0': 'cluster2 cluster3 cluster4 cluster5 cluster6',
      'default-deploy-config helloworld-template-0.1.0': 'cluster10 cluster7 cluster8 cluster9',
    });
    expect(groupsOf(decisions.byPlacement.get('helloworld-template/placement-aws'))).toEqual(groups);
    expect(diagnostics).toEqual([]);
  });
});

interface DaemonSet {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly image: string;
            readonly env: readonly { readonly name: string; readonly value?: string }[];
            readonly volumeMounts: readonly { readonly mountPath: string }[];
          },
        ];
      };
    };
  };
}

describe('apps/log-forwarder', () => {
  test('is configured by region, without warnings', async () => {
    const { addOn, diagnostics } = await resolveApp('log-forwarder');

    expect(clustersByConfigs(addOn)).toEqual({
      'in-asia log-forwarder-0.1.0': 'trading-tokyo',
      'in-europe log-forwarder-0.1.0':
        'cluster5 cluster6 cluster8 cluster9 shop-berlin shop-lyon shop-oslo shop-porto shop-tromso trading-london warehouse',
      'anywhere log-forwarder-0.1.0':
        'cluster1 cluster10 cluster2 cluster3 cluster4 cluster7 dev-1 dev-2 prod-1 prod-2 sandbox trading-virginia',
    });
    // The fleet has no cluster in one of the regions yet.
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW7034']);
  });

  test('has images from the mirror in Europe, the proxy with its authority in Asia, and a certificate everywhere', async () => {
    const { rendering } = await resolveApp('log-forwarder');
    const on = (cluster: string): object => {
      const { works = [], status } = rendering.clusterAddOn('log-forwarder', cluster) ?? {};
      const manifests = works.flatMap(({ spec }) => spec?.workload?.manifests ?? []) as unknown as (
        DaemonSet | { kind: string; metadata: { name: string }; data?: Record<string, string> }
      )[];
      const daemons = manifests.find((manifest): manifest is DaemonSet => manifest.kind === 'DaemonSet');
      const container = daemons?.spec.template.spec.containers[0];
      const configMaps = manifests.flatMap((manifest) =>
        'metadata' in manifest && 'data' in manifest ? [manifest] : [],
      );
      return {
        image: container?.image,
        proxies: container?.env.filter(({ name }) => name === 'HTTPS_PROXY').map(({ value }) => value),
        mounts: container?.volumeMounts
          .map(({ mountPath }) => mountPath)
          .filter((path) => path.startsWith('/managed')),
        configMaps: configMaps.map(({ metadata }) => metadata.name).sort(),
        collector: /uri: (.*)/.exec(
          configMaps.find(({ data }) => data?.['vector.yaml'])?.data?.['vector.yaml'] ?? '',
        )?.[1],
        registrations: status?.registrations?.map(({ type }) => type),
      };
    };
    const everywhere = {
      image: 'docker.io/timberio/vector:0.49.0-distroless-static',
      proxies: [],
      mounts: ['/managed/logs.example.com-forwarder'],
      configMaps: ['log-forwarder-config'],
      registrations: ['customSigner'],
    };
    expect(on('trading-virginia')).toEqual({
      ...everywhere,
      collector: 'https://logs.us.example.com/ingest?cluster=trading-virginia',
    });
    expect(on('cluster5')).toEqual({
      ...everywhere,
      image: 'registry.eu.example.com/timberio/vector:0.49.0-distroless-static',
      collector: 'https://logs.eu.example.com/ingest?cluster=cluster5',
    });
    expect(on('trading-tokyo')).toEqual({
      ...everywhere,
      proxies: ['http://proxy.ap.example.com:3128'],
      mounts: ['/managed/logs.example.com-forwarder', '/managed/proxy-ca'],
      configMaps: ['log-forwarder-config', 'log-forwarder-proxy-ca'],
      collector: 'https://logs.ap.example.com/ingest?cluster=trading-tokyo',
    });
  });
});

describe('apps/metrics-agent', () => {
  /** What the agent of each cluster is configured with, and the clusters with equal configurations. */
  function clustersByContent({ addOn, inventory }: Awaited<ReturnType<typeof resolveApp>>): unknown {
    const clusters = new Map<string, string[]>();
    for (const [cluster, { effective }] of addOn.clusters) {
      const { namespace, name } =
        effective.references.find(({ resource }) => resource === 'addondeploymentconfigs') ?? {};
      const content = JSON.stringify(
        inventory.addOnDeploymentConfigs.get(`${namespace}/${name}`)?.object.spec,
      );
      clusters.set(content, [...(clusters.get(content) ?? []), cluster]);
    }
    return [...clusters].map(([content, names]) => [JSON.parse(content), names.join(' ')]);
  }

  test('has one configuration per distinct result of its layers, without findings', async () => {
    const { addOn, diagnostics } = await resolveApp('metrics-agent');

    expect(diagnostics).toEqual([]);
    const configs = clustersByConfigs(addOn) as Readonly<Record<string, string>>;
    const named = Object.entries(configs).map(([names, clusters]) => [
      names.replaceAll(/-[0-9a-f]{10}/g, ''),
      clusters,
    ]);
    expect(Object.fromEntries(named)).toEqual({
      'metrics-agent-add-on metrics-agent-0.1.0': 'cluster10 cluster6 cluster8 dev-1 dev-2 sandbox',
      'metrics-agent-claim-region-open-cluster-management-io metrics-agent-0.1.0': 'trading-tokyo',
      'metrics-agent-cluster1 metrics-agent-0.1.0': 'cluster1',
      'metrics-agent-everywhere metrics-agent-0.1.0':
        'cluster2 cluster3 cluster4 cluster5 cluster7 cluster9 prod-1 prod-2',
      'metrics-agent-set-trading metrics-agent-0.1.0': 'trading-london trading-virginia',
      'metrics-agent-sites metrics-agent-0.1.0':
        'shop-berlin shop-lyon shop-oslo shop-porto shop-tromso warehouse',
    });
  });

  test('has the configurations of the objects in docs/parameters.md that do the same with OCM alone', async () => {
    const compiled = await resolveApp('metrics-agent');
    const guide = await readFile(path.join(cwd, 'docs/parameters.md'), 'utf8');
    const yaml = /## The same with OCM alone[^]*```yaml\n([^]*?)```/.exec(guide)?.[1] ?? '';
    const shared = compiled.inventory.objects
      .map(({ object }) => object)
      .filter(
        ({ kind, metadata }) =>
          ['Namespace', 'ManagedClusterSetBinding', 'AddOnTemplate'].includes(kind) ||
          (kind === 'Placement' && ['everywhere', 'sites'].includes(metadata.name ?? '')),
      );
    const { value: objects } = load([
      { file: 'docs/parameters.md', text: yaml, source: 'app' },
      {
        file: 'app.json',
        text: JSON.stringify({ kind: 'List', apiVersion: 'v1', items: shared }),
        source: 'app',
      },
      { file: 'fleet.yaml', text: await readFile(path.join(cwd, 'fleet.yaml'), 'utf8'), source: 'fleet' },
    ]);
    const options = { now: Date.parse('2026-11-21T00:00:00Z'), hub: hubVersion('1.3') };
    const { value: resolution, diagnostics } = resolve(objects, options);
    const addOn = resolution?.configuration.get('metrics-agent');
    if (resolution === undefined || addOn === undefined) throw new Error(JSON.stringify(diagnostics));

    expect(diagnostics.map(({ code }) => code)).toEqual(['FW7034']);
    expect(addOn.clusters.size).toBe(24);
    expect(clustersByContent({ ...resolution, addOn, diagnostics })).toEqual(clustersByContent(compiled));
  });
});

type Fields = Readonly<Record<string, unknown>>;

/** The objects of a kind that an app or its fleet has. */
async function objectsOf(app: string, kind: string) {
  const { objects } = await readInputs([`apps/${app}`], ['fleet.yaml'], terminal);
  return objects
    .filter(({ object }) => object.kind === kind)
    .map(({ object, source }) => ({
      ...object.metadata,
      spec: (object['spec'] ?? {}) as Fields,
      object,
      source,
    }));
}

async function fleetOf(app: string): Promise<string[]> {
  const clusters = await objectsOf(app, 'ManagedCluster');
  return clusters.filter(({ source }) => source === 'fleet').map(({ name = '' }) => name);
}

describe('apps/cluster-proxy', () => {
  test('has one proxy for all, and its agents on control planes at the edge', async () => {
    const { addOn, diagnostics } = await resolveApp('cluster-proxy');

    expect(clustersByConfigs(addOn)).toEqual({
      'cluster-proxy':
        'cluster1 cluster10 cluster2 cluster3 cluster4 cluster5 cluster6 cluster7 cluster8 cluster9 ' +
        'dev-1 dev-2 prod-1 prod-2 sandbox shop-berlin trading-london trading-tokyo trading-virginia warehouse',
      'on-control-planes cluster-proxy': 'shop-lyon shop-oslo shop-porto shop-tromso',
    });
    expect(diagnostics).toEqual([]);
  });
});

describe('apps/managed-serviceaccount', () => {
  test('has its image from a mirror only where necessary', async () => {
    const { addOn, diagnostics } = await resolveApp('managed-serviceaccount');

    expect(clustersByConfigs(addOn)).toEqual({
      standard:
        'cluster1 cluster10 cluster2 cluster3 cluster4 cluster5 cluster6 cluster7 cluster8 cluster9 ' +
        'dev-1 dev-2 prod-1 prod-2 sandbox shop-berlin shop-lyon shop-oslo shop-porto shop-tromso warehouse',
      mirrored: 'trading-london trading-tokyo trading-virginia',
    });
    expect(diagnostics).toEqual([]);
  });

  test('creates identities on existing clusters that have the add-on', async () => {
    const { addOn } = await resolveApp('managed-serviceaccount');
    const accounts = await objectsOf('managed-serviceaccount', 'ManagedServiceAccount');

    expect(accounts.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual([
      'cluster5/backup-controller',
      'cluster6/backup-controller',
      'trading-london/backup-controller',
      'cluster5/cost-reporter',
    ]);
    expect(accounts.every(({ namespace = '' }) => addOn.clusters.has(namespace))).toBe(true);
  });
});

describe('apps/argocd-pull', () => {
  const shops = ['shop-berlin', 'shop-lyon', 'shop-oslo', 'shop-porto', 'shop-tromso'];

  test('brings Applications by the Placement that lets the work agent apply them', async () => {
    const { addOn, decisions, diagnostics, rendering } = await resolveApp('argocd-pull');

    expect([...addOn.clusters.keys()]).toEqual(shops);
    expect(diagnostics).toEqual([]);
    const works = rendering.clusterAddOn('argocd-pull', 'shop-berlin')?.works ?? [];
    const manifests = works.flatMap(({ spec }) => spec?.workload?.manifests ?? []);
    expect(manifests.map(({ kind }) => kind)).toEqual(['ClusterRole']);
    const [set] = await objectsOf('argocd-pull', 'ApplicationSet');
    expect(set?.spec['generators']).toMatchObject([
      {
        clusterDecisionResource: {
          labelSelector: { matchLabels: { 'cluster.open-cluster-management.io/placement': 'shops' } },
        },
      },
    ]);
    expect(groupsOf(decisions.byPlacement.get('argocd/shops'))).toEqual([['', shops.join(' ')]]);
  });
});

describe('apps/policy-framework', () => {
  test.each(['governance-policy-framework', 'config-policy-controller'])(
    'has %s where clusters are governed, in development first',
    async (name) => {
      const { addOn, decisions, diagnostics } = await resolveApp('policy-framework', name);

      expect(clustersByConfigs(addOn)).toEqual({ 'on-infrastructure': 'dev-1 dev-2 prod-1 prod-2' });
      expect(groupsOf(decisions.byPlacement.get('policies/governed'))).toEqual([
        ['development', 'dev-1 dev-2'],
        ['', 'prod-1 prod-2'],
      ]);
      expect(diagnostics).toEqual([]);
    },
  );

  test('binds its policy to the same placement', async () => {
    const [binding] = await objectsOf('policy-framework', 'PlacementBinding');
    const [policy] = await objectsOf('policy-framework', 'Policy');
    const [placement] = await objectsOf('policy-framework', 'Placement');

    expect(binding?.object['placementRef']).toMatchObject({ kind: 'Placement', name: placement?.name });
    expect(binding?.object['subjects']).toMatchObject([{ kind: 'Policy', name: policy?.name }]);
    expect([binding?.namespace, policy?.namespace]).toEqual([placement?.namespace, placement?.namespace]);
  });
});

describe('apps/submariner', () => {
  test('installs the add-on and separate gateways on each cluster of the set', async () => {
    const { addOn, diagnostics } = await resolveApp('submariner');
    const configs = await objectsOf('submariner', 'SubmarinerConfig');

    expect([...addOn.clusters.keys()]).toEqual(['trading-london', 'trading-tokyo', 'trading-virginia']);
    expect(configs.map(({ namespace }) => namespace)).toEqual([...addOn.clusters.keys()]);
    expect(configs.map(({ spec }) => spec['gatewayConfig'])).toEqual([
      { gateways: 2 },
      { gateways: 2 },
      { gateways: 1, aws: { instanceType: 'm5n.large' } },
    ]);
    expect(await fleetOf('submariner')).toEqual(expect.arrayContaining([...addOn.clusters.keys()]));
    expect(diagnostics).toEqual([]);
  });
});

describe('apps/multicluster-mesh', () => {
  test('joins the meshes that it installs, and leaves the agents to the manager', async () => {
    const { addOn, diagnostics } = await resolveApp('multicluster-mesh');
    const [deployment] = await objectsOf('multicluster-mesh', 'MeshDeployment');
    const [federation] = await objectsOf('multicluster-mesh', 'MeshFederation');

    expect([...addOn.clusters.keys()]).toEqual([]);
    expect(await fleetOf('multicluster-mesh')).toEqual(
      expect.arrayContaining(deployment?.spec['clusters'] as string[]),
    );
    expect(federation?.spec['meshPeers']).toEqual([
      {
        peers: [
          { cluster: 'shop-berlin', name: 'shop-berlin-istio' },
          { cluster: 'shop-lyon', name: 'shop-lyon-istio' },
        ],
      },
    ]);
    expect(diagnostics).toEqual([]);
  });
});

describe('apps/hub', () => {
  test('has the addon-manager on, and lets in the clusters that are merged', async () => {
    const [manager] = await objectsOf('hub', 'ClusterManager');
    const clusters = await objectsOf('hub', 'ManagedCluster');

    expect(manager?.spec['addOnManagerConfiguration']).toEqual({
      featureGates: [{ feature: 'AddonManagement', mode: 'Enable' }],
    });
    expect(clusters.filter(({ spec }) => spec['hubAcceptsClient'] === false).map(({ name }) => name)).toEqual(
      ['branch-3'],
    );
  });

  test('has agents in every mode, each for a cluster that there is', async () => {
    const onHub = await objectsOf('hub', 'Klusterlet');
    const [work] = await objectsOf('hub', 'ManifestWork');
    const workload = work?.spec['workload'] as {
      readonly manifests: readonly { readonly kind: string; readonly spec: Fields }[];
    };
    const delivered = workload.manifests.filter(({ kind }) => kind === 'Klusterlet');
    const klusterlets = [...onHub.map(({ spec }) => spec), ...delivered.map(({ spec }) => spec)];

    expect(klusterlets.map(({ clusterName, deployOption }) => [clusterName, deployOption])).toEqual([
      ['local-cluster', { mode: 'Singleton' }],
      ['appliance', { mode: 'Hosted' }],
      ['frankfurt', { mode: 'Default' }],
    ]);
    const names = (await objectsOf('hub', 'ManagedCluster')).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(klusterlets.map(({ clusterName }) => clusterName)));
    expect(work?.spec['deleteOption']).toEqual({ propagationPolicy: 'Orphan' });
  });
});

test('all apps share the fleet at the top', () => {
  const files = readdirSync(path.join(cwd, 'apps'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => path.basename(file).startsWith('fleet'))).toEqual([]);
  expect(existsSync(path.join(cwd, 'fleet.yaml'))).toBe(true);
});

test('every app has a test here', async () => {
  const text = await readFile(import.meta.filename, 'utf8');
  const apps = readdirSync(path.join(cwd, 'apps'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(apps.length).toBeGreaterThan(9);
  for (const { name } of apps) expect(text).toContain(`describe('apps/${name}'`);
});
