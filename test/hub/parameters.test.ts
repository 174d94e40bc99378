import { isDeepStrictEqual } from 'node:util';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { individualObjects } from '../../src/compiler/deliver/individual-objects.ts';
import { load } from '../../src/compiler/load/load.ts';
import { resolve } from '../../src/compiler/resolve.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { textOf, valuesInWork } from '../compiler/parameters/layering-objects.ts';
import { randomLayering, type Layering } from '../compiler/parameters/random-layering.ts';
import { committed } from './apply/emitted.ts';
import { connect, type Hub } from './client/hub.ts';
import { ocmKinds } from './client/kinds.ts';
import { releaseOf } from './client/release.ts';
import { startHub } from './process/start-hub.ts';
import { applyTogether } from './record/apply-scenario.ts';
import { belongsTo, parseObjects } from './record/scenario.ts';

/** The number of random layerings; `LAYERINGS=1000` runs more. */
const count = Number(process.env['LAYERINGS'] ?? 6);
const firstSeed = Number(process.env['LAYERINGS_SEED'] ?? 1);
/** Layerings that are applied together. They share clusters, so that the hub spends its time on add-ons. */
const together = 40;

/** The objects that synth emits for an app. */
function emitted({ app, fleet }: Layering, { versions }: Hub): readonly KubernetesObject[] {
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
async function valuesOnHub({ client }: Hub): Promise<ReadonlyMap<string, Readonly<Record<string, object>>>> {
  const byAddOn = new Map<string, Record<string, object>>();
  const [apiVersion, kind] = ocmKinds.manifestWork;
  for (const { metadata, ...work } of await client.list(apiVersion, kind)) {
    const [, addOn = ''] = /^addon-(.*)-deploy-\d+$/.exec(metadata.name ?? '') ?? [];
    const { workload } = work['spec'] as { readonly workload: { readonly manifests: readonly object[] } };
    const ofAddOn = byAddOn.get(addOn) ?? {};
    byAddOn.set(addOn, { ...ofAddOn, [metadata.namespace ?? '']: valuesInWork(workload.manifests) });
  }
  return byAddOn;
}

/** Applies objects to a separate hub, because removing them takes longer than starting one, and reads the result. */
async function onNewHub<T>(
  inputFor: (hub: Hub) => readonly KubernetesObject[],
  read: (hub: Hub) => Promise<T>,
): Promise<T> {
  const running = await startHub();
  const hub = connect(running);
  try {
    const input = inputFor(hub);
    await hub.watch.follow(belongsTo(input), (follower) => applyTogether(hub, follower, input));
    return await read(hub);
  } finally {
    hub.close();
    await running.stop();
  }
}

/** Applies layerings together. Returns what differs. */
async function different(seeds: readonly number[]): Promise<readonly object[]> {
  const layerings = seeds.map(randomLayering);
  const onHub = await onNewHub(
    (hub) => [...sharedFleet(layerings), ...layerings.flatMap((layering) => emitted(layering, hub))],
    valuesOnHub,
  );
  return layerings.flatMap(({ name, mode, expected }) => {
    const [actual, wanted] = [onHub.get(name) ?? {}, Object.fromEntries(expected)];
    return isDeepStrictEqual(actual, wanted) ? [] : [{ name, mode, actual, wanted }];
  });
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

test('the example app, and the objects that do the same with OCM alone, create equal works', async () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const read = (file: string): readonly KubernetesObject[] =>
    parseObjects(readFileSync(path.join(root, file), 'utf8'));
  const fleet = read('fleet.yaml').filter(
    // Every hub has these sets.
    ({ kind, metadata: { name = '' } }) =>
      kind !== 'ManagedClusterSet' || !['default', 'global'].includes(name),
  );
  const app = committed('metrics-agent');
  const guide = readFileSync(path.join(root, 'docs/parameters.md'), 'utf8');
  const alone = parseObjects(/## The same with OCM alone[^]*```yaml\n([^]*?)```/.exec(guide)?.[1] ?? '');
  const shared = app.filter(
    ({ kind, metadata: { name = '' } }) =>
      ['Namespace', 'ManagedClusterSetBinding', 'AddOnTemplate'].includes(kind) ||
      (kind === 'Placement' && ['everywhere', 'sites'].includes(name)),
  );
  const manifestsOf = async ({ client }: Hub): Promise<Readonly<Record<string, unknown>>> => {
    const [apiVersion, kind] = ocmKinds.manifestWork;
    const works = await client.list(apiVersion, kind);
    return Object.fromEntries(
      works.map(({ metadata, spec }) => [`${metadata.namespace} ${metadata.name}`, (spec as Work).workload]),
    );
  };
  const compiled = await onNewHub(() => [...fleet, ...app], manifestsOf);
  expect(Object.keys(compiled)).toHaveLength(24);
  expect(await onNewHub(() => [...fleet, ...shared, ...alone], manifestsOf)).toEqual(compiled);
});

interface Work {
  readonly workload: object;
}
