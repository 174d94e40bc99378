import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GitRepository } from '../e2e/repository.ts';
import { fleetOf } from '../resolve-text.ts';

const group = 'addon.open-cluster-management.io';
const fleet = fleetOf({ c1: {}, c2: {}, c3: {} });

/** An add-on whose rollout takes one cluster at a time, with an immutable configuration. */
function yamlApp(greeting: string, level = 'info'): string {
  return `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
---
apiVersion: ${group}/v1alpha1
kind: AddOnTemplate
metadata: { name: hello, annotations: { fleetwright.dev/immutable: 'true' } }
spec:
  addonName: hello
  agentSpec:
    workload:
      manifests:
        - apiVersion: v1
          kind: ConfigMap
          metadata: { name: hello, namespace: open-cluster-management-agent-addon }
          data: { greeting: '{{GREETING}}', level: '{{LEVEL}}' }
---
apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: hello, namespace: default, annotations: { fleetwright.dev/immutable: 'true' } }
spec:
  customizedVariables:
    - { name: GREETING, value: ${greeting} }
    # the level of the log
    # of the agent
    # on each cluster
    - { name: LEVEL, value: ${level} }
---
apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello }
spec:
  supportedConfigs:
    - { group: ${group}, resource: addontemplates, defaultConfig: { name: hello } }
    - { group: ${group}, resource: addondeploymentconfigs, defaultConfig: { name: hello, namespace: default } }
  installStrategy:
    type: Placements
    placements:
      - name: all
        namespace: default
        rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: 1, minSuccessTime: 5m } }
`;
}

const typescriptApp = (greeting: string): string => `import { ApiObject, App, Chart } from 'cdk8s';
import { AddOnDeploymentConfig, AddOnTemplate, ClusterManagementAddOn, Placement, Toleration, Rollout } from 'fleetwright';
const app = new App();
const chart = new Chart(app, 'hello', { namespace: 'default' });
const template = new AddOnTemplate(chart, 'template', {
  addonName: 'hello',
  immutable: true,
  workload: (scope) => {
    new ApiObject(scope, 'hello', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'hello' }, data: { greeting: '{{GREETING}}' } });
  },
});
const config = new AddOnDeploymentConfig(chart, 'hello-config', {
  name: 'hello',
  immutable: true,
  customizedVariables: { GREETING: '${greeting}' },
});
const placement = new Placement(chart, 'all', { tolerations: [Toleration.unreachable(), Toleration.unavailable()] });
new ClusterManagementAddOn(chart, 'hello-add-on', {
  name: 'hello',
  defaultConfigs: [template, config],
  placements: [{ placement, rollout: Rollout.progressive({ maxConcurrency: 1 }) }],
});
export default app;
`;

