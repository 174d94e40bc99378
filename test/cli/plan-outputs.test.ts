import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { access, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { removeEarlier } from '../../src/cli/commands/plan/plan-outputs.ts';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const states = async (next: string): Promise<string> =>
  await folderWith({
    'old/apps/hello/hub.yaml': app,
    'new/apps/hello/hub.yaml': next,
    'old/fleet.yaml': fleetOf(clusters),
    'new/fleet.yaml': fleetOf(clusters),
    'old/fleetwright.yaml': '{}',
    'new/fleetwright.yaml': '{}',
  });
const edited = app.replace('"warn"', '"debug"');
const plan = async (cwd: string, ...options: readonly string[]) =>
  await runIn(cwd, ['plan', 'old', 'new', ...options]);
const read = async (cwd: string, name: string): Promise<string> =>
  await readFile(path.join(cwd, name), 'utf8');

describe('plan -o', () => {
  test('writes several formats in one run, the same as one by one', async () => {
    const cwd = await states(edited);
    const formats = {
      markdown: 'plan.md',
      html: 'plan.html',
      sarif: 'plan.sarif',
      junit: 'plan.xml',
      json: 'plan.json',
    };
    const files = Object.entries(formats).flatMap(([format, file]) => ['-o', `${format}=${file}`]);
    const all = await plan(cwd, ...files, '-o', 'github');
    expect(all).toMatchObject({ code: 0, out: (await plan(cwd, '-o', 'github')).out });
    for (const [format, file] of Object.entries(formats))
      expect(await read(cwd, file)).toBe((await plan(cwd, '-o', format)).out);
  });

  test('prints the plan as text if every format goes to a file', async () => {
    const cwd = await states(edited);
    const { out } = await plan(cwd, '-o', 'markdown=plan.md');
    expect(out).toBe((await plan(cwd)).out);
    expect(await read(cwd, 'plan.md')).toMatch(/^<!-- fleetwright-plan -->/);
  });

  test('leaves no file of an earlier run if there is no plan, and says so in a comment', async () => {
    const cwd = await states('kind: [');
    await writeFile(path.join(cwd, 'plan.html'), 'an earlier plan');
    await writeFile(path.join(cwd, 'plan.md'), 'an earlier plan');
    expect((await plan(cwd, '-o', 'html=plan.html', '-o', 'markdown=plan.md')).code).toBe(1);
    await expect(access(path.join(cwd, 'plan.html'))).rejects.toThrow('ENOENT');
    const comment = await read(cwd, 'plan.md');
    expect(comment).toContain('## No plan for `new`\n');
    expect((await plan(cwd, '-o', 'markdown')).out).toBe(comment);
  });

  test('replaces a link, which can lead to any file', async () => {
    const cwd = await states(edited);
    await writeFile(path.join(cwd, 'target'), 'mine');
    await symlink('target', path.join(cwd, 'plan.md'));
    expect((await plan(cwd, '-o', 'markdown=plan.md')).code).toBe(0);
    expect(await read(cwd, 'target')).toBe('mine');
    expect(await read(cwd, 'plan.md')).toMatch(/^<!-- fleetwright-plan -->/);
  });

  test('leaves pipes and devices as they are', async () => {
    const file = path.join(await folderWith({}), 'pipe');
    execFileSync('mkfifo', [file]);
    await removeEarlier([{ format: 'html', file }]);
    expect((await stat(file)).isFIFO()).toBe(true);
  });

  test.each([
    [['-o', 'html=old'], '/old is a folder\n'],
    [
      ['-o', 'yaml'],
      '--output cannot be "yaml"\n  one of: text, json, markdown, github, sarif, junit, html\n',
    ],
    [['-o', 'html='], '--output html= names no file\n'],
    [['-o', 'json', '-o', 'html'], 'two formats go to standard output\n'],
    [['-o', 'json=a', '-o', 'html=./a'], 'two formats go to a\n'],
    [['-o', 'html=a', '--show-secrets'], '--show-secrets requires text output\n'],
    [['--link-base', 'javascript:alert(1)'], '--link-base javascript:alert(1) is not a valid URL\n'],
    [['--link-base', 'https://me:secret@example.com/'], '--link-base contains a password\n'],
  ])('refuses %j', async (options, message) => {
    const { code, out, err } = await plan(await states(edited), ...options);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

test('plan --detailed-exit-code is 3 if something changes without an error', async () => {
  const change = await states(edited);
  expect((await plan(change)).code).toBe(0);
  expect((await plan(change, '--detailed-exit-code')).code).toBe(3);
  expect((await plan(change, '--detailed-exit-code', '--protect', 'c1')).code).toBe(1);
  expect((await plan(await states(app), '--detailed-exit-code')).code).toBe(0);
});

describe('plan --link-base', () => {
  const base = 'https://git.example.com/a/b/blob/1f0e';

  test('links the locations of the later state in Markdown and HTML', async () => {
    const cwd = await states(edited.replace('addonName: hello', 'addonName: other'));
    const { out } = await plan(cwd, '--link-base', base, '-o', 'markdown');
    expect(out).toMatch(
      /\(\[apps\/hello\/hub\.yaml:\d+\]\(https:\/\/git\.example\.com\/a\/b\/blob\/1f0e\/apps\/hello\/hub\.yaml#L\d+\)\)/,
    );
    const page = await plan(cwd, '--link-base', `${base}/`, '-o', 'html');
    expect(page.out).toContain(`"links":{"apps/hello/hub.yaml:`);
    expect(page.out).toContain(`href="${base}/apps/hello/hub.yaml#L`);
  });

  test('does not link what only the base has', async () => {
    const { out } = await plan(
      await states(app.replace(/  tolerations:[^]*$/, '')),
      '--link-base',
      base,
      '-o',
      'markdown',
    );
    expect(out).toMatch(/\(apps\/hello\/[^)]*in the base\)/);
  });
});

test('SARIF has the page of each code, its URL and the hints', async () => {
  const cwd = await states(app.replace('addonName: hello', 'addonName: other'));
  const { out } = await plan(cwd, '-o', 'sarif');
  const [run] = (JSON.parse(out) as { runs: { tool: { driver: { rules: Rule[] } }; results: Result[] }[] })
    .runs;
  interface Rule {
    readonly id: string;
    readonly helpUri?: string;
    readonly help?: { readonly markdown: string };
  }
  interface Result {
    readonly ruleId: string;
    readonly message: { readonly text: string };
  }
  const rule = run?.tool.driver.rules.find(({ id }) => id === 'FW7114');
  const address = 'https://github.com/fleetwright/fleetwright';
  const manifest = readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8');
  expect(manifest).toContain(`"url": "git+${address}.git"`);
  expect(rule?.helpUri).toBe(`${address}/blob/HEAD/docs/diagnostics/FW7114.md`);
  expect(existsSync(path.resolve(import.meta.dirname, '../../docs/diagnostics/FW7114.md'))).toBe(true);
  expect(rule?.help?.markdown).toBe(
    await read(path.resolve(import.meta.dirname, '../..'), 'docs/diagnostics/FW7114.md'),
  );
  expect(run?.results.find(({ ruleId }) => ruleId === 'FW7114')?.message.text).toContain('\n');
});
