import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { Repository } from '../storm/history.ts';
import { folderWith, runIn } from './terminal.ts';

const app = `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: logs, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
`;
const files = { 'apps/logs/app.yaml': app, 'fleet.yaml': fleetOf({ c1: {} }) };

describe('an app that fleetwright.yaml names and that does not exist', () => {
  test.each([
    ['apps.unconfined', 'apps: { unconfined: [log] }'],
    ['kustomize.apps', 'kustomize: { apps: { log: overlays/prod } }'],
    ['revisionHistoryLimit.apps', 'revisionHistoryLimit: { apps: { log: 3 } }'],
  ])('is named with its setting %s', async (setting, written) => {
    const folder = await folderWith({ ...files, 'fleetwright.yaml': `${written}\n` });
    expect(await runIn(folder, ['synth'])).toMatchObject({
      code: 2,
      err: `fleetwright: ${setting} in fleetwright.yaml names app log, which does not exist\n  did you mean "logs"?\n`,
    });
  });

  test.each([
    ['synth', '--check'],
    ['validate'],
    ['validate', 'apps/logs/app.yaml'],
    ['resolve'],
    ['rollout'],
    ['explain', 'logs', 'c1'],
    ['who-uses', 'Placement/logs'],
    ['render', 'c1', 'logs'],
    ['machine', 'generate', '.'],
  ])('is refused by %s', async (...command) => {
    const folder = await folderWith({ ...files, 'fleetwright.yaml': 'apps: { unconfined: [log] }\n' });
    const { code, err } = await runIn(folder, command);
    expect(err).toContain('apps.unconfined in fleetwright.yaml names app log, which does not exist');
    expect(code).toBe(2);
  });

  test('is refused by plan in the later state, and may be mended from the earlier one', async () => {
    const repository = new Repository(mkdtempSync(path.join(tmpdir(), 'fleetwright-named-')));
    try {
      for (const [name, text] of Object.entries(files)) repository.write(name, text);
      repository.write('fleetwright.yaml', 'kustomize: { apps: { log: overlays/prod } }\n');
      repository.commit('a wrong name');
      repository.write('fleetwright.yaml', 'engine: argocd\n');
      repository.commit('without it');
      const plan = async (states: string) => await runIn(repository.folder, ['plan', states]);
      expect(await plan('HEAD~1..HEAD')).toMatchObject({ code: 0 });
      const { code, err } = await plan('HEAD..HEAD~1');
      expect(err).toContain('kustomize.apps in fleetwright.yaml names app log, which does not exist');
      expect(code).toBe(2);
    } finally {
      repository.close();
    }
  });
});
