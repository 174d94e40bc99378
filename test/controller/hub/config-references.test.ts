import { describe, expect, test } from 'vitest';
import {
  configKey,
  configReferences,
  effectiveConfigs,
  type ConfigName,
} from '../../../controller/hub/configuration/config-references.ts';
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

  test('are the defaults where the cluster has none', () => {
    expect(names(effectiveConfigs(addOn, storedOnCluster()))).toEqual([
      'configmaps/default',
      'addondeploymentconfigs/d',
    ]);
  });

  test('of a kind are all those of the cluster, and each once', () => {
    const configs = ['a', 'b', 'a'].map((name) => ({ resource: 'configmaps', name, namespace: 'ns' }));
    expect(names(effectiveConfigs(addOn, storedOnCluster({ configs })))).toEqual([
      'addondeploymentconfigs/d',
      'configmaps/a',
      'configmaps/b',
    ]);
  });
});

describe('references', () => {
  const facts = () => ({ specHash: 'h', generation: 7 });

  test('are sorted by kind, and within it as they were', () => {
    const wanted = [config('c'), config('t', 'addontemplates', addOnGroup), config('a'), config('b')];
    const held = configReferences([config('b'), config('gone'), config('a')], [], facts);
    expect(names(configReferences(wanted, held, facts))).toEqual([
      'configmaps/b',
      'configmaps/a',
      'configmaps/c',
      'addontemplates/t',
    ]);
  });

  test('keep what was applied last, and have the hash of now', () => {
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

  test('are written once: what was read back gives the same', () => {
    const first = configReferences([config('b'), config('a')], [], facts);
    expect(configReferences([config('a'), config('b')], first, facts)).toEqual(first);
  });
});

test('a configuration is named as in the annotation of works', () => {
  expect(configKey(config('a'))).toBe('configmaps/ns/a');
  expect(configKey({ group: addOnGroup, resource: 'addontemplates', namespace: '', name: 't' })).toBe(
    'addontemplates.addon.open-cluster-management.io//t',
  );
});
