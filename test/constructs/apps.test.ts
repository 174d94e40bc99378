import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import helloworldTemplate from '../../apps/helloworld-template/app.ts';
import helloworld from '../../apps/helloworld/app.ts';
import { admit } from '../../compiler/admit/admit.ts';
import type { ResolvedAddOn } from '../../compiler/configure/configuration.ts';
import { configure } from '../../compiler/configure/configure.ts';
import type { LoadedObject } from '../../compiler/inventory.ts';
import { load } from '../../compiler/load/load.ts';
import type { Decision } from '../../compiler/place/decision.ts';
import { place } from '../../compiler/place/place.ts';
import type { App } from '../../constructs/index.ts';
import { collect } from '../../constructs/index.ts';

function readFleet(name: string): Promise<string> {
  return readFile(new URL(`../../apps/${name}/fleet.yaml`, import.meta.url), 'utf8');
}

/** Resolves an app against its fleet. */
async function resolveApp(app: App, name: string) {
  const collection = collect(app);
  expect(collection.errors).toEqual([]);
  const objects = collection.objects.map(({ object, construct }): LoadedObject => {
    return { object, origin: { location: { construct }, locate: () => ({ construct }) }, source: 'app' };
  });
  const file = `apps/${name}/fleet.yaml`;
  const fleet = load([{ file, text: await readFleet(name), source: 'fleet' }]);
  const admitted = admit([...objects, ...fleet.value]);
  const placed = place(admitted.value, { now: Date.parse('2026-11-21T00:00:00Z') });
  const configured = configure(admitted.value, placed.value);
  const diagnostics = [fleet, admitted, placed, configured].flatMap((outcome) => outcome.diagnostics);
  return { decisions: placed.value.decisions, addOn: configured.value.get(name), diagnostics };
}

/** The groups of the clusters that a placement selects. */
function groupsOf(decision: Decision | undefined): unknown {
  return decision?.groups.map(({ name, clusters }) => [name, clusters.join(' ')]);
}

/** The names of what the add-on uses, in the order of the hub, by the clusters that use it. */
function clustersByConfigs(addOn: ResolvedAddOn | undefined): unknown {
  const clusters = new Map<string, string[]>();
  for (const [cluster, { effective }] of addOn?.clusters ?? []) {
    const names = effective.references.map(({ name }) => name).join(' ');
    clusters.set(names, [...(clusters.get(names) ?? []), cluster]);
  }
  return Object.fromEntries([...clusters].map(([names, found]) => [names, found.join(' ')]));
}

const groups = [
  ['prod-canary-west', 'cluster2'],
  ['prod-canary-east', 'cluster3'],
  ['', 'cluster1 cluster4 cluster5 cluster6'],
];

describe('apps/helloworld', () => {
  test('is configured on each cluster by the last level that says something', async () => {
    const { addOn, decisions, diagnostics } = await resolveApp(helloworld, 'helloworld');

    expect(clustersByConfigs(addOn)).toEqual({
      'cluster1-deploy-config cluster1-example-config': 'cluster1',
      'deploy-config example-config-1 example-config-2': 'cluster2 cluster3 cluster4 cluster5 cluster6',
      'default-deploy-config default-example-config': 'cluster10 cluster7 cluster8 cluster9',
    });
    expect(groupsOf(decisions.get('default/placement-aws'))).toEqual(groups);
    // The two example configs of placement-aws are the documentation's.
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['FW4004', 'spec.installStrategy.placements[1].configs[2]'],
    ]);
  });
});

describe('apps/helloworld-template', () => {
  test('is configured on each cluster by the last level that says something', async () => {
    const { addOn, decisions, diagnostics } = await resolveApp(helloworldTemplate, 'helloworld-template');

    expect(clustersByConfigs(addOn)).toEqual({
      'cluster1-deploy-config helloworld-template-0.1.0': 'cluster1',
      'deploy-config helloworld-template-0.1.0': 'cluster2 cluster3 cluster4 cluster5 cluster6',
      'default-deploy-config helloworld-template-0.1.0': 'cluster10 cluster7 cluster8 cluster9',
    });
    expect(groupsOf(decisions.get('helloworld-template/placement-aws'))).toEqual(groups);
    expect(diagnostics).toEqual([]);
  });
});

test('both apps are tried on the same fleet', async () => {
  const [first, second] = await Promise.all(
    ['helloworld', 'helloworld-template'].map((name) => readFleet(name)),
  );

  expect(first).toBe(second);
});
