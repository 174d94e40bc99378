import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type Position,
  type TextEdit,
} from 'vscode-languageserver/node';
import { isJsonMap } from '../../base/json/json-map.ts';
import { fieldAt } from '../../compiler/api/placement-references.ts';
import { linesOfField, mistakenWord, type MistakenWord } from './mistaken-word.ts';
import type { TextPositions } from './text-positions.ts';
import { yamlFieldAt } from './yaml-field.ts';

/** A way to mend a finding. */
interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** Returns the edits that mend findings whose hint says what to write: for a name that does not exist, one for each that was probably meant. */
export function quickFixes(
  uri: string,
  text: TextPositions,
  diagnostics: readonly Diagnostic[],
): readonly CodeAction[] {
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.source !== 'fleetwright' || typeof diagnostic.message !== 'string') return [];
    const { start } = diagnostic.range;
    const [message = '', hint = ''] = diagnostic.message.split('\n');
    const meant = meantIn(hint);
    const fixes = [
      ...meant.flatMap((name) => replaced(text, start, { message, meant: name })),
      ...quoted(text, start, hint),
      ...withoutSpaces(text, start, message, hint),
    ];
    return fixes.map(({ title, edits }): CodeAction => ({
      title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnostic],
      isPreferred: meant.length < 2,
      edit: { changes: { [uri]: [...edits] } },
    }));
  });
}

/** Returns the names that a hint asks about: `did you mean "a", "b" or "c"?`. Names of settings are not quoted. */
function meantIn(hint: string): readonly string[] {
  const [, names = ''] = /did you mean (.+?)\?/.exec(hint) ?? [];
  const inQuotes = [...names.matchAll(/"((?:[^"\\]|\\.)+)"/g)].map(([, name = '']) => name);
  return inQuotes.length > 0 ? inQuotes : names.split(/, | or /).filter((name) => /^\S+$/.test(name));
}

function replaced(
  text: TextPositions,
  start: Position,
  mistake: Parameters<typeof mistakenWord>[2],
): readonly Fix[] {
  const wrong = mistakenWord(text, start, mistake);
  if (wrong === undefined || isTaken(text, wrong)) return [];
  const { word, newText, range } = wrong;
  return [{ title: `Replace ${word} with ${newText}`, edits: [{ range, newText }] }];
}

/** Whether a key would be there twice: YAML does not allow that, and the mapping can mean either value. */
function isTaken(text: TextPositions, { range, newText }: MistakenWord): boolean {
  const field = yamlFieldAt(text.text, text.offset(range.start));
  if (field === undefined || !field.isKey) return false;
  const around = fieldAt(field.object, field.path.slice(0, -1));
  return isJsonMap(around) && Object.hasOwn(around, newText);
}

/** Returns the fix for a number or a truth value where a text is required. One that YAML writes in another way, as `0x10`, has none. */
function quoted(text: TextPositions, { line, character }: Position, hint: string): readonly Fix[] {
  const [, value = ''] = /^put it in quotes: "(.+)"$/.exec(hint) ?? [];
  const written = text.line(line).slice(character);
  const [key = ''] = /^["']?[\w./-]+["']?:\s+/.exec(written) ?? [];
  const rest = written.slice(key.length);
  if (value === '' || !rest.startsWith(value) || /^[^\s,\]}]/.test(rest.slice(value.length))) return [];
  const from = character + key.length;
  const range = { start: { line, character: from }, end: { line, character: from + value.length } };
  return [{ title: `Put ${value} in quotes`, edits: [{ range, newText: `"${value}"` }] }];
}

/** Returns the fix for `{{ NAME }}`, which the hub does not replace, wherever the mapping has it: a manifest has one finding. */
function withoutSpaces(text: TextPositions, start: Position, message: string, hint: string): readonly Fix[] {
  const [newText] = /(?<=^write )\{\{\w+\}\}(?=, without spaces$)/.exec(hint) ?? [];
  const [tag] = /\{\{.+?\}\}/.exec(message) ?? [];
  if (newText === undefined || tag === undefined) return [];
  const edits: TextEdit[] = [];
  for (const { line, from, written } of linesOfField(text, start))
    for (let at = written.indexOf(tag, from); at >= 0; at = written.indexOf(tag, at + tag.length))
      edits.push({
        range: { start: { line, character: at }, end: { line, character: at + tag.length } },
        newText,
      });
  return edits.length === 0 ? [] : [{ title: `Write ${newText}`, edits }];
}
