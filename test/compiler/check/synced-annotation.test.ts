import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hubVersion, type HubVersionName } from '../../../src/ocm/hub-version.ts';
import { hubObjects } from '../../../src/compiler/hub-objects.ts';
import { diagnosticsAsText } from '../../../src/compiler/report/text/text.ts';
import { app, clusters } from '../plan/states.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { addOn, findings, findingTexts } from './check-fixture.ts';

const prefix = 'addon.open-cluster-management.io';

const cluster = (name: string, annotations: object): object => ({
  apiVersion: 'cluster.open-cluster-management.io/v1',
  kind: 'ManagedCluster',
  metadata: { name, annotations },
  spec: { hubAcceptsClient: true },
});

const own = (namespace: string, annotations: object, name = 'metrics'): object => ({
  apiVersion: `${prefix}/v1beta1`,
  kind: 'ManagedClusterAddOn',
  metadata: { name, namespace, annotations },
  spec: {},
});

const hosted = { [`${prefix}/on-multicluster-hub`]: 'true' };
const values = { [`${prefix}/values`]: '{"replicas":3}' };

const hint =
  'set it on the ManagedCluster, from which the hub copies it to every add-on of the cluster, or use an AddOnDeploymentConfig';

describe('an annotation that Git sets on one ManagedClusterAddOn of a cluster with several (FW7130)', () => {
  test('is taken away when those of the cluster change', () => {
    expect(findingTexts('FW7130', [addOn('metrics'), cluster('c1', hosted), own('c1', values)])).toEqual([
      `warning: whenever an annotation of cluster "c1" with the prefix of add-ons changes, the hub removes ${prefix}/values of the ManagedClusterAddOn of "metrics" there, until Git is applied again\nManagedClusterAddOn metrics at metadata.annotations[${prefix}/values]\n${hint}`,
    ]);
  });

  test('is replaced if the cluster has another value, and kept if it has the same', () => {
    const other = cluster('c1', { [`${prefix}/values`]: '{}' });
    expect(findingTexts('FW7130', [addOn('metrics'), other, own('c1', values)])[0]).toContain(
      `the hub replaces ${prefix}/values of the ManagedClusterAddOn of "metrics" there`,
    );
    expect(findingTexts('FW7130', [addOn('metrics'), cluster('c1', values), own('c1', values)])).toEqual([]);
  });

  test('may be the namespace to install into, unless that is the one that the API server puts back', () => {
    const namespace = (name: string): object => ({ [`${prefix}/v1alpha1-install-namespace`]: name });
    const of = (name: string): string[] =>
      findingTexts('FW7130', [addOn('metrics'), cluster('c1', hosted), own('c1', namespace(name))]);
    expect(of('agents')).toHaveLength(1);
    expect(of('open-cluster-management-agent-addon')).toEqual([]);
  });

  test('is reported once per add-on, for any number of clusters', () => {
    const names = ['c1', 'c2', 'c3'];
    const objects = names.flatMap((name) => [
      cluster(name, hosted),
      own(name, values),
      own(name, values, 'logs'),
    ]);
    const found = findingTexts('FW7130', [addOn('metrics'), addOn('logs'), ...objects]);
    expect(found).toHaveLength(2);
    expect(found[0]).toContain('until Git is applied again, and in the same way on 2 clusters more\n');
  });

  test('is safe on a cluster without such annotations, with others, and if it is installed manually', () => {
    const manual = { ...addOn('metrics'), spec: { installStrategy: { type: 'Manual' } } };
    expect(
      findingTexts('FW7130', [addOn('metrics'), cluster('c1', { note: 'x' }), own('c1', values)]),
    ).toEqual([]);
    expect(
      findingTexts('FW7130', [addOn('metrics'), cluster('c1', hosted), own('c1', { note: 'x' })]),
    ).toEqual([]);
    expect(findingTexts('FW7130', [manual, cluster('c1', hosted), own('c1', values)])).toEqual([]);
  });

  test('is not safe if the add-on has its own manager: the hub only reads the install strategy', () => {
    const self = addOn('metrics', ['pl'], { annotations: { [`${prefix}/lifecycle`]: 'self' } });
    expect(findingTexts('FW7130', [self, cluster('c1', hosted), own('c1', values)])).toHaveLength(1);
  });

  test('is safe on hubs that copy no annotations', () => {
    const objects = [addOn('metrics'), cluster('c1', hosted), own('c1', values)];
    const codes = (hub: HubVersionName): string[] => findings(objects, hub).map(({ code }) => code);
    expect(codes('1.3')).toContain('FW7130');
    expect(codes('1.2')).not.toContain('FW7130');
    expect(codes('1.1')).not.toContain('FW7130');
  });

  test('is reported as on its page', () => {
    const page = readFileSync(
      path.resolve(import.meta.dirname, '../../../docs/diagnostics/FW7130.md'),
      'utf8',
    );
    const [, example = '', printed = ''] = /^```yaml\n(.*?)^```$.*?^```\n(.*?)^```$/ms.exec(page) ?? [];
    const { diagnostics } = resolveText(`${JSON.stringify(addOn('metrics'))}\n---\n${example}`);
    const found = diagnostics.filter(({ code }) => code === 'FW7130');
    expect(diagnosticsAsText(found, { textOf: () => undefined }).split('\n')[0]).toBe(printed.trim());
  });
});

test.each([
  ['1.3', hosted],
  ['1.2', undefined],
  ['1.1', undefined],
] as const)(
  'a hub of OCM %s sets %j on a ManagedClusterAddOn that it creates from its cluster',
  (name, copied) => {
    const annotations = JSON.stringify({ ...hosted, note: 'x' });
    const fleet = fleetOf(clusters).replace('name: c1, ', `name: c1, annotations: ${annotations}, `);
    const { resolution } = resolveText(app, { fleet, hub: name });
    const objects = [...hubObjects(resolution, { hub: hubVersion(name), addOnApiVersion: 'v1alpha1' })];
    const made = objects.find(
      ({ kind, metadata }) => kind === 'ManagedClusterAddOn' && metadata.namespace === 'c1',
    );
    expect(made?.metadata).toMatchObject({ name: 'hello', namespace: 'c1' });
    expect(made?.metadata.annotations).toEqual(copied);
  },
);
