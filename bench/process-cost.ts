import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** The resources that a process used from its start to its end. */
export interface ProcessCost {
  readonly seconds: number;
  /** Seconds of processor time, which does not depend on other users of the machine. */
  readonly cpuSeconds: number;
  /** Peak memory in bytes. */
  readonly peakMemory: number;
  /** Its standard output, if it is kept. Otherwise empty. */
  readonly out: string;
  /** Its standard error. */
  readonly err: string;
}

/** Clock ticks per second in /proc: USER_HZ, which is 100 on every Linux. */
const ticks = 100;

export interface ProcessOptions {
  /** @default - the working folder of the bench */
  readonly cwd?: string;
  /** The exit codes of success. @default 0 */
  readonly exitCodes?: readonly number[];
  /** Environment variables, in addition to those of this process. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the standard output is returned. @default - it is discarded */
  readonly keepsOutput?: boolean;
}

/** Runs a program to its end. Reads /proc, so it works only on Linux. */
export async function processCost(
  program: string,
  parameters: readonly string[],
  { cwd, exitCodes = [0], env = {}, keepsOutput = false }: ProcessOptions = {},
): Promise<ProcessCost> {
  const start = performance.now();
  const child = spawn(program, parameters, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', keepsOutput ? 'pipe' : 'ignore', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  let peakMemory = 0;
  let cpuSeconds = 0;
  const look = async (): Promise<void> => {
    const [status, stat] = await Promise.all(
      ['status', 'stat'].map((name) => readFile(`/proc/${child.pid}/${name}`, 'utf8').catch(() => '')),
    );
    const memory = /^VmHWM:\s*(\d+) kB$/m.exec(status ?? '')?.[1];
    if (memory !== undefined) peakMemory = Number(memory) * 1024;
    // behind the name in brackets: state is field 3, utime 14 and stime 15
    const fields = (stat ?? '').replace(/^.*\) /s, '').split(' ');
    const used = (Number(fields[11]) + Number(fields[12])) / ticks;
    if (used > cpuSeconds) cpuSeconds = used;
  };
  const looking = setInterval(() => void look(), 20);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  clearInterval(looking);
  if (!exitCodes.includes(code ?? -1)) throw new Error(`${program} ended with ${code}: ${err}`);
  return { seconds: (performance.now() - start) / 1000, cpuSeconds, peakMemory, out, err };
}
