import { assertType, describe, expect, test } from 'vitest';
import {
  AddOnParameters,
  type Chart,
  ClusterManagementAddOn,
  Fact,
  ManagedClusterSet,
  Merge,
  Parameter,
  Placement,
  Selector,
} from '../../constructs/index.ts';
import { collect } from '../../constructs/collect.ts';
import { loadConstructs } from '../../src/compiler/load/constructs.ts';
import { readParameters } from '../../src/compiler/parameters/read.ts';
import { objectsOf } from './in-chart.ts';

const declared = {
  LOG_LEVEL: Parameter.enum(['debug', 'info'], { default: 'info' }),
  REPLICAS: Parameter.integer({ default: 2, min: 0 }),
  hosts: Parameter.list({ variable: 'HOSTS', items: { type: 'string' } }),
  tag: Parameter.string({ chartValue: 'image.tag' }),
  limits: Parameter.object<{ cpu: number; memory?: { max: string } }>(),
  nodes: Parameter.nodePlacement(),
};

function parametersIn(chart: Chart): AddOnParameters<typeof declared> {
  const addOn = ClusterManagementAddOn.reference('logs');
  return new AddOnParameters(chart, 'parameters', { addOn, namespace: 'logs', parameters: declared });
}

describe('AddOnParameters', () => {
  test('declares parameters, and writes each layer as an object', () => {
    const objects = objectsOf((chart) => {
      const parameters = parametersIn(chart);
      parameters.forEveryCluster({ tag: Fact.text`v${Fact.label('version', { default: 1 })}-$` });
      parameters.forHub('eu', { REPLICAS: 3 });
      parameters.forPlacement(Placement.reference('logs', 'all'), { hosts: Merge.append(['a']) });
      parameters.where({ region: 'eu' }, { nodes: { nodeSelector: { disk: 'ssd' } } });
      parameters.where(
        { claims: Selector.in('zone', ['a', 'b']), sets: [ManagedClusterSet.global] },
        { limits: Merge.replace({ cpu: 1 }), LOG_LEVEL: null },
      );
      parameters.forCluster('c1', { LOG_LEVEL: 'debug', REPLICAS: Fact.allocatable('cpu') });
    });
    const loaded = loadConstructs(objects.map((object) => ({ object, construct: 'chart' }))).value;
    expect(readParameters(loaded).diagnostics).toEqual([]);
    const [parameters, ...layers] = objects;
    expect(parameters).toMatchInlineSnapshot(`
      {
        "apiVersion": "fleetwright.dev/v1alpha1",
        "kind": "AddOnParameters",
        "metadata": {
          "name": "logs",
          "namespace": "logs",
        },
        "spec": {
          "parameters": {
            "LOG_LEVEL": {
              "default": "info",
              "type": "enum",
              "values": [
                "debug",
                "info",
              ],
            },
            "REPLICAS": {
              "default": 2,
              "min": 0,
              "type": "integer",
            },
            "hosts": {
              "items": {
                "type": "string",
              },
              "type": "list",
              "variable": "HOSTS",
            },
            "limits": {
              "type": "object",
            },
            "nodes": {
              "field": "nodePlacement",
              "type": "object",
            },
            "tag": {
              "chartValue": "image.tag",
              "type": "string",
            },
          },
        },
      }
    `);
    expect(layers.map(({ spec }) => spec)).toMatchInlineSnapshot(`
      [
        {
          "addOn": "logs",
          "layers": [
            {
              "values": {
                "tag": {
                  "$text": "v\${cluster.labels.version:-1}-$$",
                },
              },
            },
          ],
        },
        {
          "addOn": "logs",
          "layers": [
            {
              "hub": "eu",
              "values": {
                "REPLICAS": 3,
              },
            },
          ],
        },
        {
          "addOn": "logs",
          "layers": [
            {
              "placement": "logs/all",
              "values": {
                "hosts": {
                  "$append": [
                    "a",
                  ],
                },
              },
            },
          ],
        },
        {
          "addOn": "logs",
          "layers": [
            {
              "order": 3,
              "values": {
                "nodes": {
                  "nodeSelector": {
                    "disk": "ssd",
                  },
                },
              },
              "where": {
                "matchLabels": {
                  "region": "eu",
                },
              },
            },
          ],
        },
        {
          "addOn": "logs",
          "layers": [
            {
              "claims": {
                "matchExpressions": [
                  {
                    "key": "zone",
                    "operator": "In",
                    "values": [
                      "a",
                      "b",
                    ],
                  },
                ],
              },
              "order": 4,
              "sets": [
                "global",
              ],
              "values": {
                "LOG_LEVEL": {
                  "$remove": true,
                },
                "limits": {
                  "$replace": {
                    "cpu": 1,
                  },
                },
              },
            },
          ],
        },
        {
          "addOn": "logs",
          "layers": [
            {
              "cluster": "c1",
              "values": {
                "LOG_LEVEL": "debug",
                "REPLICAS": {
                  "$fact": "cluster.allocatable.cpu",
                },
              },
            },
          ],
        },
      ]
    `);
  });

  test('reports the line of the call of each layer', () => {
    let lines: (number | undefined)[] = [];
    objectsOf((chart) => {
      const parameters = parametersIn(chart);
      parameters.forCluster('c1', {});
      parameters.forCluster('c2', {});
      lines = collect(chart)
        .objects.slice(1)
        .map(({ source }) => source?.line);
    });
    expect(lines[1]).toBe((lines[0] ?? 0) + 1);
  });

  test('a wrong name or type in a layer does not compile', () => {
    assertType<(parameters: AddOnParameters<typeof declared>) => unknown>((parameters) => {
      // @ts-expect-error no such parameter
      parameters.forEveryCluster({ LOG_LEVLE: 'debug' });
      // @ts-expect-error no such value
      parameters.forEveryCluster({ LOG_LEVEL: 'trace' });
      // @ts-expect-error a number is no text
      parameters.where({ region: 'eu' }, { REPLICAS: '3' });
      // @ts-expect-error a list has items of its type
      parameters.forCluster('c1', { hosts: [1] });
      // @ts-expect-error as does a list that is appended
      parameters.forCluster('c1', { hosts: Merge.append([1]) });
      // @ts-expect-error no such field
      parameters.forCluster('c1', { limits: { memory: { min: '1' } } });
      // @ts-expect-error no such field of the hub
      parameters.forCluster('c1', { nodes: { selector: {} } });
      // @ts-expect-error a text has no smallest number
      Parameter.string({ min: 1 });
      // @ts-expect-error a default has the type of the parameter
      Parameter.integer({ default: 'two' });
      // @ts-expect-error a default is one of the values
      Parameter.enum(['debug', 'info'], { default: 'warn' });
    });
  });
});
