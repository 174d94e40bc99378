import { causes } from '../status/cause-table.ts';
import type { AddOnFleetStatus, ContestedObject, FleetStatus, StatusClass } from '../status/fleet-status.ts';
import type { LeftObject, LeftOnHub } from '../status/left/left-objects.ts';
import {
  isPlacedAsPredicted,
  isPolicyAsPredicted,
  type ApplicationSetStatus,
  type PlacedStatus,
  type PolicyStatus,
} from '../status/placed-status.ts';
import { statusStates } from '../status/status.ts';
import { clusterCount, counted } from '../model/words.ts';
import { someOf } from './plan-words.ts';

/** Returns `3 as predicted, 1 unhealthy`. Omits states without clusters. */
export function countWords({ counts }: Pick<AddOnFleetStatus, 'counts'>): string {
  const states = statusStates.filter((state) => counts[state] > 0);
  return states.length === 0
    ? 'on no cluster'
    : states.map((state) => `${counts[state]} ${state}`).join(', ');
}

/** Returns `the workload is not available (workload-unavailable)`. */
export function causeWords({ cause: { code } }: StatusClass): string {
  return `${causes[code].title} (${code})`;
}

/** Returns the message, the time, and the wave of a class, each in a sentence part. */
export function detailWords({ cause: { message }, since, wave }: StatusClass, names: number): string {
  const time = since === undefined ? '' : `, since ${since}`;
  if (wave === undefined) return `${message}${time}`;
  const { due, waitsFor } = wave;
  const reason = waitsFor.length === 0 ? 'a soak' : someOf(waitsFor, names);
  return `${message}, due at ${due} at the earliest, waits for ${reason}${time}`;
}

/** Returns `not as predicted: 1 add-on on 2 clusters`. */
export function statusSummary({ addOns, asPredicted, placed }: FleetStatus): string {
  const parts = placed === undefined || isPlacedAsPredicted(placed) ? [] : placedCounts(placed);
  if (parts.length > 0 && addOns.every(({ classes }) => classes.length === 0))
    return `not as predicted: ${parts.join(', ')}`;
  const all = addOns.reduce((sum, { counts }) => sum + counts['as predicted'], 0);
  if (addOns.length === 0) return 'there is no add-on to compare';
  if (asPredicted)
    return `everything is as predicted: ${counted(addOns.length, 'add-on')}, ${counted(all, 'installation')}`;
  const affected = addOns.filter(({ classes }) => classes.length > 0);
  const clusters = new Set(affected.flatMap(({ classes }) => classes.flatMap((each) => each.clusters)));
  const affectedAddOns = `${counted(affected.length, 'add-on')} on ${clusterCount(clusters.size)}`;
  return `not as predicted: ${[affectedAddOns, ...parts].join(', ')}`;
}

/** Returns `1 Policy` and `2 ApplicationSets`, of those that are not as predicted. */
function placedCounts({ policies, applicationSets }: PlacedStatus): readonly string[] {
  const wrong = policies.filter((policy) => !isPolicyAsPredicted(policy)).length;
  return [
    ...(wrong === 0 ? [] : [wrong === 1 ? '1 Policy' : `${wrong} Policies`]),
    ...(applicationSets.length === 0 ? [] : [counted(applicationSets.length, 'ApplicationSet')]),
  ];
}

/**
 * Returns the notes on what is easily missed: add-ons on no cluster, a second engine, what stays on the hub, what was not compared or
 * not read.
 */
export function statusNotes({
  addOns,
  contested,
  notInGit,
  unread,
  placed,
  leftOnHub,
}: FleetStatus): readonly string[] {
  return [
    ...addOns.flatMap(emptyWords),
    ...(placed === undefined ? [] : placedNotes(placed)),
    ...(contested.length === 0 ? [] : [`${contestedWords(contested)}; see fleetwright doctor --against hub`]),
    ...(leftOnHub === undefined ? [] : leftNotes(leftOnHub)),
    ...(notInGit.length === 0
      ? []
      : [`not compared, because only the hub has them: ${someOf(notInGit, 10)}`]),
    ...(unread.length === 0
      ? []
      : [`not read, because the credentials do not allow it: ${unread.join(', ')}; causes are less exact`]),
  ];
}

