import type { JsonMap } from '../../../src/base/json/json-map.ts';
import { storedManifest } from '../../../src/ocm/clusters/stored-manifest.ts';
import { contestOf, writerOf, type Contest, type Effect } from '../../../src/ocm/clusters/two-writers.ts';
import type { Delivery, SharedObject } from './shared-objects.ts';

/** What is predicted once one of the works has been applied again. */
export interface Step {
  readonly delivery: Delivery;
  readonly isApplied: boolean;
  /** The manifests that hold. */
  readonly stored: readonly JsonMap[];
}

export interface PredictedSteps {
  readonly contest: Contest | undefined;
  readonly steps: readonly Step[];
}

/** Returns what the compiler predicts if the cluster gets `one` first, then `other`, and looks at `one` again. */
export function predictedSteps(shared: SharedObject): PredictedSteps {
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
  const isRefused = contest.winner === 'first' && contest.refusedAnyway === 'one';
  return {
    contest,
    steps: [step(other, !isRefusedLater(effect), one.manifest), step(one, !isRefused, one.manifest)],
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

/** Returns a contest in the words of the tally. */
export function wordsOf(contest: Contest | undefined): string {
  if (contest === undefined) return 'both hold';
  if (contest.winner === 'alternating') return 'alternating';
  if (contest.winner === 'first') return `the first one wins, ${contest.one.kind} and ${contest.other.kind}`;
  return `one wins, ${contest.loser.kind}${contest.ifFirst === undefined ? '' : ' if it comes later'}`;
}
