import { counted } from '../model/words.ts';
import { groupBy } from '../../base/collections/groups.ts';
import type { Location } from '../model/origin.ts';
import type {
  Cause,
  ChangeGroup,
  ClusterAnswer,
  ConfigChange,
  ConfigUse,
  Effect,
  PermissionChange,
  RegistrationChange,
  ValueChange,
} from '../compare/change.ts';
import {
  applicationFates,
  type ApplicationChange,
  type ApplicationSteps,
  type ApplicationFate,
} from '../compare/application-change.ts';
import { applicationsWith } from '../plan/placed-counts.ts';
import type { Plan } from '../plan/plan.ts';
import type { ObjectChange } from '../compare/object-changes.ts';
import type { AddOnPlan } from '../compare/add-on-plan.ts';
import type { LabelCount } from '../compare/cluster-labels.ts';
import { changedSecretMask } from '../masks/secrets.ts';
import type { StrategyChange, StrategyReach } from '../compare/placements/strategy-changes.ts';
import { shownSides } from './value-diff.ts';
import { rangeWords } from './time-words.ts';

/** The text of an effect before `on 3 clusters`. Uninstalls are in capital letters. */
export const effectWords: Readonly<Record<Effect, string>> = {
  uninstalled: 'UNINSTALLED from',
  installed: 'installed on',
  changed: 'changed on',
  rerolled: 're-rolled without a visible change on',
  moved: 'moved between placements on',
};

/** The text of an effect in a summary: `2 uninstalled`. */
export const effectNouns: Readonly<Record<Effect, string>> = {
  uninstalled: 'uninstalled',
  installed: 'installed',
  changed: 'changed',
  rerolled: 're-rolled',
  moved: 'moved',
};

/** A symbol per effect, so that effects can be distinguished without colors. */
export const effectSymbols: Readonly<Record<Effect, string>> = {
  uninstalled: '−',
  installed: '+',
  changed: '~',
  rerolled: '↻',
  moved: '→',
};

