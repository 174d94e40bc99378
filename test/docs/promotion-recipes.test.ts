import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { block, page, writeCommands } from '../gitops/engines/guide.ts';
import { appText } from '../promotion/app.ts';
import { PromotedRepository } from '../promotion/promoted-repository.ts';

// The scheduled jobs of docs/promotion.md: their commands, in a fresh clone for each run, with the built command.

const guide = page('promotion.md');
let promoted: PromotedRepository;
let folder: string;
let runs = 0;
beforeEach(() => {
  for (const name of ['GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME']) vi.stubEnv(name, 'A');
  for (const name of ['GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_EMAIL']) vi.stubEnv(name, 'a@example.com');
  promoted = new PromotedRepository();
  folder = promoted.repository.temporary;
  runs = 0;
});
afterEach(() => {
  promoted.repository.remove();
  vi.unstubAllEnvs();
});

function git(cwd: string, ...parameters: readonly string[]): string {
  return execFileSync('git', parameters, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** The address of the served repository. */
function served(): string {
  return path.join(folder, 'served.git');
}

/** Begins with version 1 on all clusters, and puts the repository on a server. */
async function begin(): Promise<void> {
  await promoted.begin(['a', 'b', 'c', 'd']);
  git(folder, 'clone', '--quiet', '--bare', promoted.repository.root, served());
  const bin = path.join(folder, 'bin');
  writeCommands(bin);
  // The packages are installed already. The forge's command writes down what it is asked for.
  writeFileSync(path.join(bin, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(path.join(bin, 'gh'), `#!/bin/sh\necho "$@" >> '${folder}/gh.txt'\n`, { mode: 0o755 });
}

/** Merges version 2 with the output of synth. */
async function mergeVersion2(): Promise<void> {
  git(promoted.repository.root, 'pull', '--quiet', '--ff-only', served(), 'main');
  promoted.commit('version 2', { 'apps/hello/app.yaml': appText('2') });
  await promoted.synthesized('synth of version 2');
  git(promoted.repository.root, 'push', '--quiet', served(), 'HEAD:main');
}

/** Runs a script in a fresh clone, or in an empty folder, without the identity that tests have. */
async function runScript(
  script: string,
  env: Readonly<Record<string, string>>,
  { isCloned = true } = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const cwd = path.join(folder, `run-${++runs}`);
  if (isCloned) git(folder, 'clone', '--quiet', served(), cwd);
  else mkdirSync(cwd);
  const shell = spawn('bash', ['-e', '-c', script], {
    cwd,
    env: {
      PATH: `${path.join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => shell.on('close', resolve));
  return { code, output };
}

function subjects(branch = 'main'): string {
  return git(served(), 'log', '--format=%an: %s', '-3', branch);
}

/**
 * Runs a job three times: the first records the state, the second releases the first wave of version 2, the third waits. Returns
 * what the third one prints.
 */
async function playJob(run: () => ReturnType<typeof runScript>): Promise<string> {
  await begin();
  expect(await run()).toMatchObject({ code: 0 });
  expect(subjects()).toMatch(/^promote: hello: begin promotions\n/);
  await mergeVersion2();
  const advanced = await run();
  expect(advanced.output).toMatch(/^hello advanced: wave 1 of 2 of /m);
  expect(advanced.code).toBe(0);
  expect(subjects()).toMatch(/^promote: hello: wave 1 of 2 of \w+\nA: synth of version 2\n/);
  const head = git(served(), 'rev-parse', 'main');
  const waiting = await run();
  expect(waiting.code).toBe(0);
  expect(git(served(), 'rev-parse', 'main')).toBe(head);
  return waiting.output;
}

const waits = /^hello waits: wave 1 of 2: 0 of 2 healthy/m;

function kubeconfig(): string {
  return path.join(folder, 'kubeconfig');
}

interface Workflow {
  readonly jobs: {
    readonly promote: { readonly steps: readonly { readonly name?: string; readonly run?: string }[] };
  };
}

function githubScript(): string {
  const { jobs } = parse(block(guide, 'GitHub Actions', 'yaml')) as Workflow;
  const script = jobs.promote.steps.find(({ name }) => name === 'Promote')?.run;
  if (script === undefined) throw new Error('the workflow has no step Promote');
  return script;
}

interface CronJob {
  readonly kind: string;
  readonly spec: {
    readonly jobTemplate: {
      readonly spec: {
        readonly template: {
          readonly spec: { readonly containers: readonly { readonly command: readonly string[] }[] };
        };
      };
    };
  };
}

function cronJobScript(): string {
  const objects = parseAllDocuments(block(guide, 'A CronJob on the hub', 'yaml')).map(
    (document) => document.toJS() as CronJob,
  );
  const [container] =
    objects.find(({ kind }) => kind === 'CronJob')?.spec.jobTemplate.spec.template.spec.containers ?? [];
  const [shell, flags, script] = container?.command ?? [];
  expect([shell, flags]).toEqual(['bash', '-ec']);
  return script ?? '';
}

function githubEnvironment(): Record<string, string> {
  return { RUNNER_TEMP: folder, KUBECONFIG_CONTENT: readFileSync(kubeconfig(), 'utf8') };
}

describe('the recipes of docs/promotion.md', () => {
  test('run in GitHub Actions', async () => {
    const output = await playJob(async () => await runScript(githubScript(), githubEnvironment()));
    expect(output).toMatch(waits);
  });

  test('run in GitHub Actions with a pull request per wave', async () => {
    await begin();
    await runScript(githubScript(), githubEnvironment());
    await mergeVersion2();
    const [, replacement = ''] = /replace the push:\n\n```yaml\n(.*?)```/s.exec(guide) ?? [];
    const script = githubScript().replace('promote --commit', 'promote').replace('git push\n', replacement);
    const { code, output } = await runScript(script, githubEnvironment());
    expect(output).toMatch(/^hello advanced: wave 1 of 2 of /m);
    expect(code).toBe(0);
    expect(readFileSync(path.join(folder, 'gh.txt'), 'utf8')).toBe(
      'pr create --base main --head promote --fill\n',
    );
    expect(subjects('promote')).toMatch(/^promote: Promote\nA: synth of version 2\n/);
    expect(git(served(), 'diff', '--name-only', 'main', 'promote').split('\n')).toEqual([
      'dist/hello/clusters/managedclusteraddon_a_hello.yaml',
      'dist/hello/clusters/managedclusteraddon_b_hello.yaml',
      'promotions/hello.yaml',
    ]);
  });

  test('run in GitLab CI', async () => {
    const { promote } = parse(block(guide, 'GitLab CI', 'yaml')) as {
      readonly promote: { readonly script: readonly string[] };
    };
    const output = await playJob(
      async () =>
        await runScript(promote.script.join('\n'), {
          CI_DEFAULT_BRANCH: 'main',
          CI_SERVER_HOST: 'gitlab.example.com',
          CI_PROJECT_PATH: 'team/hub',
          PROMOTE_TOKEN: 'token',
          HUB_KUBECONFIG: kubeconfig(),
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: `url.${served()}.insteadOf`,
          GIT_CONFIG_VALUE_0: 'https://promote:token@gitlab.example.com/team/hub.git',
        }),
    );
    expect(output).toMatch(waits);
  });

  test('run in a CronJob', async () => {
    const script = cronJobScript();
    const output = await playJob(
      async () =>
        await runScript(script, { REPOSITORY: served(), KUBECONFIG: kubeconfig() }, { isCloned: false }),
    );
    expect(output).toMatch(waits);
  });
});
