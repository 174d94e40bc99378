import type { ChangeGroup, Effect, PermissionChange, ValueChange } from '../plan/change.ts';
import type { FieldChange } from '../plan/object-changes.ts';
import type { PlacementChange, SelectionChange } from '../plan/placements.ts';
import type { Plan } from '../plan/plan.ts';
import type { AddOnPlan } from '../plan/add-on-plan.ts';
import type { Reach } from '../plan/reach.ts';
import type { StrategyChange } from '../plan/strategy-changes.ts';
import { foldedValues } from './folded-values.ts';
import {
  addOnWords,
  counted,
  durationWords,
  effectCounts,
  effectWords,
  permissionWords,
  placeSuffix,
  someOf,
  summaryWords,
  isBolder,
  labelSuffix,
  longestValue,
  pathWords,
  strategyWords,
  usedConfigWords,
  valueWords,
} from './plan-words.ts';
import { shownObjects, type ShownObjects } from './shown-objects.ts';
import { isBlock, shownSides, valueDiff } from './value-diff.ts';
import { wrapLines } from './wrap.ts';

/** What a line or a part of it means; what it looks like is the terminal's affair. */
export type Tone = 'alarm' | 'loss' | 'gain' | 'change' | 'quiet' | 'heading';

export interface PlanTextOptions {
  /** Gives a text its colour; returns it as it is where there are none. */
  readonly paint: (tone: Tone, text: string) => string;
  /** So many clusters are named of a group; the others are counted. */
  readonly names: number;
  /** Lines are broken at so many columns. @default - lines are as long as they are */
  readonly columns?: number;
}

const tones: Readonly<Record<Effect, Tone>> = {
  uninstalled: 'alarm',
  installed: 'gain',
  changed: 'change',
  rerolled: 'quiet',
  moved: 'quiet',
};

/** A plan for a terminal: add-ons with uninstalls first, the summary last. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  const { body, summary } = planTextParts(plan, options);
  return body + summary;
}

/** A plan in two parts, between which a terminal shows findings: what is read last is then the summary. */
export interface PlanTextParts {
  /** Ends with an empty line; empty where nothing changes. */
  readonly body: string;
  readonly summary: string;
}

/** The parts of `planText`. */
export function planTextParts(plan: Plan, options: PlanTextOptions): PlanTextParts {
  const { paint } = options;
  const sections = [
    ...plan.addOns.map((addOn) => addOnLines(addOn, options)),
    section(
      'placements',
      plan.placements.flatMap((change) => placementLines(change, options)),
      options,
    ),
    section('reach', reachLines(plan.reach), options),
    section('objects', objectLines(shownObjects(plan), options), options),
  ].filter((lines) => lines.length > 0);
  const body = sections.map((lines) => `${lines.join('\n')}\n\n`).join('');
  const { uninstalled } = plan.summary.effects;
  const words = paint(uninstalled > 0 ? 'alarm' : 'heading', `plan: ${summaryWords(plan)}`);
  const summary = `${words}\n${paint('quiet', `hash: ${plan.hash}`)}\n`;
  const { columns } = options;
  if (columns === undefined) return { body, summary };
  return { body: wrapLines(body, columns), summary: wrapLines(summary, columns) };
}

function section(heading: string, lines: readonly string[], { paint }: PlanTextOptions): readonly string[] {
  return lines.length === 0 ? [] : [paint('heading', heading), ...lines];
}

function addOnLines(plan: AddOnPlan, options: PlanTextOptions): readonly string[] {
  const { paint } = options;
  return [
    paint('heading', addOnWords(plan)),
    ...(plan.stalled === undefined
      ? []
      : [`  ${paint('alarm', `the hub configures nothing: ${plan.stalled}`)}`]),
    ...groupsLines(plan.groups, options),
    ...plan.permissions.map((change) => permissionLine(change, options)),
    ...plan.registrations.map(
      (change) => `  registration ${change.change}: ${change.signer}${paint('quiet', placeSuffix(change))}`,
    ),
    ...rolloutLines(plan, options),
    ...plan.strategies.map((change) => strategyLine(change, options)),
  ];
}

function strategyLine(change: StrategyChange, { paint }: PlanTextOptions): string {
  const words = 'rollout strategy';
  return `  ${isBolder(change) ? paint('alarm', words) : words}: ${strategyWords(change)}${paint('quiet', placeSuffix(change))}`;
}

/** How many groups of one effect are shown; uninstalls always are. */
const shownGroups = 25;

function groupsLines(groups: readonly ChangeGroup[], options: PlanTextOptions): readonly string[] {
  const seen = new Map<Effect, number>();
  const more = new Map<Effect, { groups: number; clusters: number }>();
  const lines = groups.flatMap((group) => {
    const { effect, clusters } = group;
    const before = seen.get(effect) ?? 0;
    seen.set(effect, before + 1);
    if (effect === 'uninstalled' || before < shownGroups) return groupLines(group, options);
    const omitted = more.get(effect) ?? { groups: 0, clusters: 0 };
    more.set(effect, {
      groups: omitted.groups + 1,
      clusters: omitted.clusters + clusters.length,
    });
    return [];
  });
  const omitted = Array.from(
    more,
    ([effect, { groups: count, clusters }]) =>
      `  ${effectWords[effect]} ${counted(clusters, 'more cluster')} in ${counted(count, 'other way')}`,
  );
  return [...lines, ...omitted];
}

