import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { didYouMean } from '../model/suggestion.ts';
import { compileRequirement } from './cel-requirement.ts';
import type { Invariant, WrittenCondition } from './invariant.ts';
import type { ProvedState } from './verdict.ts';

const requirements = [
  'has',
  'lacks',
  'only',
  'oneOf',
  'atMostOneOf',
  'configs',
  'values',
  'onePlacementOf',
  'atMostOnePlacementOf',
  'satisfies',
  'are',
  'keeps',
  'unchanged',
  'others',
] as const satisfies readonly (keyof Invariant)[];

const ofEdits = [
  'of',
  'keys',
  'before',
  'keeps',
  'unchanged',
] as const satisfies readonly (keyof Invariant)[];

/**
 * Returns why an invariant says nothing: it names what no app has, or its fields do not go together. A misspelled name would make
 * many invariants true.
 *
 * @param states - the apps of all hubs
 */
export function checkInvariant(invariant: Invariant, states: readonly ProvedState[]): readonly Diagnostic[] {
  return [...senseless(invariant), ...missingNames(invariant, states)].map(({ message, hint }) =>
    diagnostic('FW8203', {
      message: `the invariant "${invariant.name}" ${message}`,
      ...(invariant.location !== undefined && { location: invariant.location }),
      ...(hint !== undefined && { hint }),
    }),
  );
}

interface Fault {
  readonly message: string;
  readonly hint?: string;
}

function senseless(invariant: Invariant): readonly Fault[] {
  const faults: Fault[] = [];
  if (requirements.every((key) => invariant[key] === undefined))
    faults.push({
      message: 'requires nothing',
      hint: `say what must hold: ${requirements.slice(0, -1).join(', ')} or ${requirements.at(-1)}`,
    });
  const hasEdits = invariant.edits !== undefined || invariant.others !== undefined;
  for (const key of ofEdits)
    if (invariant[key] !== undefined && !hasEdits)
      faults.push({ message: `has ${key}, but no edits`, hint: `add edits: 1, or remove ${key}` });
  if (invariant.edits !== undefined && invariant.clusters === 'any')
    faults.push({
      message: 'is about edits of any cluster',
      hint: 'edits are made to clusters of the fleet: remove clusters: any',
    });
  for (const expression of invariant.satisfies ?? []) {
    const compiled = compileRequirement(expression);
    if ('message' in compiled)
      faults.push({ message: `has an expression that does not compile: ${compiled.message}` });
  }
  if (invariant.others !== undefined)
    for (const key of requirements)
      if (key !== 'others' && key !== 'unchanged' && invariant[key] !== undefined)
        faults.push({ message: `has others and ${key}`, hint: `make two invariants of it` });
  return faults;
}

function missingNames(invariant: Invariant, states: readonly ProvedState[]): readonly Fault[] {
  const addOns = new Set(states.flatMap(({ configuration }) => [...configuration.keys()]));
  const placements = new Set(states.flatMap(({ inventory }) => [...inventory.placements.keys()]));
  const sets = new Set([
    'default',
    'global',
    ...states.flatMap(({ inventory }) => [...inventory.managedClusterSets.keys()]),
  ]);
  const conditions = [invariant.before, invariant.where, invariant.are, invariant.others].flatMap(withNested);
  const listed = (names: true | readonly string[] | undefined): readonly string[] =>
    names === true ? [] : (names ?? []);
  const named = {
    'add-on': [
      ...[invariant.has, invariant.lacks, invariant.only, invariant.oneOf, invariant.atMostOneOf].flatMap(
        listed,
      ),
      ...[invariant.keeps, invariant.unchanged].flatMap(listed),
      ...Object.keys(invariant.configs ?? {}),
      ...Object.keys(invariant.values ?? {}),
      ...conditions.flatMap(({ has, lacks }) => [...listed(has), ...listed(lacks)]),
    ],
    Placement: [
      ...listed(invariant.onePlacementOf),
      ...listed(invariant.atMostOnePlacementOf),
      ...conditions.flatMap((each) => [...listed(each.placements), ...Object.keys(each.groups ?? {})]),
    ],
    ManagedClusterSet: conditions.flatMap((each) => listed(each.sets)),
  };
  const existing = { 'add-on': addOns, Placement: placements, ManagedClusterSet: sets };
  const faults = (['add-on', 'Placement', 'ManagedClusterSet'] as const).flatMap((kind) =>
    [...new Set(named[kind])]
      .filter((name) => !existing[kind].has(name))
      .map((name) => faultOf(`names the ${kind} ${name}, which does not exist`, name, [...existing[kind]])),
  );
  return [...faults, ...conditions.flatMap((each) => missingGroups(each, states))];
}

function missingGroups({ groups = {} }: WrittenCondition, states: readonly ProvedState[]): readonly Fault[] {
  return Object.entries(groups).flatMap(([key, group]) => {
    const placement = states
      .map(({ inventory }) => inventory.placements.get(key)?.object)
      .find((each) => each !== undefined);
    if (placement === undefined) return [];
    const names = (placement.spec.decisionStrategy?.groupStrategy?.decisionGroups ?? []).map(
      (each) => each.groupName,
    );
    return names.includes(group)
      ? []
      : [faultOf(`names the group ${group}, which the Placement ${key} does not have`, group, names)];
  });
}

function faultOf(message: string, name: string, names: readonly string[]): Fault {
  const hint = didYouMean(name, names, 'there are');
  return { message, ...(hint !== undefined && { hint }) };
}

function withNested(condition: WrittenCondition | undefined): readonly WrittenCondition[] {
  return condition === undefined ? [] : [condition, ...withNested(condition.not)];
}
