import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fleetObjects, pagingHub } from '../../bench/paging-hub.ts';
import { folderWith, runIn } from './terminal.ts';

test('a fleet of many pages is read over one connection', async () => {
  const hub = await pagingHub(fleetObjects(1200, 1));
  const cwd = await folderWith({ kubeconfig: hub.kubeconfig });
  const { code, err } = await runIn(cwd, [
    'fleet',
    'pull',
    '--kubeconfig',
    'kubeconfig',
    '--out',
    'fleet.json',
  ]);
  const { connections, requests } = hub.counts();
  await hub.close();
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(connections).toBe(1);
  expect(requests).toBeGreaterThan(5);
  const { items } = JSON.parse(readFileSync(path.join(cwd, 'fleet.json'), 'utf8')) as { items: unknown[] };
  expect(items).toHaveLength(2400);
});

test('numbers that a double cannot represent keep their digits', async () => {
  const objects = new Map(fleetObjects(1, 0));
  const cluster = {
    metadata: { name: 'c1' },
    spec: { hubAcceptsClient: true },
    status: { capacity: { bytes: '@' } },
  };
  objects.set('managedclusters', [cluster]);
  const hub = await pagingHub(objects, (body) => body.replace('"@"', '9007199254740993'));
  const cwd = await folderWith({ kubeconfig: hub.kubeconfig });
  for (const out of ['fleet.json', 'fleet.yaml']) {
    await runIn(cwd, ['fleet', 'pull', '--kubeconfig', 'kubeconfig', '--out', out]);
    expect(readFileSync(path.join(cwd, out), 'utf8')).toMatch(/"?bytes"?: ?9007199254740993\b/);
  }
  await hub.close();
});
