import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { gzip } from '../../src/cli/commands/machine/oci/gzip.ts';
import { tar } from '../../src/workspace/output/tar.ts';
import { folderWith, runIn } from './terminal.ts';

const files = {
  'dist/hello/placement_default_prod.yaml': 'kind: Placement\n',
  'dist/hello/kustomization.yaml': 'resources: []\n',
  'dist/kustomization.yaml': 'resources: [hello]\n',
  'dist/.stages/configs/kustomization.yaml': 'resources: [../../hello/configs]\n',
  'dist/.stages/.fleetwright.json': '{}',
  'dist/hello/.fleetwright.json': '{}',
};

const prefixed = (prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [prefix + name, text]));

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: object;
}

const read = (cwd: string, name: string): Buffer => readFileSync(path.join(cwd, 'artifact', name));
const json = (cwd: string, name: string): unknown => JSON.parse(read(cwd, name).toString());

/** A blob, once it is known to be what its descriptor says. */
function blob(cwd: string, { digest, size }: Descriptor): Buffer {
  const content = read(cwd, `blobs/${digest.replace(':', '/')}`);
  expect(content).toHaveLength(size);
  expect(`sha256:${createHash('sha256').update(content).digest('hex')}`).toBe(digest);
  return content;
}

describe('an artifact', () => {
  test('is an image layout with the types of Flux, and contains the files', async () => {
    const cwd = await folderWith(files);
    const { code, out, err } = await runIn(cwd, [
      'machine',
      'oci',
      '--to=artifact',
      '--tag=v1',
      '--source=https://git.example.com/add-ons.git',
      '--revision=main@sha1:abc',
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(json(cwd, 'oci-layout')).toEqual({ imageLayoutVersion: '1.0.0' });
    const { manifests } = json(cwd, 'index.json') as { manifests: readonly Descriptor[] };
    const [found] = manifests;
    if (found === undefined) throw new Error('the index names a manifest');
    expect(out).toBe(`4 files of dist -> artifact, v1@${found.digest}\n`);
    expect(found).toMatchObject({
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      annotations: { 'org.opencontainers.image.ref.name': 'v1' },
    });
    const manifest = JSON.parse(blob(cwd, found).toString()) as {
      config: Descriptor;
      layers: readonly [Descriptor];
      annotations: object;
    };
    expect(manifest.config.mediaType).toBe('application/vnd.cncf.flux.config.v1+json');
    expect(manifest.annotations).toEqual({
      'org.opencontainers.image.revision': 'main@sha1:abc',
      'org.opencontainers.image.source': 'https://git.example.com/add-ons.git',
    });
    const [layer] = manifest.layers;
    expect(layer.mediaType).toBe('application/vnd.cncf.flux.content.v1.tar+gzip');
    const archive = gunzipSync(blob(cwd, layer));
    const config = JSON.parse(blob(cwd, manifest.config).toString()) as { rootfs: { diff_ids: string[] } };
    expect(config.rootfs.diff_ids).toEqual([`sha256:${createHash('sha256').update(archive).digest('hex')}`]);
    expect(execFileSync('tar', ['-t'], { input: archive, encoding: 'utf8' })).toBe(
      '.stages/configs/kustomization.yaml\nhello/kustomization.yaml\nhello/placement_default_prod.yaml\nkustomization.yaml\n',
    );
    const [inner] = ['hello/placement_default_prod.yaml'];
    expect(execFileSync('tar', ['-xO', inner ?? ''], { input: archive, encoding: 'utf8' })).toBe(
      'kind: Placement\n',
    );
  });

  test('has the same bytes wherever and whenever it is made', async () => {
    const [one, other] = [await folderWith(files), await folderWith(files)];
    for (const cwd of [one, other]) await runIn(cwd, ['machine', 'oci', '--to', 'artifact']);
    const blobs = (cwd: string): readonly string[] =>
      readdirSync(path.join(cwd, 'artifact/blobs/sha256')).sort();
    expect(blobs(one)).toEqual(blobs(other));
    expect(blobs(one)).toMatchInlineSnapshot(`
      [
        "9406a5fedbec5d230e401398a882cab9cba6e765bbcb181553ea79135e5c15b6",
        "c9b295730fc0147875538850da3f1c40f3610f167225f19abeb216c2cdafe721",
        "e8c1d1fa91871e37388e95848c7f15f5e570961a11ade8d1bda7094d033176e5",
      ]
    `);
  });

  test.each([
    ['the folder', 'dist', 'dist leads outside of the repository through a symbolic link'],
    ['a folder in it', 'dist/more', 'dist/more is not a file'],
    ['a file in it', 'dist/hello/more.yaml', 'dist/hello/more.yaml is not a file'],
  ])('is not made if %s is a link: FW9044', async (_, link, problem) => {
    const folder = await folderWith({ ...prefixed('work/'), 'outside/secret.yaml': 'password: hunter2\n' });
    const cwd = path.join(folder, 'work');
    execFileSync('git', ['init', '--quiet'], { cwd });
    if (link === 'dist') rmSync(path.join(cwd, link), { recursive: true });
    symlinkSync(path.join(folder, 'outside'), path.join(cwd, link));
    const { code, out, err } = await runIn(cwd, ['machine', 'oci', '--to', 'artifact']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`error FW9044: ${problem}, and an artifact contains only files of its folder\n`);
    expect(existsSync(path.join(cwd, 'artifact'))).toBe(false);
  });

  test('is not written over another one, nor from nothing', async () => {
    const cwd = await folderWith(files);
    await runIn(cwd, ['machine', 'oci', '--to', 'artifact']);
    expect(await runIn(cwd, ['machine', 'oci', '--to', 'artifact'])).toMatchObject({
      code: 2,
      err: 'fleetwright: artifact/oci-layout already exists\n  use another folder, or remove it\n',
    });
    expect(await runIn(cwd, ['machine', 'oci', 'nowhere', '--to', 'b'])).toMatchObject({
      code: 2,
      err: 'fleetwright: nowhere: no such folder\n  run synth first\n',
    });
  });
});

describe('the formats', () => {
  test.each([0, 1, 65_534, 65_535, 65_536, 200_000])('gzip of %i bytes is lossless', (length) => {
    const content = Buffer.alloc(length, 'fleet');
    expect(gunzipSync(gzip(content)).equals(content)).toBe(true);
  });

  test.each([99, 100, 101, 152, 950, 999, 1000])('tar stores a name of %i characters', (length) => {
    const long = `folder/${'a'.repeat(length - 12)}.yaml`;
    const archive = tar(
      new Map([
        [long, Buffer.from('x')],
        ['z', Buffer.from('y')],
      ]),
    );
    expect(execFileSync('tar', ['-t'], { input: archive, encoding: 'utf8' })).toBe(`${long}\nz\n`);
    expect(execFileSync('tar', ['-xO'], { input: archive, encoding: 'utf8' })).toBe('xy');
  });
});