/** Returns `a, b, c and 4 more`. */
export function someOf(names: readonly string[], most: number): string {
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

/** Returns `apps/x/app.ts:31`, or the construct if no file is known. */
export function locationText(location: Location | undefined): string | undefined {
  if (location === undefined) return undefined;
  if ('file' in location) return `${location.file}:${location.line}`;
  const { source, construct } = location;
  return source === undefined ? construct : `${source.file}:${source.line}`;
}

/** Something in one of the states. */
export type LocatedSide = Pick<Cause, 'location' | 'side'>;

/** Returns ` (fleet.yaml:31)`, with a note if the location is in the base. Empty if no location is known. */
export function locationSuffix(located: LocatedSide): string {
  const place = sidePlaceWords(located);
  return place === '' ? '' : ` (${place})`;
}

/** Returns `fleet.yaml:31` or `fleet.yaml:31 in the base`. Empty if no location is known. */
export function sidePlaceWords({ location, side }: LocatedSide): string {
  const place = locationText(location) ?? '';
  return place === '' || side === 'head' ? place : `${place} in the base`;
}

/** Returns `spec.replicas`, with the cluster whose value is shown if other clusters have other values. */
export function pathWords({ path, cluster }: Pick<ValueChange, 'path' | 'cluster'>): string {
  const what = path === '' ? 'the object' : path;
  return cluster === undefined ? what : `${what} (cluster ${cluster}; differs per cluster)`;
}

/** Returns `spec.replicas: 1 -> 2`. Long values are cut. */
export function valueWords(value: Omit<ValueChange, 'object'>): string {
  const what = pathWords(value);
  const { gone, there } = shownSides(value, longestValue);
  if (gone === undefined) return there === undefined ? what : `${what}: ${there} added`;
  if (there === undefined) return `${what}: ${gone} removed`;
  return there === changedSecretMask ? `${what}: ${there}` : `${what}: ${gone} -> ${there}`;
}

/** The maximum number of characters of a value on one line. */
export const longestValue = 80;

/** Returns `2 env=prod, 1 env=dev; region=eu`. A value without a number applies to all clusters. Empty if nothing is counted. */
export function labelWords(labels: readonly LabelCount[] = []): string {
  const byLabel = groupBy(labels, ({ by }) => by);
  return Array.from(byLabel.values(), (counts) => {
    const words = counts.map((count) =>
      counts.length === 1 ? labelValueWords(count) : `${count.clusters} ${labelValueWords(count)}`,
    );
    return someOf(words, shownLabelValues);
  }).join('; ');
}

/** The maximum number of values of one label that are named. */
const shownLabelValues = 5;

/** Returns `env=prod` or `no env`, and `env=dev->prod` if the change sets another value. */
export function labelValueWords({ by, value, was }: Omit<LabelCount, 'clusters'>): string {
  if (was !== undefined) return `${by}=${was || 'none'}->${value || 'none'}`;
  return value === '' ? `no ${by}` : `${by}=${value}`;
}

/** Returns ` (2 env=prod, 1 env=dev)`. Empty if nothing is counted. */
export function labelSuffix(labels: readonly LabelCount[] | undefined): string {
  const words = labelWords(labels);
  return words === '' ? '' : ` (${words})`;
}

/** Returns `the next change of placement default/prod reaches 4 clusters in 1 wave, before in 4 waves (1, 1, 1, 1)`. */
export function strategyWords({ placement, before, after }: StrategyChange): string {
  const isAsBefore = waveWords(before) === waveWords(after) && before.clusters === after.clusters;
  const earlier = isAsBefore
    ? 'as before'
    : `before ${before.clusters === after.clusters ? '' : `${counted(before.clusters, 'cluster')} `}${waveWords(before)}`;
  return `the next change of placement ${placement} reaches ${counted(after.clusters, 'cluster')} ${waveWords(after)}, ${earlier}`;
}

/** The maximum number of waves of a hypothetical rollout that are listed one by one. */
const shownWaves = 10;

function waveWords({ waves, left, lastWaveAfter, lastWaveEarliest }: StrategyReach): string {
  const sizes = waves.length < 2 ? '' : ` (${someOf(waves.map(String), shownWaves)})`;
  const last =
    lastWaveAfter === 0
      ? ''
      : `, the last after ${rangeWords({ earliest: lastWaveEarliest, after: lastWaveAfter })}`;
  const stop = left === 0 ? '' : ` and stops before ${counted(left, 'cluster')}`;
  return `in ${counted(waves.length, 'wave')}${sizes}${last}${stop}`;
}

/** Returns whether more clusters change at the same time than before. */
export function isFaster({ before, after }: StrategyChange): boolean {
  return Math.max(0, ...after.waves) > Math.max(0, ...before.waves);
}

/** Returns `addondeploymentconfigs default/prod, from placement default/prod (hub.yaml:20)`. */
export function usedConfigWords({ resource, after }: ConfigChange): string {
  const kind = resource.split('.', 1)[0] ?? resource;
  return `${kind} ${after.map(configUseWords).join(', ')}`;
}

/** Returns `default/prod, from placement default/prod (hub.yaml:20)`. */
export function configUseWords({ name, from, location }: ConfigUse): string {
  const place = locationText(location);
  return `${name}, from ${from}${place === undefined ? '' : ` (${place})`}`;
}

/** Returns `ClusterRole/reader in each cluster's namespace, for 3 clusters`. */
export function permissionWords({ permission, change, before, after }: PermissionChange): string {
  if (change === 'more clusters' || change === 'fewer clusters') {
    return `${permission}: for ${counted(after, 'cluster')}, before ${before}`;
  }
  return `${permission}, for ${counted(change === 'narrowed' ? before : after, 'cluster')}`;
}

/** Returns `registration widened: kubernetes.io/kube-apiserver-client (hub.yaml:40)`. */
export function registrationWords(change: RegistrationChange): string {
  return `registration ${change.change}: ${change.signer}${locationSuffix(change)}`;
}

/** Returns `3 days`, `1 hour` or `20 minutes`: a whole number of the largest unit. */
export function ageWords(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes >= 2 * 1440) return counted(Math.floor(minutes / 1440), 'day');
  return minutes >= 2 * 60 ? counted(Math.floor(minutes / 60), 'hour') : counted(minutes, 'minute');
}

/** Returns `2 uninstalled, 1 installed`. Omits effects that do not occur. */
export function effectCounts(effects: Readonly<Record<Effect, number>>): string {
  const occurring = (Object.keys(effectNouns) as Effect[]).filter((effect) => effects[effect] > 0);
  return occurring.map((effect) => `${effects[effect]} ${effectNouns[effect]}`).join(', ');
}

/** Whether a plan has any change: of an object, a placement or an add-on, or of a promotion that starts a wave. */
export function changesAnything({ addOns, placements, objects, summary }: Plan): boolean {
  return addOns.length + placements.length + objects.length + (summary.promotions?.started ?? 0) > 0;
}

