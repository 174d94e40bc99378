import { setFlagsFromString } from 'node:v8';

const commands = new Set(['lsp', 'mcp']);
const options = ['--watch', '--serve'];

/**
 * Returns whether a command line begins a process that answers after each edit, so that compiled code pays. The companion does not: it
 * waits most of the time, and needs less memory with code that is compiled later.
 */
export function answersEdits(argv: readonly string[]): boolean {
  const [command = ''] = argv;
  return (
    commands.has(command) ||
    argv.some((argument) =>
      options.some((option) => argument === option || argument.startsWith(`${option}=`)),
    )
  );
}

/**
 * Makes V8 collect garbage each time that the heap of this process has grown by 30 % since the last collection. By default it lets a heap
 * of some hundred megabytes grow to the double or more, because an answer leaves much garbage. Figures are in bench/README.md.
 */
export function collectEarly(): void {
  setFlagsFromString('--heap-growing-percent=30');
}
