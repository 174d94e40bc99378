import type { Terminal } from './terminal/terminal.ts';

/** Command lines to try, each with its purpose. */
export type Examples = Readonly<Record<string, string>>;

/** Returns the maximum number of columns of help: longer lines are hard to read. */
export function helpColumns({ columns = 100 }: Pick<Terminal, 'columns'>): number {
  return Math.min(columns, 120);
}

/**
 * Returns the examples of a command's help. Each is on separate lines, so that a shell accepts what is copied from
 * them: the purpose is a comment above, and a long command line continues behind a backslash.
 */
export function examples(terminal: Pick<Terminal, 'columns'>, all: Examples): string {
  const width = helpColumns(terminal) - indent.length;
  const lines = Object.entries(all).flatMap(([commandLine, what]) => [
    `# ${what}`,
    ...broken(commandLine, width),
  ]);
  return ['Examples:', ...lines.map((line) => indent + line)].join('\n');
}

const indent = '  ';

/** A word, quoted or not, with the spaces before it; an option stays with its value. */
const word = /\s*(?:--[\w-]+ (?!-))?(?:'[^']*'|\S)+/g;

/** Splits a command line into lines that fit, as far as its words do. */
function broken(commandLine: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [next] of commandLine.matchAll(word)) {
    // Each line but the last needs room for a space and a backslash.
    const isTooLong = line.length + next.length > width - 2 && commandLine.length > width;
    if (isTooLong && line !== '') {
      lines.push(`${line} \\`);
      line = indent + next.trimStart();
    } else line += next;
  }
  return [...lines, line];
}
