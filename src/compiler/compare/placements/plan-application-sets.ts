import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { goJson } from '../../../base/json/go-json.ts';
import { namespaceOf } from '../../api/placement-references.ts';
import { placementFollowers, type PlacementFollower } from '../../api/placement-followers.ts';
import {
  applicationGenerator,
  type ApplicationGenerator,
  type Generation,
} from '../../application-sets/generate-applications.ts';
import { stepOf, syncStepsOf, type SyncSteps } from '../../application-sets/sync-steps.ts';
import { syncPolicyOf } from '../../application-sets/sync-policy.ts';
import type { Admitted } from '../../model/inventory.ts';
import {
  applicationFates as fateOrder,
  type ApplicationChange,
  type ApplicationSteps,
} from '../application-change.ts';
import { compareValues } from '../compare-values.ts';
import type { ChangeGroup, Effect, Side, ValueChange } from '../change.ts';
import { ChangeGroups, additionOrRemoval, distinct } from '../change-groups.ts';
import { namesInEither } from '../names-in-either.ts';
import type { Pair } from '../resolution-pair.ts';
import type { SelectionCauses } from '../causes/selection-causes.ts';
import { ApplicationCauses } from './application-causes.ts';
import { applicationFates, type ApplicationWithFate, type Syncing } from './application-fates.ts';
import { editsOf, nameOf, noEdits, type Edits } from './follower-edits.ts';
import type { FollowerChange } from './plan-followers.ts';

/** The changes of ApplicationSets whose Applications are known. */
export interface PlannedApplicationSets {
  readonly changes: readonly FollowerChange[];
  /** `namespace/name` of the ApplicationSets whose Applications are not known, with the part that is not evaluated. */
  readonly unanswered: ReadonlyMap<string, string>;
}

/** One ApplicationSet in one state. */
interface GeneratedSet {
  readonly holder: Admitted;
  readonly generation: Generation;
}

type Sides = Readonly<Record<Side, GeneratedSet | undefined>>;

/**
 * Compares the Applications of ApplicationSets in two states, by what Argo CD does with them on each cluster.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Application-Deletion/
 */
export function planApplicationSets(pair: Pair, causes: SelectionCauses): PlannedApplicationSets {
  const [before, after] = [generationsOf(pair, 'base'), generationsOf(pair, 'head')];
  const unanswered = new Map<string, string>();
  if (before.sets.size + after.sets.size === 0) return { changes: [], unanswered };
  const references = { base: referencesOf(pair, 'base'), head: referencesOf(pair, 'head') };
  const changes = namesInEither(before.sets, after.sets).flatMap((name): FollowerChange[] => {
    const sides: Sides = { base: before.sets.get(name), head: after.sets.get(name) };
    const holder = (sides.head ?? sides.base)?.holder;
    if (holder === undefined) return [];
    const part = sides.head?.generation.unanswered ?? sides.base?.generation.unanswered;
    if (part !== undefined) {
      unanswered.set(name, part);
      return [];
    }
    const reasons = new ApplicationCauses({
      pair,
      causes,
      references: { base: references.base.get(name), head: references.head.get(name) },
      generators: { base: before.generator, head: after.generator },
      namespace: namespaceOf(holder),
      text: goJson([sides.base?.holder.object['spec'] ?? null, sides.head?.holder.object['spec'] ?? null]),
    });
    return [applicationSetChange(name, sides, reasons)];
  });
  return { changes, unanswered };
}

interface Generations {
  readonly generator: ApplicationGenerator;
  readonly sets: ReadonlyMap<string, GeneratedSet>;
}

function generationsOf(pair: Pair, side: Side): Generations {
  const generator = applicationGenerator(pair[side].resolution);
  const sets = generator
    .sets()
    .map((holder): [string, GeneratedSet] => [
      nameOf(holder),
      { holder, generation: generator.generate(holder) },
    ]);
  return { generator, sets: new Map(sets) };
}

function referencesOf(pair: Pair, side: Side): ReadonlyMap<string, PlacementFollower> {
  const followers = placementFollowers(pair[side].resolution.inventory);
  return new Map(
    followers.filter(({ kind }) => kind === 'ApplicationSet').map((follower) => [follower.name, follower]),
  );
}

function applicationSetChange(
  name: string,
  { base, head }: Sides,
  reasons: ApplicationCauses,
): FollowerChange {
  const fates = applicationFates(
    base?.generation ?? noGeneration,
    head?.generation ?? noGeneration,
    syncingOf(base, head),
  );
  const edits = editsBetween(base, head);
  const steps = head && syncStepsOf(head.holder);
  const groups = new ChangeGroups();
  let [before, after] = [fates.unchanged.size, fates.unchanged.size];
  let changed = 0;
  for (const [cluster, different] of fates.different) {
    const stays = fates.unchanged.has(cluster);
    const had = stays || different.some((each) => each.before !== undefined);
    const has = stays || different.some((each) => each.after !== undefined);
    if (stays) changed++;
    else {
      if (had) before++;
      if (has) after++;
    }
    addChange(groups, {
      name,
      cluster,
      effect: effectOf(had, has),
      different,
      edits,
      reasons,
      ...(steps && { steps }),
    });
  }
  const all = groups.all().map((group) => withNames(group, fates.different));
  return {
    kind: 'ApplicationSet',
    name,
    ...additionOrRemoval(base, head),
    before,
    after,
    groups: all,
    unchanged: fates.unchanged.size - changed,
    explains: all.length === 0 ? [] : [`ApplicationSet ${name}`],
    applicationsBefore: base?.generation.applications.length ?? 0,
  };
}

