/** The text before the program in the single file. The program is a function, so that the command can keep its compiled code. */
export const programHead = `#!/usr/bin/env node
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
const program =
`;

/** The text behind it, which runs the program alone. */
export const programTail = `
;
const file = fileURLToPath(import.meta.url);
await program(createRequire(file), file, true, async (url) => await import(url)).run();
`;

/**
 * The parameters of the program: `require` and the path of its file, whether the file runs alone, and then how it imports
 * other modules.
 */
export const programParameters = ['require', '__filename', 'runsAlone', 'importOutside'] as const;

/** What the program is called with: values of `programParameters`. */
export type Program = (
  require: NodeJS.Require,
  file: string,
  runsAlone: boolean,
  importOutside?: (url: string) => Promise<unknown>,
) => unknown;
