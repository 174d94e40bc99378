import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { compiledClusters } from '../../../src/compiler/deliver/compiled-clusters.ts';
import { individualObjects } from '../../../src/compiler/deliver/individual-objects.ts';
import type { Resolution } from '../../../src/compiler/resolve.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { folderWith, runIn } from '../../cli/terminal.ts';
import { fleetOf } from '../../resolve-text.ts';
import {
  addOnText,
  emittedNames,
  parametersText,
  resolveParameters,
  variablesOf,
} from './parameters-text.ts';

const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;

const names = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'];
const fleet = fleetOf(
  Object.fromEntries(names.map((name, index) => [name, { env: index < 2 ? 'dev' : 'prod' }])),
);

const layers = `parameters:
  LOG_LEVEL: { type: string, default: info }
layers:
- where: { env: dev }
  values: { LOG_LEVEL: debug }
- cluster: c6
  values: { LOG_LEVEL: warn }
`;

function resolved(addOn: string, spec = layers): Resolution {
  const { resolution, diagnostics } = resolveParameters(addOn + parametersText(spec), fleet);
  if (resolution === undefined) throw new Error(JSON.stringify(diagnostics));
  return resolution;
}

const levels = { c1: 'debug', c2: 'debug', c3: 'info', c4: 'info', c5: 'info', c6: 'warn' };
const variables = Object.fromEntries(
  Object.entries(levels).map(([name, level]) => [name, { LOG_LEVEL: level }]),
);

const inWaves = '{ type: Progressive, progressive: { maxConcurrency: 2 } }';

describe('waves', () => {
  function wavesOf(override: string): { waves: readonly string[] | undefined; findings: readonly string[] } {
    const placements = [{ name: 'all', rollout: inWaves }];
    const annotations = { 'fleetwright.dev/override': override };
    const { resolution, diagnostics } = resolveParameters(
      addOnText({ placements, annotations }) + parametersText(layers),
      fleet,
    );
    if (resolution === undefined) throw new Error('not resolved');
    expect(variablesOf(resolution)).toEqual(variables);
    return {
      waves: resolution.rollouts.get('logs')?.waves.map(({ clusters }) => clusters.join(' ')),
      findings: diagnostics.filter(({ code }) => code === 'FW7210').map(({ message }) => message),
    };
  }

  test.each(['object', 'inventory'])(
    'with override: %s, all clusters of a placement share its waves',
    (mode) => {
      expect(wavesOf(mode)).toEqual({ waves: ['c1 c2', 'c3 c4', 'c5 c6'], findings: [] });
    },
  );

  test('with override: placement, each group has waves of the same strategy', () => {
    expect(wavesOf('placement')).toEqual({
      waves: ['c1 c2 c3 c4 c6', 'c5'],
      findings: [
        '3 clusters with other parameters (c1, …) are not part of these waves: each placement for such clusters has separate waves, which begin at the same time',
      ],
    });
  });
});

describe('groups of clusters that a condition selects', () => {
  const layers = `parameters: { LOG_LEVEL: { type: string, default: info } }
layers:
- where: { region: eu }
  values: { LOG_LEVEL: debug }
`;
  const other = (text: string): string =>
    text.replaceAll(/name: logs(?=[ ,])/g, 'name: other').replaceAll('addonName: logs', 'addonName: other');
  const { resolution } = resolveParameters(
    [
      addOnText({ annotations: { 'fleetwright.dev/override': 'placement' } }),
      parametersText(layers),
      '---\n',
      other(addOnText({ placements: [], annotations: { 'fleetwright.dev/override': 'placement' } })).replace(
        'placements:\n',
        'placements: [{ name: all, namespace: default, rolloutStrategy: { type: All } }]\n',
      ),
      other(parametersText(layers)),
    ].join(''),
    fleetOf({ c1: { region: 'eu' }, c2: {}, c3: {} }),
  );

  test('have one Placement for all add-ons', () => {
    if (resolution === undefined) throw new Error('no resolution');
    const names = emittedNames(resolution, 'Placement');
    expect(names).toEqual(['all', expect.stringMatching(/^all-region-eu-[0-9a-f]{8}$/)]);
    const strategies = resolution.inventory.objects
      .filter(({ object }) => object.kind === 'ClusterManagementAddOn')
      .map(({ object }) => JSON.stringify(object['spec']));
    expect(strategies).toHaveLength(2);
    for (const strategy of strategies) expect(strategy).toContain(names[1]);
    expect(variablesOf(resolution)).toMatchObject({ c1: { LOG_LEVEL: 'debug' }, c2: { LOG_LEVEL: 'info' } });
  });
});

