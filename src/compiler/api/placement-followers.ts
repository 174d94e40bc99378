import { compareUtf8 } from '../../base/json/go-json.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { FieldPath } from '../model/field-path.ts';
import { objectKey, type Admitted, type Inventory } from '../model/inventory.ts';
import {
  decisionGenerators,
  fieldAt,
  isOfKind,
  namespaceOf,
  objectReference,
  replicaSetReferences,
  subscriptionReferences,
  textAt,
  type PlacementReference,
} from './placement-references.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { workGroup } from '../../../schemas/groups.ts';

export type { PlacementReference } from './placement-references.ts';

/** The kinds of objects, besides add-ons, that are distributed by Placements. */
export type FollowerKind =
  | 'ApplicationSet'
  | 'GitOpsCluster'
  | 'ManifestWorkReplicaSet'
  | 'PlacementBinding'
  | 'Policy'
  | 'PolicySet'
  | 'Subscription';

/** A part of an object that is sent to clusters, or that decides what is sent. */
export interface FollowerPart {
  readonly holder: Admitted;
  readonly path: FieldPath;
  /** Fields of the holder inside the part that only select clusters. */
  readonly except: readonly FieldPath[];
}

/** An object on the hub that is distributed by Placements. */
export interface PlacementFollower {
  readonly kind: FollowerKind;
  /** `namespace/name`. */
  readonly name: string;
  /** The fields that name Placements. For a bound Policy, the PlacementBinding has them. Empty for a disabled Policy. */
  readonly references: readonly PlacementReference[];
  /** Present for a disabled Policy, which is on no cluster. */
  readonly disabled?: true;
  /** Empty if the inputs only have the name. */
  readonly parts: readonly FollowerPart[];
}

const policyGroup = 'policy.open-cluster-management.io';
const appsGroup = 'apps.open-cluster-management.io';

/**
 * Returns all objects, besides add-ons, that follow Placements, by kind and name. Most of these kinds are not OCM's, so they have
 * not been validated: malformed objects follow nothing.
 */
export function placementFollowers({ others }: Pick<Inventory, 'others'>): readonly PlacementFollower[] {
  const objects = new Map<string, Admitted>();
  for (const admitted of others) objects.set(identityOf(admitted), admitted);
  const configMap = (key: string): JsonMap | undefined => {
    const data = objects.get(`/ConfigMap ${key}`)?.object;
    return data === undefined ? undefined : { ...data };
  };
  const followers = others.flatMap((admitted) => followersIn(admitted, configMap));
  followers.push(...boundFollowers(others, objects));
  return followers.sort((a, b) => compareUtf8(a.kind, b.kind) || compareUtf8(a.name, b.name));
}

function identityOf(admitted: Admitted): string {
  const { apiVersion, kind, metadata } = admitted.object;
  return `${groupOf(apiVersion)}/${kind} ${objectKey(namespaceOf(admitted), metadata.name ?? '')}`;
}

function nameOf(admitted: Admitted): string {
  return objectKey(namespaceOf(admitted), admitted.object.metadata.name ?? '');
}

/** Returns the object itself, if it follows Placements. */
function followersIn(
  admitted: Admitted,
  configMap: (key: string) => JsonMap | undefined,
): PlacementFollower[] {
  const follower = (
    kind: FollowerKind,
    references: readonly PlacementReference[],
    path: FieldPath,
    except: readonly FieldPath[] = [],
  ): PlacementFollower[] =>
    references.length === 0
      ? []
      : [{ kind, name: nameOf(admitted), references, parts: [{ holder: admitted, path, except }] }];
  if (isOfKind(admitted, workGroup, 'ManifestWorkReplicaSet'))
    return follower('ManifestWorkReplicaSet', replicaSetReferences(admitted), [
      'spec',
      'manifestWorkTemplate',
    ]);
  if (isOfKind(admitted, 'argoproj.io', 'ApplicationSet')) {
    const generators = decisionGenerators(admitted, configMap);
    const references = generators.flatMap((generator) => generator.references);
    const selectors = generators.flatMap((generator) => generator.selectors);
    return follower('ApplicationSet', references, ['spec'], selectors);
  }
  if (isOfKind(admitted, appsGroup, 'GitOpsCluster')) {
    const path = ['spec', 'placementRef'];
    return follower('GitOpsCluster', objectReference(admitted, path), ['spec'], [path]);
  }
  if (isOfKind(admitted, appsGroup, 'Subscription'))
    return follower('Subscription', subscriptionReferences(admitted), ['spec'], [['spec', 'placement']]);
  return [];
}

