// Measures how fast a process that holds a workspace answers an edit at 100, 1,000 and 10,000 clusters with 20 add-ons: the findings, as
// the language server does, the plan from the last commit, and both, as an editor does that shows the plan. Beside it are the first answer
// of the same process, which is what a new process computes, a complete answer with nothing kept but the compiled code, and the memory
// after the first answer and after all edits. An edit changes the value of one configuration in a file that is open.
// Run with: node --expose-gc --import tsx bench/editor.ts [--edits N] [CLUSTERS…]
import { LivePlan } from '../src/cli/commands/plan/live/live-plan.ts';
import { argumentsOf } from '../src/cli/commands/plan/plan-arguments.ts';
import { ResidentWorkspace } from '../src/cli/editor/resident-workspace.ts';
import type { Terminal } from '../src/cli/terminal/terminal.ts';
import { changedFiles, type WatchedFiles } from '../src/cli/watch/watched-files.ts';
import { type EditedRepository, measureSizes, printRow } from './edited-repository.ts';

const words = process.argv.slice(2);
const edits = words[0] === '--edits' ? Number(words[1]) : 20;
const named = words.slice(words[0] === '--edits' ? 2 : 0).map(Number);
const sizes = named.length > 0 ? named : [100, 1000, 10_000];

/** The plan that a panel of the editor shows: it follows the edits. */
class RepeatedPlan {
  readonly #plan: LivePlan;
  #files: WatchedFiles = new Map();

  constructor(terminal: Terminal) {
    this.#plan = new LivePlan(argumentsOf('HEAD'), terminal);
  }

  async answer(): Promise<void> {
    const files = await this.#plan.read();
    const changed = changedFiles(this.#files, files);
    this.#files = files;
    if (changed.length > 0) await this.#plan.forget(changed);
    await this.#plan.answer(async (answer) => {
      if ('errors' in answer) throw new Error('there is no plan');
      await Promise.resolve();
    });
  }

  async end(): Promise<void> {
    await this.#plan.end();
  }
}

/** What a process holds for an editor with one open file. */
class HeldWorkspace {
  readonly #resident: ResidentWorkspace;
  readonly #plan: RepeatedPlan;

  constructor(cwd: string) {
    const terminal: Terminal = {
      cwd,
      now: () => Date.now(),
      readInput: async () => await Promise.resolve(new Uint8Array()),
      out: () => undefined,
      err: () => undefined,
      color: false,
    };
    this.#resident = new ResidentWorkspace(terminal);
    const { openFiles, contents: keptContents } = this.#resident;
    this.#plan = new RepeatedPlan({ ...terminal, openFiles, keptContents });
  }

  show(file: string, text: string): void {
    this.#resident.show(file, text);
  }

  async findings(): Promise<void> {
    const { failure, units } = await this.#resident.answer();
    if (failure !== undefined || units.length === 0) throw new Error(failure?.message ?? 'there is no app');
  }

  async plan(): Promise<void> {
    await this.#plan.answer();
  }

  async both(): Promise<void> {
    await this.findings();
    await this.plan();
  }

  async end(): Promise<void> {
    await this.#resident.end();
    await this.#plan.end();
  }
}

/** Complete answers with nothing kept, of which the median counts. */
const recomputations = 3;

const columns = [
  'clusters',
  'answer',
  'first (ms)',
  'recomputed (ms)',
  'an edit, median (ms)',
  'least (ms)',
  'worst (ms)',
  'median by recomputed',
  'elapsed, median (ms)',
  'heap (MB)',
  'heap after all edits (MB)',
];
await measureSizes(columns, sizes, measure);

async function measure(clusters: number, repository: EditedRepository): Promise<void> {
  const { root, file } = repository;
  const held = new HeldWorkspace(root);
  const recomputed = async (question: Question): Promise<Times> => {
    const fresh = new HeldWorkspace(root);
    fresh.show(file, repository.textWith('recomputed'));
    const times = await timed(async () => await fresh[question]());
    await fresh.end();
    return times;
  };
  for (const question of ['findings', 'plan', 'both'] as const) {
    const show = (value: string): void => held.show(file, repository.textWith(`${question}-${value}`));
    const answer = async (): Promise<void> => await held[question]();
    const figuresOfEdits = await figures(show, answer, async () => await recomputed(question));
    printRow([clusters, question, ...figuresOfEdits]);
  }
  await held.end();
}

type Question = 'findings' | 'plan' | 'both';

async function timed(answer: () => Promise<void>): Promise<Times> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await answer();
  const { user, system } = process.cpuUsage(before);
  return { processor: (user + system) / 1000, elapsed: performance.now() - start };
}

/** Returns the figures of one kind of answer. */
async function figures(
  show: (value: string) => void,
  answer: () => Promise<void>,
  recompute: () => Promise<Times>,
): Promise<readonly string[]> {
  show('first');
  const { processor: first } = await timed(answer);
  const heap = usedHeap();
  const all: Times[] = [];
  for (let edit = 0; edit < edits; edit += 1) {
    show(`edit-${edit}`);
    all.push(await timed(answer));
  }
  const heapAfter = usedHeap();
  const complete: number[] = [];
  for (let time = 0; time < recomputations; time += 1) complete.push((await recompute()).processor);
  const recomputed = medianOf(complete);
  const times = all.map(({ processor }) => processor).sort((a, b) => a - b);
  const median = medianOf(times);
  return [
    ...[first, recomputed, median, times[0] ?? 0, times.at(-1) ?? 0].map((time) => time.toFixed(0)),
    (median / recomputed).toFixed(2),
    medianOf(all.map(({ elapsed }) => elapsed)).toFixed(0),
    heap.toFixed(0),
    heapAfter.toFixed(0),
  ];
}

/** What an answer takes, in milliseconds. */
interface Times {
  /** Of all processors, also for the collection of memory. */
  readonly processor: number;
  /** On a busy machine, much more. */
  readonly elapsed: number;
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** Returns the memory in use after a collection, in megabytes. */
function usedHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
