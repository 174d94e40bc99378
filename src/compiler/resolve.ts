import { admit } from './admit/admit.ts';
import { check } from './check/check.ts';
import { configure } from './configure/configure.ts';
import type { Configuration } from './configure/resolved-add-on.ts';
import { uncompiled } from './deliver/uncompiled.ts';
import { hasErrors, type Diagnostic, type ObjectReference, type Outcome } from './model/diagnostic.ts';
import type { Surroundings } from './model/elsewhere.ts';
import { withoutRemoved } from './model/removed-objects.ts';
import type { HubVersion } from '../ocm/hub-version.ts';
import type { SharedContent } from './shared-content.ts';
import { isHubOwned } from './model/hub-owned.ts';
import { fleetCodes, hasFleet } from './model/needs-fleet.ts';
import { objectKey, referenceTo, type Inventory, type LoadedObject } from './model/inventory.ts';
import { isOverridePlacement } from './cluster-overrides/override-mode.ts';
import { override } from './cluster-overrides/override.ts';
import type { Decisions } from './place/decision.ts';
import { compileParameters, type AddOnParameters, type CompiledParameters } from './parameters/compile.ts';
import { isParametersObject, readParameters, type DeclaredParameters } from './parameters/read.ts';
import { unwatched, type PhaseRunner } from './model/phase.ts';
import { isKnownByDecision } from './place/external-placements.ts';
import { place } from './place/place.ts';
import { isManagerProfile, readManagerProfiles } from './render/manager-profiles/read-manager-profiles.ts';
import { render } from './render/render.ts';
import { withHubTemplates } from './render/sources/hub-templates.ts';
import type { Rendering } from './render/render-result.ts';
import { nameByContent } from './revisions/name-by-content.ts';
import { outsideReferences } from './revisions/outside-references.ts';
import { withWrittenNames } from './revisions/written-names.ts';
import type { AddOnState } from './rollout/simulate-rollout.ts';
import { rollout, type Rollouts } from './rollout/rollout.ts';

/** The hub, the time, and what else a resolution depends on besides the objects. */
export interface ResolveOptions {
  /** Milliseconds since the epoch. Tolerations with a time limit and scores that expire are compared with it. */
  readonly now: number;
  readonly hub: HubVersion;
  /** A cache of the results of other states of the same inputs. The results of this state are added to it. */
  readonly cache?: SharedContent;
  /** The objects that the hub may have besides the given ones. @default - nothing */
  readonly surroundings?: Surroundings;
  /** Runs each phase. @default - the phases run without a wrapper */
  readonly run?: PhaseRunner;
  /** The names of the clusters whose agents report that the works fail. @default - none */
  readonly failing?: ReadonlySet<string>;
  /** The names of the clusters whose agents report nothing. @default - none */
  readonly silent?: ReadonlySet<string>;
  /**
   * The state of the add-ons at the start of the rollout, by name.
   *
   * @default - from the statuses of the inventory's ManagedClusterAddOns
   */
  readonly from?: ReadonlyMap<string, AddOnState>;
}

/** The result of the hub for one state of the inputs. */
export interface Resolution {
  readonly inventory: Inventory;
  readonly decisions: Decisions;
  readonly configuration: Configuration;
  /** The rollouts of the configuration to the clusters, and their final state. */
  readonly rollouts: Rollouts;
  readonly rendering: Rendering;
  /** The values of the parameters of add-ons that declare any, by add-on. */
  readonly parameters: ReadonlyMap<string, AddOnParameters>;
}

/**
 * Admits the objects and simulates the hub's controllers for them. Undefined if the API server would reject one of the objects:
 * the hub's result for the others is then unreliable. Findings of later phases do not remove the result, because the hub also has
 * one.
 */
