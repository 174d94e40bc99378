import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGitServer, type GitServer } from './engines/git-server.ts';

const run = promisify(execFile);

let folder: string;
let server: GitServer;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-git-'));
  server = await startGitServer(folder);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

test('a client clones what a test commits, and cannot push', async () => {
  const repository = server.create('add-ons');
  const file = path.join(repository.folder, 'a.yaml');
  writeFileSync(file, 'a: 1\n');
  repository.commit('First');
  writeFileSync(file, 'a: 2\n');
  const last = repository.commit('Second');

  const clone = path.join(folder, 'clone');
  await run('git', ['clone', '--quiet', repository.url, clone]);
  expect(readFileSync(path.join(clone, 'a.yaml'), 'utf8')).toBe('a: 2\n');
  const { stdout } = await run('git', ['rev-parse', 'HEAD'], { cwd: clone });
  expect(stdout.trim()).toBe(last);
  await expect(run('git', ['push', '--quiet', 'origin', 'HEAD:other'], { cwd: clone })).rejects.toThrow(
    /403/,
  );
});

test('a client clones a private repository with its credentials only', async () => {
  const repository = server.create('private', { username: 'flux', password: 'secret' });
  repository.commit('First');
  const clone = (url: string): Promise<unknown> =>
    run('git', ['-c', 'credential.helper=', 'clone', '--quiet', url, path.join(folder, 'private-clone')], {
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
    });
  await expect(clone(repository.url)).rejects.toThrow(/could not read Username/);
  await expect(clone(repository.url.replace('//', '//flux:wrong@'))).rejects.toThrow(/Authentication failed/);
  await clone(repository.url.replace('//', '//flux:secret@'));
});
