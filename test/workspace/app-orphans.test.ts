import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { folderWith } from '../cli/terminal.ts';

const root = path.resolve(import.meta.dirname, '../..');

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

// Such an app is not confined, so that it can write which process it is. Confined apps run in the same way.
test.each([
  ['loops', 'for (;;);'],
  [
    'waits, and ignores signals',
    "process.on('SIGTERM', () => {}); await new Promise(() => setInterval(() => {}, 60_000));",
  ],
])('the process of an app that %s ends with a command that is killed', async (_what, code) => {
  const folder = await folderWith({
    'package.json': '{ "type": "module" }',
    'fleetwright.yaml': 'apps: { unconfined: [endless] }\n',
    'apps/endless/app.ts': `import { renameSync, writeFileSync } from 'node:fs';
writeFileSync('pid.next', String(process.pid));
renameSync('pid.next', 'pid');
${code}`,
  });
  await mkdir(path.join(folder, 'node_modules'));
  await symlink(root, path.join(folder, 'node_modules/fleetwright'));
  const tsx = pathToFileURL(path.join(root, 'node_modules/tsx/dist/loader.mjs')).href;
  const command = spawn(
    process.execPath,
    ['--import', tsx, path.join(root, 'src/cli/startup/main.ts'), 'synth'],
    {
      cwd: folder,
      stdio: 'ignore',
    },
  );
  const ended = once(command, 'exit');
  const file = path.join(folder, 'pid');
  await expect.poll(() => existsSync(file), { interval: 50 }).toBe(true);
  const pid = Number(await readFile(file, 'utf8'));
  try {
    expect(isAlive(pid)).toBe(true);
    command.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    await expect.poll(() => isAlive(pid), { interval: 50, timeout: 20_000 }).toBe(false);
  } finally {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
});
