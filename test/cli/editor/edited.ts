import type { CodeAction } from 'vscode-languageserver/node';
import { TextPositions } from '../../../src/cli/editor/text-positions.ts';

/** Returns a text after a fix that edits no other file. */
export function edited(text: string, fix: CodeAction): string {
  const positions = new TextPositions(text);
  const edits = Object.values(fix.edit?.changes ?? {}).flat();
  let after = text;
  for (const { range, newText } of edits.toReversed())
    after =
      after.slice(0, positions.offset(range.start)) + newText + after.slice(positions.offset(range.end));
  return after;
}
