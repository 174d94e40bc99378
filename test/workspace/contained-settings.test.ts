import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runIn } from '../cli/terminal.ts';

let folder: string;
let workspace: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-contained-'));
  workspace = path.join(folder, 'repository');
  mkdirSync(path.join(workspace, '.git'), { recursive: true });
  mkdirSync(path.join(workspace, 'apps/one'), { recursive: true });
  const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one, namespace: default }\n';
  writeFileSync(path.join(workspace, 'apps/one/a.yaml'), object);
  writeFileSync(path.join(folder, 'secret'), 'password: hunter2\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a settings file that is a link out of the repository', () => {
  test.each([
    ['the settings', ['synth'], 'fleetwright.yaml'],
    ['a policy', ['synth', '--policy', 'ci/policy.yaml'], 'ci/policy.yaml'],
  ])('is not read and not printed: %s', async (_, words, name) => {
    mkdirSync(path.join(workspace, path.dirname(name)), { recursive: true });
    symlinkSync(path.join(folder, 'secret'), path.join(workspace, name));
    const { code, err } = await runIn(workspace, words);
    expect(code).toBe(2);
    expect(err).toContain(`error FW9036: ${name} is a link that leaves the repository, and is not read`);
    expect(err).not.toContain('hunter2');
  });

  test('is read within the repository, and where the user names a file outside', async () => {
    writeFileSync(path.join(workspace, 'settings.yaml'), 'out: output\n');
    symlinkSync('settings.yaml', path.join(workspace, 'fleetwright.yaml'));
    writeFileSync(path.join(folder, 'policy.yaml'), 'guardrails: { maxUninstalls: 0 }\n');
    const { code, err } = await runIn(workspace, ['synth', '--policy', '../policy.yaml']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

describe('an output folder', () => {
  test.each([
    ['.git', 'is in .git, which belongs to other programs'],
    ['./.git/hooks', 'is in .git, which belongs to other programs'],
    ['.github', 'is in .github, which belongs to other programs'],
    ['node_modules/x', 'is in node_modules, which belongs to other programs'],
    ['apps', 'is in apps, which has inputs'],
    ['apps/one/', 'is in apps, which has inputs'],
    ['promotions', 'is in promotions, which has inputs'],
    ['Apps/one', 'is in apps, which has inputs'],
    ['.', 'contains apps, which has inputs'],
    ['apps/..', 'contains apps, which has inputs'],
    ['.GIT', 'is in .GIT, which belongs to other programs'],
    ['GIT~1', 'is in GIT~1, which belongs to other programs'],
    ['Node_Modules/x', 'is in Node_Modules, which belongs to other programs'],
  ])('cannot be %s', async (out, message) => {
    writeFileSync(path.join(workspace, 'fleetwright.yaml'), `out: ${out}\n`);
    const { code, err } = await runIn(workspace, ['synth']);
    expect(code).toBe(2);
    expect(err).toContain(`fleetwright.yaml:1: out ${message}`);
  });
});
