import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import type { Context } from '../context.ts';
import {
  at,
  create,
  literal,
  name,
  object,
  plain,
  unlessEmptyObject,
  type Expression,
  type FieldValue,
  type Property,
  type Statement,
} from '../code/expression.ts';
import { renderable } from '../nulls.ts';
import { metadataProps, metadataStatements } from './metadata.ts';

/** Writes `new ClusterManager(…)`. It takes the spec unchanged except for features, which are keyed by name. */
export function writeClusterManager(
  clusterManager: KubernetesObject,
  context: Context,
): readonly Statement[] {
  return write('ClusterManager', clusterManager, specOf(clusterManager), context);
}

/** Writes `new Klusterlet(…)`, which has the mode of the agents at the top level. */
export function writeKlusterlet(klusterlet: KubernetesObject, context: Context): readonly Statement[] {
  const { deployOption, ...spec } = specOf(klusterlet);
  const mode = isJsonMap(deployOption) ? deployOption['mode'] : undefined;
  return write('Klusterlet', klusterlet, mode === undefined ? spec : { mode, ...spec }, context);
}

function specOf({ spec }: KubernetesObject): JsonMap {
  return isJsonMap(spec) ? renderable(spec) : {};
}

function write(
  className: string,
  operator: KubernetesObject,
  spec: JsonMap,
  context: Context,
): readonly Statement[] {
  const { location } = context;
  const parts: Record<string, FieldValue> = {};
  for (const [key, value] of Object.entries(spec)) {
    const path = ['spec', key];
    const part = isJsonMap(value) && 'featureGates' in value ? withGates(value, path) : plain(value, path);
    parts[key] = { value: part, path };
  }
  // `namespace` of a Klusterlet is a field of its spec
  const { namespace: _, ...metadata } = metadataProps(operator, location);
  const props = object({ ...metadata, ...parts });
  const value = create(className, name(location.chart), literal(location.id), unlessEmptyObject(props));
  return [{ name: location.variable, value }, ...metadataStatements(operator, context)];
}

function withGates({ featureGates, ...others }: JsonMap, path: FieldPath): Expression {
  const gatesPath = [...path, 'featureGates'];
  const fields = Object.entries(others).map(([key, value]): [string, FieldValue] => {
    return [key, { value: plain(value, [...path, key]), path: [...path, key] }];
  });
  return object({
    featureGates: at(gatesPath, gates(featureGates, gatesPath)),
    ...Object.fromEntries(fields),
  });
}

/** Returns the features by name. Undefined if one has no mode or two have one name. */
function gates(featureGates: unknown, path: FieldPath): Expression | undefined {
  if (!isJsonList(featureGates)) return undefined;
  const properties: Property[] = [];
  for (const [index, gate] of featureGates.entries()) {
    const { feature, mode } = isJsonMap(gate) ? gate : {};
    if (typeof feature !== 'string' || (mode !== 'Enable' && mode !== 'Disable')) return undefined;
    properties.push({ key: feature, value: literal(mode === 'Enable'), path: [...path, index] });
  }
  const isUnique = new Set(properties.map(({ key }) => key)).size === properties.length;
  return isUnique ? { type: 'object', properties } : undefined;
}