function groupLines(group: ChangeGroup, { paint, names }: PlanTextOptions): readonly string[] {
  const { effect, clusters, causes, caveat, configs, values, moreValues, labels } = group;
  const head = `${effectWords[effect]} ${counted(clusters.length, 'cluster')}`;
  const used = effect === 'installed' ? configs : [];
  return [
    `  ${paint(tones[effect], head)}${labelSuffix(labels)}: ${someOf(clusters, names)}`,
    ...causes.map((cause) => `    because ${cause.text}${paint('quiet', placeSuffix(cause))}`),
    ...(caveat === undefined ? [] : [`    ${paint('alarm', 'but')} ${caveat}`]),
    ...used.map((config) => `    with ${usedConfigWords(config)}`),
    ...valueLines(values, { paint, isInstalled: effect === 'installed' }).map((line) => `    ${line}`),
    ...(moreValues === 0 ? [] : [`    and ${counted(moreValues, 'more value')}`]),
  ];
}

interface ValueOptions extends Pick<PlanTextOptions, 'paint'> {
  /** Whether the values are those with which something is installed, and not different from others. */
  readonly isInstalled?: boolean;
}

/** Values under the objects that they belong to. */
function valueLines(values: readonly ValueChange[], options: ValueOptions): readonly string[] {
  const lines: string[] = [];
  let object: string | undefined;
  for (const value of foldedValues(values)) {
    if (value.object !== object) lines.push(value.object);
    object = value.object;
    lines.push(...fieldLines(value, options).map((line) => `  ${line}`));
    if (value.also.length > 0) lines.push(`    also ${someOf(value.also, shownPlaces)}`);
  }
  return lines;
}

/** How many other places of the same value are named. */
const shownPlaces = 5;

/** How many removed, or added, lines of a value are shown. */
const shownLines = 20;

/** A value on one line, or what is different in it line by line. */
function fieldLines(value: FieldChange, { paint, isInstalled = false }: ValueOptions): readonly string[] {
  if (!isBlock(value)) {
    if (!isInstalled) return [valueWords(value)];
    return [`${pathWords(value)}: ${shownSides(value, longestValue).there ?? ''}`];
  }
  const how =
    isInstalled || (value.before !== undefined && value.after !== undefined)
      ? ''
      : value.before === undefined
        ? ' added'
        : ' removed';
  return [
    `${pathWords(value)}${how}:`,
    ...valueDiff(value, shownLines).map(({ sign, text }) => {
      const line = `  ${isInstalled ? ' ' : sign} ${text}`;
      return isInstalled || sign === ' ' ? line : paint(sign === '+' ? 'gain' : 'loss', line);
    }),
  ];
}

function permissionLine(change: PermissionChange, { paint }: PlanTextOptions): string {
  const words = `hub permission ${change.change}`;
  const wider = change.change === 'widened' || change.change === 'role edited';
  return `  ${wider ? paint('alarm', words) : words}: ${permissionWords(change)}${paint('quiet', placeSuffix(change))}`;
}

function rolloutLines({ rollout }: AddOnPlan, { paint, names }: PlanTextOptions): readonly string[] {
  const { waves, stops, finishedAfter } = rollout;
  const lines: string[] = [];
  if (waves.length > 0) {
    const finish = finishedAfter === 0 ? '' : `, over after ${durationWords(finishedAfter)} at the earliest`;
    lines.push(`  ${counted(waves.length, 'wave')}${finish}`);
  }
  for (const [index, { after, clusters, labels }] of waves.entries()) {
    const when = after === 0 ? '' : ` after ${durationWords(after)}`;
    lines.push(`    ${index + 1}${when}${labelSuffix(labels)}: ${someOf(clusters, names)}`);
  }
  for (const { message, left } of stops) {
    lines.push(
      `  ${paint('alarm', 'stops')}: ${message}; ${counted(left.length, 'cluster')} left: ${someOf(left, names)}`,
    );
  }
  return lines;
}

function placementLines(
  { placement, change, before, after, lost, gained }: PlacementChange,
  options: PlanTextOptions,
): readonly string[] {
  const is = change === undefined ? '' : change === 'added' ? ', new' : ', removed';
  return [
    `  ${placement}${is}: ${counted(after, 'cluster')}, before ${before}`,
    ...lost.map((selection) => selectionLine('loses', selection, options)),
    ...gained.map((selection) => selectionLine('gains', selection, options)),
  ];
}

function selectionLine(
  verb: string,
  { causes, clusters }: SelectionChange,
  { names }: PlanTextOptions,
): string {
  return `    ${verb} ${someOf(clusters, names)}: ${causes.map(({ text }) => text).join('; ')}`;
}

/** Values that nothing reaches are left out. */
function reachLines(reach: readonly Reach[]): readonly string[] {
  return reach
    .filter(({ effects }) => effectCounts(effects) !== '')
    .map(
      ({ by, value, clusters, reached, effects }) =>
        `  ${by} ${value === '' ? '(none)' : value}: ${reached} of ${counted(clusters, 'cluster')} (${effectCounts(effects)})`,
    );
}

/** How many objects are shown, and how many fields of each. */
const shownEntries = 20;
const shownFields = 10;

function objectLines(objects: readonly ShownObjects[], options: PlanTextOptions): readonly string[] {
  const { paint } = options;
  const more = objects.slice(shownEntries).reduce((sum, { names }) => sum + names.length, 0);
  return [
    ...objects.slice(0, shownEntries).flatMap((each) => {
      const { kind, names, change, fields, moreFields } = each;
      const omitted = moreFields + Math.max(0, fields.length - shownFields);
      return [
        `  ${kind} ${someOf(names, options.names)} ${names.length === 1 ? 'was' : 'were'} ${change}${paint('quiet', placeSuffix(each))}`,
        ...fields
          .slice(0, shownFields)
          .flatMap((field) => fieldLines(field, options).map((line) => `    ${line}`)),
        ...(omitted === 0 ? [] : [`    and ${counted(omitted, 'more field')}`]),
      ];
    }),
    ...(more > 0 ? [`  and ${counted(more, 'more object')}`] : []),
  ];
}
