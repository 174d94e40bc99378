import { fileURLToPath } from 'node:url';
import { ConfigMap, Namespace } from 'cdk8s-plus-27';
import { ApiObject as Cdk8sApiObject } from 'cdk8s';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  AddOnDeploymentConfig,
  AddOnTemplate,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  collect,
  JsonPatch,
  ManagedClusterSet,
  Placement,
} from '../../constructs/index.ts';
import type { Construct } from '../../constructs/index.ts';

describe('the objects of a tree', () => {
  test('come in the order of the tree, each construct before its children', () => {
    // GIVEN
    const app = new App();
    const [first, second] = [
      new Chart(app, 'first', { namespace: 'a' }),
      new Chart(app, 'second', { namespace: 'b' }),
    ];
    const addOn = new ClusterManagementAddOn(second, 'helloworld');
    addOn.forCluster('cluster2');
    addOn.forCluster('cluster1');
    new Placement(second, 'placement');
    new AddOnDeploymentConfig(first, 'config');

    // WHEN
    const { objects, errors } = collect(app);

    // THEN
    expect(errors).toEqual([]);
    expect(objects.map(({ construct, object }) => [construct, object.kind])).toEqual([
      ['first/config', 'AddOnDeploymentConfig'],
      ['second/helloworld', 'ClusterManagementAddOn'],
      ['second/helloworld/cluster2', 'ManagedClusterAddOn'],
      ['second/helloworld/cluster1', 'ManagedClusterAddOn'],
      ['second/placement', 'Placement'],
    ]);
  });

  test('are also those of cdk8s and of cdk8s-plus, without the namespace of the chart if the kind has none', () => {
    const app = new App();
    const chart = new Chart(app, 'chart', { namespace: 'ocm' });
    new Namespace(chart, 'namespace', { metadata: { name: 'team-a' } });
    new ConfigMap(chart, 'settings', { metadata: { name: 'settings' }, data: { key: 'value' } });
    new Cdk8sApiObject(chart, 'role', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'role' },
    });

    expect(collect(app).objects.map(({ construct, object }) => ({ construct, object }))).toStrictEqual([
      {
        construct: 'chart/namespace/Resource',
        object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' }, spec: {} },
      },
      {
        construct: 'chart/settings/Resource',
        object: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'settings', namespace: 'ocm' },
          data: { key: 'value' },
          immutable: false,
        },
      },
      {
        construct: 'chart/role',
        object: {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          metadata: { name: 'role' },
        },
      },
    ]);
  });

  test('are each rendered once', () => {
    const app = new App();
    const objects = Array.from({ length: 20 }, (_, index) => {
      const object = new Placement(new Chart(app, `chart-${index}`, { namespace: 'ocm' }), 'placement');
      return vi.spyOn(object, 'toJson');
    });

    collect(app);

    expect(objects.map((toJson) => toJson.mock.calls.length)).toEqual(Array.from({ length: 20 }, () => 1));
  });

  test('are each rendered once if others refer to them, as are the objects of a workload', () => {
    // GIVEN
    const app = new App();
    const chart = new Chart(app, 'chart', { namespace: 'ocm' });
    const template = new AddOnTemplate(chart, 'template', {
      addonName: 'helloworld',
      workload: (scope) => {
        new ApiObject(scope, 'settings', { apiVersion: 'v1', kind: 'ConfigMap' });
      },
    });
    const config = new AddOnDeploymentConfig(chart, 'config');
    const placement = new Placement(chart, 'placement');
    const addOn = new ClusterManagementAddOn(chart, 'helloworld', {
      defaultConfigs: [template, config],
      placements: [{ placement, configs: [config] }],
    });
    addOn.forCluster('cluster1', { configs: [config] });
    const toJson = vi.spyOn(Cdk8sApiObject.prototype, 'toJson');
    onTestFinished(() => toJson.mockRestore());

    // WHEN
    collect(app);

    // THEN
    const rendered = toJson.mock.contexts.map((object) => (object as Cdk8sApiObject).kind);
    expect(rendered.sort()).toEqual([
      'AddOnDeploymentConfig',
      'AddOnTemplate',
      'ClusterManagementAddOn',
      'ConfigMap',
      'ManagedClusterAddOn',
      'Placement',
    ]);
  });

  test('can be patched', () => {
    const app = new App();
    const placement = new Placement(new Chart(app, 'chart', { namespace: 'ocm' }), 'placement');
    placement.addJsonPatch(JsonPatch.add('/spec/numberOfClusters', 1));

    expect(collect(app).objects[0]?.object['spec']).toStrictEqual({ numberOfClusters: 1 });
  });
});

