import type { Terminal } from './terminal.ts';

/** Command lines to try, each with what it is for. */
export type Examples = Readonly<Record<string, string>>;

/** How many columns help takes at most: longer lines are hard to read. */
export function helpColumns({ columns = 100 }: Pick<Terminal, 'columns'>): number {
  return Math.min(columns, 120);
}

/**
 * The examples of a command's help, each on lines of its own, so that a shell takes what is copied from them: what it is
 * for stands above as a comment, and a command line that is too long goes on behind a backslash.
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

/** A command line as lines that fit, as far as its words do. */
function broken(commandLine: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [next] of commandLine.matchAll(word)) {
    // One line of several has room for a space and a backslash.
    const isTooLong = line.length + next.length > width - 2 && commandLine.length > width;
    if (isTooLong && line !== '') {
      lines.push(`${line} \\`);
      line = indent + next.trimStart();
    } else line += next;
  }
  return [...lines, line];
}
