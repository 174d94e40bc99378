import { afterAll, expect, test } from 'vitest';
import type { PlacementDecisionV1beta1 } from '../../schemas/types.gen.ts';
import { compareText } from '../../src/base/collections/compare-text.ts';
import { getOrInsertComputed } from '../../src/base/collections/get-or-insert.ts';
import { groupIndexLabel } from '../../src/compiler/place/decision-objects.ts';
import { placementLabel } from '../../src/ocm/labels.ts';
import type { Decisions } from '../../src/compiler/place/decision.ts';
import { resolve } from '../../src/compiler/resolve.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { connect } from './client/hub.ts';
import type { Follower } from './client/hub-watch.ts';
import { ocmKinds } from './client/kinds.ts';
import { releaseOf } from './client/release.ts';
import { sharedHub } from './client/shared-hub.ts';
import { sequence, type Edit } from './differential/sequences.ts';
import { loaded } from './differential/predict.ts';
import { applyScenario } from './record/apply-scenario.ts';
import { atRest } from './record/recording.ts';
import { removeScenario } from './record/remove-scenario.ts';
import { belongsTo } from './record/scenario.ts';

const hub = connect(await sharedHub());
afterAll(() => hub.close());

/** The environment selects others: `FLEETWRIGHT_SEQUENCES=1-300`. */
const [from = 1, to = 8] = (process.env['FLEETWRIGHT_SEQUENCES'] ?? '1-8').split('-').map(Number);
const parallel = 30;

/** The clusters of each decision group, by Placement and index of the group. */
type Selected = Readonly<Record<string, readonly string[]>>;

/** Milliseconds for one sequence on a machine that is busy with other tests. */
const patience = 120_000;
const timeout = (to - from + 1) * patience;

test('the clusters of placements follow from those before each edit', { timeout }, async () => {
  const waiting = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const played: Played[] = [];
  const work = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const first = await play(seed);
      // On a busy machine, a hub can look at rest before it has read an object.
      played.push(first.difference === undefined ? first : { ...(await play(seed)), isSecond: true });
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  const differences = played.flatMap(({ difference }) => difference ?? []);
  const edits = played.reduce((sum, each) => sum + each.edits, 0);
  const byOrder = played.filter(({ isByOrder }) => isByOrder === true).length;
  const again = played.filter(({ isSecond }) => isSecond === true).length;
  const remembering = played.filter(({ needsHistory }) => needsHistory).length;
  process.stdout.write(
    `sequences ${from} to ${to}: ${edits} edits, ${differences.length} differ; ${byOrder} depend on an order, ${again} were played twice; ${remembering} would differ without history\n`,
  );
  expect(differences.join('\n')).toBe('');
  // Otherwise no edit concerns what the hub remembers.
  expect(remembering).toBeGreaterThan(played.length / 10);
  // Otherwise these exceptions would hide differences.
  expect(byOrder + again).toBeLessThan(1 + played.length / 20);
});

interface Played {
  /** The number of edits until hub and compiler differ. */
  readonly edits: number;
  readonly difference?: string;
  /** The hub differs only in Placements whose choice depends on an order, which FW3008 says. The sequence ends there. */
  readonly isByOrder?: boolean;
  /** It was played again because the hub differed. */
  readonly isSecond?: boolean;
  /** Whether a resolution that knows no earlier decisions has other clusters after one of the edits. */
  readonly needsHistory: boolean;
}

