import { expect, test } from 'vitest';
import { folderWith, runIn } from './terminal.ts';

const config = (version: string): string => `apiVersion: addon.open-cluster-management.io/${version}
kind: AddOnDeploymentConfig
metadata: { name: a, namespace: ns }
spec: { customizedVariables: [{ name: A, value: b }] }
`;

test('validate reports versions that a release does not serve', async () => {
  const folder = await folderWith({ 'a.yaml': config('v1beta1'), 'b.yaml': config('v1alpha1') });
  const old = await runIn(folder, ['validate', 'a.yaml', '--hub-version', '1.1']);
  expect(old.code).toBe(1);
  expect(old.err).toContain(
    'error FW2003: OCM 1.1 does not serve AddOnDeploymentConfig in "addon.open-cluster-management.io/v1beta1"\n --> a.yaml:1:1\n',
  );
  expect(old.out).toContain('the API server accepts 0 of 1 object');
  for (const release of ['1.2', '1.3'])
    expect((await runIn(folder, ['validate', 'a.yaml', '--hub-version', release])).code).toBe(0);
  expect((await runIn(folder, ['validate', 'b.yaml', '--hub-version', '1.1'])).code).toBe(0);
});

test('plan of two folders reads the fleet of the current folder', async () => {
  const folder = await folderWith({
    'before/a.yaml': config('v1alpha1'),
    'after/a.yaml': config('v1alpha1'),
    'fleet.yaml':
      'apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: { name: c1 }\n',
  });
  const { code, out, err } = await runIn(folder, ['plan', 'before', 'after', '--fleet', 'fleet.yaml']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^plan: nothing changes on 1 cluster\n/);
});
