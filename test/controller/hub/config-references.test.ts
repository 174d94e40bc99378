import { describe, expect, test } from 'vitest';
import {
  configReferences,
  configsOf,
  type ConfigName,
} from '../../../src/controller/hub/configuration/config-references.ts';
import { storedAddOn, storedOnCluster } from './stored-add-ons.ts';

const addOnGroup = 'addon.open-cluster-management.io';
const config = (name: string, resource = 'configmaps', group = ''): ConfigName => ({
  group,
  resource,
  namespace: 'ns',
  name,
});
const names = (configs: readonly { readonly resource: string; readonly name: string }[]): string[] =>
  configs.map(({ resource, name }) => `${resource}/${name}`);

describe('effective configurations', () => {
  const addOn = storedAddOn({
    supportedConfigs: [
      { resource: 'configmaps', defaultConfig: { name: 'default', namespace: 'ns' } },
      {
        group: addOnGroup,
        resource: 'addondeploymentconfigs',
        defaultConfig: { name: 'd', namespace: 'ns' },
      },
      { group: addOnGroup, resource: 'addontemplates' },
    ],
  });

  test('are the defaults if the cluster has none', () => {
    expect(names(configsOf(addOn, storedOnCluster()))).toEqual([
      'configmaps/default',
      'addondeploymentconfigs/d',
    ]);
  });

  test('of a kind are all those of the cluster, and each once', () => {
    const configs = ['a', 'b', 'a'].map((name) => ({ resource: 'configmaps', name, namespace: 'ns' }));
    expect(names(configsOf(addOn, storedOnCluster({ configs })))).toEqual([
      'configmaps/a',
      'configmaps/b',
      'addondeploymentconfigs/d',
    ]);
  });
});

describe('references', () => {
  const facts = () => ({ specHash: 'h', generation: 7 });

  test('are sorted by kind, and within it as they were', () => {
    const configs = [config('c'), config('t', 'addontemplates', addOnGroup), config('a'), config('b')];
    const held = configReferences([config('b'), config('gone'), config('a')], [], facts);
    const wanted = configsOf(storedAddOn({}), storedOnCluster({ configs }, { configReferences: held }));
    expect(names(configReferences(wanted, held, facts))).toEqual([
      'configmaps/b',
      'configmaps/a',
      'configmaps/c',
      'addontemplates/t',
    ]);
  });

  test('keep the last applied configuration, and have the current hash', () => {
    const applied = { name: 'a', namespace: 'ns', specHash: 'old' };
    const held = [
      {
        resource: 'configmaps',
        name: 'a',
        namespace: 'ns',
        desiredConfig: applied,
        lastAppliedConfig: applied,
      },
    ];
    expect(configReferences([config('a')], held, facts)).toEqual([
      {
        group: '',
        resource: 'configmaps',
        namespace: 'ns',
        name: 'a',
        desiredConfig: { namespace: 'ns', name: 'a', specHash: 'h' },
        lastAppliedConfig: applied,
        lastObservedGeneration: 7,
      },
    ]);
  });

  test('are written once: the same configurations in another order are equal', () => {
    const first = configReferences([config('b'), config('a')], [], facts);
    const status = { configReferences: first };
    const configs = configsOf(
      storedAddOn({}),
      storedOnCluster({ configs: [config('a'), config('b')] }, status),
    );
    expect(configReferences(configs, first, facts)).toEqual(first);
  });
});
