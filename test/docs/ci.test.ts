import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { GitRepository } from '../e2e/repository.ts';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(path.join(root, 'docs/ci', name), 'utf8');

/** Programs that replace the network: npm installs nothing, npx runs what `npm run build` made, the forges answer from a file and record their requests. */
const programs: Readonly<Record<string, string>> = {
  npm: 'exit 0',
  npx: `while [ "$1" != fleetwright ]; do shift; done; shift; exec "${process.execPath}" "${root}/build/cli/main.js" "$@"`,
  gh: 'echo "$@" >> "$ASKED"; case "$*" in *--jq*) cat "$ANSWER" ;; esac',
  curl: `echo "$@" >> "$ASKED"; case "$*" in */user) echo '{ "id": 3 }' ;; *per_page*) cat "$ANSWER" ;; esac`,
};

// Each step is a separate process, some of them several.
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
  cwd = repository.root,
): { code: number | null; out: string; asked: string } {
  const asked = path.join(repository.temporary, 'asked');
  const answers = path.join(repository.temporary, 'answer');
  rmSync(asked, { force: true });
  writeFileSync(answers, answer);
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd,
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

/** Returns a clone of the repository, with its packages. */
function cloned(): string {
  const clone = path.join(repository.temporary, `clone-${(clones += 1)}`);
  execFileSync('git', ['clone', '--quiet', repository.root, clone]);
  symlinkSync(path.join(repository.root, 'node_modules'), path.join(clone, 'node_modules'));
  return clone;
}
let clones = 0;

/** A comment that leads out of the artifact, is too large, or does not begin as a plan. */
const noComments: readonly (readonly [string, (file: string) => void])[] = [
  ['a link', (file) => symlinkSync('/proc/self/environ', file)],
  ['larger than a comment', (file) => writeFileSync(file, `${marker}\n${'x'.repeat(300_000)}`)],
  ['another text', (file) => writeFileSync(file, 'hello')],
];
const marker = '<!-- fleetwright-plan -->';

function replacePlan(write: (file: string) => void): void {
  const file = path.join(repository.root, 'plan.md');
  rmSync(file, { force: true });
  write(file);
}

describe('the GitHub workflow', () => {
  interface Job {
    readonly permissions: Readonly<Record<string, string>>;
    readonly env?: Readonly<Record<string, string>>;
    readonly steps: readonly Step[];
  }
  const text = read('github.yaml');
  const { jobs, permissions } = parse(text) as {
    readonly permissions: object;
    readonly jobs: Readonly<Record<'check' | 'plan' | 'comment', Job>>;
  };
  const context = (): Readonly<Record<string, string>> => ({
    'github.base_ref': 'main',
    'github.token': 'token',
    'github.repository': 'team/fleet',
    'github.event.number': '7',
    'github.server_url': 'https://github.example.com',
    'github.sha': repository.head(),
  });
  const filled = (variables: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\{ (\S+) \}\}/g, (_all, key: string) => context()[key] ?? `no ${key}`),
      ]),
    );
  const runStep = (
    name: 'check' | 'plan' | 'comment',
    words: string,
    answer = '',
  ): ReturnType<typeof run> => {
    const { env, steps } = jobs[name];
    const step = steps.find(({ run: script = '' }) => script.includes(words));
    if (step?.run === undefined) throw new Error(`no step runs ${words}`);
    const summary = path.join(repository.temporary, 'summary');
    return run(step.run, { GITHUB_STEP_SUMMARY: summary, ...filled(env), ...filled(step.env) }, answer);
  };

  test('passes no secret and no right to write to the code of the request', () => {
    expect(permissions).toEqual({});
    for (const job of [jobs.check, jobs.plan]) {
      expect(job.permissions).toEqual({ contents: 'read' });
      expect(JSON.stringify(job)).not.toMatch(/secrets|token|cache/i);
      expect(job.steps[0]).toMatchObject({ with: { 'persist-credentials': false } });
      expect(
        job.steps.filter(({ run: script = '' }) => script.includes('npm ')).map((each) => each.run),
      ).toEqual(['npm ci --ignore-scripts']);
    }
    // Nothing trusted runs after the code of the request.
    expect(jobs.check.steps.at(-1)?.run).toBe('npx fleetwright synth --check');
    expect(jobs.check).not.toHaveProperty('outputs');
  });

  test('runs no code of the request if it may write', () => {
    expect(jobs.comment.permissions).toEqual({ 'pull-requests': 'write' });
    const used = jobs.comment.steps.flatMap(({ uses }) => uses ?? []);
    expect(used.map((action) => action.split('@')[0])).toEqual(['actions/download-artifact']);
    const scripts = jobs.comment.steps.map(({ run: script = '' }) => script).join('\n');
    expect(scripts).not.toMatch(/\b(?:npm|npx|node|git|source|eval|sh|bash)\b/);
  });

  test('names every action by its commit, with the tag behind it', () => {
    const actions = text.split('\n').filter((line) => line.includes('uses:'));
    expect(actions).toHaveLength(6);
    for (const line of actions) expect(line).toMatch(/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('plans, summarizes, and fails while dist/ differs from the output of the apps', () => {
    const { code, out } = runStep('plan', '-o github');
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('::notice title=Fleetwright plan::3 changed'),
    });
    const plan = readFileSync(path.join(repository.root, 'plan.md'), 'utf8');
    expect(plan).toMatch(/^<!-- fleetwright-plan -->\n## Plan: `origin\/main`/);
    expect(plan).toContain(
      `](https://github.example.com/team/fleet/blob/${repository.head()}/apps/hello/hub.yaml#L`,
    );
    expect(readFileSync(path.join(repository.temporary, 'summary'), 'utf8')).toBe(plan);
    expect(readFileSync(path.join(repository.root, 'plan.html'), 'utf8')).toMatch(/^<!doctype html>/);
    expect(runStep('check', 'synth --check').code).toBe(1);
    run('npx fleetwright synth', {});
    expect(runStep('check', 'synth --check').code).toBe(0);
  });

  test('comments once', () => {
    const first = runStep('comment', 'gh api');
    expect(first.code).toBe(0);
    expect(first.asked).toContain('api --method POST repos/team/fleet/issues/7/comments -F body=@plan.md\n');
    const later = runStep('comment', 'gh api', '41\n42\n');
    expect(later.asked).toContain(
      'api --method PATCH repos/team/fleet/issues/comments/41 -F body=@plan.md\n',
    );
    expect(later.asked).not.toContain('POST');
  });

  test.each(noComments)('does not comment %s', (_what, write) => {
    replacePlan(write);
    expect(runStep('comment', 'gh api')).toEqual({
      code: 1,
      out: '::error::plan.md is not a comment of Fleetwright\n',
      asked: '',
    });
  });

  test('writes nothing if there is no plan', () => {
    replacePlan((file) => writeFileSync(file, ''));
    expect(runStep('comment', 'gh api')).toEqual({ code: 0, out: '', asked: '' });
  });

  test('prints why there is no plan, and fails', () => {
    const { code, out } = run(
      jobs.plan.steps.find(({ run: script = '' }) => script.includes('-o github'))?.run ?? '',
      {
        BASE: 'nowhere',
        HEAD: 'HEAD',
        LINKS: 'https://github.example.com/team/fleet/blob/1f0e',
        GITHUB_STEP_SUMMARY: path.join(repository.temporary, 'summary'),
      },
    );
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringContaining('fleetwright: unknown revision nowhere'),
    });
  });
});

