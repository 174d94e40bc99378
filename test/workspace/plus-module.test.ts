import { expect, test } from 'vitest';
import { plusModuleOf } from '../../src/workspace/inputs/plus-module.ts';
import { folderWith } from '../cli/terminal.ts';

test('the newest cdk8s-plus of package.json counts', async () => {
  const dependencies = { 'cdk8s-plus-33': '2.0.0', 'cdk8s-plus-34': '2.0.0' };
  const folder = await folderWith({ 'package.json': JSON.stringify({ dependencies }) });
  const { name, load } = await plusModuleOf(folder);
  expect(name).toBe('cdk8s-plus-34');
  await expect(load()).rejects.toThrow('package.json lists cdk8s-plus-34, which is not installed');
});

test('without one, it is that of Fleetwright', async () => {
  const { name, load } = await plusModuleOf(await folderWith({}));
  expect(name).toBe('cdk8s-plus-27');
  expect(Object.keys(await load())).toContain('Deployment');
});