/** Returns when the effects of a plan occur if promotions hold some of them back or start a wave. Empty without promotions. */
function promotedWords({ effects, promotions }: Plan['summary']): string[] {
  if (promotions === undefined) return [];
  const { waiting, rolledBack, started } = promotions;
  const atOnce = { ...effects };
  for (const effect of Object.keys(effectNouns) as Effect[])
    atOnce[effect] -= waiting[effect] + rolledBack[effect];
  const [now, later, never] = [atOnce, waiting, rolledBack].map(effectCounts);
  const isHeld = later !== '' || never !== '';
  return [
    ...(isHeld ? [`with the merge: ${now || 'no add-on changes'}`] : []),
    ...(later ? [`when the promotion releases it: ${later}`] : []),
    ...(never ? [`not at all, because it was rolled back: ${never}`] : []),
    ...(started === 0 ? [] : [`the merge releases earlier changes on ${counted(started, 'cluster')}`]),
  ];
}

/**
 * Returns whether the clusters of a group begin or cease to enforce a Policy, what happens to the Applications of an
 * ApplicationSet, and when the clusters change if a promotion holds some of them back.
 */
export function groupNotes(
  { clusters, enforcement, applications = [], waiting = [], rolledBack = [] }: ChangeGroup,
  names: number,
): readonly string[] {
  const some = (held: readonly string[]): string =>
    held.length === clusters.length ? '' : ` on ${counted(held.length, 'cluster')}: ${someOf(held, names)}`;
  return [
    ...(enforcement === undefined
      ? []
      : [enforcement === 'begins' ? 'enforcement BEGINS' : 'enforcement ENDS']),
    ...applications.map((change) => applicationWords(change, clusters, names)),
    ...(waiting.length === 0
      ? []
      : [`not with the merge, but when the promotion releases it${some(waiting)}`]),
    ...(rolledBack.length === 0
      ? []
      : [`not at all, because the content was rolled back${some(rolledBack)}`]),
  ];
}

/** Returns `2 Applications DELETED with what they deployed, on c1: c1-app`. */
function applicationWords(
  { fate, count, names, steps }: ApplicationChange,
  clusters: readonly string[],
  shown: number,
): string {
  const total = count * clusters.length;
  const each = count > 1 && clusters.length > 1 ? ` (${count} on each cluster)` : '';
  const [first = ''] = clusters;
  const where = clusters.length === 1 ? '' : `, on ${first}`;
  const what = applicationFateWords(fate, total);
  const when = steps === undefined ? '' : `; ${stepWords(steps, count)}`;
  return `${counted(total, 'Application')}${each} ${what}${where}: ${someOf(names, shown)}${when}`;
}

/** Returns `in step 2 of 3`, or `2 in step 1 of 3, 1 in no step: Argo CD does not sync it`. */
function stepWords({ of, counts }: ApplicationSteps, total: number): string {
  const words = counts.map(({ step, count }) => {
    const some = count === total ? '' : `${count} `;
    const them = count === 1 ? 'it' : 'them';
    return step === undefined
      ? `${some}in no step, so that Argo CD does not sync ${them}`
      : `${some}in step ${step} of ${of}`;
  });
  return words.join(', ');
}

function applicationFateWords(fate: ApplicationFate, count: number): string {
  const they = count === 1 ? 'it' : 'they';
  const words: Readonly<Record<ApplicationFate, string>> = {
    deleted: `DELETED with what ${they} deployed`,
    detached: `deleted, and what ${they} deployed stays`,
    left: `${count === 1 ? 'moves' : 'move'} to another cluster, and what ${they} deployed here stays`,
    kept: 'no longer generated, and kept because of applicationsSync',
    stale: 'not updated because of applicationsSync',
    changed: 'changed',
    created: 'created',
  };
  return words[fate];
}

/** Returns one sentence for the whole plan. */
export function summaryWords(plan: Plan): string {
  const { summary, fleet, placements, objects } = plan;
  const effects = effectCounts(summary.effects);
  if (effects === '') {
    const clusters = counted(fleet.after, 'cluster');
    if (!changesAnything(plan)) return `nothing changes on ${clusters}`;
    const { promotions } = summary;
    return [
      ...(promotions === undefined ? [`no add-on changes on ${clusters}`] : promotedWords(summary)),
      ...(placements.length === 0 ? [] : [`${counted(placements.length, 'placement')} changed`]),
      ...emptiedWords(summary),
      ...objectCounts(objects, 'object'),
    ].join('; ');
  }
  // The hub uninstalls without waiting, so uninstalls are not a wave.
  const waves = summary.waves === 0 ? '' : ` in ${counted(summary.waves, 'wave')}`;
  return [
    `${effects}, ${summary.unchanged} unchanged`,
    ...enforcementCounts(plan),
    ...applicationCounts(plan),
    ...answerCounts(plan),
    ...promotedWords(summary),
    `${summary.clusters} of ${counted(Math.max(fleet.before, fleet.after), 'cluster')} reached${waves}`,
    ...emptiedWords(summary),
    ...objectCounts(
      objects.filter(({ explained }) => !explained),
      'other object',
    ),
  ].join('; ');
}

