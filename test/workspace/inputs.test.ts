import { constants } from 'node:buffer';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { InputReader } from '../../src/workspace/inputs/input-reader.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

const config = (name: string): string => `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: default }
`;
const valid = (count: string): object => ({ code: 0, out: `${count} valid\n`, err: '' });

test('a folder that is linked into itself is read once, by either name', async () => {
  const folder = await folderWith({ 'in/a.yaml': config('a'), 'in/below/b.yaml': config('b') });
  await symlink('..', path.join(folder, 'in/below/up'));
  await symlink('below', path.join(folder, 'in/again'));
  expect(await runIn(folder, ['validate', 'in'])).toEqual(valid('2 of 2 objects are'));
});

test('a broken link to a manifest is reported, other broken links are ignored', async () => {
  const folder = await folderWith({ 'in/a.yaml': config('a') });
  await symlink('nowhere', path.join(folder, 'in/notes'));
  expect(await runIn(folder, ['validate', 'in'])).toEqual(valid('1 of 1 object is'));
  await symlink('nowhere', path.join(folder, 'in/b.yaml'));
  expect(await runIn(folder, ['validate', 'in'])).toEqual({
    code: 2,
    out: '',
    err: 'fleetwright: in/b.yaml: no such file or folder\n',
  });
});

test('an entry that is not a file is skipped, whatever its name', async () => {
  const folder = await folderWith({ 'in/a.yaml': config('a') });
  const server = createServer().listen(path.join(folder, 'in/socket.yaml'));
  await once(server, 'listening');
  expect(await runIn(folder, ['validate', 'in'])).toEqual(valid('1 of 1 object is'));
  server.close();
});

test('a file that is named twice is read once', async () => {
  const folder = await folderWith({ 'in/a.yaml': config('a') });
  expect(await runIn(folder, ['validate', 'in', './in/a.yaml'])).toEqual(valid('1 of 1 object is'));
});

test('a file that is larger than a string can be is refused, with what to do', () => {
  const reader = new InputReader('.');
  // Nothing writes to these bytes, so they take no memory.
  const bytes = new Uint8Array(constants.MAX_STRING_LENGTH + 1);

  expect(() => reader.decode('fleet.json', bytes, 'fleet')).toThrow(
    expect.objectContaining({
      message: 'fleet.json: the file has 512 MiB, and a file may have at most 511 MiB',
      hint: 'write its objects into several files: a fleet snapshot may be a folder',
    }),
  );
  expect(reader.texts).toEqual([]);
});

test('a fleet snapshot in several files of a folder is one fleet', async () => {
  const cluster = (name: string): object => ({
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, labels: { 'cluster.open-cluster-management.io/clusterset': 'default' } },
    spec: { hubAcceptsClient: true },
  });
  const clusterSet = {
    apiVersion: 'cluster.open-cluster-management.io/v1beta2',
    kind: 'ManagedClusterSet',
    metadata: { name: 'default' },
    spec: { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } },
  };
  const list = (...items: object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const folder = await folderWith({
    'in/binding.yaml': `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: default, namespace: ocm }
spec: { clusterSet: default }
`,
    'in/placement.yaml': `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: ocm }
spec: { tolerations: [{ operator: Exists }] }
`,
    'one.json': list(clusterSet, cluster('c1'), cluster('c2')),
    'several/1.json': list(clusterSet, cluster('c1')),
    'several/2.json': list(cluster('c2')),
  });

  const whole = await runIn(folder, ['resolve', 'in', '--fleet', 'one.json', '-o', 'json']);

  expect(whole).toMatchObject({ code: 0, out: expect.stringContaining('"c2"') });
  expect(await runIn(folder, ['resolve', 'in', '--fleet', 'several', '-o', 'json'])).toEqual(whole);
});

test('a folder with nothing to read is a slip', async () => {
  const folder = await folderWith({ 'in/notes.txt': 'none', 'hub.yaml': config('a') });
  const slip = {
    code: 2,
    out: '',
    err: 'fleetwright: in: no YAML, JSON or app in this folder\n',
  };
  expect(await runIn(folder, ['validate', 'in'])).toEqual(slip);
  expect(await runIn(folder, ['resolve', 'hub.yaml', '--fleet', 'in'])).toEqual(slip);
});

test('a folder beside the apps may contain shared code', async () => {
  const folder = await folderWith({ 'apps/one/a.yaml': config('a'), 'apps/shared/notes.md': 'none' });
  expect((await runIn(folder, ['synth'])).code).toBe(0);
  expect(await runIn(folder, ['synth', '--check'])).toMatchObject({ code: 0, err: '' });
});

test('no input produces an empty List, and no rollout', async () => {
  const folder = await folderWith({});
  expect(await runIn(folder, ['resolve', '-'])).toEqual({
    code: 0,
    out: 'apiVersion: v1\nkind: List\nitems: []\n',
    err: '',
  });
  expect((await runIn(folder, ['rollout', '-'])).out).toBe('no add-on is rolled out\n');
});

test('standard input is UTF-8, as files are', async () => {
  const folder = await folderWith({});
  const { code, out, err } = await runIn(
    folder,
    ['validate', '-'],
    Buffer.from(config('caf\u00e9'), 'latin1'),
  );
  expect({ code, out }).toEqual({ code: 1, out: '1 error; the API server accepts 0 of 0 objects\n' });
  expect(err).toContain('error FW1013: the text is not UTF-8 from here on\n --> <stdin>:3:22\n');
});
