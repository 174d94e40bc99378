import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../encoding/json-map.ts';
import type { FieldPath } from '../field-path.ts';
import type { Context } from './context.ts';
import {
  create,
  literal,
  name,
  object,
  plain,
  unlessEmptyObject,
  type Expression,
  type Placed,
  type Property,
  type Statement,
} from './expression.ts';
import { metadataProps, metadataStatements } from './metadata.ts';

/** `new ClusterManager(…)`, which takes the spec as it stands but for features, which have names there. */
export function writeClusterManager(
  clusterManager: KubernetesObject,
  context: Context,
): readonly Statement[] | undefined {
  return write('ClusterManager', clusterManager, specOf(clusterManager), context);
}

/** `new Klusterlet(…)`, which has the mode of the agents at the top. */
export function writeKlusterlet(
  klusterlet: KubernetesObject,
  context: Context,
): readonly Statement[] | undefined {
  const { deployOption, ...spec } = specOf(klusterlet);
  if (deployOption === undefined) return write('Klusterlet', klusterlet, spec, context);
  if (!isJsonMap(deployOption) || Object.keys(deployOption).join() !== 'mode') return undefined;
  return write('Klusterlet', klusterlet, { mode: deployOption['mode'], ...spec }, context);
}

function specOf({ spec }: KubernetesObject): JsonMap {
  return isJsonMap(spec) ? spec : {};
}

function write(
  className: string,
  written: KubernetesObject,
  spec: JsonMap,
  context: Context,
): readonly Statement[] | undefined {
  const { place } = context;
  const parts: Record<string, Placed> = {};
  for (const [key, value] of Object.entries(spec)) {
    const path = ['spec', key];
    const part = isJsonMap(value) && 'featureGates' in value ? withGates(value, path) : plain(value, path);
    if (part === undefined) return undefined;
    parts[key] = { value: part, path };
  }
  // `namespace` of a Klusterlet is a field of its spec
  const { namespace: _, ...metadata } = metadataProps(written, place);
  const props = object({ ...metadata, ...parts });
  const value = create(className, name(place.chart), literal(place.id), unlessEmptyObject(props));
  return [{ name: place.variable, value }, ...metadataStatements(written, context)];
}

function withGates(part: JsonMap, path: FieldPath): Expression | undefined {
  const { featureGates, ...others } = part;
  if (!isJsonList(featureGates)) return undefined;
  const gates: Property[] = [];
  for (const [index, gate] of featureGates.entries()) {
    const { feature, mode, ...more } = isJsonMap(gate) ? gate : {};
    const isKnown = mode === 'Enable' || mode === 'Disable';
    if (typeof feature !== 'string' || !isKnown || Object.keys(more).length > 0) return undefined;
    gates.push({
      key: feature,
      value: literal(mode === 'Enable'),
      path: [...path, 'featureGates', index],
    });
  }
  const rest = plain(others, path);
  if (rest.type !== 'object') return undefined;
  const gatesPath = [...path, 'featureGates'];
  return {
    type: 'object',
    properties: [
      { key: 'featureGates', value: { type: 'object', properties: gates }, path: gatesPath },
      ...rest.properties,
    ],
  };
}
