import { describe, expect, test } from 'vitest';
import {
  AddOnConfig,
  AddOnDeploymentConfig,
  AddOnTemplate,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  collect,
  Duration,
  ManagedCluster,
  ManagedClusterAddOn,
  Placement,
  Rollout,
} from '../../constructs/index.ts';
import { objectOf, objectsOf, specOf } from './in-chart.ts';

const addOnGroup = 'addon.open-cluster-management.io';

describe('a ClusterManagementAddOn', () => {
  test('without placements leaves the installation to others', () => {
    const addOn = objectOf((chart) => new ClusterManagementAddOn(chart, 'helloworld'));

    expect(addOn).toStrictEqual({
      apiVersion: 'addon.open-cluster-management.io/v1beta1',
      kind: 'ClusterManagementAddOn',
      metadata: {
        name: 'helloworld',
        annotations: { 'addon.open-cluster-management.io/lifecycle': 'addon-manager' },
      },
      spec: { installStrategy: { type: 'Manual' } },
    });
  });

  test('writes what it requires as an annotation', () => {
    const addOn = objectOf(
      (chart) =>
        new ClusterManagementAddOn(chart, 'a', {
          lifecycle: 'unset',
          requires: [
            { addOn: ClusterManagementAddOn.reference('b') },
            {
              addOn: ClusterManagementAddOn.reference('c'),
              state: 'installed',
              variables: { X: 'a b', Y: '1' },
            },
            {
              addOn: ClusterManagementAddOn.reference('d'),
              version: '>=1.14, <2',
              chart: '1.2.3',
              fields: { 'addondeploymentconfigs:spec.agentInstallNamespace': 'd' },
            },
          ],
        }),
    );

    expect(addOn.metadata.annotations).toStrictEqual({
      'fleetwright.dev/requires': [
        'b',
        'c installed X="a b" Y=1',
        'd version>=1.14,<2 chart==1.2.3 addondeploymentconfigs:spec.agentInstallNamespace=d',
      ].join('\n'),
    });
  });

  test('that is compiled is left alone by the addon-manager', () => {
    const addOn = objectOf((chart) => new ClusterManagementAddOn(chart, 'a', { delivery: 'compiled' }));

    expect(addOn.metadata.annotations).toStrictEqual({
      'fleetwright.dev/delivery': 'compiled',
      'addon.open-cluster-management.io/lifecycle': 'self',
    });
  });

  test('without a display name or a description has no metadata; with one of them, only that', () => {
    expect(
      specOf((chart) => new ClusterManagementAddOn(chart, 'a', { description: 'Says hello' })),
    ).toStrictEqual({
      addOnMeta: { description: 'Says hello' },
      installStrategy: { type: 'Manual' },
    });
  });

  test('can have its own manager', () => {
    const addOn = objectOf((chart) => new ClusterManagementAddOn(chart, 'a', { lifecycle: 'self' }));

    expect(addOn.metadata.annotations).toStrictEqual({
      'addon.open-cluster-management.io/lifecycle': 'self',
    });
  });

  test('refers to its configuration and its placements as objects', () => {
    const objects = objectsOf((chart) => {
      const template = new AddOnTemplate(chart, 'template', {
        name: 'helloworld-1.0.0',
        addonName: 'helloworld',
        workload: () => {},
      });
      const deployConfig = new AddOnDeploymentConfig(chart, 'deploy-config', { namespace: 'elsewhere' });
      const example = new ApiObject(chart, 'example', {
        apiVersion: 'example.com/v1',
        kind: 'ExampleConfig',
        metadata: { name: 'example-1' },
      });
      const placement = new Placement(chart, 'placement-aws', { namespace: 'default' });

      return new ClusterManagementAddOn(chart, 'addon', {
        name: 'helloworld',
        displayName: 'Hello world',
        defaultConfigs: [
          template,
          AddOnConfig.supported(AddOnDeploymentConfig),
          AddOnConfig.supported({ group: '', resource: 'configmaps' }),
          AddOnConfig.fromObject(example, 'exampleconfigs'),
        ],
        placements: [
          {
            placement,
            configs: [
              deployConfig,
              AddOnConfig.of({ group: '', resource: 'configmaps', namespace: 'n', name: 'c' }),
            ],
            rollout: Rollout.progressive({ maxConcurrency: 1, minSuccessTime: Duration.minutes(1) }),
          },
          { placement: Placement.reference('team-a', 'edge') },
        ],
      });
    });

    expect(objects.at(-1)?.['spec']).toStrictEqual({
      addOnMeta: { displayName: 'Hello world' },
      defaultConfigs: [
        { group: addOnGroup, resource: 'addontemplates', name: 'helloworld-1.0.0' },
        { group: addOnGroup, resource: 'addondeploymentconfigs', name: '__reserved_no_default__' },
        { group: '', resource: 'configmaps', name: '__reserved_no_default__' },
        { group: 'example.com', resource: 'exampleconfigs', namespace: 'ocm', name: 'example-1' },
      ],
      installStrategy: {
        type: 'Placements',
        placements: [
          {
            namespace: 'default',
            name: 'placement-aws',
            configs: [
              {
                group: addOnGroup,
                resource: 'addondeploymentconfigs',
                namespace: 'elsewhere',
                name: 'deploy-config',
              },
              { group: '', resource: 'configmaps', namespace: 'n', name: 'c' },
            ],
            rolloutStrategy: {
              type: 'Progressive',
              progressive: { maxConcurrency: 1, minSuccessTime: '1m' },
            },
          },
          { namespace: 'team-a', name: 'edge' },
        ],
      },
    });
  });

  test('with an empty list of placements is uninstalled everywhere, which is not the same as no list', () => {
    expect(specOf((chart) => new ClusterManagementAddOn(chart, 'a', { placements: [] }))).toStrictEqual({
      installStrategy: { type: 'Placements', placements: [] },
    });
  });

  test('accepts additions until the tree is rendered', () => {
    const spec = specOf((chart) => {
      const addOn = new ClusterManagementAddOn(chart, 'a');
      addOn.addDefaultConfig(AddOnConfig.supported(AddOnTemplate));
      addOn.addPlacement({ placement: Placement.reference('default', 'all') });
    });

    expect(spec).toStrictEqual({
      defaultConfigs: [{ group: addOnGroup, resource: 'addontemplates', name: '__reserved_no_default__' }],
      installStrategy: { type: 'Placements', placements: [{ namespace: 'default', name: 'all' }] },
    });
  });
});

