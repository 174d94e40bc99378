import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import { cel028 } from '../../../src/engines/cel/behaviour.ts';
import { SelectionBuilder } from '../../../src/compiler/prove/selection.ts';
import { binding, cluster, decide, inventoryOf, placementNamed } from '../place/hub-fixture.ts';

const labels = 'managedCluster.metadata.labels';
const annotations = 'managedCluster.metadata.annotations';
const claims = 'managedCluster.status.clusterClaims';

const text = fc.constantFrom('', 'a', 'b', 'ab', 'A', 'a.b', '1.30.0', 'é', 'a\n');
const literal = text.map((value) => JSON.stringify(value));
const key = fc.constantFrom('"a"', '"b"');

/** Expressions whose value is a text, some in forms that have no finite partition. */
const field = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.constantFrom(labels, annotations), key)
      .chain(([map, name]) =>
        fc.constantFrom(
          `${map}[${name}]`,
          `${map}.${name.slice(1, -1)}`,
          `${map}[?${name}].orValue("a")`,
          `${map}[?${name}].orValue("")`,
        ),
      ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('managedCluster.status.version.kubernetes', 'managedCluster.metadata.name'),
  },
  fc.constantFrom(
    `${labels}["a" + ""]`,
    `${annotations}[?"b"].value()`,
    'managedCluster.metadata["labels"]["a"]',
    'managedCluster.metadata.?labels.a.orValue("b")',
    `dyn(${labels}["a"])`,
    `string(${labels}["b"])`,
    `${labels}["a"].lowerAscii()`,
    `(${labels}["a"] + ${labels}["b"])`,
    `("a" in ${labels} ? ${labels}["a"] : "b")`,
    `[${labels}["a"]][0]`,
  ),
);

const pattern = fc
  .constantFrom('^a', 'b$', '^[^a]*$', '^.$', 'a|', '(a|b){2}', '^a?\\.?b?$', '^1\\.\\d+')
  .map((value) => JSON.stringify(value));

const ofClaim = fc.oneof(
  fc.tuple(fc.constantFrom('==', '!='), literal).map(([operator, value]) => `c.value ${operator} ${value}`),
  pattern.map((value) => `c.value.matches(${value})`),
  fc.tuple(literal, literal).map(([one, other]) => `c.value in [${one}, ${other}]`),
  fc.constantFrom(
    'true',
    'c.name == "q"',
    'c.value == c.name',
    'semver(c.value).isLessThan(semver("1.30.0"))',
    `"a" in ${annotations}`,
    `${claims}.exists(d, d.name == "q" && c.value == "a")`,
    `${claims}.exists(c, c.name == "q" && c.value == "a")`,
    `${claims}.exists(d, d.name == "q" && d.value == c.value)`,
  ),
);

