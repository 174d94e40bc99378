import {
  CodeActionKind,
  type Connection,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { version } from '../../workspace/version.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { LanguageServer } from './language-server.ts';

/** Serves an editor over the Language Server Protocol until the editor closes the connection. */
export async function serveEditor(connection: Connection, terminal: Terminal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    // An editor can leave before it begins. The server replaces this handler.
    connection.onExit(resolve);
    connection.onInitialize(({ capabilities: { workspace } }) => {
      const refreshesLenses = workspace?.codeLens?.refreshSupport === true;
      new LanguageServer(connection, terminal, { refreshesLenses }).serve().then(resolve, reject);
      return capabilities();
    });
    connection.listen();
  });
}

function capabilities(): InitializeResult {
  return {
    serverInfo: { name: 'fleetwright', version },
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Full, save: true },
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      renameProvider: true,
      codeLensProvider: {},
      completionProvider: { triggerCharacters: [' ', ':', '-'] },
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    },
  };
}