let repository: GitRepository;
beforeEach(() => {
  for (const who of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${who}_NAME`, 'A');
    vi.stubEnv(`GIT_${who}_EMAIL`, 'a@example.com');
  }
  repository = new GitRepository();
});
afterEach(() => {
  repository.remove();
  vi.unstubAllEnvs();
});

function git(...parameters: readonly string[]): string {
  return execFileSync('git', parameters, { cwd: repository.root, encoding: 'utf8', stdio: 'pipe' });
}

/** Changes files, compiles and commits all, as a merged pull request does. */
async function change(message: string, files: Readonly<Record<string, string | undefined>>): Promise<string> {
  repository.write(files);
  const { code, err } = await repository.fleetwright(['synth']);
  expect({ code, err }).toMatchObject({ code: 0 });
  return repository.commit(message, {});
}

const yaml = (greeting: string, level?: string): Record<string, string> => ({
  'apps/hello/app.yaml': yamlApp(greeting, level),
});

async function begin(files: Readonly<Record<string, string>> = yaml('Hello')): Promise<string> {
  return await change('first', { 'fleet.yaml': fleet, ...files });
}

function output(): readonly string[] {
  return readdirSync(path.join(repository.root, 'dist/hello')).filter((name) => name.startsWith('addon'));
}

function source(file = 'apps/hello/app.yaml'): string {
  return readFileSync(path.join(repository.root, file), 'utf8');
}

describe.each([
  ['YAML', yaml],
  ['TypeScript', (greeting: string) => ({ 'apps/hello/app.ts': typescriptApp(greeting) })],
])('revert, in %s', (_language, files) => {
  test('keeps what clusters use, unlike git revert', async () => {
    await begin(files('Hello'));
    const before = output();
    await change('Good morning', files('Good morning'));
    const used = output();
    expect(used.length).toBe(before.length + 1);
    const { code, out, err } = await repository.fleetwright(['revert', 'HEAD']);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(out).toMatch(/^reverted 1 commit in 1 file: apps\/hello\/app\.(?:yaml|ts)\n/);
    // Clusters whose wave has come use the reverted configuration.
    expect(output()).toEqual(used);
    expect(out).toContain('keeps as an earlier revision: AddOnDeploymentConfig default/hello-');
    expect(git('log', '-1', '--format=%s')).toBe('Revert "Good morning"\n');
    expect(repository.status()).toBe('');
    expect(await repository.fleetwright(['synth', '--check'])).toMatchObject({ code: 0 });
    const sources = Object.entries(files('Hello'));
    for (const [file, text] of sources) expect(source(file)).toBe(text);
  });
});

describe('revert', () => {
  test('of a revert applies the change again', async () => {
    await begin();
    await change('Good morning', yaml('Good morning'));
    const after = output();
    await repository.fleetwright(['revert', 'HEAD']);
    expect(await repository.fleetwright(['revert', 'HEAD'])).toMatchObject({ code: 0 });
    expect(git('log', '-1', '--format=%s')).toBe('Reapply "Good morning"\n');
    expect(source()).toBe(yamlApp('Good morning'));
    expect(output()).toEqual(after);
  });

  test('of an earlier commit leaves later ones', async () => {
    await begin();
    const reverted = await change('Good morning', yaml('Good morning'));
    await change('debug', yaml('Good morning', 'debug'));
    const { code, out } = await repository.fleetwright(['revert', reverted]);
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(source()).toBe(yamlApp('Hello', 'debug'));
    expect(git('log', '-1', '--format=%B')).toBe(
      `Revert "Good morning"\n\nThis reverts commit ${reverted}.\n\nThe output is compiled from the reverted sources.\n\n`,
    );
  });

  test('of a range', async () => {
    const first = await begin();
    await change('two', yaml('two'));
    await change('three', yaml('three'));
    const used = output();
    const { code, out } = await repository.fleetwright(['revert', `${first}..HEAD`]);
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(out).toMatch(/^reverted 2 commits in 1 file/);
    expect(source()).toBe(yamlApp('Hello'));
    expect(output()).toEqual(used);
    expect(git('log', '-1', '--format=%s')).toBe(`Revert ${first}..HEAD\n`);
  });

  test('of a merge needs the parent whose state is restored', async () => {
    const first = await begin();
    repository.branch('change', first);
    await change('Good morning', yaml('Good morning'));
    git('checkout', '--quiet', 'main');
    repository.commit('a note', { 'notes.md': 'a note\n' });
    git('merge', '--quiet', '--no-ff', '--no-edit', 'change');
    const merge = repository.head();
    const refused = await repository.fleetwright(['revert', 'HEAD']);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(
      /^fleetwright: [0-9a-f]{12} \(Merge branch 'change'\) is a merge, so the state before it is that of one parent\n  --mainline 1 restores the state of [0-9a-f]+ a note\n  --mainline 2 restores the state of [0-9a-f]+ Good morning\n$/,
    );
    expect(await repository.fleetwright(['revert', 'HEAD', '--mainline', '1'])).toMatchObject({ code: 0 });
    expect(source()).toBe(yamlApp('Hello'));
    expect(source('notes.md')).toBe('a note\n');
    expect(git('log', '-1', '--format=%B')).toContain(`This reverts commit ${merge}, reversing`);
  });

  test('with --no-commit leaves the change in the working tree', async () => {
    await begin();
    const head = await change('Good morning', yaml('Good morning'));
    const { code, out } = await repository.fleetwright(['revert', 'HEAD', '--no-commit']);
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(repository.head()).toBe(head);
    expect(source()).toBe(yamlApp('Hello'));
    expect(repository.status()).toContain('apps/hello/app.yaml');
    expect(repository.status()).toContain('dist/hello/');
    expect(git('status')).not.toContain('reverting');
  });

  test('leaves files outside of the workspace', async () => {
    const inWorkspace = (files: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`hub/${name}`, text]));
    const commit = async (message: string, files: Readonly<Record<string, string>>): Promise<void> => {
      repository.write(files);
      expect(await repository.fleetwright(['synth'], 'hub')).toMatchObject({ code: 0 });
      repository.commit(message, {});
    };
    await commit('first', {
      ...inWorkspace({ 'fleetwright.yaml': '{}\n', 'fleet.yaml': fleet, ...yaml('Hello') }),
      'other.md': '1\n',
    });
    await commit('second', { ...inWorkspace(yaml('Good morning')), 'other.md': '2\n' });
    const { code, err } = await repository.fleetwright(['revert', 'HEAD'], 'hub');
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 file outside of the workspace is not reverted\n'),
    });
    expect(source('other.md')).toBe('2\n');
    expect(source('hub/apps/hello/app.yaml')).toBe(yamlApp('Hello'));
    expect(repository.status()).toBe('');
  });

  test('keeps the state of promotions', async () => {
    const promotion = (spec: string, status = ''): string =>
      `apiVersion: fleetwright.dev/v1alpha1\nkind: Promotion\nmetadata: { name: hello }\nspec: ${spec}\n${status}`;
    const status = 'status:\n  history: []\n';
    await begin();
    repository.commit('promotion', { 'promotions/hello.yaml': promotion('{}') });
    repository.commit('hello: wave 1', { 'promotions/hello.yaml': promotion('{}', status) });
    expect(await repository.fleetwright(['revert', 'HEAD'])).toMatchObject({
      code: 2,
      err: 'fleetwright: the sources of this workspace are already as they were before the commit\n  dist/ is compiled from the sources: fleetwright synth updates it\n',
    });
    expect(source('promotions/hello.yaml')).toBe(promotion('{}', status));
  });
});

describe('revert and other runs', () => {
  test('no other run writes while it runs, and its own synth does not wait for it', async () => {
    await begin();
    await change('Good morning', yaml('Good morning'));
    const waits: string[] = [];
    const other = { err: (text: string) => void waits.push(text) };
    const headAtStart = repository.head();
    let hasBegun: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const reverting = repository.fleetwright(['revert', 'HEAD'], '', { out: () => hasBegun?.() });
    await begun;
    expect(await repository.fleetwright(['synth'], '', other)).toMatchObject({ code: 0 });
    expect(await reverting).toMatchObject({ code: 0 });
    expect(waits.join('')).toMatch(/^waiting for fleetwright revert \(process \d+ on /);
    expect(git('rev-parse', 'HEAD^').trim()).toBe(headAtStart);
    expect(repository.status()).toBe('');
    expect(git('show', '--name-only', '--format=', 'HEAD')).not.toContain('.fleetwright.lock');
  });

  test('commits nothing on top of a commit that came in between (FW9131)', async () => {
    await begin();
    await change('Good morning', yaml('Good morning'));
    let moved = '';
    const { code, err } = await repository.fleetwright(['revert', 'HEAD'], '', {
      out: (text) => {
        if (!text.startsWith('reverted')) return;
        // As another program does, which does not take the files of the index.
        moved = git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'another').trim();
        git('update-ref', 'HEAD', moved);
      },
    });
    expect(code).toBe(2);
    expect(err).toMatch(
      /error FW9131: HEAD moved from [0-9a-f]{12} to [0-9a-f]{12} during the run, so its result is outdated; nothing was committed\n {2}= hint: run revert again/,
    );
    expect(repository.head()).toBe(moved);
    expect(repository.status()).toBe('');
    expect(source()).toBe(yamlApp('Good morning'));
  });
});

describe('revert changes nothing', () => {
  async function refused(...parameters: readonly string[]): Promise<string> {
    const [head, status] = [repository.head(), repository.status()];
    const { code, err } = await repository.fleetwright(['revert', ...parameters]);
    expect(code).not.toBe(0);
    expect([repository.head(), repository.status()]).toEqual([head, status]);
    expect(git('status')).not.toContain('reverting');
    return err;
  }

  test('if the working tree has changes', async () => {
    await begin();
    await change('Good morning', yaml('Good morning'));
    repository.write({ 'apps/hello/more.yaml': '' });
    expect(await refused('HEAD')).toBe(
      'fleetwright: the working tree has changes that are not committed: apps/hello/more.yaml\n  commit or stash them first: git stash --include-untracked\n',
    );
  });

  test('if later commits change the same lines', async () => {
    await begin();
    const reverted = await change('two', yaml('two'));
    await change('three', yaml('three'));
    const short = reverted.slice(0, 12);
    expect(await refused(reverted)).toBe(
      `fleetwright: later commits change the same lines as ${short}: apps/hello/app.yaml\n  nothing was reverted. Edit the files by hand, then run fleetwright synth and commit; git show ${short} shows the change\n`,
    );
    expect(source()).toBe(yamlApp('three'));
  });

  test('if the sources from before do not compile', async () => {
    await begin();
    const broken = yamlApp('Hello').replace('kind: Placement', 'kind: Placement\nspecs: {}');
    repository.commit('a mistake', { 'apps/hello/app.yaml': broken });
    await change('mended', yaml('Hello'));
    expect(await refused('HEAD')).toMatch(
      /error FW\d+: [\s\S]*nothing was reverted: the sources from before do not compile\n$/,
    );
  });

  test('if the commit changes only the output', async () => {
    await begin();
    repository.commit('a hand edit', { 'dist/hello/notes.yaml': '' });
    expect(await refused('HEAD')).toContain(
      'the sources of this workspace are already as they were before the commit',
    );
  });

  test('for a revision that does not exist, is of another branch or has no parent', async () => {
    const first = await begin();
    expect(await refused('nothing')).toContain('unknown revision nothing');
    expect(await refused(first)).toMatch(/ \(first\) is the first commit in this repository\n/);
    expect(await refused('HEAD..HEAD')).toContain('HEAD..HEAD has no commits');
    await change('Good morning', yaml('Good morning'));
    const other = repository.head();
    git('reset', '--quiet', '--hard', first);
    expect(await refused(other)).toContain(`${other} is not part of the current branch`);
    expect(await refused('HEAD', '--mainline', '1')).toMatch(/is the first commit/);
  });
});
