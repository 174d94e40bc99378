import { chmodSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  findKustomize,
  KustomizeBuilds,
  type BuildBounds,
} from '../../src/workspace/inputs/kustomize/kustomize.ts';
import { readInputs } from '../../src/workspace/inputs/inputs.ts';
import { quietHost } from '../../src/workspace/host.ts';
import { folderWith } from '../cli/terminal.ts';

const config = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\ndata: { a: '1' }\n`;

const kustomization = { 'apps/one/kustomization.yaml': 'resources: [a.yaml]\nnamespace: prod\n' };

describe('a program that does not end well', () => {
  const result = async (script: string, bounds: BuildBounds): Promise<unknown> => {
    const cwd = await folderWith({ 'bin/kustomize': `#!${process.execPath}\n${script}` });
    chmodSync(path.join(cwd, 'bin/kustomize'), 0o755);
    const program = findKustomize(path.join(cwd, 'bin'));
    if (program === undefined) throw new Error('the program is in the folder');
    const builds = new KustomizeBuilds(program, bounds);
    try {
      return await builds.build(cwd);
    } finally {
      builds.end();
    }
  };

  test('is ended when its time is over', async () => {
    const started = Date.now();
    expect(await result('setInterval(() => {}, 1000);', { time: 500 })).toEqual({
      fault: 'it took longer than 0.5 s',
    });
    expect(Date.now() - started).toBeLessThan(30_000);
  });

  test('is ended when its output is too large', async () => {
    const endless = 'const more = () => process.stdout.write("a: b\\n".repeat(10000), more); more();';
    expect(await result(endless, { output: 1024 * 1024 })).toEqual({ fault: 'the output exceeds 1 MB' });
  });
});

describe('without kustomize and kubectl', () => {
  const absent = (cwd: string): Parameters<typeof readInputs>[2] => ({
    ...quietHost(cwd),
    env: { PATH: cwd },
  });

  test('a kustomization that changes objects is an error (FW9090)', async () => {
    const cwd = await folderWith({ ...kustomization, 'apps/one/a.yaml': config('a') });
    const { objects, diagnostics } = await readInputs(['apps/one'], [], absent(cwd));
    expect(objects).toEqual([]);
    expect(diagnostics).toEqual([
      {
        code: 'FW9090',
        severity: 'error',
        message:
          'apps/one/kustomization.yaml cannot be built, because PATH has neither kustomize nor kubectl',
        location: { file: 'apps/one/kustomization.yaml', line: 2, column: 1 },
        hint: 'install kustomize or kubectl; or build the kustomization elsewhere, and read the output instead',
        related: [
          {
            message:
              'only kustomize knows its objects, because apps/one/kustomization.yaml has the field namespace',
          },
        ],
      },
    ]);
  });

  test('one that only lists files is read', async () => {
    const cwd = await folderWith({
      'in/kustomization.yaml': 'resources: [a.yaml]\n',
      'in/a.yaml': config('a'),
    });
    const { objects, diagnostics } = await readInputs(['in'], [], absent(cwd));
    expect(diagnostics).toEqual([]);
    expect(objects.map(({ object }) => object.metadata?.name)).toEqual(['a']);
  });

  test('relative folders of PATH are not searched', async () => {
    const cwd = await folderWith({ 'bin/kustomize': '#!/bin/sh\n' });
    chmodSync(path.join(cwd, 'bin/kustomize'), 0o755);
    expect(findKustomize(path.join(cwd, 'bin'))?.file).toBe(path.join(cwd, 'bin/kustomize'));
    expect(findKustomize(path.relative(process.cwd(), path.join(cwd, 'bin')))).toBeUndefined();
  });
});
