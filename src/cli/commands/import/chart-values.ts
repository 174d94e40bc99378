import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { aliasesAreCounted, parseYaml } from '../../../workspace/inputs/bounded-yaml.ts';
import { UserError } from '../../../workspace/user-error.ts';

/**
 * Reads files with values, as `helm install --values` does: later files win, and maps merge.
 *
 * @throws UserError if a file is not a map of values
 */
export async function readValues(files: readonly string[], cwd: string): Promise<JsonMap> {
  let values: JsonMap = {};
  for (const file of files) {
    const text = await readFile(path.resolve(cwd, file), 'utf8').catch(() => {
      throw new UserError(`${file}: no such file`, 'name a file with values for --values');
    });
    const document = parseYaml(file, text, { syntaxError: `${file} is not valid YAML` });
    const read: unknown = document.toJS(aliasesAreCounted) ?? {};
    if (!isJsonMap(read)) throw new UserError(`${file} is not a map of values`);
    values = merged(values, read);
  }
  return values;
}

function merged(weaker: JsonMap, stronger: JsonMap): JsonMap {
  const result = new Map(Object.entries(weaker));
  for (const [key, value] of Object.entries(stronger)) {
    const before = result.get(key);
    result.set(key, isJsonMap(before) && isJsonMap(value) ? merged(before, value) : value);
  }
  return Object.fromEntries(result);
}
