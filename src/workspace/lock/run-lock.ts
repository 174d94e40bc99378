import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  appendFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { DiagnosedError } from '../diagnosed-error.ts';
import { isAlive, thisProcess, type ProcessIdentity } from './process-identity.ts';

/**
 * The folder of the lock, in the folder that it protects. Each run that writes has one entry in it, with a name that no other run
 * ever has: so anyone can remove the entry of a run that has ended, and never removes that of another one.
 */
export const lockFolder = '.fleetwright.lock';

/** What an entry says about its run. */
interface Entry extends ProcessIdentity {
  readonly command: string;
  /** When the run began, for people. */
  readonly since: string;
}

/** How a run waits for another one. */
export interface LockOptions {
  /** The command, for others that wait. */
  readonly command: string;
  /** The current time, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Reports that the run waits. */
  readonly onWait: (text: string) => void;
  /** The longest time to wait, in milliseconds. @default 120_000 */
  readonly longestWait?: number;
}

/** The folders whose locks the current call has. A command that runs other commands, such as `revert`, has the lock for them too. */
const heldFolders = new AsyncLocalStorage<ReadonlySet<string>>();

const longestWaitByDefault = 120_000;
/** A run shows that it is alive this often. */
const heartbeat = 15_000;
/** A run on another host that shows nothing for this long has ended. Every step of a command is shorter. */
const longestSilence = 600_000;

/**
 * Lets one run at a time write below a folder: waits for the run that writes there now, and takes over the lock of a run that has
 * ended without removing it, such as one that was killed.
 *
 * A run first adds its entry, and then has the lock if there is no other one. Otherwise it withdraws its entry and tries again: of
 * two runs that begin at the same time, at most one does not see the other. Within `use`, the lock of the folder can be taken again.
 *
 * @param folder - an absolute path. It is created if it is missing.
 * @throws DiagnosedError if another run still has the lock after the longest wait
 */
export async function withRunLock<T>(
  folder: string,
  options: LockOptions,
  use: () => Promise<T>,
): Promise<T> {
  const held = heldFolders.getStore();
  if (held?.has(folder) === true) return await use();
  const entry = await acquire(folder, options);
  const pulse = setInterval(() => void beat(entry), heartbeat);
  pulse.unref();
  try {
    return await heldFolders.run(new Set([...(held ?? []), folder]), use);
  } finally {
    clearInterval(pulse);
    await release(folder, entry);
  }
}

/** Returns the run that writes below a folder, for people; undefined if there is none. */
export async function runningWriter(folder: string): Promise<string | undefined> {
  const [other] = await liveEntries(path.join(folder, lockFolder), undefined);
  return other === undefined ? undefined : words(other);
}

/** @returns the file of the entry */
async function acquire(folder: string, options: LockOptions): Promise<string> {
  const { onWait, longestWait = longestWaitByDefault } = options;
  const deadline = performance.now() + longestWait;
  let hasReported = false;
  for (;;) {
    const before = await liveEntries(path.join(folder, lockFolder), undefined);
    let other = before[0];
    if (other === undefined) {
      const file = await addEntry(folder, options);
      const others = await liveEntries(path.dirname(file), file);
      other = others[0];
      if (other === undefined) return file;
      await release(folder, file);
    }
    if (performance.now() >= deadline) throw heldBy(other, folder, longestWait);
    if (!hasReported && other !== undefined) onWait(`waiting for ${words(other)}, which writes here`);
    hasReported = true;
    // Two runs that saw each other must not try again at the same moment.
    await sleep(50 + Math.random() * 150);
  }
}

async function addEntry(folder: string, { command, now }: LockOptions): Promise<string> {
  const identity = await thisProcess();
  const entry: Entry = { ...identity, command, since: new Date(now()).toISOString() };
  const inner = path.join(folder, lockFolder);
  const name = `${identity.pid}-${randomUUID()}`;
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(inner, { recursive: true });
      await refuseLink(inner);
      // Git must not list it, and never commit it.
      await writeFile(path.join(inner, '.gitignore'), '*\n');
      const next = path.join(inner, `.${name}`);
      await writeFile(next, `${JSON.stringify(entry)}\n`, { flag: 'wx' });
      // An entry is complete from the moment at which others see it.
      await rename(next, path.join(inner, name));
      return path.join(inner, name);
    } catch (error) {
      // A run that ended has removed the folder in the meantime.
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isGone || attempt === mostAttempts) throw error;
    }
  }
}

