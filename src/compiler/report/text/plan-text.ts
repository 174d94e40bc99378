import { counted } from '../../model/words.ts';
import { engineNames, type EngineEffects } from '../../emit/engine-effects.ts';
import type { ChangeGroup, Effect, PermissionChange, ValueChange } from '../../compare/change.ts';
import type { FieldChange } from '../../compare/object-changes.ts';
import type { SelectionChange } from '../../compare/placements/placements.ts';
import type { AppPlacementChange, Plan } from '../../plan/plan.ts';
import type { AddOnPlan } from '../../compare/add-on-plan.ts';
import { deletionsOf } from '../../plan/answer-findings.ts';
import type { Reach } from '../../plan/reach.ts';
import type { StrategyChange } from '../../compare/placements/strategy-changes.ts';
import type { PlannedPromotion } from '../../plan/planned-promotion.ts';
import { foldedValues } from '../folded-values.ts';
import {
  addOnWords,
  effectCounts,
  effectWords,
  groupNotes,
  hubSuffix,
  permissionWords,
  locationSuffix,
  someOf,
  summaryWords,
  isFaster,
  labelSuffix,
  longestValue,
  pathWords,
  strategyWords,
  usedConfigWords,
  valueWords,
} from '../plan-words.ts';
import { endWords, refusingWords, rolloutWords } from '../planned-rollout-words.ts';
import { afterWords } from '../rollout-words.ts';
import { promotionLines } from '../promotion-words.ts';
import { shownObjects, type ShownObjects } from '../shown-objects.ts';
import { isBlock, shownSides, valueDiff } from '../value-diff.ts';
import { wrapLines } from './wrap.ts';

/** The meaning of a line or of a part of it. The terminal decides its appearance. */
export type Tone = 'alarm' | 'loss' | 'gain' | 'change' | 'quiet' | 'heading';

/** The options of reports for a terminal. */
export interface PlanTextOptions {
  /** Colors a text. Returns it unchanged if colors are disabled. */
  readonly paint: (tone: Tone, text: string) => string;
  /** The maximum number of clusters of a group that are named. The others are counted. */
  readonly names: number;
  /** What the GitOps engine does differently. @default - nothing */
  readonly engine?: EngineEffects;
  /** The same for hubs with other engines. @default - all hubs have one engine */
  readonly otherEngines?: readonly EngineEffects[];
  /** The promotions of the later state. @default - none */
  readonly promotions?: readonly PlannedPromotion[];
  /** The number of columns at which lines are wrapped. @default - lines are not wrapped */
  readonly columns?: number;
}

const tones: Readonly<Record<Effect, Tone>> = {
  uninstalled: 'alarm',
  installed: 'gain',
  changed: 'change',
  rerolled: 'quiet',
  moved: 'quiet',
};

/** Formats a plan for a terminal: add-ons with uninstalls first, the summary last. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  const { body, summary } = planTextParts(plan, options);
  return body + summary;
}

/** A plan in two parts. A terminal shows findings between them, so that the summary comes last. */
export interface PlanTextParts {
  /** Ends with an empty line. Empty if nothing changes. */
  readonly body: string;
  readonly summary: string;
}

/** Returns the parts of `planText`. */
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
    engineSection(options),
    ...(options.otherEngines ?? []).map((engine) => engineSection({ ...options, engine })),
    ...(options.promotions ?? []).map((promotion) => promotionSection(promotion, options)),
  ].filter((lines) => lines.length > 0);
  const body = sections.map((lines) => `${lines.join('\n')}\n\n`).join('');
  const isLoss = plan.summary.effects.uninstalled + deletionsOf(plan.addOns) > 0;
  const words = paint(isLoss ? 'alarm' : 'heading', `plan: ${summaryWords(plan)}`);
  const summary = `${words}\n${paint('quiet', `hash: ${plan.hash}`)}\n`;
  const { columns } = options;
  if (columns === undefined) return { body, summary };
  return { body: wrapLines(body, columns), summary: wrapLines(summary, columns) };
}

function section(heading: string, lines: readonly string[], { paint }: PlanTextOptions): readonly string[] {
  return lines.length === 0 ? [] : [paint('heading', heading), ...lines];
}

function engineSection({ engine, ...options }: PlanTextOptions): readonly string[] {
  if (engine === undefined) return [];
  const apps = new Set(engine.effects.map(({ app }) => app));
  const lines = [...apps].flatMap((app) => [
    ...(app === '' ? [] : [`  app ${app}`]),
    ...engine.effects
      .filter((effect) => effect.app === app)
      .map(({ text, objects }) => {
        const indent = app === '' ? '  ' : '    ';
        return objects.length === 0
          ? `${indent}${text}`
          : `${indent}${text}: ${someOf(objects, options.names)}`;
      }),
  ]);
  return section(`with ${engineNames[engine.engine]}`, lines, options);
}

