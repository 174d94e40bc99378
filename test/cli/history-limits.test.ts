import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { filesOf, Repository } from '../storm/history.ts';
import { folderWith, runIn } from './terminal.ts';

const group = 'addon.open-cluster-management.io';
const repositories: Repository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.close();
});

/** An app with an immutable configuration. */
function appOf(name: string, value: string, annotations = ''): string {
  return `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
---
apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${name}, namespace: default, annotations: { fleetwright.dev/immutable: 'true'${annotations} } }
spec: { customizedVariables: [{ name: LEVEL, value: ${value} }] }
---
apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: ${name} }
spec:
  supportedConfigs: [{ group: ${group}, resource: addondeploymentconfigs, defaultConfig: { name: ${name}, namespace: default } }]
  installStrategy: { type: Placements, placements: [{ name: ${name}, namespace: default }] }
`;
}

describe('revisionHistoryLimit in fleetwright.yaml', () => {
  test('limits the earlier revisions in the output, by app and by object', async () => {
    const repository = new Repository(mkdtempSync(path.join(tmpdir(), 'fleetwright-limits-')));
    repositories.push(repository);
    repository.write('fleet.yaml', fleetOf({ c1: {} }));
    repository.write('fleetwright.yaml', 'revisionHistoryLimit: { default: 2, apps: { logs: 3 } }\n');
    for (const value of ['one', 'two', 'three', 'four', 'five', 'six']) {
      repository.write('apps/logs/app.yaml', appOf('logs', value));
      repository.write('apps/metrics/app.yaml', appOf('metrics', value));
      const own = `, fleetwright.dev/revision-history-limit: '4'`;
      repository.write('apps/traces/app.yaml', appOf('traces', value, own));
      expect(await runIn(repository.folder, ['synth'])).toMatchObject({ code: 0 });
      repository.commit(value);
    }
    const revisionsOf = (app: string): number =>
      filesOf(path.join(repository.folder, 'dist', app)).filter((file) =>
        path.basename(file).startsWith('addondeploymentconfig_'),
      ).length - 1;
    expect(['logs', 'metrics', 'traces'].map(revisionsOf)).toEqual([3, 2, 4]);
    const { out } = await runIn(repository.folder, ['plan', 'HEAD~1..HEAD']);
    expect(out).toContain('leaves on the hub: delete them there once nothing uses them');
  });

  test.each([
    ['-1', 'revisionHistoryLimit is neither a number of 0 to 9999 nor a mapping'],
    ['many', 'revisionHistoryLimit is neither a number of 0 to 9999 nor a mapping'],
    ['{ default: 1.5 }', 'revisionHistoryLimit.default is not a number of 0 to 9999'],
    ['{ apps: { logs: -1 } }', 'revisionHistoryLimit.apps.logs is not a number of 0 to 9999'],
  ])('rejects %s', async (written, message) => {
    const folder = await folderWith({
      'fleetwright.yaml': `revisionHistoryLimit: ${written}\n`,
      'fleet.yaml': fleetOf({ c1: {} }),
      'apps/logs/app.yaml': appOf('logs', 'one'),
    });
    const { code, err } = await runIn(folder, ['synth']);
    expect(code).toBe(2);
    expect(err).toContain(`fleetwright.yaml:1: ${message}`);
  });
});
