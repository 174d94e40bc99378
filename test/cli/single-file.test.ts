import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planFormats } from '../../src/cli/commands/plan/plan-formats.ts';
import { root, runProgram } from '../linked-repository.ts';

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-single-file-')));
  cpSync(path.join(root, 'build/fleetwright.mjs'), path.join(folder, 'fleetwright.mjs'));
  cpSync(path.join(root, 'dist/helloworld'), path.join(folder, 'dist/helloworld'), { recursive: true });
  cpSync(path.join(root, 'fleet.yaml'), path.join(folder, 'fleet.yaml'));
  const application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'hello' },
  };
  const spec = { source: { path: 'dist/helloworld' } };
  writeFileSync(path.join(folder, 'application.yaml'), JSON.stringify({ ...application, spec }));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const command = path.join(root, 'build/cli/main.js');
const run = (program: string, ...parameters: readonly string[]): ReturnType<typeof runProgram> =>
  runProgram(folder, process.execPath, [program, ...parameters]);

describe('the single file', () => {
  test.each([
    [['--version']],
    [['validate', 'dist']],
    [['resolve', 'dist/helloworld', '--fleet', 'fleet.yaml']],
    [['plan', '.', '.', '--apps', 'dist', '--fleet', 'fleet.yaml', '-o', 'html']],
    [['explain', 'cluster1', 'helloworld', '--path', 'dist/helloworld', '--fleet', 'fleet.yaml']],
    [['explain', 'FW7001']],
    [['import', 'dist/helloworld', '--dry-run']],
    [['init', 'new', '--help']],
    [['doctor', 'application.yaml']],
  ])('lists for %j the content of the package, without node_modules', (parameters) => {
    const alone = run('fleetwright.mjs', ...parameters);
    expect(alone).toEqual(run(command, ...parameters));
    expect(alone.err).not.toContain('Cannot find');
  });

  test.each(Object.keys(planFormats))('has everything that a plan needs as %s', (format) => {
    const plan = ['plan', '.', '.', '--apps', 'dist', '--fleet', 'fleet.yaml'];
    const { code, out, err } = run('fleetwright.mjs', ...plan, '-o', format);
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('unexpected error') });
    expect(out).not.toBe('');
  });

  test('brings the files that init writes', () => {
    expect(run('fleetwright.mjs', 'init', '--quiet', 'new')).toMatchObject({ code: 0, err: '' });
    expect(run('fleetwright.mjs', 'init', '--quiet', 'other', '--gitops', 'flux')).toMatchObject({
      code: 0,
      err: '',
    });
    expect(readFileSync(path.join(folder, 'other/gitops/flux-health.yaml'), 'utf8')).toContain(
      'healthCheckExprs',
    );
  });

  test('reads a kubeconfig', () => {
    writeFileSync(path.join(folder, 'kubeconfig'), 'apiVersion: v1\nkind: Config\n');
    expect(run('fleetwright.mjs', 'fleet', 'pull', '--kubeconfig', 'kubeconfig')).toMatchObject({
      code: 2,
      err: expect.stringContaining('kubeconfig has no current context with a cluster') as string,
    });
  });
});