describe('faults in a tree', () => {
  test('is reported with the construct, completely, and the rest is still rendered', () => {
    // GIVEN
    const app = new App();
    const chart = new Chart(app, 'chart');
    chart.node.addValidation({ validate: () => ['the chart is empty', 'the chart is dull'] });
    new Placement(chart, 'nowhere');
    new ApiObject(chart, 'dated', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'dated' },
      data: { at: new Date(0) },
    });
    new ManagedClusterSet(chart, 'set');

    // WHEN
    const { objects, errors } = collect(app);

    // THEN
    expect(errors.map(({ construct, message }) => [construct, message])).toEqual([
      ['chart', 'the chart is empty'],
      ['chart', 'the chart is dull'],
      ['chart/nowhere', "Placement 'nowhere' has no namespace: give it one, or give one to its chart"],
      ['chart/dated', "can't render non-simple object of type 'Date'"],
    ]);
    expect(objects.map(({ construct }) => construct)).toEqual(['chart/nowhere', 'chart/set']);
  });
});

const here = fileURLToPath(import.meta.url);

/** The line on which this is called. */
function line(): number {
  return Number(/collect\.test\.ts:(\d+):/.exec(new Error('where').stack?.split('\n')[2] ?? '')?.[1]);
}

/** Where the constructs come from that `build` creates. */
function sources(build: (chart: Chart) => void): ({ file: string; line: number } | undefined)[] {
  const app = new App();
  build(new Chart(app, 'chart', { namespace: 'ocm' }));
  return collect(app).objects.map(({ source }) => source && { file: source.file, line: source.line });
}

describe('the source of a construct', () => {
  test('is the line that called its constructor', () => {
    let expected = 0;
    const found = sources((chart) => {
      expected = line() + 1;
      new Placement(chart, 'placement');
    });

    expect(found).toEqual([{ file: here, line: expected }]);
  });

  test('is the line that called the constructor of a class of the user', () => {
    class Greeting extends ApiObject {
      constructor(scope: Construct, id: string) {
        super(scope, id, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id } });
      }
    }

    let expected = 0;
    const found = sources((chart) => {
      expected = line() + 1;
      new Greeting(chart, 'greeting');
    });

    expect(found).toEqual([{ file: here, line: expected }]);
  });

  test('is the line that called the method which created it', () => {
    let expected = 0;
    const found = sources((chart) => {
      const addOn = new ClusterManagementAddOn(chart, 'helloworld');
      const set = new ManagedClusterSet(chart, 'set');
      expected = line() + 1;
      addOn.forCluster('cluster1');
      set.bindTo('team-a');
    });

    expect([found[1], found[3]]).toEqual([
      { file: here, line: expected },
      { file: here, line: expected + 1 },
    ]);
  });

  test('is unknown for constructs of other libraries', () => {
    expect(sources((chart) => new ConfigMap(chart, 'settings'))).toEqual([undefined]);
  });

  test('is computed once', () => {
    const app = new App();
    new Placement(new Chart(app, 'chart', { namespace: 'ocm' }), 'placement');

    const [placement] = collect(app).objects;

    expect(placement?.source).toBeDefined();
    expect(placement?.source).toBe(placement?.source);
  });

  test('leaves the length of stack traces as it was', () => {
    const before = Error.stackTraceLimit;
    sources((chart) => new Placement(chart, 'placement'));

    expect(Error.stackTraceLimit).toBe(before);
  });
});
