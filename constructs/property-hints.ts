import { closestNames } from '../src/base/collections/closest-names.ts';
import { factories, guardedCalls } from './accepted-properties.gen.ts';
import type { PropertyFault } from './property-fault.ts';
import { alternativesOf, propertiesOf, type PropertyType } from './property-types.ts';

const calls: Readonly<Record<string, readonly string[]>> = guardedCalls;

/** What Kubernetes' and OCM's manifests call the properties of our types. */
const manifestFields: Readonly<Record<string, readonly string[]>> = {
  requiredClusterSelector: ['labels', 'claims', 'cel'],
  clusterSelector: ['labels', 'claims', 'cel'],
  labelSelector: ['labels', 'selector'],
  claimSelector: ['claims'],
  celSelector: ['cel'],
  celExpressions: ['cel'],
  expressions: ['cel'],
  supportedConfigs: ['defaultConfigs'],
  installStrategy: ['placements'],
  rolloutStrategy: ['rollout'],
  placementRef: ['placement'],
  placementRefs: ['placements'],
  prioritizerPolicy: ['prioritizers', 'prioritizerMode'],
  decisionStrategy: ['decisionGroups', 'clustersPerDecisionGroup'],
  groupStrategy: ['decisionGroups', 'clustersPerDecisionGroup'],
  addOnMeta: ['displayName', 'description'],
  addOnConfiguration: ['configs', 'defaultConfigs'],
  mandatoryDecisionGroups: ['mandatoryGroups'],
  agentSpec: ['workload'],
  manifests: ['workload'],
  tolerationSeconds: ['duration'],
  feedbackRules: ['feedback'],
  conditionRules: ['conditions'],
};

/** The maximum number of calls that a hint names. */
const mostCalls = 3;

/** The maximum number of places in the same call that a hint names. */
const mostPlaces = 6;

/** Returns the fix for a property that a type lacks: the name that was meant, or where it belongs, or the names that there are. */
export function unknownPropertyHint(call: string, { unknown = '', types }: PropertyFault): string {
  const names = namesOf(types);
  const meant = closestNames(unknown, names);
  const owners = ownersOf(unknown, call, types);
  if (meant.length > 0) {
    const question = `did you mean ${meant.slice(0, mostCalls).join(' or ')}?`;
    return owners.length === 0 ? question : `${question} ${unknown} is a property of ${listed(owners)}`;
  }
  if (owners.length > 0) return `it is a property of ${listed(owners)}`;
  const same = (manifestFields[unknown] ?? []).filter((name) => names.includes(name));
  if (same.length > 0) return `use ${listed(same)}, without ${unknown}`;
  const similar = names.filter((name) => isPartOf(unknown, name));
  if (similar.length > 0 && similar.length <= mostCalls) return `did you mean ${similar.join(' or ')}?`;
  const creators = creatorsOf(types);
  if (names.length === 0 && creators.length > 0)
    return `write the pairs themselves, as { key: 'value' }, or use ${listed(creators, 'or')}`;
  return names.length === 0 ? 'leave it out' : `its properties are ${names.toSorted().join(', ')}`;
}

/** Returns the fix for a value of another type: what creates one. */
export function valueHint({ types }: PropertyFault): string | undefined {
  const creators = creatorsOf(types);
  if (creators.length > 0) return `use ${listed(creators, 'or')}`;
  const names = namesOf(types.map(itemOf));
  return names.length === 0 ? undefined : `its properties are ${names.toSorted().join(', ')}`;
}

function creatorsOf(types: readonly PropertyType[]): readonly string[] {
  return types.map(itemOf).flatMap((type) => {
    if (!('name' in type)) return [];
    const construct = constructOf(type.name);
    if (construct === undefined) return factories[type.name] ?? [];
    return ['the construct', ...(factories[type.name] ?? []), ...(factories[construct] ?? [])];
  });
}

/** Returns the class of the interfaces that constructs implement: `Placement` for `IPlacement`. */
function constructOf(name: string): string | undefined {
  return /^I([A-Z]\w*)$/.exec(name)?.[1];
}

