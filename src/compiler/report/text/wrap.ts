/** Escape sequences for colors, which have no width. */
// oxlint-disable-next-line no-control-regex
const escapes = /\u001b\[[\d;]*m/g;

/** The minimum width beside the indentation at which wrapping is useful. */
const leastRoom = 20;

/**
 * Wraps lines at spaces to the given number of columns. Continuation lines are indented by four more spaces than the line. Words
 * that are longer than a line, such as hashes, remain whole.
 */
export function wrapLines(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, columns))
    .join('\n');
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (widthOf(line) <= columns) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const hanging = `${indent}    `;
  if (columns - hanging.length < leastRoom) return [line];
  const lines: string[] = [];
  let current = indent;
  let isEmpty = true;
  for (const word of line.slice(indent.length).split(' ')) {
    if (!isEmpty && widthOf(current) + 1 + widthOf(word) > columns) {
      lines.push(current);
      current = hanging;
      isEmpty = true;
    }
    current += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, current];
}

function widthOf(text: string): number {
  return Array.from(text.replaceAll(escapes, '')).length;
}
