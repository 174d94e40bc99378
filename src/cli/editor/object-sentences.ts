import { type Resolution, objectKey } from '../../compiler/index.ts';
import { hasFleet } from '../../compiler/model/needs-fleet.ts';
import { counted, clusterCount } from '../../compiler/model/words.ts';
import { addOnGroup, clusterGroup } from '../../../schemas/groups.ts';
import { addToGroup } from '../../base/collections/groups.ts';
import { oncePer } from '../../base/collections/once-per.ts';
import { isSameList, Remembered } from '../../base/collections/remembered.ts';
import { groupOf, guessResource } from '../../base/names/resource-name.ts';
import { referentKey, type Referent } from '../../ocm/referent.ts';
import { type ClusterLists, configurationUses, type ConfigurationUse, sizeOf } from './configuration-uses.ts';
import type { EarlierUnit } from './earlier-state.ts';
import type { PlacedObject } from './placed-in-files.ts';

/**
 * Returns what objects of one name mean for the fleet, with the hub if there are several. An app knows only its own add-ons of a
 * cluster, so there is one sentence for all apps.
 */
export function sentencesOfAll(
  placed: readonly PlacedObject[],
  earlier: readonly EarlierUnit[] | undefined,
): readonly string[] {
  const ofHubs = new Map<string, PlacedObject[]>();
  const sentences: string[] = [];
  for (const each of placed)
    if (isCluster(each)) addToGroup(ofHubs, hubPrefix(each), each);
    else
      sentences.push(...sentencesOf(each, earlier, named).map((sentence) => `${hubPrefix(each)}${sentence}`));
  return [...Array.from(ofHubs, ([hub, clusters]) => `${hub}${ofCluster(clusters)}`), ...sentences];
}

/** Whether an object is a cluster of the fleet snapshot, of which every app has the same. */
function isCluster({ admitted: { object } }: PlacedObject): boolean {
  return object.kind === 'ManagedCluster' && groupOf(object.apiVersion) === clusterGroup;
}

/** Returns the hub of an object, if the workspace has several. */
export function hubPrefix({ unit: { hub } }: PlacedObject): string {
  return hub === undefined ? '' : `${hub}: `;
}

/** Returns what follows the number of some clusters. */
type Naming = (clusters: () => readonly string[]) => string;

/** A line above an object stays short, and there is one for each object after each edit. */
const unnamed: Naming = () => '';

/** A hover has room for the first names. */
function named(clusters: () => readonly string[]): string {
  const names = clusters();
  return names.length === 0 ? '' : ` (${namesOf(names)})`;
}

const unknownClusters = 'the clusters are unknown: there is no fleet snapshot';

/** How many names a sentence lists. */
const listedNames = 5;

/**
 * Returns what an object other than a cluster means for the fleet: the first sentence is the shortest answer, and fits above a line.
 * Without periods. Empty for objects that decide nothing about clusters.
 */
export function sentencesOf(
  { unit, admitted: { object } }: PlacedObject,
  earlier: readonly EarlierUnit[] | undefined,
  naming: Naming = unnamed,
): readonly string[] {
  const { resolution } = unit;
  const before = earlier?.find(
    ({ hub, paths }) => hub === unit.hub && paths.join('\n') === unit.paths.join('\n'),
  );
  const group = groupOf(object.apiVersion);
  const key = objectKey(object.metadata.namespace, object.metadata.name ?? '');
  if (group === clusterGroup && object.kind === 'Placement')
    return ofPlacement(key, resolution, before, naming);
  if (group === addOnGroup && object.kind === 'ClusterManagementAddOn')
    return ofAddOn(key, resolution, before, naming);
  if (group === addOnGroup && object.kind === 'ManagedClusterAddOn') return [];
  return ofConfiguration(
    {
      group,
      resource: guessResource(object.kind),
      ...(object.metadata.namespace !== undefined && { namespace: object.metadata.namespace }),
      name: object.metadata.name ?? '',
    },
    resolution,
    naming,
  );
}

function ofPlacement(
  key: string,
  resolution: Resolution,
  before: EarlierUnit | undefined,
  naming: Naming,
): readonly string[] {
  const decision = resolution.decisions.byPlacement.get(key);
  if (decision === undefined) return [];
  if (!hasFleet(resolution.inventory)) return [unknownClusters, ...usersOf(key, resolution)];
  const { selected, misconfiguration, unscheduled } = decision;
  const all = resolution.decisions.clusters.size;
  const earlier = before && (before.selected.get(key) ?? noNames);
  const undecided = misconfiguration ?? unscheduled;
  return [
    `selects ${selected.length} of ${clusterCount(all)}${naming(() => selected)}`,
    ...changeOf(earlier, selected, () => selected),
    ...(undecided === undefined ? [] : ['the hub does not decide it: see the findings']),
    ...usersOf(key, resolution),
  ];
}

/** The add-ons that a Placement installs. */
function usersOf(key: string, { configuration }: Resolution): readonly string[] {
  const names = [...configuration.values()]
    .filter(({ progressions }) => progressions.some((each) => `${each.namespace}/${each.name}` === key))
    .map(({ name }) => name);
  return names.length === 0 ? [] : [`installs ${names.join(', ')}`];
}

