import { isJsonMap } from '../../base/json/json-map.ts';
import type { AddOnDeploymentConfigV1alpha1 } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../model/field-path.ts';
import { objectKey } from '../model/inventory.ts';
import type { AddOnParameters } from './compile.ts';
import { layerRanks, variableOf, type Layer, type ValueSource, type ValueTrace } from './model.ts';

/** The layers that set a value of a parameter. */
export interface LayersOfValue {
  readonly parameter: string;
  /** The parameter, followed by the path in its value. */
  readonly path: FieldPath;
  /** The layers that decide the value on the cluster: one, or several for a list to which layers append. Strongest last. */
  readonly winners: readonly ValueSource[];
  /** The layers that apply to the cluster and whose value was replaced, weakest first. */
  readonly losers: readonly ValueSource[];
  /** The layers that set the value on other clusters, weakest first. */
  readonly elsewhere: readonly ValueSource[];
}

/** Returns a layer as reports name it, given its title. */
export function layerWords(title: string): string {
  if (title === 'default') return 'its default';
  return title === 'add-on' ? 'the layer of all clusters' : `the layer ${title}`;
}

/**
 * Returns the layers that set a part of a compiled AddOnDeploymentConfig on a cluster. Undefined if no parameter sets it.
 *
 * @param path - of a variable or field in the object
 */
export function layersOfField(
  parameters: AddOnParameters,
  cluster: string,
  config: AddOnDeploymentConfigV1alpha1,
  path: FieldPath,
): LayersOfValue | undefined {
  const inParameter = parameterPath(parameters, config, path);
  return inParameter && layersOfParameter(parameters, cluster, inParameter);
}

/**
 * Returns the layers that set a value of a parameter on a cluster.
 *
 * @param path - the parameter, followed by the path in its value
 */
export function layersOfParameter(
  { clusters, layers }: AddOnParameters,
  cluster: string,
  path: FieldPath,
): LayersOfValue {
  const values = clusters.get(cluster);
  const traces = (values?.traces() ?? []).filter((trace) => isSamePart(trace.path, path));
  const winners = traces.flatMap((trace) => winnersAt(trace, path));
  const losers = traces.flatMap((trace) => trace.losers);
  const applied = new Set(values?.layers);
  const elsewhere = layers
    .filter((layer) => !applied.has(layer))
    .flatMap((layer): ValueSource[] => {
      const value = valueIn(layer.values, path);
      return value === undefined ? [] : [sourceAt(layer, path, value)];
    });
  const [parameter = ''] = path;
  return { parameter: String(parameter), path, winners: byRank(winners), losers: byRank(losers), elsewhere };
}

/** Returns the strongest of the layers that decide a value. Undefined if none does. */
export function decidingSource({ winners }: LayersOfValue): ValueSource | undefined {
  return winners.at(-1);
}

/** Whether one of two paths of values contains the other. */
export function isSamePart(a: FieldPath, b: FieldPath): boolean {
  return startsWith(a, b) || startsWith(b, a);
}

/**
 * Returns the parameter that sets a part of a compiled AddOnDeploymentConfig, followed by the path in the value. Undefined if no
 * parameter sets it.
 *
 * @param path - of a variable or field in the object
 */
export function parameterPath(
  { parameters, configs }: AddOnParameters,
  { metadata, spec: { customizedVariables = [] } }: AddOnDeploymentConfigV1alpha1,
  [, field = '', ...rest]: FieldPath,
): FieldPath | undefined {
  if (!configs.has(objectKey(metadata.namespace, metadata.name ?? ''))) return undefined;
  const isVariable = field === 'customizedVariables';
  const variable = isVariable ? customizedVariables[Number(rest[0])]?.name : undefined;
  const parameter = [...parameters.values()].find(({ target }) =>
    target.kind === 'field'
      ? target.field === field
      : variable !== undefined && variableOf(target) === variable,
  );
  return parameter && [parameter.name, ...(isVariable ? [] : rest)];
}

/** Returns the layers that decide a value. Of a list to which several append, those of the entry that the path names. */
function winnersAt({ path: ofTrace, winners }: ValueTrace, path: FieldPath): readonly ValueSource[] {
  const index = path[ofTrace.length];
  if (winners.length < 2 || typeof index !== 'number') return winners;
  let end = 0;
  for (const winner of winners) {
    end += Array.isArray(winner.value) ? winner.value.length : 1;
    if (index < end) return [winner];
  }
  return winners;
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  return start.every((step, index) => path[index] === step);
}

function byRank(sources: readonly ValueSource[]): readonly ValueSource[] {
  return sources.toSorted((a, b) => layerRanks.indexOf(a.rank) - layerRanks.indexOf(b.rank));
}

/** Returns a part of what a layer sets, `null` if it removes it. A list is one value. Operators are no steps of the path. */
function valueIn(value: unknown, [step, ...rest]: FieldPath): unknown {
  if (step === undefined || !isJsonMap(value)) return value;
  for (const operator of ['$append', '$replace'])
    if (Object.hasOwn(value, operator)) return valueIn(value[operator], [step, ...rest]);
  return Object.hasOwn(value, step) ? valueIn(value[step], rest) : undefined;
}

function sourceAt(layer: Layer, path: FieldPath, value: unknown): ValueSource {
  return {
    rank: layer.scope.rank,
    layer: layer.title,
    definition: layer,
    path,
    value: value ?? undefined,
    location: () => layer.origin.locate([...layer.valuesPath, ...path]),
  };
}