/** Plays a sequence on the hub and in the compiler. */
async function play(seed: number): Promise<Played> {
  const { first, edits } = sequence(seed);
  const everything = [first, ...edits.map(({ objects }) => objects)].flat();
  let needsHistory = false;
  try {
    return await hub.watch.follow(belongsTo(everything), async (follower) => {
      await applyScenario(hub, follower, first);
      await follower.still(atRest);
      // The hub takes new placements in a random order, so the sequence begins with what it selected.
      let before = predicted([...first, ...(await decisions(first))]).decisions;
      expect(selectedBy(before), `seed ${seed}, installation`).toEqual(await selectedOnHub(first));
      for (const [index, edit] of edits.entries()) {
        await apply(follower, edit);
        const prediction = predicted(edit.objects, before);
        before = prediction.decisions;
        const [our, hub] = [selectedBy(before), await selectedOnHub(edit.objects)];
        const [ours, hubs] = [JSON.stringify(our), JSON.stringify(hub)];
        needsHistory ||= JSON.stringify(selectedBy(predicted(edit.objects).decisions)) !== hubs;
        if (ours !== hubs) {
          if (differingPlacements(our, hub).every((name) => prediction.byOrder.has(name)))
            return { edits: index + 1, isByOrder: true, needsHistory };
          const difference = `seed ${seed}, edit ${index + 1} (${edit.name}): ${ours}, hub ${hubs}`;
          return { edits: index + 1, difference, needsHistory };
        }
      }
      return { edits: edits.length, needsHistory };
    });
  } finally {
    await removeScenario(hub, everything);
  }
}

async function apply(follower: Follower, { changed, removed }: Edit): Promise<void> {
  for (const object of removed) await hub.client.delete(object);
  await follower.still(atRest);
  await applyScenario(hub, follower, changed);
  await follower.still(atRest);
}

interface Prediction {
  readonly decisions: Decisions;
  /** The names of the Placements whose choice depends on the order in which the hub handles them. */
  readonly byOrder: ReadonlySet<string>;
}

function predicted(objects: readonly KubernetesObject[], earlier?: Decisions): Prediction {
  const hubOfTest = releaseOf(hub.versions);
  const { value, diagnostics } = resolve(loaded(objects), {
    now: Date.now(),
    hub: hubOfTest,
    ...(earlier && { earlier }),
  });
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  const byOrder = diagnostics.flatMap(({ code, object }) => (code === 'FW3008' ? [object?.name ?? ''] : []));
  return { decisions: value.decisions, byOrder: new Set(byOrder) };
}

/** Returns the names of the Placements that do not have the same clusters in each group. */
function differingPlacements(one: Selected, other: Selected): readonly string[] {
  const groups = Object.keys({ ...one, ...other });
  const different = groups.filter((group) => JSON.stringify(one[group]) !== JSON.stringify(other[group]));
  return different.map((group) => group.split(' ')[0] ?? '');
}

function selectedBy({ byPlacement }: Decisions): Selected {
  return sortedGroups([...byPlacement.values()].flatMap(({ objects }) => objects));
}

function sortedGroups(objects: readonly PlacementDecisionV1beta1[]): Selected {
  const groups = new Map<string, string[]>();
  for (const { metadata, status } of objects) {
    const [placement, index] = [placementLabel, groupIndexLabel].map((label) => metadata.labels?.[label]);
    const names = (status?.decisions ?? []).map(({ clusterName }) => clusterName);
    getOrInsertComputed(groups, `${placement ?? ''} ${index ?? ''}`, () => []).push(...names);
  }
  return Object.fromEntries(
    Array.from(groups, ([key, names]) => [key, names.sort()] as const).sort(([a], [b]) => compareText(a, b)),
  );
}

async function decisions(objects: readonly KubernetesObject[]): Promise<readonly KubernetesObject[]> {
  const [apiVersion, kind] = ocmKinds.placementDecision;
  const all = await hub.client.list(apiVersion, kind);
  const isOfPlacement = ({ metadata }: KubernetesObject): boolean =>
    metadata.labels?.[placementLabel] !== undefined;
  return all
    .filter(belongsTo(objects))
    .filter(isOfPlacement)
    .map((object) => {
      const { name, namespace, labels } = object.metadata;
      return { ...object, metadata: { name, namespace, labels } } as KubernetesObject;
    });
}

async function selectedOnHub(objects: readonly KubernetesObject[]): Promise<Selected> {
  return sortedGroups((await decisions(objects)) as unknown as readonly PlacementDecisionV1beta1[]);
}
