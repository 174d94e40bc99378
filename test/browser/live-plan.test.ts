import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commitAll } from '../cli/editor/editor.ts';
import { folderWith } from '../cli/terminal.ts';
import { startIn } from '../cli/watching.ts';
import { ReportBrowser } from './browser.ts';

let browser: ReportBrowser;

beforeAll(async () => {
  browser = await ReportBrowser.start();
});

afterAll(async () => {
  await browser.stop();
});

const cluster = (name: string, env: string): string => `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}, labels: { env: ${env} } }
spec: { hubAcceptsClient: true }
status: { conditions: [{ type: ManagedClusterConditionAvailable, status: "True", reason: A, message: a, lastTransitionTime: "2026-01-01T00:00:00Z" }] }
`;
const app = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: agents }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: some, namespace: agents }
spec: { predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: prod } } } }] }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: agent }
spec: { installStrategy: { type: Placements, placements: [{ name: some, namespace: agents }] } }
`;

test('the served page follows edits, keeps the filters of the reader, and shows if the connection is lost', async () => {
  const folder = await folderWith({
    'fleetwright.yaml': 'engine: none\n',
    'fleet.yaml': [cluster('c1', 'prod'), cluster('c2', 'prod'), cluster('c3', 'dev')].join('---\n'),
    'apps/agent/objects.yaml': app,
  });
  commitAll(folder);
  const edit = (from: string, to: string): void => {
    const file = path.join(folder, 'apps/agent/objects.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  };
  const { child, printed } = startIn(folder, ['plan', 'HEAD', '--serve']);
  await expect.poll(printed).toMatch(/^http:\S+\n/m);
  const { page, complaints } = await browser.visit(/http:\S+/.exec(printed())?.[0] ?? '');
  const connection = page.locator('#connection');
  await page.getByText('nothing changes on 3 clusters').waitFor();
  await expect.poll(async () => await connection.textContent()).toBe('live');

  edit('env: prod', 'env: dev');
  await page.getByRole('gridcell').first().waitFor();
  expect(await page.getByRole('rowheader').allTextContents()).toEqual(['c1', 'c2', 'c3']);
  expect(await page.title()).toBe('Plan: HEAD to the working tree');

  await page.getByRole('searchbox').fill('c2');
  await page.getByRole('radio', { name: 'uninstalled' }).check();
  edit('env: dev', 'env: none');
  await page.getByText('2 uninstalled, 0 unchanged').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('c2');
  expect(await page.getByRole('radio', { name: 'uninstalled' }).isChecked()).toBe(true);
  expect(await page.getByRole('rowheader').allTextContents()).toEqual(['c2']);

  edit('kind: Placement\n', 'kind: Placemen\n');
  await page.getByText('The plan below is that of an earlier state').waitFor();
  expect(await page.locator('#errors').textContent()).toContain('has no kind "Placemen"');
  edit('kind: Placemen\n', 'kind: Placement\n');
  await page.locator('#errors').waitFor({ state: 'detached' });
  await expect.poll(async () => await connection.textContent()).toBe('live');
  expect(complaints).toEqual([]);

  child.kill('SIGKILL');
  await expect
    .poll(async () => await connection.textContent())
    .toMatch(/^disconnected: this plan may be out of date/);
});
