import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { addToGroup, groupBy } from '../../../base/collections/groups.ts';
import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { goJson } from '../../../base/json/go-json.ts';
import {
  contestOf,
  writerOf,
  type Contest,
  type Effect,
  type Writer,
} from '../../../ocm/clusters/two-writers.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, isAsked, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { executorsOf, type Executors } from './executors.ts';
import { found } from './report.ts';

/**
 * Reports objects that several add-ons or works deliver to one cluster, of which one manifest or the other does not hold or is refused, with
 * the winner. Equal manifests can be refused, too. A work that only reads the object does not write it, nor does one whose executor may not.
 */
export const contestedObject: Rule = {
  codes: ['FW8316'],
  check: (input) => tally(contested(deliveriesOf(input), executorsOf(input))),
};

interface Claim {
  readonly delivery: Delivery;
  readonly manifest: DeliveredManifest;
}

function* contested(deliveries: readonly Delivery[], executors: Executors): Iterable<Tallied> {
  const claimed = groupBy(claimedObjects(deliveries), ({ key }) => key);
  for (const all of claimed.values()) {
    if (new Set(all.flatMap(({ sources }) => sources)).size < 2) continue;
    const claimants = all.flatMap(({ claims }) => claims).map((claim) => claimantOf(claim, executors));
    yield* conflicts(claimants);
  }
}

/** An object, and the manifests of it in a part of the deliveries. */
interface ClaimedObject {
  readonly key: string;
  readonly claims: readonly Claim[];
  /** Each once. */
  readonly sources: readonly string[];
}

const claimedObjects = oncePerPart((part: readonly Delivery[]): readonly ClaimedObject[] => {
  const claims = new Map<string, Claim[]>();
  for (const delivery of part)
    for (const manifest of delivery.objects)
      addToGroup(claims, `${manifest.resource.group}/${manifest.words}`, { delivery, manifest });
  return Array.from(claims, ([key, ofObject]) => ({
    key,
    claims: ofObject,
    sources: [...new Set(ofObject.map(({ delivery }) => sourceOf(delivery)))],
  }));
});

interface Claimant extends Claim {
  readonly text: string;
  readonly writer: Writer;
  /** The manifest, and how it is written: equal ones have equal contests. */
  readonly writing: string;
  readonly clusters: ReadonlySet<string>;
}

function claimantOf({ delivery, manifest }: Claim, executors: Executors): Claimant {
  const { resource, kindKey, object } = manifest;
  const [text, writer] = [goJson(object), writerOf(delivery.options, resource, kindKey, object)];
  return {
    delivery,
    manifest,
    text,
    writer,
    writing: `${text} ${JSON.stringify([writer.strategy, writer.apply])}`,
    clusters: new Set(delivery.clusters.filter((cluster) => executors.applies(delivery, manifest, cluster))),
  };
}

/** Returns the words of a delivery that no other one has. */
function sourceOf({ words, addOn = '', hostedFor }: Delivery): string {
  return hostedFor === undefined ? words : `add-on "${addOn}" of cluster "${hostedFor}"`;
}

/**
 * Returns the conflicts on each cluster, one for each two add-ons or works. Each of 10,000 clusters may have a separate work with an object
 * of this name, and a hosting cluster may get it for each of 10,000 clusters: the first one represents the others.
 */
function* conflicts(claimants: readonly Claimant[]): Iterable<Tallied> {
  const earlier = new Map<string, Map<string, Claimant>>();
  const reported = new Set<string>();
  const contests = new Contests();
  for (const claimant of claimants) {
    const { words } = claimant.delivery;
    const others = new Map<Claimant, string[]>();
    for (const cluster of claimant.clusters) {
      const first = getOrInsertComputed(earlier, cluster, () => new Map<string, Claimant>());
      for (const other of first.values()) {
        if (reported.has(JSON.stringify([other.delivery.words, words, cluster]))) continue;
        if (sourceOf(other.delivery) !== sourceOf(claimant.delivery)) addToGroup(others, other, cluster);
      }
      if (!first.has(words)) first.set(words, claimant);
    }
    for (const [other, clusters] of others) {
      const finding = conflict(other, claimant, { clusters: clusters.length, contests });
      if (finding === undefined) continue;
      for (const cluster of clusters) reported.add(JSON.stringify([other.delivery.words, words, cluster]));
      yield finding;
    }
  }
}

/** The contests of one object: many clusters may have separate works with equal manifests. */
class Contests {
  readonly #contests = new Map<string, Map<string, { readonly contest: Contest | undefined }>>();

  of(one: Claimant, other: Claimant): Contest | undefined {
    const others = getOrInsertComputed(this.#contests, one.writing, () => new Map());
    const compute = (): { readonly contest: Contest | undefined } => ({
      contest: contestOf(one.writer, other.writer),
    });
    return getOrInsertComputed(others, other.writing, compute).contest;
  }
}

function conflict(
  one: Claimant,
  other: Claimant,
  { clusters, contests }: { readonly clusters: number; readonly contests: Contests },
): Tallied | undefined {
  const { delivery, manifest } = other;
  const holder = [other, one].find((claim) => isAsked(claim.delivery));
  if (holder === undefined) return undefined;
  const contest = contests.of(one, other);
  if (contest === undefined) return undefined;
  const [first, second] = [sourceOf(one.delivery), sourceOf(delivery)];
  const { outcome, hint } = wordsOf(contest, first, second);
  const content = one.text === other.text ? 'the same content' : 'different content';
  return found('FW8316', holder.delivery, {
    path: holder.manifest.path,
    message: `${first} and ${second} both deliver ${manifest.words}, with ${content}: ${outcome}`,
    hint,
    clusters,
  });
}

function wordsOf(contest: Contest, one: string, other: string): { outcome: string; hint: string } {
  if (contest.winner === 'alternating')
    return {
      outcome: 'each overwrites the other every 4 to 6 min, indefinitely',
      hint: 'deliver the object once, rename one of them, or let one only create it (updateStrategy CreateOnly)',
    };
  const hint = 'deliver the object once, or rename one of them';
  if (contest.winner !== 'first') {
    const [first, second] = contest.winner === 'one' ? [one, other] : [other, one];
    const outcome = `${first} wins, and ${second} ${effectWords(contest.loser)}`;
    if (contest.ifFirst === undefined) return { outcome, hint };
    const { contest: then } = contest.ifFirst;
    const ifFirst = then === undefined ? 'both hold' : wordsOf(then, one, other).outcome;
    return { outcome: `${outcome}, unless the cluster gets ${second} first: then ${ifFirst}`, hint };
  }
  const [first, second] = [effectWords(contest.one), effectWords(contest.other)];
  const later =
    first === second
      ? `the other one ${first}`
      : `after the other one, ${one} ${first}, and ${other} ${second}`;
  const refused = contest.refusedAnyway === 'one' ? one : other;
  const anyway = contest.refusedAnyway === undefined ? '' : `; ${refused} is refused even if it comes first`;
  return { outcome: `the one that the cluster gets first wins; ${later}${anyway}`, hint };
}

/** Describes what becomes of a manifest that does not hold. */
function effectWords(effect: Effect): string {
  if (effect.kind === 'stale')
    return 'is refused with a conflict, or does not write it again because of its ignoreFields';
  if (effect.kind !== 'refused') return 'does not change it';
  return effect.why === undefined ? 'is refused with a conflict' : `is refused, because ${effect.why}`;
}
