// Measures `fleetwright lsp` as a process at 100, 1,000 and 10,000 clusters with 20 add-ons, as an editor sees it: the time from an edit to
// the page of the plan, which comes after the findings, without the pause in which the server waits for the next key; and its peak memory
// beside that of `plan HEAD` for the same workspace.
// Run with: npm run build && node --import tsx bench/language-server.ts [--edits N] [CLUSTERS…]
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { settlingTime } from '../src/cli/editor/language-server.ts';
import { planMethods } from '../src/cli/editor/plan-panel.ts';
import { type EditedRepository, measureSizes, printRow } from './edited-repository.ts';
import { processCost } from './process-cost.ts';

const program = path.resolve(import.meta.dirname, '../build/fleetwright.mjs');
const words = process.argv.slice(2);
const edits = words[0] === '--edits' ? Number(words[1]) : 80;
const named = words.slice(words[0] === '--edits' ? 2 : 0).map(Number);
const sizes = named.length > 0 ? named : [100, 1000, 10_000];

/** An editor with one open file and the panel of the plan. */
class Editor {
  readonly #server: ChildProcess;
  readonly #connection: MessageConnection;
  readonly #uri: string;
  readonly #start = performance.now();
  #version = 1;

  constructor({ root, file }: EditedRepository) {
    this.#uri = pathToFileURL(file).href;
    this.#server = spawn(process.execPath, [program, 'lsp'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { stdin, stdout } = this.#server;
    if (stdin === null || stdout === null) throw new Error('the server has no streams');
    this.#connection = createMessageConnection(
      new StreamMessageReader(stdout),
      new StreamMessageWriter(stdin),
    );
    this.#connection.listen();
  }

  /** Returns the milliseconds until the first page of the plan arrives, from the start of the process. */
  async open(text: string): Promise<number> {
    const rootUri = pathToFileURL(path.dirname(this.#uri)).href;
    await this.#connection.sendRequest('initialize', { processId: process.pid, rootUri, capabilities: {} });
    await this.#connection.sendNotification('initialized', {});
    await this.#connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: this.#uri, languageId: 'yaml', version: 1, text },
    });
    const page = this.#nextPage();
    await this.#connection.sendRequest(planMethods.show);
    await page;
    return performance.now() - this.#start;
  }

  /** Returns the milliseconds until the page of the plan arrives. */
  async edit(text: string): Promise<number> {
    this.#version += 1;
    const page = this.#nextPage();
    const start = performance.now();
    await this.#connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: this.#uri, version: this.#version },
      contentChanges: [{ text }],
    });
    await page;
    return performance.now() - start;
  }

  async #nextPage(): Promise<void> {
    await new Promise<void>((resolve) => {
      const listening = this.#connection.onNotification(planMethods.page, () => {
        listening.dispose();
        resolve();
      });
    });
  }

  /** The peak memory of the server, in bytes. */
  get peakMemory(): number {
    const status = readFileSync(`/proc/${this.#server.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  async close(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#server.on('close', () => resolve()));
    await this.#connection.sendRequest('shutdown');
    await this.#connection.sendNotification('exit');
    await ended;
    this.#connection.dispose();
  }
}

const columns = [
  'clusters',
  'first plan',
  'an edit to the plan, median',
  'least',
  'worst',
  'peak of lsp',
  'peak of plan',
  'ratio',
];
await measureSizes(columns, sizes, measure);

async function measure(clusters: number, repository: EditedRepository): Promise<void> {
  const editor = new Editor(repository);
  const first = await editor.open(repository.textWith());
  const times: number[] = [];
  for (let edit = 0; edit < edits; edit += 1) {
    // A page of the state before must not count.
    await sleep(300);
    times.push((await editor.edit(repository.textWith(`edit-${edit}`))) - settlingTime);
  }
  const { peakMemory } = editor;
  await editor.close();
  const plan = await processCost(process.execPath, [program, 'plan', 'HEAD'], { cwd: repository.root });
  times.sort((a, b) => a - b);
  printRow([
    clusters,
    ...[first, times[Math.floor(edits / 2)], times[0], times.at(-1)].map(
      (time = 0) => `${time.toFixed(0)} ms`,
    ),
    ...[peakMemory, plan.peakMemory].map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`),
    (peakMemory / plan.peakMemory).toFixed(2),
  ]);
}
