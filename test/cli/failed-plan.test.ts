import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GitRepository } from '../e2e/repository.ts';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';

let repository: GitRepository;
let start: string;
let file: string;

beforeEach(() => {
  repository = new GitRepository();
  file = path.join(repository.temporary, 'plan.md');
  start = repository.commit('start', {
    'apps/hello/hub.yaml': app,
    'apps/hello/fleet.yaml': fleetOf(clusters),
  });
});
afterEach(() => {
  repository.remove();
});

async function plan(range: string): Promise<{ readonly code: number; readonly comment: string }> {
  const { code } = await repository.fleetwright(['plan', range, '-o', `markdown=${file}`]);
  return { code, comment: readFileSync(file, 'utf8') };
}

describe('the comment of a plan', () => {
  test('names its commit, and says that there is no plan of a later one that fails', async () => {
    const good = repository.commit('good', { 'apps/hello/hub.yaml': app.replace('"warn"', '"debug"') });
    const first = await plan(`${start}..HEAD`);
    expect(first.comment).toContain(
      `\n\nCommit \`${good.slice(0, 12)}\`, compared with \`${start.slice(0, 12)}\`.\n\n`,
    );
    const bad = repository.commit('bad', { 'apps/hello/hub.yaml': 'kind: [' });
    const second = await plan(`${start}..HEAD`);
    expect(second.code).toBe(1);
    expect(second.comment).toBe(
      `<!-- fleetwright-plan -->\n## No plan for \`${bad.slice(0, 12)}\`\n\n` +
        '`fleetwright plan` failed with exit code 1, so the effect of this commit is not known. A plan of an earlier commit does not apply to it.\n\n' +
        second.comment.slice(second.comment.indexOf('- **error FW')),
    );
    expect(second.comment).toMatch(/- \*\*error FW\d{4}\*\* .+ \(`apps\/hello\/hub\.yaml:\d+`\)\n/);
  });

  test('says that there is no plan of a revision that does not exist, or with wrong settings', async () => {
    expect(await plan('main~9..HEAD')).toMatchObject({
      code: 2,
      comment: expect.stringContaining('exit code 2, so the effect') as string,
    });
    const bad = repository.commit('settings', { 'fleetwright.yaml': 'engine: helm\n' });
    const { code, comment } = await plan(`${start}..HEAD`);
    expect(code).toBe(2);
    expect(comment).toContain(`## No plan for \`${bad.slice(0, 12)}\`\n`);
    expect(comment).toContain('- **error** fleetwright.yaml:1: engine must be one of argocd, flux, none');
  });

  test('names the commit of the request that CI merged', async () => {
    repository.branch('feature', start);
    const request = repository.commit('edit', { 'apps/hello/hub.yaml': app.replace('"warn"', '"debug"') });
    repository.branch('queue', start);
    const merge = repository.merge('feature');
    const { comment } = await plan(`${start}..HEAD`);
    expect(comment).toContain(
      `Commit \`${request.slice(0, 12)}\`, merged as \`${merge.slice(0, 12)}\`, compared with \`${start.slice(0, 12)}\`.\n`,
    );
  });
});

test('a repository without a commit is named as such', async () => {
  const fresh = new GitRepository();
  fresh.write({ 'apps/hello/hub.yaml': app });
  const { code, err } = await fresh.fleetwright(['plan', 'HEAD']);
  fresh.remove();
  expect(code).toBe(2);
  expect(err).toContain('unknown revision HEAD: the branch has no commit yet');
  expect(err).not.toContain('fetch');
});

test('a change that deletes the fleet snapshot uninstalls nothing, and is an error (FW8061)', async () => {
  repository.commit('delete', { 'apps/hello/fleet.yaml': undefined });
  const { code, out, err } = await repository.fleetwright(['plan', `${start}..HEAD`]);
  expect(code).toBe(1);
  expect(err).toContain(
    `error FW8061: app "hello": HEAD has no fleet snapshot, and ${start} has one: both states are compared on the clusters of ${start}`,
  );
  expect(out).not.toContain('UNINSTALLED');
});