describe('compiled delivery', () => {
  test('each cluster has its values in its works, and no object is added for a cluster', () => {
    const resolution = resolved(addOnText({ annotations: { 'fleetwright.dev/delivery': 'compiled' } }));
    const clusters = [...compiledClusters(resolution, target)].map(({ cluster, objects }) => {
      const [clusterAddOn, ...works] = objects;
      const text = JSON.stringify(works);
      return [cluster, clusterAddOn.kind, works.length, /"level":"(\w+)"/.exec(text)?.[1]];
    });
    expect(clusters).toEqual(
      Object.entries(levels).map(([cluster, level]) => [cluster, 'ManagedClusterAddOn', 1, level]),
    );
    const kinds = individualObjects(resolution, target).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual([
      'AddOnDeploymentConfig',
      'AddOnDeploymentConfig',
      'AddOnDeploymentConfig',
      'AddOnTemplate',
      'ClusterManagementAddOn',
      'Placement',
    ]);
  });
});

describe('the install strategy Manual', () => {
  const manual = addOnText().replace(/ {2}installStrategy:[^]*?---/, '---');

  function clusterAddOn(cluster: string): string {
    return `---
apiVersion: addon.open-cluster-management.io/v1beta1
kind: ManagedClusterAddOn
metadata: { name: logs, namespace: ${cluster} }
spec: {}
`;
  }

  test('most clusters get their values by default, and the others by their ManagedClusterAddOn', () => {
    const addOn = manual + names.map(clusterAddOn).join('');
    const resolution = resolved(addOn);
    expect(variablesOf(resolution)).toEqual(variables);
    const configs = individualObjects(resolution, target).flatMap(({ kind, metadata, spec }) =>
      kind === 'ManagedClusterAddOn' ? [[metadata.namespace, (spec as Spec).configs?.length ?? 0]] : [],
    );
    expect(configs).toEqual([
      ['c1', 1],
      ['c2', 1],
      ['c3', 0],
      ['c4', 0],
      ['c5', 0],
      ['c6', 1],
    ]);
  });

  test('an installation that only the fleet snapshot has keeps its status', () => {
    const { resolution } = resolveParameters(
      manual + parametersText(layers),
      fleet +
        ['c1', 'c3', 'c4']
          .map(clusterAddOn)
          .join('')
          .replaceAll('spec: {}', 'spec: {}\nstatus: { namespace: agents }'),
    );
    if (resolution === undefined) throw new Error('not resolved');
    const { c1, c3, c4 } = variables;
    expect(variablesOf(resolution)).toEqual({ c1, c3, c4 });
    const added = resolution.inventory.managedClusterAddOns.get('c1/logs');
    expect([added?.source, added?.object.status?.namespace]).toEqual(['app', 'agents']);
  });
});

interface Spec {
  readonly configs?: readonly object[];
}

describe('earlier revisions', () => {
  async function synth(folder: string, spec: string): Promise<readonly string[]> {
    await writeFile(path.join(folder, 'apps/logs/app.yaml'), addOnText() + parametersText(spec));
    const { code, err } = await runIn(folder, ['synth', '--engine', 'none']);
    expect({ code, errors: err.includes('error') }).toEqual({ code: 0, errors: false });
    const files = await readdir(path.join(folder, 'dist/logs'));
    return files
      .flatMap((name) => /^addondeploymentconfig_default_(.*)-[0-9a-f]{10}\.yaml$/.exec(name)?.[1] ?? [])
      .toSorted();
  }

  const before = layers.replace('  LOG_LEVEL', '  IMAGE: { type: string, default: v1 }\n  LOG_LEVEL');

  test('synth keeps the revisions before the current one, per group of clusters', async () => {
    const folder = await folderWith({ 'apps/logs/app.yaml': '', 'fleet.yaml': fleet });
    const current = ['logs', 'logs-c6', 'logs-env-dev'];
    expect(await synth(folder, before)).toEqual(current);
    const each = (count: number): string[] => current.flatMap((name) => Array<string>(count).fill(name));
    expect(await synth(folder, before.replace('v1', 'v2'))).toEqual(each(2));
    expect(await synth(folder, before.replace('v1', 'v3'))).toEqual(each(3));
    expect(await synth(folder, before.replace('v1', 'v4'))).toEqual(each(4));
  });

  test('revisionHistoryLimit sets their number', async () => {
    const folder = await folderWith({ 'apps/logs/app.yaml': '', 'fleet.yaml': fleet });
    const limited = `revisionHistoryLimit: 1\n${before}`;
    await synth(folder, limited);
    await synth(folder, limited.replace('v1', 'v2'));
    expect(await synth(folder, limited.replace('v1', 'v3'))).toEqual([
      'logs',
      'logs',
      'logs-c6',
      'logs-c6',
      'logs-env-dev',
      'logs-env-dev',
    ]);
  });
});