function promotionSection(promotion: PlannedPromotion, options: PlanTextOptions): readonly string[] {
  const { app, hub } = promotion;
  const lines = promotionLines(promotion).map((line) => `  ${line}`);
  return section(`promotion of ${app}${hubSuffix(hub)}`, lines, options);
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
      (change) =>
        `  registration ${change.change}: ${change.signer}${paint('quiet', locationSuffix(change))}`,
    ),
    ...rolloutLines(plan, options),
    ...plan.strategies.map((change) => strategyLine(change, options)),
  ];
}

function strategyLine(change: StrategyChange, { paint }: PlanTextOptions): string {
  const words = 'rollout strategy';
  return `  ${isFaster(change) ? paint('alarm', words) : words}: ${strategyWords(change)}${paint('quiet', locationSuffix(change))}`;
}

/** The maximum number of groups shown per effect. Uninstalls are always shown. */
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
    ...causes.map((cause) => `    because ${cause.text}${paint('quiet', locationSuffix(cause))}`),
    ...groupNotes(group, names).map((words) => `    ${words}`),
    ...(caveat === undefined ? [] : [`    ${paint('alarm', 'but')} ${caveat}`]),
    ...used.map((config) => `    with ${usedConfigWords(config)}`),
    ...valueLines(values, { paint, isInstalled: effect === 'installed' }).map((line) => `    ${line}`),
    ...(moreValues === 0 ? [] : [`    and ${counted(moreValues, 'more value')}`]),
  ];
}

interface ValueOptions extends Pick<PlanTextOptions, 'paint'> {
  /** Whether these are the values of an installation, not changed values. */
  readonly isInstalled?: boolean;
}

/** Formats values, grouped by their objects. */
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

/** The maximum number of other locations of the same value that are listed. */
const shownPlaces = 5;

/** The maximum number of removed or added lines of a value. */
const shownLines = 20;

/** Formats a value on one line, or its differences line by line. */
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
  return `  ${wider ? paint('alarm', words) : words}: ${permissionWords(change)}${paint('quiet', locationSuffix(change))}`;
}

function rolloutLines({ rollout }: AddOnPlan, { paint, names }: PlanTextOptions): readonly string[] {
  const { waves } = rollout;
  const lines: string[] = [];
  if (waves.length > 0) lines.push(`  ${rolloutWords(rollout)}`);
  for (const [index, wave] of waves.entries()) {
    const { clusters, refusing, labels } = wave;
    const refuse = refusingWords(clusters, refusing, names);
    lines.push(
      `    ${index + 1}${afterWords(wave)}${labelSuffix(labels)}: ${someOf(clusters, names)}${refuse}`,
    );
  }
  for (const { verb, words, left } of endWords(rollout)) {
    const named = left.length === 0 ? '' : `: ${someOf(left, names)}`;
    lines.push(`  ${paint('alarm', verb)}: ${words}${named}`);
  }
  return lines;
}

function placementLines(
  { placement, hub, change, before, after, lost, gained }: AppPlacementChange,
  options: PlanTextOptions,
): readonly string[] {
  const is = change === undefined ? '' : change === 'added' ? ', new' : ', removed';
  return [
    `  ${placement}${hubSuffix(hub)}${is}: ${counted(after, 'cluster')}, before ${before}`,
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

/** Omits values without reached clusters. */
function reachLines(reach: readonly Reach[]): readonly string[] {
  return reach
    .filter(({ effects }) => effectCounts(effects) !== '')
    .map(
      ({ by, value, clusters, reached, effects }) =>
        `  ${by} ${value === '' ? '(none)' : value}: ${reached} of ${counted(clusters, 'cluster')} (${effectCounts(effects)})`,
    );
}

/** The maximum number of objects, and of fields per object. */
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
        `  ${kind} ${someOf(names, options.names)} ${names.length === 1 ? 'was' : 'were'} ${change}${paint('quiet', locationSuffix(each))}`,
        ...fields
          .slice(0, shownFields)
          .flatMap((field) => fieldLines(field, options).map((line) => `    ${line}`)),
        ...(omitted === 0 ? [] : [`    and ${counted(omitted, 'more field')}`]),
      ];
    }),
    ...(more > 0 ? [`  and ${counted(more, 'more object')}`] : []),
  ];
}
