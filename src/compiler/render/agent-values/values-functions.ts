import { isGoJsonObject, type GoJsonValue } from '../../../base/json/go-json.ts';
import { parseGoJson } from '../../../base/json/parse-json.ts';
import { toValue, type Value, type ValueMap } from '../../../engines/gotemplate/index.ts';
import type { AddOnDeploymentConfigV1alpha1 } from '../../../../schemas/types.gen.ts';
import { overrideImage, parseImageRegistries } from '../decoration/image-registries.ts';
import { configValues, imageValues, type ReadValues } from './config-values.ts';
import type { ImageOverride, ValuesFunction } from '../../../ocm/values-profile.ts';

/** The annotation of a ManagedClusterAddOn with values, as a JSON object. */
export const valuesAnnotation = 'addon.open-cluster-management.io/values';

/** What the functions read of an add-on on a cluster. */
export interface ValuesInputs {
  readonly config?: AddOnDeploymentConfigV1alpha1 | undefined;
  /** The content of `valuesAnnotation`. */
  readonly annotation?: string | undefined;
  /** The cluster's image registries, as the annotation's text. */
  readonly imageRegistries?: string | undefined;
}

/** Returns the values of one function. */
export function functionValues(called: ValuesFunction, inputs: ValuesInputs): ReadValues {
  if (called.function === 'GetValuesFromAddonAnnotation') return annotationValues(inputs.annotation ?? '');
  if (called.function === 'GetAgentImageValues') return agentImageValues(called, inputs);
  return inputs.config === undefined ? { values: new Map() } : configValues(inputs.config, called.toValues);
}

function annotationValues(annotation: string): ReadValues {
  if (annotation === '') return { values: new Map() };
  const parsed = parseGoJson(annotation);
  const path = ['metadata', 'annotations', valuesAnnotation];
  if ('error' in parsed) return { error: parsed.error, code: 'FW6035', path };
  if (parsed.value === null) return { values: new Map() };
  if (!isGoJsonObject(parsed.value)) {
    const type = Array.isArray(parsed.value) ? 'array' : goType(parsed.value);
    const error = `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
    return { error, code: 'FW6035', path };
  }
  return { values: floats(parsed.value) as ValueMap };
}

function goType(value: GoJsonValue): string {
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** Every number of encoding/json is a float64. */
function floats(value: GoJsonValue | undefined): Value {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(floats);
  if (!isGoJsonObject(value ?? null)) return toValue(value);
  return new Map(Object.entries(value as object).map(([key, item]) => [key, floats(item as GoJsonValue)]));
}

function agentImageValues(override: ImageOverride, { config, imageRegistries }: ValuesInputs): ReadValues {
  const { image } = override;
  const registries = config?.spec.registries ?? [];
  if (overrideImage(image, registries) !== image) return { values: imageValues(override, registries) };
  const annotated = parseImageRegistries(imageRegistries ?? '');
  return 'error' in annotated ? annotated : { values: imageValues(override, annotated.registries) };
}
