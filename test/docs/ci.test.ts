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
  npx: `if [ "$1" = tsc ]; then shift; exec "${root}/node_modules/.bin/tsc" "$@"; fi
while [ "$1" != fleetwright ]; do shift; done; shift; exec "${process.execPath}" "${root}/build/cli/main.js" "$@"`,
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

/** Runs a script in a clone, as a job that plans, and passes its artifacts on. */
function runInClone(script: string, env: Readonly<Record<string, string>>): ReturnType<typeof run> {
  const clone = cloned();
  const result = run(script, env, '', clone);
  for (const name of ['plan.md', 'plan.xml'])
    if (existsSync(path.join(clone, name)))
      copyFileSync(path.join(clone, name), path.join(repository.root, name));
  return result;
}

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

/** Returns the output of a job while the repository has a tsconfig.json and a type error. */
function withTypeError(check: () => string): string {
  repository.write({
    'tsconfig.json': JSON.stringify({ compilerOptions: { noEmit: true, types: [] }, include: ['apps'] }),
    'apps/wrong.ts': "export const count: number = 'many';\n",
  });
  try {
    return check();
  } finally {
    repository.write({ 'tsconfig.json': undefined, 'apps/wrong.ts': undefined });
  }
}

const typeError = "apps/wrong.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.";

