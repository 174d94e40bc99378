import { expect, test } from 'vitest';
import { fleetCodes, hasFleet } from '../../src/compiler/model/needs-fleet.ts';
import { fleetOf, resolveText } from '../resolve-text.ts';

const app = `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello }
spec:
  supportedConfigs:
  - { group: addon.open-cluster-management.io, resource: addondeploymentconfigs, defaultConfig: { namespace: hub, name: absent } }
  installStrategy:
    type: Placements
    placements:
    - { name: everywhere, namespace: default }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: everywhere, namespace: default }
spec:
  predicates:
  - requiredClusterSelector: { labelSelector: { matchLabels: { env: prod } } }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1 }
spec: {}
`;

const codesOf = (text: string, fleet?: string): string[] =>
  resolveText(text, fleet === undefined ? {} : { fleet }).diagnostics.map(({ code }) => code);

test('without a fleet only rules that need no fleet have findings', () => {
  expect(codesOf(app)).toEqual(['FW4001', 'FW7008']);
});

test('with a fleet that has no clusters all rules have findings', () => {
  expect(codesOf(app, fleetOf({}))).toEqual(['FW4007', 'FW7008', 'FW7010', 'FW8338']);
});

test('a configuration that does not exist is reported for each placement and cluster that names it', () => {
  const named = app
    .replace(
      'everywhere, namespace: default }\n---',
      'everywhere, namespace: default, configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: hub, name: other }] }\n---',
    )
    .replace(
      'spec: {}',
      'spec: { configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: hub, name: own }] }',
    );
  const { diagnostics } = resolveText(named);
  expect(
    diagnostics.filter(({ code }) => code === 'FW4001').map(({ message, path }) => [message, path]),
  ).toEqual([
    [
      'addondeploymentconfigs.addon.open-cluster-management.io "hub/other" does not exist',
      'spec.installStrategy.placements[0].configs[0]',
    ],
    [
      'addondeploymentconfigs.addon.open-cluster-management.io "hub/own" does not exist (used by 1 cluster)',
      'spec.configs[0]',
    ],
  ]);
});

test('without a fleet a Placement of another app or repository is a warning, not an error', () => {
  const [addOn = ''] = app.split('---');
  expect(codesOf(addOn)).toEqual(['FW4001', 'FW7026']);
});

test('clusters, or the sets of a snapshot, are a fleet; sets of the app are not', () => {
  const [set = '', binding = '', cluster = ''] = fleetOf({ c1: {} }).split('---\n');
  const isFleet = (text: string, fleet = ''): boolean =>
    hasFleet(resolveText(text, { fleet }).resolution.inventory);
  expect(isFleet(`${app}---\n${cluster}`)).toBe(true);
  expect(isFleet(app, set)).toBe(true);
  expect(isFleet(`${app}---\n${set}---\n${binding}`)).toBe(false);
});

test('rules that need a fleet are those of clusters, sets and bindings', () => {
  expect(fleetCodes.has('FW7001')).toBe(true);
  expect(fleetCodes.has('FW7003')).toBe(false);
});
