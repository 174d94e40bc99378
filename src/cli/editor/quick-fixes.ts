import { type CodeAction, CodeActionKind, type Diagnostic, type Range } from 'vscode-languageserver/node';
import type { TextPositions } from './text-positions.ts';

/** Returns the edits that mend a finding: for a name that does not exist, one for each name that was probably meant. */
export function quickFixes(
  uri: string,
  text: TextPositions,
  diagnostics: readonly Diagnostic[],
): readonly CodeAction[] {
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.source !== 'fleetwright' || typeof diagnostic.message !== 'string') return [];
    const [message = '', hint = ''] = diagnostic.message.split('\n');
    const [, names = ''] = /did you mean (.+?)\?/.exec(hint) ?? [];
    const quoted = quotedIn(names);
    const all = quoted.length > 0 ? quoted : names.split(/, | or /).filter((name) => /^\S+$/.test(name));
    const wrong = all.length === 0 ? undefined : wrongName(message, text, diagnostic.range);
    if (wrong === undefined) return [];
    const { namespace, name, range } = wrong;
    // The field with the namespace is another one.
    const meant = all.flatMap((each) => (each.startsWith(namespace) ? [each.slice(namespace.length)] : []));
    return meant.map((newText): CodeAction => ({
      title: `Replace ${name} with ${newText}`,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnostic],
      isPreferred: meant.length === 1,
      edit: { changes: { [uri]: [{ range, newText }] } },
    }));
  });
}

/** How many lines a reference has at most: a finding points at its first one. */
const longestReference = 6;

/** A name of a message, as a line has it. */
interface WrittenName {
  /** What the message has before the name: `namespace/`, or nothing. */
  readonly namespace: string;
  readonly name: string;
  readonly range: Range;
}

/** Returns the name of a message that a line of the reference has exactly once. */
function wrongName(message: string, text: TextPositions, { start }: Range): WrittenName | undefined {
  for (let line = start.line; line < start.line + longestReference; line += 1) {
    for (const quoted of quotedIn(message)) {
      for (const slash of [-1, quoted.lastIndexOf('/')]) {
        const name = quoted.slice(slash + 1);
        const [place, another] = placesOf(name, text.line(line));
        if (place === undefined || another !== undefined) continue;
        return {
          namespace: quoted.slice(0, slash + 1),
          name,
          range: { start: { line, character: place }, end: { line, character: place + name.length } },
        };
      }
    }
  }
  return undefined;
}

/** Returns the places of a name in a line. Longer names that contain it do not count. */
function placesOf(name: string, line: string): readonly number[] {
  const places: number[] = [];
  if (name === '') return places;
  for (let place = line.indexOf(name); place >= 0; place = line.indexOf(name, place + 1)) {
    const around = `${line[place - 1] ?? ' '}${line[place + name.length] ?? ' '}`;
    if (!/[\w./-]/.test(around)) places.push(place);
  }
  return places;
}

function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)+)"/g)].map(([, name = '']) => name);
}
