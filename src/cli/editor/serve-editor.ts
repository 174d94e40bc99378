import { fileURLToPath } from 'node:url';
import {
  CodeActionKind,
  type Connection,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { version } from '../../workspace/version.ts';
import { workspaceAround } from '../../workspace/workspace.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { LanguageServer } from './language-server.ts';

/** Serves an editor over the Language Server Protocol until the editor closes the connection. */
export async function serveEditor(connection: Connection, terminal: Terminal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    // An editor can leave before it begins. The server replaces this handler.
    connection.onExit(resolve);
    connection.onInitialize((editor) => {
      const cwd = servedFolder(editor, terminal.cwd);
      const refreshesLenses = editor.capabilities.workspace?.codeLens?.refreshSupport === true;
      const server = new LanguageServer(connection, { ...terminal, cwd }, { refreshesLenses });
      server.serve().then(resolve, reject);
      return capabilities();
    });
    connection.listen();
  });
}

/**
 * Returns the folder whose workspace is served: the working folder of the process. An editor may start it elsewhere, such as in the home
 * folder of the user, so that its own folders count if the working folder is in no workspace.
 */
function servedFolder({ workspaceFolders, ...editor }: InitializeParams, cwd: string): string {
  if (workspaceAround(cwd) !== undefined) return cwd;
  // Older editors have one folder.
  // oxlint-disable-next-line typescript/no-deprecated
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? [editor.rootUri ?? ''];
  const folders = uris.filter((uri) => uri.startsWith('file:')).map((uri) => fileURLToPath(uri));
  return folders.find((folder) => workspaceAround(folder) !== undefined) ?? folders[0] ?? cwd;
}

function capabilities(): InitializeResult {
  return {
    serverInfo: { name: 'fleetwright', version },
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Full, save: true },
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      renameProvider: { prepareProvider: true },
      codeLensProvider: {},
      completionProvider: { triggerCharacters: [' ', ':', '-', '{'] },
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    },
  };
}
