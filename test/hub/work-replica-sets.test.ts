import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hubObjects } from '../../src/compiler/hub-objects.ts';
import type { HubVersion } from '../../src/ocm/hub-version.ts';
import { plan } from '../../src/compiler/plan/plan.ts';
import type { Resolution } from '../../src/compiler/resolve.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { resolveText } from '../resolve-text.ts';
import { ApiError } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { releaseOf } from './client/release.ts';
import { ocmKinds } from './client/kinds.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { applyScenario } from './record/apply-scenario.ts';
import { parseObjects } from './record/scenario.ts';

// A separate hub: only this one runs OCM's controller of ManifestWorkReplicaSets.
const namespace = 'sets';
let running: RunningHub;
let hub: Hub;
let release: HubVersion;
let agents: Agents;

beforeAll(async () => {
  running = await startHub({ workReplicaSets: true });
  hub = connect(running);
  release = releaseOf(running.versions);
  await apply(parseObjects(fleet));
  agents = playAgents();
});
afterAll(async () => {
  await agents.stop();
  hub.close();
  await running.stop();
});

const fleet = `
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: { name: global }
spec: { clusterSelector: { selectorType: LabelSelector, labelSelector: {} } }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: ${namespace} }
spec: { clusterSet: global }
${['prod', 'prod', 'prod', 'stage', 'stage', 'dev']
  .map(
    (env, index) => `---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: c${index + 1}, labels: { env: ${env} } }
spec: { hubAcceptsClient: true }
`,
  )
  .join('')}`;

const placement = (env: string, more = ''): string => `
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${env}, namespace: ${namespace} }
spec:
  tolerations: [{ operator: Exists }]
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: ${env} } } } }]
  ${more}`;

const perCluster = 'decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: 1 } }';
const placements = [placement('prod', perCluster), placement('stage'), placement('dev')];

const progressing = "conditionRules: [{ type: CEL, condition: Progressing, celExpressions: ['false'] }]";

const set = (name: string, refs: readonly string[], value = 'a', rules = progressing): string => `
apiVersion: work.open-cluster-management.io/v1alpha1
kind: ManifestWorkReplicaSet
metadata: { name: ${name}, namespace: ${namespace}, labels: { team: web } }
spec:
  placementRefs: [${refs.join(', ')}]
  manifestWorkTemplate:
    manifestConfigs:
    - resourceIdentifier: { resource: configmaps, name: web, namespace: default }
      feedbackRules: [{ type: JSONPaths, jsonPaths: [{ name: value, path: .data.value }] }]
      ${rules}
    executor: { subject: { type: ServiceAccount, serviceAccount: { name: web, namespace: default } } }
    workload:
      manifests:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: web, namespace: default }, data: { value: ${value} } }
`;

const ref = (name: string, rolloutStrategy?: string): string =>
  rolloutStrategy === undefined
    ? `{ name: ${name} }`
    : `{ name: ${name}, rolloutStrategy: ${rolloutStrategy} }`;

test('the works that resolve prints are those of the hub', async () => {
  const sets = [
    set('everywhere', [ref('prod')]),
    set('one-by-one', [ref('prod', '{ type: Progressive, progressive: { maxConcurrency: 1 } }')]),
    set('stuck', [ref('prod', '{ type: Progressive, progressive: { maxConcurrency: 1 } }')], 'a', ''),
    set('stuck-by-group', [ref('prod', '{ type: ProgressivePerGroup, progressivePerGroup: {} }')], 'a', ''),
    set('by-group', [ref('prod', '{ type: ProgressivePerGroup, progressivePerGroup: {} }')]),
    set('canary', [
      ref(
        'prod',
        '{ type: Progressive, progressive: { mandatoryDecisionGroups: [{ groupIndex: 1 }], maxConcurrency: "50%" } }',
      ),
    ]),
    set('several', [ref('prod'), ref('stage', '{ type: Progressive, progressive: { maxConcurrency: 1 } }')]),
    set('gap', [ref('prod'), ref('nowhere'), ref('stage')]),
    set('wrong-size', [
      ref('stage', '{ type: Progressive, progressive: { maxConcurrency: "1" } }'),
      ref('dev'),
    ]),
    set('a-name-that-makes-the-label-of-its-works-longer-than-the-hub-takes', [ref('dev')]),
  ];
  const state = resolved([...placements, ...sets]);
  await apply(parseObjects([...placements, ...sets].join('\n---\n')));
  await expectOnHub(worksOf(state));
  expect(clustersBySet(worksOf(state))).toEqual({
    everywhere: ['c1', 'c2', 'c3'],
    'one-by-one': ['c1', 'c2', 'c3'],
    stuck: ['c1'],
    'stuck-by-group': ['c1'],
    'by-group': ['c1', 'c2', 'c3'],
    canary: ['c1', 'c2', 'c3'],
    several: ['c1', 'c2', 'c3', 'c4', 'c5'],
    gap: ['c1', 'c2', 'c3'],
    'wrong-size': ['c6'],
  });
  await remove(sets);
});

const both = [ref('stage'), ref('dev')];

