import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver/node';
import { isJsonMap } from '../../base/json/json-map.ts';
import { fieldAt } from '../../compiler/api/placement-references.ts';
import { mistakenWord, type MistakenWord } from './mistaken-word.ts';
import type { TextPositions } from './text-positions.ts';
import { yamlFieldAt } from './yaml-field.ts';

/** Returns the edits that mend a finding: for a name that does not exist, one for each name that was probably meant. */
export function quickFixes(
  uri: string,
  text: TextPositions,
  diagnostics: readonly Diagnostic[],
): readonly CodeAction[] {
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.source !== 'fleetwright' || typeof diagnostic.message !== 'string') return [];
    const [message = '', hint = ''] = diagnostic.message.split('\n');
    const meant = meantIn(hint);
    return meant.flatMap((name): CodeAction[] => {
      const wrong = mistakenWord(text, diagnostic.range.start, { message, meant: name });
      if (wrong === undefined || isTaken(text, wrong)) return [];
      const { word, newText, range } = wrong;
      return [
        {
          title: `Replace ${word} with ${newText}`,
          kind: CodeActionKind.QuickFix,
          diagnostics: [diagnostic],
          isPreferred: meant.length === 1,
          edit: { changes: { [uri]: [{ range, newText }] } },
        },
      ];
    });
  });
}

/** Whether a key would be there twice: YAML does not allow that, and the mapping can mean either value. */
function isTaken(text: TextPositions, { range, newText }: MistakenWord): boolean {
  const field = yamlFieldAt(text.text, text.offset(range.start));
  if (field === undefined || !field.isKey) return false;
  const around = fieldAt(field.object, field.path.slice(0, -1));
  return isJsonMap(around) && Object.hasOwn(around, newText);
}

/** Returns the names that a hint asks about: `did you mean "a", "b" or "c"?`. Names of settings are not quoted. */
function meantIn(hint: string): readonly string[] {
  const [, names = ''] = /did you mean (.+?)\?/.exec(hint) ?? [];
  const quoted = [...names.matchAll(/"((?:[^"\\]|\\.)+)"/g)].map(([, name = '']) => name);
  return quoted.length > 0 ? quoted : names.split(/, | or /).filter((name) => /^\S+$/.test(name));
}