/**
 * Returns the Policies and PolicySets that PlacementBindings bind. As governance-policy-propagator: they are distributed to all
 * clusters that any of the bindings without `subFilter: restricted` selects. A restricted binding only overrides Policies on
 * clusters that already have them, so it counts separately, as does a binding without subjects.
 */
function boundFollowers(
  others: readonly Admitted[],
  objects: ReadonlyMap<string, Admitted>,
): PlacementFollower[] {
  const followers = new Map<string, { subject: Subject; bindings: Admitted[] }>();
  for (const binding of others) {
    if (!isOfKind(binding, policyGroup, 'PlacementBinding')) continue;
    if (objectReference(binding, ['placementRef']).length === 0) continue;
    for (const subject of subjectsOf(binding)) {
      const key = `${subject.kind} ${subject.name}`;
      const bound = followers.get(key);
      if (bound) bound.bindings.push(binding);
      else followers.set(key, { subject, bindings: [binding] });
    }
  }
  return Array.from(followers.values(), ({ subject: { kind, name }, bindings }) => {
    const parts = partsOf(objects.get(`${policyGroup}/${kind} ${name}`), objects);
    const overrides = bindings.map((holder) => ({ holder, path: ['bindingOverrides'], except: [] }));
    return {
      kind,
      name,
      ...(isDisabled(parts)
        ? { references: [], disabled: true as const }
        : { references: bindings.flatMap((binding) => objectReference(binding, ['placementRef'])) }),
      parts: [...parts, ...overrides],
    };
  });
}

interface Subject {
  readonly kind: 'PlacementBinding' | 'Policy' | 'PolicySet';
  readonly name: string;
}

function subjectsOf(binding: Admitted): Subject[] {
  const itself: Subject = { kind: 'PlacementBinding', name: nameOf(binding) };
  const listed = fieldAt(binding.object, ['subjects']);
  if (textAt(binding.object, ['subFilter']) === 'restricted' || !isJsonList(listed)) return [itself];
  const subjects = listed.filter(isJsonMap).flatMap(({ kind, name }): Subject[] => {
    if ((kind !== 'Policy' && kind !== 'PolicySet') || typeof name !== 'string') return [];
    return [{ kind, name: objectKey(namespaceOf(binding), name) }];
  });
  return subjects.length === 0 ? [itself] : subjects;
}

/** Returns the parts of an object. A PolicySet delivers the Policies that it lists. */
function partsOf(subject: Admitted | undefined, objects: ReadonlyMap<string, Admitted>): FollowerPart[] {
  if (subject === undefined || subject.object.kind === 'PlacementBinding') return [];
  const listed = subject.object.kind === 'PolicySet' ? fieldAt(subject.object, ['spec', 'policies']) : [];
  const policies = (isJsonList(listed) ? listed : []).flatMap((name): Admitted[] => {
    const policy = objects.get(
      `${policyGroup}/Policy ${objectKey(namespaceOf(subject), typeof name === 'string' ? name : '')}`,
    );
    return policy === undefined ? [] : [policy];
  });
  return [subject, ...policies].map((holder) => ({ holder, path: ['spec'], except: [] }));
}

function isDisabled([first]: readonly FollowerPart[]): boolean {
  return (
    first?.holder.object.kind === 'Policy' && fieldAt(first.holder.object, ['spec', 'disabled']) === true
  );
}
