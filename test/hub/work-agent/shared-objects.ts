import { goJson } from '../../../src/base/json/go-json.ts';
import type { JsonMap } from '../../../src/base/json/json-map.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { storedManifest } from '../../../src/ocm/clusters/stored-manifest.ts';
import { contestOf, writerOf, type Contest, type Effect } from '../../../src/ocm/clusters/two-writers.ts';
import { ocmKinds, reference } from '../client/kinds.ts';
import type { Random } from '../differential/random.ts';
import { generatedKinds } from './kinds/generated-kinds.ts';
import { existingNamespace, pairOf, type ManifestConfig, type ManifestPair } from './manifest-pairs.ts';
import { appliedOf, differenceOf } from './observed-answers.ts';
import type { Clients, Round } from './played-works.ts';
import { cluster } from './random-works.ts';

/** An object that two works deliver, each with its own manifest and strategy. */
interface SharedObject {
  readonly pair: ManifestPair;
  readonly one: Delivery;
  readonly other: Delivery;
}

/** One of the two works. */
interface Delivery {
  readonly name: string;
  readonly manifest: JsonMap;
  readonly config: ManifestConfig;
}

/** Kinds that the work agent may not write with every strategy. */
const restricted = new Set([
  'CustomResourceDefinition',
  'Endpoints',
  'FlowSchema',
  'IngressClass',
  'MutatingWebhookConfiguration',
  'Placement',
  'PriorityLevelConfiguration',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);
const sharedKinds = generatedKinds.filter(({ kind }) => !restricted.has(kind));

const strategies = [
  { type: 'Update' },
  { type: 'Update' },
  { type: 'CreateOnly' },
  { type: 'ReadOnly' },
  { type: 'ServerSideApply' },
  { type: 'ServerSideApply', serverSideApply: { force: true } },
  { type: 'ServerSideApply', serverSideApply: { fieldManager: 'work-agent-b' } },
  { type: 'ServerSideApply', serverSideApply: { fieldManager: 'work-agent-b', force: true } },
] as const;

function sharedObject(random: Random, id: string): SharedObject {
  const generated = random.pick(sharedKinds);
  const { namespace = existingNamespace } = generated;
  const drawn = pairOf(generated, `s${id}`, { random, strategy: { type: 'Update' }, namespace });
  // without their labels, only the content can differ
  const pair = random.chance(0.5)
    ? drawn
    : { ...drawn, before: plain(drawn.before), after: plain(drawn.after) };
  const delivery = (name: string, manifest: JsonMap): Delivery => ({
    name,
    manifest,
    config: { resourceIdentifier: pair.resource, updateStrategy: random.pick(strategies) },
  });
  return {
    pair,
    one: delivery(`shared-${id}-one`, pair.before),
    other: delivery(`shared-${id}-other`, pair.after),
  };
}

function plain(manifest: JsonMap): JsonMap {
  const { labels: _, ...metadata } = manifest['metadata'] as JsonMap;
  return { ...manifest, metadata };
}

/** What is predicted once one of the works has been applied again. */
interface Step {
  readonly delivery: Delivery;
  readonly isApplied: boolean;
  /** The manifests that hold. */
  readonly stored: readonly JsonMap[];
}

interface PredictedSteps {
  readonly contest: Contest | undefined;
  readonly steps: readonly Step[];
}

/** Returns what the compiler predicts if the cluster gets `one` first, then `other`, and looks at `one` again. */
function predictedSteps(shared: SharedObject): PredictedSteps {
  const { pair, one, other } = shared;
  const [first, second] = [one, other].map(({ manifest, config }) =>
    writerOf({ manifestConfigs: [config] }, pair.resource, pair.key, manifest),
  );
  if (first === undefined || second === undefined) throw new Error('two writers');
  return stepsOf(contestOf(first, second), shared);
}

function stepsOf(contest: Contest | undefined, shared: SharedObject): PredictedSteps {
  const { one, other } = shared;
  const [ofOne, ofOther] = storedBy(shared);
  const step = (
    delivery: Delivery,
    isApplied: boolean,
    ...stored: readonly (JsonMap | undefined)[]
  ): Step => ({
    delivery,
    isApplied,
    stored: stored.filter((manifest) => manifest !== undefined),
  });
  if (contest === undefined) {
    const held = uncontested(shared);
    return { contest, steps: [step(other, true, ...held), step(one, true, ...held)] };
  }
  if (contest.winner === 'alternating')
    return { contest, steps: [step(other, true, ofOther), step(one, true, ofOne)] };
  if (contest.winner === 'other' && contest.ifFirst !== undefined)
    return { contest, steps: stepsOf(contest.ifFirst.contest, shared).steps };
  if (contest.winner === 'other')
    // it came first, so a stale manifest is not refused
    return {
      contest,
      steps: [step(other, true, ofOther), step(one, contest.loser.kind !== 'refused', ofOther)],
    };
  const effect = contest.winner === 'first' ? contest.other : contest.loser;
  return {
    contest,
    steps: [step(other, !isRefusedLater(effect), one.manifest), step(one, true, one.manifest)],
  };
}

function isRefusedLater({ kind }: Effect): boolean {
  return kind === 'refused' || kind === 'stale';
}

/** Returns what the object has once `one` has overwritten what `other` wrote, and once `other` has written over its manifest. */
function storedBy({ pair, one, other }: SharedObject): readonly [JsonMap | undefined, JsonMap | undefined] {
  const written = ({ config, manifest }: Delivery, before: JsonMap): JsonMap | undefined =>
    config.updateStrategy?.type === 'Update'
      ? storedManifest(pair.key, 'Update', before, manifest)
      : manifest;
  const ofOther = written(other, one.manifest);
  return [written(one, ofOther ?? one.manifest), ofOther];
}

/** Both manifests hold, or the one of the work that does not only create or read the object. */
function uncontested(shared: SharedObject): readonly (JsonMap | undefined)[] {
  const { one, other } = shared;
  const [first, second] = [one, other].map(({ config }) => config.updateStrategy?.type);
  const [ofOne, ofOther] = storedBy(shared);
  if (first === 'ReadOnly') return second === 'ReadOnly' ? [] : [other.manifest];
  if (second === 'ReadOnly') return [one.manifest];
  if (first === 'CreateOnly') return [ofOther];
  if (second === 'CreateOnly') return [one.manifest];
  return [ofOne, ofOther];
}

/**
 * Whether a list with one owner is applied, in whose items the API server writes defaults. Equal lists then conflict, because neither is that
 * of the object. docs/plan.md lists this.
 */
function isCompletedList({ pair: { key }, one, other }: SharedObject): boolean {
  return (
    key === 'discovery.k8s.io/EndpointSlice' &&
    [one, other].some(({ config }) => config.updateStrategy?.type === 'ServerSideApply')
  );
}

/** Delivers random objects by two works each, compares both conditions and the objects, and removes the works. Returns the differences. */
export async function playedSharedObjects(
  { hub, managed }: Clients,
  random: Random,
  { round, count, tally }: Round,
): Promise<readonly string[]> {
  const all = Array.from({ length: count }, (_, index) => sharedObject(random, `${round}-${index}`));
  const differences: string[] = [];
  for (const { one } of all) await hub.apply(workOf(one));
  for (const { one } of all) await appliedOf(hub, one.name);
  const predictions = all.map((shared) => ({ shared, ...predictedSteps(shared) }));
  for (const index of [0, 1] as const) {
    for (const { steps } of predictions) {
      const { delivery } = steps[index] as Step;
      await hub.apply(workOf(delivery, index === 1));
    }
    for (const { shared, contest, steps } of predictions) {
      const { delivery, isApplied, stored } = steps[index] as Step;
      const [applied] = await appliedOf(hub, delivery.name);
      if (isCompletedList(shared)) {
        if (index === 0) tally.add('unpredicted (ServerSideApply of a list that the API server completes)');
        continue;
      }
      const words = wordsOf(contest);
      if (index === 0) tally.add(words);
      const report = (text: string): void => {
        differences.push(`${words}: ${delivery.name} ${text}\n  ${show(shared)}`);
      };
      if (isApplied !== (applied?.status === 'True'))
        report(`predicted ${isApplied}, is ${applied?.status}: ${applied?.message}`);
      for (const manifest of stored) {
        const difference = await differenceOf(managed, shared.pair, manifest);
        if (difference !== undefined) report(`the object differs: ${difference}`);
      }
      if (stored.length === 0) {
        const difference = await differenceOf(managed, shared.pair, undefined);
        if (difference !== undefined) report(difference);
      }
    }
  }
  for (const { one, other } of all) for (const delivery of [one, other]) await hub.delete(workOf(delivery));
  return differences;
}

/** @param isAgain - whether the work has another manifest, so that the agent applies all of them again */
function workOf({ name, manifest, config }: Delivery, isAgain = false): KubernetesObject {
  const marker = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: existingNamespace } };
  return {
    ...reference(ocmKinds.manifestWork, name, cluster),
    spec: {
      workload: { manifests: isAgain ? [manifest, marker] : [manifest] },
      manifestConfigs: [config],
    },
  };
}

function wordsOf(contest: Contest | undefined): string {
  if (contest === undefined) return 'both hold';
  if (contest.winner === 'alternating') return 'alternating';
  if (contest.winner === 'first') return `the first one wins, ${contest.one.kind} and ${contest.other.kind}`;
  return `one wins, ${contest.loser.kind}${contest.ifFirst === undefined ? '' : ' if it comes later'}`;
}

function show({ one, other }: SharedObject): string {
  return [one, other]
    .map(({ config, manifest }) => `${goJson(config.updateStrategy ?? {})} ${goJson(manifest)}`)
    .join('\n  ');
}
