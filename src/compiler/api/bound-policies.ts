import { compareUtf8 } from '../../base/json/go-json.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import { objectKey, type Admitted, type Inventory } from '../model/inventory.ts';
import {
  fieldAt,
  isOfKind,
  namespaceOf,
  objectReference,
  textAt,
  type PlacementReference,
} from './placement-references.ts';

/** A Policy that PlacementBindings bind, directly or through a PolicySet. */
export interface BoundPolicy {
  /** `namespace/name`. */
  readonly name: string;
  /** Absent if the inputs only have the name. */
  readonly policy?: Admitted;
  /** Whether `spec.disabled` is true: the Policy is on no cluster. */
  readonly disabled: boolean;
  /** `spec.remediationAction` as written. Without it, each template of the Policy has its own. */
  readonly remediationAction?: string;
  /** Whether it has hub templates (`{{hub … hub}}`), which the hub evaluates per cluster. */
  readonly hasHubTemplates: boolean;
  /** By the name of the binding. */
  readonly bindings: readonly PolicyBinding[];
}

/** One way in which a PlacementBinding binds a Policy. */
export interface PolicyBinding {
  readonly holder: Admitted;
  readonly reference: PlacementReference;
  /** Whether the binding has `subFilter: restricted`: it places nothing, and overrides what other bindings place. */
  readonly restricted: boolean;
  /** `bindingOverrides.remediationAction` as written, if it enforces the Policy. The propagator knows no other override. */
  readonly enforces?: string;
  /** The PolicySet that lists the Policy. Absent if the binding names the Policy itself. */
  readonly set?: Admitted;
  /** The clusters that the PolicySet excludes for this Policy. */
  readonly excluded: ReadonlySet<string>;
}

/** What a Policy does on one cluster. */
export interface PlacedPolicy {
  /** The remediationAction of the Policy on the cluster. Absent if its templates decide. */
  readonly remediationAction?: string;
  /** The binding that enforces a Policy that does not enforce itself. */
  readonly enforcedBy?: PolicyBinding;
}

const noClusters: ReadonlySet<string> = new Set();

const policyGroup = 'policy.open-cluster-management.io';

/** Returns all Policies that are bound, by name. The kinds are not OCM's and not validated: malformed objects bind nothing. */
export function boundPolicies({ others }: Pick<Inventory, 'others'>): readonly BoundPolicy[] {
  const policies = new Map<string, Admitted>();
  const sets = new Map<string, Admitted>();
  const placementBindings: Admitted[] = [];
  for (const admitted of others) {
    if (isOfKind(admitted, policyGroup, 'Policy')) policies.set(nameOf(admitted), admitted);
    else if (isOfKind(admitted, policyGroup, 'PolicySet')) sets.set(nameOf(admitted), admitted);
    else if (isOfKind(admitted, policyGroup, 'PlacementBinding')) placementBindings.push(admitted);
  }
  const bound = new Map<string, PolicyBinding[]>();
  placementBindings.sort((a, b) => compareUtf8(nameOf(a), nameOf(b)));
  for (const holder of placementBindings) {
    for (const { name, binding } of bindingsOf(holder, sets))
      getOrInsertComputed(bound, name, () => []).push(binding);
  }
  const names = [...bound.keys()].sort(compareUtf8);
  return names.map((name) => boundPolicy(name, policies.get(name), bound.get(name) ?? []));
}

/**
 * Returns what a Policy does on each cluster, as governance-policy-propagator decides it: any binding without a `subFilter` places
 * the Policy, any binding can override the remediationAction of what is placed, and a Policy with `enforce` is never overridden.
 *
 * @param selected - returns the clusters of a Placement by `namespace/name`
 */
export function placedPolicy(
  { disabled, bindings, remediationAction }: BoundPolicy,
  selected: (placement: string) => readonly string[],
): ReadonlyMap<string, PlacedPolicy> {
  const placed = new Map<string, PlacedPolicy>();
  if (disabled) return placed;
  const itself: PlacedPolicy = remediationAction === undefined ? {} : { remediationAction };
  const ordered = [...bindings].sort((a, b) => Number(a.restricted) - Number(b.restricted));
  for (const binding of ordered) {
    const { reference, restricted, enforces, excluded } = binding;
    if (reference.kind !== 'Placement') continue;
    const overridden: PlacedPolicy | undefined =
      enforces === undefined || isEnforce(remediationAction)
        ? undefined
        : { remediationAction: enforces, enforcedBy: binding };
    for (const cluster of selected(reference.key)) {
      if (excluded.has(cluster)) continue;
      const before = placed.get(cluster);
      if (before === undefined && restricted) continue;
      if (before === undefined || (overridden !== undefined && before.enforcedBy === undefined))
        placed.set(cluster, overridden ?? itself);
    }
  }
  return placed;
}

