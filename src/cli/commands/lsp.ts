import type { CommandModule } from 'yargs';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { protocolOutput } from '../terminal/protocol-output.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `lsp`: findings and answers in an editor, over the Language Server Protocol. */
export function lspCommand(terminal: Terminal, end: (code: ExitCode) => void): CommandModule {
  return {
    command: 'lsp',
    describe: 'Serve an editor: findings while you type, and what each object means for the fleet',
    builder: (command) =>
      command
        .option('stdio', {
          describe: 'use standard input and output; there is no other transport',
          type: 'boolean',
          default: true,
          hidden: true,
        })
        .epilogue(examples(terminal, { 'fleetwright lsp': 'as the command of a language server' })),
    handler: async () => {
      // The library is only loaded for this command.
      const { createConnection, ProposedFeatures } = await import('vscode-languageserver/node');
      const { serveEditor } = await import('../editor/serve-editor.ts');
      const connection = createConnection(ProposedFeatures.all, process.stdin, protocolOutput(terminal));
      const log = (text: string): void => connection.console.log(text.trimEnd());
      const { progress: _, ...quiet } = terminal;
      await serveEditor(connection, { ...quiet, out: log, err: log });
      end(exitCode.clean);
    },
  };
}
