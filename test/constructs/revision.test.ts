import { describe, expect, test } from 'vitest';
import {
  AddOnDeploymentConfig,
  AddOnTemplate,
  ClusterManagementAddOn,
  Placement,
} from '../../constructs/index.ts';
import type { AddOnDeploymentConfigProps, Chart } from '../../constructs/index.ts';
import { errorsOf, objectOf, objectsOf } from './in-chart.ts';

function configNamed(props: AddOnDeploymentConfigProps): string | undefined {
  return objectOf((chart) => new AddOnDeploymentConfig(chart, 'settings', props)).metadata.name;
}

describe('an immutable configuration', () => {
  test('has a hash of its content in its name, and an annotation with the revised object', () => {
    const config = objectOf(
      (chart) =>
        new AddOnDeploymentConfig(chart, 'settings', {
          immutable: true,
          annotations: { team: 'platform' },
          customizedVariables: { LOG_LEVEL: '4' },
        }),
    );
    expect(config.metadata).toStrictEqual({
      annotations: { 'fleetwright.dev/revision-of': 'settings', team: 'platform' },
      name: 'settings-d0c4b28118',
      namespace: 'ocm',
    });
  });

  test('has another name with other content, and the same with the same', () => {
    const name = configNamed({ immutable: true, customizedVariables: { A: '1' } });
    expect(configNamed({ immutable: true, customizedVariables: { A: '1' }, labels: { x: 'y' } })).toBe(name);
    expect(configNamed({ immutable: true, customizedVariables: { A: '2' } })).not.toBe(name);
    expect(configNamed({ customizedVariables: { A: '2' } })).toBe('settings');
  });

  test('can set the number of revisions to keep', () => {
    const config = objectOf(
      (chart) => new AddOnDeploymentConfig(chart, 'settings', { immutable: true, revisionHistoryLimit: 5 }),
    );
    expect(config.metadata.annotations).toStrictEqual({
      'fleetwright.dev/revision-of': 'settings',
      'fleetwright.dev/revision-history-limit': '5',
    });
  });

  test('is referred to by that name wherever it is used', () => {
    const objects = objectsOf((chart) => {
      const config = new AddOnDeploymentConfig(chart, 'settings', { immutable: true });
      const template = agent(chart);
      const addOn = new ClusterManagementAddOn(chart, 'agent', {
        defaultConfigs: [template, config],
        placements: [{ placement: Placement.reference('ocm', 'everywhere'), configs: [config] }],
      });
      addOn.forCluster('cluster1', { configs: [config] });
      // What is added before the tree is rendered belongs to the content.
      config.addCustomizedVariable('LOG_LEVEL', '4');
    });
    const [config, template, addOn, onCluster] = objects.map(({ metadata }) => metadata.name);
    expect(config).toMatch(/^settings-[0-9a-f]{10}$/);
    expect(template).toMatch(/^agent-template-[0-9a-f]{10}$/);
    const references = JSON.stringify([objects[2]?.['spec'], objects[3]?.['spec']]);
    expect(
      [...references.matchAll(/"name":"((?:settings|agent-template)[^"]*)"/g)].map(([, name]) => name),
    ).toEqual([template, config, config, config]);
    expect([addOn, onCluster]).toEqual(['agent', 'agent']);
  });

  test('does not change any more once something has referred to it', () => {
    const errors = errorsOf((chart) => {
      const config = new AddOnDeploymentConfig(chart, 'settings', { immutable: true });
      expect(config.configReference.name).toMatch(/^settings-[0-9a-f]{10}$/);
      config.addCustomizedVariable('LOG_LEVEL', '4');
    });
    expect(errors).toEqual([
      {
        construct: 'chart/settings',
        message:
          "AddOnDeploymentConfig 'settings' is immutable, and was changed after something had referred to it",
      },
    ]);
  });
});

function agent(chart: Chart): AddOnTemplate {
  return new AddOnTemplate(chart, 'agent-template', {
    addonName: 'agent',
    immutable: true,
    workload: () => {},
  });
}
