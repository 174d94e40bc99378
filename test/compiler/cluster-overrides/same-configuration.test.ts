import { expect, test } from 'vitest';
import { overrideAnnotation } from '../../../src/ocm/fleetwright-annotations.ts';
import { withAnnotations } from '../../../src/ocm/annotations.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import type { LoadedObject } from '../../../src/compiler/model/inventory.ts';
import { load } from '../../../src/compiler/load/load.ts';
import { isOverridePlacement } from '../../../src/compiler/cluster-overrides/override-mode.ts';
import { resolve, type Resolution } from '../../../src/compiler/resolve.ts';
import { families } from '../../hub/differential/families.ts';
import { printObjects } from '../../hub/record/scenario.ts';

const seeds = 120;

test('with overrides as placements every cluster has the configuration that it has with ManagedClusterAddOns', () => {
  let replaced = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const text = printObjects(families.precedence(seed).input);
    const { value: objects } = load([{ file: 'input.yaml', text, source: 'app' }]);
    const before = resolved(objects);
    const after = resolved(objects.map(asPlacements));
    if (before === undefined || after === undefined) continue;
    expect(configurations(after), `seed ${seed}`).toEqual(configurations(before));
    const gone = written(before) - written(after);
    const added = [...after.inventory.placements.values()].filter(({ object }) =>
      isOverridePlacement(object),
    );
    expect(added.length > 0).toBe(gone > 0);
    replaced += gone;
  }
  expect(replaced).toBeGreaterThan(seeds / 6);
});

function resolved(objects: readonly LoadedObject[]): Resolution | undefined {
  return resolve(objects, { hub: hubVersion('1.3'), now: Date.parse('2026-06-01T00:00:00Z') }).value;
}

/** How many ManagedClusterAddOns go to the hub. */
function written({ inventory }: Resolution): number {
  return [...inventory.managedClusterAddOns.values()].filter(({ source }) => source === 'app').length;
}

function asPlacements(loaded: LoadedObject): LoadedObject {
  if (loaded.object.kind !== 'ClusterManagementAddOn') return loaded;
  return { ...loaded, object: withAnnotations(loaded.object, { [overrideAnnotation]: 'placement' }) };
}

/** What every cluster uses of every add-on, in the hub's order and with hashes. */
function configurations({ configuration }: Resolution): object {
  return Object.fromEntries(
    [...configuration].map(([name, { clusters, stalled }]) => [
      name,
      {
        stalled,
        clusters: [...clusters.values()].map(({ cluster, effective }) => [cluster, effective.references]),
      },
    ]),
  );
}
