import { afterAll, describe, expect, test, vi } from 'vitest';
import { emit, type Tree } from '../../src/compiler/emit/emit.ts';
import type { Engine } from '../../src/compiler/emit/engine.ts';
import { forHub } from '../../src/compiler/admit/conversion/for-hub.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { load } from '../../src/compiler/load/load.ts';
import { resolve } from '../../src/compiler/resolve.ts';
import { systemClock } from '../../src/client/clock.ts';
import { hubSettings } from '../../src/controller/hub/hub-settings.ts';
import { runHub, type HubRun } from '../../src/controller/hub/run-hub.ts';
import { connect as kubeconfig } from '../../src/client/kubeconfig/connect.ts';
import { createLog } from '../../src/controller/operation/log.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { connect } from './client/hub.ts';
import { namespaceKind, ocmKinds } from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { ArgoCd, Flux, type GitOpsEngine, type Settle } from './gitops/engines.ts';
import { applyScenario } from './record/apply-scenario.ts';
import { removeScenario } from './record/remove-scenario.ts';
import { belongsTo, clusterNames, parseObjects } from './record/scenario.ts';

// Overrides of single clusters that are taken out of Git: what becomes of them on the hub, by what applies the files.

const address = await sharedHub();
const hub = connect(address);

/** The companion runs beside all stories: what is not in its inventory it leaves alone. */
const end = new AbortController();
const defaults = Object.entries(hubSettings).map(([key, { default: value }]) => [key, value]);
const settings = Object.fromEntries(defaults) as HubRun['settings'];
const companion = runHub(
  {
    settings: { ...settings, leaderElection: false, listen: '127.0.0.1:0' },
    transport: kubeconfig({ kubeconfig: address.kubeconfig }, systemClock, 'test').transport,
    namespace: 'default',
    identity: 'test',
    clock: systemClock,
    log: createLog({ level: 'error', fields: {}, now: () => Date.now() }),
  },
  end.signal,
);

afterAll(async () => {
  end.abort();
  await companion;
  hub.close();
});

const api = 'addon.open-cluster-management.io';

const fleet = (name: string): string => `
apiVersion: v1
kind: Namespace
metadata: { name: ${name} }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: ${name} }
spec: { clusterSet: global }
${['c1', 'c2', 'c3']
  .map(
    (cluster) => `---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}-${cluster}, labels: { test: ${name}, selected: "${cluster === 'c3' ? 'no' : 'yes'}" } }
spec: { hubAcceptsClient: true }
status:
  conditions:
  - { type: ManagedClusterConditionAvailable, status: "True", reason: Available, message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }
`,
  )
  .join('')}`;

interface AppText {
  readonly override?: string;
  /** Whether ManagedClusterAddOns install the add-on, and not the placement. */
  readonly manual?: boolean;
}

/** An add-on on c1 and c2, with configurations of their own on some clusters. */
const app = (name: string, own: readonly string[], { override, manual = false }: AppText = {}): string => `
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: selected, namespace: ${name} }
spec:
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { test: ${name}, selected: "yes" } } } }]
  tolerations: [{ operator: Exists }]
${['usual', 'prod', 'own']
  .map(
    (config) => `---
apiVersion: ${api}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${config}, namespace: ${name} }
spec: { agentInstallNamespace: "", customizedVariables: [{ name: FROM, value: ${config} }] }
`,
  )
  .join('')}---
apiVersion: ${api}/v1alpha1
kind: AddOnTemplate
metadata: { name: ${name} }
spec:
  addonName: ${name}
  agentSpec:
    workload:
      manifests:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: agent, namespace: default }, data: { from: "{{FROM}}" } }
---
apiVersion: ${api}/v1alpha1
kind: ClusterManagementAddOn
metadata:
  name: ${name}
  annotations: ${override === undefined ? '{}' : `{ fleetwright.dev/override: ${override} }`}
spec:
  supportedConfigs:
  - { group: ${api}, resource: addontemplates, defaultConfig: { name: ${name} } }
  - { group: ${api}, resource: addondeploymentconfigs, defaultConfig: { name: usual, namespace: ${name} } }
  installStrategy: ${manual ? '{ type: Manual }' : `{ type: Placements, placements: [{ name: selected, namespace: ${name}, configs: [${config(name, 'prod')}] }] }`}
${own
  .map(
    (cluster) => `---
apiVersion: ${api}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: ${name}, namespace: ${name}-${cluster} }
spec: { configs: [${config(name, 'own')}] }
`,
  )
  .join('')}`;

