import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { app, clusters } from '../compiler/plan/states.ts';
import { GitRepository } from './repository.ts';

let repository: GitRepository;

const policy = (approved: readonly string[] = []): string => `guardrails:
  maxUninstalls: 0
  atMost:
    env:
      prod: 50%
  protect: [c5]
  approved: [${approved.join(', ')}]
`;

beforeAll(() => {
  repository = new GitRepository();
  repository.commit('start', {
    'apps/hello/hub.yaml': app,
    'apps/hello/fleet.yaml': fleetOf(clusters),
    'fleetwright.yaml': policy(),
  });
  repository.branch('change', 'main');
  repository.commit('change', {
    'apps/hello/hub.yaml': app
      .replace('values: [prod, stage]', 'values: [prod]')
      .replace('"warn"', '"debug"'),
  });
});

afterAll(() => {
  repository.remove();
});

describe('guardrails', () => {
  test('fail a plan that exceeds them, at their lines', async () => {
    const { code, err, out } = await repository.fleetwright(['plan', 'main..change']);
    const hash = /hash: ([0-9a-f]{64})/.exec(out)?.[1] ?? '';
    expect(code).toBe(1);
    expect(err.replaceAll(hash, 'HASH')).toMatchInlineSnapshot(`
      "error FW8004: the change uninstalls an add-on from a cluster 2 times, but the guardrails allow at most 0
       --> fleetwright.yaml:2:18
        |
      2 |   maxUninstalls: 0
        |                  ^
        = hint: if this is intended, approve the plan: add HASH to guardrails.approved

      error FW8005: the change reaches 3 of 3 clusters with env=prod, but the guardrails allow at most 50%
       --> fleetwright.yaml:5:13
        |
      5 |       prod: 50%
        |             ^
        = hint: if this is intended, approve the plan: add HASH to guardrails.approved

      error FW8006: the change reaches the protected cluster "c5": "hello" is uninstalled
       --> fleetwright.yaml:6:13
        |
      6 |   protect: [c5]
        |             ^
        = hint: if this is intended, approve the plan: add HASH to guardrails.approved

      3 errors

      "
    `);
  });

  test('are warned of if they guard nothing, unless not all apps are compared', async () => {
    const parameters = ['plan', 'main..main', '--protect', 'c55'];
    const { code, err } = await repository.fleetwright(parameters);
    expect({ code, err }).toEqual({
      code: 0,
      err: `warning FW8011: there is no cluster "c55", so this guardrail has no effect
  = hint: correct it, or remove it

1 warning

`,
    });
    expect((await repository.fleetwright([...parameters, '--app', 'hello'])).err).toBe('');
  });

  test('do not prevent counting by a label that no cluster has, which is reported', async () => {
    expect(await repository.fleetwright(['plan', 'main..main', '--by', 'env,teir'])).toMatchObject({
      code: 0,
      err: `info FW8012: no cluster has the label "teir", so counting by it has no effect
  = hint: the clusters have env, region, cluster.open-cluster-management.io/clusterset

1 info

`,
    });
  });

  test('let the approved plan pass, and no other', async () => {
    const { out } = await repository.fleetwright(['plan', 'main..change']);
    const hash = /hash: ([0-9a-f]{64})/.exec(out)?.[1] ?? '';
    repository.branch('approved', 'change');
    repository.commit('approve', { 'fleetwright.yaml': policy([hash]) });
    expect(await repository.fleetwright(['plan', 'main..approved'])).toMatchObject({
      code: 0,
      err: 'the plan exceeds the guardrails and is approved\n',
    });
    repository.branch('more', 'approved');
    repository.commit('more', {
      'apps/hello/hub.yaml': app.replace('values: [prod, stage]', 'values: [dev]'),
    });
    expect((await repository.fleetwright(['plan', 'main..more'])).code).toBe(1);
  });

  test('come from flags too, which replace a number and add to lists', async () => {
    const { code, err } = await repository.fleetwright([
      'plan',
      'main..change',
      '--max-uninstalls=5',
      '--at-most=env=stage:1',
      '--protect=c1',
    ]);
    expect(code).toBe(1);
    expect(err.match(/FW\d+: .*/g)?.sort()).toEqual([
      'FW8005: the change reaches 2 of 2 clusters with env=stage, but the guardrails allow at most 1',
      'FW8005: the change reaches 3 of 3 clusters with env=prod, but the guardrails allow at most 50%',
      'FW8006: the change reaches the protected cluster "c1": "hello" is changed',
      'FW8006: the change reaches the protected cluster "c5": "hello" is uninstalled',
    ]);
  });

  test('that cannot be read are wrong use', async () => {
    const errorOf = async (text: string, ...flags: string[]): Promise<string> => {
      repository.write({ 'bad.yaml': text });
      const { code, err } = await repository.fleetwright(['plan', 'main', '--policy', 'bad.yaml', ...flags]);
      expect(code).toBe(2);
      return err;
    };
    expect(await errorOf('guardrails:\n  maxUninstall: 1\n')).toBe(
      'fleetwright: bad.yaml:2: guardrails.maxUninstall is unknown: use one of maxUninstalls, maxDeletions, maxDeletedApplications, maxStoppedPolicies, atMost, protect, approved\n  did you mean maxUninstalls?\n',
    );
    expect(await errorOf('guardrails:\n  maxUninstalls: many\n')).toBe(
      'fleetwright: bad.yaml:2: guardrails.maxUninstalls is not a number of at least 0\n',
    );
    expect(await errorOf('guardrails:\n  atMost:\n    env:\n      prod: 110%\n')).toBe(
      'fleetwright: bad.yaml:4: guardrails.atMost.env.prod is neither a number of clusters nor a share such as 10%\n',
    );
    expect(await errorOf('guardrails: { protect: c1 }\n')).toBe(
      'fleetwright: bad.yaml:1: guardrails.protect is not a list\n',
    );
    expect(await errorOf('- 1\n')).toBe('fleetwright: bad.yaml:1: the file is not a mapping\n');
    expect(await errorOf('', '--at-most', 'prod')).toBe(
      'fleetwright: --at-most prod is not a valid limit\n  use the form env=prod:10%\n',
    );
    expect(await errorOf('', '--max-uninstalls', 'x')).toBe(
      'fleetwright: --max-uninstalls must be 0 or more\n',
    );
    expect(await errorOf('', '--max-stopped-policies', 'some')).toBe(
      'fleetwright: --max-stopped-policies some is neither a number nor a share such as 10%\n',
    );
    expect(await errorOf('guardrails: { maxStoppedPolicies: some }\n')).toBe(
      'fleetwright: bad.yaml:1: guardrails.maxStoppedPolicies is neither a number of policies on clusters nor a share such as 10%\n',
    );
    const { err } = await repository.fleetwright(['plan', 'main', '--policy', 'none.yaml']);
    expect(err).toBe('fleetwright: none.yaml: no such file\n');
  });
});