describe('an add-on on one cluster', () => {
  test('has the name of the add-on and is in the namespace of the cluster', () => {
    const objects = objectsOf((chart) => {
      const addOn = new ClusterManagementAddOn(chart, 'helloworld');
      const config = new AddOnDeploymentConfig(chart, 'own-config');
      addOn.forCluster('cluster1', { configs: [config] });
      addOn.forCluster(new ManagedCluster(chart, 'cluster2'), { labels: { team: 'a' } });
    });

    expect(objects.filter(({ kind }) => kind === 'ManagedClusterAddOn')).toStrictEqual([
      {
        apiVersion: 'addon.open-cluster-management.io/v1beta1',
        kind: 'ManagedClusterAddOn',
        metadata: { name: 'helloworld', namespace: 'cluster1' },
        spec: {
          configs: [
            { group: addOnGroup, resource: 'addondeploymentconfigs', namespace: 'ocm', name: 'own-config' },
          ],
        },
      },
      {
        apiVersion: 'addon.open-cluster-management.io/v1beta1',
        kind: 'ManagedClusterAddOn',
        metadata: { name: 'helloworld', namespace: 'cluster2', labels: { team: 'a' } },
        spec: {},
      },
    ]);
  });

  test('can be written for an add-on that is defined elsewhere, with a namespace for its agent', () => {
    const addOn = objectOf((chart) => {
      const proxy = ClusterManagementAddOn.reference('cluster-proxy');
      const onCluster1 = new ManagedClusterAddOn(chart, 'proxy', {
        addOn: proxy,
        cluster: 'cluster1',
        installNamespace: 'proxy-agent',
      });
      onCluster1.addConfig(AddOnConfig.of({ group: 'proxy.example.com', resource: 'proxies', name: 'p' }));
    });

    expect(addOn).toStrictEqual({
      apiVersion: 'addon.open-cluster-management.io/v1beta1',
      kind: 'ManagedClusterAddOn',
      metadata: {
        name: 'cluster-proxy',
        namespace: 'cluster1',
        annotations: { 'addon.open-cluster-management.io/v1alpha1-install-namespace': 'proxy-agent' },
      },
      spec: { configs: [{ group: 'proxy.example.com', resource: 'proxies', name: 'p' }] },
    });
  });

  test('is there once', () => {
    const addOn = new ClusterManagementAddOn(new Chart(new App(), 'chart'), 'helloworld');
    addOn.forCluster('cluster1');

    expect(() => addOn.forCluster('cluster1')).toThrow(
      "There is already a Construct with name 'cluster1' in ClusterManagementAddOn [helloworld]",
    );
  });
});

