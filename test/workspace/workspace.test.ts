import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workspaceRoot } from '../../src/workspace/workspace.ts';
import { GitRepository } from '../e2e/repository.ts';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

const files = {
  'apps/hello/hub.yaml': app,
  'apps/hello/fleet.yaml': fleetOf(clusters),
  'apps/hello/notes/read-me.txt': 'none',
  'docs/notes.md': 'none',
  'fleetwright.yaml': 'guardrails: { maxUninstalls: 0 }\n',
};
/** Folders from which every command gives the answer of the workspace. */
const folders = ['', 'docs', 'apps', 'apps/hello', 'apps/hello/notes'];

describe('the top folder of a workspace', () => {
  test('is the nearest one with fleetwright.yaml, else the nearest one with apps/', async () => {
    const folder = await folderWith({
      'out/fleetwright.yaml': '',
      'out/in/apps/x/y.yaml': '',
      'else/apps/x/y.yaml': '',
    });
    const rootOf = (from: string): string => path.relative(folder, workspaceRoot(path.join(folder, from)));
    expect(rootOf('out/in/apps/x')).toBe('out');
    expect(rootOf('else/apps/x')).toBe('else');
    expect(rootOf('else/apps')).toBe('else');
  });

  test('is not looked for above the Git repository', async () => {
    const folder = await folderWith({
      'fleetwright.yaml': '',
      'apps/x/y.yaml': '',
      'repository/docs/a.md': '',
    });
    await mkdir(path.join(folder, 'repository/.git'));
    const docs = path.join(folder, 'repository/docs');
    expect(workspaceRoot(docs)).toBe(docs);
  });
});

describe('commands return the answer of the workspace', () => {
  test.each([
    [['synth', '--check']],
    [['explain', 'c1', 'hello']],
    [['render', 'c1', 'hello', '-o', 'json']],
    [['who-uses', 'default/basic']],
  ])('%j', async (commandLine) => {
    const cwd = await folderWith(files);
    await runIn(cwd, ['synth']);
    const top = await runIn(cwd, commandLine);
    for (const folder of folders) expect(await runIn(path.join(cwd, folder), commandLine)).toEqual(top);
  });

  test('synth writes into the dist of the workspace', async () => {
    const cwd = await folderWith(files);
    const { code, out } = await runIn(path.join(cwd, 'apps/hello/notes'), ['synth']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('-> dist/hello\n') });
    expect((await runIn(cwd, ['synth', '--check'])).code).toBe(0);
  });

  test('paths of the command line are relative to the working directory', async () => {
    const cwd = await folderWith({
      ...files,
      'apps/hello/fleet.yaml': fleetOf({}),
      'docs/fleet.yaml': fleetOf(clusters),
    });
    const { out } = await runIn(path.join(cwd, 'docs'), ['synth', '--fleet', 'fleet.yaml', '--out', 'here']);
    expect(out).toContain('1 add-on, installed 5 times -> docs/here/hello\n');
    const explained = await runIn(path.join(cwd, 'docs'), [
      'explain',
      'c1',
      'hello',
      '--path',
      '../apps/hello',
      '--fleet',
      'fleet.yaml',
    ]);
    expect(explained.code).toBe(0);
    expect((await runIn(path.join(cwd, 'docs'), ['who-uses', '../apps/hello/hub.yaml'])).out).toBe(
      (await runIn(cwd, ['who-uses', 'apps/hello/hub.yaml'])).out,
    );
  });

  test('validate reads the policies of the workspace', async () => {
    const policies = 'policies: { none: { message: never, expression: "false" } }\n';
    const cwd = await folderWith({ ...files, 'fleetwright.yaml': policies });
    const { code, err } = await runIn(path.join(cwd, 'apps/hello'), ['validate', '.']);
    expect(code).toBe(1);
    expect(err).toContain('error FW7301: never: the policy "none" is violated');
    expect(err).toContain(' --> ../../fleetwright.yaml:1:');
  });
});

describe('plan', () => {
  let repository: GitRepository;
  beforeAll(() => {
    repository = new GitRepository();
    repository.commit('start', files);
    repository.branch('change', 'main');
    repository.commit('less', {
      'apps/hello/hub.yaml': app.replace('values: [prod, stage]', 'values: [prod]'),
    });
  });
  afterAll(() => {
    repository.remove();
  });

  test('has the same hash, guardrails and exit code in every folder of the workspace', async () => {
    const top = await repository.fleetwright(['plan', 'main..change', '-o', 'json']);
    expect(top.code).toBe(1);
    expect(top.err).toContain('error FW8004');
    expect(top.out).toMatch(/"hash": "[0-9a-f]{64}"/);
    for (const folder of folders) {
      const { code, out, err } = await repository.fleetwright(['plan', 'main..change', '-o', 'json'], folder);
      const withoutTime = (text: string): string => text.replace(/"plannedAt": "[^"]*"/, '');
      expect({ code, err, out: withoutTime(out) }).toEqual({ ...top, out: withoutTime(top.out) });
    }
  });

  test.each([
    [
      ['main', 'change'],
      'main: no such folder\n  both states must be folders; for revisions, use main..change\n',
    ],
    [
      ['HEAD', '--by', 'env', 'main..change'],
      'main..change contains both states, so HEAD is one argument too many\n  write fleetwright plan main..change; an npm script with a revision takes no other revision\n',
    ],
  ])('%j describes how revisions are named', async (parameters, message) => {
    expect(await repository.fleetwright(['plan', ...parameters])).toEqual({
      code: 2,
      out: '',
      err: `fleetwright: ${message}`,
    });
  });
});

describe('an app', () => {
  test('is named by its name or its folder', async () => {
    const cwd = await folderWith({
      ...files,
      'apps/other/a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n',
    });
    const summary = 'hello: 6 objects, 1 add-on, installed 5 times -> dist/hello\n';
    for (const [folder, name] of [
      ['', 'hello'],
      ['', 'apps/hello'],
      ['', './apps/hello/'],
      ['apps/hello', '.'],
      ['apps', './hello'],
      ['apps/other', '../hello'],
    ] as const) {
      expect((await runIn(path.join(cwd, folder), ['synth', name])).out.replace(' (unchanged)', '')).toBe(
        summary,
      );
    }
  });

  test.each([[['synth', 'helo']], [['explain', 'c1', 'hello', '--app', 'helo']]])(
    'that does not exist is reported with a suggestion: %j',
    async (commandLine) => {
      const cwd = await folderWith(files);
      expect(await runIn(cwd, commandLine)).toEqual({
        code: 2,
        out: '',
        err: 'fleetwright: unknown app helo in apps\n  did you mean "hello"?\n',
      });
    },
  );

  test('that resembles no name is reported with all apps', async () => {
    const cwd = await folderWith(files);
    expect((await runIn(cwd, ['synth', 'nope'])).err).toBe(
      'fleetwright: unknown app nope in apps\n  the apps are "hello"\n',
    );
  });

  test.each([['validate'], ['resolve'], ['rollout']])(
    'is a path for %s if no file has its name',
    async (command) => {
      const cwd = await folderWith(files);
      const byPath = await runIn(cwd, [command, 'apps/hello']);
      expect(byPath.out).not.toBe('');
      expect(await runIn(cwd, [command, 'hello'])).toEqual(byPath);
      expect((await runIn(path.join(cwd, 'docs'), [command, 'hello'])).out).toBe(byPath.out);
      expect((await runIn(cwd, [command, 'nope'])).err).toBe('fleetwright: nope: no such file or folder\n');
    },
  );
});
