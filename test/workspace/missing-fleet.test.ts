import { describe, expect, test } from 'vitest';
import { app } from '../compiler/plan/states.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

const placementIn = (namespace: string): string =>
  `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: ${namespace} }
spec: {}
`;

const rules = 'so no cluster is predicted and \\d+ rules that need a fleet were skipped';

describe('FW9013: inputs without a fleet snapshot', () => {
  test('are reported once by synth, with the command that gets one', async () => {
    const cwd = await folderWith({
      'apps/one/hub.yaml': placementIn('one'),
      'apps/two/hub.yaml': placementIn('two'),
    });
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(0);
    expect(err).toMatch(
      new RegExp(
        `^warning FW9013: apps "one" and "two" have no fleet snapshot, ${rules}\n  = hint: fleetwright fleet pull\n\n1 warning in 2 apps\n$`,
        'm',
      ),
    );
    expect(err).not.toContain('FW7001');
  });

  test.each([['resolve'], ['rollout'], ['validate']])('are reported by %s', async (command) => {
    const cwd = await folderWith({ 'hub.yaml': app });
    const { code, err } = await runIn(cwd, [command, 'hub.yaml']);
    expect(code).toBe(0);
    expect(err.match(/FW9013/g)).toHaveLength(1);
    expect(err).toMatch(new RegExp(`warning FW9013: there is no fleet snapshot, ${rules}`));
    expect(err).toContain('= hint: fleetwright fleet pull --out fleet.yaml, then add --fleet fleet.yaml\n');
  });

  test('are reported by validate for all apps, with the command of the workspace', async () => {
    const cwd = await folderWith({ 'apps/one/hub.yaml': app });
    const { err } = await runIn(cwd, ['validate']);
    expect(err).toMatch(new RegExp(`warning FW9013: app "one" has no fleet snapshot, ${rules}`));
    expect(err).toContain('= hint: fleetwright fleet pull\n');
  });

  test('are reported by plan, although both states have none', async () => {
    const cwd = await folderWith({ 'old/apps/one/hub.yaml': app, 'new/apps/one/hub.yaml': app });
    const { err } = await runIn(cwd, ['plan', 'old', 'new']);
    expect(err).toContain('warning FW9013: app "one" has no fleet snapshot');
  });

  test('are not reported if no object depends on a fleet', async () => {
    const cwd = await folderWith({
      'apps/one/a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n',
    });
    expect((await runIn(cwd, ['synth'])).err).toBe('');
  });
});