export function resolve(
  objects: readonly LoadedObject[],
  options: ResolveOptions,
): Outcome<Resolution | undefined> {
  const { hub, surroundings, run = unwatched } = options;
  const named = nameByContent(withoutRemoved(objects, surroundings?.gone), hub, options.cache);
  const { objects: present, written } = named.value;
  const ofParameters = present.filter(isParametersObject);
  const declared = readParameters(ofParameters);
  const profiles = present.filter(isManagerProfile);
  const declaredProfiles = readManagerProfiles(profiles);
  const objectsOfHub =
    ofParameters.length === 0 && profiles.length === 0
      ? present
      : present.filter((loaded) => !isParametersObject(loaded) && !isManagerProfile(loaded));
  const admitted = run('admit', () => admit(uncompiled(objectsOfHub), options.cache, surroundings, hub));
  const outside = outsideReferences(written, admitted.value);
  const beforeParameters = [named, admitted, declared, declaredProfiles];
  const unusable = [...beforeParameters.flatMap(({ diagnostics }) => diagnostics), ...outside];
  if (hasErrors(unusable)) return { value: undefined, diagnostics: unusable };
  const decide = (inventory: Inventory): Outcome<Decisions> =>
    run('place', () => place(inventory, { now: options.now, cel: hub.cel }));
  const parameterized = run('parameters', () =>
    withParameters(admitted.value, declared.value, decide, options),
  );
  if (hasErrors(parameterized.diagnostics))
    return { value: undefined, diagnostics: [...unusable, ...parameterized.diagnostics] };
  const overridden = override(parameterized.value.inventory);
  const templated = withHubTemplates(overridden.value);
  const inventory =
    profiles.length === 0 ? templated.value : { ...templated.value, managerProfiles: declaredProfiles.value };
  const { decided } = parameterized.value;
  const placed =
    decided !== undefined && hasSamePlacements(inventory, admitted.value) ? decided : decide(inventory);
  const configured = run('configure', () => configure(inventory, placed.value, hub));
  const input = { inventory, decisions: placed.value, configuration: configured.value };
  const rolledOut = run('rollout', () => rollout(input, options));
  const rendered = run('render', () =>
    render(inventory, placed.value, configured.value, { hub, rollouts: rolledOut.value }),
  );
  const resolution = {
    inventory,
    decisions: placed.value,
    configuration: configured.value,
    rollouts: rolledOut.value,
    rendering: rendered.value,
    parameters: parameterized.value.parameters,
  };
  // Without a fleet, rules that need one would report nearly every object.
  const ignored = hasFleet(inventory) ? undefined : fleetCodes;
  const isPromoted = surroundings?.isPromoted === true;
  const checked = run('check', () => check({ ...resolution, hub, isPromoted }, ignored));
  const outcomes = [
    ...beforeParameters,
    parameterized,
    overridden,
    templated,
    placed,
    configured,
    rolledOut,
    rendered,
  ];
  const diagnostics = [...outcomes.map((outcome) => outcome.diagnostics), checked].flat();
  const reported = diagnostics.filter(isReported(resolution));
  return { value: resolution, diagnostics: withWrittenNames(reported, inventory.objects) };
}

interface Parameterized extends CompiledParameters {
  /** The decisions of the inventory without what is compiled from parameters. Undefined if there are no parameters. */
  readonly decided: Outcome<Decisions> | undefined;
}

/** Compiles parameters. The values depend on the clusters that placements select, so these are decided first. */
function withParameters(
  inventory: Inventory,
  sets: ReadonlyMap<string, DeclaredParameters>,
  decide: (inventory: Inventory) => Outcome<Decisions>,
  { hub, surroundings }: ResolveOptions,
): Outcome<Parameterized> {
  if (sets.size === 0)
    return { value: { inventory, parameters: new Map(), decided: undefined }, diagnostics: [] };
  const decided = decide(inventory);
  const facts = { version: hub.name, facts: {}, ...surroundings?.hub };
  const { value, diagnostics } = compileParameters(inventory, sets, decided.value, facts);
  return { value: { ...value, decided }, diagnostics };
}

/** Whether two inventories have the same Placements, so that the decisions of one are those of the other. */
function hasSamePlacements(one: Inventory, other: Inventory): boolean {
  if (one.placements.size !== other.placements.size) return false;
  return [...one.placements].every(([key, { object }]) => other.placements.get(key)?.object === object);
}

/**
 * Whether to report a finding. Problems of a Placement for an override are problems of the Placement that it follows, and are
 * reported there. Objects that are only on the hub are not reported, because the user cannot correct them here. Without a fleet,
 * rules that need one are left out: they would report everything as missing.
 */
function isReported({
  inventory,
  decisions,
}: Pick<Resolution, 'inventory' | 'decisions'>): (diagnostic: Diagnostic) => boolean {
  const { placements, objects } = inventory;
  const unreported = new Set(
    [...placements].flatMap(([key, { object }]) => (isOverridePlacement(object) ? [`Placement ${key}`] : [])),
  );
  for (const admitted of objects)
    if (isHubOwned(admitted)) unreported.add(keyOf(referenceTo(admitted.object)));
  for (const [key, decision] of decisions.byPlacement)
    if (isKnownByDecision(decision)) unreported.add(`Placement ${key}`);
  const isFleetKnown = hasFleet(inventory);
  return ({ code, object }) =>
    (object === undefined || !unreported.has(keyOf(object))) && (isFleetKnown || !fleetCodes.has(code));
}

function keyOf({ kind, namespace, name }: ObjectReference): string {
  return `${kind} ${objectKey(namespace, name)}`;
}
