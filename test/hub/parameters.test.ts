import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { individualObjects } from '../../compiler/deliver/individual-objects.ts';
import { load } from '../../compiler/load/load.ts';
import { resolve } from '../../compiler/resolve.ts';
import type { KubernetesObject } from '../../kubernetes/object-meta.ts';
import { randomLayering, textOf, valuesInWork, type Layering } from '../parameters/random-layering.ts';
import { connect } from './client/hub.ts';
import { releaseOf } from './client/release.ts';
import { sharedHub } from './client/shared-hub.ts';
import { record, type Answer } from './record/recording.ts';
import { removeScenario } from './record/remove-scenario.ts';

/** How many random layerings run; `LAYERINGS=1000` runs more. The hub takes about 20 s for each. */
const count = Number(process.env['LAYERINGS'] ?? 6);
const firstSeed = Number(process.env['LAYERINGS_SEED'] ?? 1);
const together = 20;

const { versions, ...address } = sharedHub();
const hub = connect({ ...address, versions });
afterAll(() => hub.close());

/** The objects that synth emits for an app. */
function emitted({ app, fleet }: Layering): readonly KubernetesObject[] {
  const target = { hub: releaseOf(versions), addOnApiVersion: 'v1alpha1' } as const;
  const { value, diagnostics } = resolve(
    load([
      { file: 'app.yaml', text: textOf(app), source: 'app' },
      { file: 'fleet.yaml', text: textOf([...fleet, globalSet]), source: 'fleet' },
    ]).value,
    { now: Date.now(), hub: target.hub },
  );
  if (value === undefined) throw new Error(JSON.stringify(diagnostics, null, 2));
  return individualObjects(value, target);
}

/** The set that every hub has. */
const globalSet = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta2',
  kind: 'ManagedClusterSet',
  metadata: { name: 'global' },
  spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
};

/** The values in the works on the hub, by cluster. */
function valuesOnHub(answer: Answer, { name }: Layering): Record<string, object> {
  const works = Object.entries(answer).flatMap(([key, work]) => {
    const [kind, cluster = '', workName = ''] = key.split('/');
    return kind === 'ManifestWork' && workName.startsWith(`addon-${name}-deploy-`) ? [{ cluster, work }] : [];
  });
  return Object.fromEntries(
    works.map(({ cluster, work }) => {
      const { workload } = work['spec'] as { readonly workload: { readonly manifests: readonly object[] } };
      return [cluster, valuesInWork(workload.manifests)];
    }),
  );
}

/** Applies layerings together: waiting until the hub is still takes most of the time. Returns what differs, by seed. */
async function different(seeds: readonly number[]): Promise<readonly object[]> {
  const layerings = seeds.map(randomLayering);
  const input = layerings.flatMap((layering) => [...layering.fleet, ...emitted(layering)]);
  try {
    const { answer } = await record(hub, { name: `layerings-${seeds[0]}`, input });
    return layerings.flatMap((layering) => {
      const [onHub, expected] = [valuesOnHub(answer, layering), Object.fromEntries(layering.expected)];
      return isDeepStrictEqual(onHub, expected) ? [] : [{ name: layering.name, onHub, expected }];
    });
  } finally {
    await removeScenario(hub, input);
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
