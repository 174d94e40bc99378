import { chmodSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findKustomize } from '../../workspace/kustomize.ts';
import { readInputs } from '../../workspace/inputs.ts';
import { quietHost } from '../../workspace/host.ts';
import { folderWith } from '../cli/terminal.ts';

const config = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\ndata: { a: '1' }\n`;

const kustomization = { 'apps/one/kustomization.yaml': 'resources: [a.yaml]\nnamespace: prod\n' };

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
