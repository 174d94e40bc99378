import path from 'node:path';
import type { FieldPath, FileLocation } from '../../../compiler/index.ts';
import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import type { Kustomization } from './kustomization.ts';
import type { ReadSource } from './kustomized-fields.ts';

const generators: Readonly<Record<string, string>> = {
  ConfigMap: 'configMapGenerator',
  Secret: 'secretGenerator',
};

/** Returns the location of a field of a ConfigMap or Secret that a kustomization generates: of its literal, its file or its line in a file of variables. */
export function locateGenerated(
  { file, fields, locate }: Kustomization,
  kind: string,
  name: string,
  at: FieldPath,
  readSource: ReadSource,
): FileLocation | undefined {
  const field = generators[kind];
  const list = field === undefined ? undefined : fields[field];
  if (field === undefined || !isJsonList(list)) return undefined;
  const isGenerated = (each: unknown): boolean =>
    isJsonMap(each) && typeof each['name'] === 'string' && name.includes(each['name']);
  const index = list.findIndex(isGenerated);
  const entry = list[index];
  if (!isJsonMap(entry)) return undefined;
  const key = at[0] === 'data' ? at[1] : undefined;
  if (typeof key !== 'string') return locate([field, index]);
  const textsIn = (value: unknown): string[] =>
    (isJsonList(value) ? value : [value]).filter((each) => typeof each === 'string');
  const literal = textsIn(entry['literals']).findIndex((each) => each.startsWith(`${key}=`));
  if (literal >= 0) return locate([field, index, 'literals', literal]);
  const inFolder = (each: string): string => path.join(path.dirname(file), each);
  for (const each of textsIn(entry['files'])) {
    const [, explicit, source = each] = /^([^=/]+)=(.*)$/.exec(each) ?? [];
    if ((explicit ?? path.basename(source)) === key) return { file: inFolder(source), line: 1, column: 1 };
  }
  for (const each of [...textsIn(entry['envs']), ...textsIn(entry['env'])]) {
    const lines = (readSource(inFolder(each)) ?? '').split('\n');
    const line = lines.findIndex((text) => text.trimStart().startsWith(`${key}=`));
    if (line >= 0) return { file: inFolder(each), line: line + 1, column: 1 };
  }
  return locate([field, index]);
}
