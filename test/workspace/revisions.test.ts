import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

/** An app of one revision of an immutable configuration, as constructs write it. */
function revision(hash: string, limit?: number): string {
  return `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata:
  name: settings-${hash}
  namespace: default
  annotations:
    fleetwright.dev/revision-of: settings${limit === undefined ? '' : `\n    fleetwright.dev/revision-history-limit: "${limit}"`}
spec:
  agentInstallNamespace: ""
  customizedVariables:
  - name: REVISION
    value: ${hash}
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

/** The hashes of the revisions in the output, sorted. */
async function hashesIn(folder: string): Promise<string[]> {
  const names = (await readdir(path.join(folder, 'dist/hello'))).sort();
  return names.flatMap((name) => /settings-(\w+)\.yaml$/.exec(name)?.[1] ?? []);
}

test('the last two earlier revisions of an immutable configuration are kept beside the current one', async () => {
  const folder = await appOf(revision('a'));
  expect(await synth(folder)).toBe('hello: 1 object, 0 add-ons, installed 0 times -> dist/hello\n');
  expect(await synth(folder, revision('b'))).toBe(
    'hello: 1 object and 1 earlier revision, 0 add-ons, installed 0 times -> dist/hello\n',
  );
  await synth(folder, revision('c'));
  expect(await hashesIn(folder)).toEqual(['a', 'b', 'c']);
  await synth(folder, revision('d'));
  expect(await hashesIn(folder)).toEqual(['b', 'c', 'd']);
  expect(await readFile(path.join(folder, 'dist/hello/kustomization.yaml'), 'utf8')).toContain(
    '- addondeploymentconfig_default_settings-b.yaml\n',
  );
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
  const ownership: unknown = JSON.parse(
    await readFile(path.join(folder, 'dist/hello/.fleetwright.json'), 'utf8'),
  );
  expect(ownership).toMatchObject({
    revisions: {
      'addondeploymentconfig_default_settings.yaml': [
        'addondeploymentconfig_default_settings-c.yaml',
        'addondeploymentconfig_default_settings-a.yaml',
        'addondeploymentconfig_default_settings-b.yaml',
      ],
    },
  });
});

test('an object may set the number of its revisions to keep', async () => {
  const folder = await appOf(revision('a', 0));
  await synth(folder);
  await synth(folder, revision('b', 1));
  await synth(folder, revision('c', 1));
  expect(await hashesIn(folder)).toEqual(['b', 'c']);
  // The one that was current leaves one change later, like any object that nothing names any more.
  await synth(folder, revision('d', 0));
  expect(await hashesIn(folder)).toEqual(['c', 'd']);
  await synth(folder, revision('e', 0));
  expect(await hashesIn(folder)).toEqual(['d', 'e']);
});

test('revisions are removed with the object, and a manually removed revision is not missed', async () => {
  const folder = await appOf(revision('a'));
  await synth(folder);
  await synth(folder, revision('b'));
  await rm(path.join(folder, 'dist/hello/addondeploymentconfig_default_settings-a.yaml'));
  await synth(folder, revision('c'));
  expect(await hashesIn(folder)).toEqual(['b', 'c']);
  await synth(folder, revision('d').replace(/ {2}annotations:\n.*\n/, ''));
  expect(await hashesIn(folder)).toEqual(['c', 'd']);
});
