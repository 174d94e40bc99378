// Measures how fast a process that holds a workspace answers an edit at 100, 1,000 and 10,000 clusters with 20 add-ons: the findings, as
// the language server does, and the plan from the last commit. Beside it are the first answer of the same process, which is what a new
// process computes, and the memory after the first answer and after all edits. An edit changes the value of one configuration in a file
// that is open.
// Run with: node --expose-gc --import tsx bench/editor.ts [--edits N] [CLUSTERS…]
import path from 'node:path';
import { stringify } from 'yaml';
import { LivePlan } from '../src/cli/commands/plan/live/live-plan.ts';
import { argumentsOf } from '../src/cli/commands/plan/plan-arguments.ts';
import { ResidentWorkspace } from '../src/cli/editor/resident-workspace.ts';
import type { Terminal } from '../src/cli/terminal/terminal.ts';
import { changedFiles, type WatchedFiles } from '../src/cli/watch/watched-files.ts';
import { GitRepository } from '../test/e2e/repository.ts';
import { baseState } from './states.ts';

const addOns = 20;
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

const columns = [
  'clusters',
  'answer',
  'first (ms)',
  'an edit, median (ms)',
  'least (ms)',
  'worst (ms)',
  'first by median',
  'elapsed, median (ms)',
  'heap (MB)',
  'heap after all edits (MB)',
];
process.stdout.write(`${row(columns)}${row(columns.map(() => '---'))}`);
for (const clusters of sizes) {
  const repository = new GitRepository();
  try {
    await measure(clusters, repository);
  } finally {
    repository.remove();
  }
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

async function measure(clusters: number, repository: GitRepository): Promise<void> {
  const cwd = repository.root;
  const { objects, fleet } = baseState(clusters, addOns, 1);
  const isConfig = ({ kind }: (typeof objects)[number]): boolean => kind === 'AddOnDeploymentConfig';
  const textOf = (some: typeof objects): string => some.map((object) => stringify(object)).join('---\n');
  const text = textOf(objects.filter(isConfig));
  repository.commit('fleet and apps', {
    'fleet.json': fleet,
    'apps/example/configs.yaml': text,
    'apps/example/objects.yaml': textOf(objects.filter((each) => !isConfig(each))),
  });
  const terminal: Terminal = {
    cwd,
    now: () => Date.now(),
    readInput: async () => await Promise.resolve(new Uint8Array()),
    out: () => undefined,
    err: () => undefined,
    color: false,
  };
  const resident = new ResidentWorkspace(terminal);
  const file = path.join(cwd, 'apps/example/configs.yaml');
  const show = (value: string): void => resident.show(file, text.replace(/(value: )\S+/, `$1${value}`));
  const findings = async (): Promise<void> => {
    const { failure, units } = await resident.answer();
    if (failure !== undefined || units.length === 0) throw new Error(failure ?? 'there is no app');
  };
  const live = new RepeatedPlan({ ...terminal, openFiles: resident.openFiles });
  for (const [name, answer] of Object.entries({ findings, plan: async () => await live.answer() }))
    process.stdout.write(row([clusters, name, ...(await figures(show, answer))]));
  await resident.end();
  await live.end();
}

/** Returns the figures of one kind of answer. */
async function figures(
  show: (value: string) => void,
  answer: () => Promise<void>,
): Promise<readonly string[]> {
  const timed = async (): Promise<Times> => {
    const [start, before] = [performance.now(), process.cpuUsage()];
    await answer();
    const { user, system } = process.cpuUsage(before);
    return { processor: (user + system) / 1000, elapsed: performance.now() - start };
  };
  show('first');
  const { processor: first } = await timed();
  const heap = usedHeap();
  const all: Times[] = [];
  for (let edit = 0; edit < edits; edit += 1) {
    show(`edit-${edit}`);
    all.push(await timed());
  }
  const times = all.map(({ processor }) => processor).sort((a, b) => a - b);
  const median = medianOf(times);
  const milliseconds = [first, median, times[0] ?? 0, times.at(-1) ?? 0].map((time) => time.toFixed(0));
  return [
    ...milliseconds,
    `${(first / median).toFixed(1)} ×`,
    medianOf(all.map(({ elapsed }) => elapsed)).toFixed(0),
    heap.toFixed(0),
    usedHeap().toFixed(0),
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
