import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { HubVersion } from '../../../src/ocm/hub-version.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { resolveText } from '../../resolve-text.ts';
import type { Hub } from '../client/hub.ts';
import { applyScenario } from '../record/apply-scenario.ts';
import { parseObjects } from '../record/scenario.ts';
import { randomSets } from './random-sets.ts';
import { fleet } from './scenes.ts';
import { predictedWorks, worksOnHub, type Work } from './works.ts';

/** How long the hub may take, and how long it has to keep what it made, in milliseconds. */
const patience = 60_000;
const quiet = 3_000;

/** The works that differ, and when. */
export interface SetDifference {
  readonly seed: number;
  /** The content of the works: `a` at the installation, `b` after the edit. */
  readonly value: string;
  readonly missing: readonly Work[];
  readonly unexpected: readonly Work[];
}

/** Creates what is missing and edits what is there. */
export async function applyObjects(hub: Hub, objects: readonly KubernetesObject[]): Promise<void> {
  await hub.watch.follow(
    () => true,
    async (follower) => {
      await applyScenario(hub, follower, objects);
      await follower.still({ quiet: 700, atMost: 20_000 });
    },
  );
}

/** Applies random sets and an edit of all of them, and compares the works. The sets are deleted again. */
export async function compareRandomSets(
  hub: Hub,
  release: HubVersion,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<readonly SetDifference[]> {
  const { placements, sets } = randomSets(seed, count);
  const differences: SetDifference[] = [];
  for (const value of ['a', 'b']) {
    const text = [...placements, ...sets(value)].join('\n---\n');
    // A set that is there before the decisions of its Placements starts with the group that is decided first.
    if (value === 'a') await applyObjects(hub, parseObjects(placements.join('\n---\n')));
    const { resolution } = resolveText(text, { fleet, hub: release.name, now: Date.now() });
    await applyObjects(hub, parseObjects(text));
    const { missing, unexpected } = await comparedWorks(hub, release, predictedWorks(resolution, release));
    if (missing.length + unexpected.length > 0) differences.push({ seed, value, missing, unexpected });
  }
  for (const object of parseObjects([...placements, ...sets('b')].join('\n---\n')))
    await hub.client.delete(object);
  await comparedWorks(hub, release, []);
  return differences;
}

/** Waits until the hub has these works and keeps them, or until it has had its time. */
async function comparedWorks(
  hub: Hub,
  release: HubVersion,
  predicted: readonly Work[],
): Promise<Pick<SetDifference, 'missing' | 'unexpected'>> {
  const deadline = Date.now() + patience;
  for (;;) {
    const works = await worksOnHub(hub, release);
    const isEqual = isDeepStrictEqual(works, predicted);
    if (isEqual) {
      await delay(quiet);
      if (isDeepStrictEqual(await worksOnHub(hub, release), predicted))
        return { missing: [], unexpected: [] };
    }
    if (Date.now() > deadline) {
      const has = (list: readonly Work[], work: Work): boolean =>
        list.some((each) => isDeepStrictEqual(each, work));
      return {
        missing: predicted.filter((work) => !has(works, work)),
        unexpected: works.filter((work) => !has(predicted, work)),
      };
    }
    await delay(300);
  }
}