/** Whether a remediationAction enforces. The propagator ignores case. */
export function isEnforce(action: string | undefined): boolean {
  return action?.toLowerCase() === 'enforce';
}

function bindingsOf(
  holder: Admitted,
  sets: ReadonlyMap<string, Admitted>,
): readonly { readonly name: string; readonly binding: PolicyBinding }[] {
  const [reference] = objectReference(holder, ['placementRef']);
  const subjects = fieldAt(holder.object, ['subjects']);
  if (reference === undefined || !isJsonList(subjects)) return [];
  const action = textAt(holder.object, ['bindingOverrides', 'remediationAction']);
  const shared = {
    holder,
    reference,
    restricted: textAt(holder.object, ['subFilter']) === 'restricted',
    ...(action !== undefined && isEnforce(action) && { enforces: action }),
  };
  const seen = new Set<string>();
  return subjects.filter(isJsonMap).flatMap(({ kind, name }): { name: string; binding: PolicyBinding }[] => {
    if (typeof name !== 'string' || seen.size === seen.add(`${String(kind)} ${name}`).size) return [];
    const key = objectKey(namespaceOf(holder), name);
    if (kind === 'Policy') return [{ name: key, binding: { ...shared, excluded: noClusters } }];
    const set = kind === 'PolicySet' ? sets.get(key) : undefined;
    const listed = fieldAt(set?.object, ['spec', 'policies']);
    if (set === undefined || !isJsonList(listed)) return [];
    const policies = new Set(listed.filter((policy) => typeof policy === 'string'));
    return [...policies].map((policy) => ({
      name: objectKey(namespaceOf(holder), policy),
      binding: { ...shared, set, excluded: excludedBy(set, policy) },
    }));
  });
}

/** Returns the clusters that a PolicySet excludes for one of its Policies. */
function excludedBy(set: Admitted, policy: string): ReadonlySet<string> {
  const exclusions = fieldAt(set.object, ['spec', 'exclusions']);
  if (!isJsonList(exclusions)) return noClusters;
  const clusters = exclusions.filter(isJsonMap).flatMap(({ policyName, clusterNames }) => {
    return policyName === policy && isJsonList(clusterNames) ? clusterNames : [];
  });
  return new Set(clusters.filter((cluster) => typeof cluster === 'string'));
}

function boundPolicy(
  name: string,
  policy: Admitted | undefined,
  bindings: readonly PolicyBinding[],
): BoundPolicy {
  const remediationAction = textAt(policy?.object, ['spec', 'remediationAction']);
  return {
    name,
    ...(policy && { policy }),
    disabled: fieldAt(policy?.object, ['spec', 'disabled']) === true,
    ...(remediationAction !== undefined && { remediationAction }),
    hasHubTemplates: policy !== undefined && evaluatesTemplates(policy),
    bindings,
  };
}

const withoutTemplates = 'policy.open-cluster-management.io/disable-templates';

/** Go's `strconv.ParseBool`. */
const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

function evaluatesTemplates({ object }: Admitted): boolean {
  if (trueTexts.has(object.metadata.annotations?.[withoutTemplates] ?? '')) return false;
  const templates = fieldAt(object, ['spec', 'policy-templates']);
  const hasTemplate = (value: unknown): boolean => {
    if (typeof value === 'string') return value.includes('{{hub');
    if (isJsonList(value)) return value.some(hasTemplate);
    return (
      isJsonMap(value) &&
      Object.entries(value).some(([key, each]) => key.includes('{{hub') || hasTemplate(each))
    );
  };
  return (isJsonList(templates) ? templates : []).some((template) =>
    hasTemplate(fieldAt(template, ['objectDefinition'])),
  );
}

function nameOf(admitted: Admitted): string {
  return objectKey(namespaceOf(admitted), admitted.object.metadata.name ?? '');
}
