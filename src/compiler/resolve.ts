import { compiledPlacements } from './configure/compiled-placements.ts';
import { admit } from './admit/admit.ts';
import { withEarlierMaps } from './admit/earlier-inventory.ts';
import { check } from './check/check.ts';
import { configure } from './configure/configure.ts';
import type { Configuration } from './configure/resolved-add-on.ts';
import { uncompiled } from './deliver/uncompiled.ts';
import type { Diagnostic, Outcome } from './model/diagnostic.ts';
import type { Surroundings } from './model/elsewhere.ts';
import { withoutRemoved } from './model/removed-objects.ts';
import type { HubVersion } from '../ocm/hub-version.ts';
import type { SharedContent } from './shared-content.ts';
import { fleetCodes, hasFleet } from './model/needs-fleet.ts';
import type { Inventory, LoadedObject } from './model/inventory.ts';
import { override } from './cluster-overrides/override.ts';
import type { Decisions } from './place/decision.ts';
import { compileParameters, type AddOnParameters, type CompiledParameters } from './parameters/compile.ts';
import { isParametersObject, readParameters, type DeclaredParameters } from './parameters/read.ts';
import { joined, oncePerPart, partsOf } from '../base/collections/joined-lists.ts';
import { Remembered } from '../base/collections/remembered.ts';
import { unwatched, type PhaseRunner } from './model/phase.ts';
import { place } from './place/place.ts';
import { withSameEffect } from './place/same-effect.ts';
import { isManagerProfile, readManagerProfiles } from './render/manager-profiles/read-manager-profiles.ts';
import { render } from './render/render.ts';
import { withHubTemplates } from './render/sources/hub-templates.ts';
import type { Rendering } from './render/render-result.ts';
import { nameByContent } from './revisions/name-by-content.ts';
import { outsideReferences } from './revisions/outside-references.ts';
import { withWrittenNames } from './revisions/written-names.ts';
import type { AddOnState } from './rollout/simulation/add-on-state.ts';
import { rollout, type Rollouts } from './rollout/rollout.ts';
import { reportedFindings } from './reported-findings.ts';
import { Stages } from './stages.ts';

