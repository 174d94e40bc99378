import type { AddOnDeploymentConfigV1alpha1 } from '../../../schemas/types.gen.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { formatFieldPath, type FieldPath } from '../model/field-path.ts';
import type { Location } from '../model/origin.ts';
import type { AddOnParameters } from '../parameters/compile.ts';
import {
  isSamePart,
  layersOfField,
  layersOfParameter,
  type LayersOfValue,
} from '../parameters/layers-of-value.ts';
import { variableOf, type Parameter, type ValueSource } from '../parameters/model.ts';

/** A layer that sets a value of a parameter. */
export interface ExplainedLayer {
  /** `default`, `add-on`, `placement a/b`, `region=eu`, `cluster c1`. */
  readonly layer: string;
  /** The key that the layer sets, if the value is an object of several layers. */
  readonly key?: string;
  /** The value as written, with expressions. Absent if the layer removes the value. */
  readonly value?: unknown;
  readonly location: Location;
  /** The reason why its value does not count. Absent if it counts. */
  readonly lost?: string;
}

/** The layers of a parameter that set a value, the strongest first. */
export interface ExplainedParameter {
  readonly name: string;
  /** The path of the value that it sets in the AddOnDeploymentConfig: `spec.customizedVariables[A].value`. */
  readonly path: string;
  readonly layers: readonly ExplainedLayer[];
}

/** Returns the layers of a value of an AddOnDeploymentConfig, if it is compiled from parameters. */
export function explainedParameter(
  parameters: AddOnParameters | undefined,
  cluster: string,
  config: KubernetesObject,
  path: FieldPath,
): ExplainedParameter | undefined {
  if (parameters === undefined || config.kind !== 'AddOnDeploymentConfig') return undefined;
  const object = config as unknown as AddOnDeploymentConfigV1alpha1;
  const layers = layersOfField(parameters, cluster, object, path);
  return layers && asExplained(layers, parameters);
}

/** Returns the layers of a parameter that has no value on the cluster. */
export function explainedWithoutValue(
  parameters: AddOnParameters,
  cluster: string,
  { name }: Parameter,
): ExplainedParameter {
  return asExplained(layersOfParameter(parameters, cluster, [name]), parameters);
}

/** Returns the parameter with a name, or that sets the variable of that name. */
export function parameterNamed(parameters: AddOnParameters | undefined, name: string): Parameter | undefined {
  const byVariable = (): Parameter | undefined =>
    [...(parameters?.parameters.values() ?? [])].find(({ target }) => variableOf(target) === name);
  return parameters?.parameters.get(name) ?? byVariable();
}

/** Returns the field of an AddOnDeploymentConfig that a parameter sets, as users enter it. */
export function fieldOfParameter({ target }: Parameter): string {
  return target.kind === 'field' ? target.field : `customizedVariables[${target.variable}]`;
}

/** Returns `nodePlacement.nodeSelector` for `nodes.nodeSelector` if the parameter `nodes` sets that field; otherwise the field itself. */
export function fieldBelowParameter(parameters: AddOnParameters | undefined, field: string): string {
  const end = field.search(/[.[]/);
  const target = end < 0 ? undefined : parameters?.parameters.get(field.slice(0, end))?.target;
  return target?.kind === 'field' ? `${target.field}${field.slice(end)}` : field;
}

function asExplained(
  { parameter, path: asked, winners, losers, elsewhere }: LayersOfValue,
  { parameters }: AddOnParameters,
): ExplainedParameter {
  // The keys of a sensitive value are part of it.
  const depth = parameters.get(parameter)?.sensitive === true ? Infinity : asked.length;
  const lostTo = (loser: ValueSource): string => {
    const winner = winners.findLast(({ path }) => isSamePart(path, loser.path));
    if (winner === undefined) return 'replaced';
    return winner.rank === loser.rank ? 'a later layer of equal rank sets it' : 'a stronger layer sets it';
  };
  return {
    name: parameter,
    path: pathOf(parameters.get(parameter)),
    layers: [
      ...winners.toReversed().map((source) => explained(source, depth)),
      ...losers.toReversed().map((source) => explained(source, depth, lostTo(source))),
      ...elsewhere
        .toReversed()
        .map((source) => explained(source, source.path.length, 'it does not apply to the cluster')),
    ],
  };
}

function pathOf(parameter: Parameter | undefined): string {
  if (parameter === undefined) return '';
  const { target } = parameter;
  return `spec.${fieldOfParameter(parameter)}${target.kind === 'field' ? '' : '.value'}`;
}

function explained(
  { layer, path, value, location }: ValueSource,
  depth: number,
  lost?: string,
): ExplainedLayer {
  return {
    layer,
    ...(path.length > depth && { key: formatFieldPath(path.slice(depth)) }),
    ...(value !== undefined && { value }),
    location: location(),
    ...(lost !== undefined && { lost }),
  };
}