const atom = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(field, fc.constantFrom('==', '!=', '==', '!=', '<'), literal)
      .map((all) => all.join(' ')),
  },
  fc.tuple(field, literal, literal).map(([x, one, other]) => `${x} in [${one}, ${other}]`),
  fc
    .tuple(field, fc.constantFrom('startsWith', 'endsWith', 'contains'), literal)
    .map(([x, search, value]) => `${x}.${search}(${value})`),
  fc.tuple(field, pattern).map(([x, value]) => `${x}.matches(${value})`),
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(labels, annotations), key).map(([map, name]) => `${name} in ${map}`),
  },
  fc
    .tuple(fc.constantFrom(labels, annotations), fc.constantFrom('a', 'b'))
    .map(([map, name]) => `has(${map}.${name})`),
  fc
    .tuple(
      fc.constantFrom('exists', 'exists', 'exists', 'all', 'exists_one'),
      fc.constantFrom('p', 'q'),
      ofClaim,
    )
    .map(([macro, name, rest]) => `${claims}.${macro}(c, c.name == "${name}" && ${rest})`),
  fc
    .tuple(field, fc.constantFrom('isLessThan', 'isGreaterThan'), fc.constantFrom('1.30.0', '1.0.0-a', 'x'))
    .map(([x, compare, value]) => `semver(${x}).${compare}(semver("${value}"))`),
  field.map((x) => `isSemver(${x})`),
  fc.constantFrom(
    `${labels}["a"] == ${labels}["b"]`,
    `${labels}["a"] in ["a", "b" + "c"]`,
    `size(${labels}) > 2`,
    `size(${claims}) == 1`,
    `has(managedCluster.metadata.annotations)`,
    `has(managedCluster.status.version.kubernetes)`,
    `${labels}.exists(k, k == "a")`,
    `${labels}.all(k, ${labels}[k] != "b")`,
    `["a", "b"].exists(k, k in ${labels})`,
    `type(${labels}["a"]) == string`,
    'true',
    '1 / 0 == 1',
  ),
);

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc
      .tuple(tie('expression'), fc.constantFrom('&&', '||', '==', '!='), tie('expression'))
      .map((parts) => `(${parts.join(' ')})`),
    tie('expression').map((x) => `!(${x})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
  ),
}));

const labelValue = fc.constantFrom('', 'a', 'b', 'ab', 'A', 'a.b', '1.30.0', '1.29.9-rc.1', 'zz');
const anyValue = fc.oneof(labelValue, fc.constantFrom('é', 'a\n', ' ', '\u{1F600}'));
const claimValue = anyValue.filter((value) => value !== '');

const clusterFields = fc.record({
  labels: fc.dictionary(fc.constantFrom('a', 'b', 'c'), labelValue, { maxKeys: 3 }),
  annotations: fc.option(fc.dictionary(fc.constantFrom('a', 'b', 'c'), anyValue, { maxKeys: 2 }), {
    nil: undefined,
  }),
  claims: fc.dictionary(fc.constantFrom('p', 'q', 'r'), claimValue, { maxKeys: 2 }),
  kubernetes: fc.option(fc.oneof(anyValue, fc.constant('1.31.0')), { nil: undefined }),
});

test('every cluster is selected as its class is, whatever expressions read', () => {
  let decided = 0;
  let unknown = 0;
  fc.assert(
    fc.property(
      fc.array(expression, { minLength: 2, maxLength: 3 }),
      fc.array(clusterFields, { minLength: 12, maxLength: 12 }),
      (expressions, all) => {
        const names = expressions.map((_, index) => `pl-${index}`);
        const placements = expressions.map((each, index) =>
          placementNamed(`pl-${index}`, {
            predicates: [{ requiredClusterSelector: { celSelector: { celExpressions: [each] } } }],
          }),
        );
        const objects = [...placements, binding('global')];
        const clusters = all.map(({ annotations, kubernetes, ...fields }, index) => {
          const object = cluster(`c${index}`, fields) as ManagedClusterV1;
          return {
            ...object,
            metadata: { ...object.metadata, ...(annotations !== undefined && { annotations }) },
            status: { ...object.status, version: kubernetes === undefined ? {} : { kubernetes } },
          };
        });
        const builder = new SelectionBuilder(
          [{ inventory: inventoryOf(...objects), decisions: decide(objects).decisions }],
          cel028,
        );
        const selection = builder.build();
        const { decisions } = decide([...objects, ...clusters]);
        for (const name of names) {
          const key = `default/${name}`;
          const decision = decisions.byPlacement.get(key);
          if (decision === undefined || decision.misconfiguration || decision.unscheduled) continue;
          const bounds = selection.ofPlacement(key);
          for (const [each, object] of decisions.clusters) {
            const path = selection.space.regionsOf(object);
            if (path === undefined) continue;
            const regionOf = (variable: number): number => path.get(variable) ?? 0;
            const certain = selection.space.diagrams.evaluate(bounds.certain, regionOf) === 1;
            const possible = selection.space.diagrams.evaluate(bounds.possible, regionOf) === 1;
            if (certain === possible) decided += 1;
            else unknown += 1;
            const isSelected = decision.selected.includes(each);
            expect([isSelected, isSelected ? possible : certain]).toEqual([isSelected, isSelected]);
          }
        }
      },
    ),
    { numRuns: 25 },
  );
  expect(decided).toBeGreaterThan(unknown / 2);
}, 120_000);
