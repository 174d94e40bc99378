import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { thisProcess } from '../../src/workspace/lock/process-identity.ts';
import { lockFolder, runningWriter, withRunLock } from '../../src/workspace/lock/run-lock.ts';

let folder: string;
let entries: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-lock-'));
  entries = path.join(folder, lockFolder);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const uuid = '0c1c4ac2-63a3-4c22-b0b4-2f5a1ad8d2c5';

/** Leaves the entry of another run. */
function entry(content: object | string, age = 0): string {
  mkdirSync(entries, { recursive: true });
  const file = path.join(entries, `4711-${uuid}`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  const time = Date.now() / 1000 - age;
  utimesSync(file, time, time);
  return file;
}

async function locked(
  longestWait = 300,
): Promise<{ readonly waited: readonly string[]; readonly error?: string }> {
  const waited: string[] = [];
  const options = {
    command: 'synth',
    now: () => Date.parse('2026-06-01T00:00:00Z'),
    onWait: (text: string) => void waited.push(text),
    longestWait,
  };
  try {
    await withRunLock(folder, options, async () => {
      expect(await runningWriter(folder)).toMatch(
        /^fleetwright synth \(process \d+ on .+, since 2026-06-01T00:00:00Z\)$/,
      );
    });
    expect(existsSync(entries)).toBe(false);
    return { waited };
  } catch (error) {
    return { waited, error: error instanceof Error ? error.message : String(error) };
  }
}

const other = { command: 'promote', since: '2026-05-31T23:59:00Z' };

describe('the lock of a workspace (FW9130)', () => {
  test('lets one of many runs write at a time, and leaves nothing', async () => {
    let [running, most, done] = [0, 0, 0];
    const run = async (): Promise<void> => {
      const options = { command: 'synth', now: () => 0, onWait: () => undefined };
      await withRunLock(folder, options, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        done += 1;
      });
    };
    await Promise.all(Array.from({ length: 6 }, run));
    expect({ most, done, left: readdirSync(folder) }).toEqual({ most: 1, done: 6, left: [] });
  }, 60_000);

  test('can be taken again by the run that has it, and by no other one', async () => {
    const options = { command: 'revert', now: () => 0, onWait: () => undefined, longestWait: 300 };
    const inner = await withRunLock(folder, options, async () => {
      const again = await withRunLock(folder, { ...options, command: 'synth' }, async () => {
        return await runningWriter(folder);
      });
      return [again, await runningWriter(folder)];
    });
    const writer = expect.stringMatching(/^fleetwright revert /) as unknown;
    expect(inner).toEqual([writer, writer]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is released by a failure', async () => {
    const options = { command: 'synth', now: () => 0, onWait: () => undefined };
    await expect(
      withRunLock(folder, options, async () => await Promise.reject(new Error('x'))),
    ).rejects.toThrow('x');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('reports who has it, and how it ends', async () => {
    const file = entry({ ...(await thisProcess()), ...other });
    const { waited, error } = await locked();
    const writer = `fleetwright promote (process ${process.pid} on ${hostname()}, since 2026-05-31T23:59:00Z)`;
    expect(waited).toEqual([`waiting for ${writer}, which writes here`]);
    expect(error).toBe(`${writer} writes in ${folder}, and did not end within 0 s`);
    expect(existsSync(file)).toBe(true);
  });

  test.runIf(process.platform === 'linux')('is taken from a process that was killed, at once', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
    children.push(child);
    await once(child, 'spawn');
    const started = await startOf(child.pid);
    entry({ ...(await thisProcess()), pid: child.pid, started, ...other });
    expect((await locked()).error).toContain('did not end within');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await locked()).toEqual({ waited: [] });
  });

  test('is taken from a process whose pid another one has now', async () => {
    entry({ ...(await thisProcess()), started: '1', ...other });
    expect(await locked()).toEqual({ waited: [] });
  });

  test.each([
    ['another host', { host: 'elsewhere' }],
    ['another container, which has other pids', { scope: 'linux other pid:[1]' }],
  ])('is taken from %s only after ten silent minutes', async (_, parts) => {
    const content = { ...(await thisProcess()), ...other, ...parts };
    entry(content, 590);
    expect((await locked()).error).toContain('did not end within');
    entry(content, 610);
    expect(await locked()).toEqual({ waited: [] });
  });

  test('of an unreadable entry is held until it is old', async () => {
    entry('{');
    expect((await locked()).error).toContain(`the run of 4711-${uuid} writes in`);
    entry('{', 700);
    expect(await locked()).toEqual({ waited: [] });
  });

  test('is not written through a link, and no other file is removed', async () => {
    const precious = path.join(folder, 'precious');
    mkdirSync(precious);
    writeFileSync(path.join(precious, 'old'), '');
    utimesSync(path.join(precious, 'old'), 0, 0);
    symlinkSync(precious, entries);
    expect((await locked()).error).toContain('is not a folder, and runs that write could not see each other');
    expect(readdirSync(precious)).toEqual(['old']);
  });
});

async function startOf(pid: number | undefined): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid ?? 0}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}
