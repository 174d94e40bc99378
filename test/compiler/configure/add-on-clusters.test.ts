import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareText } from '../../../src/base/collections/compare-text.ts';
import { AddOnClusters } from '../../../src/compiler/configure/add-on-clusters.ts';
import { jointClasses } from '../../../src/compiler/configure/joint-classes.ts';
import type {
  ClusterAddOn,
  EffectiveConfiguration,
} from '../../../src/compiler/configure/resolved-add-on.ts';
import { selectionsIn, type Selections, type Selectors } from '../../../src/compiler/configure/selections.ts';

const names = Array.from({ length: 12 }, (_, index) => `c${String(index).padStart(2, '0')}`);
const placements = ['ns/a', 'ns/b', 'ns/c'];

/** Which placements select each cluster, and which clusters have an override. */
const anyClusters = fc.record({
  selected: fc.array(fc.subarray(placements), { minLength: names.length, maxLength: names.length }),
  individual: fc.subarray(names),
  listed: fc.shuffledSubarray(placements),
});

function selectionsOf(selected: readonly (readonly string[])[], listed: readonly string[]): Selections {
  const of = (placement: string): readonly string[] =>
    names.filter((_, index) => selected[index]?.includes(placement) === true);
  const byPlacement = new Map(placements.map((placement) => [placement, { selected: of(placement) }]));
  const clusters = new Map(names.map((name) => [name, {}]));
  return selectionsIn({ byPlacement, clusters } as never)(listed);
}

const configurations = new Map<string, EffectiveConfiguration>();
function configurationOf(text: string): EffectiveConfiguration {
  const configuration = configurations.get(text) ?? {
    kinds: [],
    references: [{ group: '', resource: 'configs', name: text, specHash: text }],
    reads: 'first' as const,
  };
  configurations.set(text, configuration);
  return configuration;
}

function clustersOf({
  selected,
  individual,
  listed,
}: typeof anyClusters extends fc.Arbitrary<infer T> ? T : never) {
  const selections = selectionsOf(selected, listed);
  const effectiveOf = ({ placements: selectors }: Selectors): EffectiveConfiguration =>
    configurationOf(selectors.join());
  const expanded = new Map<string, ClusterAddOn>();
  for (const [index, cluster] of names.entries()) {
    const selectors = listed.filter((placement) => selected[index]?.includes(placement) === true);
    if (selectors.length > 0)
      expanded.set(cluster, { cluster, placements: selectors, effective: configurationOf(selectors.join()) });
  }
  const overrides = new Map<string, ClusterAddOn>();
  for (const cluster of individual) {
    const clusterAddOn = {
      cluster,
      placements: expanded.get(cluster)?.placements ?? [],
      effective: configurationOf(`of ${cluster}`),
    };
    overrides.set(cluster, clusterAddOn);
    expanded.set(cluster, clusterAddOn);
  }
  return { classes: new AddOnClusters({ selections, effectiveOf, individual: overrides }), expanded };
}

test('classes of clusters are a map of all clusters, the selected ones first', () => {
  fc.assert(
    fc.property(anyClusters, (input) => {
      const { classes, expanded } = clustersOf(input);
      expect(new Map(classes)).toEqual(expanded);
      expect(classes.size).toBe(expanded.size);
      for (const name of names) {
        expect(classes.has(name)).toBe(expanded.has(name));
        expect(classes.get(name)).toEqual(expanded.get(name));
      }
      const isSelected = (cluster: string): boolean => classes.selections.byCluster.has(cluster);
      const sorted = [...expanded.keys()].sort();
      const order = [...sorted.filter(isSelected), ...sorted.filter((name) => !isSelected(name))];
      expect([...classes.keys()]).toEqual(order);
      expect([...classes.values()].map(({ cluster }) => cluster)).toEqual(order);
      const parts = classes.parts();
      expect(parts.flatMap(({ clusters }) => clusters).sort()).toEqual(sorted);
      for (const { effective, placements: selectors, clusters } of parts)
        for (const cluster of clusters)
          expect(classes.get(cluster)).toMatchObject({ effective, placements: selectors });
      for (const [effective, clusters] of classes.byConfiguration())
        expect(clusters).toEqual(sorted.filter((name) => expanded.get(name)?.effective === effective));
      for (const placement of placements) {
        const led = sorted.filter((name) => expanded.get(name)?.placements.at(-1) === placement);
        expect([...classes.ledBy(placement).keys()].sort()).toEqual(led);
      }
    }),
  );
});

test('joint classes have every cluster of both states once, as it is in both', () => {
  fc.assert(
    fc.property(anyClusters, anyClusters, (earlier, later) => {
      const [before, after] = [clustersOf(earlier), clustersOf(later)];
      const classes = jointClasses(before.classes, after.classes);
      const all = [...new Set([...before.expanded.keys(), ...after.expanded.keys()])].sort();
      expect(classes.flatMap(({ clusters }) => clusters).sort()).toEqual(all);
      for (const { before: base, after: head, clusters } of classes) {
        expect(clusters.toSorted()).toEqual(clusters);
        for (const cluster of clusters) {
          expect(base && { ...base, cluster }).toEqual(before.expanded.get(cluster));
          expect(head && { ...head, cluster }).toEqual(after.expanded.get(cluster));
        }
      }
      expect(classes.map(({ clusters }) => clusters[0] ?? '')).toEqual(
        classes.map(({ clusters }) => clusters[0] ?? '').toSorted(compareText),
      );
    }),
  );
});
