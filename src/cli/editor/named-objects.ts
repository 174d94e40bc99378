import type { FieldPath } from '../../compiler/index.ts';
import { addOnGroup, clusterGroup } from '../../../schemas/groups.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { groupOf, guessResource } from '../../base/names/resource-name.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { placements } from '../../compiler/compare/usable-objects.ts';
import type { Referent } from '../../ocm/referent.ts';

/** A field of an object that names another object. */
export interface NamedObject {
  readonly referent: Referent;
  /** The mapping or the scalar with the name. */
  readonly path: FieldPath;
  /** The scalar with the name. */
  readonly namePath: FieldPath;
}

/** Returns the fields of an object that name a configuration, a Placement, an add-on, a cluster or a cluster set, in the order of its fields. */
export function namedObjects(object: JsonMap): readonly NamedObject[] {
  const found: NamedObject[] = [];
  const { kind, metadata } = object;
  const namespace = isJsonMap(metadata) ? textOf(metadata['namespace']) : undefined;
  visit(object, [], undefined, (value, path, around) => {
    const referent = referentOf(value, path, { namespace, around });
    if (referent !== undefined) found.push({ referent, path, namePath: [...path, 'name'] });
  });
  if (kind === 'ManagedClusterAddOn' && namespace !== undefined)
    found.push(scalar(clusterGroup, 'managedclusters', namespace, ['metadata', 'namespace']));
  const addOn = kind === 'ManagedClusterAddOn' && isJsonMap(metadata) ? textOf(metadata['name']) : undefined;
  if (addOn !== undefined)
    found.push(scalar(addOnGroup, 'clustermanagementaddons', addOn, ['metadata', 'name']));
  const { spec } = object;
  if (!isJsonMap(spec)) return found;
  const ofTemplate = kind === 'AddOnTemplate' ? textOf(spec['addonName']) : undefined;
  if (ofTemplate !== undefined)
    found.push(scalar(addOnGroup, 'clustermanagementaddons', ofTemplate, ['spec', 'addonName']));
  const sets = kind === 'Placement' && isJsonList(spec['clusterSets']) ? spec['clusterSets'] : [];
  for (const [index, set] of sets.entries())
    if (typeof set === 'string')
      found.push(scalar(clusterGroup, 'managedclustersets', set, ['spec', 'clusterSets', index]));
  const bound = kind === 'ManagedClusterSetBinding' ? textOf(spec['clusterSet']) : undefined;
  if (bound !== undefined)
    found.push(scalar(clusterGroup, 'managedclustersets', bound, ['spec', 'clusterSet']));
  return found;
}

/** Returns what identifies an object, as fields name it. */
export function referentOfObject({
  apiVersion,
  kind,
  metadata,
}: Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>): Referent {
  const { name = '', namespace } = metadata;
  return {
    group: groupOf(apiVersion),
    resource: guessResource(kind),
    ...(namespace !== undefined && { namespace }),
    name,
  };
}

/** What is around a mapping: the namespace of its object, and the mapping around it. */
interface Surrounding {
  readonly namespace: string | undefined;
  readonly around: JsonMap | undefined;
}

function referentOf(
  value: JsonMap,
  path: FieldPath,
  { namespace: holder, around }: Surrounding,
): Referent | undefined {
  const name = textOf(value['name']);
  if (name === undefined) return undefined;
  const given = textOf(value['namespace']);
  const inNamespace = given !== undefined && { namespace: given };
  // In v1alpha1, the kind of a default configuration is beside it.
  const kind = path.at(-1) === 'defaultConfig' ? around : value;
  const resource = textOf(kind?.['resource']);
  if (resource !== undefined) return { group: textOf(kind?.['group']) ?? '', resource, ...inNamespace, name };
  if (path.at(-2) === 'placements' && path.at(-3) === 'installStrategy')
    return { group: clusterGroup, resource: placements, ...inNamespace, name };
  // Bindings and GitOpsClusters name Placements of their own namespace.
  if (value['kind'] === 'Placement' && path.length > 0)
    return {
      group: clusterGroup,
      resource: placements,
      ...(holder !== undefined && { namespace: holder }),
      name,
    };
  return undefined;
}

function scalar(group: string, resource: string, name: string, path: FieldPath): NamedObject {
  return { referent: { group, resource, name }, path, namePath: path };
}

function visit(
  value: unknown,
  path: FieldPath,
  around: JsonMap | undefined,
  use: (map: JsonMap, path: FieldPath, around: JsonMap | undefined) => void,
): void {
  if (isJsonList(value))
    for (const [index, item] of value.entries()) visit(item, [...path, index], around, use);
  else if (isJsonMap(value)) {
    use(value, path, around);
    for (const [key, item] of Object.entries(value)) visit(item, [...path, key], value, use);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
