import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, isScalar, LineCounter } from 'yaml';
import type { FileLocation } from '../../compiler/index.ts';
import { readBlockYaml } from '../../compiler/load/yaml/block-yaml.ts';
import { kustomizationFile } from '../../compiler/emit/kustomization.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { aliasesAreCounted, parseYaml } from './bounded-yaml.ts';

/** The valid file names of a kustomization. */
export const kustomizationNames: readonly string[] = [
  kustomizationFile,
  'kustomization.yml',
  'Kustomization',
];

/** The effect of a kustomization on the files around it. */
export interface Kustomization {
  /** The path relative to the working folder. */
  readonly file: string;
  /** Whether it is a component, which only other kustomizations build. */
  readonly isComponent: boolean;
  /** The folders and files of other kustomizations that it uses besides `resources`, as in `resources`. */
  readonly components: readonly string[];
  /** Files that kustomize would fetch from the network, as they are written. */
  readonly remote: readonly string[];
  /** The files and folders under `resources`, relative to the working folder; URLs are unchanged. */
  readonly resources: readonly string[];
  /** Files that contain no objects: patches, data of generators, inputs of plugins. */
  readonly parts: readonly string[];
  /** The first field that changes or adds objects; undefined if the kustomization only lists objects. */
  readonly change?: { readonly field: string; readonly location: FileLocation };
}

/** Fields that list objects, or do not affect them. */
const harmless = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'resources',
  'bases',
  'sortOptions',
  'generatorOptions',
]);

/** Fields that list folders of other kustomizations, besides the resources. */
const pluginFields = ['components', 'generators', 'transformers', 'validators'];
/** Fields that name files, directly or in `path`, `files`, `envs` and `env` of their items. */
const fileFields = [
  'resources',
  'bases',
  ...pluginFields,
  'crds',
  'configurations',
  'patchesStrategicMerge',
  'patches',
  'patchesJson6902',
  'replacements',
  'openapi',
  'configMapGenerator',
  'secretGenerator',
];

/** Reads the parts of a kustomization that matter to readers of the files around it. */
export function readKustomization(file: string, cwd: string): Kustomization {
  const text = readFileSync(path.resolve(cwd, file), 'utf8');
  const content = contentOf(file, text);
  const fields: JsonMap = isJsonMap(content) ? content : {};
  const inFolder = joinWith(path.dirname(file));
  const field = Object.keys(fields).find((name) => !harmless.has(name) && !isEmpty(fields[name]));
  return {
    file,
    isComponent: fields['kind'] === 'Component',
    components: pluginFields.flatMap((name) => texts(fields[name])).map(inFolder),
    remote: remoteFiles(fields),
    resources: [...texts(fields['resources']), ...texts(fields['bases'])].map(inFolder),
    parts: Object.entries(fields)
      .filter(([name]) => !harmless.has(name))
      .flatMap(([, value]) => partsIn(value))
      .map(inFolder),
    ...(field !== undefined && { change: { field, location: locationOf(field, file, text) } }),
  };
}

/** Returns a function that joins a folder with the names in its kustomization, most of which are plain names of files. */
function joinWith(folder: string): (name: string) => string {
  const prefix = folder === '.' ? '' : path.join(folder, path.sep);
  return (name) => {
    if (/^\w[\w.-]*$/.test(name)) return `${prefix}${name}`;
    return isRemote(name) ? name : path.join(folder, name);
  };
}

/** A kustomization lists thousands of files, and is usually in the form that the fast reader reads. */
function contentOf(file: string, text: string): unknown {
  const block = readBlockYaml(text);
  return block === undefined
    ? parseYaml(file, text, { syntaxError: file }).toJS(aliasesAreCounted)
    : block.value;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return isJsonList(value) ? value.length === 0 : isJsonMap(value) && Object.keys(value).length === 0;
}

function isRemote(name: string): boolean {
  return /^[a-z+]+:\/\/|^git@|^github\.com\/|\?ref=/.test(name);
}

/** Returns the URLs among the names of files. */
function remoteFiles(fields: JsonMap): string[] {
  const namesIn = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    if (isJsonList(value)) return value.flatMap(namesIn);
    return isJsonMap(value) ? ['path', 'files', 'envs', 'env'].flatMap((name) => namesIn(value[name])) : [];
  };
  return fileFields
    .flatMap((name) => namesIn(fields[name]))
    .map((name) => name.replace(/^[^=/:]+=/, ''))
    .filter((name) => !name.includes('\n') && isRemote(name));
}

function texts(value: unknown): string[] {
  return isJsonList(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Returns every string in a field that may be the name of a file: `KEY=FILE` in generators. */
function partsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('\n') ? [] : [value.replace(/^[^=/]+=/, '')];
  if (isJsonList(value)) return value.flatMap(partsIn);
  return isJsonMap(value) ? Object.values(value).flatMap(partsIn) : [];
}

function locationOf(field: string, file: string, text: string): FileLocation {
  const lines = new LineCounter();
  const document = parseYaml(file, text, { syntaxError: file, lineCounter: lines });
  const pair = isMap(document.contents)
    ? document.contents.items.find(({ key }) => isScalar(key) && key.value === field)
    : undefined;
  const offset = isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
  const { line, col } = lines.linePos(offset);
  return { file, line: Math.max(1, line), column: Math.max(1, col) };
}
