import {
  type CompletionItem,
  CompletionItemKind,
  type Hover,
  type Location as EditorLocation,
  MarkupKind,
  type Range,
} from 'vscode-languageserver/node';
import { objectKey, type FileLocation } from '../../compiler/index.ts';
import { yamlString } from '../../compiler/emit/yaml-scalar.ts';
import type { Referent } from '../../ocm/referent.ts';
import type { JudgedUnit } from '../commands/validate/judgement.ts';
import { type Candidate, completionsAt, variablesOf } from './completions.ts';
import { configurationUses } from './configuration-uses.ts';
import { definitionsOf, namedAt, referencesTo } from './definitions.ts';
import { sentencesOfAll, useSentence } from './object-sentences.ts';
import { fileLocation, objectsAtLine, type ObjectsInFiles } from './placed-in-files.ts';
import { rangeOf, uriOf } from './published-findings.ts';
import type { Answer } from './resident-workspace.ts';
import type { TextPositions } from './text-positions.ts';
import { unfinishedFieldAt } from './unfinished-field.ts';
import { type TextRange, yamlFieldAt, type YamlField } from './yaml-field.ts';

/** An answer, with what questions about it need. */
export interface Compiled extends Answer {
  readonly objects: ObjectsInFiles;
  /** The apps, each as it was when all its objects were valid. */
  readonly resolvedUnits: readonly JudgedUnit[];
  /** Returns the text of a file as the editor showed it when the answer began. */
  readonly textOf: (file: string) => TextPositions;
}

/** A place of a document that an editor asks about. */
export interface Place {
  readonly compiled: Compiled;
  /** Relative to the root of the workspace. */
  readonly file: string;
  readonly text: TextPositions;
  readonly offset: number;
  readonly line: number;
}

/** Returns the field at a place; undefined in code and outside of objects. */
export function fieldOf({ text, offset, file }: Place): YamlField | undefined {
  return isCode(file) ? undefined : yamlFieldAt(text.text, offset);
}

/** Whether a file is an app in TypeScript or JavaScript. */
export function isCode(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

export function hover(place: Place): Hover | null {
  const { compiled, file, line, text } = place;
  const field = fieldOf(place);
  const named = field && namedAt(field);
  const lines = named === undefined ? [] : sentencesAbout(named, compiled);
  const about =
    lines.length > 0
      ? lines
      : sentencesOfAll(objectsAtLine(compiled.objects.get(file) ?? [], line, isCode(file)), compiled.earlier);
  if (about.length === 0) return null;
  return {
    contents: { kind: MarkupKind.PlainText, value: [...new Set(about)].join('\n') },
    ...(named !== undefined && field !== undefined && { range: text.range(field.range) }),
  };
}

/** Returns what an object that a field names means for the fleet. */
function sentencesAbout(referent: Referent, { units, objects, earlier }: Compiled): readonly string[] {
  const placed = definitionsOf(units, referent).flatMap(({ start }) =>
    (objects.get(start.file) ?? []).filter(
      (each) => each.start.line === start.line && each.start.column === start.column,
    ),
  );
  const sentences = sentencesOfAll(placed, earlier);
  const { kind } = placed[0]?.admitted.object ?? {};
  if (kind !== undefined && sentences.length > 0)
    return [`${kind} ${objectKey(referent.namespace, referent.name)}`, ...sentences];
  // A configuration that does not exist is still named.
  return units.flatMap(({ resolution }) =>
    resolution === undefined ? [] : usesOfMissing(resolution, referent),
  );
}

function usesOfMissing(
  resolution: NonNullable<Compiled['units'][number]['resolution']>,
  { group, resource, namespace, name }: Referent,
): readonly string[] {
  const uses = [...configurationUses(resolution).values()].flat();
  return uses
    .filter(({ candidate: { reference } }) => {
      const isSame = reference.group === group && reference.resource === resource && reference.name === name;
      return isSame && (reference.namespace ?? '') === (namespace ?? '');
    })
    .map((use) => useSentence(use));
}

export function definitions(place: Place): EditorLocation[] {
  const { compiled } = place;
  const field = fieldOf(place);
  const named = field && namedAt(field);
  if (named === undefined) return [];
  return definitionsOf(compiled.units, named).map(({ start }) => editorLocation(start, compiled));
}

/** Returns the places that name an object. @param withDeclaration - whether the name of the object itself is one of them */
export function references(place: Place, withDeclaration: boolean): EditorLocation[] {
  const { compiled } = place;
  const field = fieldOf(place);
  const named = field && namedAt(field);
  if (named === undefined) return [];
  const declarations = withDeclaration ? definitionsOf(compiled.units, named).map(({ name }) => name) : [];
  return [...declarations, ...referencesTo(compiled.units, named)].map((found) => {
    const name = compiled.textOf(found.file).name(named.name, found.line, found.column);
    return name === undefined
      ? editorLocation(found, compiled)
      : { uri: uriOf(compiled.root, found.file), range: name };
  });
}

function editorLocation(found: FileLocation, { root, textOf }: Compiled): EditorLocation {
  return { uri: uriOf(root, found.file), range: rangeOf(found, textOf) };
}

/** Returns what can be written at a place. Objects are those of the last state without an invalid one. */
export function completions({ compiled, file, text, offset }: Place): CompletionItem[] {
  const field = isCode(file) ? undefined : unfinishedFieldAt(text.text, offset);
  if (field === undefined) return [];
  const units = unitsOf(file, compiled.resolvedUnits);
  const variable =
    field.object['kind'] === 'AddOnTemplate' ? unfinishedVariable(text.text, offset) : undefined;
  if (variable !== undefined) {
    const { range, end } = variable;
    return completionItems(variablesOf(units), text.range(range), (name) => `${name}${end}`);
  }
  const needsColon = field.isKey && !/^["']?\s*:/.test(text.text.slice(field.range.end));
  return completionItems(
    completionsAt(field, units),
    text.range(field.range),
    (name) => `${yamlString(name)}${needsColon ? ': ' : ''}`,
  );
}

/** Returns the apps that a file belongs to, one for each hub: they see neither the objects of other apps nor other hubs. */
function unitsOf(file: string, units: readonly JudgedUnit[]): readonly JudgedUnit[] {
  const own = units.filter(
    ({ paths, inputs }) =>
      paths.some((folder) => file.startsWith(`${folder}/`)) ||
      inputs.objects.some(({ origin }) => fileLocation(origin.location)?.file === file),
  );
  return own.length === 0 ? units : own;
}

function completionItems(
  candidates: readonly Candidate[],
  range: Range,
  written: (text: string) => string,
): CompletionItem[] {
  return candidates.map(({ text, detail }) => ({
    label: text,
    detail,
    kind: CompletionItemKind.Value,
    textEdit: { range, newText: written(text) },
  }));
}

/** Returns the name of a variable that is being written after `{{`, and what its end still needs. */
function unfinishedVariable(
  text: string,
  offset: number,
): { readonly range: TextRange; readonly end: string } | undefined {
  const [, before] = /\{\{(\w*)$/.exec(text.slice(Math.max(0, offset - longestVariable), offset)) ?? [];
  if (before === undefined) return undefined;
  const [, after = '', end = ''] = /^(\w*)(\}{0,2})/.exec(text.slice(offset, offset + longestVariable)) ?? [];
  return {
    range: { start: offset - before.length, end: offset + after.length },
    end: '}}'.slice(end.length),
  };
}

const longestVariable = 200;
