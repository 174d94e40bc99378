import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { appsIn } from '../../src/workspace/inputs/app-names.ts';
import { promotedApps } from '../../src/workspace/inputs/promotion-files.ts';
import { folderWith } from '../cli/terminal.ts';

/** A user without rights. */
const nobody = 65_534;

/** Root may read everything, so it becomes another user meanwhile. */
function asNobody<T>(use: () => T): T {
  if (process.getuid?.() !== 0) return use();
  process.seteuid?.(nobody);
  try {
    return use();
  } finally {
    process.seteuid?.(0);
  }
}

async function workspace(): Promise<string> {
  const root = await folderWith({ 'apps/hello/hub.yaml': '', 'promotions/hello.yaml': '' });
  // The folder around it is that of all tests.
  if (process.getuid?.() === 0) for (const folder of [path.dirname(root), root]) chmodSync(folder, 0o755);
  return root;
}

const settings = { hubs: [] };

test('the apps of a folder that may be listed and not searched do not count as removed', async () => {
  const apps = path.join(await workspace(), 'apps');
  expect(asNobody(() => appsIn(apps))).toEqual(['hello']);
  chmodSync(apps, 0o444);
  expect(() => asNobody(() => appsIn(apps))).toThrow(`${apps}: permission denied`);
  chmodSync(apps, 0o755);
});

test('promotions that may not be read do not count as missing', async () => {
  const root = await workspace();
  expect(asNobody(() => promotedApps(root, settings))).toEqual(['hello']);
  chmodSync(path.join(root, 'promotions'), 0o000);
  expect(() => asNobody(() => promotedApps(root, settings))).toThrow('promotions: permission denied');
  chmodSync(path.join(root, 'promotions'), 0o755);
});
