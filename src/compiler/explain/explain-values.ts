import { configRead } from '../../ocm/referent.ts';
import { groupResource } from '../../base/names/resource-name.ts';
import type { Candidate, ClusterAddOn, Loser, LossReason } from '../configure/resolved-add-on.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import type { Location } from '../model/origin.ts';
import type { AddOnParameters } from '../parameters/compile.ts';
import { contentOf, levelOf } from '../compare/compare-configs.ts';
import { isNameOfEntry, leavesOf, type Leaf } from '../compare/compare-values.ts';
import { explainedParameter, type ExplainedParameter } from './explain-parameter.ts';
import type { State } from '../compare/resolution-pair.ts';

/** A configuration that was a candidate for an add-on on a cluster. */
export interface ExplainedUse {
  /** `namespace/name`, or `name`. */
  readonly name: string;
  /** `default`, `cluster` or `placement namespace/name`. */
  readonly from: string;
  /** The location of the reference to it. */
  readonly location: Location;
  /** The reason why it lost. Absent if it counts. */
  readonly lost?: LossReason | 'only the first counts' | 'only the last counts';
}

/** One kind of configuration: the object that counts and those that lost. */
export interface ExplainedKind {
  /** Plural and group. */
  readonly resource: string;
  readonly uses: readonly ExplainedUse[];
}

/** One value that a configuration provides. */
export interface ExplainedValue {
  /** `AddOnDeploymentConfig default/a`. */
  readonly object: string;
  readonly path: string;
  readonly value: unknown;
  /** Whether it is content of a Secret. */
  readonly secret?: true;
  readonly from: string;
  readonly location: Location;
  /** The parameter that sets it, and its layers. Absent if the configuration is not compiled from parameters. */
  readonly parameter?: ExplainedParameter;
  /** The values of the configurations that lost, at the same path. */
  readonly losers: readonly LostValue[];
}

/** A value that the effective one replaced. */
export interface LostValue {
  readonly object: string;
  /** Absent if that configuration has no value there. */
  readonly value?: unknown;
  /** Whether it is content of a Secret. */
  readonly secret?: true;
  readonly from: string;
  readonly reason: string;
  readonly location: Location;
}

/** Returns the kinds of configuration of an add-on on a cluster. */
export function explainKinds({ effective }: ClusterAddOn): ExplainedKind[] {
  return effective.kinds.map(({ group, resource, winners, losers }) => ({
    resource: groupResource(group, resource),
    uses: [
      ...winners.map((winner) => {
        const isRead = winner === configRead(winners, effective.reads);
        return useOf(winner, isRead ? undefined : `only the ${effective.reads} counts`);
      }),
      ...losers.map((loser) => useOf(loser, loser.reason)),
    ],
  }));
}

function useOf(candidate: Candidate, lost: ExplainedUse['lost']): ExplainedUse {
  const { reference, origin, path } = candidate;
  return {
    name: objectKey(reference.namespace, reference.name),
    from: levelOf(candidate),
    location: origin.locate(path),
    ...(lost === undefined ? {} : { lost }),
  };
}

/** Returns the values of the configurations that count, each with the values that lost. Includes only values below `field`. */
export function explainValues(
  { cluster, effective }: ClusterAddOn,
  { configs }: State,
  field: string,
  parameters?: AddOnParameters,
): ExplainedValue[] {
  return effective.kinds.flatMap(({ winners, losers }) => {
    const winner = configRead(winners, effective.reads);
    const config = winner && configs.find(winner.reference);
    if (winner === undefined || config === undefined) return [];
    // A template is represented by its rendered manifests. Its own fields are included only on request.
    if (field === '' && winner.reference.resource === 'addontemplates') return [];
    const lost = losers.map((loser) => lostLeaves(loser, configs));
    return leavesOf(contentOf(config), config.object.kind)
      .filter(({ path, value }) => isBelow(path, field) && !isNameOfEntry(path, value))
      .map(({ path, fieldPath, value, secret }): ExplainedValue => {
        const parameter = explainedParameter(parameters, cluster, config.object, fieldPath);
        return {
          object: `${config.object.kind} ${objectKey(winner.reference.namespace, winner.reference.name)}`,
          path,
          value,
          ...(secret && { secret }),
          from: levelOf(winner),
          // Another cluster with the same configuration can have its values from other layers.
          location: parameter?.layers[0]?.location ?? config.origin.locate(fieldPath),
          ...(parameter && { parameter }),
          losers: lost.map((leaves) => lostValue(leaves, path)),
        };
      });
  });
}

/** A value that only a configuration that lost has. */
export interface UnusedValue extends LostValue {
  readonly path: string;
}

/** Returns the values of configurations that lost, except those that a configuration that counts has too. */
export function unusedValues({ effective }: ClusterAddOn, { configs }: State): UnusedValue[] {
  return effective.kinds.flatMap(({ winners, losers }) => {
    const winner = configRead(winners, effective.reads);
    const counting = new Set(
      leavesOf(contentOf(winner && configs.find(winner.reference))).map(({ path }) => path),
    );
    return losers.flatMap((loser) => {
      const lost = lostLeaves(loser, configs);
      return Array.from(lost.leaves.values())
        .filter(({ path, value }) => !counting.has(path) && !isNameOfEntry(path, value))
        .map(({ path }) => ({ path, ...lostValue(lost, path) }));
    });
  });
}

interface LostLeaves {
  readonly loser: Loser;
  readonly object: Admitted | undefined;
  readonly leaves: ReadonlyMap<string, Leaf>;
}

function lostLeaves(loser: Loser, configs: State['configs']): LostLeaves {
  const object = configs.find(loser.reference);
  const leaves = object === undefined ? [] : leavesOf(contentOf(object), object.object.kind);
  return { loser, object, leaves: new Map(leaves.map((leaf) => [leaf.path, leaf])) };
}

function lostValue({ loser, object, leaves }: LostLeaves, path: string): LostValue {
  const leaf = leaves.get(path);
  const origin = leaf === undefined ? loser.origin : (object?.origin ?? loser.origin);
  return {
    object: objectKey(loser.reference.namespace, loser.reference.name),
    ...(leaf === undefined ? {} : { value: leaf.value, ...(leaf.secret && { secret: leaf.secret }) }),
    from: levelOf(loser),
    reason: loser.reason,
    location: origin.locate(leaf === undefined ? loser.path : leaf.fieldPath),
  };
}

/** Returns whether a path is the field or is inside it. `spec.` is optional. */
export function isBelow(path: string, field: string): boolean {
  if (field === '') return true;
  return [field, `spec.${field}`].some(
    (wanted) => path === wanted || path.startsWith(`${wanted}.`) || path.startsWith(`${wanted}[`),
  );
}

/** Returns the steps of a path: `customizedVariables`, `A` and `value` for `customizedVariables[A].value`. */
export function fieldSteps(path: string): readonly string[] {
  return path.match(/[^.[\]]+/g) ?? [];
}

/** Returns whether a path contains the steps in sequence: the value has that name, or is below something with that name. */
export function isStepsOf(path: string, steps: readonly string[]): boolean {
  const all = fieldSteps(path);
  return (
    steps.length > 0 && all.some((_step, start) => steps.every((step, index) => all[start + index] === step))
  );
}
