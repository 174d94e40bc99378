import { expect, test } from 'vitest';
import { binding, clusterSet, clusters, placement } from '../../place/hub-fixture.ts';
import { resolveText } from '../../../resolve-text.ts';
import { codesOf, findingTexts } from '../check-fixture.ts';

const fleet = clusters('a', 'b');

test('a placement with a bound set has no findings', () => {
  expect(codesOf([...fleet, binding('default'), placement()])).toEqual([]);
  expect(codesOf([...fleet, binding('global'), placement({ clusterSets: ['global'] })])).toEqual([]);
});

test('FW7001: a namespace without a binding to a set, or to the set that is named', () => {
  expect(findingTexts('FW7001', [...fleet, placement()])).toMatchInlineSnapshot(`
    [
      "error: namespace "default" is bound to no ManagedClusterSet, so the placement selects nothing
    Placement pl at metadata.namespace
    create a ManagedClusterSetBinding in this namespace, named like an existing set, or list it under external in fleetwright.yaml if the hub has it",
    ]
  `);
  expect(
    findingTexts('FW7001', [
      ...fleet,
      clusterSet('prod'),
      binding('default'),
      placement({ clusterSets: ['prod'] }),
    ]),
  ).toMatchInlineSnapshot(`
    [
      "error: namespace "default" is not bound to the set "prod" that the placement names, so it selects nothing
    Placement pl at spec.clusterSets[0]
    bind it, or use a bound set: default",
    ]
  `);
});

test('FW7002: a set that is not bound, beside one that is', () => {
  const spec = { clusterSets: ['default', 'prod', 'typo'] };
  expect(findingTexts('FW7002', [...fleet, clusterSet('prod'), binding('default'), placement(spec)]))
    .toMatchInlineSnapshot(`
      [
        "warning: ManagedClusterSet "prod" is not bound to namespace "default", so the placement selects no cluster from it
      Placement pl at spec.clusterSets[1]
      create the ManagedClusterSetBinding, remove the name, or list it under external in fleetwright.yaml if the hub has it",
        "warning: ManagedClusterSet "typo" does not exist, so the placement selects no cluster from it
      Placement pl at spec.clusterSets[2]
      create the set and its binding, correct the name, or list it under external in fleetwright.yaml if the hub has it",
      ]
    `);
});

test('FW7004: a binding to a set that does not exist', () => {
  expect(findingTexts('FW7004', [binding('default'), binding('global'), binding('prod')]))
    .toMatchInlineSnapshot(`
    [
      "warning: ManagedClusterSet "prod" does not exist, so the binding has no effect
    ManagedClusterSetBinding prod at metadata.name
    create the set, or list it under external in fleetwright.yaml if the hub has it",
    ]
  `);
});

test('FW7004: a binding that is named otherwise has FW7005 alone, and one of the snapshot is not reported', () => {
  const wrong = { ...binding('prod'), spec: { clusterSet: 'global' } };
  expect(codesOf([wrong])).toEqual(['FW7005']);
  const { diagnostics } = resolveText('', { fleet: JSON.stringify(binding('prod')) });
  expect(diagnostics).toEqual([]);
});

test('FW7005: a binding that is not named like its set', () => {
  const wrong = { ...binding('default'), spec: { clusterSet: 'global' } };
  expect(findingTexts('FW7005', [wrong])).toMatchInlineSnapshot(`
    [
      "error: the binding is named "default", but its set is "global": the hub rejects it: The ManagedClusterSetBinding must have the same name as the target ManagedClusterSet
    ManagedClusterSetBinding default at spec.clusterSet
    give the binding the name of its set",
    ]
  `);
});

test('FW7019: a set by labels without a selector', () => {
  expect(findingTexts('FW7019', [clusterSet('prod', { selectorType: 'LabelSelector' })]))
    .toMatchInlineSnapshot(`
    [
      "warning: the set has selectorType LabelSelector and no labelSelector, so it has no clusters
    ManagedClusterSet prod at spec.clusterSelector
    add a labelSelector; an empty one, {}, selects all clusters",
    ]
  `);
  expect(codesOf([clusterSet('all', { selectorType: 'LabelSelector', labelSelector: {} })])).toEqual([]);
});
