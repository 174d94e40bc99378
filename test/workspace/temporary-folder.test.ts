import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { withTemporaryFolder } from '../../src/workspace/temporary-folder.ts';

const module = path.resolve('src/workspace/temporary-folder.ts');

/** Ends a process in one of two ways while it has a folder; says how it ended, and whether the folder is still there. */
async function ended(how: 'an app ends it' | NodeJS.Signals, isBusy = false): Promise<object> {
  const script = `
    import { writeFileSync } from 'node:fs';
    import { withTemporaryFolder } from ${JSON.stringify(module)};
    await withTemporaryFolder('fleetwright-test-', async (folder) => {
      writeFileSync(folder + '/file', 'content');
      process.stdout.write(folder);
      ${how === 'an app ends it' ? 'process.exit(7);' : isBusy ? 'for (;;);' : 'await new Promise((resolve) => setTimeout(resolve, 60_000));'}
    });`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let folder = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    folder += text;
    if (how !== 'an app ends it') child.kill(how);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  // The process that removes it outlives this one.
  await vi.waitUntil(() => !existsSync(folder), { timeout: 60_000 });
  return { code, signal, wasThere: folder !== '' };
}

describe('a temporary folder', () => {
  it('is removed when the work with it is over, even if that fails', async () => {
    const folders: string[] = [];
    const use = async (folder: string): Promise<string> => {
      folders.push(folder);
      await writeFile(path.join(folder, 'file'), 'content');
      if (folders.length === 2) throw new Error('failed');
      return 'result';
    };
    expect(await withTemporaryFolder('fleetwright-test-', use)).toBe('result');
    await expect(withTemporaryFolder('fleetwright-test-', use)).rejects.toThrow('failed');
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, false]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'is gone after %s, which ends the process as ever',
    async (signal) => {
      expect(await ended(signal)).toEqual({ code: null, signal, wasThere: true });
    },
  );

  it('is gone after a signal while the process is busy, which ends it anyway', async () => {
    expect(await ended('SIGINT', true)).toEqual({ code: null, signal: 'SIGINT', wasThere: true });
  });

  it('is removed if an app ends the process', async () => {
    expect(await ended('an app ends it')).toEqual({ code: 7, signal: null, wasThere: true });
  });
});
