import { asJson, readYaml, YamlError } from '../../../engines/charts/index.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { listItems, mapEntries, type Value } from '../../../engines/gotemplate/index.ts';
import { GenerationError } from '../generation-error.ts';
import { parametersOf, type Parameters } from '../parameters.ts';
import type { GeneratorContext } from './context.ts';

/**
 * Returns the parameters of a `list` generator: its elements, then those in `elementsYaml`. As ListGenerator of Argo CD.
 *
 * @throws {GenerationError} without Go templates, for a value that is not a text
 */
export function listParameters(
  { elements, elementsYaml }: JsonMap,
  { replacement: { usesGo } }: GeneratorContext,
): Parameters[] {
  const sets = (isJsonList(elements) ? elements : []).map((element) => {
    const parameters = parametersOf(element);
    if (parameters === undefined)
      throw new GenerationError('error unmarshling list element: it is not a map');
    return usesGo ? parameters : textParameters(element as JsonMap);
  });
  return typeof elementsYaml === 'string' && elementsYaml !== ''
    ? [...sets, ...yamlElements(elementsYaml)]
    : sets;
}

function textParameters(element: JsonMap): Parameters {
  const parameters: Parameters = new Map();
  const add = (key: string, value: unknown): void => {
    if (typeof value !== 'string') throw new GenerationError('error parsing value as string');
    parameters.set(key, value);
  };
  for (const [key, value] of Object.entries(element)) {
    if (key !== 'values') {
      add(key, value);
      continue;
    }
    if (!isJsonMap(value)) throw new GenerationError('error parsing values map');
    for (const [name, each] of Object.entries(value)) add(`values.${name}`, each);
  }
  return parameters;
}

function yamlElements(text: string): Parameters[] {
  let read: Value;
  try {
    read = asJson(readYaml(text));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new GenerationError(
      `error unmarshling decoded ElementsYaml error converting YAML to JSON: ${error.message}`,
    );
  }
  if (read === null) return [];
  const items = listItems(read)?.map((item) => (item === null ? new Map<string, Value>() : mapEntries(item)));
  if (items === undefined || items.includes(undefined))
    throw new GenerationError('error unmarshling decoded ElementsYaml: it is not a list of maps');
  return items.filter((item) => item !== undefined);
}
