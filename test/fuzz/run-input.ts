import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../../src/cli/run.ts';
import type { FuzzInput } from './input.ts';

/** What no command may do with any input. */
export interface Problem {
  readonly what: string;
  /** What was printed, as far as it matters. */
  readonly detail: string;
}

/** What a command did with an input. */
export interface Outcome extends Ran {
  readonly problems: readonly Problem[];
}

interface Ran {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** The processor time that one command may take, in seconds. */
const mostSeconds = 5;

/** What a user must never see: stacks, places in the code of Fleetwright, and what JavaScript prints of mistakes in it. */
const innards =
  /^\s+at .+:\d+:\d+|unexpected error|internal error|Cannot read propert|is not (?:a function|iterable)|Maximum call stack|\[object Object\]|Invalid (?:array|string) length|Cannot (?:convert|mix) .*BigInt/m;

/** Characters that act on a terminal, or turn the direction of a text. */
const acting = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

/**
 * Writes the files of an input and runs a command there.
 *
 * @param folder - replaced with the files
 */
export async function runInput(
  input: FuzzInput,
  command: readonly string[],
  folder: string,
): Promise<Outcome> {
  await writeInput(input, folder);
  const output = path.join(folder, 'dist');
  const isWriting = command[0] === 'synth';
  const before = isWriting ? await contentOf(output) : '';
  const started = process.cpuUsage();
  const ran = await runCommand(command, input, folder);
  const { user, system } = process.cpuUsage(started);
  const seconds = (user + system) / 1e6;
  const problems = [...wrongWith(ran, command)];
  if (seconds > mostSeconds)
    problems.push({ what: `takes longer than ${mostSeconds} s`, detail: `${seconds.toFixed(1)} s` });
  if (isWriting) {
    const after = await contentOf(output);
    if (ran.code !== 0 && after !== before)
      problems.push({ what: 'leaves a partial output', detail: ran.err });
    if (ran.code === 0 && /"(?:[^"/]*\/)?\.[^"/]+\.(?:next|previous)/.test(after))
      problems.push({ what: 'leaves a temporary folder', detail: after });
    const check = ran.code === 0 ? await runCommand(['synth', '--check'], input, folder) : ran;
    if (ran.code === 0 && check.code !== 0)
      problems.push({ what: 'does not find its own output up to date', detail: `${check.out}${check.err}` });
  }
  return { ...ran, problems };
}

/** Writes an input into a folder, in place of what is there. */
export async function writeInput({ files }: FuzzInput, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

async function runCommand(command: readonly string[], { list }: FuzzInput, cwd: string): Promise<Ran> {
  let out = '';
  let err = '';
  try {
    const code = await run(command, {
      cwd,
      now: () => Date.parse('2026-06-01T00:00:00Z'),
      readInput: () => Promise.resolve(Buffer.from(list)),
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      color: false,
    });
    return { code, out, err };
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { code: undefined, out, err: `${err}${stack}` };
  }
}

function* wrongWith({ code, out, err }: Ran, command: readonly string[]): Generator<Problem> {
  if (code === undefined) yield { what: 'throws', detail: err };
  else if (![0, 1, 2].includes(code)) yield { what: `ends with ${code}`, detail: err };
  else if (innards.test(err)) yield { what: 'shows its innards', detail: err };
  if (acting.test(err)) yield { what: 'prints control characters', detail: JSON.stringify(err) };
  if (code !== 0 && out === '' && err === '') yield { what: 'fails in silence', detail: `exit code ${code}` };
  if (out !== '' && command.includes('json') && !isJson(out))
    yield { what: 'prints invalid JSON', detail: out };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Names and content of everything below a folder. */
async function contentOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return [path.relative(folder, file), entry.isFile() ? await readFile(file, 'base64') : ''] as const;
  });
  return JSON.stringify((await Promise.all(files)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
