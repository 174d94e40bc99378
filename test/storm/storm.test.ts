import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { root } from '../linked-repository.ts';
import type { StormResult } from './storm.ts';

const first = Number(process.env['STORM_SEED'] ?? 1);
const count = Number(process.env['STORM_COUNT'] ?? 20);
const seeds = Array.from({ length: count }, (_, index) => first + index);

// `STORM_SEED=7 STORM_COUNT=1` plays one history again.
test(
  `no state that synth --check accepts deletes what clusters use, in ${count} random histories of Git`,
  { timeout: 60_000 + count * 60_000 },
  async () => {
    const results: StormResult[] = [];
    await play((result) => {
      if (process.env['STORM_COUNT'] !== undefined) process.stderr.write(`${JSON.stringify(result)}\n`);
      results.push(result);
    });
    expect(results.flatMap(({ faults }) => faults)).toEqual([]);
    expect(results.map(({ seed }) => seed).sort((one, other) => one - other)).toEqual(seeds);
    for (const { commits } of results) expect(commits).toBeGreaterThanOrEqual(10);
    const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
    expect(sum(results.map(({ accepted }) => accepted))).toBeGreaterThan(count * 5);
    expect(sum(results.map(({ refused }) => refused))).toBeGreaterThan(0);
  },
);

/**
 * Plays histories in separate small processes. A history starts hundreds of processes of Git, and to start one costs ten times
 * as much in a process that has all tests in its memory.
 */
async function play(onResult: (result: StormResult) => void): Promise<void> {
  const program = path.join(root, 'test/storm/bin/play.mjs');
  await build({
    entryPoints: [path.join(root, 'test/storm/play.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'error',
    // The bundle is in another folder than the modules that look for files.
    define: { 'import.meta.dirname': JSON.stringify(path.join(root, 'test')) },
  });
  const workers = Math.min(2, availableParallelism());
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      const ofWorker = seeds.filter((_, index) => index % workers === worker);
      const child = spawn(process.execPath, ['--enable-source-maps', program, ...ofWorker.map(String)], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'close');
      for await (const line of createInterface(child.stdout)) onResult(JSON.parse(line) as StormResult);
      expect(await ended).toEqual([0, null]);
    }),
  );
}
