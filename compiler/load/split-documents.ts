import type { Findings } from './findings.ts';
import type { Stretch } from './json-scan.ts';

/**
 * The stretches of a text between lines that begin with `---`, as apimachinery's YAMLReader cuts a stream before any of it
 * is read as YAML: nothing but a comment may stand behind the dashes, and every stretch is a text of its own.
 */
export function splitDocuments(text: string, findings: Findings): Stretch[] {
  const stretches: Stretch[] = [];
  let start = 0;
  for (let at = text.startsWith('---') ? 0 : nextMarker(text, 0); at !== -1; at = nextMarker(text, start)) {
    const lineEnd = endOfLine(text, at);
    const behind = text.slice(at + 3, lineEnd).trimEnd();
    if (!/^(?:\s+#.*)?$/.test(behind)) {
      findings.add(
        'FW1011',
        at,
        `${shorten(behind.trimStart())} stands on the line of the document marker ---`,
        {
          hint: 'write it on the next line: kubectl reads nothing but a comment here',
        },
      );
    }
    stretches.push({ start, end: at });
    start = Math.min(lineEnd + 1, text.length);
  }
  stretches.push({ start, end: text.length });
  return stretches;
}

/** The next line from `from` on that begins with the marker. */
function nextMarker(text: string, from: number): number {
  if (text.startsWith('---', from) && (from === 0 || text[from - 1] === '\n')) return from;
  const newline = text.indexOf('\n---', from);
  return newline === -1 ? -1 : newline + 1;
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline;
}

function shorten(text: string): string {
  return text.length > 30 ? `${text.slice(0, 29)}…` : text;
}
