import type { Diagnostic, Outcome } from './diagnostic.ts';
import { objectKey, type LoadedObject } from './inventory.ts';
import { placementLabel } from './api/labels.ts';
import { resolve, type Resolution, type ResolveOptions } from './resolve.ts';
import { inPlaceEdits } from './check/rollouts/in-place-edit.ts';
import type { Rollouts } from './rollout/rollout.ts';
import { updatedObjects } from './updated-objects.ts';

export interface PredictOptions extends ResolveOptions {
  /** Objects that are applied once the installation has come to its end; those of the same identity are replaced. */
  readonly update?: readonly LoadedObject[];
}

/** The rollouts of all add-ons: what the objects start, and what an update of them starts after that. */
export interface PredictedRollout {
  readonly before: Resolution;
  readonly install: Rollouts;
  readonly update?: Rollouts;
}

/**
 * Follows the installation of all add-ons to its end, and an update from there. Agents that fail or are silent do so in
 * the last of the two. Undefined where the API server would refuse one of the objects.
 */
export function predictRollout(
  objects: readonly LoadedObject[],
  { update, failing, silent, ...options }: PredictOptions,
): Outcome<PredictedRollout | undefined> {
  const faults = { ...(failing && { failing }), ...(silent && { silent }) };
  const { value: before, diagnostics: found } = resolve(objects, {
    ...options,
    ...(update === undefined && faults),
  });
  if (before === undefined) return { value: undefined, diagnostics: found };
  const install = ofTheApp(before);
  if (update === undefined) return { value: { before, install }, diagnostics: found };

  const settled = Math.max(0, ...Array.from(before.rollouts.values(), ({ settledAfter }) => settledAfter));
  const now = options.now + settled;
  const from = new Map(Array.from(before.rollouts, ([name, { reached }]) => [name, reached]));
  const after = resolve(updatedObjects(withDecisions(objects, before), update), {
    ...options,
    ...faults,
    now,
    from,
  });
  if (after.value === undefined) return { value: undefined, diagnostics: merged(found, after.diagnostics) };
  const edits = inPlaceEdits(before, after.value);
  return {
    value: { before, install, update: ofTheApp(after.value) },
    diagnostics: merged(found, [...after.diagnostics, ...edits]),
  };
}

/** The rollouts but for those of add-ons that are on the hub and not from Git. */
function ofTheApp({ configuration, rollouts }: Resolution): Rollouts {
  return new Map([...rollouts].filter(([name]) => configuration.get(name)?.hubsOwn !== true));
}

/** The objects together with the decisions that the hub has made: it prefers what it has decided before. */
function withDecisions(objects: readonly LoadedObject[], { decisions }: Resolution): LoadedObject[] {
  const undecided = objects.filter(({ object: { kind, metadata } }) => {
    const owner = kind === 'PlacementDecision' ? metadata?.labels?.[placementLabel] : undefined;
    return owner === undefined || !decisions.decisions.has(objectKey(metadata.namespace, owner));
  });
  const decided = [...decisions.decisions.values()].flatMap(({ placement: { origin }, objects }) =>
    objects.map((object): LoadedObject => {
      // Owners need uids, which only the hub knows.
      const { ownerReferences: _, ...metadata } = object.metadata;
      return { object: { ...object, metadata }, origin, source: 'fleet' };
    }),
  );
  return [...undecided, ...decided];
}

/** What is wrong before the update is mostly wrong after it too, and then told once. */
function merged(before: readonly Diagnostic[], after: readonly Diagnostic[]): readonly Diagnostic[] {
  const subjectOf = ({ code, object, path }: Diagnostic): string => JSON.stringify([code, object, path]);
  const told = new Set(after.map(subjectOf));
  return [...before.filter((diagnostic) => !told.has(subjectOf(diagnostic))), ...after];
}
