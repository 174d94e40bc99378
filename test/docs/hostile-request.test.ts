import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clusters } from '../compiler/plan/states.ts';
import { root } from '../linked-repository.ts';
import { fleetOf } from '../resolve-text.ts';
import { attacks, appWith, stealing, type Attack, type Attacker, type Changed } from './ci/hostile-files.ts';
import { LocalRegistry } from './ci/local-registry.ts';
import { recipes, recipeSteps, type JobName, type Recipe, type RecipeRequest } from './ci/recipe-jobs.ts';

// The steps of each recipe, as its file has them, with the npm and Git of this machine, on a request that tries to run code and to get
// secrets. Every job has the secret that the forge would give to it, and the plan has one, too, which no recipe gives to it.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const secret = 'secret-value-of-ci';
const marker = '<!-- fleetwright-plan -->';
const execute = promisify(execFile);
const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

let folder: string;
let origin: string;
let loot: string;
let registry: LocalRegistry;
let attackersRegistry: LocalRegistry;
let attacker: Attacker;
/** The forge of the comments, with the bodies that it got. */
let forge: Server;
const comments: string[] = [];
let base: string;
let changed: Changed;

const at = (...names: readonly string[]): string => path.join(folder, ...names);
const git = (cwd: string, ...parameters: readonly string[]): string =>
  execFileSync('git', parameters, { cwd, encoding: 'utf8', env: { ...process.env, ...identity } }).trim();

function write(top: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
    rmSync(path.join(top, name), { force: true });
    writeFileSync(path.join(top, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
}

function commit(message: string, files: Readonly<Record<string, string>>): string {
  write(origin, files);
  git(origin, 'add', '--all', '--force', '--', ...Object.keys(files));
  git(origin, 'commit', '--quiet', '--allow-empty', '--message', message);
  return git(origin, 'rev-parse', 'HEAD');
}

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-recipes-')));
  [origin, loot] = [at('origin'), at('loot')];
  for (const name of ['origin', 'loot', 'bin', 'home']) mkdirSync(at(name));
  registry = await LocalRegistry.start(at('packed'));
  attackersRegistry = await LocalRegistry.start(at('packed'), registry);
  attacker = { loot, host: attackersRegistry.host };
  write(at('evil'), {
    'package.json': JSON.stringify({
      name: 'fleetwright',
      version: '0.1.0',
      type: 'module',
      bin: { fleetwright: 'build/cli/main.js' },
    }),
    'build/cli/main.js': `#!/usr/bin/env node\n${stealing(attacker, 'program')}`,
  });
  attackersRegistry.replace(at('evil'), at('packed'));
  forge = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString()));
    request.on('end', () => {
      if (request.method === 'GET') response.end(request.url === '/api/user' ? '{ "id": 3 }' : '[]');
      else {
        const token = request.headers['private-token'];
        comments.push(
          token === secret ? (new URLSearchParams(body).get('body') ?? '') : `token ${String(token)}`,
        );
        response.end('{}');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(forge, 'listening');
  // The program of GitHub is not on every machine.
  write(at('bin'), {
    gh: `#!/bin/sh\ncase "$*" in *--jq*) ;; *) cp plan.md "${at('gh-comment')}" ;; esac\n`,
  });

  git(origin, 'init', '--quiet', '--initial-branch=main');
  const cdk8s = (name: string): unknown =>
    (JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')) as Json)[
      'version'
    ];
  const manifest = {
    name: 'add-ons',
    private: true,
    type: 'module',
    dependencies: { fleetwright: '0.1.0', cdk8s: cdk8s('cdk8s'), constructs: cdk8s('constructs') },
  };
  write(origin, {
    '.gitignore': 'node_modules\nplan.*\n',
    '.npmrc': `registry=${registry.url}/\n`,
    'package.json': JSON.stringify(manifest),
    'fleetwright.yaml': 'guardrails: { protect: [c1] }\n',
    'apps/code/fleet.yaml': fleetOf(clusters),
    'apps/code/app.js': appWith(''),
  });
  const install = 'npm install --package-lock-only --ignore-scripts && npm ci --ignore-scripts';
  const compiled = await run(['sh', '-c'], `${install} && npx fleetwright synth`, origin, {
    HOME: at('home'),
  });
  if (compiled.code !== 0) throw new Error(compiled.out);
  git(origin, 'add', '--all');
  git(origin, 'commit', '--quiet', '--message', 'base');
  base = git(origin, 'rev-parse', 'HEAD');
  const lock = JSON.parse(readFileSync(path.join(origin, 'package-lock.json'), 'utf8')) as Changed['lock'];
  changed = { manifest, lock, attacker, integrity: attackersRegistry.integrityOf('fleetwright') };
});

type Json = Readonly<Record<string, unknown>>;

afterAll(async () => {
  await registry.close();
  await attackersRegistry.close();
  forge.close();
  rmSync(folder, { recursive: true });
});

interface Outcome {
  readonly code: number;
  readonly out: string;
}

/** Runs a program as a forge does, with an environment that has nothing of this process. */
async function run(
  [program = '', ...options]: readonly string[],
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const search = `${at('bin')}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const running = execute(program, [...options, script], {
    cwd,
    env: { PATH: search, npm_config_update_notifier: 'false', ...identity, ...env },
    maxBuffer: 2 ** 26,
  });
  return await running.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout + error.stderr,
    }),
  );
}

/** What code of the request left, and what the registry of the attacker was asked with credentials. */
function stolen(): Readonly<Record<string, string>> {
  const files = readdirSync(loot)
    .filter((name) => name !== 'next.mjs')
    .map((name) => [name, readFileSync(path.join(loot, name), 'utf8')]);
  const { requests } = attackersRegistry;
  return Object.fromEntries([
    ...files,
    ...(requests.length > 0 ? [['token', requests.join('\n')]] : []),
  ]) as Record<string, string>;
}

function forget(): void {
  rmSync(loot, { recursive: true });
  write(loot, { 'next.mjs': stealing(attacker, 'next') });
  attackersRegistry.requests.length = 0;
  comments.length = 0;
  rmSync(at('gh-comment'), { force: true });
}

function cloneTo(place: string, head: string): void {
  git(folder, '-c', 'advice.detachedHead=false', 'clone', '--quiet', origin, place);
  git(place, 'switch', '--quiet', '--detach', head);
}

/** A home folder with credentials, as a runner has. */
function homeWithSecrets(name: string): string {
  write(at(name), {
    '.npmrc': `//registry.example.com/:_authToken=${secret}\n`,
    '.git-credentials': `https://user:${secret}@git.example.com\n`,
  });
  return at(name);
}

