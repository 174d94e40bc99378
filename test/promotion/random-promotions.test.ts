import { expect, test } from 'vitest';
import { absent } from '../../src/promotion/decide/promotion.ts';
import { generator } from './generator.ts';
import { contents, RandomPromotion, releasedClusters, type Commit, type Kill } from './random-promotion.ts';

const count = Number(process.env['PROMOTIONS'] ?? 40);
const firstSeed = Number(process.env['PROMOTIONS_SEED'] ?? 1);
const minute = 60_000;
const steps = 60;

/** What happened in all promotions, so that a test that tests nothing fails. */
const seen = {
  waves: 0,
  kills: 0,
  restored: 0,
  completed: 0,
  stopped: 0,
  tolerated: 0,
  joined: 0,
  relabelled: 0,
  superseded: 0,
};

test(`in ${count} random promotions, no cluster has content before its gate, and a killed run is repeated exactly`, async () => {
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) await promoteAtRandom(seed);
  const unseen = Object.entries(seen).filter(([, times]) => times === 0);
  // A single seed, repeated to find a fault, need not contain everything.
  expect(count < 40 ? [] : unseen).toEqual([]);
}, 600_000);

async function promoteAtRandom(seed: number): Promise<void> {
  const random = generator(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const names = Array.from({ length: 4 + below(5) }, (_, index) => `c${index}`);
  const busy = random() < 0.3 ? 'supersede' : 'wait';
  const promotion = new RandomPromotion(
    Object.fromEntries(names.map((name) => [name, {}])),
    `{ whenBusy: ${busy} }`,
  );
  let [version, joined] = [1, names.length];
  const oneOf = (): string =>
    Object.keys(promotion.head.labels)[below(Object.keys(promotion.head.labels).length)] ?? 'c0';
  for (let turn = 0; turn < steps; turn += 1) {
    const before = promotion.head;
    const event = below(20);
    const { labels } = promotion.head;
    if (event === 0) await promotion.merge({ version: (version += 1) });
    else if (event === 1) {
      const completed = promotion.promotion.status.completed;
      await promotion.merge({ labels: { ...labels, [`c${joined}`]: {} } });
      checkJoined(promotion, `c${joined}`, completed?.source);
      joined += 1;
      if (completed !== undefined) seen.joined += 1;
    } else if (event === 2 && Object.keys(labels).length > 3) {
      const { [oneOf()]: _, ...rest } = labels;
      await promotion.merge({ labels: rest });
    } else if (event === 3) {
      await promotion.merge({ labels: { ...labels, [oneOf()]: random() < 0.5 ? { tier: 'gold' } : {} } });
      if (promotion.promotion.status.release !== undefined) seen.relabelled += 1;
    } else if (event < 6) promotion.setAgent(oneOf(), random() < 0.5 ? 'failing' : 'silent');
    else if (event < 10) promotion.setAgent(oneOf(), 'healthy');
    else if (event === 10 && random() < 0.3) await promotion.abort(random() < 0.5);
    else if (event === 11 && random() < 0.3) await promotion.pause(promotion.promotion.spec.paused !== true);
    if (promotion.head !== before && promotion.head.message === 'merge') checkMerge(before, promotion.head);
    if (random() < 0.7) promotion.sync();
    if (random() < 0.7) promotion.report();
    promotion.pass(below(15));
    await checkedStep(promotion, below);
  }
}

/** A cluster that joins gets the last completed release, or nothing. */
function checkJoined(promotion: RandomPromotion, cluster: string, source: string | undefined): void {
  expect(promotion.versionOf(cluster)).toBe(promotion.commitOf(source)?.version);
}

/** A merge changes no cluster that has a file: it only adds those that join and drops those that leave. */
function checkMerge(before: Commit, after: Commit): void {
  for (const [name, text] of before.files)
    if (name.startsWith('clusters/managed') && after.files.has(name))
      expect(after.files.get(name)).toBe(text);
}

async function checkedStep(promotion: RandomPromotion, below: (limit: number) => number): Promise<void> {
  const { head, text, files } = promotion;
  const commits = promotion.commits.length;
  const { status } = promotion.promotion;
  const decision = await promotion.step();
  const after = promotion.promotion.status;
  if (decision?.outcome === 'stopped') seen.stopped += 1;
  if (status.release !== undefined && after.release === undefined) {
    const result = after.history?.[0]?.result;
    if (result === 'completed') seen.completed += 1;
    if (result === 'restored') checkRestored(promotion, status.release.source);
  }
  if (promotion.commits.length === commits) return;
  expect(promotion.commits.length).toBe(commits + 1);
  const isNext = after.release !== undefined && after.release.hash === status.release?.hash;
  if (
    status.release !== undefined &&
    after.release !== undefined &&
    !isNext &&
    after.release.restores === undefined
  )
    seen.superseded += 1;
  if (isNext && status.release !== undefined) checkGate(promotion, status.release);
  checkOnlyReleased(head, promotion);
  // The same run, killed and repeated.
  const expected = promotion.head;
  const kills: readonly Kill[] = ['after the state', 'after the files'];
  promotion.commits.pop();
  promotion.text = text;
  promotion.files = files;
  await promotion.step(kills[below(2)]);
  if (below(3) === 0) promotion.restart();
  await promotion.step();
  expect(promotion.head).toEqual(expected);
  seen.kills += 1;
}

/** Only clusters whose wave is released change, and they get the content of the release. */
function checkOnlyReleased(before: Commit, promotion: RandomPromotion): void {
  const { release, completed } = promotion.promotion.status;
  const released = new Map(
    release === undefined ? [] : releasedClusters(release).map((each) => [each.cluster, each.hash]),
  );
  const earlier = contents(before.files);
  for (const [cluster, hash] of contents(promotion.head.files)) {
    if (earlier.get(cluster) === hash) continue;
    if (!earlier.has(cluster) && !released.has(cluster)) {
      expect(promotion.versionOf(cluster)).toBe(promotion.commitOf(completed?.source)?.version);
      continue;
    }
    expect([cluster, released.has(cluster)]).toEqual([cluster, true]);
    if (release?.restores === undefined) expect(hash).toBe(released.get(cluster));
  }
}

/** Before a wave starts, the clusters of the waves before it really are healthy for ten minutes, or have failed within the budget. */
function checkGate(
  promotion: RandomPromotion,
  release: NonNullable<RandomPromotion['promotion']['status']['release']>,
): void {
  seen.waves += 1;
  if (release.restores !== undefined || release.released === 0) return;
  expect(promotion.promotion.spec.paused ?? false).toBe(false);
  const current = contents(promotion.commits.at(-2)?.files ?? new Map());
  const failedByGate = new Map<string, number>();
  let since = -Infinity;
  for (const { cluster, hash, wave, gate } of releasedClusters(release)) {
    if (hash === absent || !current.has(cluster)) continue;
    const real = promotion.truth.get(cluster);
    // An agent that fell silent cannot tell that its cluster has failed since.
    const isHealthy = real?.hash === hash && real.since !== undefined;
    if (isHealthy) {
      if (wave === release.released) since = Math.max(since, real.since ?? 0);
      continue;
    }
    seen.tolerated += 1;
    failedByGate.set(gate, (failedByGate.get(gate) ?? 0) + 1);
    const start = promotion.startOf(release, wave) ?? Infinity;
    expect(promotion.now - start).toBeGreaterThanOrEqual(30 * minute);
  }
  for (const failed of failedByGate.values()) expect(failed).toBeLessThanOrEqual(1);
  if (since > -Infinity) expect(promotion.now - since).toBeGreaterThanOrEqual(10 * minute);
}

/** After a rollback, the clusters have the bytes from before. */
function checkRestored(promotion: RandomPromotion, base: string): void {
  seen.restored += 1;
  const earlier = promotion.commitOf(base);
  for (const { addOn, clusters } of promotion.promotion.status.rolledBack?.parts ?? [])
    for (const cluster of Object.keys(clusters)) {
      const name = `clusters/managedclusteraddon_${cluster}_${addOn}.yaml`;
      const text = promotion.head.files.get(name);
      // A cluster that left and joined again is a new cluster.
      if (text !== undefined && earlier?.files.has(name)) expect(text).toBe(earlier.files.get(name));
    }
}
