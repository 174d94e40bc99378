import type { ChangeGroup, Effect, PermissionChange, ValueChange } from '../plan/change.ts';
import type { PlacementChange, SelectionChange } from '../plan/placements.ts';
import type { Plan } from '../plan/plan.ts';
import type { AddOnPlan } from '../plan/add-on-plan.ts';
import type { Reach } from '../plan/reach.ts';
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
  valueWords,
} from './plan-words.ts';
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
  const { paint } = options;
  const sections = [
    ...plan.addOns.map((addOn) => addOnLines(addOn, options)),
    section(
      'placements',
      plan.placements.flatMap((change) => placementLines(change, options)),
      options,
    ),
    section('reach', reachLines(plan.reach), options),
    section('changed without an effect on a cluster', objectLines(plan.objects, options), options),
  ].filter((lines) => lines.length > 0);
  const body = sections.map((lines) => `${lines.join('\n')}\n\n`).join('');
  const { uninstalled } = plan.summary.effects;
  const summary = paint(uninstalled > 0 ? 'alarm' : 'heading', `plan: ${summaryWords(plan)}`);
  const text = `${body}${summary}\n${paint('quiet', `hash: ${plan.hash}`)}\n`;
  return options.columns === undefined ? text : wrapLines(text, options.columns);
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
    ...plan.groups.flatMap((group) => groupLines(group, options)),
    ...plan.permissions.map((change) => permissionLine(change, options)),
    ...plan.registrations.map(
      (change) => `  registration ${change.change}: ${change.signer}${paint('quiet', placeSuffix(change))}`,
    ),
    ...rolloutLines(plan, options),
  ];
}

function groupLines(group: ChangeGroup, { paint, names }: PlanTextOptions): readonly string[] {
  const { effect, clusters, causes, values, moreValues } = group;
  const head = `${effectWords[effect]} ${counted(clusters.length, 'cluster')}`;
  return [
    `  ${paint(tones[effect], head)}: ${someOf(clusters, names)}`,
    ...causes.map((cause) => `    because ${cause.text}${paint('quiet', placeSuffix(cause))}`),
    ...valueLines(values).map((line) => `    ${line}`),
    ...(moreValues === 0 ? [] : [`    and ${counted(moreValues, 'more value')}`]),
  ];
}

/** Values under the objects that they belong to. */
function valueLines(values: readonly ValueChange[]): readonly string[] {
  const lines: string[] = [];
  let object: string | undefined;
  for (const value of values) {
    if (value.object !== object) lines.push(value.object);
    object = value.object;
    lines.push(`  ${valueWords(value)}`);
  }
  return lines;
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
  for (const [index, { after, clusters }] of waves.entries()) {
    const when = after === 0 ? '' : ` after ${durationWords(after)}`;
    lines.push(`    ${index + 1}${when}: ${someOf(clusters, names)}`);
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

/** So many objects are named. */
const shownObjects = 20;

function objectLines(objects: Plan['objects'], { paint }: PlanTextOptions): readonly string[] {
  const more = objects.length - shownObjects;
  return [
    ...objects
      .slice(0, shownObjects)
      .map((each) => `  ${each.object} was ${each.change}${paint('quiet', placeSuffix(each))}`),
    ...(more > 0 ? [`  and ${counted(more, 'more object')}`] : []),
  ];
}
