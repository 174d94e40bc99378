// npm run fuzz:inputs -- --count 10000 --seed 1 --command synth
//
// Runs commands on mutated inputs, in a process that is ended where one does not end, and saves the inputs that a command does not
// take as it should.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { InputMaker } from './input.ts';
import { runInput, writeInput, type Problem } from './run-input.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    command: { type: 'string' },
    worker: { type: 'boolean', default: false },
  },
});
const [first, count] = [Number(values.seed), Number(values.count)];
if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count)) {
  process.stderr.write('usage: npm run fuzz:inputs -- [--seed N] [--count N] [--command NAME]\n');
  process.exit(2);
}

/** What the worker reports of one input. */
interface Report {
  readonly seed: number;
  readonly command: readonly string[];
  readonly code: number | undefined;
  readonly problems: readonly Problem[];
}

/** One of this number of inputs is run a second time, and must have the same answer. */
const repeated = 50;
/** Wall time in milliseconds after which an input hangs. The worker itself judges the processor time. */
const patience = 60_000;
const found = path.join(import.meta.dirname, 'found');

await (values.worker ? work() : supervise());

async function work(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-fuzz-'));
  const maker = new InputMaker();
  process.once('disconnect', () => process.exit());
  try {
    for (let seed = first; seed < first + count; seed++) {
      const { input, command } = maker.input(seed, values.command);
      process.send?.({ seed, command, code: undefined, problems: [] } satisfies Report);
      const { code, out, err, problems } = await runInput(input, command, folder);
      const all = [...problems];
      if (seed % repeated === 0) {
        const again = await runInput(input, command, folder);
        if (again.code !== code || again.out !== out || again.err !== err)
          all.push({
            what: 'has another answer the second time',
            detail: `${out}${err}\n---\n${again.out}${again.err}`,
          });
      }
      process.send?.({ seed, command, code: code ?? -1, problems: all } satisfies Report);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    process.disconnect();
  }
}

async function supervise(): Promise<void> {
  const maker = new InputMaker();
  const codes = new Map<string, number>();
  const reported = new Map<string, number>();
  let done = 0;
  const fail = async ({ seed, command, problems }: Report): Promise<void> => {
    process.exitCode = 1;
    for (const { what, detail } of problems) {
      // The same problem has many inputs.
      const name = `${command[0]} ${what} ${detail.replaceAll(/\d+/g, 'N').slice(0, 200)}`;
      reported.set(name, (reported.get(name) ?? 0) + 1);
      if (reported.get(name) !== 1) continue;
      const folder = path.join(found, String(seed));
      const { input } = maker.input(seed, values.command);
      await writeInput(input, path.join(folder, 'workspace'));
      await writeFile(path.join(folder, 'stdin'), input.list);
      await writeFile(path.join(folder, 'problem.txt'), `${command.join(' ')}\n${what}\n${detail}\n`);
      process.stdout.write(
        `seed ${seed}: ${JSON.stringify(command)} ${what}, saved in ${path.relative('.', folder)}\n${detail.slice(0, 600)}\n`,
      );
    }
  };
  let next = first;
  while (next < first + count) {
    const unanswered = await superviseWorker(next, first + count - next, async (report) => {
      next = report.seed + 1;
      done += 1;
      const key = `${report.command[0]} ${report.code}`;
      codes.set(key, (codes.get(key) ?? 0) + 1);
      if (done % 1000 === 0) process.stderr.write(`${done} of ${count} inputs\n`);
      if (report.problems.length > 0) await fail(report);
    });
    if (unanswered === undefined) break;
    await fail(unanswered);
    next = unanswered.seed + 1;
    done += 1;
  }
  const rows = [...codes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, times]) => `  ${key}: ${times}\n`);
  process.stdout.write(`${done} inputs from seed ${first} on; command, exit code: number\n${rows.join('')}`);
  for (const [name, times] of reported) process.stdout.write(`${times} × ${name.split('\n', 1)[0]}\n`);
}

/**
 * Runs inputs in a process until one does not end, or ends the process.
 *
 * @returns that input; undefined if all of them ended
 */
async function superviseWorker(
  seed: number,
  left: number,
  onReport: (report: Report) => Promise<void>,
): Promise<Report | undefined> {
  const parameters = ['--worker', '--seed', String(seed), '--count', String(left)];
  if (values.command !== undefined) parameters.push('--command', values.command);
  const child = fork(import.meta.filename, parameters, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const pending: Promise<void>[] = [];
  const begun: Report[] = [];
  let timer: NodeJS.Timeout | undefined;
  child.on('message', (message) => {
    const report = message as Report;
    clearTimeout(timer);
    if (report.code === undefined) {
      begun.push(report);
      timer = setTimeout(() => child.kill('SIGKILL'), patience);
    } else {
      begun.length = 0;
      pending.push(onReport(report));
    }
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  await Promise.all(pending);
  const [last] = begun;
  if (last === undefined && code !== 0) throw new Error(`the worker ended with ${code} between two inputs`);
  const what = code === null ? 'does not end' : 'ends the process';
  return last && { ...last, problems: [{ what, detail: `exit code ${code}` }] };
}
