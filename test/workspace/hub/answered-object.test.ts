import { expect, test } from 'vitest';
import { clusterResource } from '../../../src/client/resource.ts';
import { answeredObject } from '../../../src/client/answered-object.ts';
import { serve } from '../../cli/api-server.ts';
import { folderWith, runIn } from '../../cli/terminal.ts';

const clusters = clusterResource(
  'cluster.open-cluster-management.io/v1',
  'ManagedCluster',
  'managedclusters',
);

test('an object with a field of another type is refused: FW9043', async () => {
  const items = [{ metadata: { name: 'c1' }, status: { conditions: {} } }];
  const server = await serve(() => ({ status: 200, body: { kind: 'List', items } }));
  const cwd = await folderWith({ kubeconfig: server.kubeconfig });
  const { code, out, err } = await runIn(cwd, ['fleet', 'pull', '--kubeconfig', 'kubeconfig']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err.replace(server.url, 'HUB')).toBe(
    'error FW9043: HUB returned ManagedCluster "c1", in which status.conditions must be a list\n  = hint: is that an API server with the CustomResourceDefinitions of OCM? A proxy may answer in its place\n\n1 error\n',
  );
});

test('a field that is null counts as missing, and an object that is valid stays as it is', () => {
  const { apiVersion, kind } = clusters;
  const object = { apiVersion, kind, metadata: { name: 'c1', labels: { a: 'b' } }, spec: { taints: [] } };
  expect(answeredObject(object, clusters)).toEqual({ object });
  const nulls = { ...object, metadata: { name: 'c1', labels: null }, spec: null } as unknown as typeof object;
  expect(answeredObject(nulls, clusters)).toEqual({ object: { apiVersion, kind, metadata: { name: 'c1' } } });
});
