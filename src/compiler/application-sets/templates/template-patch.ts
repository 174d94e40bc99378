import { asJson, readYaml, YamlError } from '../../../engines/charts/index.ts';
import { parseGoJson } from '../../../base/json/parse-json.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { fieldAt } from '../../api/placement-references.ts';
import { GenerationError, UnansweredError } from '../generation-error.ts';
import { plainData } from '../parameters.ts';

/**
 * Returns an Application with a rendered `templatePatch`, as the strategic merge patch of Argo CD: maps are merged, lists are
 * replaced, except finalizers, where those of the patch come first. The project stays.
 *
 * @throws {GenerationError} for a text that is not a patch
 * @throws {UnansweredError} for directives that are not evaluated here
 */
export function patchedApplication(application: JsonMap, text: string): JsonMap {
  const patch = patchOf(text);
  if (patch === null) return application;
  if (!isJsonMap(patch)) throw new GenerationError('invalid templatePatch: it is not an object');
  const patched = mergedMaps(application, patch, []);
  const spec = fieldAt(patched, ['spec']);
  const { project: _, ...others } = isJsonMap(spec) ? spec : {};
  const project = fieldAt(application, ['spec', 'project']);
  return { ...patched, spec: { ...others, ...(project !== undefined && { project }) } };
}

function patchOf(text: string): unknown {
  if (text.trimStart().startsWith('{')) {
    const parsed = parseGoJson(text);
    if ('error' in parsed) throw new GenerationError(`invalid templatePatch: ${parsed.error}`);
    return parsed.value;
  }
  try {
    return plainData(asJson(readYaml(text)));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new GenerationError(`error while converting template to json: ${error.message}`);
  }
}

function mergedMaps(original: JsonMap, patch: JsonMap, path: readonly string[]): JsonMap {
  const merged = new Map(Object.entries(original));
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) throw new UnansweredError(`the directive ${key} of templatePatch`);
    const present = merged.get(key);
    if (value === null) merged.delete(key);
    else if (isJsonMap(value)) {
      if (path.at(-1) === 'valuesObject' && isJsonMap(present)) throw nestedValues(key);
      merged.set(key, mergedMaps(isJsonMap(present) ? present : {}, value, [...path, key]));
    } else if (isJsonList(value) && isJsonList(present)) {
      if (path.at(-1) === 'valuesObject') throw nestedValues(key);
      const isMerged = key === 'finalizers' && path.join() === 'metadata';
      merged.set(key, isMerged ? [...value, ...present.filter((each) => !value.includes(each))] : value);
    } else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** Strategic merge patches know no fields inside of `valuesObject`. */
function nestedValues(key: string): GenerationError {
  return new GenerationError(`unable to find api field in struct RawExtension for the json field "${key}"`);
}