function config(namespace: string, name: string): string {
  return `{ group: ${api}, resource: addondeploymentconfigs, name: ${name}, namespace: ${namespace} }`;
}

/** What synth writes of an app. */
function synthesized(name: string, text: string, engine: Engine): Tree {
  const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
  const { value: objects } = load([
    { file: 'app.yaml', text, source: 'app' },
    { file: 'fleet.yaml', text: fleet(name), source: 'fleet' },
  ]);
  const { value } = resolve(objects, { hub: target.hub, now: Date.now() });
  if (value === undefined) throw new Error('the app does not resolve');
  const written = value.inventory.objects.filter(({ source }) => source === 'app');
  return emit(
    written.map(({ object }) => forHub(object, target)),
    {},
    engine,
  );
}

const engines = {
  argocd: (name: string, settle: Settle) => new ArgoCd(hub, name, settle),
  flux: (name: string, settle: Settle) => new Flux(hub, name, settle),
} as const;

interface Story extends AppText {
  readonly name: string;
  readonly engine: keyof typeof engines;
  readonly own?: readonly string[];
}

interface Played {
  readonly engine: GitOpsEngine;
  readonly settle: Settle;
  /** Applies what Git has of the app. */
  readonly sync: (own: readonly string[]) => Promise<void>;
}

/** Brings the fleet to the hub and an app with its overrides, runs the story, and removes all of it. */
async function play(
  { name, engine, own = ['c1'], ...text }: Story,
  report: (played: Played) => Promise<void>,
): Promise<void> {
  const clusters = parseObjects(fleet(name));
  const all = [...clusters, ...parseObjects(app(name, ['c1', 'c2', 'c3'], text))];
  try {
    await hub.watch.follow(belongsTo(all), async (follower) => {
      await applyScenario(hub, follower, clusters);
      for (const cluster of clusterNames(clusters))
        await reached(async () => expect(await hub.client.get(...namespaceKind, cluster)).toBeDefined());
      const settle = async (): Promise<void> => {
        if (!(await follower.still({ quiet: 1200, atMost: 30_000 })))
          throw new Error('the hub does not come to rest');
      };
      const played = engines[engine](name, settle);
      const sync = async (now: readonly string[]): Promise<void> =>
        await played.sync(synthesized(name, app(name, now, text), engine));
      await sync(own);
      await report({ engine: played, settle, sync });
    });
  } finally {
    await removeScenario(hub, all);
  }
}

interface OnCluster extends KubernetesObject {
  readonly spec: { readonly configs?: readonly { readonly name: string }[] };
  readonly status?: { readonly configReferences?: readonly { readonly name: string }[] };
}

async function onCluster(name: string, cluster: string): Promise<OnCluster | undefined> {
  const [version, kind] = ocmKinds.managedClusterAddOn;
  return (await hub.client.get(version, kind, name, `${name}-${cluster}`)) as OnCluster | undefined;
}

/** The configurations that the hub uses on a cluster. */
async function used(name: string, cluster: string): Promise<string> {
  const { status } = (await onCluster(name, cluster)) ?? {};
  return (status?.configReferences ?? []).map(({ name: config }) => config).join(' ');
}

/** Stories run at the same time, so that the hub takes a while; it may also rest for longer than anybody waits. */
async function reached(check: () => Promise<void>): Promise<void> {
  await vi.waitFor(check, { timeout: 120_000, interval: 200 });
}

/** The work of the add-on on a cluster: another one after it was uninstalled. */
async function work(name: string, cluster: string): Promise<string | undefined> {
  const [version, kind] = ocmKinds.manifestWork;
  const works = await hub.client.list(version, kind, `${name}-${cluster}`);
  return works.map(({ metadata }) => metadata.uid).join(' ');
}

interface Installed {
  readonly onCluster: OnCluster;
  readonly work: string;
}

/** Waits until the hub has installed the add-on on a cluster, with a configuration. */
async function installed(name: string, cluster: string, config: string): Promise<Installed> {
  await reached(async () => {
    expect(await used(name, cluster)).toBe(`${config} ${name}`);
    expect((await onCluster(name, cluster))?.metadata.ownerReferences).toHaveLength(1);
    expect(await work(name, cluster)).toMatch(/^\S+$/);
  });
  const [found, uid] = [await onCluster(name, cluster), await work(name, cluster)];
  if (found === undefined || uid === undefined) throw new Error(`${name} is on ${cluster} no longer`);
  return { onCluster: found, work: uid };
}

