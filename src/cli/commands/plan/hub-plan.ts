import path from 'node:path';
import {
  type AppStates,
  checkPolicies,
  combinedEffects,
  combinedPlan,
  type Diagnostic,
  type Engine,
  type EngineEffects,
  type Guardrails,
  hubProfile,
  type HubProfile,
  type HubVersion,
  newFindings,
  type Plan,
  plan,
  type Resolution,
  type PlannedPromotion,
  type Side,
} from '../../../compiler/index.ts';
import {
  comparedApps,
  type ComparedApps,
  withoutChecked,
} from '../../../compiler/check/requirements/across-apps.ts';
import { removedOverrides } from '../../../compiler/check/overrides/pruned-overrides.ts';
import { objectsOfApp } from '../../../compiler/model/inventory.ts';
import { hasFleet } from '../../../compiler/model/needs-fleet.ts';
import { comparedProofs } from '../../../compiler/prove/index.ts';
import { idleGuardrails } from '../../../compiler/plan/guardrails.ts';
import { movedObjects } from '../../../compiler/plan/moved-objects.ts';
import { removedInUse } from '../../../compiler/plan/removed-in-use.ts';
import { removedApps } from '../../../compiler/plan/removed-apps.ts';
import { previewRelease } from '../../../workspace/settings/preview-release.ts';
import { unknownHistory } from '../../../compiler/plan/unknown-history.ts';
import { unknownLabels } from '../../../compiler/plan/unknown-labels.ts';
import { emptiedApp, isEmptied } from '../../../workspace/output/emptied-apps.ts';
import { FindingSelection } from '../../../workspace/finding-selection.ts';
import type { Snapshot } from '../../../workspace/inputs/snapshot-age.ts';
import { revertedCommit } from '../../../workspace/base-revision.ts';
import { missingFleet } from '../../../workspace/inputs/missing-fleet.ts';
import { plannedPromotions } from '../../../promotion/git/planned-promotions.ts';
import type { FileState } from '../../../workspace/revisions.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/settings.ts';
import type { Stopwatch } from '../../../workspace/stopwatch.ts';
import { checkEqualHubs } from '../../equal-hubs.ts';
import { findingsOfEveryHub, findingsOfHubs } from '../../hub-findings.ts';
import type { FindingsReport } from '../../terminal/findings-report.ts';
import { printDiagnostics } from '../../terminal/print-diagnostics.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { HubPair } from './compared-hubs.ts';
import type { ComparedPolicies } from './compared-policies.ts';
import type { AppPair, Compared, ComparedHub, CompareArguments } from './compared-states.ts';
import { lostOutput, planEngine } from './plan-engine.ts';

/** The options of the plan for one hub. */
export interface HubPlanArguments extends Pick<CompareArguments, 'against' | 'app' | 'apps'> {
  readonly by: string | undefined;
}

/** What the plans for all hubs have in common. */
export interface HubPlanContext
  extends Pick<Compared, 'base' | 'head' | 'equal'>, Pick<FindingsReport, 'selection'> {
  readonly policies: ComparedPolicies;
  readonly guardrails: Guardrails;
  readonly showSecrets: boolean;
  readonly watch: Stopwatch;
  readonly terminal: Terminal;
}

/** The plan for one hub, without the resolutions from which it was made. */
export interface HubPart {
  /** Undefined if the plan is about one hub. */
  readonly hub: string | undefined;
  readonly plan: Plan;
  readonly engine: EngineEffects | undefined;
  /** The OCM release. */
  readonly release: string;
  readonly findings: readonly Diagnostic[];
  /** The findings about settings that this hub does not use, which others may use. */
  readonly idle: readonly Diagnostic[];
  /** The texts that findings point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
  readonly snapshots: readonly Snapshot[];
  readonly promotions: readonly PlannedPromotion[];
  readonly apps: readonly string[];
  readonly hasAllFleets: boolean;
  /** The effective configurations of the later state, if hubs must be equal. */
  readonly profile?: HubProfile;
}

