import type { Obstacle } from './bounds.ts';
import type { ClusterSpace } from './cluster-space.ts';
import type { Path } from './diagram.ts';
import { type FieldEdit, kindOf, withEdits } from './field-edit.ts';
import { type FleetClass, isNamedClaim } from './fleet-classes.ts';
import type { Evaluation } from './statement.ts';
import type { AddOnEffect, Counterexample } from './verdict.ts';

/** A counterexample that was found, before it is described. */
export interface Violation {
  readonly cost: number;
  readonly path: Path;
  readonly cluster?: FleetClass;
}

/** Returns the obstacles that make a difference for the example. */
export function obstaclesOf(
  obstacles: readonly Obstacle[],
  { path, cluster }: Violation,
  space: ClusterSpace,
): readonly Obstacle[] {
  const regionOf = (variable: number): number =>
    path.get(variable) ?? cluster?.path.get(variable) ?? space.plainRegion(variable);
  const relevant = obstacles.filter(
    ({ open }) => open === undefined || space.diagrams.evaluate(open, regionOf) === 1,
  );
  return distinct(
    (relevant.length === 0 ? obstacles : relevant).map(({ open: _open, ...obstacle }) => obstacle),
  );
}

/** Describes a violation. */
export function counterexampleOf({ path, cluster }: Violation, evaluation: Evaluation): Counterexample {
  const { space } = evaluation.selection;
  const merged = new Map(cluster?.path ?? []);
  for (const [variable, region] of path) merged.set(variable, region);
  const plain = (variable: number): number => cluster?.path.get(variable) ?? space.plainRegion(variable);
  const edits = [...path].flatMap(([variable, region]) =>
    region === plain(variable) ? [] : [editOf(variable, plain(variable), region, space)],
  );
  return {
    ...(cluster !== undefined && { cluster: cluster.name }),
    edits,
    object:
      cluster === undefined
        ? space.clusterAt(merged)
        : withEdits(cluster.object, edits, (claim) => isNamedClaim(claim, space)),
    effects: cluster === undefined ? [] : effectsBetween(cluster.path, merged, evaluation),
  };
}

function editOf(variable: number, from: number, to: number, space: ClusterSpace): FieldEdit {
  const field = space.variables[variable];
  if (field === undefined) throw new RangeError(`there is no variable ${variable}`);
  if ('taint' in field) {
    const { key, value = '', effect } = field.taint;
    const text = `${value}:${effect}`;
    return { kind: 'taints', key, ...(to === 1 ? { to: text } : { from: text }) };
  }
  const [before, after] = [field.values[from], field.values[to]];
  return {
    ...kindOf(field.input),
    ...(before !== undefined && { from: before }),
    ...(after !== undefined && { to: after }),
  };
}

/** Returns what is certain of the effects of an edit. */
export function effectsBetween(
  before: Path,
  after: Path,
  { addOns, outcomesOf }: Evaluation,
): readonly AddOnEffect[] {
  return addOns.flatMap((addOn): readonly AddOnEffect[] => {
    const [was, is] = [before, after].map((path) =>
      outcomesOf(addOn).at((variable) => path.get(variable) ?? 0),
    );
    if (was === undefined || is === undefined || was === 'unknown' || is === 'unknown') return [];
    const [[one], [other]] = [was, is];
    if (was.length > 1 || is.length > 1 || one?.identity === other?.identity) return [];
    const effect = one === undefined ? 'installed' : other === undefined ? 'uninstalled' : 'reconfigured';
    return [{ addOn, effect }];
  });
}

function distinct(obstacles: readonly Obstacle[]): readonly Obstacle[] {
  const byText = new Map(obstacles.map((obstacle) => [JSON.stringify(obstacle), obstacle]));
  return [...byText.values()];
}
