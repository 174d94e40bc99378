import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type FrameLocator, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GitRepository } from '../e2e/repository.ts';
import { CodeServer } from './code-server.ts';

// A repository is opened in Visual Studio Code, and the typo in it is found, explained and mended, while the panel shows the plan.

const root = path.resolve(import.meta.dirname, '../..');
const typo = 'prodution';
/** The folder for pictures of the documentation: `SCREENSHOTS=docs/images npm run test:vscode`. */
const screenshots = process.env['SCREENSHOTS'];

let folder: string;
let server: CodeServer;
let browser: Browser;
let page: Page;
const repository = new GitRepository();

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-vscode-'));
  repository.commit('an app', {
    'fleetwright.yaml': '{}\n',
    'fleet.yaml': ['c1', 'c2', 'c3'].map(clusterNamed).join('---\n'),
    'apps/agent/objects.yaml': objects('production'),
  });
  repository.write({ 'apps/agent/objects.yaml': objects(typo) });
  server = await CodeServer.start(folder, {
    'fleetwright.path': path.join(root, 'build/fleetwright.mjs'),
    'workbench.startupEditor': 'none',
    'editor.hover.delay': 100,
    'git.enabled': false,
    // it reports ports of other programs
    'remote.autoForwardPorts': false,
  });
  const isRoot = process.getuid?.() === 0;
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    chromiumSandbox: !isRoot,
  });
  page = await browser.newPage({ viewport: { width: 1280, height: 680 } });
  page.setDefaultTimeout(90_000);
  await page.goto(server.addressOf(repository.root));
  await page.locator('.monaco-workbench').waitFor();
  await openFile('apps', 'objects.yaml');
});

afterAll(async () => {
  await browser.close();
  await server.stop();
  repository.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('a typo is underlined, with what is wrong and what was probably meant', async () => {
  await page.locator('.squiggly-error').first().waitFor();
  const text = await hoverOver(typo);
  expect(text).toContain(`Placement "agents/${typo}" does not exist`);
  expect(text).toContain('did you mean "agents/production"?');
  expect(text).toContain('FW7003');
  await page.getByText('Checking for quick fixes').waitFor({ state: 'detached' });
  await takePicture('finding');
});

test('the panel shows what the edit does to the fleet', async () => {
  await command('Fleetwright: Show plan');
  await planFrame().getByText('uninstalled').first().waitFor();
  expect(await planFrame().locator('body').innerText()).toContain('c1');
});

test('the fix replaces the typo, the finding goes, and the plan is empty again', async () => {
  await inEditor(typo).click();
  await page.keyboard.press('Control+.');
  await page.getByText(`Replace ${typo} with production`).waitFor();
  await takePicture('fix');
  await page.keyboard.press('Enter');
  await page.locator('.squiggly-error').waitFor({ state: 'detached' });
  await expect.poll(async () => await inEditor(typo).count()).toBe(0);
  await planFrame().getByText('nothing changes on 3 clusters').first().waitFor();
});

test('above an object is what it means for the fleet, and a hover says it in full', async () => {
  await page.getByText('selects 3 of 3 clusters').first().waitFor();
  await page.getByText('installed on 3 clusters').first().waitFor();
  expect(await hoverOver('production')).toMatch(/^Placement agents\/production\s+selects 3 of 3 clusters/);
  await takePicture('hover');
});

async function takePicture(name: string): Promise<void> {
  if (screenshots !== undefined)
    await page.screenshot({ path: path.join(root, screenshots, `vscode-${name}.png`) });
}

/** Opens a file in the explorer. Its name cannot be searched, because that needs ripgrep. */
async function openFile(...names: readonly string[]): Promise<void> {
  for (const name of names)
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().click();
  await page.locator('.monaco-editor .view-line').first().waitFor();
}

/** The first place of a word in the editor. */
function inEditor(word: string): Locator {
  return page.locator('.view-lines').getByText(word).first();
}

/** Returns what the editor shows for a word under the pointer. */
async function hoverOver(word: string): Promise<string> {
  await inEditor(word).hover();
  const hover = page.locator('.monaco-hover:visible .monaco-hover-content').first();
  await hover.waitFor();
  // spaces are shown as ones at which no line breaks
  return (await hover.innerText()).replaceAll('\u00a0', ' ');
}

/** Runs a command by its title. */
async function command(title: string): Promise<void> {
  await page.keyboard.press('F1');
  await page.keyboard.type(title);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
}

/** The page in the panel: the editor puts it into a frame in a frame. */
function planFrame(): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
}

function clusterNamed(name: string): string {
  return `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name} }
spec: { hubAcceptsClient: true }
status: { conditions: [{ type: ManagedClusterConditionAvailable, status: "True", reason: A, message: a, lastTransitionTime: "2026-01-01T00:00:00Z" }] }
`;
}

function objects(placement: string): string {
  return `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: agents }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: production, namespace: agents }
spec: {}
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: agent }
spec:
  installStrategy:
    type: Placements
    placements:
      - name: ${placement}
        namespace: agents
`;
}
