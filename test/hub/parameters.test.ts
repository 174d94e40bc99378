import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { individualObjects } from '../../compiler/deliver/individual-objects.ts';
import { load } from '../../compiler/load/load.ts';
import { resolve } from '../../compiler/resolve.ts';
import type { KubernetesObject } from '../../kubernetes/object-meta.ts';
import { textOf, valuesInWork } from '../parameters/layering-objects.ts';
import { randomLayering, type Layering } from '../parameters/random-layering.ts';
import { connect } from './client/hub.ts';
import { ocmKinds } from './client/kinds.ts';
import { releaseOf } from './client/release.ts';
import { sharedHub } from './client/shared-hub.ts';
import { applyTogether } from './record/apply-scenario.ts';
import { namespacesGone, removeScenario } from './record/remove-scenario.ts';
import { belongsTo } from './record/scenario.ts';

/** The number of random layerings; `LAYERINGS=1000` runs more. */
const count = Number(process.env['LAYERINGS'] ?? 40);
const firstSeed = Number(process.env['LAYERINGS_SEED'] ?? 1);
/** Layerings that are applied together. They share clusters, so that the hub spends its time on add-ons. */
const together = 40;

const { versions, ...address } = sharedHub();
const hub = connect({ ...address, versions });
afterAll(() => hub.close());

/** The objects that synth emits for an app. */
function emitted({ app, fleet }: Layering): readonly KubernetesObject[] {
  const target = { hub: releaseOf(versions), addOnApiVersion: 'v1alpha1' } as const;
  const { value, diagnostics } = resolve(
    load([
      { file: 'app.yaml', text: textOf(app), source: 'app' },
      { file: 'fleet.yaml', text: textOf(fleet), source: 'fleet' },
    ]).value,
    { now: Date.now(), hub: target.hub },
  );
  if (value === undefined) throw new Error(JSON.stringify(diagnostics, null, 2));
  return individualObjects(value, target);
}

/** Returns the clusters and sets of all layerings: a cluster has the labels and claims of each. */
function sharedFleet(layerings: readonly Layering[]): readonly KubernetesObject[] {
  const fleet = new Map<string, KubernetesObject>();
  for (const object of layerings.flatMap((layering) => layering.fleet)) {
    const key = `${object.kind} ${object.metadata.name ?? ''}`;
    fleet.set(key, merged(fleet.get(key) ?? object, object));
  }
  // Every hub has this set.
  fleet.delete('ManagedClusterSet global');
  return [...fleet.values()];
}

function merged(one: KubernetesObject, other: KubernetesObject): KubernetesObject {
  if (one === other) return one;
  const claims = [one, other].flatMap(
    ({ status }) => (status as ClusterStatus | undefined)?.clusterClaims ?? [],
  );
  return {
    ...one,
    metadata: { ...one.metadata, labels: { ...one.metadata.labels, ...other.metadata.labels } },
    ...(one.status !== undefined && { status: { ...one.status, clusterClaims: claims } }),
  };
}

interface ClusterStatus {
  readonly clusterClaims?: readonly object[];
}

/** The values in the works on the hub, by add-on and cluster. */
async function valuesOnHub(): Promise<ReadonlyMap<string, Readonly<Record<string, object>>>> {
  const byAddOn = new Map<string, Record<string, object>>();
  const [apiVersion, kind] = ocmKinds.manifestWork;
  for (const { metadata, ...work } of await hub.client.list(apiVersion, kind)) {
    const [, addOn = ''] = /^addon-(.*)-deploy-\d+$/.exec(metadata.name ?? '') ?? [];
    const { workload } = work['spec'] as { readonly workload: { readonly manifests: readonly object[] } };
    const ofAddOn = byAddOn.get(addOn) ?? {};
    byAddOn.set(addOn, { ...ofAddOn, [metadata.namespace ?? '']: valuesInWork(workload.manifests) });
  }
  return byAddOn;
}

/** Applies layerings together. Returns what differs. */
async function different(seeds: readonly number[]): Promise<readonly object[]> {
  const layerings = seeds.map(randomLayering);
  const input = [...sharedFleet(layerings), ...layerings.flatMap(emitted)];
  try {
    await hub.watch.follow(belongsTo(input), (follower) => applyTogether(hub, follower, input));
    const onHub = await valuesOnHub();
    return layerings.flatMap(({ name, mode, expected }) => {
      const [actual, wanted] = [onHub.get(name) ?? {}, Object.fromEntries(expected)];
      return isDeepStrictEqual(actual, wanted) ? [] : [{ name, mode, actual, wanted }];
    });
  } finally {
    await removeScenario(hub, input);
    // The next round has clusters with the same names.
    await namespacesGone(hub, input);
  }
}

test(
  'the variables in the works of each cluster are those of its layers',
  { timeout: 7_200_000 },
  async () => {
    const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
    const differences: object[] = [];
    for (let start = 0; start < count; start += together) {
      differences.push(...(await different(seeds.slice(start, start + together))));
      const done = Math.min(start + together, count);
      process.stdout.write(`layerings: ${done - differences.length} of ${done} equal\n`);
    }
    expect(differences.slice(0, 3)).toEqual([]);
  },
);