/** The maximum number of clusters or Applications in a note. */
const mostPlaced = 5;

function placedNotes({ policies, applicationSets, notCompared }: PlacedStatus): readonly string[] {
  return [
    ...policies.flatMap(policyWords),
    ...applicationSets.flatMap(applicationSetWords),
    ...notCompared.map(
      ({ applicationSet, reason }) => `ApplicationSet ${applicationSet} is not compared: ${reason}`,
    ),
  ];
}

function policyWords({ policy, ...lists }: PolicyStatus): readonly string[] {
  const { missing, unexpected, different, nonCompliant } = lists;
  const note = (names: readonly string[], words: string): readonly string[] =>
    names.length === 0 ? [] : [`Policy ${policy} ${words} ${someOf(names, mostPlaced)}`];
  return [
    ...note(missing, 'is missing on'),
    ...note(unexpected, 'is on clusters that are not predicted:'),
    ...note(different, 'has another remediationAction than predicted on'),
    ...note(nonCompliant, 'is not complied with on'),
  ];
}

function applicationSetWords({
  applicationSet,
  missing,
  unexpected,
}: ApplicationSetStatus): readonly string[] {
  return [
    ...(missing.length === 0
      ? []
      : [`ApplicationSet ${applicationSet} has not created ${someOf(missing, mostPlaced)}`]),
    ...(unexpected.length === 0
      ? []
      : [`ApplicationSet ${applicationSet} still has ${someOf(unexpected, mostPlaced)}`]),
  ];
}

/** The maximum number of objects that are named although Git no longer has them. */
const mostLeft = 20;

/** Returns a note on the kinds that were not searched for objects that Git no longer has. */
export function unsearchedKinds({ unread }: Pick<LeftOnHub, 'unread'>): string {
  return `not searched for objects that Git no longer has, because the credentials do not allow it: ${unread.join(', ')}`;
}

function leftNotes({ objects, unread }: LeftOnHub): readonly string[] {
  const more = objects.length - mostLeft;
  return [
    ...objects.slice(0, mostLeft).map(leftWords),
    ...(more > 0
      ? [`${counted(more, 'more object')} on the hub that Git no longer has: -o json lists all`]
      : []),
    ...(unread.length === 0 ? [] : [unsearchedKinds({ unread })]),
  ];
}

/** Returns `Placement default/old is on the hub, but no longer in Git: protected from pruning, used by ClusterManagementAddOn hello`. */
function leftWords({ object, reason, usedBy, command }: LeftObject): string {
  const use = usedBy.length === 0 ? 'nothing uses it' : `used by ${someOf(usedBy, 5)}`;
  const remedy = command === undefined ? '' : `; to delete it: ${command}`;
  return `${object} is on the hub, but no longer in Git: ${reason}, ${use}${remedy}`;
}

/** Says that an add-on is on no cluster, and why its placements select none. */
function emptyWords({ addOn, emptyPlacements }: AddOnFleetStatus): readonly string[] {
  if (emptyPlacements.length === 0) return [];
  const reasons = emptyPlacements.map(
    ({ placement, reason }) => `Placement ${placement} selects none: ${reason.replace(/\.$/, '')}`,
  );
  return [`${addOn} is for no cluster: ${reasons.join('; ')}`];
}

/** Returns `Placement default/all and 2 other objects are applied by Argo CD and Flux: …`. There is at least one object. */
export function contestedWords(contested: readonly ContestedObject[]): string {
  const [first] = contested;
  const rest = contested.length - 1;
  const others = rest === 0 ? '' : ` and ${counted(rest, 'other object')}`;
  return `${first?.object ?? ''}${others} ${rest === 0 ? 'is' : 'are'} applied by ${first?.engines.join(' and ') ?? ''}: each overwrites the other, and deletes what it no longer has`;
}
