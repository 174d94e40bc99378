import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Answer, ResidentWorkspace } from '../../../src/cli/editor/resident-workspace.ts';
import { Random } from '../../hub/differential/random.ts';
import { folderWith } from '../terminal.ts';
import { commitAll, silentTerminal } from './editor.ts';

/** How many sequences of edits are played, and from which seed. */
const count = Number(process.env['EDIT_SEQUENCES'] ?? 20);
const firstSeed = Number(process.env['EDIT_SEED'] ?? 1);
const editsOfSequence = 8;

const environments = ['dev', 'staging', 'prod'];
const files = ['apps/one/objects.yaml', 'apps/two/objects.yaml', 'apps/two/more.yaml'];

function fleetText(random: Random): string {
  const clusters = Array.from({ length: random.between(0, 5) }, (_, index) => {
    const env = random.pick(environments);
    return `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: c${index}, labels: { env: ${env} } }
spec: { hubAcceptsClient: true }
`;
  });
  return clusters.join('---\n');
}

/** Objects of an app, some of which are wrong. */
function appText(app: string, random: Random): string {
  const env = random.pick([...environments, 'prdo']);
  const level = random.pick(['info', 'debug', '"{{NAME}}"']);
  const placement = random.pick(['some', 'some', 'smoe']);
  return `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: ${app} }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: some, namespace: ${app} }
spec:
  ${random.pick(['numberOfClusters: 2', 'numberOfCluster: 2', ''])}
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: ${env} } } } }]
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: settings, namespace: ${app} }
spec: { customizedVariables: [{ name: LEVEL, value: ${level} }] }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: ${app} }
spec:
  supportedConfigs:
    - group: addon.open-cluster-management.io
      resource: addondeploymentconfigs
      defaultConfig: { name: settings, namespace: ${app} }
  installStrategy: { type: Placements, placements: [{ name: ${placement}, namespace: ${app} }] }
`;
}

/** What an answer says, without the identity of objects. */
function contentOf({ findings, units, earlier, failure }: Answer): unknown {
  return {
    failure,
    findings,
    units: units.map(({ paths, resolution }) => ({ paths, ...(resolution && resultOf(resolution)) })),
    earlier: earlier?.map(({ paths, resolution }) => ({ paths, ...resultOf(resolution) })),
  };
}

function resultOf({
  decisions,
  configuration,
  rollouts,
}: NonNullable<Answer['units'][number]['resolution']>): object {
  return {
    decisions: [...decisions.byPlacement].map(([key, { selected, status }]) => [key, selected, status]),
    addOns: [...configuration.values()].map(({ name, clusters }) => [
      name,
      [...clusters.values()].map(({ cluster, effective }) => [cluster, effective.references]),
    ]),
    waves: [...rollouts].map(([name, { waves }]) => [name, waves.map(({ clusters }) => clusters)]),
  };
}

test(
  'after random edits, saved and not, and commits, the answer is that of a new process',
  { timeout: 60_000 + count * 20_000 },
  async () => {
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const random = new Random(seed);
      const folder = await folderWith({ 'fleetwright.yaml': '{}\n', 'fleet.yaml': fleetText(random) });
      for (const file of files.slice(0, 2))
        save(folder, file, appText(path.basename(path.dirname(file)), random));
      if (random.chance(0.7)) commitAll(folder);
      const resident = new ResidentWorkspace(silentTerminal(folder));
      const shown = new Map<string, string>();
      for (let edit = 0; edit < editsOfSequence; edit += 1) {
        await change(folder, random, resident, shown);
        const cold = new ResidentWorkspace(silentTerminal(folder));
        for (const [file, text] of shown) cold.show(file, text);
        const [warmAnswer, coldAnswer] = [await resident.answer(), await cold.answer()];
        expect(contentOf(warmAnswer), `seed ${seed}, edit ${edit}`).toEqual(contentOf(coldAnswer));
        await cold.end();
      }
      await resident.end();
    }
  },
);

function save(folder: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

async function change(
  folder: string,
  random: Random,
  resident: ResidentWorkspace,
  shown: Map<string, string>,
): Promise<void> {
  const file = random.pick(files);
  const app = path.basename(path.dirname(file));
  const text = file.endsWith('more.yaml')
    ? `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${random.pick(['extra', 'Extra', app])} }\n`
    : appText(app, random);
  const place = path.join(folder, file);
  const kind = random.pick([
    'type',
    'type',
    'type',
    'save',
    'save',
    'remove',
    'fleet',
    'settings',
    'commit',
    'close',
  ]);
  if (kind === 'type') {
    // An editor shows a file that exists.
    save(folder, file, shown.get(place) ?? text);
    shown.set(place, text);
    resident.show(place, text);
  } else if (kind === 'save') save(folder, file, text);
  else if (kind === 'remove') rmSync(place, { force: true });
  else if (kind === 'fleet') save(folder, 'fleet.yaml', fleetText(random));
  else if (kind === 'settings')
    save(folder, 'fleetwright.yaml', random.pick(['{}\n', 'hubVersion: "1.2"\n', 'hubVersions: 1\n']));
  else if (kind === 'commit') commitAll(folder);
  else {
    shown.delete(place);
    resident.show(place, undefined);
  }
}
