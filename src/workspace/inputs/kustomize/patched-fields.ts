import path from 'node:path';
import type { FieldPath, FileLocation } from '../../../compiler/index.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { Kustomization } from './kustomization.ts';
import type { BuiltField, ReadSource } from './kustomized-fields.ts';
import { locatedYaml, pathIn, valueAt, type LocatedYaml } from '../located-yaml.ts';

/** A patch, with the field of the kustomization that has it. */
interface Patch {
  readonly at: FieldPath;
  /** A file, relative to the kustomization. */
  readonly file?: string;
  readonly text?: string;
  readonly target: JsonMap | undefined;
}

/** Returns the location in a patch that set a field of an object; undefined if no patch did. The last patch counts. */
export function locateInPatches(
  kustomization: Kustomization,
  field: BuiltField,
  readSource: ReadSource,
): FileLocation | undefined {
  for (const patch of patchesOf(kustomization).toReversed()) {
    if (patch.target !== undefined && !isTarget(patch.target, field)) continue;
    const file =
      patch.file === undefined ? kustomization.file : path.join(path.dirname(kustomization.file), patch.file);
    const documents =
      patch.text === undefined
        ? locatedYaml(readSource(file) ?? '')
        : inlineDocuments(kustomization, patch.at, patch.text, readSource);
    for (const document of documents) {
      const at = isJsonList(document.value)
        ? operationPath(document.value, field)
        : mergePath(document.value, field, patch.target);
      if (at !== undefined) return { file, ...document.locate(at) };
    }
  }
  return undefined;
}

function patchesOf({ fields }: Kustomization): Patch[] {
  const merges = listOf(fields['patchesStrategicMerge']).flatMap((entry, index): Patch[] => {
    if (typeof entry !== 'string') return [];
    const content = entry.includes('\n') ? { text: entry } : { file: entry };
    return [{ at: ['patchesStrategicMerge', index], target: undefined, ...content }];
  });
  const others = ['patchesJson6902', 'patches'].flatMap((name) =>
    listOf(fields[name]).flatMap((entry, index): Patch[] => {
      if (!isJsonMap(entry)) return [];
      const { path: file, patch, target } = entry;
      const content = {
        ...(typeof file === 'string' && { file }),
        ...(typeof patch === 'string' && { text: patch }),
      };
      return [{ at: [name, index, 'patch'], target: isJsonMap(target) ? target : undefined, ...content }];
    }),
  );
  return [...merges, ...others];
}

/** Returns the documents of a patch in a kustomization, with their positions if it is written over several lines. */
function inlineDocuments(
  { file, locate }: Kustomization,
  at: FieldPath,
  text: string,
  readSource: ReadSource,
): readonly LocatedYaml[] {
  const header = locate(at);
  const lines = (readSource(file) ?? '').split('\n');
  const isBlock = /[|>][-+0-9]*\s*(?:#.*)?$/.test(lines[header.line - 1] ?? '');
  if (!isBlock) return locatedYaml(text).map(({ value }) => ({ value, locate: () => header }));
  const first = lines.slice(header.line).find((line) => line.trim() !== '') ?? '';
  const inner = text.split('\n').find((line) => line.trim() !== '') ?? '';
  const column = 1 + indentation(first) - indentation(inner);
  return locatedYaml(text, { line: header.line + 1, column });
}

/** Returns the path of a field in a strategic merge patch that sets it. */
function mergePath(patch: unknown, field: BuiltField, target: JsonMap | undefined): FieldPath | undefined {
  if (!isJsonMap(patch)) return undefined;
  if (target === undefined && !isPatchOf(patch, field)) return undefined;
  const at = pathIn(patch, field.object, field.path);
  return at !== undefined && isSet(valueAt(patch, at), field.value) ? at : undefined;
}

/** Returns the path in the operations of a JSON patch to the value of a field. */
function operationPath(
  operations: readonly unknown[],
  { path: at, value }: BuiltField,
): FieldPath | undefined {
  for (const [index, operation] of [...operations.entries()].toReversed()) {
    if (!isJsonMap(operation) || typeof operation['path'] !== 'string') continue;
    const steps = operation['path']
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const isAround =
      steps.length <= at.length &&
      steps.every((step, position) => {
        const actual = at[position];
        return step === String(actual) || (step === '-' && typeof actual === 'number');
      });
    if (!isAround) continue;
    const { op } = operation;
    if (op === 'copy' || op === 'move') return [index, 'path'];
    const rest = at.slice(steps.length);
    if ((op === 'add' || op === 'replace') && isSet(valueAt(operation['value'], rest), value))
      return [index, 'value', ...rest];
  }
  return undefined;
}

/** Whether a patch sets this value: patches contain parts of mappings and lists. */
function isSet(patched: unknown, value: unknown): boolean {
  if (patched === undefined) return false;
  if (isJsonMap(value) || isJsonList(value)) return isJsonMap(patched) || isJsonList(patched);
  return patched === value;
}

function isPatchOf({ kind, metadata }: JsonMap, { object, names }: BuiltField): boolean {
  const name = isJsonMap(metadata) ? metadata['name'] : undefined;
  return kind === object['kind'] && typeof name === 'string' && names.includes(name);
}

/** Whether a selector selects an object: kind and name are regular expressions. */
function isTarget({ kind, name }: JsonMap, { object, names }: BuiltField): boolean {
  const matches = (pattern: unknown, texts: readonly string[]): boolean => {
    if (typeof pattern !== 'string' || pattern === '') return true;
    if (texts.includes(pattern)) return true;
    // A pattern of a request is not run as a regular expression: it could take any time.
    const parts = pattern.replaceAll(/^\^|\$$/g, '').split(/\.\*/);
    return texts.some((text) => inOrder(text, parts));
  };
  return matches(kind, [String(object['kind'])]) && matches(name, names);
}

/** Whether a text consists of parts with anything in between. */
function inOrder(text: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts;
  if (others.length === 0) return text === first;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const part of others) {
    const next = text.indexOf(part, position);
    if (next < 0) return false;
    position = next + part.length;
  }
  return text.endsWith(others.at(-1) ?? '');
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

function listOf(value: unknown): readonly unknown[] {
  return isJsonList(value) ? value : [];
}
