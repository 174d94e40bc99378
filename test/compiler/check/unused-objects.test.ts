import { describe, expect, test } from 'vitest';
import { unusedObjects } from '../../../src/compiler/check/unused-objects.ts';
import { inventoryOf } from '../place/hub-fixture.ts';

const group = 'addon.open-cluster-management.io';
const template = (name: string, addonName = 'agent', annotations?: object): object => ({
  apiVersion: `${group}/v1alpha1`,
  kind: 'AddOnTemplate',
  metadata: { name, annotations },
  spec: { addonName, agentSpec: { workload: { manifests: [] } } },
});
const config = (name: string, annotations?: object): object => ({
  apiVersion: `${group}/v1alpha1`,
  kind: 'AddOnDeploymentConfig',
  metadata: { name, namespace: 'ns', annotations },
  spec: {},
});
const named = (name: string): object => ({
  group,
  resource: 'addondeploymentconfigs',
  namespace: 'ns',
  name,
});
const addOn = (spec: object = {}): object => ({
  apiVersion: `${group}/v1beta1`,
  kind: 'ClusterManagementAddOn',
  metadata: { name: 'agent' },
  spec,
});
const clusterAddOn = (...configs: object[]): object => ({
  apiVersion: `${group}/v1beta1`,
  kind: 'ManagedClusterAddOn',
  metadata: { name: 'agent', namespace: 'c1' },
  spec: { configs },
});
const revision = (of: string): object => ({ 'fleetwright.dev/revision-of': of });

/** What users read, for some apps. */
function findingTexts(...apps: readonly (readonly object[])[]): string[] {
  return unusedObjects(apps.map((objects) => inventoryOf(...objects))).map(
    ({ code, severity, message, hint }) => `${severity} ${code}: ${message}\n${hint}`,
  );
}

describe('FW7134: a template', () => {
  test('that no add-on names is unused', () => {
    expect(findingTexts([addOn(), template('agent-1')])).toMatchInlineSnapshot(`
      [
        "warning FW7134: no add-on uses AddOnTemplate "agent-1", so it is not delivered
      refer to it in the default configurations of add-on "agent", or remove it",
      ]
    `);
    expect(findingTexts([addOn(), template('agent-1', 'agnet')])[0]).toMatch(
      /there is no add-on "agnet": refer to it in the default configurations of add-on "agent"/,
    );
  });
  test('that an add-on of another app names is used', () => {
    const defaultConfigs = [{ group, resource: 'addontemplates', name: 'agent-1' }];
    expect(findingTexts([addOn({ defaultConfigs })], [template('agent-1')])).toEqual([]);
  });
});

describe('FW7135: a configuration', () => {
  test('that nothing names is unused', () => {
    expect(findingTexts([addOn(), config('a')])).toMatchInlineSnapshot(`
      [
        "warning FW7135: no add-on uses AddOnDeploymentConfig "ns/a"
      refer to it in the default configurations of an add-on, in a placement of its install strategy or for a cluster, or remove it",
      ]
    `);
  });
  test.each([
    ['a default', addOn({ defaultConfigs: [named('a')] })],
    [
      'a placement',
      addOn({
        installStrategy: {
          type: 'Placements',
          placements: [{ namespace: 'ns', name: 'none', configs: [named('a')] }],
        },
      }),
    ],
    ['a cluster', clusterAddOn(named('a'))],
  ])('that %s names is used', (_level, user) => {
    expect(findingTexts([user, config('a')])).toEqual([]);
  });
  test('that is an earlier revision is used as long as one of its revisions is', () => {
    const user = addOn({ defaultConfigs: [named('a-2')] });
    expect(findingTexts([user, config('a-1', revision('a')), config('a-2', revision('a'))])).toEqual([]);
    expect(findingTexts([user, config('b-1', revision('b')), config('a-2', revision('a'))])).toHaveLength(1);
  });
  test('is unknown without add-ons', () => {
    expect(findingTexts([config('a'), template('agent-1')])).toEqual([]);
  });
});
