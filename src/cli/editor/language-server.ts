import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type CodeAction,
  type CodeLens,
  CodeLensRefreshRequest,
  type Connection,
  type Diagnostic as EditorDiagnostic,
  MessageType,
  ShowMessageNotification,
  type Position,
} from 'vscode-languageserver/node';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { urlsOfPages } from '../../workspace/code-pages.ts';
import { settingsFile } from '../../workspace/settings/settings.ts';
import { isPresent } from '../../workspace/settings/settings-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { ObjectLenses } from './object-lenses.ts';
import { completions, definitions, hover, references, type Compiled, type Place } from './place-answers.ts';
import { fileLocation, firstFile, objectsInFiles } from './placed-in-files.ts';
import { PlanPanel, planMethods } from './plan-panel.ts';
import { publishedFindings, uriOf } from './published-findings.ts';
import { quickFixes } from './quick-fixes.ts';
import { preparedRename, renamed } from './renames.ts';
import { type Answer, type Failure, ResidentWorkspace } from './resident-workspace.ts';
import { ResolvedUnits } from './resolved-units.ts';
import { TextPositions } from './text-positions.ts';

/** How long the server waits for the next key, in milliseconds. */
export const settlingTime = 60;
/** The shortest pause between two readings of the files on disk, in milliseconds. */
const shortestPause = 1_000;

/** What the editor can do. */
export interface EditorSupport {
  /** Whether it asks for the lines above objects again when the server requests that. */
  readonly refreshesLenses: boolean;
}

/** A server of the Language Server Protocol for one workspace: findings while the user types, and answers about places of files. */
export class LanguageServer {
  readonly #connection: Connection;
  readonly #workspace: ResidentWorkspace;
  readonly #panel: PlanPanel;
  readonly #support: EditorSupport;
  /** The texts that the editor shows, by its URI. */
  readonly #open = new Map<string, TextPositions>();
  /** The URIs that have findings in the editor. */
  #shown: ReadonlySet<string> = new Set();
  /** The findings of the last complete answer, by URI. */
  #ofLastAnswer: ReadonlyMap<string, readonly EditorDiagnostic[]> = new Map();
  /** The lines above objects that the editor was last given, as JSON, by the URI of the file. */
  readonly #givenLenses = new Map<string, string>();
  readonly #resolved = new ResolvedUnits();
  readonly #lenses = new ObjectLenses();
  #compiled: Promise<Compiled> | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #stop = new AbortController();
  #isStale = false;
  #failure: string | undefined;

  /** @param connection - one on which the editor has just sent its first request */
  constructor(connection: Connection, terminal: Terminal, support: EditorSupport) {
    this.#connection = connection;
    this.#support = support;
    this.#workspace = new ResidentWorkspace(terminal);
    this.#panel = new PlanPanel(
      { ...terminal, openFiles: this.#workspace.openFiles, keptContents: this.#workspace.contents },
      async (html) => await connection.sendNotification(planMethods.page, { html }),
      (error) => this.#logFault(error),
    );
  }

