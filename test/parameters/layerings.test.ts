import { expect, test } from 'vitest';
import { individualObjects } from '../../compiler/deliver/individual-objects.ts';
import { load } from '../../compiler/load/load.ts';
import { resolve, type Resolution } from '../../compiler/resolve.ts';
import { hubVersion } from '../../ocm/hub-version.ts';
import { randomLayering, textOf, valuesInWork, type Layering } from './random-layering.ts';

const hub = hubVersion('1.3');
const now = Date.parse('2026-06-01T00:00:00Z');

function resolved(app: readonly object[], fleet: readonly object[]): Resolution {
  const { value, diagnostics } = resolve(
    load([
      { file: 'app.yaml', text: textOf(app), source: 'app' },
      { file: 'fleet.yaml', text: textOf([...fleet, globalSet]), source: 'fleet' },
    ]).value,
    { now, hub },
  );
  if (value === undefined) throw new Error(JSON.stringify(diagnostics, null, 2));
  return value;
}

const globalSet = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta2',
  kind: 'ManagedClusterSet',
  metadata: { name: 'global' },
  spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
};

/** The values in the works that the hub creates from the emitted objects alone. */
function valuesFromOutput({ name, fleet }: Layering, output: readonly object[]): Map<string, object> {
  const { rendering, configuration } = resolved(output, fleet);
  const clusters = [...(configuration.get(name)?.clusters.keys() ?? [])];
  return new Map(
    clusters.map((cluster) => {
      const works = rendering.clusterAddOn(name, cluster)?.works ?? [];
      const manifests = works.flatMap(({ spec }) => spec?.workload?.manifests ?? []);
      return [cluster, valuesInWork(manifests)];
    }),
  );
}

test('the emitted objects give each cluster the values of its layers, with one configuration per result', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const layering = randomLayering(seed);
    const output = individualObjects(resolved(layering.app, layering.fleet), {
      hub,
      addOnApiVersion: 'v1alpha1',
    });
    expect({ seed, ...Object.fromEntries(valuesFromOutput(layering, output)) }).toEqual({
      seed,
      ...Object.fromEntries(layering.expected),
    });
    const results = new Set(Array.from(layering.expected.values(), (values) => JSON.stringify(values)));
    const configs = output.filter(({ kind }) => kind === 'AddOnDeploymentConfig');
    expect(configs.length, `seed ${seed}`).toBeLessThanOrEqual(results.size + 1);
  }
});
