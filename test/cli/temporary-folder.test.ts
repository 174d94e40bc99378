import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withTemporaryFolder } from '../../cli/temporary-folder.ts';

const module = path.resolve('cli/temporary-folder.ts');

/** Ends a process in one of two ways while it has a folder; says how it ended, and whether the folder is still there. */
async function ended(how: 'an app ends it' | NodeJS.Signals): Promise<object> {
  const script = `
    import { writeFileSync } from 'node:fs';
    import { withTemporaryFolder } from ${JSON.stringify(module)};
    await withTemporaryFolder('fleetwright-test-', async (folder) => {
      writeFileSync(folder + '/file', 'content');
      process.stdout.write(folder);
      ${how === 'an app ends it' ? 'process.exit(7);' : 'await new Promise((resolve) => setTimeout(resolve, 60_000));'}
    });`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let folder = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    folder += text;
    if (how !== 'an app ends it') child.kill(how);
  });
  return await new Promise((resolve) =>
    child.on('close', (code, signal) =>
      resolve({ code, signal, wasThere: folder !== '', isThere: existsSync(folder) }),
    ),
  );
}

describe('a temporary folder', () => {
  it('is gone when the work with it is over, also where that fails', async () => {
    const folders: string[] = [];
    const use = async (folder: string): Promise<string> => {
      folders.push(folder);
      await writeFile(path.join(folder, 'file'), 'content');
      if (folders.length === 2) throw new Error('failed');
      return 'result';
    };
    const listeners = process.listenerCount('SIGINT');
    expect(await withTemporaryFolder('fleetwright-test-', use)).toBe('result');
    await expect(withTemporaryFolder('fleetwright-test-', use)).rejects.toThrow('failed');
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, false]);
    expect(process.listenerCount('SIGINT')).toBe(listeners);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'is gone after %s, which ends the process as ever',
    async (signal) => {
      expect(await ended(signal)).toEqual({ code: null, signal, wasThere: true, isThere: false });
    },
  );

  it('is gone where an app ends the process', async () => {
    expect(await ended('an app ends it')).toEqual({ code: 7, signal: null, wasThere: true, isThere: false });
  });
});