  /** Serves until the editor closes the connection. */
  async serve(): Promise<void> {
    const connection = this.#connection;
    connection.onInitialized(() => {
      this.#compile();
      void this.#watch();
    });
    connection.onDidOpenTextDocument(({ textDocument: { uri, text } }) => this.#show(uri, text));
    connection.onDidChangeTextDocument(({ textDocument: { uri }, contentChanges }) =>
      this.#show(uri, contentChanges.at(-1)?.text),
    );
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => this.#show(uri, undefined));
    connection.onDidSaveTextDocument(() => this.#compile());
    connection.onHover(async (asked) => await this.#at(asked, hover));
    connection.onCodeLens(async ({ textDocument: { uri } }) => await this.#codeLenses(uri));
    connection.onDefinition(async (asked) => await this.#at(asked, definitions));
    connection.onReferences(
      async ({ context, ...asked }) =>
        await this.#at(asked, (place) => references(place, context.includeDeclaration)),
    );
    connection.onCompletion(async (asked) => await this.#at(asked, completions));
    connection.onPrepareRename(async (asked) => await this.#at(asked, preparedRename));
    connection.onRenameRequest(
      async ({ newName, ...asked }) => await this.#at(asked, (place) => renamed(place, newName)),
    );
    connection.onCodeAction(({ textDocument: { uri }, context }): CodeAction[] => {
      const text = this.#open.get(uri);
      return text === undefined ? [] : [...quickFixes(uri, text, context.diagnostics)];
    });
    connection.onRequest(planMethods.show, () => this.#panel.show());
    connection.onRequest(planMethods.hide, async () => await this.#panel.hide());
    const ended = new Promise<void>((resolve) => {
      connection.onShutdown(() => this.#end());
      connection.onExit(resolve);
    });
    await ended;
    await this.#end();
  }

  async #end(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#compiled?.catch(() => undefined);
    await this.#panel.hide();
    await this.#workspace.end();
  }

  #logFault(error: unknown): void {
    this.#connection.console.error(
      `a fault of Fleetwright: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }

  #show(uri: string, text: string | undefined): void {
    if (!uri.startsWith('file:')) return;
    if (text === undefined) {
      this.#open.delete(uri);
      this.#givenLenses.delete(uri);
    } else this.#open.set(uri, new TextPositions(text));
    this.#workspace.show(fileURLToPath(uri), text);
    this.#compile();
  }

  /** Compiles once the user stops typing. A change while it compiles leads to another run. */
  #compile(): void {
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#isStale = true;
    this.#timer = setTimeout(() => void this.#latest(), settlingTime);
  }

  /** Returns the answer for what the editor shows. Undefined after a fault of Fleetwright, which is logged. */
  async #latest(): Promise<Compiled | undefined> {
    clearTimeout(this.#timer);
    if (this.#isStale || this.#compiled === undefined) {
      this.#isStale = false;
      const earlier = this.#compiled?.catch(() => undefined);
      this.#compiled = (async () => {
        // One at a time: both would use the same processes of apps.
        await earlier;
        const compiled = await this.#run();
        // Questions that wait for this answer have theirs first.
        setImmediate(() => void this.#refreshLenses(compiled));
        return compiled;
      })();
    }
    const compiling = this.#compiled;
    try {
      const compiled = await compiling;
      return this.#isStale || this.#compiled !== compiling ? await this.#latest() : compiled;
    } catch (error) {
      if (this.#compiled === compiling) this.#compiled = undefined;
      this.#logFault(error);
      return undefined;
    }
  }

  async #run(): Promise<Compiled> {
    // Lines of the answer are those of these texts, even if the user types meanwhile.
    const open = new Map(this.#open);
    const answer = await this.#workspace.answer();
    const texts = new Map<string, TextPositions>();
    const uris = urisByFile(open.keys(), answer.root);
    const textOf = (file: string): TextPositions => {
      const shown = open.get(uris.get(file) ?? uriOf(answer.root, file));
      return shown ?? getOrInsertComputed(texts, file, () => new TextPositions(readText(answer.root, file)));
    };
    await this.#publish(answer, uris, textOf);
    this.#panel.update();
    const compiled = {
      ...answer,
      objects: objectsInFiles(answer.units),
      resolvedUnits: this.#resolved.after(answer.units),
      textOf,
    };
    this.#lenses.see(compiled, open.keys());
    return compiled;
  }

  /** Shows the findings. Without an answer, the reason is shown in its file, and the findings of the last answer stay in the others. */
  async #publish(
    { root, findings, failure, units }: Answer,
    uris: ReadonlyMap<string, string>,
    textOf: Compiled['textOf'],
  ): Promise<void> {
    const byFile = publishedFindings(failure === undefined ? findings : [failure], {
      root,
      defaultFile: () => (isPresent(path.resolve(root, settingsFile)) ? settingsFile : firstFile(units)),
      pageOf: await urlsOfPages(),
      textOf,
    });
    const published = new Map([...byFile].map(([file, all]) => [uris.get(file) ?? uriOf(root, file), all]));
    if (failure === undefined) this.#ofLastAnswer = published;
    const shown = new Map([...this.#ofLastAnswer, ...published]);
    for (const uri of this.#shown)
      if (!shown.has(uri)) await this.#connection.sendDiagnostics({ uri, diagnostics: [] });
    for (const [uri, diagnostics] of shown)
      await this.#connection.sendDiagnostics({ uri, diagnostics: [...diagnostics] });
    this.#shown = new Set(shown.keys());
    const sentence = failure && sentenceOf(failure);
    // It is easily overlooked in another file, and what an editor shows is not the present state.
    if (sentence !== undefined && sentence !== this.#failure)
      await this.#connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Error,
        message: `Fleetwright: ${sentence}`,
      });
    this.#failure = sentence;
  }

  /** Compiles when files on disk change, which another program, Git or `fleet pull` writes, and when HEAD moves. */
  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const begin = performance.now();
      // The folder may be gone for a moment.
      const hasChanged = await this.#workspace.hasChanged().catch(() => false);
      if (hasChanged && this.#compiled !== undefined) this.#compile();
      const pause = Math.max(shortestPause, 10 * (performance.now() - begin));
      await sleep(pause, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  async #at<T>(
    { textDocument: { uri }, position }: { textDocument: { uri: string }; position: Position },
    answer: (place: Place) => T,
  ): Promise<T | null> {
    const compiled = await this.#latest();
    const text = this.#open.get(uri);
    if (compiled === undefined || text === undefined) return null;
    const file = path.relative(compiled.root, fileURLToPath(uri));
    return answer({ compiled, file, text, offset: text.offset(position), line: position.line + 1 });
  }

  async #codeLenses(uri: string): Promise<CodeLens[]> {
    const compiled = await this.#latest();
    const lenses = compiled === undefined ? [] : this.#lenses.of(uri, compiled);
    if (this.#support.refreshesLenses && this.#open.has(uri))
      this.#givenLenses.set(uri, JSON.stringify(lenses));
    return lenses;
  }

  /** Lets the editor ask again if an open file has other lines above its objects than the editor was given. */
  async #refreshLenses(compiled: Compiled): Promise<void> {
    // Another answer follows.
    if (this.#isStale || this.#stop.signal.aborted) return;
    const isOther = [...this.#givenLenses].some(
      ([uri, given]) => given !== JSON.stringify(this.#lenses.of(uri, compiled)),
    );
    // An editor that is ending does not answer.
    if (isOther) await this.#connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
  }
}

/** Returns the URIs of open files by their path from the root: an editor may name a file through a link. */
function urisByFile(open: Iterable<string>, root: string): ReadonlyMap<string, string> {
  return new Map([...open].map((uri) => [path.relative(root, fileURLToPath(uri)), uri] as const));
}

/** Returns a failure in one line, with its location. */
function sentenceOf({ message, hint, location }: Failure): string {
  const place = location && fileLocation(location);
  const where = place === undefined ? '' : `${place.file}:${place.line}: `;
  return `${where}${message}${hint === undefined ? '' : `; ${hint}`}`;
}

function readText(root: string, file: string): string {
  try {
    return readFileSync(path.resolve(root, file), 'utf8');
  } catch {
    // The file was just removed.
    return '';
  }
}