/**
 * Plans the change for one hub. If one of the states does not resolve, its errors are reported and returned. The states are resolved
 * here, so that nothing refers to them once the plan is made.
 */
export async function planHub(
  pair: HubPair,
  resolveHub: Compared['resolveHub'],
  options: HubPlanArguments,
  context: HubPlanContext,
): Promise<HubPart | UnresolvedHub> {
  const { name: hub } = pair;
  const compared = await resolveHub(pair);
  const { diagnostics, target, baseHub, settings } = compared;
  const { policies, equal, guardrails, showSecrets, watch, terminal } = context;
  const resolved = resolvedStates(compared, policies, context, terminal);
  if ('errors' in resolved) return resolved;
  const labels = options.by?.split(',').filter((label) => label !== '') ?? settings.by;
  const by = [...new Set([...labels, ...guardrails.atMost.map(({ value }) => value.label)])];
  const { engine } = settings;
  const promoted =
    options.against === undefined ? await promotionsIn(resolved, compared, context) : undefined;
  const { value, diagnostics: steps } = watch.run('compare', () =>
    plan(resolved.apps, {
      hub: target.hub,
      baseHub,
      by,
      allObjects: options.against === undefined,
      engine,
      showSecrets,
      sensitive: policies.sensitive,
      ...(promoted && { promotions: promoted.changes }),
    }),
  );
  // The hub's earlier objects are not all known, so neither are those that the engine deletes.
  const output =
    options.against === undefined
      ? await changesOfOutput(resolved, value, promoted?.promotions ?? [], compared, context)
      : undefined;
  const fleet = missingFleet(
    resolved.apps.map(({ app, head: { inventory } }) =>
      app === '' ? { inventory } : { app: path.join(options.apps ?? settings.apps, app), inventory },
    ),
    hub,
  );
  const invariants =
    options.app.length > 0 || policies.invariants.length === 0
      ? []
      : watch.run('prove', () =>
          comparedProofs(resolved.apps, policies.invariants, { base: baseHub, head: target.hub }),
        );
  const findings = [
    ...(output?.lost ?? []),
    ...steps,
    ...invariants,
    ...findingsOfChange(resolved, value, engine),
    ...diagnostics,
    ...resolved.findings,
    ...previewRelease(target.hub),
    ...fleet,
    ...(promoted?.diagnostics ?? []),
  ];
  return {
    hub,
    plan: value,
    engine: output?.effects,
    release: target.hub.name,
    findings,
    idle: [
      ...(options.app.length === 0 ? idleGuardrails(resolved.apps, guardrails, hub) : []),
      ...unknownLabels(resolved.apps, labels),
    ],
    texts: textsOf(findings, new Map([...resolved.texts, ...(promoted?.texts ?? [])]), policies.texts),
    snapshots: resolved.snapshots,
    promotions: (promoted?.promotions ?? []).map((each) => ({ ...each, ...(hub !== undefined && { hub }) })),
    apps: resolved.apps.map(({ app }) => app),
    hasAllFleets: resolved.apps.every(({ head: { inventory } }) => hasFleet(inventory)),
    ...(equal.some(({ value }) => value.includes(hub ?? '')) && {
      profile: hubProfile(
        resolved.apps.map(({ head }) => head),
        { by: settings.by, sensitive: policies.sensitive },
      ),
    }),
  };
}

function findingsOfChange({ apps }: ResolvedStates, changes: Plan, engine: Engine): readonly Diagnostic[] {
  const objects = apps.flatMap(({ app, base: { inventory } }) =>
    objectsOfApp(inventory).map(({ object }) => ({ app, object })),
  );
  const inventories = apps.map(({ app, head: { inventory } }) => ({ app, inventory }));
  return [
    ...unknownHistory(apps, changes),
    ...removedApps(apps, engine),
    ...movedObjects(changes, engine),
    ...removedInUse(objects, inventories, engine),
    ...apps.flatMap((app) => removedOverrides(app.base, app.head, engine)),
  ];
}

