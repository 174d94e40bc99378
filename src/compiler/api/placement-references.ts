import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { FieldPath } from '../model/field-path.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import { placementLabel } from '../../ocm/labels.ts';
import { groupOf } from '../../base/names/resource-name.ts';

/** Placement, or PlacementRule, its deprecated predecessor in the group apps.open-cluster-management.io. */
export type FollowedKind = 'Placement' | 'PlacementRule';

/** A field that names a Placement. */
export interface PlacementReference {
  readonly kind: FollowedKind;
  /** `namespace/name`. */
  readonly key: string;
  /** The object that has the field. */
  readonly holder: Admitted;
  readonly path: FieldPath;
}

/** Returns the namespace of an object. For an object without one it is `default`, as in kubectl. */
export function namespaceOf({ object: { metadata } }: Admitted): string {
  return metadata.namespace ?? 'default';
}

/** Returns a field of an unvalidated object. */
export function fieldAt(value: unknown, path: FieldPath): unknown {
  let field = value;
  for (const step of path) {
    if (typeof step === 'number') field = isJsonList(field) ? field[step] : undefined;
    else field = isJsonMap(field) && Object.hasOwn(field, step) ? field[step] : undefined;
  }
  return field;
}

/** Returns the strings of a field; empty if it is absent or malformed. */
export function textAt(value: unknown, path: FieldPath): string | undefined {
  const fieldValue = fieldAt(value, path);
  return typeof fieldValue === 'string' && fieldValue !== '' ? fieldValue : undefined;
}

/**
 * Returns the reference of an ObjectReference such as `{ kind: Placement, name: prod }`. The namespace of the holder is used: the
 * controllers of PlacementBindings and GitOpsClusters read no other namespace.
 */
export function objectReference(
  holder: Admitted,
  path: FieldPath,
  namespace = namespaceOf(holder),
): PlacementReference[] {
  const name = textAt(holder.object, [...path, 'name']);
  const kind = textAt(holder.object, [...path, 'kind']);
  if (name === undefined || (kind !== 'Placement' && kind !== 'PlacementRule')) return [];
  return [{ kind, key: objectKey(namespace, name), holder, path: [...path, 'name'] }];
}

/**
 * As multicloud-operators-subscription: the reference may name another namespace, and without a kind it refers to a
 * PlacementRule.
 */
export function subscriptionReferences(holder: Admitted): PlacementReference[] {
  const path = ['spec', 'placement', 'placementRef'];
  const namespace = textAt(holder.object, [...path, 'namespace']) ?? namespaceOf(holder);
  const name = textAt(holder.object, [...path, 'name']);
  if (name !== undefined && fieldAt(holder.object, [...path, 'kind']) === undefined)
    return [{ kind: 'PlacementRule', key: objectKey(namespace, name), holder, path: [...path, 'name'] }];
  return objectReference(holder, path, namespace);
}

/** Returns the references of a ManifestWorkReplicaSet, in order. */
export function replicaSetReferences(holder: Admitted): PlacementReference[] {
  const path = ['spec', 'placementRefs'];
  const listed = fieldAt(holder.object, path);
  if (!isJsonList(listed)) return [];
  return listed.flatMap((_, index): PlacementReference[] => {
    const name = textAt(holder.object, [...path, index, 'name']);
    if (name === undefined) return [];
    const key = objectKey(namespaceOf(holder), name);
    return [{ kind: 'Placement', key, holder, path: [...path, index, 'name'] }];
  });
}

/** A generator of an ApplicationSet that reads PlacementDecisions. */
export interface DecisionGenerator {
  readonly references: readonly PlacementReference[];
  /** The references in the fields that select the decisions. */
  readonly selectors: readonly FieldPath[];
}

/** Argo CD nests generators twice; deeper nesting is invalid. */
const deepestGenerator = 3;

/**
 * Returns the cluster decision generators of an ApplicationSet, including those inside matrix and merge generators.
 *
 * @param configMap - returns a ConfigMap by `namespace/name`: it contains the kind of decision that a generator reads. Without
 * it, that is PlacementDecision.
 */
export function decisionGenerators(
  holder: Admitted,
  configMap: (key: string) => JsonMap | undefined,
): DecisionGenerator[] {
  const generators: DecisionGenerator[] = [];
  const visit = (path: FieldPath, depth: number): void => {
    const listed = fieldAt(holder.object, path);
    if (!isJsonList(listed) || depth > deepestGenerator) return;
    for (const index of listed.keys()) {
      const below = [...path, index];
      const decision = [...below, 'clusterDecisionResource'];
      if (isJsonMap(fieldAt(holder.object, decision))) generators.push(generatorAt(decision));
      for (const combined of ['matrix', 'merge']) visit([...below, combined, 'generators'], depth + 1);
    }
  };
  const generatorAt = (path: FieldPath): DecisionGenerator => {
    const selectors = ['labelSelector', 'name'].map((field) => [...path, field]);
    const config = configMap(
      objectKey(namespaceOf(holder), textAt(holder.object, [...path, 'configMapRef']) ?? ''),
    );
    const resource = textAt(config, ['data', 'kind'])?.toLowerCase() ?? 'placementdecisions';
    if (!/^placementdecisions?$/.test(resource)) return { references: [], selectors };
    const references = placementNames(holder, path).map(({ name, at }): PlacementReference => ({
      kind: 'Placement',
      key: objectKey(namespaceOf(holder), name),
      holder,
      path: at,
    }));
    return { references, selectors };
  };
  visit(['spec', 'generators'], 1);
  return generators;
}

interface PlacementName {
  readonly name: string;
  readonly at: FieldPath;
}

function placementNames(holder: Admitted, path: FieldPath): PlacementName[] {
  const byLabel = [...path, 'labelSelector', 'matchLabels', placementLabel];
  const label = textAt(holder.object, byLabel);
  const names: PlacementName[] = label === undefined ? [] : [{ name: label, at: byLabel }];
  const expressions = [...path, 'labelSelector', 'matchExpressions'];
  const listed = fieldAt(holder.object, expressions);
  for (const index of isJsonList(listed) ? listed.keys() : []) {
    const at = [...expressions, index];
    const values = fieldAt(holder.object, [...at, 'values']);
    const isOfPlacements =
      fieldAt(holder.object, [...at, 'key']) === placementLabel &&
      fieldAt(holder.object, [...at, 'operator']) === 'In';
    if (!isOfPlacements || !isJsonList(values)) continue;
    for (const [position, name] of values.entries())
      if (typeof name === 'string') names.push({ name, at: [...at, 'values', position] });
  }
  // The hub names the decisions of a Placement after it.
  const [, decided] = /^(.+)-decision-\d+$/.exec(textAt(holder.object, [...path, 'name']) ?? '') ?? [];
  return decided === undefined ? names : [...names, { name: decided, at: [...path, 'name'] }];
}

/** Whether an object has a kind of a group, in any version. */
export function isOfKind({ object }: Admitted, group: string, kind: string): boolean {
  return object.kind === kind && groupOf(object.apiVersion) === group;
}