test.each([
  {
    change: 'a template that is edited',
    head: [...placements, set('web', both, 'b')],
    lost: 0,
  },
  {
    change: 'a Placement that the set no longer names',
    head: [...placements, set('web', [ref('dev')])],
    lost: 2,
  },
  {
    change: 'a Placement that selects other clusters',
    head: [
      placement('prod'),
      placement('stage').replace('env: stage }', 'env: prod }'),
      placement('dev'),
      set('web', both),
    ],
    lost: 2,
  },
])('the hub follows $change, as the plan does', async ({ head, lost }) => {
  const base = [...placements, set('web', both)];
  await apply(parseObjects(base.join('\n---\n')));
  await expectOnHub(worksOf(resolved(base)));
  await apply(parseObjects(head.join('\n---\n')));
  await expectOnHub(worksOf(resolved(head)));
  expect(uninstalled(base, head)).toBe(lost);
  await remove(head);
});

test('the works of a Placement that is deleted are kept, as the plan reports', async () => {
  const web = set('web', both);
  const base = [...placements, web];
  const head = [...placements.filter((each) => !each.includes('name: dev')), web];
  await apply(parseObjects(base.join('\n---\n')));
  const works = worksOf(resolved(base));
  await expectOnHub(works);
  for (const object of parseObjects(placement('dev'))) await hub.client.delete(object);
  await expectOnHub(works);
  expect(uninstalled(base, head)).toBe(0);
  await remove(base);
});

/** Creates what is missing and edits what is there. */
async function apply(objects: readonly KubernetesObject[]): Promise<void> {
  await hub.watch.follow(
    () => true,
    async (follower) => await applyScenario(hub, follower, objects),
  );
}

/** Deletes Placements and sets, and waits until the hub has deleted the works. */
async function remove(texts: readonly string[]): Promise<void> {
  for (const object of parseObjects(texts.join('\n---\n')))
    if (object.kind === 'ManifestWorkReplicaSet') await hub.client.delete(object);
  await expectOnHub([]);
}

function resolved(texts: readonly string[]): Resolution {
  return resolveText(texts.join('\n---\n'), { fleet, hub: release.name, now: Date.now() }).resolution;
}

/** What a set decides of a work. */
interface Work {
  /** The name, or what a generated name begins with. */
  readonly name: string;
  readonly cluster: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: unknown;
}

function worksOf(resolution: Resolution): readonly Work[] {
  return sorted([...hubObjects(resolution, { hub: release, addOnApiVersion: 'v1alpha1' })]);
}

function sorted(objects: readonly KubernetesObject[]): readonly Work[] {
  return objects
    .filter(({ kind }) => kind === 'ManifestWork')
    .map((object) => {
      const { name = '', generateName, namespace: cluster = '', labels = {} } = object.metadata;
      return {
        name: generateName ?? name,
        cluster,
        labels,
        spec: (object as { readonly spec?: unknown }).spec,
      };
    })
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function key({ name, cluster }: Work): string {
  return `${name}/${cluster}`;
}

function clustersBySet(works: readonly Work[]): Readonly<Record<string, readonly string[]>> {
  const clusters: Record<string, string[]> = {};
  for (const { name, cluster } of works) (clusters[name] ??= []).push(cluster);
  return clusters;
}

/** Waits until the hub has exactly these works, and sees that it keeps them. */
async function expectOnHub(works: readonly Work[]): Promise<void> {
  const onHub = async (): Promise<readonly Work[]> =>
    withoutRepeated(sorted(await hub.client.list(...ocmKinds.manifestWork)));
  await expect.poll(onHub, { timeout: 60_000, interval: 300 }).toEqual(works);
  await delay(3000);
  expect(await onHub()).toEqual(works);
}

/**
 * With generated names, the controller creates a work again where it does not see yet that it has created it. How often it does is
 * chance.
 */
function withoutRepeated(works: readonly Work[]): readonly Work[] {
  if (!release.generatesWorkNames) return works;
  return [...new Map(works.map((work) => [JSON.stringify(work), work])).values()];
}

/** Clusters that lose works of sets by the plan. */
function uninstalled(base: readonly string[], head: readonly string[]): number {
  const { value } = plan([{ app: 'web', base: resolved(base), head: resolved(head) }], {
    hub: release,
    by: [],
  });
  const groups = value.addOns.flatMap((change) => change.groups);
  return groups
    .filter(({ effect }) => effect === 'uninstalled')
    .reduce((sum, { clusters }) => sum + clusters.length, 0);
}

interface Agents {
  stop(): Promise<void>;
}

/** Plays the agents of all clusters: each work is applied as soon as it is there, and Progressing only with a rule for it. */
function playAgents(): Agents {
  const stopping = new AbortController();
  const playing = (async () => {
    while (!stopping.signal.aborted) {
      for (const work of await hub.client.list(...ocmKinds.manifestWork)) await report(work);
      await delay(200);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await playing;
    },
  };
}

async function report(work: KubernetesObject): Promise<void> {
  const { generation: observedGeneration } = work.metadata as { readonly generation?: number };
  const { status } = work as {
    readonly status?: { readonly conditions?: readonly { observedGeneration?: number }[] };
  };
  if (status?.conditions?.every((each) => each.observedGeneration === observedGeneration)) return;
  const since = {
    reason: 'Played',
    message: '',
    lastTransitionTime: new Date().toISOString(),
    observedGeneration,
  };
  const conditions = [
    { type: 'Applied', status: 'True', ...since },
    ...(JSON.stringify(work['spec']).includes('"condition":"Progressing"')
      ? [{ type: 'Progressing', status: 'False', ...since }]
      : []),
  ];
  try {
    await hub.client.merge(work, { status: { conditions } }, 'status');
  } catch (error) {
    // The hub has deleted it meanwhile.
    if (!(error instanceof ApiError && error.refusal.code === 404)) throw error;
  }
}