async function promotionsIn(
  { apps }: ResolvedStates,
  { target, settings, earlierOut }: ComparedHub,
  { base, head, terminal, watch }: HubPlanContext,
): ReturnType<typeof plannedPromotions> {
  const stateOf = ({ cwd, commit }: FileState, of: WorkspaceSettings) => ({
    root: cwd,
    ...(commit !== undefined && { committed: { commit, root: terminal.cwd } }),
    settings: of,
  });
  const resolutionsIn = (side: 'base' | 'head'): ReadonlyMap<string, Resolution> =>
    new Map(apps.map((app) => [app.app, app[side]]));
  return await plannedPromotions({
    ...stateOf(head, settings),
    base: { ...stateOf(base, { ...settings, out: earlierOut }), apps: resolutionsIn('base') },
    apps: resolutionsIn('head'),
    target: { ...target, engine: settings.engine },
    now: terminal.now(),
    watch,
  });
}

/** Returns what the engine does with the output of a change, and what the output no longer keeps. */
async function changesOfOutput(
  { apps }: ResolvedStates,
  changes: Plan,
  promotions: readonly PlannedPromotion[],
  { target, settings, earlierOut }: ComparedHub,
  { base, head, terminal }: HubPlanContext,
): Promise<{ readonly effects: EngineEffects | undefined; readonly lost: readonly Diagnostic[] }> {
  const { engine, historyLimits, out } = settings;
  const applied = { target, engine, historyLimits };
  const promotedApps = new Set(promotions.map(({ app }) => app));
  const earlier = path.join(base.cwd, earlierOut);
  const effects = await planEngine(
    apps.map((each) => ({ ...each, isPromoted: promotedApps.has(each.app) })),
    changes,
    earlier,
    applied,
  );
  if (base.commit === undefined) return { effects, lost: [] };
  const lost = await lostOutput(
    apps,
    { base: earlier, head: path.join(head.cwd, out), shown: out },
    { name: base.label, commits: [base.commit] },
    { ...applied, reverted: async () => await revertedCommit(terminal.cwd, head.commit) },
  );
  return { effects, lost };
}

/** Returns the texts that findings point into: the others, such as fleets, are released. */
function textsOf(
  findings: readonly Diagnostic[],
  texts: ReadonlyMap<string, string>,
  always: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const pointedInto = new Map(always);
  for (const { location } of findings) {
    const file =
      location === undefined ? undefined : 'file' in location ? location.file : location.source?.file;
    const text = file === undefined ? undefined : texts.get(file);
    if (file !== undefined && text !== undefined) pointedInto.set(file, text);
  }
  return pointedInto;
}

/** A hub of which a state does not resolve. */
export interface UnresolvedHub {
  /** They are reported. */
  readonly errors: readonly Diagnostic[];
}

/** The plans for all hubs as one. */
export interface CombinedParts extends Omit<HubPart, 'hub' | 'engine' | 'idle' | 'apps' | 'profile'> {
  readonly engines: readonly EngineEffects[];
  /** The number of apps. */
  readonly apps: number;
}

/** Combines the plans for the hubs. The plan for the only hub is unchanged. */
export function combinedParts(
  parts: readonly HubPart[],
  { equal, by }: Pick<Compared, 'equal' | 'by'>,
): CombinedParts {
  const [first] = parts;
  if (first === undefined) throw new Error('a plan is about at least one hub');
  const named = parts.flatMap((part) => (part.hub === undefined ? [] : [{ ...part, hub: part.hub }]));
  const isNamed = named.length > 0;
  return {
    plan: isNamed ? combinedPlan(named) : first.plan,
    engines: isNamed ? combinedEffects(named) : first.engine === undefined ? [] : [first.engine],
    release: [...new Set(parts.map(({ release }) => release))].join(', '),
    findings: [
      ...findingsOfHubs(parts.map(({ hub, findings }) => ({ hub, diagnostics: findings }))),
      ...findingsOfEveryHub(parts.map(({ idle }) => idle)),
      ...checkEqualHubs(equal, profilesOf(parts), by),
    ],
    texts: new Map(parts.flatMap(({ texts }) => [...texts])),
    snapshots: [
      ...new Map(
        parts.flatMap(({ snapshots }) => snapshots.map((snapshot) => [snapshot.file, snapshot] as const)),
      ).values(),
    ],
    promotions: parts.flatMap(({ promotions }) => promotions),
    apps: new Set(parts.flatMap(({ apps }) => apps)).size,
    hasAllFleets: parts.every((part) => part.hasAllFleets),
  };
}

