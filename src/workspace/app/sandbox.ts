import { execFile } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { bubblewrapFlags, bubblewrapParameters } from './bubblewrap.ts';
import type { SandboxView } from './sandbox-view.ts';
import { seccompFilter } from './seccomp-filter.ts';
import { loadFilter } from './load-filter.ts';
import { setUpPrograms, unshareFlags, unshareParameters } from './unshare.ts';

const execute = promisify(execFile);

/** A program that confines processes by the operating system. */
export type Sandbox =
  | { readonly kind: 'bubblewrap'; readonly program: string }
  | { readonly kind: 'unshare'; readonly program: string; readonly setpriv: string };

/** The sandbox of this machine, or the reason why there is none. */
export type FoundSandbox = { readonly sandbox: Sandbox } | { readonly missing: string };

/** A command, with the files that it inherits. */
export interface SandboxedCommand {
  readonly program: string;
  readonly parameters: readonly string[];
  /** The file for the descriptor after the channel. @default - none */
  readonly filter?: number;
}

/** Where systems have their programs. Folders of PATH can be those of a pull request: `node_modules/.bin`. */
const programFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];
/** The descriptor after those of output and of the channel. */
const filterDescriptor = 4;

const found = new Map<Sandbox['kind'] | 'any', Promise<FoundSandbox>>();

/** Returns the sandbox of this machine. @param only - the one to use. @default - bubblewrap, else unshare */
export async function findSandbox(only?: Sandbox['kind']): Promise<FoundSandbox> {
  const key = only ?? 'any';
  const searching = found.get(key) ?? search(only);
  found.set(key, searching);
  return await searching;
}

async function search(only: Sandbox['kind'] | undefined): Promise<FoundSandbox> {
  if (process.platform !== 'linux') return { missing: `there is no sandbox for ${process.platform}` };
  const reasons: string[] = [];
  const bubblewrap = programAt('bwrap');
  if (only !== 'unshare') {
    if (bubblewrap === undefined) reasons.push('bubblewrap is not installed');
    else if (await works(bubblewrap, [...bubblewrapFlags, '--ro-bind', '/', '/', '--', '/bin/sh', '-c', ':']))
      return { sandbox: { kind: 'bubblewrap', program: bubblewrap } };
    else reasons.push('the system lets bubblewrap create no user namespace');
  }
  if (only !== 'bubblewrap') {
    const [unshare, setpriv] = setUpPrograms.map(programAt);
    if (
      unshare === undefined ||
      setpriv === undefined ||
      setUpPrograms.some((name) => programAt(name) === undefined)
    )
      reasons.push('unshare and setpriv of util-linux are not installed');
    else if (
      await works(unshare, [...unshareFlags, '/bin/sh', '-c', 'mount -t tmpfs tmpfs "$1"', 'sh', tmpdir()])
    )
      return { sandbox: { kind: 'unshare', program: unshare, setpriv } };
    else reasons.push('the system lets unshare create no user namespace');
  }
  return { missing: reasons.join(', and ') };
}

function programAt(name: string): string | undefined {
  return programFolders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

async function works(program: string, parameters: readonly string[]): Promise<boolean> {
  const running = execute(program, [...parameters], { env: environment, timeout: 10_000 });
  return await running.then(
    () => true,
    () => false,
  );
}

const environment = { PATH: programFolders.join(':') };

/** The memory that a process in the sandbox can fill, in KiB. Bounded, and more than apps need. */
const mostData = 8 * 1024 * 1024;
const mostFiles = 4096;
/** The processes and threads in a sandbox. Node has about 20 threads. */
const mostThreads = 256;

/**
 * Returns the command that runs a command in a sandbox.
 *
 * @param temporary - a folder for what the sandbox needs; apps do not see it as a whole
 */
export function inSandbox(
  sandbox: Sandbox,
  view: SandboxView,
  temporary: string,
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
): SandboxedCommand {
  // A signal to its own process group reaches processes outside of a process namespace.
  const session = sandbox.kind === 'unshare' ? [programAt('setsid') ?? 'setsid'] : [];
  const limited = (parameters: readonly string[]): readonly string[] => [
    '-c',
    `ulimit -c 0; ulimit -n ${mostFiles}; ulimit -d ${mostData}; exec "$@"`,
    'sandbox',
    ...session,
    sandbox.program,
    ...parameters,
  ];
  const inside = insideSandbox(sandbox.kind);
  const filter = inside.canFilter ? openFilter(temporary) : undefined;
  const inner = [
    ...inside.limit,
    ...(sandbox.kind === 'unshare' && filter !== undefined
      ? [perlPlace, ...loadFilter(filterDescriptor)]
      : []),
    ...command,
  ];
  if (sandbox.kind === 'unshare') {
    const folder = path.join(temporary, 'root');
    const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    mkdirSync(folder, { recursive: true });
    return {
      program: '/bin/sh',
      parameters: limited([...unshareParameters(view, folder, sandbox, words, inside.programs), ...inner]),
      ...(filter !== undefined && { filter }),
    };
  }
  const descriptor = filter === undefined ? undefined : filterDescriptor;
  const parameters = bubblewrapParameters(view, descriptor, variables, inside.programs);
  return {
    program: '/bin/sh',
    parameters: limited([...parameters, '--', ...inner]),
    ...(filter !== undefined && { filter }),
  };
}

const [perlPlace, prlimitPlace] = ['/.perl', '/.prlimit'];

/** Programs that a command in a sandbox is started by, which also apps see there. */
interface InsideSandbox {
  readonly programs: ReadonlyMap<string, string>;
  /** Limits the number of threads. Empty if that is not possible. */
  readonly limit: readonly string[];
  readonly canFilter: boolean;
}

function insideSandbox(kind: Sandbox['kind']): InsideSandbox {
  const programs = new Map<string, string>();
  const limit: string[] = [];
  const prlimit = programAt('prlimit');
  if (prlimit !== undefined && countsBySandbox()) {
    programs.set(prlimitPlace, prlimit);
    limit.push(prlimitPlace, `--nproc=${mostThreads}`, '--');
  }
  const perl = programAt('perl');
  if (kind === 'bubblewrap') return { programs, limit, canFilter: true };
  if (perl !== undefined) programs.set(perlPlace, perl);
  return { programs, limit, canFilter: perl !== undefined };
}

/** Whether the kernel counts the threads of each user namespace. Before Linux 5.14, it counts all of the user. */
function countsBySandbox(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

function openFilter(temporary: string): number | undefined {
  const filter = seccompFilter();
  if (filter === undefined) return undefined;
  const file = path.join(temporary, 'filter.bpf');
  writeFileSync(file, filter);
  return openSync(file, 'r');
}

/** Closes the files of a command once it has started. */
export function closeInherited({ filter }: SandboxedCommand): void {
  if (filter !== undefined) closeSync(filter);
}

/** The folders of programs that a sandbox is set up with. */
export const sandboxPath = environment.PATH;
