import type { CommandModule } from 'yargs';
import { openWorkspace } from '../../../workspace/workspace.ts';
import { examples } from '../../examples.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { protocolOutput } from '../../terminal/protocol-output.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { RunCommand } from './server.ts';

/** `mcp`: answers for assistants, over the Model Context Protocol. */
export function mcpCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
  run: RunCommand,
): CommandModule {
  return {
    command: 'mcp',
    describe: 'Serve an assistant: read-only tools over validate, plan, explain, who-uses, status and prove',
    builder: (command) =>
      command.epilogue(
        examples(terminal, {
          'fleetwright mcp': 'as the command of an MCP server, in a folder of the workspace',
        }),
      ),
    handler: async () => {
      // The library is only loaded for this command.
      const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
      const { mcpServer } = await import('./server.ts');
      const { root } = await openWorkspace(terminal);
      const server = mcpServer(root, { ...terminal, out: (text) => terminal.err(text) }, run);
      const closed = new Promise<void>((resolve) => {
        process.stdin.once('end', resolve);
        process.stdin.once('close', resolve);
      });
      await server.connect(new StdioServerTransport(process.stdin, protocolOutput(terminal)));
      await closed;
      await server.close();
      end(exitCode.clean);
    },
  };
}
