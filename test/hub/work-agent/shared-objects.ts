import type { JsonMap } from '../../../src/base/json/json-map.ts';
import type { Random } from '../differential/random.ts';
import { generatedKinds } from './kinds/generated-kinds.ts';
import { existingNamespace, pairOf, type ManifestConfig, type ManifestPair } from './manifest-pairs.ts';

/** An object that two works deliver, each with its own manifest and strategy. */
export interface SharedObject {
  readonly pair: ManifestPair;
  readonly one: Delivery;
  readonly other: Delivery;
}

/** One of the two works. */
export interface Delivery {
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

/** Returns a random object of two works. */
export function sharedObject(random: Random, id: string): SharedObject {
  const generated = random.pick(sharedKinds);
  const { namespace = existingNamespace } = generated;
  const drawn = pairOf(generated, `s${id}`, { random, strategy: { type: 'Update' }, namespace });
  // without their labels, only the content can differ
  const pair = random.chance(0.5) ? drawn : plainPair(drawn, random.chance(0.4));
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

/** @param isSame - whether both works have the same manifest */
function plainPair(pair: ManifestPair, isSame: boolean): ManifestPair {
  const before = plain(pair.before);
  return { ...pair, before, after: isSame ? before : plain(pair.after) };
}

function plain(manifest: JsonMap): JsonMap {
  const { labels: _, ...metadata } = manifest['metadata'] as JsonMap;
  return { ...manifest, metadata };
}
