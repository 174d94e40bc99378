import { describe, expect, test } from 'vitest';
import { explainAddOn } from '../../../src/compiler/explain/explain-add-on.ts';
import { explanationText } from '../../../src/compiler/report/text/explanation-text.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

const prefix = 'addon.open-cluster-management.io';

/** An add-on that is installed on some clusters by their own ManagedClusterAddOns. */
function addOn(
  name: string,
  manifests: readonly object[],
  hosting: Readonly<Record<string, string>>,
): object[] {
  return [
    {
      apiVersion: `${prefix}/v1beta1`,
      kind: 'ClusterManagementAddOn',
      metadata: { name, annotations: { 'fleetwright.dev/delivery': 'compiled' } },
      spec: {
        installStrategy: { type: 'Manual' },
        defaultConfigs: [{ group: prefix, resource: 'addontemplates', name: `${name}-1` }],
      },
    },
    {
      apiVersion: `${prefix}/v1alpha1`,
      kind: 'AddOnTemplate',
      metadata: { name: `${name}-1` },
      spec: { addonName: name, agentSpec: { workload: { manifests } } },
    },
    ...Object.entries(hosting).map(([namespace, host]) => ({
      apiVersion: `${prefix}/v1beta1`,
      kind: 'ManagedClusterAddOn',
      metadata: {
        name,
        namespace,
        annotations: host === '' ? {} : { [`${prefix}/hosting-cluster-name`]: host },
      },
      spec: {},
    })),
  ];
}

function configMap(name: string, namespace: string, text: string, location = ''): object {
  const annotations = location === '' ? {} : { [`${prefix}/hosted-manifest-location`]: location };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, annotations }, data: { text } };
}

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

function work(cluster: string, manifests: readonly object[]): object {
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { name: 'w', namespace: cluster },
    spec: { workload: { manifests } },
  };
}

function answers(objects: readonly object[], addOn: string, cluster: string): string[] {
  const text = objects.map((object) => JSON.stringify(object)).join('\n---\n');
  const { resolution } = resolveText(text, { fleet: fleetOf({ c1: {}, c2: {}, host: {} }) });
  const explanation = explainAddOn(resolution, addOn, cluster, '', hubVersion('1.3'));
  if (explanation === undefined) throw new Error('no such add-on');
  const [, section = ''] = explanationText(explanation, { paint: (_tone, text) => text, names: 3 }).split(
    'what the cluster answers\n',
  );
  return section
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.trim().replace(/ \([^(]*:\d+\)$/, ''));
}

describe('what a cluster answers to an add-on', () => {
  test('names the other add-on and the work that deliver one of its objects, from both sides', () => {
    const [one, other] = [configMap('x', 'default', '1'), configMap('x', 'default', '2')];
    const objects = [...addOn('a', [one], { c1: '' }), ...addOn('b', [other], { c1: '', c2: '' })];
    const overwrites = 'with different content: each overwrites the other every 4 to 6 min, indefinitely';
    const contest = `warning FW8316: add-on "a" and add-on "b" both deliver ConfigMap default/x, ${overwrites}`;
    expect(answers(objects, 'a', 'c1')).toEqual([contest]);
    expect(answers(objects, 'b', 'c1')).toEqual([contest]);
    expect(answers(objects, 'b', 'c2')).toEqual([]);
    const work2 = work('c2', [configMap('x', 'default', '3')]);
    expect(answers([...objects, work2], 'b', 'c2')).toEqual([
      `warning FW8316: add-on "b" and ManifestWork "c2/w" both deliver ConfigMap default/x, ${overwrites}`,
    ]);
  });

  test('includes its hosting cluster, beside all that this one gets', () => {
    const manifests = [
      configMap('x', 'shop', '{{CLUSTER_NAME}}', 'hosting'),
      configMap('y', '', '', 'managed'),
    ];
    const both = addOn('a', manifests, { c1: 'host', c2: 'host' });
    const overwrites = 'with different content: each overwrites the other every 4 to 6 min, indefinitely';
    const contest = `on hosting cluster "host": add-on "a" of cluster "c1" and add-on "a" of cluster "c2" both deliver ConfigMap shop/x, ${overwrites}`;
    const unplaced = 'warning FW8310: the work agent cannot create ConfigMap y, because it has no namespace';
    const homeless =
      'info FW8313: on hosting cluster "host": no manifest creates Namespace "shop", which ConfigMap shop/x of add-on "a" (hosting cluster) needs';
    expect(answers(both, 'a', 'c1')).toEqual([unplaced, homeless, `warning FW8316: ${contest}`]);
    expect(answers(both, 'a', 'c2')).toEqual([unplaced, homeless, `warning FW8316: ${contest}`]);
    const one = addOn('a', manifests, { c1: 'host' });
    expect(answers(one, 'a', 'c1')).toEqual([unplaced, homeless]);
    expect(answers([...one, work('host', [namespace])], 'a', 'c1')).toEqual([unplaced]);
    expect(answers([...one, ...addOn('b', [namespace], { host: '' })], 'a', 'c1')).toEqual([unplaced]);
    // the managed cluster gets it, and not its hosting cluster
    expect(answers([...one, work('c1', [namespace])], 'a', 'c1')).toEqual([unplaced, homeless]);
  });

  test('is about its own objects only', () => {
    const objects = [
      ...addOn('a', [configMap('x', 'default', '')], { c1: '' }),
      ...addOn('b', [configMap('y', '', '')], { c1: '' }),
    ];
    expect(answers(objects, 'a', 'c1')).toEqual([]);
    expect(answers(objects, 'b', 'c1')).toHaveLength(1);
  });
});
