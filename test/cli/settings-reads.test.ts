import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SettingsFiles } from '../../src/workspace/settings/settings-files.ts';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const { readFileSync } = fs;
let reads: string[] = [];
/** Only reads below it count: commands of other files in this process can still be ending. */
let folder = '';

beforeAll(() => {
  fs.readFileSync = ((file: unknown, ...options: readonly unknown[]) => {
    const text: unknown = Reflect.apply(readFileSync, fs, [file, ...options]);
    const name = String(file);
    if (name.startsWith(folder + path.sep) && name.endsWith('fleetwright.yaml'))
      reads.push(path.basename(path.dirname(name)));
    return text;
  }) as typeof readFileSync;
  syncBuiltinESMExports();
});

beforeEach(() => {
  reads = [];
});

afterAll(() => {
  fs.readFileSync = readFileSync;
  syncBuiltinESMExports();
});

async function workspace(): Promise<string> {
  const files = (root: string) => ({
    [`${root}/apps/hello/hub.yaml`]: app,
    [`${root}/fleet.yaml`]: fleetOf(clusters),
    [`${root}/fleetwright.yaml`]: "engine: flux\nhubVersion: '1.2'\nguardrails: { maxUninstalls: 9 }\n",
  });
  folder = await folderWith({ ...files('now'), ...files('old') });
  return folder;
}

test.each([
  ['synth'],
  ['synth', '--check'],
  ['validate'],
  ['validate', 'apps/hello'],
  ['resolve', 'apps/hello'],
  ['rollout', 'apps/hello'],
  ['render', 'c1', 'hello'],
  ['explain', 'c1', 'hello'],
  ['doctor'],
  ['import', 'apps/hello/hub.yaml', '--out', 'apps/copy'],
  ['machine', 'generate', 'apps/hello'],
])('%s %s reads fleetwright.yaml once', async (...words) => {
  const cwd = path.join(await workspace(), 'now');
  await runIn(cwd, words);
  expect(reads).toEqual(['now']);
});

test('plan reads it once per state', async () => {
  const cwd = await workspace();
  expect((await runIn(cwd, ['plan', 'old', 'now'])).err).toBe('');
  expect(reads.toSorted((a, b) => a.localeCompare(b))).toEqual(['now', 'old']);
});

test('a file that changes is read anew by the next run only', async () => {
  const cwd = await folderWith({ 'fleetwright.yaml': 'engine: flux\n' });
  const run = new SettingsFiles();
  const read = async (files: SettingsFiles) =>
    (await files.read('fleetwright.yaml', cwd))?.written.engine ?? 'none';
  expect(await read(run)).toBe('flux');
  await writeFile(path.join(cwd, 'fleetwright.yaml'), 'engine: argocd\n');
  expect(await read(run)).toBe('flux');
  expect(await read(new SettingsFiles())).toBe('argocd');
});
