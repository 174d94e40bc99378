import { describe, expect, test } from 'vitest';
import { binding, clusters, placement } from '../../place/hub-fixture.ts';
import { addOn, findingTexts, outageTolerations } from '../check-fixture.ts';
import { configMap, object } from './cluster-fixture.ts';

const prefix = 'addon.open-cluster-management.io';

/** A manifest for a location. */
function at(location: string, manifest: object): object {
  const { metadata } = manifest as { metadata: object };
  return {
    ...manifest,
    metadata: { ...metadata, annotations: { [`${prefix}/hosted-manifest-location`]: location } },
  };
}

/** An add-on with compiled delivery, or another one, on clusters c1 and c2, both hosted by a third one. */
function hosted(manifests: readonly object[], delivery = 'compiled'): object[] {
  return [
    ...clusters('c1', 'c2', 'host'),
    binding('default'),
    placement({
      predicates: [
        {
          requiredClusterSelector: {
            labelSelector: {
              matchExpressions: [{ key: 'name', operator: 'In', values: ['c1', 'c2'] }],
            },
          },
        },
      ],
      tolerations: outageTolerations,
    }),
    {
      ...addOn('agent', [], { annotations: { 'fleetwright.dev/delivery': delivery } }),
      spec: {
        installStrategy: { type: 'Manual' },
        defaultConfigs: [{ group: prefix, resource: 'addontemplates', name: 'agent-1' }],
      },
    },
    {
      apiVersion: `${prefix}/v1alpha1`,
      kind: 'AddOnTemplate',
      metadata: { name: 'agent-1' },
      spec: { addonName: 'agent', agentSpec: { workload: { manifests } } },
    },
    ...['c1', 'c2'].map((namespace) => ({
      apiVersion: `${prefix}/v1beta1`,
      kind: 'ManagedClusterAddOn',
      metadata: {
        name: 'agent',
        namespace,
        annotations: { [`${prefix}/hosting-cluster-name`]: 'host' },
      },
      spec: {},
    })),
  ];
}

const ofCluster = object('v1', 'ConfigMap', 'agent', 'default', { data: { cluster: '{{CLUSTER_NAME}}' } });

describe('what a hosting cluster gets', () => {
  test('is checked once for all managed clusters, apart from what these get', () => {
    const manifests = [at('hosting', configMap('a', '')), at('managed', configMap('b', ''))];
    expect(findingTexts('FW8310', hosted(manifests))).toMatchInlineSnapshot(`
      [
        "warning: the work agent cannot create ConfigMap b, because it has no namespace (2 clusters)
      AddOnTemplate agent-1 at spec.agentSpec.workload.manifests[1].metadata
      write metadata.namespace; neither a template nor a work has a default",
        "warning: the work agent cannot create ConfigMap a, because it has no namespace (1 cluster)
      AddOnTemplate agent-1 at spec.agentSpec.workload.manifests[0].metadata
      write metadata.namespace; neither a template nor a work has a default",
      ]
    `);
    expect(findingTexts('FW8310', hosted([at('none', configMap('a', ''))]))).toEqual([]);
  });
  test('is contested if the clusters do not have their own objects', () => {
    expect(findingTexts('FW8316', hosted([at('hosting', ofCluster)]))).toMatchInlineSnapshot(`
      [
        "warning: add-on "agent" of cluster "c1" and add-on "agent" of cluster "c2" both deliver ConfigMap default/agent, with different content: each overwrites the other every 4 to 6 min, indefinitely (1 cluster)
      AddOnTemplate agent-1 at spec.agentSpec.workload.manifests[0]
      deliver the object once, rename one of them, or let one only create it (updateStrategy CreateOnly)",
      ]
    `);
    const named = { ...ofCluster, metadata: { name: '{{CLUSTER_NAME}}', namespace: 'default' } };
    expect(findingTexts('FW8316', hosted([at('hosting', named)]))).toEqual([]);
    expect(findingTexts('FW8316', hosted([at('managed', ofCluster)]))).toEqual([]);
    expect(findingTexts('FW8316', hosted([at('hosting', configMap('same'))]))).toEqual([]);
  });
  test('is contested by a work of the hosting cluster', () => {
    const work = {
      ...object('work.open-cluster-management.io/v1', 'ManifestWork', 'w', 'host'),
      spec: { workload: { manifests: [configMap('a', 'default', { a: '1' })] } },
    };
    const manifests = [at('hosting', configMap('a'))];
    expect(findingTexts('FW8316', [...hosted(manifests), work])).toMatchInlineSnapshot(`
      [
        "warning: add-on "agent" of cluster "c1" and ManifestWork "host/w" both deliver ConfigMap default/a, with different content: each overwrites the other every 4 to 6 min, indefinitely (1 cluster)
      ManifestWork w at spec.workload.manifests[0]
      deliver the object once, rename one of them, or let one only create it (updateStrategy CreateOnly)",
      ]
    `);
  });
  test('needs its namespaces there', () => {
    const manifests = (location: string): object[] => [
      at('hosting', configMap('a', 'shop')),
      at(location, object('v1', 'Namespace', 'shop')),
    ];
    expect(findingTexts('FW8313', hosted(manifests('hosting')))).toEqual([]);
    expect(findingTexts('FW8313', hosted(manifests('managed')))[0]).toContain(
      'no manifest creates Namespace "shop", which ConfigMap shop/a of add-on "agent" (hosting cluster) needs (1 cluster)',
    );
  });
  test('are the credentials, so that agents on the managed clusters do not start', () => {
    const agent = (location: string): object =>
      at(
        location,
        object('apps/v1', 'Deployment', 'agent', 'default', {
          spec: {
            selector: { matchLabels: { app: 'a' } },
            template: {
              metadata: { labels: { app: 'a' } },
              spec: { containers: [{ name: 'a', image: 'a' }] },
            },
          },
        }),
      );
    const registered = (location: string): object[] =>
      hosted([agent(location)]).map((each) =>
        (each as { kind: string }).kind === 'AddOnTemplate'
          ? {
              ...each,
              spec: {
                ...(each as { spec: object }).spec,
                registration: [{ type: 'KubeClient', kubeClient: {} }],
              },
            }
          : each,
      );
    expect(findingTexts('FW8318', registered('managed'))).toMatchInlineSnapshot(`
      [
        "warning: the pods of Deployment default/agent never start, because the Secrets of the registrations, which they need, are only on the hosting cluster (2 clusters)
      AddOnTemplate agent-1 at spec.agentSpec.workload.manifests[0].metadata.namespace
      deliver the workload to the hosting cluster, with the annotation addon.open-cluster-management.io/hosted-manifest-location: hosting",
      ]
    `);
    expect(findingTexts('FW8318', registered('hosting'))).toEqual([]);
  });
  test('is nothing if the hub delivers the add-on, which has no hosted mode', () => {
    const manifests = [at('hosting', configMap('a', ''))];
    expect(findingTexts('FW8310', hosted(manifests, 'hub'))[0]).toContain(
      'the work agent cannot create ConfigMap a, because it has no namespace (2 clusters)',
    );
  });
});