describe('the GitLab jobs', () => {
  interface Job {
    readonly script: readonly string[];
    readonly variables: Readonly<Record<string, string>>;
    readonly environment?: { readonly name: string };
  }
  const jobs = parse(read('gitlab.yaml')) as Readonly<
    Record<'fleetwright:check' | 'fleetwright:plan' | 'fleetwright:comment', Job>
  >;
  /** Runs the job in a clone, as its runner does, and passes its artifacts on. */
  const planJob = (option = ''): ReturnType<typeof run> => {
    const clone = cloned();
    const script = jobs['fleetwright:plan'].script
      .join('\n')
      .replace('--no-run-apps', `--no-run-apps ${option}`);
    const result = run(script, { BASE: start, CI_COMMIT_SHA: repository.head(), LINKS: links }, '', clone);
    for (const name of ['plan.md', 'plan.xml'])
      if (existsSync(path.join(clone, name)))
        copyFileSync(path.join(clone, name), path.join(repository.root, name));
    return result;
  };
  const commentJob = (answer: unknown, token = 't'): ReturnType<typeof run> =>
    run(
      jobs['fleetwright:comment'].script.join('\n'),
      { NOTES: 'https://gitlab/notes', CI_API_V4_URL: 'https://gitlab/api', FLEETWRIGHT_TOKEN: token },
      JSON.stringify(answer),
    );
  const links = 'https://gitlab.example.com/team/fleet/-/blob/1f0e';
  const author = { id: 3 };

  test('pass the token to the job that runs no code of the request', () => {
    expect(JSON.stringify(jobs['fleetwright:plan'])).not.toContain('TOKEN');
    expect(jobs['fleetwright:plan'].environment).toBeUndefined();
    expect(jobs['fleetwright:comment'].environment?.name).toBe('fleetwright-comment');
    expect(jobs['fleetwright:comment'].variables['GIT_STRATEGY']).toBe('none');
    expect(jobs['fleetwright:comment'].script.join('\n')).not.toMatch(/\b(?:npm|npx|git|source|eval)\b/);
  });

  test('plan, and comment once', () => {
    run('npx fleetwright synth', {});
    expect(planJob().code).toBe(0);
    expect(readFileSync(path.join(repository.root, 'plan.xml'), 'utf8')).toContain('<testsuites');
    const first = commentJob([
      { id: 1, body: 'another', author },
      { id: 2, body: `${marker}\nof another user`, author: { id: 4 } },
    ]);
    expect(first.code).toBe(0);
    expect(first.asked).toContain('--request POST --data-urlencode body@plan.md https://gitlab/notes\n');
    const later = commentJob([{ id: 5, body: `${marker}\n## Plan`, author }]);
    expect(later.asked).toContain('--request PUT --data-urlencode body@plan.md https://gitlab/notes/5\n');
  });

  test('fail while dist/ differs from the output of the apps', () => {
    const script = jobs['fleetwright:check'].script.join('\n');
    expect(run(script, {}).code).toBe(0);
    repository.write({ 'apps/hello/hub.yaml': app.replace('"warn"', '"trace"') });
    expect(run(script, {}).code).toBe(1);
  });

  test('comment only if they may', () => {
    expect(commentJob([], '')).toEqual({ code: 0, out: '', asked: '' });
  });

  test('fail if the plan has errors', () => {
    repository.commit('policy', { 'fleetwright.yaml': 'guardrails: { protect: [c1] }\n' });
    const { code, out } = planJob('--policy-from head');
    expect(code).toBe(1);
    expect(out).toContain('FW8006');
  });

  test.each(noComments)('do not comment %s', (_what, write) => {
    replacePlan(write);
    expect(commentJob([])).toEqual({ code: 1, out: 'plan.md is not a comment of Fleetwright\n', asked: '' });
  });
});