/** The hub, the time, and what else a resolution depends on besides the objects. */
export interface ResolveOptions {
  /** Milliseconds since the epoch. Tolerations with a time limit and scores that expire are compared with it. */
  readonly now: number;
  readonly hub: HubVersion;
  /** A cache of the results of other states of the same inputs. The results of this state are added to it. */
  readonly cache?: SharedContent;
  /**
   * Keeps the results of the stages for later states of the same app, as long as it exists itself.
   *
   * @default - `cache`, which can have the content of several apps
   */
  readonly results?: object;
  /** The objects that the hub may have besides the given ones. @default - nothing */
  readonly surroundings?: Surroundings;
  /**
   * The decisions of the state before this one: the hub prefers clusters that a placement already has. Placements of add-ons with
   * compiled delivery do not start from them, because the output of `synth` does not.
   *
   * @default - only the PlacementDecisions among the objects
   */
  readonly earlier?: Decisions;
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

const remembered = new Remembered<Outcome<Resolution | undefined>>();

/**
 * Admits the objects and simulates the hub's controllers for them, stage by stage. Undefined if the API server would reject one of
 * the objects: the hub's result for the others is then unreliable. Findings of later stages do not remove the result, because the
 * hub also has one.
 */
export function resolve(
  objects: readonly LoadedObject[],
  options: ResolveOptions,
): Outcome<Resolution | undefined> {
  const { results = options.cache } = options;
  if (results === undefined) return resolveStages(objects, options);
  // Comparing the lists of files takes less than comparing all of their objects.
  const parts = partsOf(objects);
  return remembered.of(results, [...inputsOf(options), ...(parts.length > 1 ? parts : objects)], () =>
    resolveStages(objects, { ...options, results }),
  );
}

/** Returns everything besides the objects on which a resolution depends. */
function inputsOf({
  now,
  hub,
  surroundings = nothingAround,
  earlier,
  failing,
  silent,
  from,
}: ResolveOptions): readonly unknown[] {
  const { external, snapshots, gone = [], hub: named, isPromoted, repository, ...rest } = surroundings;
  // A field that is added must be listed here.
  void (rest satisfies Record<string, never>);
  return [
    JSON.stringify([external, [...gone].sort(), named, isPromoted]),
    snapshots.length,
    ...snapshots,
    repository,
    now,
    hub,
    earlier,
    failing,
    silent,
    from,
  ];
}

const nothingAround: Surroundings = { external: [], snapshots: [] };
const noParameters: CompiledParameters['parameters'] = new Map();

function resolveStages(
  objects: readonly LoadedObject[],
  options: ResolveOptions,
): Outcome<Resolution | undefined> {
  const { now, hub, cache, results, surroundings, earlier, run = unwatched } = options;
  const decide = (inventory: Inventory): Outcome<Decisions> =>
    run('place', () =>
      place(inventory, {
        now,
        cel: hub.cel,
        results,
        ...(earlier && { earlier, forgetful: compiledPlacements(inventory) }),
      }),
    );
  const withEarlier = ({ value, ...outcome }: Outcome<Inventory>): Outcome<Inventory> => ({
    ...outcome,
    value: withEarlierMaps(value, results),
  });

  const { value: state, diagnostics } = new Stages({})
    .add('named', () => nameByContent(withoutRemoved(objects, surroundings?.gone), hub, cache))
    .add('admitted', ({ named }) =>
      run('admit', () =>
        withEarlier(admit(uncompiled(objectsOfHub(named.objects)), cache, surroundings, hub, results)),
      ),
    )
    .add('declared', ({ named }) => readParameters(parametersObjects(named.objects)))
    .add('profiles', ({ named }) => readManagerProfiles(managerProfiles(named.objects)))
    .add('outside', ({ named, admitted }) => found(outsideReferences(named.written, admitted)))
    .unlessErrors()
    .add('compiled', ({ admitted, declared }) =>
      run('parameters', () => withParameters(admitted, declared, decide, options)),
    )
    .unlessErrors()
    .add('overridden', ({ compiled }) => withEarlier(override(compiled.inventory)))
    .add('decisions', ({ overridden, admitted, compiled: { decided } }) =>
      decided !== undefined && hasSamePlacements(overridden, admitted) ? decided : decide(overridden),
    )
    .add('inventory', ({ overridden, decisions, profiles }) =>
      withEarlier(
        withProfiles(
          withHubTemplates(overridden, () => configure(overridden, decisions, hub).value),
          profiles,
        ),
      ),
    )
    .add('effects', ({ inventory, decisions, compiled: { parameters } }) =>
      effectsOf({ inventory, decisions: withSameEffect(decisions, results), parameters }, options),
    )
    .end();
  if (state === undefined) return { value: undefined, diagnostics };
  const { inventory, decisions, effects } = state;
  return {
    value: { ...effects, decisions },
    diagnostics: withWrittenNames(reportedFindings(diagnostics, inventory, decisions), inventory.objects),
  };
}

/** What the hub does with the decisions, and what the rules find. */
const rememberedEffects = new Remembered<Outcome<Resolution>>();

/**
 * Runs the stages that follow the decisions. A plan and the findings of an editor resolve the same objects with other decisions before
 * them, and these stages are the same for both.
 */
function effectsOf(
  { inventory, decisions, parameters }: Pick<Resolution, 'inventory' | 'decisions' | 'parameters'>,
  options: ResolveOptions,
): Outcome<Resolution> {
  const { now, hub, results, surroundings, failing, silent, from, run = unwatched } = options;
  const isPromoted = surroundings?.isPromoted === true;
  const inputs = [inventory, decisions, parameters, now, hub, failing, silent, from, isPromoted];
  return rememberedEffects.of(results, inputs, () => {
    const configured = run('configure', () => configure(inventory, decisions, hub));
    const input = { inventory, decisions, configuration: configured.value };
    const rolledOut = run('rollout', () => rollout(input, options));
    const rendered = run('render', () =>
      render(inventory, decisions, configured.value, { hub, rollouts: rolledOut.value }),
    );
    const value = { ...input, rollouts: rolledOut.value, rendering: rendered.value, parameters };
    // Without a fleet, rules that need one would report nearly every object.
    const ignored = hasFleet(inventory) ? undefined : fleetCodes;
    const findings = run('check', () => check({ ...value, hub, isPromoted }, ignored, results));
    const diagnostics = [configured, rolledOut, rendered].flatMap((outcome) => outcome.diagnostics);
    return { value, diagnostics: [...diagnostics, ...findings] };
  });
}

/** Returns the outcome of a stage that only has findings. */
function found(diagnostics: readonly Diagnostic[]): Outcome<undefined> {
  return { value: undefined, diagnostics };
}

/** Returns the objects without the kinds that only Fleetwright reads. */
function objectsOfHub(objects: readonly LoadedObject[]): readonly LoadedObject[] {
  const areHubs = (part: readonly LoadedObject[]): boolean =>
    parametersObjects(part).length === 0 && managerProfiles(part).length === 0;
  return joined(partsOf(objects).map((part) => (areHubs(part) ? part : withoutOurs(part))));
}

const parametersObjects = oncePerPart((part: readonly LoadedObject[]) => part.filter(isParametersObject));

const managerProfiles = oncePerPart((part: readonly LoadedObject[]) => part.filter(isManagerProfile));

const withoutOurs = oncePerPart((part: readonly LoadedObject[]) =>
  part.filter((loaded) => !isParametersObject(loaded) && !isManagerProfile(loaded)),
);

function withProfiles(
  { value, diagnostics }: Outcome<Inventory>,
  managerProfiles: NonNullable<Inventory['managerProfiles']>,
): Outcome<Inventory> {
  return { value: managerProfiles.size === 0 ? value : { ...value, managerProfiles }, diagnostics };
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
    return { value: { inventory, parameters: noParameters, decided: undefined }, diagnostics: [] };
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
