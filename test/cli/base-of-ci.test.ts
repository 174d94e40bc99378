import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Repository } from '../storm/history.ts';
import { runIn, type Ran } from './terminal.ts';

// `synth --check` with the variables that each CI system sets. The last two commits lost an object: only the base of the request, or
// the commit before the push, still has it, and Git alone does not lead there.

const group = 'addon.open-cluster-management.io';
const app = (level: string): string => `apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: settings-${level}, namespace: default }
spec: { customizedVariables: [{ name: LEVEL, value: ${level} }] }
---
apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello }
spec:
  supportedConfigs: [{ group: ${group}, resource: addondeploymentconfigs, defaultConfig: { name: settings-${level}, namespace: default } }]
`;
const lost = 'dist/hello/addondeploymentconfig_default_settings-one.yaml';

let repository: Repository;
let folder: string;
/** The state that was applied, and two commits after it. */
let before: string;
let head: string;
/** A state that a push replaced: it has the object, and the branch does not lead from it. */
let replaced: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-base-'));
  repository = new Repository(folder);
  const release = async (level: string): Promise<string> => {
    repository.write('apps/hello/app.yaml', app(level));
    expect(await runIn(folder, ['synth'])).toMatchObject({ code: 0 });
    return repository.commit(level);
  };
  const start = repository.commit('start');
  await release('one');
  before = await release('two');
  repository.git('checkout', '--quiet', '-b', 'fresh', start);
  const fresh = await release('two');
  repository.git('checkout', '--quiet', 'main');
  repository.remove('dist');
  repository.git('checkout', '--quiet', fresh, '--', 'dist');
  repository.commit('lost');
  head = repository.commit('later');
  repository.git('checkout', '--quiet', '-b', 'rewritten', before);
  repository.git('reset', '--quiet', '--soft', start);
  replaced = repository.commit('replaced');
  repository.git('checkout', '--quiet', 'main');
  repository.git('update-ref', 'refs/remotes/origin/release', before);
  repository.git('update-ref', 'refs/remotes/origin/main', head);
});

afterAll(() => {
  repository.close();
});

async function check(env: Readonly<Record<string, string>>, base?: string): Promise<Ran> {
  return await runIn(folder, ['synth', '--check', ...(base === undefined ? [] : ['--base', base])], '', {
    env,
  });
}

/** The variables of a GitHub event. */
function gitHub(event: object, variables: Readonly<Record<string, string>>): Record<string, string> {
  const file = path.join(folder, '.git/event.json');
  writeFileSync(file, JSON.stringify(event));
  return { GITHUB_WORKSPACE: folder, GITHUB_EVENT_PATH: file, GITHUB_BASE_REF: '', ...variables };
}

const zeros = '0'.repeat(40);

const events: readonly (readonly [string, () => Record<string, string>, () => string])[] = [
  ['a pull request on GitHub', () => gitHub({}, { GITHUB_BASE_REF: 'release' }), () => 'origin/release'],
  ['a merge queue of GitHub', () => gitHub({ merge_group: { base_sha: before } }, {}), () => before],
  ['a push to GitHub', () => gitHub({ before }, {}), () => before],
  [
    'a merge request on GitLab',
    () => ({
      CI_PROJECT_DIR: folder,
      CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: before,
      CI_COMMIT_BEFORE_SHA: zeros,
    }),
    () => before,
  ],
  [
    'a merged result or merge train of GitLab',
    () => ({
      CI_PROJECT_DIR: folder,
      CI_MERGE_REQUEST_TARGET_BRANCH_SHA: before,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: head,
      CI_COMMIT_BEFORE_SHA: zeros,
    }),
    () => before,
  ],
  ['a push to GitLab', () => ({ CI_PROJECT_DIR: folder, CI_COMMIT_BEFORE_SHA: before }), () => before],
  [
    'a pull request in Jenkins',
    () => ({ WORKSPACE: folder, CHANGE_TARGET: 'release' }),
    () => 'origin/release',
  ],
  ['a push in Jenkins', () => ({ WORKSPACE: folder, GIT_PREVIOUS_SUCCESSFUL_COMMIT: before }), () => before],
  [
    'a pull request of GitHub in Azure Pipelines',
    () => ({ BUILD_SOURCESDIRECTORY: folder, SYSTEM_PULLREQUEST_TARGETBRANCH: 'release' }),
    () => 'origin/release',
  ],
  [
    'a pull request of Azure Repos',
    () => ({ BUILD_SOURCESDIRECTORY: folder, SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/release' }),
    () => 'origin/release',
  ],
];

describe('synth --check compares with the base of', () => {
  test.each(events)('%s', async (_what, variables, name) => {
    const { code, err } = await check(variables());
    expect(code).toBe(1);
    expect(err).toContain(`error FW9151: ${lost} is missing: the base ${name()} has it`);
  });

  test('the revision of --base, as in Tekton, which sets no variables', async () => {
    expect(await check({})).toMatchObject({ code: 0 });
    for (const name of [before, 'origin/release']) {
      const { code, err } = await check({}, name);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`the base ${name} has it`) });
    }
  });
});

describe('synth --check does not use', () => {
  test.each(events)('the variables of %s in another repository', async (_what, variables) => {
    const elsewhere = Object.entries(variables()).map(([name, value]) =>
      value === folder ? [name, path.dirname(folder)] : [name, value],
    );
    expect(await check(Object.fromEntries(elsewhere) as Record<string, string>)).toMatchObject({ code: 0 });
  });

  test.each([
    ['GitHub', () => gitHub({ before: zeros }, {})],
    ['GitLab', () => ({ CI_PROJECT_DIR: folder, CI_COMMIT_BEFORE_SHA: zeros })],
    ['no forge', () => ({})],
  ])('the zeros that %s has for a new branch', async (_forge, variables) => {
    expect(await check(variables())).toMatchObject({ code: 0 });
    expect(await check(variables(), zeros)).toMatchObject({ code: 0 });
  });
});

describe('a push that replaced commits', () => {
  test.each([
    ['GitHub', () => gitHub({ before: replaced }, {})],
    ['GitLab', () => ({ CI_PROJECT_DIR: folder, CI_COMMIT_BEFORE_SHA: replaced })],
    ['Jenkins', () => ({ WORKSPACE: folder, GIT_PREVIOUS_SUCCESSFUL_COMMIT: replaced })],
  ])('keeps what the replaced state had: %s', async (_forge, variables) => {
    for (const named of [undefined, replaced]) {
      const { code, err } = await check(variables(), named);
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining(`${lost} is missing: the base ${replaced} has it`),
      });
    }
  });
});
