import { admit } from './admit/admit.ts';
import { check } from './check/check.ts';
import { configure } from './configure/configure.ts';
import type { Configuration } from './configure/configuration.ts';
import { uncompiled } from './deliver/uncompiled.ts';
import { hasErrors, type Diagnostic, type Outcome } from './diagnostic.ts';
import type { HubVersion } from './hub-version.ts';
import type { KnownContent } from './known-content.ts';
import { fleetCodes, hasFleet } from './needs-fleet.ts';
import { objectKey, type Inventory, type LoadedObject } from './inventory.ts';
import { standsForOverride } from './override/override-mode.ts';
import { override } from './override/override.ts';
import type { Decisions } from './place/decision.ts';
import { unwatched, type PhaseRunner } from './phase.ts';
import { place } from './place/place.ts';
import { render } from './render/render.ts';
import type { Rendering } from './render/rendering.ts';
import { rollout, type RolloutOptions, type Rollouts } from './rollout/rollout.ts';

export interface ResolveOptions extends Pick<RolloutOptions, 'failing' | 'silent' | 'from'> {
  /** Milliseconds since the epoch: what tolerations with a time limit and scores that expire are held against. */
  readonly now: number;
  readonly hub: HubVersion;
  /** What other states of the same inputs gave already, and where what this one gives is kept for them. */
  readonly known?: KnownContent;
  /** Runs each phase. @default - the phases run unwatched */
  readonly run?: PhaseRunner;
}

/** What the hub makes of one state of the inputs. */
export interface Resolution {
  readonly inventory: Inventory;
  readonly decisions: Decisions;
  readonly configuration: Configuration;
  /** How the configuration gets to the clusters, and where that ends. */
  readonly rollouts: Rollouts;
  readonly rendering: Rendering;
}

/**
 * Admits the objects and follows them through the hub's controllers. Undefined where the API server would refuse one of
 * the objects: what the hub makes of the others is then nothing to rely on. Findings of later phases do not remove the
 * answer: the hub, too, does something.
 */
export function resolve(
  objects: readonly LoadedObject[],
  options: ResolveOptions,
): Outcome<Resolution | undefined> {
  const { hub, run = unwatched } = options;
  const admitted = run('admit', () => admit(uncompiled(objects), options.known));
  if (hasErrors(admitted.diagnostics)) return { value: undefined, diagnostics: admitted.diagnostics };
  const overridden = override(admitted.value);
  const inventory = overridden.value;
  const placed = run('place', () => place(inventory, { now: options.now, cel: hub.cel }));
  const configured = run('configure', () => configure(inventory, placed.value));
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
  };
  const checked = run('check', () => check({ ...resolution, hub }));
  const outcomes = [admitted, overridden, placed, configured, rolledOut, rendered];
  const diagnostics = [...outcomes.map((outcome) => outcome.diagnostics), checked].flat();
  return { value: resolution, diagnostics: diagnostics.filter(isReported(inventory)) };
}

/**
 * What is odd about a Placement that stands for an override is odd about the one that it follows, and reported there. Without
 * a fleet, rules that need one are left out: they would report everything as missing.
 */
function isReported(inventory: Inventory): (diagnostic: Diagnostic) => boolean {
  const overrides = new Set(
    [...inventory.placements].flatMap(([key, { object }]) => (standsForOverride(object) ? [key] : [])),
  );
  const isChecked = hasFleet(inventory) ? () => true : ({ code }: Diagnostic) => !fleetCodes.has(code);
  return (diagnostic) => {
    const { object } = diagnostic;
    const isOfOverride =
      object?.kind === 'Placement' && overrides.has(objectKey(object.namespace, object.name));
    return !isOfOverride && isChecked(diagnostic);
  };
}
