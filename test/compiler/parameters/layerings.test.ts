import { describe, expect, test } from 'vitest';
import { individualObjects } from '../../../src/compiler/deliver/individual-objects.ts';
import { load } from '../../../src/compiler/load/load.ts';
import { resolve, type Resolution } from '../../../src/compiler/resolve.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { Random } from '../../hub/differential/random.ts';
import { textOf, valuesInWork } from './layering-objects.ts';
import {
  layeringOf,
  overrideModes,
  randomLayering,
  randomParts,
  type Layering,
  type Values,
} from './random-layering.ts';

const hub = hubVersion('1.3');
const now = Date.parse('2026-06-01T00:00:00Z');

function resolved(app: readonly object[], fleet: readonly object[]): Resolution {
  const { value, diagnostics } = resolve(
    load([
      { file: 'app.yaml', text: textOf(app), source: 'app' },
      { file: 'fleet.yaml', text: textOf(fleet), source: 'fleet' },
    ]).value,
    { now, hub },
  );
  if (value === undefined) throw new Error(JSON.stringify(diagnostics, null, 2));
  return value;
}

function outputOf({ app, fleet }: Layering): readonly KubernetesObject[] {
  return individualObjects(resolved(app, fleet), { hub, addOnApiVersion: 'v1alpha1' });
}

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

function ofKind(output: readonly KubernetesObject[], kind: string): readonly KubernetesObject[] {
  return output.filter((object) => object.kind === kind);
}

function distinctResults(expected: ReadonlyMap<string, Values>): number {
  return new Set(Array.from(expected.values(), (values) => JSON.stringify(values))).size;
}

test('the emitted objects give each cluster the values of its layers, with one configuration per result', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const layering = randomLayering(seed);
    const output = outputOf(layering);
    expect({ seed, ...Object.fromEntries(valuesFromOutput(layering, output)) }).toEqual({
      seed,
      ...Object.fromEntries(layering.expected),
    });
    const configs = ofKind(output, 'AddOnDeploymentConfig');
    expect(configs.length, `seed ${seed}`).toBeLessThanOrEqual(distinctResults(layering.expected) + 1);
  }
});

describe.each(overrideModes)('with override: %s', (mode) => {
  /** The emitted configurations, and the objects that bring them to clusters besides the placements of the app. */
  function counts(layering: Layering, placements: number): { configs: number; overrides: number } {
    const output = outputOf(layering);
    return {
      configs: ofKind(output, 'AddOnDeploymentConfig').length,
      overrides:
        ofKind(output, 'ManagedClusterAddOn').length + ofKind(output, 'Placement').length - placements,
    };
  }

  test('each placement has the result of most of its clusters, and nothing is emitted that is not needed', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const parts = randomParts(new Random(seed), 'logs');
      const layering = layeringOf(parts, mode);
      const byPlacement = new Map<string, Map<string, number>>();
      for (const { name, labels } of parts.clusters) {
        const deciding = parts.placements.findLast((placement) =>
          Object.entries(placement.labels).every(([key, value]) => labels[key] === value),
        );
        if (deciding === undefined) continue;
        const ofPlacement = byPlacement.get(deciding.name) ?? new Map<string, number>();
        const result = JSON.stringify(layering.expected.get(name));
        byPlacement.set(deciding.name, ofPlacement.set(result, (ofPlacement.get(result) ?? 0) + 1));
      }
      const overridden = [...byPlacement.values()].flatMap((results) => {
        const [, ...others] = [...results.values()].toSorted((a, b) => b - a);
        return mode === 'placement' ? others.map(() => 1) : others;
      });
      const { configs, overrides } = counts(layering, parts.placements.length);
      expect({ seed, overrides }).toEqual({ seed, overrides: overridden.reduce((sum, n) => sum + n, 0) });
      expect(configs, `seed ${seed}`).toBeLessThanOrEqual(distinctResults(layering.expected) + 1);
    }
  });

  test('one more override adds one object, and one configuration if its result is new', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = new Random(seed);
      const parts = randomParts(random, 'logs');
      const cluster = random.pick([...layeringOf(parts, mode).expected.keys()]);
      const override = { scope: { rank: 'cluster' as const, clusters: [cluster] }, values: { COUNT: 99 } };
      // An earlier layer of the cluster would be of the same rank.
      const layers = parts.layers.filter(({ scope }) => scope.rank !== 'cluster');
      const without = counts(layeringOf({ ...parts, layers }, mode), parts.placements.length);
      const added = counts(
        layeringOf({ ...parts, layers: [...layers, override] }, mode),
        parts.placements.length,
      );
      expect(added.overrides - without.overrides, `seed ${seed}`).toBeLessThanOrEqual(1);
      expect(added.configs - without.configs, `seed ${seed}`).toBeLessThanOrEqual(1);
    }
  });
});
