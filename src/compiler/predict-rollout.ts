import type { Diagnostic, Outcome } from './model/diagnostic.ts';
import type { LoadedObject } from './model/inventory.ts';
import { resolve, type Resolution, type ResolveOptions } from './resolve.ts';
import { inPlaceEdits } from './check/rollouts/in-place-edit.ts';
import { refusedUpdates } from './compare/cluster/refused-update.ts';
import { refusingByAddOn } from './compare/placements/waves.ts';
import { answerFindings } from './plan/answer-findings.ts';
import { rollout, type Rollouts } from './rollout/rollout.ts';
import { updatedObjects } from './model/updated-objects.ts';

/** The options of `predictRollout`: those of `resolve`, and an update. */
export interface PredictOptions extends ResolveOptions {
  /** Objects that are applied after the installation is complete; they replace those with the same identity. */
  readonly update?: readonly LoadedObject[];
}

/** The rollouts of all add-ons: those that the objects start, and those that an update then starts. */
export interface PredictedRollout {
  readonly before: Resolution;
  readonly install: Rollouts;
  readonly update?: Rollouts;
}

/**
 * Predicts the installation of all add-ons to its end, and an update from there. Agents that fail or are silent do so in the last
 * of the two, and so do those on clusters whose API servers refuse the update. Undefined if the API server would reject one of the
 * objects.
 */
export function predictRollout(
  objects: readonly LoadedObject[],
  { update, failing, silent, ...options }: PredictOptions,
): Outcome<PredictedRollout | undefined> {
  const faults = { ...(failing && { failing }), ...(silent && { silent }) };
  const { value: before, diagnostics } = resolve(objects, {
    ...options,
    ...(update === undefined && faults),
  });
  if (before === undefined) return { value: undefined, diagnostics };
  const install = ofTheApp(before);
  if (update === undefined) return { value: { before, install }, diagnostics };

  const settled = Math.max(0, ...Array.from(before.rollouts.values(), ({ settledAfter }) => settledAfter));
  const now = options.now + settled;
  const from = new Map(Array.from(before.rollouts, ([name, { reached }]) => [name, reached]));
  const updated = updatedObjects(objects, update);
  const ofUpdate = { ...options, earlier: before.decisions, now, from };
  const after = resolve(updated, { ...ofUpdate, ...faults });
  if (after.value === undefined)
    return { value: undefined, diagnostics: merged(diagnostics, after.diagnostics) };
  // Clusters that faults keep from the update have nothing to refuse, so it is compared without faults.
  const complete = hasFaults(faults) ? resolve(updated, ofUpdate).value : after.value;
  const refused = complete === undefined ? [] : refusedUpdates(before, complete, options.hub);
  const refusals = refusingByAddOn(refused);
  const { inventory, decisions, configuration } = after.value;
  const rollouts =
    refusals.size === 0
      ? after.value.rollouts
      : rollout({ inventory, decisions, configuration }, { ...faults, hub: options.hub, now, from, refusals })
          .value;
  const edits = inPlaceEdits(before, after.value);
  return {
    value: { before, install, update: ofTheApp({ configuration, rollouts }) },
    diagnostics: merged(diagnostics, [...after.diagnostics, ...edits, ...refusalFindings(refused)]),
  };
}

function hasFaults({ failing, silent }: Pick<PredictOptions, 'failing' | 'silent'>): boolean {
  return (failing?.size ?? 0) + (silent?.size ?? 0) > 0;
}

/** The clusters also delete objects with their content, which does not influence the waves. */
function refusalFindings(refused: Parameters<typeof answerFindings>[0]): readonly Diagnostic[] {
  return answerFindings(refused).filter(({ code }) => code === 'FW8320');
}

/** Returns the rollouts, except those of add-ons that are on the hub but not in Git. */
function ofTheApp({ configuration, rollouts }: Pick<Resolution, 'configuration' | 'rollouts'>): Rollouts {
  return new Map([...rollouts].filter(([name]) => configuration.get(name)?.isHubOwned !== true));
}

/** Merges the findings before and after the update. Most of them are the same, and these are reported once. */
function merged(before: readonly Diagnostic[], after: readonly Diagnostic[]): readonly Diagnostic[] {
  const subjectOf = ({ code, object, path }: Diagnostic): string => JSON.stringify([code, object, path]);
  const reported = new Set(after.map(subjectOf));
  return [...before.filter((diagnostic) => !reported.has(subjectOf(diagnostic))), ...after];
}