describe('a job without care', () => {
  test.each(Object.entries(attacks))(
    'loses its secret: %s',
    async (name: string, { files, careless }: Attack) => {
      forget();
      git(origin, 'switch', '--quiet', '--discard-changes', '--detach', base);
      const place = at(`careless-${name}`);
      cloneTo(place, commit(name, files(changed)));
      const env = { HOME: homeWithSecrets(`home-${name}`), CI_SECRET: secret };
      await run(['sh', '-c'], careless, place, env);
      expect(stolen()[name]).toContain(secret);
    },
  );
});

describe('a hostile request', () => {
  let head: string;

  beforeAll(() => {
    git(origin, 'switch', '--quiet', '--discard-changes', '--detach', base);
    const output = readdirSync(path.join(origin, 'dist/code'));
    const edited = `dist/code/${output.find((name) => name.startsWith('addondeploymentconfig'))}`;
    const { scripts, bin, ...others } = Object.fromEntries(
      Object.entries(attacks).map(([name, { files }]) => [name, files(changed)]),
    ) as Readonly<Record<string, Readonly<Record<string, string>>>>;
    const files: Record<string, string> = Object.assign({}, ...Object.values(others)) as Record<
      string,
      string
    >;
    const manifests = [scripts, bin].map((each) => JSON.parse(each?.['package.json'] ?? '') as Json);
    const npmrc = Object.values(others).map((each) => each['.npmrc'] ?? '');
    head = commit('hostile', {
      ...scripts,
      ...bin,
      ...files,
      'package.json': JSON.stringify(Object.assign({}, ...manifests)),
      '.npmrc': `${npmrc.join('')}ignore-scripts=false\n`,
      'fleetwright.yaml': 'apps: { unconfined: [code] }\nguardrails: { maxUninstalls: 100 }\n',
      [edited]: readFileSync(path.join(origin, edited), 'utf8').replace('value: info', 'value: evil'),
      'plan.md': `${marker}\nFORGED`,
    });
  });

  /** The places of a recipe: each job has its own, or all share one. */
  const isShared = (recipe: Recipe): boolean => recipe === 'jenkins' || recipe === 'tekton';

  async function runJob(
    recipe: Recipe,
    job: JobName,
    workspace: string,
    env: Readonly<Record<string, string>>,
  ): Promise<Outcome> {
    const { port } = forge.address() as AddressInfo;
    const request: RecipeRequest = { base, head, url: origin, forge: `http://127.0.0.1:${port}`, workspace };
    const home = isShared(recipe) ? `${workspace}.${job}-home` : `${workspace}-home`;
    mkdirSync(home, { recursive: true });
    let outcome: Outcome = { code: 0, out: '' };
    for (const step of recipeSteps(recipe, job, request)) {
      if (outcome.code !== 0 && !step.always) continue;
      const { code, out } = await run(step.shell, step.script, workspace, {
        HOME: home,
        ...env,
        ...step.env,
      });
      outcome = { code: outcome.code === 0 ? code : outcome.code, out: outcome.out + out };
    }
    return outcome;
  }

  async function succeeds(recipe: Recipe, job: JobName, workspace: string): Promise<void> {
    const { code, out } = await runJob(recipe, job, workspace, {});
    if (code !== 0) throw new Error(`${recipe} ${job}: ${out}`);
  }

  /** Brings the request to the workspace as the recipe does. */
  async function clone(recipe: Recipe, workspace: string): Promise<void> {
    if (recipe !== 'jenkins') rmSync(workspace, { recursive: true, force: true });
    mkdirSync(workspace, { recursive: true });
    if (recipe === 'tekton') {
      write(`${workspace}.auth`, { '.git-credentials': `https://user:${secret}@git.example.com\n` });
      await succeeds(recipe, 'clone', workspace);
      return;
    }
    if (recipe === 'jenkins') await succeeds(recipe, 'clone', workspace);
    cloneTo(workspace, head);
  }

  /** What a plan of this request has to say, and nothing that the request put there. */
  function isRight(text: string): boolean {
    const has = ['evil', 'FW8006', 'FW8030', 'FW8140'].every((words) => text.includes(words));
    return has && !text.includes('FORGED') && !text.includes(secret);
  }

  /** The first lines of the comment, and the plans that the forge got as comments. */
  const expected: Readonly<Record<Recipe, { readonly base?: string; readonly comments: number }>> = {
    github: { base: 'origin/main', comments: 1 },
    gitlab: { base: 'BASE', comments: 1 },
    azure: { base: 'origin/main', comments: 0 },
    jenkins: { base: 'origin/main', comments: 0 },
    // It prints the plan.
    tekton: { comments: 0 },
  };

  test.each(recipes)(
    'gets no secret, runs in no job that has one, and does not change the plan: %s',
    async (recipe) => {
      forget();
      const workspace = at(`${recipe}-plan`);
      const secrets = { CI_SECRET: secret, HOME: homeWithSecrets(`${recipe}-secrets`) };
      await clone(recipe, workspace);
      const planned = await runJob(recipe, 'plan', workspace, secrets);
      expect(stolen()).toEqual({});
      // The guardrail of the base, which the request drops, fails the job.
      expect(planned.code).toBe(1);
      expect(planned.out).toMatch(/6 changed/);
      expect(planned.out).toContain('FW8006');
      expect(planned.out).not.toMatch(new RegExp(`FORGED|${secret}`));
      const artifacts = ['plan.md', 'plan.html'].filter((name) => existsSync(path.join(workspace, name)));
      const plans = artifacts.map((name) => readFileSync(path.join(workspace, name), 'utf8'));
      const { base: baseName, comments: commentsOfPlan } = expected[recipe];
      expect(plans.map(isRight)).toEqual(baseName === undefined ? [] : [true, true]);
      const heading = `## Plan: \`${baseName?.replace('BASE', base)}\` → \`${head}\``;
      expect(plans[0]?.split('\n').slice(0, 2)).toEqual(
        plans[0] === undefined ? undefined : [marker, heading],
      );

      // On another machine with nothing but what the plan wrote.
      const beside = at(`${recipe}-comment`);
      mkdirSync(beside);
      for (const name of artifacts) cpSync(path.join(workspace, name), path.join(beside, name));
      const tokens = { ...secrets, GH_TOKEN: secret, FLEETWRIGHT_TOKEN: secret };
      expect(await runJob(recipe, 'comment', beside, tokens)).toMatchObject({ code: 0 });
      expect(stolen()).toEqual({});
      const ofGitHub = existsSync(at('gh-comment')) ? [readFileSync(at('gh-comment'), 'utf8')] : [];
      expect([...comments, ...ofGitHub]).toEqual(plans.slice(0, commentsOfPlan));

      // The code of the request runs, without a secret, and nothing runs after it.
      const last = isShared(recipe) ? workspace : at(`${recipe}-check`);
      if (!isShared(recipe)) await clone(recipe, last);
      const checked = await runJob(recipe, 'check', last, {});
      expect(Object.keys(stolen())).not.toEqual([]);
      expect(JSON.stringify(stolen()) + checked.out).not.toContain(secret);
    },
  );

  test('leaves nothing for the next build in the same workspace: jenkins', async () => {
    forget();
    const workspace = at('jenkins-plan');
    expect(readFileSync(path.join(workspace, '.git/config'), 'utf8')).toContain('fsmonitor');
    await clone('jenkins', workspace);
    const planned = await runJob('jenkins', 'plan', workspace, { CI_SECRET: secret });
    expect(planned.out).toContain('FW8006');
    expect(stolen()).toEqual({});
  });
});

describe('the code of a request is in the last job', () => {
  test('jenkins', () => {
    const text = readFileSync(path.join(root, 'docs/ci/Jenkinsfile'), 'utf8');
    const stages = [...text.matchAll(/stage\('(\w+)'\)/g)].map(([, name]) => name);
    expect(stages).toEqual(['Clone', 'Plan', 'Check']);
    expect(text).not.toMatch(/\bpost\b/);
    expect(text.slice(text.indexOf("stage('Check')")).match(/\b(?:sh|archiveArtifacts|junit)\b/g)).toEqual([
      'sh',
    ]);
  });
});
