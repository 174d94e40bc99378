import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cel028 } from '../../../src/engines/cel/behaviour.ts';
import { quantityRegions } from '../../../src/compiler/prove/quantity-regions.ts';
import { SelectionBuilder } from '../../../src/compiler/prove/selection.ts';
import { binding, cluster, decide, inventoryOf, placementNamed } from '../place/hub-fixture.ts';

test('amounts are divided by the quantities that they are compared with', () => {
  const { texts, regionOf } = quantityRegions(['4', '4000m', '16Gi', 'none', '500m']);
  expect(texts).toMatchInlineSnapshot(`
    [
      "-500m",
      "500m",
      "2250m",
      "4",
      "8589934594",
      "16Gi",
      "17179869185",
    ]
  `);
  expect(['0', '0.5', '1', '4', '4001m', '1Gi', '16384Mi', '1Ti', 'x'].map(regionOf)).toMatchInlineSnapshot(`
    [
      0,
      1,
      2,
      3,
      4,
      4,
      5,
      6,
      undefined,
    ]
  `);
  expect(quantityRegions([]).texts).toEqual(['1']);
});

const literal = fc.constantFrom('"4"', '"4000m"', '"3500m"', '"16Gi"', '"1e3"', '"0"', '"x"');
const field = fc.constantFrom(
  'managedCluster.status.allocatable.cpu',
  'managedCluster.status.allocatable["cpu"]',
  'managedCluster.status.capacity.memory',
);
const atom = fc.oneof(
  fc
    .tuple(field, fc.constantFrom('isGreaterThan', 'isLessThan'), literal)
    .map(([x, f, y]) => `quantity(${x}).${f}(quantity(${y}))`),
  fc.tuple(literal, field).map(([x, y]) => `quantity(${x}).compareTo(quantity(${y})) == 0`),
  fc.constantFrom('has(managedCluster.status.allocatable.cpu)', '"memory" in managedCluster.status.capacity'),
);
const expression = fc.oneof(
  atom,
  atom.map((x) => `!(${x})`),
  fc.tuple(atom, fc.constantFrom('&&', '||'), atom).map((parts) => parts.join(' ')),
);

const amounts = [
  undefined,
  '0',
  '1',
  '3500m',
  '3.5',
  '3999m',
  '4',
  '5',
  '1k',
  '1Ki',
  '1G',
  '16Gi',
  '17179869184',
  '20Gi',
];

test('each cluster is selected as the example of its class', () => {
  fc.assert(
    fc.property(fc.array(expression, { minLength: 1, maxLength: 3 }), (expressions) => {
      const objects = [
        ...expressions.map((each, index) =>
          placementNamed(`pl-${index}`, {
            predicates: [{ requiredClusterSelector: { celSelector: { celExpressions: [each] } } }],
          }),
        ),
        binding('global'),
      ];
      const clusters = amounts.map((amount, index) =>
        cluster(`c${index}`, {
          allocatable: {
            ...(amount !== undefined && { cpu: amount }),
            ...(index % 3 === 0 && { pods: '10' }),
          },
          capacity: { ...(amount !== undefined && index % 2 === 0 && { memory: amount }) },
        }),
      );
      const all = decide([...objects, ...clusters]).decisions;
      const inventory = inventoryOf(...objects, cluster('some'));
      const builder = new SelectionBuilder(
        [{ inventory, decisions: decide([...objects, cluster('some')]).decisions }],
        cel028,
      );
      const selection = builder.build();
      const { space } = selection;
      for (const [name, object] of all.clusters) {
        const path = space.regionsOf(object);
        for (const index of expressions.keys()) {
          const { certain, possible } = selection.ofPlacement(`default/pl-${index}`);
          const values = [certain, possible].map((node) =>
            space.diagrams.evaluate(node, (variable) => path?.get(variable) ?? 0),
          );
          const isSelected = Number(all.byPlacement.get(`default/pl-${index}`)?.selected.includes(name));
          expect(values).toEqual([isSelected, isSelected]);
        }
      }
    }),
    { numRuns: 60 },
  );
});
