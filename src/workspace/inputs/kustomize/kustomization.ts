import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LineCounter } from 'yaml';
import type { FieldPath, FileLocation } from '../../../compiler/index.ts';
import { readBlockYaml } from '../../../compiler/load/yaml/block-yaml.ts';
import { kustomizationFile } from '../../../compiler/emit/kustomization.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { aliasesAreCounted, parseYaml } from '../bounded-yaml.ts';
import { offsetOf } from '../located-yaml.ts';

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
  /** The fields as they are written. */
  readonly fields: JsonMap;
  /** Whether it is a component, which only other kustomizations build. */
  readonly isComponent: boolean;
  /** The folders of components, as in `resources`. */
  readonly components: readonly string[];
  /** The files and folders with the configuration of plugins, as in `resources`. */
  readonly plugins: readonly string[];
  /** Files that kustomize would fetch from the network, as they are written. */
  readonly remote: readonly string[];
  /** The files and folders under `resources`, relative to the working folder; URLs are unchanged. */
  readonly resources: readonly string[];
  /** Files that contain no objects: patches, data of generators, configurations of plugins. */
  readonly parts: readonly string[];
  /** Why only kustomize knows its objects; undefined if it only lists files and other kustomizations. */
  readonly change?: KustomizationChange;
  /** Returns the location of a field; of the field around it if it is not written. */
  readonly locate: (path: FieldPath) => FileLocation;
}

/** A field that changes or adds objects, or that only kustomize can check. */
export interface KustomizationChange {
  /** Empty for the whole file. */
  readonly field: string;
  readonly location: FileLocation;
}

/** Fields that list objects, or do not affect them. Without a generator, `generatorOptions` affect nothing. */
const harmless = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'resources',
  'bases',
  'components',
  'generatorOptions',
]);

/** Fields that list the configurations of plugins: files, folders, or YAML. */
export const pluginFields = ['generators', 'transformers', 'validators'] as const;
/** Fields that name files, directly or in `path`, `files`, `envs` and `env` of their items. */
const fileFields = [
  'resources',
  'bases',
  'components',
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
/** Fields that kustomize ignores if they have no value. It rejects other unknown fields. */
const emptyFields = new Set([
  ...fileFields,
  'namePrefix',
  'nameSuffix',
  'namespace',
  'commonLabels',
  'labels',
  'commonAnnotations',
  'vars',
  'images',
  'imageTags',
  'replicas',
  'helmCharts',
  'helmGlobals',
  'helmChartInflationGenerator',
  'inventory',
  'buildMetadata',
  'sortOptions',
]);

/**
 * Reads the parts of a kustomization that matter to readers of the files around it.
 *
 * @param isOnly - whether it is the only kustomization of its folder: kustomize rejects a folder with several
 * @throws UserError, DiagnosedError if it is not valid YAML
 */
export function readKustomization(file: string, cwd: string, isOnly = true): Kustomization {
  const text = readFileSync(path.resolve(cwd, file), 'utf8');
  const content = contentOf(file, text);
  const fields: JsonMap = isJsonMap(content) ? content : {};
  const inFolder = joinWith(path.dirname(file));
  const locate = (at: FieldPath): FileLocation => locationOf(at, file, text);
  const field = isOnly ? changeIn(fields) : '';
  return {
    file,
    fields,
    isComponent: fields['kind'] === 'Component',
    components: texts(fields['components']).map(inFolder),
    plugins: pluginFields.flatMap((name) => texts(fields[name]).filter(isOneLine)).map(inFolder),
    remote: remoteFiles(fields),
    // kustomize reads the deprecated `bases` after the resources.
    resources: [...texts(fields['resources']), ...texts(fields['bases'])].map(inFolder),
    parts: Object.entries(fields)
      .filter(([name]) => !harmless.has(name))
      .flatMap(([, value]) => partsIn(value))
      .map(inFolder),
    ...(field !== undefined && { change: { field, location: locate(field === '' ? [] : [field]) } }),
    locate,
  };
}

/** Returns the name of the first field that changes objects or that may be invalid; empty for the file itself. */
function changeIn(fields: JsonMap): string | undefined {
  const { kind, apiVersion } = fields;
  const isComponent = kind === 'Component';
  const version = `kustomize.config.k8s.io/${isComponent ? 'v1alpha1' : 'v1beta1'}`;
  if (kind !== undefined && kind !== 'Kustomization' && !isComponent) return 'kind';
  if (apiVersion !== undefined && apiVersion !== version) return 'apiVersion';
  const lists = ['resources', 'bases', 'components'];
  const isList = (value: unknown): boolean =>
    isJsonList(value) && value.every((item) => typeof item === 'string' && item !== '');
  const changes = Object.entries(fields).find(([name, value]) => {
    if (lists.includes(name)) return value !== null && !isList(value);
    if (name === 'metadata' || name === 'generatorOptions') return !(value === null || isJsonMap(value));
    return !harmless.has(name) && !(emptyFields.has(name) && isEmpty(value));
  });
  if (changes !== undefined) return changes[0];
  // kustomize rejects a kustomization without any content. It accepts an empty list.
  return lists.some((name) => isJsonList(fields[name])) ? undefined : '';
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

function isOneLine(text: string): boolean {
  return !text.includes('\n');
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
    .filter((name) => isOneLine(name) && isRemote(name));
}

function texts(value: unknown): string[] {
  return isJsonList(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Returns every string in a field that may be the name of a file: `KEY=FILE` in generators. */
function partsIn(value: unknown): string[] {
  if (typeof value === 'string') return isOneLine(value) ? [value.replace(/^[^=/]+=/, '')] : [];
  if (isJsonList(value)) return value.flatMap(partsIn);
  return isJsonMap(value) ? Object.values(value).flatMap(partsIn) : [];
}

function locationOf(at: FieldPath, file: string, text: string): FileLocation {
  const lines = new LineCounter();
  const document = parseYaml(file, text, { syntaxError: file, lineCounter: lines });
  const { line, col } = lines.linePos(at.length === 0 ? 0 : offsetOf(document, at));
  return { file, line: Math.max(1, line), column: Math.max(1, col) };
}
