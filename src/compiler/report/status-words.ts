import { causes } from '../status/cause-table.ts';
import type { AddOnFleetStatus, FleetStatus, StatusClass } from '../status/fleet-status.ts';
import type { LeftObject, LeftOnHub } from '../status/left/left-objects.ts';
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
export function statusSummary({ addOns, asPredicted }: FleetStatus): string {
  const all = addOns.reduce((sum, { counts }) => sum + counts['as predicted'], 0);
  if (addOns.length === 0) return 'there is no add-on to compare';
  if (asPredicted)
    return `everything is as predicted: ${counted(addOns.length, 'add-on')}, ${counted(all, 'installation')}`;
  const affected = addOns.filter(({ classes }) => classes.length > 0);
  const clusters = new Set(affected.flatMap(({ classes }) => classes.flatMap((each) => each.clusters)));
  return `not as predicted: ${counted(affected.length, 'add-on')} on ${clusterCount(clusters.size)}`;
}

/** Returns the notes on what stays on the hub, and on what was not compared or not read. */
export function statusNotes({ notInGit, unread, leftOnHub }: FleetStatus): readonly string[] {
  return [
    ...(leftOnHub === undefined ? [] : leftNotes(leftOnHub)),
    ...(notInGit.length === 0
      ? []
      : [`not compared, because only the hub has them: ${someOf(notInGit, 10)}`]),
    ...(unread.length === 0
      ? []
      : [`not read, because the credentials do not allow it: ${unread.join(', ')}; causes are less exact`]),
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