describe('a hostile request', () => {
  const source = (code: string): string => `import { AddOnDeploymentConfig, App, Chart } from 'fleetwright';
${code}
const app = new App();
const chart = new Chart(app, 'typed', { namespace: 'default' });
new AddOnDeploymentConfig(chart, 'config', { customizedVariables: { LEVEL: 'info' } });
export default app;
`;
  const hostile = `import { writeFileSync } from 'node:fs';
console.log('STOLEN', process.env.CI_SECRET);
for (const file of ['plan.md', process.env.PROOF ?? '/tmp/x', process.cwd() + '/node_modules/fleetwright/hostile'])
  try { writeFileSync(file, 'STOLEN'); } catch {}`;
  const jobs = {
    github: (parse(read('github.yaml')) as { jobs: Record<string, { steps: readonly Step[] }> }).jobs,
    gitlab: parse(read('gitlab.yaml')) as Record<string, { script: readonly string[] }>,
  };

  test.each(['github', 'gitlab'] as const)('neither runs in the plan nor in the comment: %s', (forge) => {
    const git = (...parameters: string[]): string =>
      execFileSync('git', parameters, { cwd: repository.root, encoding: 'utf8' });
    git('checkout', '--quiet', '--force', '-B', `base-${forge}`, start);
    git('clean', '--quiet', '-fd');
    repository.write({ 'package.json': '{ "type": "module" }\n', 'apps/typed/app.ts': source('') });
    run('npx fleetwright synth', {});
    const base = repository.commit('base', {});
    git('update-ref', 'refs/remotes/origin/main', base);
    repository.commit('hostile', {
      'apps/typed/app.ts': source(hostile),
      'package.json': '{ "type": "module", "scripts": { "preinstall": "echo STOLEN > plan.md" } }\n',
      'dist/typed/addondeploymentconfig_default_config.yaml': readFileSync(
        path.join(repository.root, 'dist/typed/addondeploymentconfig_default_config.yaml'),
        'utf8',
      ).replace('value: info', 'value: changed'),
    });
    const head = repository.head();
    const clone = cloned();
    const proof = path.join(repository.temporary, `proof-${forge}`);
    const steps =
      forge === 'github'
        ? (jobs.github['plan']?.steps ?? []).flatMap(({ run: script }) => script ?? []).join('\n')
        : (jobs.gitlab['fleetwright:plan']?.script ?? []).join('\n');
    execFileSync('git', ['update-ref', 'refs/remotes/origin/main', base], { cwd: clone });
    const environment = {
      CI_SECRET: 'leaked-value',
      PROOF: proof,
      BASE: forge === 'github' ? 'origin/main' : base,
      HEAD: head,
      CI_COMMIT_SHA: head,
      LINKS: 'https://example.com/fleet',
      GITHUB_STEP_SUMMARY: path.join(repository.temporary, 'summary-hostile'),
    };
    const planned = run(steps, environment, '', clone);
    expect(planned).toMatchObject({ code: 0 });
    const comment = readFileSync(path.join(clone, 'plan.md'), 'utf8');
    // The edit by hand is in the comment, and so is that nothing verified it.
    expect(comment).toContain(marker);
    expect(comment).toContain('changed');
    expect(comment).toContain('FW8140');
    expect(planned.out + comment).not.toMatch(/STOLEN|leaked-value/);
    expect(existsSync(proof)).toBe(false);
    // The job that runs the code fails, and the code sees no secret even there.
    const check =
      forge === 'github'
        ? (jobs.github['check']?.steps ?? []).flatMap(({ run: script }) => script ?? []).join('\n')
        : (jobs.gitlab['fleetwright:check']?.script ?? []).join('\n');
    const checked = run(check, environment, '', cloned());
    expect(checked.code).toBe(1);
    expect(checked.out).toContain('STOLEN undefined');
    expect(checked.out).not.toContain('leaked-value');
    expect(existsSync(proof)).toBe(false);
    expect(existsSync(path.join(root, 'hostile'))).toBe(false);
  });
});

describe('the hook', () => {
  test('rejects a commit while dist/ differs from the output of the apps', () => {
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
