import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planMarker } from '../../src/compiler/index.ts';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/api.md'), 'utf8');

/** The contents of the fenced blocks of a language, in order. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code = '']) => code,
  );
}

const [bot = '', editor = '', production = ''] = blocks('ts');
const [comment = '', findings = ''] = blocks('text');
const [fleet = '', addOn = '', placement = ''] = blocks('yaml');
const files: Readonly<Record<string, string>> = {
  'bot.ts': bot,
  'editor.ts': editor,
  'production.test.ts': production,
  'base/fleet.yaml': fleet,
  'base/hello.yaml': addOn,
  'head/fleet.yaml': fleet,
  'head/hello.yaml': addOn.replace('env: prod', 'env: dev'),
  'placement.yaml': placement,
  'tsconfig.json': JSON.stringify({
    extends: '../../tsconfig.json',
    compilerOptions: { paths: {} },
    include: ['*.ts'],
    exclude: [],
  }),
};

let folder = '';

beforeAll(() => {
  // Inside the repository, the package's name resolves to its build.
  mkdirSync(path.join(root, 'scratch'), { recursive: true });
  folder = mkdtempSync(path.join(root, 'scratch/api-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: '' } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', ...args], options);
  return { status, output: `${stdout}${stderr}` };
}

describe('the programs of the page about the library', () => {
  test('compile with the declarations of the package', async () => {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const compiled = promisify(execFile)(process.execPath, [tsc, '-p', folder], { cwd: root });
    await expect(compiled).resolves.toMatchObject({ stdout: '' });
  });

  test('plan a change as a comment, which fails for uninstalls beyond the limit', () => {
    const { status, output } = run('bot.ts', 'base', 'head');
    const [marker, ...lines] = output.split('\n');
    expect(marker).toBe(planMarker);
    expect(lines.slice(0, comment.split('\n').length - 1).join('\n')).toBe(comment.trimEnd());
    expect(status).toBe(1);
  });

  test('plan nothing between equal states, and explain states that cannot be compared', () => {
    expect(run('bot.ts', 'base', 'base')).toMatchObject({ status: 0 });
    writeFileSync(path.join(folder, 'head/hello.yaml'), placement);
    const { status, output } = run('bot.ts', 'base', 'head');
    writeFileSync(path.join(folder, 'head/hello.yaml'), files['head/hello.yaml'] ?? '');
    expect(output).toContain('error FW2005: unknown field "spec.predicate"');
    expect(status).toBe(1);
  });

  test('print the findings of a file with their lines', () => {
    expect(run('editor.ts', 'placement.yaml')).toEqual({ status: 0, output: findings });
  });

  test('read a resolution in a test of Node', () => {
    const { status, output } = run('production.test.ts');
    expect(output).toContain('ok 1 - the hub installs the add-on on production clusters only');
    expect(status).toBe(0);
  });
});