const noGeneration: Generation = { applications: [], invalid: new Map(), assumesClusters: false };

/** Argo CD deletes the Applications of a deleted ApplicationSet, unless its policy does not delete. */
function syncingOf(base: GeneratedSet | undefined, head: GeneratedSet | undefined): Syncing {
  const deciding = head ?? base;
  return deciding === undefined ? { updates: true, deletes: true } : syncPolicyOf(deciding.holder);
}

function editsBetween(base: GeneratedSet | undefined, head: GeneratedSet | undefined): Edits {
  if (base === undefined || head === undefined) return noEdits;
  const partOf = ({ holder }: GeneratedSet) => ({ parts: [{ holder, path: ['spec'], except: [] }] });
  return editsOf(partOf(base), partOf(head));
}

function effectOf(had: boolean, has: boolean): Effect {
  if (had && has) return 'changed';
  return had ? 'uninstalled' : 'installed';
}

interface ClusterChange {
  readonly name: string;
  readonly cluster: string;
  readonly effect: Effect;
  readonly different: readonly ApplicationWithFate[];
  readonly edits: Edits;
  readonly reasons: ApplicationCauses;
  /** The steps of the progressive sync, if there is one. */
  readonly steps?: SyncSteps;
}

function addChange(groups: ChangeGroups, change: ClusterChange): void {
  const { name, cluster, effect, different, edits, reasons, steps } = change;
  const applications = countsOf(different, steps);
  const isChanged = different.some(({ fate }) => fate === 'changed' || fate === 'stale');
  const values = !isChanged
    ? []
    : edits.causes.length > 0
      ? edits.values
      : renderedValues(name, cluster, different);
  const causes = reasons.of(cluster, effect, edits.causes);
  const caveat = reasons.caveatOf(cluster, different);
  groups.add(
    goJson([
      effect,
      applications,
      values.map(({ path, before, after }) => [path, before ?? null, after ?? null]),
      caveat ?? '',
    ]),
    causes,
    cluster,
    () => ({
      effect,
      causes: distinct(causes.flat()),
      applications,
      configs: [],
      values,
      moreValues: 0,
      ...(caveat !== undefined && { caveat }),
    }),
  );
}

/** Names are added per group: they are usually different on each cluster. */
function countsOf(
  different: readonly ApplicationWithFate[],
  steps: SyncSteps | undefined,
): readonly ApplicationChange[] {
  return fateOrder.flatMap((fate): ApplicationChange[] => {
    const applications = different.filter((each) => each.fate === fate);
    if (applications.length === 0) return [];
    const isSynced = fate === 'created' || fate === 'changed';
    return [
      {
        fate,
        count: applications.length,
        names: [],
        ...(isSynced && steps && { steps: stepsWith(applications, steps) }),
      },
    ];
  });
}

function stepsWith(applications: readonly ApplicationWithFate[], steps: SyncSteps): ApplicationSteps {
  const inSteps = applications.map(({ after }) => after && stepOf(steps, after.object));
  const counts = [...steps.keys()].flatMap((index) => {
    const count = inSteps.filter((step) => step === index + 1).length;
    return count === 0 ? [] : [{ step: index + 1, count }];
  });
  const without = inSteps.filter((step) => step === undefined).length;
  return { of: steps.length, counts: [...counts, ...(without === 0 ? [] : [{ count: without }])] };
}

function withNames(
  group: ChangeGroup,
  different: ReadonlyMap<string, readonly ApplicationWithFate[]>,
): ChangeGroup {
  const [first = ''] = group.clusters;
  const onFirst = different.get(first) ?? [];
  return {
    ...group,
    applications: (group.applications ?? []).map((change) => ({
      ...change,
      names: onFirst
        .filter(({ fate }) => fate === change.fate)
        .map(({ name }) => name)
        .sort(),
    })),
  };
}

/** What differs in the Applications of a cluster if the ApplicationSet is the same. The name of the cluster is `<cluster>`. */
function renderedValues(
  name: string,
  cluster: string,
  different: readonly ApplicationWithFate[],
): readonly ValueChange[] {
  const values = new Map<string, ValueChange>();
  for (const { before, after } of different) {
    if (before === undefined || after === undefined) continue;
    for (const { path, ...sides } of compareValues(before.object, after.object)) {
      const value: ValueChange = {
        object: `Applications of ApplicationSet ${name}`,
        path,
        ...('before' in sides && { before: withoutName(sides.before, cluster) }),
        ...('after' in sides && { after: withoutName(sides.after, cluster) }),
        side: 'after' in sides ? 'head' : 'base',
      };
      const key = goJson([path, value.before ?? null, value.after ?? null]);
      getOrInsertComputed(values, key, () => value);
    }
  }
  return [...values.values()];
}

function withoutName(value: unknown, cluster: string): unknown {
  return typeof value === 'string' ? value.replaceAll(cluster, '<cluster>') : value;
}
