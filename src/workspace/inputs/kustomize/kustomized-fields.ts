import path from 'node:path';
import type { FieldPath, FileLocation } from '../../../compiler/index.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { Kustomization } from './kustomization.ts';
import { locatedYaml, valueAt } from '../located-yaml.ts';
import { locateInPatches } from './patched-fields.ts';

/** A field of a built object. */
export interface BuiltField {
  readonly object: JsonMap;
  readonly path: FieldPath;
  readonly value: unknown;
  /** The value in the source of the object. @default - the source does not have the field */
  readonly before: unknown;
  /** The names of the object in its source and in the build. */
  readonly names: readonly string[];
}

/** Returns the text of a file, relative to the working folder. */
export type ReadSource = (file: string) => string | undefined;

/** Returns the location in a kustomization, or in a file that it uses, that set a field of an object; undefined if it did not. */
export function locateInKustomization(
  kustomization: Kustomization,
  field: BuiltField,
  readSource: ReadSource,
): FileLocation | undefined {
  const at = pathOf(kustomization, field);
  if (at !== undefined) return kustomization.locate(at);
  return (
    locateInPatches(kustomization, field, readSource) ??
    locateInReplacements(kustomization, field, readSource)
  );
}

/** Returns the field of a kustomization that set a field of an object. The last transformation of kustomize is the first one here. */
function pathOf({ fields }: Kustomization, field: BuiltField): FieldPath | undefined {
  const { path: at, value, before, names } = field;
  const key = at.at(-1);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (typeof key === 'string') {
    const labels = labelPath(fields, at, key, value);
    if (labels !== undefined) return labels;
  }
  if (key === 'replicas')
    return entryPath(fields['replicas'], (each) => each['count'] === value && isNamed(each['name'], names), [
      'replicas',
      'count',
    ]);
  if (typeof value !== 'string') return undefined;
  if (key === 'image') return imagePath(fields['images'], value);
  if (key === 'namespace' && value === fields['namespace']) return ['namespace'];
  for (const [name, isAdded] of [
    ['namePrefix', value.startsWith(textOf(fields['namePrefix']))],
    ['nameSuffix', value.endsWith(textOf(fields['nameSuffix']))],
  ] as const)
    if (textOf(fields[name]) !== '' && isAdded && isLonger(value, before)) return [name];
  return undefined;
}

/** Whether the value contains the value in the source: a prefix or a suffix surrounds it. */
function isLonger(value: string, before: unknown): boolean {
  return typeof before === 'string' && before !== '' && value !== before && value.includes(before);
}

function labelPath(fields: JsonMap, at: FieldPath, key: string, value: unknown): FieldPath | undefined {
  const around = at.at(-2);
  const has = (pairs: unknown): boolean =>
    isJsonMap(pairs) && Object.hasOwn(pairs, key) && pairs[key] === value;
  if (around === 'annotations')
    return has(fields['commonAnnotations']) ? ['commonAnnotations', key] : undefined;
  if (!['labels', 'matchLabels', 'selector', 'podSelector'].includes(String(around))) return undefined;
  const labels = listOf(fields['labels']);
  const index = labels.findLastIndex((each) => isJsonMap(each) && has(each['pairs']));
  if (index >= 0) return ['labels', index, 'pairs', key];
  return has(fields['commonLabels']) ? ['commonLabels', key] : undefined;
}

function imagePath(images: unknown, value: string): FieldPath | undefined {
  const list = listOf(images);
  for (const [index, image] of list.entries()) {
    if (!isJsonMap(image)) continue;
    const { newName = image['name'], newTag, digest } = image;
    if (!value.startsWith(textOf(newName))) continue;
    if (digest !== undefined && value.endsWith(`@${textOf(digest)}`)) return ['images', index, 'digest'];
    if (typeof newTag === 'string' && value.endsWith(`:${newTag}`)) return ['images', index, 'newTag'];
    if (image['newName'] !== undefined) return ['images', index, 'newName'];
  }
  return undefined;
}

function entryPath(
  list: unknown,
  matches: (entry: JsonMap) => boolean,
  [name, key]: readonly [string, string],
): FieldPath | undefined {
  const index = listOf(list).findIndex((each) => isJsonMap(each) && matches(each));
  return index < 0 ? undefined : [name, index, key];
}

/** Replacements copy values from other objects: the location is the path of the target. */
function locateInReplacements(
  { file, fields, locate }: Kustomization,
  field: BuiltField,
  readSource: ReadSource,
): FileLocation | undefined {
  for (const [index, entry] of [...listOf(fields['replacements']).entries()].toReversed()) {
    if (!isJsonMap(entry)) continue;
    if (typeof entry['path'] !== 'string') {
      const at = targetPath(entry, field);
      if (at !== undefined) return locate(['replacements', index, ...at]);
      continue;
    }
    const source = path.join(path.dirname(file), entry['path']);
    for (const document of locatedYaml(readSource(source) ?? '')) {
      for (const [position, each] of isJsonList(document.value)
        ? document.value.entries()
        : [[-1, document.value] as const]) {
        const at = isJsonMap(each) ? targetPath(each, field) : undefined;
        if (at !== undefined)
          return { file: source, ...document.locate(position < 0 ? at : [position, ...at]) };
      }
    }
  }
  return undefined;
}

function targetPath(replacement: JsonMap, { object, path: at, names }: BuiltField): FieldPath | undefined {
  for (const [index, target] of listOf(replacement['targets']).entries()) {
    if (!isJsonMap(target)) continue;
    const select = isJsonMap(target['select']) ? target['select'] : {};
    if (select['kind'] !== undefined && select['kind'] !== object['kind']) continue;
    if (select['name'] !== undefined && !isNamed(select['name'], names)) continue;
    const paths = target['fieldPaths'] === undefined ? ['metadata.name'] : listOf(target['fieldPaths']);
    const position = paths.findIndex((each) => typeof each === 'string' && isPathTo(each, at, object));
    if (position >= 0)
      return ['targets', index, ...(target['fieldPaths'] === undefined ? [] : ['fieldPaths', position])];
  }
  return undefined;
}

/** Whether a path of kustomize, such as `spec.containers.[name=a].image`, leads to a field. */
function isPathTo(text: string, at: FieldPath, object: JsonMap): boolean {
  const steps = text.match(/\[[^\]]*\]|(?:\\\.|[^.[\]])+/g) ?? [];
  if (steps.length !== at.length) return false;
  return steps.every((step, index) => {
    const actual = at[index];
    if (step === '*' || step === '[*]') return true;
    const [, key, value] = /^\[([^=]+)=(.*)\]$/.exec(step) ?? [];
    if (key !== undefined) return String(valueAt(object, [...at.slice(0, index + 1), key])) === value;
    return step.replace(/^\[(.*)\]$/, '$1').replaceAll(String.raw`\.`, '.') === String(actual);
  });
}

function isNamed(name: unknown, names: readonly string[]): boolean {
  return typeof name === 'string' && names.includes(name);
}

function listOf(value: unknown): readonly unknown[] {
  return isJsonList(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
