import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { GitRepository } from '../e2e/repository.ts';
import { app, clusters } from '../plan/states.ts';
import { fleetOf } from '../resolve-text.ts';

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(path.join(root, 'docs/ci', name), 'utf8');

/** Programs that stand in for the network: npm installs nothing, npx runs what `npm run build` made, the forges answer from a file and note what they are asked. */
const programs: Readonly<Record<string, string>> = {
  npm: 'exit 0',
  npx: `while [ "$1" != fleetwright ]; do shift; done; shift; exec "${process.execPath}" "${root}/build/cli/main.js" "$@"`,
  gh: 'echo "$@" >> "$ASKED"; case "$*" in *--jq*) cat "$ANSWER" ;; esac',
  curl: 'echo "$@" >> "$ASKED"; case "$*" in *per_page*) cat "$ANSWER" ;; esac',
};

// Each step is a process of its own, some of them several.
vi.setConfig({ testTimeout: 180_000 });

let repository: GitRepository;
let start: string;

beforeAll(() => {
  repository = new GitRepository();
  const bin = path.join(repository.temporary, 'bin');
  mkdirSync(bin);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  start = repository.commit('start', {
    'apps/hello/hub.yaml': app,
    'apps/hello/fleet.yaml': fleetOf(clusters),
  });
  repository.branch('feature', start);
  repository.commit('edit', { 'apps/hello/hub.yaml': app.replace('"warn"', '"debug"') });
  execFileSync('git', ['update-ref', 'refs/remotes/origin/main', start], { cwd: repository.root });
});

afterAll(() => {
  repository.remove();
});

/** Runs a script as the forges do: by bash, which stops at the first command that fails. */
function run(
  script: string,
  env: Readonly<Record<string, string>>,
  answer = '',
): { code: number | null; out: string; asked: string } {
  const asked = path.join(repository.temporary, 'asked');
  const answers = path.join(repository.temporary, 'answer');
  rmSync(asked, { force: true });
  writeFileSync(answers, answer);
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: repository.root,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...env,
      PATH: `${path.join(repository.temporary, 'bin')}:${process.env['PATH'] ?? ''}`,
      ASKED: asked,
      ANSWER: answers,
    },
  });
  return { code: status, out: stdout + stderr, asked: existsSync(asked) ? readFileSync(asked, 'utf8') : '' };
}

describe('the GitHub workflow', () => {
  const workflow = parse(read('github.yaml')) as {
    jobs: { plan: { env: Readonly<Record<string, string>>; steps: readonly Step[] } };
  };
  const { env, steps } = workflow.jobs.plan;
  const context: Readonly<Record<string, string>> = {
    'github.base_ref': 'main',
    'github.token': 'token',
    'github.repository': 'team/fleet',
    'github.event.number': '7',
  };
  const filled = (variables: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\{ (\S+) \}\}/g, (_all, key: string) => context[key] ?? `no ${key}`),
      ]),
    );
  const step = (words: string): Step => {
    const found = steps.find(({ run: script = '' }) => script.includes(words));
    if (found === undefined) throw new Error(`no step runs ${words}`);
    return found;
  };
  const runStep = (words: string, answer = ''): ReturnType<typeof run> => {
    const { run: script = '', env: own } = step(words);
    return run(script, { ...filled(env), ...filled(own) }, answer);
  };

  test('checks dist/, plans, and comments once', () => {
    expect(runStep('synth --check').code).toBe(1);
    run('npx fleetwright synth', {});
    expect(runStep('synth --check').code).toBe(0);
    const { code, out } = runStep('-o github');
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('::notice title=Fleetwright plan::3 changed'),
    });
    expect(readFileSync(path.join(repository.root, 'plan.md'), 'utf8')).toMatch(
      /^<!-- fleetwright-plan -->\n## Plan: `origin\/main`/,
    );
    expect(readFileSync(path.join(repository.root, 'plan.html'), 'utf8')).toMatch(/^<!doctype html>/);
    const first = runStep('gh api');
    expect(first.code).toBe(0);
    expect(first.asked).toContain('api --method POST repos/team/fleet/issues/7/comments -F body=@plan.md\n');
    const later = runStep('gh api', '41\n42\n');
    expect(later.asked).toContain(
      'api --method PATCH repos/team/fleet/issues/comments/41 -F body=@plan.md\n',
    );
    expect(later.asked).not.toContain('POST');
  });

  test('writes nothing where there is no plan', () => {
    writeFileSync(path.join(repository.root, 'plan.md'), '');
    expect(runStep('gh api')).toEqual({ code: 0, out: '', asked: '' });
  });
});

describe('the GitLab job', () => {
  const { fleetwright } = parse(read('gitlab.yaml')) as {
    fleetwright: { script: readonly string[]; variables: Readonly<Record<string, string>> };
  };
  const runJob = (
    answer: unknown,
    variables: Readonly<Record<string, string>> = {},
  ): ReturnType<typeof run> => {
    const env = { RANGE: `${start}..HEAD`, NOTES: 'https://gitlab/notes', ...variables };
    return run(fleetwright.script.join('\n'), env, JSON.stringify(answer));
  };

  test('checks dist/, plans, and comments once', () => {
    run('npx fleetwright synth', {});
    const first = runJob([{ id: 1, body: 'another' }], { FLEETWRIGHT_TOKEN: 't' });
    expect(first.code).toBe(0);
    expect(first.asked).toContain('--request POST --data-urlencode body@plan.md https://gitlab/notes\n');
    const later = runJob([{ id: 5, body: '<!-- fleetwright-plan -->\n## Plan' }], { FLEETWRIGHT_TOKEN: 't' });
    expect(later.asked).toContain('--request PUT --data-urlencode body@plan.md https://gitlab/notes/5\n');
    expect(readFileSync(path.join(repository.root, 'plan.xml'), 'utf8')).toContain('<testsuites');
  });

  test('fails where the plan has errors, and comments only where it may', () => {
    repository.commit('policy', { 'fleetwright.yaml': 'guardrails: { protect: [c1] }\n' });
    const { code, out, asked } = runJob([]);
    expect({ code, asked }).toEqual({ code: 1, asked: '' });
    expect(out).toContain('FW8006');
  });
});

describe('the hook', () => {
  test('refuses a commit while dist/ is not what the apps give', () => {
    run('npx fleetwright synth', {});
    expect(run(read('pre-commit'), {}).code).toBe(0);
    repository.write({ 'apps/hello/hub.yaml': app.replace('"warn"', '"error"') });
    const { code, out } = run(read('pre-commit'), {});
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringContaining('run npx fleetwright synth and add dist/'),
    });
  });
});
