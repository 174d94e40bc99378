import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { GitRepository } from './repository.ts';

let repository: GitRepository;
const hub = 'apps/hello/hub.yaml';
const debug = app.replace('"warn"', '"debug"');

beforeEach(async () => {
  repository = new GitRepository();
  repository.commit('start', {
    '.gitignore': 'node_modules\n*.json\n',
    [hub]: app,
    'fleet.yaml': fleetOf(clusters),
  });
  repository.branch('change', 'main');
  repository.commit('edit', { [hub]: debug });
  await repository.fleetwright(['plan', 'main..change', '-o', 'json=plan.json']);
});

afterEach(() => {
  repository.remove();
});

const verify = async (states = 'main..HEAD', ...options: readonly string[]) =>
  await repository.fleetwright(['plan', states, '--verify', 'plan.json', ...options]);

/** The findings and the verdict. */
const findings = (err: string): string[] =>
  err.split('\n').filter((line) => /^(?:error|warning) FW|^the approval/.test(line));

describe('plan --verify', () => {
  test('finds the effects of the approved plan, whatever comments, formats and files are', async () => {
    repository.commit('move', {
      [hub]: undefined,
      'apps/hello/moved/hub.yaml': `# why\n\n${debug.replaceAll('{ env: prod }', '{ "env": prod }')}`,
    });
    const { code, err, out } = await verify();
    expect(code).toBe(0);
    expect(err).toContain('the approval stands: the effects are the approved ones\n');
    expect(out).toContain('changed on 3 clusters: c1, c2, c3');
    const hash = /hash: (\w+)/.exec(out)?.[1];
    const { hash: approved } = JSON.parse(readFileSync(path.join(repository.root, 'plan.json'), 'utf8')) as {
      hash: string;
    };
    expect(hash).toBe(approved);
  });

  test('separates effects that nobody approved from approved ones that are gone (FW8020, FW8021)', async () => {
    const fleet = fleetOf({ ...clusters, c3: { env: 'dev' }, c7: { env: 'prod' } });
    repository.commit('merge another request', { 'fleet.yaml': fleet });
    repository.branch('base', 'main');
    repository.commit('another request', { 'fleet.yaml': fleet });
    const { code, err } = await verify('base..change', '-o', 'json=other.json', '-o', 'github');
    expect(code).toBe(1);
    expect(findings(err)).toEqual([
      'error FW8020: not approved: add-on "hello" (app hello) is changed on 1 cluster: c7',
      'error FW8021: approved and gone: add-on "hello" (app hello) is changed on 1 cluster: c3',
      'the approval does not stand: 1 not approved, 1 approved and gone',
    ]);
    const report = JSON.parse(readFileSync(path.join(repository.root, 'other.json'), 'utf8')) as {
      findings: readonly { code: string }[];
    };
    expect(report.findings.map(({ code: each }) => each).toSorted()).toEqual(['FW8020', 'FW8021']);
  });

  test('stands if the change has no effects any more', async () => {
    const { code, err } = await verify('change..change');
    expect(code).toBe(0);
    expect(findings(err)).toEqual([
      'the approval stands: change has no effects compared with change, so there is nothing left to approve',
    ]);
  });

  test('refuses a file that is damaged, of another version or missing, with exit code 2 (FW8022)', async () => {
    const file = path.join(repository.root, 'plan.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.slice(0, text.length / 2));
    const cut = await verify();
    expect([cut.code, findings(cut.err)]).toEqual([
      2,
      ['error FW8022: plan.json is not a usable plan: it is not a JSON object; it may have been cut'],
    ]);
    writeFileSync(file, text.replace(/"version": "[^"]+"/, '"version": "0.0.9"'));
    const other = await verify();
    expect(other.code).toBe(2);
    expect(other.err).toContain('Fleetwright 0.0.9 wrote it, and this is Fleetwright ');
    writeFileSync(file, text.replaceAll('"c3"', '"c4"'));
    expect((await verify()).err).toContain('its hash is not that of its effects; it was edited');
    const missing = await repository.fleetwright(['plan', 'main..HEAD', '--verify', 'none.json']);
    expect([missing.code, missing.err]).toEqual([
      2,
      expect.stringContaining('--verify none.json: there is no such file'),
    ]);
  });

  test('reads the approved plan before it writes the new one into the same file', async () => {
    const { code, err } = await verify('main..HEAD', '-o', 'json=plan.json');
    expect([code, findings(err)]).toEqual([0, ['the approval stands: the effects are the approved ones']]);
  });
});
