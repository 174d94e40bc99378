import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, runProgram } from '../linked-repository.ts';
import { folderWith, runIn } from '../cli/terminal.ts';
import { UserError } from '../../src/workspace/user-error.ts';

/** More than a pipe holds: results of many clusters. */
async function largeFleet(): Promise<string> {
  const fleet = readFileSync(path.join(root, 'fleet.yaml'), 'utf8');
  const [, cluster = ''] = /^(apiVersion: \S+\/v1\nkind: ManagedCluster\n.*?)^---$/ms.exec(fleet) ?? [];
  const clusters = Array.from({ length: 100 }, (_, i) => cluster.replace('name: cluster1', `name: more${i}`));
  return await folderWith({ 'fleet.yaml': [fleet, ...clusters].join('\n---\n') });
}

const addOn = path.join(root, 'dist/helloworld-template');

describe('a reader that stops early', () => {
  test.each(['yaml', 'json'])('ends resolve -o %s before everything is made', async (format) => {
    const folder = await largeFleet();
    const commandLine = ['resolve', addOn, '--fleet', 'fleet.yaml', '-o', format];
    const whole = await runIn(folder, commandLine);
    let room = 3;
    const taken = (): Promise<void> =>
      --room > 0 ? Promise.resolve() : Promise.reject(new UserError('nobody reads'));
    const { out, code } = await runIn(folder, commandLine, '', { taken });
    expect(code).toBe(2);
    expect(whole.out.startsWith(out)).toBe(true);
    expect(out.match(/ManagedClusterAddOn\b/g) ?? []).toEqual([]);
    expect(whole.out.match(/\bManagedClusterAddOn\b/g)?.length).toBeGreaterThan(100);
  });

  test.each(['build/cli/main.js', 'build/fleetwright.mjs'])('ends %s as SIGPIPE does', async (program) => {
    const folder = await largeFleet();
    const pipeline = '"$@" | head -n 1; echo "ended with ${PIPESTATUS[0]}"';
    const resolve = [path.join(root, program), 'resolve', addOn, '--fleet', 'fleet.yaml', '-o', 'json'];
    expect(runProgram(folder, 'bash', ['-c', pipeline, 'bash', process.execPath, ...resolve])).toMatchObject({
      out: '{"apiVersion":"v1","kind":"List","items":[\nended with 141\n',
    });
  });

  test('is awaited if it is slow, and gets everything', async () => {
    const folder = await largeFleet();
    const resolve = ['build/cli/main.js', 'resolve', addOn, '--fleet', 'fleet.yaml'];
    const [main = '', ...commandLine] = resolve;
    const pipeline = '"$@" | (sleep 0.5; cat)';
    const { out } = runProgram(folder, 'bash', [
      '-c',
      pipeline,
      'bash',
      process.execPath,
      path.join(root, main),
      ...commandLine,
    ]);
    expect(out).toBe((await runIn(folder, commandLine)).out);
  });
});