function profilesOf(parts: readonly HubPart[]): ReadonlyMap<string, HubProfile> {
  return new Map(
    parts.flatMap(({ hub, profile }) =>
      hub === undefined || profile === undefined ? [] : [[hub, profile] as const],
    ),
  );
}

interface ResolvedStates {
  readonly apps: readonly (AppStates & Pick<AppPair, 'isRemoved'>)[];
  /** The findings of the head: errors, and warnings that the base does not have. */
  readonly findings: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, string>;
  readonly snapshots: readonly Snapshot[];
}

/**
 * Returns both states of all apps, verified against the policies. If one does not resolve, its errors are reported and returned.
 */
function resolvedStates(
  compared: ComparedHub,
  { policies, texts: policyTexts, findingsOfBase }: ComparedPolicies,
  { base, head, selection }: HubPlanContext,
  terminal: Terminal,
): ResolvedStates | UnresolvedHub {
  const { states } = compared;
  const apps: ResolvedStates['apps'][number][] = [];
  const findings: Diagnostic[] = [];
  const inBase = new FindingSelection(findingsOfBase, { now: terminal.now(), quiet: false });
  const texts = new Map(policyTexts);
  const snapshots = new Map<string, Snapshot>();
  const across = findingsAcross(compared);
  for (const { app, before, after, folder, baseOnSameFleet, isRemoved } of states) {
    for (const [state, { resolution, diagnostics, texts }] of [
      [base, before],
      [head, after],
    ] as const) {
      if (resolution !== undefined) continue;
      printDiagnostics(diagnostics, texts, { ...terminal, cwd: state.cwd });
      terminal.err(`${state.label} cannot be resolved, so that there is no plan\n`);
      return { errors: diagnostics.filter(({ severity }) => severity === 'error') };
    }
    if (before.resolution === undefined || after.resolution === undefined) continue;
    for (const [file, text] of after.texts) texts.set(file, text);
    for (const snapshot of after.snapshots) snapshots.set(snapshot.file, snapshot);
    apps.push({
      app,
      base: before.resolution,
      head: after.resolution,
      ...(baseOnSameFleet && { baseOnSameFleet }),
      isRemoved,
    });
    const isLost = isEmptied(after.resolution.inventory) && !isEmptied(before.resolution.inventory);
    if (folder !== undefined && isLost) findings.push(emptiedApp(folder));
    const findingsIn = (state: Resolution, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => [
      ...diagnostics,
      ...checkPolicies(state, policies),
    ];
    // A finding that the base accepts and the head does not is new.
    const earlier = inBase.select(
      withoutChecked(findingsIn(before.resolution, before.diagnostics), across.base.checked),
    );
    const later = selection.select(
      withoutChecked(findingsIn(after.resolution, after.diagnostics), across.head.checked),
    );
    findings.push(...newFindings(earlier, later));
  }
  findings.push(...newFindings(inBase.select(across.base.findings), selection.select(across.head.findings)));
  return { apps, findings, texts, snapshots: [...snapshots.values()] };
}

/** Compares the requirements between the apps of each state, as `synth` does. */
function findingsAcross({ states, others, target, baseHub }: ComparedHub): Record<Side, ComparedApps> {
  const compare = (side: Side, hub: HubVersion): ComparedApps => {
    const resolutions = states.map(({ before, after }) => (side === 'base' ? before : after).resolution);
    return comparedApps(
      resolutions.flatMap((state) => (state === undefined ? [] : [{ ...state, hub }])),
      others.flatMap((each) => {
        const state = each[side];
        return state === undefined ? [] : [{ ...state, hub }];
      }),
    );
  };
  return { base: compare('base', baseHub), head: compare('head', target.hub) };
}
