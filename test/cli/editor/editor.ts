import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach } from 'vitest';
import {
  type CodeLens,
  createConnection,
  createMessageConnection,
  type Diagnostic,
  type MessageConnection,
  type Position,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { serveEditor } from '../../../src/cli/editor/serve-editor.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';

/** A terminal in a folder, which prints nothing. */
export function silentTerminal(cwd: string): Terminal {
  return {
    cwd,
    now: () => Date.parse('2026-11-01T00:00:00Z'),
    readInput: async () => await Promise.resolve(new Uint8Array()),
    out: () => undefined,
    err: () => undefined,
    color: false,
  };
}

/** Commits all files of a folder, which becomes a Git repository if it is not one yet. */
export function commitAll(folder: string): void {
  const git = (...words: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: folder,
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'state');
}

const open: Editor[] = [];
afterEach(async () => {
  for (const editor of open.splice(0)) await editor.close();
});

/** An editor with a folder, which speaks to the language server as real ones do. */
export class Editor {
  readonly #folder: string;
  readonly #connection: MessageConnection;
  readonly #texts = new Map<string, string>();
  readonly #findings = new Map<string, readonly Diagnostic[]>();
  /** What the server asked the editor to show. */
  readonly messages: string[] = [];
  /** The pages of the plan that the server sent. */
  readonly planPages: string[] = [];
  /** How often the server asked the editor to ask again for the lines above objects. */
  refreshes = 0;
  #version = 1;

  private constructor(folder: string, cwd: string) {
    this.#folder = folder;
    const [toServer, toEditor] = [new PassThrough(), new PassThrough()];
    this.#connection = createMessageConnection(
      new StreamMessageReader(toEditor),
      new StreamMessageWriter(toServer),
    );
    this.#connection.onNotification(
      'textDocument/publishDiagnostics',
      ({ uri, diagnostics }: { uri: string; diagnostics: readonly Diagnostic[] }) => {
        this.#findings.set(path.relative(folder, fileURLToPath(uri)), diagnostics);
      },
    );
    this.#connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
      this.messages.push(message);
    });
    this.#connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
      this.messages.push(message);
    });
    this.#connection.onNotification('fleetwright/plan', ({ html }: { html: string }) => {
      this.planPages.push(html);
    });
    this.#connection.onRequest('workspace/codeLens/refresh', () => {
      this.refreshes += 1;
      return null;
    });
    this.#connection.listen();
    const server = createConnection(ProposedFeatures.all, toServer, toEditor);
    void serveEditor(server, silentTerminal(cwd));
  }

  /** @param cwd - the folder in which it starts the server. @default - the folder of the editor */
  static async in(folder: string, cwd = folder): Promise<Editor> {
    const editor = new Editor(folder, cwd);
    open.push(editor);
    await editor.#connection.sendRequest('initialize', {
      processId: null,
      rootUri: pathToFileURL(folder).href,
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'folder' }],
      capabilities: { workspace: { codeLens: { refreshSupport: true } } },
    });
    await editor.#connection.sendNotification('initialized', {});
    return editor;
  }

  #uri(file: string): string {
    return pathToFileURL(path.join(this.#folder, file)).href;
  }

  async open(file: string): Promise<void> {
    const text = readFileSync(path.join(this.#folder, file), 'utf8');
    this.#texts.set(file, text);
    await this.#connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: this.#uri(file), languageId: 'yaml', version: this.#version++, text },
    });
  }

  async closeFile(file: string): Promise<void> {
    this.#texts.delete(file);
    await this.#connection.sendNotification('textDocument/didClose', {
      textDocument: { uri: this.#uri(file) },
    });
  }

  /** Replaces the first occurrence of a text, without saving the file. */
  async type(file: string, from: string, to: string): Promise<void> {
    const text = (this.#texts.get(file) ?? '').replace(from, to);
    this.#texts.set(file, text);
    await this.#connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: this.#uri(file), version: this.#version++ },
      contentChanges: [{ text }],
    });
  }

  text(file: string): string {
    return this.#texts.get(file) ?? '';
  }

  /** Returns the findings in a file for what it contains now. */
  async findings(file: string): Promise<readonly Diagnostic[]> {
    await this.lenses(file);
    return this.#findings.get(file) ?? [];
  }

  /** Returns the codes of the errors in a file. */
  async errors(file: string): Promise<readonly (string | number | undefined)[]> {
    return (await this.findings(file)).filter(({ severity }) => severity === 1).map(({ code }) => code);
  }

  async lenses(file: string): Promise<readonly string[]> {
    const lenses = await this.#ask<readonly CodeLens[]>('codeLens', file);
    return lenses.map(({ range, command }) => `${range.start.line + 1}: ${command?.title ?? ''}`);
  }

  /** Asks about the place of a text. @param request - such as `hover` */
  async at<T>(request: string, file: string, text: string, more: object = {}): Promise<T> {
    return await this.#ask<T>(request, file, { position: this.#position(file, text), ...more });
  }

  async #ask<T>(request: string, file: string, more: object = {}): Promise<T> {
    return await this.#connection.sendRequest(`textDocument/${request}`, {
      textDocument: { uri: this.#uri(file) },
      ...more,
    });
  }

  /** Asks for the fixes of the findings of a file. */
  async fixes<T>(file: string): Promise<T> {
    const diagnostics = await this.findings(file);
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    return await this.#ask<T>('codeAction', file, { range, context: { diagnostics } });
  }

  /** The place in the middle of a text, which `|` marks; of its first occurrence. */
  #position(file: string, marked: string): Position {
    const before = marked.indexOf('|');
    const offset = this.text(file).indexOf(marked.replace('|', '')) + before;
    const lines = this.text(file).slice(0, offset).split('\n');
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  }

  async showPlan(): Promise<void> {
    await this.#connection.sendRequest('fleetwright/showPlan');
  }

  async hidePlan(): Promise<void> {
    await this.#connection.sendRequest('fleetwright/hidePlan');
  }

  async close(): Promise<void> {
    await this.#connection.sendRequest('shutdown');
    // At the notification `exit`, the library ends the whole process, which is the one of the tests.
    this.#connection.dispose();
  }
}
