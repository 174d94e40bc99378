import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repeatOnChange } from '../../src/cli/watch/repeat-on-change.ts';
import { folderWith, runIn } from './terminal.ts';
import { startIn, type RunningCommand } from './watching.ts';

const config = (level: string): string => `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: hello, namespace: default }
spec: { customizedVariables: [{ name: LEVEL, value: ${level} }] }
`;

function watching(cwd: string): RunningCommand & { readonly runs: () => number } {
  const command = startIn(cwd, ['synth', '--watch']);
  return {
    ...command,
    runs: () => command.printed().split('waiting for changes; Ctrl-C ends the command').length - 1,
  };
}

test('synth --watch compiles after changes, goes on after errors, and ends with Ctrl-C', async () => {
  const cwd = await folderWith({
    'apps/hello/hub.yaml': config('one'),
    'fleetwright.yaml': 'engine: argocd\n',
  });
  const source = path.join(cwd, 'apps/hello/hub.yaml');
  const output = async (): Promise<string> =>
    await readFile(path.join(cwd, 'dist/hello/addondeploymentconfig_default_hello.yaml'), 'utf8').catch(
      () => '',
    );
  const { child, printed, runs } = watching(cwd);
  await expect.poll(runs, { timeout: 60_000 }).toBe(1);
  expect(await output()).toContain('value: one');

  await writeFile(source, config('one').replace('customizedVariables', 'customizedVariable'));
  await expect.poll(runs, { timeout: 30_000 }).toBe(2);
  expect(printed()).toContain('\napps/hello/hub.yaml changed\n');
  expect(printed()).toMatch(/^error FW\d+: /m);
  expect(await output()).toContain('value: one');

  await writeFile(path.join(cwd, 'fleetwright.yaml'), 'engine: [\n');
  await expect.poll(runs, { timeout: 30_000 }).toBe(3);

  await writeFile(path.join(cwd, 'fleetwright.yaml'), 'engine: argocd # mended\n');
  for (const level of ['two', 'three', 'four']) await writeFile(source, config(level));
  await expect.poll(output, { timeout: 30_000 }).toContain('value: four');
  await expect.poll(runs, { timeout: 30_000 }).toBe(4);
  expect(printed()).toMatch(/\n\S+ and 1 more file changed\n/);

  // Between its runs it has no lock: another run neither waits nor causes a run.
  expect(await runIn(cwd, ['synth'])).toMatchObject({
    code: 0,
    err: expect.not.stringContaining('wait') as string,
  });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(runs()).toBe(4);

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(printed()).not.toContain('    at ');
});

test('a change during a run is followed by another run, and several changes by one', async () => {
  const stop = new AbortController();
  let state = 0;
  const seen: number[] = [];
  await repeatOnChange({
    stop: stop.signal,
    pause: 1,
    read: async () => await Promise.resolve(new Map([['file', String(state)]])),
    run: async () => {
      seen.push(state);
      if (seen.length === 1) state += 1;
      if (seen.length === 2) {
        state += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        state += 1;
      }
      if (seen.length === 3) stop.abort();
    },
    onChange: () => undefined,
  });
  expect(seen).toEqual([0, 1, 3]);
});