describe.concurrent('an override as a ManagedClusterAddOn that Git no longer has', () => {
  // Argo CD never prunes what the add-on owns, and Flux finds that the object forbids it: the hub would uninstall the add-on.
  test.each(['argocd', 'flux'] as const)('stays in force: %s', async (engine) => {
    const name = `ov${engine}`;
    await play({ name, engine }, async ({ sync, settle }) => {
      const before = await installed(name, 'c1', 'own');
      await sync([]);
      await settle();
      expect(await used(name, 'c1')).toBe(`own ${name}`);
      expect((await onCluster(name, 'c1'))?.metadata.uid).toBe(before.onCluster.metadata.uid);
      expect(await work(name, 'c1')).toBe(before.work);
    });
  });
});

describe.concurrent('an override as a placement', () => {
  test.each(['argocd', 'flux'] as const)(
    'configures the same as a ManagedClusterAddOn, and is removed with Git: %s',
    async (engine) => {
      const name = `ovpl${engine}`;
      await play({ name, engine, override: 'placement' }, async ({ sync }) => {
        const before = await installed(name, 'c1', 'own');
        await installed(name, 'c2', 'prod');
        await sync([]);
        await reached(async () => expect(await used(name, 'c1')).toBe(`prod ${name}`));
        expect((await onCluster(name, 'c1'))?.metadata.uid).toBe(before.onCluster.metadata.uid);
        expect(await work(name, 'c1')).toBe(before.work);
      });
    },
  );
});

describe.concurrent('an override in the inventory', () => {
  test.each(['argocd', 'flux'] as const)(
    'is removed by the companion, and nothing else is: %s',
    async (engine) => {
      const name = `ovinv${engine}`;
      await play({ name, engine, override: 'inventory', own: ['c1', 'c2'] }, async ({ sync, settle }) => {
        const before = await installed(name, 'c1', 'own');
        await installed(name, 'c2', 'own');
        await hub.client.merge(before.onCluster, { metadata: { labels: { team: 'mine' } } });
        await sync(['c2']);
        await reached(async () => expect(await used(name, 'c1')).toBe(`prod ${name}`));
        await settle();
        const after = await onCluster(name, 'c1');
        expect(after?.metadata.uid).toBe(before.onCluster.metadata.uid);
        expect(after?.metadata.labels).toEqual({ team: 'mine' });
        expect(Object.keys(after?.metadata.annotations ?? {}).filter((key) => !key.startsWith(api))).toEqual(
          [],
        );
        expect(after?.metadata.ownerReferences).toEqual(before.onCluster.metadata.ownerReferences);
        expect(await work(name, 'c1')).toBe(before.work);
        expect(await used(name, 'c2')).toBe(`own ${name}`);
        // It may come back.
        await sync(['c1', 'c2']);
        await settle();
        await reached(async () => expect(await used(name, 'c1')).toBe(`own ${name}`));
        // A further sync finds nothing to do, once the hub has nothing more to do either.
        await reached(async () => {
          const settled = await onCluster(name, 'c1');
          await sync(['c1', 'c2']);
          expect((await onCluster(name, 'c1'))?.metadata).toEqual(settled?.metadata);
        });
      });
    },
  );
});

describe.concurrent('an add-on that ManagedClusterAddOns install', () => {
  test('is kept installed by Argo CD when Git no longer has one', async () => {
    const name = 'ovmanual';
    await play({ name, engine: 'argocd', manual: true }, async ({ sync }) => {
      await installed(name, 'c1', 'own');
      await sync([]);
      expect(await used(name, 'c1')).toBe(`own ${name}`);
    });
  });

  test('follows the inventory', async () => {
    const name = 'ovmaninv';
    const own = ['c1', 'c2'];
    await play({ name, engine: 'argocd', manual: true, override: 'inventory', own }, async ({ sync }) => {
      await installed(name, 'c1', 'own');
      await installed(name, 'c2', 'own');
      await sync(['c2']);
      await reached(async () => expect(await onCluster(name, 'c1')).toBeUndefined());
      expect(await used(name, 'c2')).toBe(`own ${name}`);
    });
  });
});

test.concurrent(
  'FW4003: a ManagedClusterAddOn outside the placements is deleted by the hub as often as it is applied',
  async () => {
    const name = 'ovoutside';
    await play({ name, engine: 'argocd', own: ['c1', 'c3'] }, async ({ sync }) => {
      for (let syncs = 0; syncs < 3; syncs += 1) {
        await reached(async () => expect(await onCluster(name, 'c3')).toBeUndefined());
        await sync(['c1', 'c3']);
      }
      await reached(async () => expect(await used(name, 'c1')).toBe(`own ${name}`));
    });
  },
);
