import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A process, as other processes recognize it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /**
   * The set of processes in which the pid means something: one start of the operating system, and on Linux one pid namespace. Two
   * containers can have the same host name.
   */
  readonly scope: string;
  /** When the process started, as the operating system writes it: another process can get the pid later. @default - unknown */
  readonly started?: string;
}

/** The start of a process that has ended. */
const ended = 'ended';

/** Returns the identity of this process. */
export async function thisProcess(): Promise<ProcessIdentity> {
  const { pid } = process;
  const [scope, started] = await Promise.all([scopeOfPids(), startOf(pid)]);
  return { pid, host: hostname(), scope, ...(started !== undefined && { started }) };
}

/** Whether a process is alive; undefined if this process cannot know, for example because it is on another host. */
export async function isAlive({ pid, host, scope, started }: ProcessIdentity): Promise<boolean | undefined> {
  if (host !== hostname() || scope !== (await scopeOfPids())) return undefined;
  if (!exists(pid)) return false;
  const current = await startOf(pid);
  if (current === ended) return false;
  if (started === undefined || current === undefined) return undefined;
  return current === started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user may not be signaled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function scopeOfPids(): Promise<string> {
  const [boot, namespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return [process.platform, boot.trim(), namespace].filter((part) => part !== '').join(' ');
}

/** Returns undefined if the process has ended, or the operating system does not reveal it. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // The name of the program is in parentheses and may contain spaces. The state is field 3 of the line, the start field 22.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    // A process that was killed remains until its parent takes notice.
    return fields[0] === 'Z' || fields[0] === 'X' ? ended : fields[19];
  }
  const answer = await execute('ps', ['-o', 'lstart=', '-p', String(pid)], {
    env: { ...process.env, LC_ALL: 'C' },
  }).catch(() => undefined);
  const started = answer?.stdout.trim() ?? '';
  return started === '' ? undefined : started;
}
