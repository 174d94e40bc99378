import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { completionScripts, shells } from '../../src/cli/commands/completion/completion-scripts.ts';
import { linkDependencies, runProgram } from '../linked-repository.ts';
import { folderWith, runIn } from './terminal.ts';

/** What the completion scripts are answered, without the descriptions. */
async function complete(folder: string, ...words: readonly string[]): Promise<string[]> {
  const { code, out, err } = await runIn(folder, ['--get-yargs-completions', 'fleetwright', ...words]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

const apps = {
  'apps/metrics/app.ts': '',
  'apps/logs/app.ts': '',
  'apps/notes.md': '',
  'other/one/app.ts': '',
};

describe('completion', () => {
  test('of commands, each with its description', async () => {
    const folder = await folderWith({});
    expect(await complete(folder, 'r')).toEqual(['revert', 'resolve', 'rollout', 'render']);
    expect((await runIn(folder, ['--get-yargs-completions', 'fleetwright', 'syn'])).out).toBe(
      'synth\tCompile apps into YAML for Argo CD or Flux\n',
    );
  });

  test('of options, only once a dash is typed', async () => {
    const folder = await folderWith({});
    expect(await complete(folder, 'synth', '--ap')).toEqual(['--api-version', '--apps']);
    expect(await complete(folder, 'validate', '')).toEqual([]);
    for (const dashes of ['-', '--']) expect(await complete(folder, 'synth', dashes)).toContain('--check');
  });

  test('of subcommands and their options', async () => {
    const folder = await folderWith({});
    expect(await complete(folder, 'controller', '')).toEqual(['hub', 'agent', 'status']);
    expect(await complete(folder, 'fleet', '')).toEqual(['pull']);
    expect(await complete(folder, 'controller', 'agent', '--hub-k')).toEqual(['--hub-kubeconfig']);
    expect(await complete(folder, 'controller', '--hub-k')).toEqual([]);
  });

  test('of options that the command line does not have yet, by any of their names', async () => {
    const folder = await folderWith({});
    expect(await complete(folder, 'resolve', '--out')).toEqual(['--output']);
    expect(await complete(folder, 'resolve', '-o', 'json', '--out')).toEqual([]);
    expect(await complete(folder, '--v')).toEqual(['--version']);
    expect(await complete(folder, '-V', '--v')).toEqual([]);
  });

  test('of choices', async () => {
    const folder = await folderWith({});
    expect(await complete(folder, 'init', '--ci', 'g')).toEqual(['github', 'gitlab']);
    expect(await complete(folder, 'new', 'logs', '--template', 'c')).toEqual(['cluster-proxy']);
    expect(await complete(folder, 'ne')).toEqual(['new']);
    expect(await complete(folder, 'resolve', '-o', '')).toEqual(['yaml', 'json']);
    expect(await complete(folder, 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  test('of no name that a shell would read as more than a word', async () => {
    const folder = await folderWith({
      ...apps,
      'apps/$(touch x)/app.ts': '',
      'apps/a;b/app.ts': '',
      'apps/l`id`/app.ts': '',
      'apps/a\nb/app.ts': '',
      'apps/l\u001b[2J/app.ts': '',
    });
    expect(await complete(folder, 'synth', '')).toEqual(['logs', 'metrics']);
  });

  test('of apps, if a command or an option accepts them', async () => {
    const folder = await folderWith(apps);
    expect(await complete(folder, 'synth', '')).toEqual(['logs', 'metrics']);
    expect(await complete(folder, 'synth', '--check', 'm')).toEqual(['metrics']);
    expect(await complete(folder, 'synth', 'logs', 'm')).toEqual(['metrics']);
    expect(await complete(folder, 'synth', 'logs', '')).toEqual(['metrics']);
    expect(await complete(folder, 'plan', '--app', 'logs', '--app', '')).toEqual(['metrics']);
    expect(await complete(folder, 'plan', '--app', 'l')).toEqual(['logs']);
    expect(await complete(folder, 'plan', '--apps', 'other', '--app', '')).toEqual(['one']);
  });

  describe('of the objects of apps', () => {
    const cluster = (name: string): string =>
      `apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: { name: ${name} }\n---\n`;
    const resolved = (addOn: string): string =>
      `addOns:\n- name: ${addOn}\n  groups:\n  - configs:\n    - name: default/${addOn}-config\n`;
    const files = {
      ...apps,
      'apps/metrics/fleet.yaml': cluster('west') + cluster('east'),
      'apps/logs/fleet.yaml': cluster('east') + cluster('north'),
      'dist/metrics/resolution.yaml': resolved('metrics'),
      'dist/logs/resolution.yaml': resolved('logs'),
    };

    test.each(['explain', 'render'])('%s takes a cluster and an add-on', async (command) => {
      const folder = await folderWith(files);
      expect(await complete(folder, command, '')).toEqual(['east', 'north', 'west']);
      expect(await complete(folder, command, 'w')).toEqual(['west']);
      expect(await complete(folder, command, '--app', 'logs', '')).toEqual(['east', 'north']);
      expect(await complete(folder, command, '--fleet', 'apps/logs/fleet.yaml', 'n')).toEqual(['north']);
      expect(await complete(folder, command, 'east', '')).toEqual(['logs', 'metrics']);
      expect(await complete(folder, command, 'east', '-o', 'json', 'm')).toEqual(['metrics']);
    });

    test('explain takes a field after these, and who-uses a configuration', async () => {
      const folder = await folderWith(files);
      expect(await complete(folder, 'explain', 'east', 'logs', 'cu')).toEqual(['customizedVariables']);
      expect(await complete(folder, 'render', 'east', 'logs', '')).toEqual([]);
      expect(await complete(folder, 'who-uses', '')).toEqual([
        'default/logs-config',
        'default/metrics-config',
      ]);
    });

    test('is empty if nothing was synthesized, or a file is broken', async () => {
      const folder = await folderWith({
        ...apps,
        'apps/logs/fleet.yaml': ': [',
        'dist/logs/resolution.yaml': '[',
      });
      expect(await complete(folder, 'explain', '')).toEqual([]);
      expect(await complete(folder, 'explain', 'east', '')).toEqual([]);
    });
  });

  test('leaves the names of files to the shell', async () => {
    const folder = await folderWith(apps);
    expect(await complete(folder, 'resolve', 'ap')).toEqual([]);
    expect(await complete(folder, 'synth', '--fleet', '')).toEqual([]);
  });
});

describe('the script', () => {
  test.each(shells)('for %s is printed', async (shell) => {
    expect(await runIn('.', ['completion', shell])).toEqual({
      code: 0,
      out: completionScripts[shell],
      err: '',
    });
  });

  test('for another shell does not exist', async () => {
    const { code, err } = await runIn('.', ['completion', 'tcsh']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(' cannot be ') });
  });

  test('completes in bash', async () => {
    const folder = await folderWith(apps);
    linkDependencies(folder);
    const script = `source <(fleetwright completion bash)
tab() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fleetwright; echo "\${COMPREPLY[@]}"; }
tab fleetwright ini
tab fleetwright synth ''
tab fleetwright plan -o js
complete -p fleetwright`;
    const PATH = `${path.join(folder, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
    expect(runProgram(folder, 'bash', ['-c', script], { PATH })).toEqual({
      code: 0,
      out: 'init\nlogs metrics\njson\ncomplete -o default -F _fleetwright fleetwright\n',
      err: '',
    });
  });
});