/** Returns what one of the types is called in a sentence. */
export function typeText(type: PropertyType): string {
  if (type.kind === 'instance') return withArticle(type.name);
  if (type.kind !== 'struct') return kindTexts[type.kind];
  const construct = constructOf(type.name);
  return construct === undefined ? 'an object' : withArticle(construct);
}

const kindTexts = {
  any: 'any value',
  scalar: 'a text, a number or a boolean',
  list: 'a list',
  map: 'an object of pairs',
} as const;

function withArticle(name: string): string {
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}

function itemOf(type: PropertyType): PropertyType {
  return type.kind === 'list' || type.kind === 'map' ? itemOf(type.item) : type;
}

function namesOf(types: readonly PropertyType[]): readonly string[] {
  const names = types.flatMap((type) => (type.kind === 'struct' ? [...propertiesOf(type.name).keys()] : []));
  return [...new Set(names)].filter((name) => name !== '*');
}

/** Returns what has a property of the name: below the object, in the same call, or in a few other calls. */
function ownersOf(name: string, call: string, types: readonly PropertyType[]): readonly string[] {
  const below = ownersBelow(name, types, '');
  if (below.length > 0) return below;
  const own = (calls[call] ?? []).flatMap((written) => [...alternativesOf(written)]);
  const inCall = has(own, name) ? [calledName(call)] : ownersBelow(name, own, '');
  if (inCall.length > 0) return inCall;
  const others = Object.entries(calls)
    .filter(([, written]) => written.some((each) => has(alternativesOf(each), name)))
    .map(([other]) => calledName(other));
  return others.length > mostCalls ? [] : others;
}

/** Returns the nearest owners of the property below the types: `predicates[]`, or the call that creates a value. */
function ownersBelow(name: string, types: readonly PropertyType[], path: string): readonly string[] {
  const seen = new Set<string>();
  let level: readonly { readonly types: readonly PropertyType[]; readonly path: string }[] = [
    { types, path },
  ];
  while (level.length > 0) {
    const next: { types: readonly PropertyType[]; path: string }[] = [];
    const found: string[] = [];
    for (const { types: alternatives, path: at } of level) {
      for (const struct of alternatives) {
        if (struct.kind !== 'struct' || seen.has(struct.name)) continue;
        seen.add(struct.name);
        for (const [property, propertyTypes] of propertiesOf(struct.name)) {
          const below = `${at === '' ? '' : `${at}.`}${property}`;
          for (const type of propertyTypes) {
            const [item, itemPath] = elementOf(type, below);
            if (has([item], name)) found.push(itemPath);
            if (item.kind === 'instance') found.push(...creatorsWith(name, item.name));
            next.push({ types: [item], path: itemPath });
          }
        }
      }
    }
    if (found.length > 0) return [...new Set(found)].slice(0, mostPlaces);
    level = next;
  }
  return [];
}

function elementOf(type: PropertyType, path: string): readonly [PropertyType, string] {
  if (type.kind === 'list') return elementOf(type.item, `${path}[]`);
  return type.kind === 'map' ? elementOf(type.item, `${path}.NAME`) : [type, path];
}

/** Returns the functions that create an instance of the class and take the property. */
function creatorsWith(name: string, className: string): readonly string[] {
  const creators = [...(factories[className] ?? []), `new ${className}`];
  return creators.filter((creator) =>
    (calls[creator] ?? []).some((written) => has(alternativesOf(written), name)),
  );
}

function has(types: readonly PropertyType[], name: string): boolean {
  return types.some((type) => type.kind === 'struct' && propertiesOf(type.name).has(name));
}

/** Returns a call as a sentence names it: `Placement`, `Placement.addPredicate`. */
export function calledName(call: string): string {
  return call.replace(/^new /, '').replace('#', '.');
}

function isPartOf(word: string, name: string): boolean {
  const [shorter = '', longer = ''] = [word.toLowerCase(), name.toLowerCase()].toSorted(
    (a, b) => a.length - b.length,
  );
  return shorter.length >= 4 && longer.includes(shorter);
}

function listed(names: readonly string[], last = 'and'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}
