import type { DiagnosticCollector } from '../diagnostic-collector.ts';
import type { Stretch } from '../json/json-scan.ts';

const marker = '---';

/**
 * Returns the ranges of a text between lines that begin with `---`, as apimachinery's YAMLReader splits a stream before it parses
 * YAML: only a comment may follow the dashes, and every range is a separate text.
 */
export function splitDocuments(text: string, findings: DiagnosticCollector): Stretch[] {
  const stretches: Stretch[] = [];
  let start = 0;
  for (let at = nextMarker(text, 0); at !== -1; at = nextMarker(text, start)) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 ? text.length : newline;
    reportBehindMarker(text.slice(at + marker.length, lineEnd), at + marker.length, findings);
    stretches.push({ start, end: at });
    start = Math.min(lineEnd + 1, text.length);
  }
  stretches.push({ start, end: text.length });
  return stretches;
}

/** Returns the next line that begins with the marker, from `from`, the start of a line. */
function nextMarker(text: string, from: number): number {
  if (text.startsWith(marker, from)) return from;
  const newline = text.indexOf(`\n${marker}`, from);
  return newline === -1 ? -1 : newline + 1;
}

function reportBehindMarker(behind: string, offset: number, findings: DiagnosticCollector): void {
  if (/^(?:\s+(?:#.*)?)?$/.test(behind)) return;
  const spaces = behind.length - behind.trimStart().length;
  findings.add('FW1011', offset + spaces, 'the line of the document marker --- has other content', {
    hint: 'write it on the next line: kubectl allows only a comment here',
  });
}