function ofAddOn(
  name: string,
  resolution: Resolution,
  before: EarlierUnit | undefined,
  naming: Naming,
): readonly string[] {
  const resolved = resolution.configuration.get(name);
  if (resolved === undefined) return [];
  if (!hasFleet(resolution.inventory)) return [unknownClusters];
  const { clusters } = resolved;
  const waves = resolution.rollouts.get(name)?.waves.length ?? 0;
  const inWaves = waves > 1 ? ` in ${counted(waves, 'wave')}` : '';
  const earlier = before && (before.installed.get(name) ?? noNames);
  return [
    `installed on ${clusterCount(clusters.size)}${naming(() => [...clusters.keys()])}${inWaves}`,
    ...changeOf(earlier, clusters, () => [...clusters.keys()]),
    ...(resolved.stalled === undefined ? [] : [`the hub configures no cluster: ${resolved.stalled}`]),
  ];
}

const noNames: readonly string[] = [];

/** Returns which add-ons a cluster has, of all apps that have it in their fleet. */
function ofCluster(placed: readonly PlacedObject[]): string {
  const name = placed[0]?.admitted.object.metadata.name ?? '';
  const addOns = placed.flatMap(({ unit }) =>
    [...unit.resolution.configuration.values()].filter(({ clusters }) => clusters.has(name)),
  );
  const names = new Set(addOns.map((each) => each.name));
  return names.size === 0
    ? 'has no add-ons'
    : `has ${counted(names.size, 'add-on')}: ${[...names].join(', ')}`;
}

function ofConfiguration(referent: Referent, resolution: Resolution, naming: Naming): readonly string[] {
  const uses = configurationUses(resolution).get(referentKey(referent));
  if (uses === undefined) return [];
  return naming === unnamed ? shortSentencesOfUses(uses) : sentencesOfUses(uses, naming);
}

const shortSentencesOfUses = oncePer((uses: readonly ConfigurationUse[]) => sentencesOfUses(uses, unnamed));

function sentencesOfUses(uses: readonly ConfigurationUse[], naming: Naming): readonly string[] {
  // The clusters of the only use are in the first sentence.
  const ofUse = uses.length === 1 ? unnamed : naming;
  return [decidesOn(uses, naming), ...uses.map((use) => useSentence(use, ofUse))];
}

/** Returns on how many clusters a configuration counts, whichever field names it. */
function decidesOn(uses: readonly ConfigurationUse[], naming: Naming): string {
  const winning = new Set(uses.flatMap(({ clusters }) => [...clusters]));
  const losing = new Set(uses.flatMap(({ lost }) => [...lost.values()].flatMap((clusters) => [...clusters])));
  for (const clusters of winning) losing.delete(clusters);
  const isOfOne = uses.every(({ addOn }) => addOn === uses[0]?.addOn);
  const { won, lost } = isOfOne
    ? { won: listsOf(winning), lost: listsOf(losing) }
    : countedOnce(winning, losing);
  const losses = lost.count === 0 ? '' : `, loses on ${lost.count}${naming(lost.names)}`;
  return `decides on ${clusterCount(won.count)}${naming(won.names)}${losses}`;
}

/** The number of some clusters, and their names, which a line above an object does not need. */
interface CountedClusters {
  readonly count: number;
  readonly names: () => readonly string[];
}

function listsOf(lists: ClusterLists): CountedClusters {
  return { count: sizeOf(lists), names: () => [...lists].flat().sort() };
}

function setOf(clusters: ReadonlySet<string>): CountedClusters {
  return { count: clusters.size, names: () => [...clusters].sort() };
}

/** Returns the clusters of which a configuration decides about some add-on, and those on which it only loses. */
function countedOnce(
  winning: ClusterLists,
  losing: ClusterLists,
): { readonly won: CountedClusters; readonly lost: CountedClusters } {
  const won = new Set([...winning].flat());
  const lost = new Set([...losing].flat().filter((cluster) => !won.has(cluster)));
  return { won: setOf(won), lost: setOf(lost) };
}

/** Returns what one field that names a configuration decides, with the first names of the clusters. */
export function useSentence(
  { addOn, candidate: { level, placement }, clusters, lost }: ConfigurationUse,
  naming: Naming = named,
): string {
  const where = level === 'placement' ? `placement ${placement ?? ''}` : level;
  const clustersOf = (lists: ClusterLists): string => {
    const { count, names } = listsOf(lists);
    return `${clusterCount(count)}${naming(names)}`;
  };
  const losses = [...lost].map(([reason, names]) => `; on ${clustersOf(names)} it loses: ${reason}`);
  return `${addOn}, from ${where}: decides on ${clustersOf(clusters)}${losses.join('')}`;
}

/** Returns what the edits since the last commit change; nothing if they change nothing, or if there is no last commit. */
function changeOf(
  before: readonly string[] | undefined,
  after: object,
  namesAfter: () => readonly string[],
): readonly string[] {
  return before === undefined ? [] : changes.of(after, [before], () => changedNames(before, namesAfter()));
}

const changes = new Remembered<readonly string[]>();

function changedNames(before: readonly string[], after: readonly string[]): readonly string[] {
  if (isSameList(before, after)) return [];
  const [earlier, later] = [new Set(before), new Set(after)];
  const more = after.filter((name) => !earlier.has(name));
  const fewer = before.filter((name) => !later.has(name));
  const parts = [
    ...(more.length === 0 ? [] : [`${more.length} more (${namesOf(more)})`]),
    ...(fewer.length === 0 ? [] : [`${fewer.length} fewer (${namesOf(fewer)})`]),
  ];
  return parts.length === 0 ? [] : [`since the last commit: ${parts.join(', ')}`];
}

function namesOf(names: readonly string[]): string {
  const rest = names.length - listedNames;
  return rest > 0 ? `${names.slice(0, listedNames).join(', ')} and ${rest} more` : names.join(', ');
}