const mostAttempts = 100;

/** Returns the entries of runs that have not ended, without that of one file. Removes those of runs that have. */
async function liveEntries(inner: string, own: string | undefined): Promise<readonly LiveEntry[]> {
  await refuseLink(inner);
  const names = await readdir(inner).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const live: LiveEntry[] = [];
  for (const name of names) {
    const file = path.join(inner, name);
    if (!entryName.test(name) || file === own) continue;
    const text = await entryText(file);
    if (text === undefined) continue;
    const entry = entryIn(text);
    const alive = entry === undefined ? undefined : await isAlive(entry);
    // Only here: a run that is alive on this host may be busy, or stopped, for any time.
    const hasEnded = alive === undefined ? await isSilent(inner, file) : !alive;
    if (hasEnded) await rm(file, { force: true }).catch(() => undefined);
    else live.push({ file, entry });
  }
  return live;
}

const entryName = /^[1-9]\d*-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const longestEntry = 4096;

/** Returns undefined if the entry is gone, or is not a small file: everyone who can write the folder can put something there. */
async function entryText(file: string): Promise<string | undefined> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats?.isFile() !== true) return undefined;
  return stats.size > longestEntry ? '' : await readFile(file, 'utf8').catch(() => undefined);
}

/** Entries are written and removed in the folder. Through a link of a pull request, that would happen elsewhere. */
async function refuseLink(inner: string): Promise<void> {
  const stats = await lstat(inner).catch(() => undefined);
  if (stats === undefined || stats.isDirectory()) return;
  throw new DiagnosedError(
    diagnostic('FW9130', {
      message: `${inner} is not a folder, and runs that write could not see each other`,
      hint: 'remove it',
    }),
  );
}

interface LiveEntry {
  readonly file: string;
  /** Absent if this version cannot read it. */
  readonly entry: Entry | undefined;
}

/** Whether an entry has not been touched for too long, by the clock of the file system that has it. */
async function isSilent(inner: string, file: string): Promise<boolean> {
  const probe = path.join(inner, `.${randomUUID()}`);
  try {
    await writeFile(probe, '');
    const [now, touched] = await Promise.all([stat(probe), stat(file)]);
    return now.mtimeMs - touched.mtimeMs > longestSilence;
  } catch {
    // The entry is gone, or a reader may not write here.
    return false;
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

async function beat(entry: string): Promise<void> {
  // Written, so that the time is that of the file system. An entry that was removed by hand stays so.
  const flag = constants.O_WRONLY | constants.O_APPEND;
  await appendFile(entry, '\n', { flag }).catch(() => undefined);
}

async function release(folder: string, entry: string): Promise<void> {
  const inner = path.join(folder, lockFolder);
  await rm(entry, { force: true });
  const others = await readdir(inner).catch(() => []);
  if (others.some((name) => name !== '.gitignore')) return;
  await rm(path.join(inner, '.gitignore'), { force: true });
  // Another run may just have added its entry.
  await rmdir(inner).catch(() => undefined);
}

function entryIn(text: string): Entry | undefined {
  try {
    const entry = JSON.parse(text) as Readonly<Record<keyof Entry, unknown>>;
    const { pid, host, scope, started, command, since } = entry;
    if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return undefined;
    if (typeof host !== 'string' || typeof scope !== 'string') return undefined;
    if (typeof command !== 'string' || typeof since !== 'string') return undefined;
    return { pid, host, scope, command, since, ...(typeof started === 'string' && { started }) };
  } catch {
    return undefined;
  }
}

function words({ entry, file }: LiveEntry): string {
  if (entry === undefined) return `the run of ${path.basename(file)}`;
  const { command, pid, host, since } = entry;
  return `fleetwright ${command} (process ${pid} on ${host}, since ${since.replace(/\.\d+Z$/, 'Z')})`;
}

function heldBy(other: LiveEntry, folder: string, waited: number): DiagnosedError {
  return new DiagnosedError(
    diagnostic('FW9130', {
      message: `${words(other)} writes in ${folder}, and did not end within ${Math.round(waited / 1000)} s`,
      hint: `wait for it, or end it; if it has ended, remove ${other.file}`,
    }),
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
