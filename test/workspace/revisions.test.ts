import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

/** An app with one immutable configuration. */
function revision(value: string, limit?: number): string {
  return `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata:
  name: settings
  namespace: default
  annotations:
    fleetwright.dev/immutable: 'true'${limit === undefined ? '' : `\n    fleetwright.dev/revision-history-limit: "${limit}"`}
spec:
  agentInstallNamespace: ""
  customizedVariables:
  - name: REVISION
    value: ${value}
`;
}

async function appOf(text: string): Promise<string> {
  return await folderWith({ 'apps/hello/settings.yaml': text, 'apps/hello/fleet.yaml': fleetOf({ c1: {} }) });
}

async function synth(folder: string, text?: string): Promise<string> {
  if (text !== undefined) await writeFile(path.join(folder, 'apps/hello/settings.yaml'), text);
  const { code, out, err } = await runIn(folder, ['synth']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

const file = /^addondeploymentconfig_default_settings-\w+\.yaml$/;

/** The value of a revision in the output. */
async function valueOf(folder: string, name: string): Promise<string> {
  const text = await readFile(path.join(folder, 'dist/hello', name), 'utf8');
  return /value: (\w+)/.exec(text)?.[1] ?? '';
}

/** The values of the revisions in the output, sorted. */
async function valuesIn(folder: string): Promise<string[]> {
  const names = (await readdir(path.join(folder, 'dist/hello'))).filter((name) => file.test(name));
  return (await Promise.all(names.map((name) => valueOf(folder, name)))).sort();
}

/** The values of the revisions in the order in which the list of the files has them. */
async function listedIn(folder: string): Promise<string[]> {
  const text = await readFile(path.join(folder, 'dist/hello/.fleetwright.json'), 'utf8');
  const { revisions } = JSON.parse(text) as { readonly revisions: Readonly<Record<string, string[]>> };
  const files = revisions['addondeploymentconfig_default_settings.yaml'] ?? [];
  return await Promise.all(files.map((name) => valueOf(folder, name)));
}

test('ten earlier revisions of an immutable configuration are kept beside the current one', async () => {
  const folder = await appOf(revision('a'));
  expect(await synth(folder)).toBe('hello: 1 object, 0 add-ons, installed 0 times -> dist/hello\n');
  expect(await synth(folder, revision('b'))).toBe(
    'hello: 1 object and 1 earlier revision, 0 add-ons, installed 0 times -> dist/hello\n',
  );
  for (const value of 'cdefghijk'.split('')) await synth(folder, revision(value));
  expect(await valuesIn(folder)).toEqual('abcdefghijk'.split(''));
  await synth(folder, revision('l'));
  expect(await valuesIn(folder)).toEqual('bcdefghijkl'.split(''));
});

test('a second synth changes nothing, and --check agrees', async () => {
  const folder = await appOf(revision('a'));
  await synth(folder);
  await synth(folder, revision('b'));
  expect(await synth(folder)).toContain(' (unchanged)\n');
  const { code, out } = await runIn(folder, ['synth', '--check']);
  expect({ code, out }).toEqual({
    code: 0,
    out: 'hello: 1 object and 1 earlier revision, 0 add-ons, installed 0 times, as in dist/hello\n',
  });
});

test('going back to an earlier revision makes it the current one', async () => {
  const folder = await appOf(revision('a'));
  for (const text of [undefined, revision('b'), revision('a'), revision('c')]) await synth(folder, text);
  expect(await listedIn(folder)).toEqual(['c', 'a', 'b']);
});

test('an object may set the number of its revisions to keep', async () => {
  const folder = await appOf(revision('a', 0));
  await synth(folder);
  await synth(folder, revision('b', 1));
  await synth(folder, revision('c', 1));
  expect(await valuesIn(folder)).toEqual(['b', 'c']);
  // The limit never drops the revision that this change replaces.
  await synth(folder, revision('d', 0));
  expect(await valuesIn(folder)).toEqual(['c', 'd']);
  await synth(folder, revision('e', 0));
  expect(await valuesIn(folder)).toEqual(['d', 'e']);
});

test('revisions stay without the object, and a revision that is missing is not listed', async () => {
  const folder = await appOf(revision('a'));
  await synth(folder);
  await synth(folder, revision('b'));
  const names = await readdir(path.join(folder, 'dist/hello'));
  for (const name of names.filter((each) => file.test(each)))
    if ((await valueOf(folder, name)) === 'a') await rm(path.join(folder, 'dist/hello', name));
  await synth(folder, revision('c'));
  expect(await valuesIn(folder)).toEqual(['b', 'c']);
  await synth(
    folder,
    revision('d')
      .replace(/ {2}annotations:\n.*\n/, '')
      .replace('settings', 'other'),
  );
  expect(await valuesIn(folder)).toEqual(['b', 'c']);
});
