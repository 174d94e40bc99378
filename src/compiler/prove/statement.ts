import { compileLabelSelector, type LabelRequirement } from '../place/label-selector.ts';
import type { PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import { objectKey } from '../model/inventory.ts';
import type { AddOnOutcomes, InstalledAddOn } from './add-on-outcomes.ts';
import type { Bounds, BoundsAlgebra } from './bounds.ts';
import { compileRequirement, meetsRequirement } from './cel-requirement.ts';
import { whereTogether } from './joint-outcomes.ts';
import type { Invariant, WrittenCondition, WrittenValues } from './invariant.ts';
import type { ClusterCondition, Selection, SelectionBuilder } from './selection.ts';

/** The values of the variables of an installed add-on. */
export type VariablesOf = (addOn: string, installed: InstalledAddOn) => ReadonlyMap<string, string>;

/** What conditions are evaluated with. */
export interface Evaluation {
  readonly selection: Selection;
  readonly outcomesOf: (addOn: string) => AddOnOutcomes;
  readonly variablesOf: VariablesOf;
  /** The names of immutable configurations as the user wrote them, by the names that follow their content. */
  readonly writtenNames: ReadonlyMap<string, string>;
  /** The names of all add-ons. */
  readonly addOns: readonly string[];
}

/** A condition whose questions were asked, to be evaluated once the classes are known. */
export type Statement = (evaluation: Evaluation) => Bounds;

const everything: Statement = ({ selection: { algebra, space } }) => algebra.exactly(space.diagrams.true);

/** Asks the questions of a condition. */
export function conditionStatement(
  condition: WrittenCondition | undefined,
  builder: SelectionBuilder,
  placementOf: (key: string) => PlacementV1beta1 | undefined,
): Statement {
  if (condition === undefined) return everything;
  const {
    labels = {},
    claims = {},
    sets,
    placements,
    groups = {},
    cel = [],
    has = [],
    lacks = [],
    not,
  } = condition;
  const parts: Statement[] = [
    asked(builder.labels({ requirements: requirementsOf(labels) })),
    asked(builder.claims({ requirements: requirementsOf(claims) })),
    ...cel.map((expression) => asked(builder.cel(expression, {}))),
    ...Object.entries(groups).map(([key, group]) => groupStatement(key, group, builder, placementOf)),
    ...has.map((name) => installed(name, true)),
    ...lacks.map((name) => installed(name, false)),
  ];
  if (sets !== undefined) parts.push(asked({ kind: 'any', of: sets.map((name) => builder.inSet(name)) }));
  if (placements !== undefined) parts.push(anyOf(placements.map(selectedBy)));
  if (not !== undefined) parts.push(negated(conditionStatement(not, builder, placementOf)));
  return allOf(parts);
}

/** Asks the questions of everything that an invariant says about the clusters that are meant, without comparing states. */
export function requirementStatement(
  invariant: Invariant,
  builder: SelectionBuilder,
  placementOf: (key: string) => PlacementV1beta1 | undefined,
): Statement {
  const {
    has = [],
    lacks = [],
    only,
    oneOf,
    atMostOneOf,
    configs = {},
    values = {},
    satisfies,
    are,
  } = invariant;
  const parts: Statement[] = [
    ...has.map((name) => installed(name, true)),
    ...lacks.map((name) => installed(name, false)),
    ...Object.entries(configs).flatMap(([name, resources]) =>
      Object.entries(resources).map(([resource, wanted]) => configured(name, resource, [wanted].flat())),
    ),
    ...Object.entries(values).flatMap(([name, variables]) =>
      Object.entries(variables).map(([variable, wanted]) => valued(name, variable, [wanted].flat())),
    ),
  ];
  if (only !== undefined)
    parts.push((evaluation) =>
      allOf(evaluation.addOns.filter((name) => !only.includes(name)).map((name) => installed(name, false)))(
        evaluation,
      ),
    );
  if (oneOf !== undefined)
    parts.push(
      counted(
        unique(oneOf).map((name) => installed(name, true)),
        1,
      ),
    );
  if (atMostOneOf !== undefined)
    parts.push(
      counted(
        unique(atMostOneOf).map((name) => installed(name, true)),
        0,
      ),
    );
  const { onePlacementOf, atMostOnePlacementOf } = invariant;
  if (onePlacementOf !== undefined) parts.push(counted(unique(onePlacementOf).map(selectedBy), 1));
  if (atMostOnePlacementOf !== undefined)
    parts.push(counted(unique(atMostOnePlacementOf).map(selectedBy), 0));
  if (satisfies !== undefined) parts.push(allOf(satisfies.map(satisfied)));
  if (are !== undefined) parts.push(conditionStatement(are, builder, placementOf));
  return allOf(parts);
}

/** The first group whose selector matches gets a cluster. */
function groupStatement(
  key: string,
  group: string,
  builder: SelectionBuilder,
  placementOf: (key: string) => PlacementV1beta1 | undefined,
): Statement {
  const { decisionGroups = [] } = placementOf(key)?.spec.decisionStrategy?.groupStrategy ?? {};
  const members = decisionGroups.map(({ groupName, groupClusterSelector }) => {
    const labels = compileLabelSelector(groupClusterSelector.labelSelector);
    const { matchExpressions } = groupClusterSelector.claimSelector ?? {};
    const claims = compileLabelSelector(matchExpressions === undefined ? undefined : { matchExpressions });
    const condition: ClusterCondition =
      'error' in labels || 'error' in claims
        ? {
            kind: 'unknown',
            obstacle: { placement: key, reason: `the selector of group ${groupName} is not valid` },
          }
        : { kind: 'all', of: [builder.labels(labels), builder.claims(claims)] };
    return { groupName, isMember: asked(condition) };
  });
  const options = members.flatMap(({ groupName, isMember }, index) =>
    groupName === group
      ? [allOf([isMember, ...members.slice(0, index).map((earlier) => negated(earlier.isMember))])]
      : [],
  );
  return allOf([selectedBy(key), anyOf(options)]);
}

function requirementsOf(values: Readonly<Record<string, WrittenValues>>): readonly LabelRequirement[] {
  return Object.entries(values).map(([key, wanted]): LabelRequirement => {
    if (typeof wanted === 'boolean')
      return { key, operator: wanted ? 'Exists' : 'DoesNotExist', values: [], path: [] };
    return { key, operator: 'In', values: [wanted].flat(), path: [] };
  });
}

function asked(condition: ClusterCondition): Statement {
  return ({ selection }) => selection.where(condition);
}

function selectedBy(key: string): Statement {
  return ({ selection }) => selection.ofPlacement(key);
}

function installed(name: string, isWanted: boolean): Statement {
  return ({ outcomesOf }) => outcomesOf(name).where((addOn) => (addOn !== undefined) === isWanted);
}

/** Clusters without the add-on meet every requirement of its configuration. */
function configured(name: string, resource: string, wanted: readonly string[]): Statement {
  return ({ outcomesOf, writtenNames }) =>
    outcomesOf(name).where((addOn) => {
      if (addOn === undefined) return true;
      const names = addOn.references
        .filter((reference) => reference.resource === resource)
        .map((reference) => objectKey(reference.namespace, reference.name));
      return (
        names.length > 0 &&
        names.every((each) => wanted.includes(each) || wanted.includes(writtenNames.get(each) ?? each))
      );
    });
}

function valued(name: string, variable: string, wanted: readonly string[]): Statement {
  return ({ outcomesOf, variablesOf }) =>
    outcomesOf(name).where(
      (addOn) => addOn === undefined || wanted.includes(variablesOf(name, addOn).get(variable) ?? ''),
    );
}

/** An expression that does not compile is reported before, and not answered. */
function satisfied(expression: string): Statement {
  const compiled = compileRequirement(expression);
  return ({ selection, addOns, outcomesOf, variablesOf }) => {
    if (!('program' in compiled)) return selection.algebra.unknown({ reason: compiled.message });
    const outcomes = new Map(addOns.map((name) => [name, outcomesOf(name)]));
    return whereTogether(outcomes, selection.space.diagrams, (installed) => {
      const values = Array.from(installed, ([name, addOn]) => {
        return [name, { addOn, values: variablesOf(name, addOn) }] as const;
      });
      return meetsRequirement(compiled.program, new Map(values));
    });
  };
}

function allOf(statements: readonly Statement[]): Statement {
  return (evaluation) =>
    evaluation.selection.algebra.and(...statements.map((statement) => statement(evaluation)));
}

function anyOf(statements: readonly Statement[]): Statement {
  return (evaluation) =>
    evaluation.selection.algebra.or(...statements.map((statement) => statement(evaluation)));
}

function negated(statement: Statement): Statement {
  return (evaluation) => evaluation.selection.algebra.not(statement(evaluation));
}

/** At least `least` and at most one of some statements hold. */
function counted(statements: readonly Statement[], least: 0 | 1): Statement {
  return (evaluation) => {
    const { algebra } = evaluation.selection;
    const all = statements.map((statement) => statement(evaluation));
    return countedBounds(all, least, algebra);
  };
}

function countedBounds(all: readonly Bounds[], least: 0 | 1, algebra: BoundsAlgebra): Bounds {
  const { diagrams } = algebra;
  let none = algebra.exactly(diagrams.true);
  let one = algebra.exactly(diagrams.false);
  for (const each of all) {
    one = algebra.or(algebra.and(one, algebra.not(each)), algebra.and(none, each));
    none = algebra.and(none, algebra.not(each));
  }
  return least === 1 ? one : algebra.or(none, one);
}

/** A name that is written twice counts once. */
function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