/** An add-on that uses one configuration in all places where it may be named, under the given name. */
function usesEverywhere(name: string): string {
  const app = new App();
  const chart = new Chart(app, 'chart', { namespace: 'ocm' });
  const config = new AddOnDeploymentConfig(chart, 'config', { name });
  const addOn = new ClusterManagementAddOn(chart, 'helloworld', {
    defaultConfigs: [config],
    placements: [{ placement: new Placement(chart, 'all'), configs: [config] }],
  });
  addOn.forCluster('cluster1', { configs: [config] });
  return JSON.stringify(collect(app).objects);
}

test('a renamed object is renamed wherever it is referred to', () => {
  expect(usesEverywhere('before').replaceAll('before', 'after')).toBe(usesEverywhere('after'));
  expect(usesEverywhere('before').split('"before"')).toHaveLength(5);
});

test('an object with an unknown resource name needs one', () => {
  const chart = new Chart(new App(), 'chart', { namespace: 'ocm' });
  const example = new ApiObject(chart, 'example', {
    apiVersion: 'example.com/v1',
    kind: 'ExampleConfig',
    metadata: { name: 'first' },
  });

  // @ts-expect-error the resource name is missing
  expect(() => AddOnConfig.fromObject(example)).toThrow(
    "the resource name of ExampleConfig 'first' is not known: pass it, such as 'exampleconfigs'",
  );
});

test('overrides are sent to the hub in the mode of the add-on, or in their own', () => {
  const objects = objectsOf((chart) => {
    const addOn = new ClusterManagementAddOn(chart, 'helloworld', { override: 'placement' });
    addOn.forCluster('cluster1', { override: 'object' });
    addOn.forCluster('cluster2');
  });

  expect(objects.map(({ metadata }) => metadata.annotations?.['fleetwright.dev/override'])).toStrictEqual([
    'placement',
    'object',
    undefined,
  ]);
});

describe('values of other types, as in apps that run without a type check', () => {
  const placement = Placement.reference('ns', 'prod');
  const create = (props: object): (() => unknown) => {
    return () => objectOf((chart) => new ClusterManagementAddOn(chart, 'a', props));
  };

  test('are rejected if a placement is expected', () => {
    expect(create({ placements: [{ placement: 'prod' }] })).toThrow(
      'ClusterManagementAddOn takes a Placement as placements[0].placement, not "prod": use the construct or Placement.reference',
    );
    expect(create({ placements: [{ placement }] })).not.toThrow();
  });

  test('are rejected if configurations are expected', () => {
    expect(create({ placements: [{ placement, configs: ['ns/prod'] }] })).toThrow(
      'ClusterManagementAddOn takes an AddOnConfig as placements[0].configs[0], not "ns/prod": use the construct, AddOnConfig.of or AddOnConfig.fromObject',
    );
  });
});
