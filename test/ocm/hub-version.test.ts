import { expect, test } from 'vitest';
import { fleetOf, resolveText } from '../resolve-text.ts';

// cel-go 0.28, which OCM 1.3 is built with, knows field names in backticks; 0.26 of the releases before does not.
test.each([
  ['1.2', []],
  ['1.3', ['c1']],
] as const)('on a hub of OCM %s a selector with an escaped name selects %j', (hub, selected) => {
  const placement = `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: escaped, namespace: default }
spec:
  predicates:
  - requiredClusterSelector:
      celSelector: { celExpressions: ['managedCluster.metadata.labels.\`a-b\` == "x"'] }
`;
  const { resolution } = resolveText(placement, { hub, fleet: fleetOf({ c1: { 'a-b': 'x' }, c2: {} }) });
  expect(resolution.decisions.byPlacement.get('default/escaped')?.selected).toEqual(selected);
});