/** Returns `enforcement of policies begins 3 times and ends once`, counted per policy and cluster. Empty if it does neither. */
function enforcementCounts({ addOns }: Plan): string[] {
  const countOf = (wanted: 'begins' | 'ends'): number =>
    addOns
      .flatMap(({ groups }) => groups)
      .reduce((sum, { enforcement, clusters }) => (enforcement === wanted ? sum + clusters.length : sum), 0);
  const words = (['begins', 'ends'] as const).flatMap((verb) => {
    const count = countOf(verb);
    return count === 0 ? [] : [`${verb} ${count === 1 ? 'once' : `${count} times`}`];
  });
  return words.length === 0 ? [] : [`enforcement of policies ${words.join(' and ')}`];
}

/** Returns `3 Applications created, 1 DELETED with what it deployed`. Empty if no ApplicationSet changes any. */
function applicationCounts({ addOns }: Plan): string[] {
  const counts = applicationFates
    .toReversed()
    .map((fate) => ({ fate, count: applicationsWith(addOns, fate) }))
    .filter(({ count }) => count > 0);
  const words = counts.map(({ fate, count }, index) => {
    const what = applicationFateWords(fate, count);
    return index === 0 ? `${counted(count, 'Application')} ${what}` : `${count} ${what}`;
  });
  return words.length === 0 ? [] : [words.join(', ')];
}

/** Returns `refused 4 times`, `8 objects deleted with their content`. Empty if the clusters take the changes as they are. */
function answerCounts({ addOns }: Plan): string[] {
  const answers = addOns.flatMap(({ groups }) => groups.flatMap((group) => group.answers ?? []));
  const countOf = (wanted: ClusterAnswer['kind']): number =>
    answers.reduce((sum, { kind, clusters }) => (kind === wanted ? sum + clusters : sum), 0);
  const [deleted, refused] = [countOf('deleted'), countOf('refused')];
  return [
    ...(deleted === 0
      ? []
      : [`${counted(deleted, 'object')} deleted with ${deleted === 1 ? 'its' : 'their'} content`]),
    ...(refused === 0 ? [] : [`${counted(refused, 'change')} refused by clusters`]),
  ];
}

/** Returns `app metrics has no objects left`. Empty if every app has objects, or had none before. */
function emptiedWords({ emptiedApps: apps }: Plan['summary']): string[] {
  if (apps.length === 0) return [];
  return [
    `${apps.length === 1 ? 'app' : 'apps'} ${apps.join(', ')} ${apps.length === 1 ? 'has' : 'have'} no objects left`,
  ];
}

/** Returns `1 object edited, 2 added`. Empty if there are no objects. */
function objectCounts(objects: readonly ObjectChange[], noun: string): string[] {
  const counts = (['edited', 'added', 'removed'] as const)
    .map((change) => ({ change, count: objects.filter((each) => each.change === change).length }))
    .filter(({ count }) => count > 0);
  const words = counts.map(({ change, count }, index) =>
    index === 0 ? `${counted(count, noun)} ${change}` : `${count} ${change}`,
  );
  return words.length === 0 ? [] : [words.join(', ')];
}

/** Returns `"logging"` or `ManifestWork "agent"`, with the hub if there are several. */
export function quotedAddOn({ hub, kind, addOn }: Pick<AddOnPlan, 'hub' | 'kind' | 'addOn'>): string {
  return `${kind === undefined ? `"${addOn}"` : `${kind} "${addOn}"`}${hubSuffix(hub)}`;
}

/** Returns ` (hub prod-eu)`. Empty if the plan is about one hub. */
export function hubSuffix(hub: string | undefined): string {
  return hub === undefined ? '' : ` (hub ${hub})`;
}

/** Returns the name of an add-on or of works, with the app if it is different, and the hub if there are several. */
export function addOnWords({ app, hub, kind, addOn, change }: AddOnPlan): string {
  const bare = kind === undefined ? addOn : `${kind} ${addOn}`;
  const places = [
    ...(app === bare || app === '' ? [] : [`app ${app}`]),
    ...(hub === undefined ? [] : [`hub ${hub}`]),
  ];
  const name = places.length === 0 ? bare : `${bare} (${places.join(', ')})`;
  return change === undefined ? name : `${name}, ${change === 'added' ? 'new' : 'REMOVED'}`;
}
