import {
  type CompletionItem,
  CompletionItemKind,
  type Hover,
  type Location as EditorLocation,
  MarkupKind,
} from 'vscode-languageserver/node';
import { objectKey, type FileLocation } from '../../compiler/index.ts';
import type { Referent } from '../../ocm/referent.ts';
import { completionsAt } from './completions.ts';
import { configurationUses } from './configuration-uses.ts';
import { definitionsOf, namedAt, referencesTo } from './definitions.ts';
import { sentencesOfAll, useSentence } from './object-sentences.ts';
import { objectsAtLine, type ObjectsInFiles } from './placed-in-files.ts';
import { rangeOf, uriOf } from './published-findings.ts';
import type { Answer } from './resident-workspace.ts';
import type { TextPositions } from './text-positions.ts';
import { yamlFieldAt, type YamlField } from './yaml-field.ts';

/** An answer, with what questions about it need. */
export interface Compiled extends Answer {
  readonly objects: ObjectsInFiles;
  /** Returns the text of a file as the editor shows it. */
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

export function completions(place: Place): CompletionItem[] {
  const field = fieldOf(place);
  if (field === undefined) return [];
  return completionsAt(field, place.compiled.units).map(({ text, detail }) => ({
    label: text,
    detail,
    kind: CompletionItemKind.Value,
    textEdit: { range: place.text.range(field.range), newText: text },
  }));
}