describe('the GitHub workflow', () => {
  interface Job {
    readonly permissions: Readonly<Record<string, string>>;
    readonly env?: Readonly<Record<string, string>>;
    readonly steps: readonly Step[];
  }
  const text = read('github.yaml');
  const { on, jobs, permissions } = parse(text) as {
    readonly on: object;
    readonly permissions: object;
    readonly jobs: Readonly<Record<JobName, Job>>;
  };
  type JobName = 'check' | 'plan' | 'comment';
  const context: Readonly<Record<string, string>> = {
    'github.event_name': 'pull_request',
    'github.base_ref': 'main',
    'github.token': 'token',
    'github.repository': 'team/fleet',
    'github.event.number': '7',
    'github.server_url': 'https://github.example.com',
    'github.sha': 'HEAD',
    'github.run_id': '8',
    'github.event.pull_request.head.sha': '1234567890123456789012345678901234567890',
    'needs.plan.result': 'failure',
  };
  /** Fills expressions in as GitHub does: `a || b` is the first that the event has. */
  const filled = (
    variables: Readonly<Record<string, string>> = {},
    event: Readonly<Record<string, string>> = context,
  ): Record<string, string> =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\{ (.+?) \}\}/g, (_all, expression: string) => {
          const keys = expression.split(' || ');
          return keys.map((key) => event[key]).find((each) => each !== undefined) ?? `no ${expression}`;
        }),
      ]),
    );
  const runStep = (
    name: JobName,
    words: string,
    answer = '',
    event: Readonly<Record<string, string>> = context,
  ): ReturnType<typeof run> => {
    const { env, steps } = jobs[name];
    const step = steps.find(({ run: script = '' }) => script.includes(words));
    if (step?.run === undefined) throw new Error(`no step runs ${words}`);
    const summary = path.join(repository.temporary, 'summary');
    return run(
      step.run,
      { GITHUB_STEP_SUMMARY: summary, ...filled(env, event), ...filled(step.env, event) },
      answer,
    );
  };

  test('runs for pull requests, merge queues and pushes', () => {
    expect(on).toEqual({ pull_request: null, merge_group: null, push: { branches: ['main', 'master'] } });
  });

  test.each(['check', 'plan'] as const)('passes no secret and no right to write to the job %s', (name) => {
    const job = jobs[name];
    expect(permissions).toEqual({});
    expect(job.permissions).toEqual({ contents: 'read' });
    expect(JSON.stringify(job)).not.toMatch(/secrets|token|cache/i);
    expect(job.steps[0]).toMatchObject({ with: { 'fetch-depth': 0, 'persist-credentials': false } });
    expect(
      job.steps.filter(({ run: script = '' }) => script.includes('npm ')).map((each) => each.run),
    ).toEqual(['npm ci --ignore-scripts']);
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
    expect(plan).toContain('](https://github.example.com/team/fleet/blob/HEAD/apps/hello/hub.yaml#L');
    expect(readFileSync(path.join(repository.temporary, 'summary'), 'utf8')).toBe(plan);
    expect(readFileSync(path.join(repository.root, 'plan.html'), 'utf8')).toMatch(/^<!doctype html>/);
    expect(runStep('check', 'synth --check').code).toBe(1);
    run('npx fleetwright synth', {});
    expect(runStep('check', 'synth --check').code).toBe(0);
  });

  test.each([
    [
      'a merge queue',
      (base: string) => ({ 'github.event_name': 'merge_group', 'github.event.merge_group.base_sha': base }),
    ],
    ['a push', (base: string) => ({ 'github.event_name': 'push', 'github.event.before': base })],
  ])('plans %s from the commit before it', (_what, event) => {
    const { 'github.base_ref': _, ...others } = context;
    const { code, out } = runStep('plan', '-o github', '', { ...others, ...event(start) });
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining('::notice title=Fleetwright plan::3 changed'),
    });
    const created = runStep('plan', '-o github', '', { ...others, ...event('0'.repeat(40)) });
    expect(created).toMatchObject({ code: 0, out: '::notice::no plan: the branch is new\n' });
  });

  test('checks the types where there is TypeScript', () => {
    expect(runStep('check', 'tsc')).toMatchObject({ code: 0, out: '' });
    expect(withTypeError(() => runStep('check', 'tsc').out)).toContain(typeError);
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

  test.each([
    ['is missing', () => undefined],
    ['is empty', (file: string) => writeFileSync(file, '')],
  ])('replaces the comment of an earlier commit if the plan %s', (_what, write) => {
    replacePlan(write);
    expect(runStep('comment', 'gh api', '41\n').asked).toContain(
      'api --method PATCH repos/team/fleet/issues/comments/41 -F body=@plan.md\n',
    );
    const comment = readFileSync(path.join(repository.root, 'plan.md'), 'utf8');
    expect(comment).toBe(
      `${marker}\n## No plan for \`123456789012\`\n\nThe job that plans ended with \`failure\` before the plan: see ` +
        '[the run](https://github.example.com/team/fleet/actions/runs/8). A plan of an earlier commit does not apply to this one.\n',
    );
    replacePlan(() => undefined);
  });

  test('prints why there is no plan, and fails', () => {
    const { code, out } = run(
      jobs.plan.steps.find(({ run: script = '' }) => script.includes('-o github'))?.run ?? '',
      {
        EVENT: 'push',
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
  > & {
    readonly '.fleetwright': {
      readonly rules: readonly object[];
      readonly variables: object;
      readonly before_script: readonly string[];
    };
  };
  const scriptOf = (name: 'fleetwright:check' | 'fleetwright:plan'): string =>
    [...jobs['.fleetwright'].before_script, ...jobs[name].script].join('\n');
  const planJob = (variables = request, option = ''): ReturnType<typeof run> => {
    const script = scriptOf('fleetwright:plan').replace('--no-run-apps', `--no-run-apps ${option}`);
    return runInClone(script, { ...variables, CI_COMMIT_SHA: repository.head(), LINKS: links });
  };
  const checkJob = (): ReturnType<typeof run> => run(scriptOf('fleetwright:check'), request);
  const commentJob = (answer: unknown, token = 't'): ReturnType<typeof run> =>
    run(
      jobs['fleetwright:comment'].script.join('\n'),
      { NOTES: 'https://gitlab/notes', CI_API_V4_URL: 'https://gitlab/api', FLEETWRIGHT_TOKEN: token },
      JSON.stringify(answer),
    );
  const links = 'https://gitlab.example.com/team/fleet/-/blob/1f0e';
  const author = { id: 3 };
  /** Set once the repository exists. */
  let request: Readonly<Record<string, string>> = {};
  beforeAll(() => {
    request = {
      CI_PIPELINE_SOURCE: 'merge_request_event',
      CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: start,
    };
  });

  test('run for merge requests and for pushes to the default branch, with the history', () => {
    expect(jobs['.fleetwright']).toMatchObject({
      rules: [
        { if: '$CI_PIPELINE_SOURCE == "merge_request_event"' },
        { if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' },
      ],
      variables: { GIT_DEPTH: '0' },
    });
  });

  test('pass the token to the job that runs no code of the request', () => {
    for (const name of ['.fleetwright', 'fleetwright:check', 'fleetwright:plan'] as const)
      expect(JSON.stringify(jobs[name])).not.toContain('TOKEN');
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

  test('plan a merge train and a merged result from their first parent, and a push from the commit before', () => {
    for (const type of ['merge_train', 'merged_result'])
      expect(planJob({ ...request, CI_MERGE_REQUEST_EVENT_TYPE: type })).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(repository.root, 'plan.md'), 'utf8')).toContain(
      `## Plan: \`${repository.head()}^1\``,
    );
    const push = { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BEFORE_SHA: start };
    expect(planJob(push)).toMatchObject({ code: 0 });
    expect(planJob({ ...push, CI_COMMIT_BEFORE_SHA: '0'.repeat(40) })).toMatchObject({
      code: 0,
      out: 'no plan: the branch is new\n',
    });
  });

  test('plan while dist/ differs from the output of the apps, and fail then', () => {
    repository.write({ 'apps/hello/hub.yaml': app.replace('"warn"', '"trace"') });
    rmSync(path.join(repository.root, 'plan.md'));
    expect(checkJob().code).toBe(1);
    expect(planJob().code).toBe(0);
    expect(readFileSync(path.join(repository.root, 'plan.md'), 'utf8')).toContain(marker);
  });

  test('check the types where there is TypeScript', () => {
    expect(withTypeError(() => checkJob().out)).toContain(typeError);
  });

  test('replace the comment of an earlier commit if there is no plan', () => {
    replacePlan(() => undefined);
    const { code, asked } = commentJob([{ id: 5, body: `${marker}\n## Plan`, author: { id: 3 } }]);
    expect(code).toBe(0);
    expect(asked).toContain('/notes/5');
    expect(readFileSync(path.join(repository.root, 'plan.md'), 'utf8')).toContain('## No plan for `');
    replacePlan(() => undefined);
  });

  test('comment only if they may', () => {
    expect(commentJob([], '')).toEqual({ code: 0, out: '', asked: '' });
  });

  test('fail if the plan has errors', () => {
    repository.commit('policy', { 'fleetwright.yaml': 'guardrails: { protect: [c1] }\n' });
    const { code, out } = planJob(request, '--policy-from head');
    expect(code).toBe(1);
    expect(out).toContain('FW8006');
  });

  test.each(noComments)('do not comment %s', (_what, write) => {
    replacePlan(write);
    expect(commentJob([])).toEqual({ code: 1, out: 'plan.md is not a comment of Fleetwright\n', asked: '' });
  });
});

/** Verifies that a script plans a change of three clusters. */
function plansTheChange({ code, out }: ReturnType<typeof run>): void {
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^plan: 3 changed/m) });
}

describe('the pipeline of Azure', () => {
  interface AzureStep {
    readonly checkout?: string;
    readonly bash?: string;
    readonly condition?: string;
    readonly env?: object;
  }
  interface AzureJob {
    readonly job: string;
    readonly steps: readonly AzureStep[];
  }
  const pipeline = parse(read('azure.yaml')) as {
    readonly trigger: object;
    readonly pr: object;
    readonly jobs: readonly AzureJob[];
  };
  const stepOf = (job: string, words: string): string => {
    const steps = pipeline.jobs.find((each) => each.job === job)?.steps ?? [];
    const { bash } = steps.find((each) => each.bash?.includes(words)) ?? {};
    if (bash === undefined) throw new Error(`no step of ${job} runs ${words}`);
    return bash;
  };

  test('runs for pull requests, merge queues and pushes, with the history and without a token', () => {
    expect(pipeline.trigger).toEqual({ branches: { include: ['main', 'master', 'gh-readonly-queue/*'] } });
    expect(pipeline.pr).toEqual({ branches: { include: ['*'] } });
    for (const { steps } of pipeline.jobs) {
      expect(steps[0]).toEqual({ checkout: 'self', fetchDepth: 0, persistCredentials: false });
      expect(steps.filter(({ env }) => env !== undefined)).toEqual([]);
    }
    expect(read('azure.yaml')).not.toMatch(/System\.AccessToken|\$\(/);
  });

  test('plans a pull request from the merge base, and a push from the first parent', () => {
    const BUILD_SOURCEVERSION = repository.head();
    const request = {
      BUILD_SOURCEVERSION,
      BUILD_REASON: 'PullRequest',
      SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
    };
    const { code, out } = runInClone(stepOf('plan', 'fleetwright plan'), request);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/##vso\[task\.uploadsummary\].*\/plan\.md/),
    });
    expect(readFileSync(path.join(repository.root, 'plan.md'), 'utf8')).toContain('## Plan: `origin/main`');
    const push = {
      BUILD_SOURCEVERSION,
      BUILD_REASON: 'IndividualCI',
      BUILD_SOURCEBRANCH: 'refs/heads/main',
    };
    expect(runInClone(stepOf('plan', 'fleetwright plan'), push).code).toBe(0);
    expect(readFileSync(path.join(repository.root, 'plan.md'), 'utf8')).toContain(
      `## Plan: \`${BUILD_SOURCEVERSION}^1\``,
    );
    const queue = { ...push, BUILD_SOURCEBRANCH: 'refs/heads/gh-readonly-queue/main/pr-7-1f0e' };
    expect(runInClone(stepOf('plan', 'fleetwright plan'), queue).code).toBe(0);
  });

  test('checks types and dist/', () => {
    run('npx fleetwright synth', {});
    expect(run(stepOf('check', 'synth --check'), { BUILD_REASON: 'IndividualCI' }).code).toBe(0);
    expect(withTypeError(() => run(stepOf('check', 'tsc'), {}).out)).toContain(typeError);
  });
});

describe('the Jenkinsfile', () => {
  const text = read('Jenkinsfile');
  const scripts = [...text.matchAll(/sh '''\n([\s\S]*?)'''/g)].map(([, script = '']) => script);
  const scriptWith = (words: string): string => {
    const script = scripts.find((each) => each.includes(words));
    if (script === undefined) throw new Error(`no stage runs ${words}`);
    return script;
  };

  test('clones the history of all branches, and has no secret', () => {
    expect(text).toContain('cloneOption(shallow: false, honorRefspec: false)');
    expect(text).not.toMatch(/withCredentials|credentials\(/);
  });

  test('plans a pull request from the merge base, and a push from the last build that passed', () => {
    const plan = (env: Readonly<Record<string, string>>): ReturnType<typeof run> =>
      runInClone(scriptWith('fleetwright plan'), { COMMIT: repository.head(), PREVIOUS: '', ...env });
    plansTheChange(plan({ CHANGE_TARGET: 'main', BRANCH_NAME: 'PR-7' }));
    expect(readFileSync(path.join(repository.root, 'plan.md'), 'utf8')).toContain('## Plan: `origin/main`');
    plansTheChange(plan({ BRANCH_NAME: 'main', PREVIOUS: start }));
    // A push that replaced the commits of the last build.
    for (const PREVIOUS of ['', '1'.repeat(40)]) expect(plan({ BRANCH_NAME: 'main', PREVIOUS }).code).toBe(0);
    expect(readFileSync(path.join(repository.root, 'plan.md'), 'utf8')).toContain(
      `## Plan: \`${repository.head()}^1\``,
    );
    expect(plan({ BRANCH_NAME: 'gh-readonly-queue/main/pr-7-1f0e' }).code).toBe(0);
  });

  test('checks types and dist/', () => {
    run('npx fleetwright synth', {});
    const check = (): ReturnType<typeof run> =>
      runInClone(scriptWith('synth --check'), { COMMIT: repository.commit('state', {}), PREVIOUS: '' });
    expect(check().code).toBe(0);
    expect(withTypeError(() => check().out)).toContain(typeError);
  });
});

describe('the PipelineRun of Tekton', () => {
  interface TektonTask {
    readonly name: string;
    readonly workspaces: readonly { readonly name: string }[];
    readonly taskSpec: {
      readonly workspaces: readonly { readonly name: string }[];
      readonly steps: readonly {
        readonly name: string;
        readonly script: string;
        readonly onError?: string;
      }[];
    };
  }
  const { metadata, spec } = parse(read('tekton.yaml')) as {
    readonly metadata: { readonly annotations: object };
    readonly spec: {
      readonly taskRunTemplate: { readonly podTemplate: object };
      readonly pipelineSpec: {
        readonly tasks: readonly TektonTask[];
        readonly finally: readonly TektonTask[];
      };
    };
  };
  const { finally: afterwards } = spec.pipelineSpec;
  const tasks = [...spec.pipelineSpec.tasks, ...afterwards];
  const scriptOf = (name: string): string => {
    const step = tasks.flatMap(({ taskSpec }) => taskSpec.steps).find((each) => each.name === name);
    if (step === undefined) throw new Error(`no step ${name}`);
    return step.script;
  };

  test('runs for pull requests, merge queues and pushes', () => {
    expect(metadata.annotations).toMatchObject({
      'pipelinesascode.tekton.dev/on-event': '[pull_request, push]',
      'pipelinesascode.tekton.dev/on-target-branch': '[main, master, gh-readonly-queue/*]',
    });
  });

  test('gives the credentials to the task that runs no code of the request', () => {
    const holders = tasks.filter(({ workspaces }) => workspaces.some(({ name }) => name === 'basic-auth'));
    expect(holders.map(({ name }) => name)).toEqual(['clone']);
    expect(scriptOf('clone')).not.toMatch(/\b(?:npm|npx|node)\b/);
  });

  test('clones the history of all branches', () => {
    const folder = path.join(repository.temporary, 'tekton');
    mkdirSync(folder);
    const head = repository.head();
    const environment = { URL: repository.root, REVISION: head, AUTH: repository.temporary };
    const { code, out } = run(
      `cd ${folder}\n${scriptOf('clone').replace('/tmp/home', `${folder}-home`)}`,
      environment,
    );
    expect({ code, out }).toEqual({ code: 0, out: '' });
    const git = (...parameters: readonly string[]): string =>
      execFileSync('git', parameters, { cwd: folder, encoding: 'utf8' }).trim();
    expect(git('rev-parse', 'HEAD')).toBe(head);
    expect(git('rev-parse', 'origin/main')).toBe(start);
  });

  test('plans a pull request from the merge base, and a push from the state before', () => {
    const plan = (EVENT: string, TARGET: string, BEFORE: string): ReturnType<typeof run> =>
      runInClone(scriptOf('plan'), { EVENT, TARGET, BEFORE, REVISION: repository.head() });
    plansTheChange(plan('pull_request', 'main', '{{ body.before }}'));
    plansTheChange(plan('push', 'main', start));
    expect(plan('push', 'main', '0'.repeat(40)).code).toBe(0);
    expect(plan('push', 'gh-readonly-queue/main/pr-7-1f0e', '0'.repeat(40)).code).toBe(0);
  });

  test('checks types and dist/, whether or not the plan has errors', () => {
    run('npx fleetwright synth', {});
    const check = (): ReturnType<typeof run> =>
      runInClone(scriptOf('check'), {
        EVENT: 'push',
        REVISION: repository.commit('state', {}),
        BEFORE: start,
      });
    expect(check().code).toBe(0);
    expect(withTypeError(() => check().out)).toContain(typeError);
    expect(afterwards.map(({ name }) => name)).toEqual(['check']);
  });

  test('gives no step the token of a ServiceAccount', () => {
    expect(spec.taskRunTemplate.podTemplate).toEqual({ automountServiceAccountToken: false });
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
