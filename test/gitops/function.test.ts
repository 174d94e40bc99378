import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { goJson } from '../../src/base/json/go-json.ts';

const root = path.resolve(import.meta.dirname, '../..');
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-function-')));
  cpSync(path.join(root, 'dist/helloworld'), path.join(folder, 'base'), { recursive: true });
  cpSync(path.join(root, 'fleet.yaml'), path.join(folder, 'fleet.yaml'));
  cpSync(path.join(root, 'build/fleetwright.mjs'), path.join(folder, 'fleetwright.mjs'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What kustomize builds of the base with the function. Under `validators` it refuses even `cat`. */
function built(spec: string): { readonly code: number | null; readonly out: string; readonly err: string } {
  const file = path.join(folder, 'function.yaml');
  writeFileSync(
    file,
    `apiVersion: fleetwright.dev/v1alpha1
kind: Fleetwright
metadata:
  name: fleetwright
  annotations:
    config.kubernetes.io/function: |
      exec: { path: ./fleetwright.mjs, args: [machine, function] }
spec: ${spec}
`,
  );
  writeFileSync(
    path.join(folder, 'kustomization.yaml'),
    `resources: [base]\ntransformers: [function.yaml]\n`,
  );
  const options = ['--enable-alpha-plugins', '--enable-exec', '--load-restrictor', 'LoadRestrictionsNone'];
  const { status, stdout, stderr } = spawnSync(
    path.join(inject('tools'), 'kustomize'),
    ['build', folder, ...options],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  return { code: status, out: stdout, err: stderr };
}

const objectsOf = (text: string): readonly string[] =>
  parseAllDocuments(text)
    .map((document) => goJson(document.toJS()))
    .sort();

describe('with kustomize, the KRM function', () => {
  test('validates what is built, and leaves it as it is', () => {
    const { code, out, err } = built('{ fleet: [fleet.yaml] }');
    expect({ code, err }).toMatchObject({ code: 0 });
    const plain = execFileSync(
      path.join(inject('tools'), 'kustomize'),
      ['build', path.join(folder, 'base')],
      {
        encoding: 'utf8',
      },
    );
    expect(objectsOf(out)).toEqual(objectsOf(plain));
  });

  test('stops the build where something is wrong', () => {
    const { code, out, err } = built('{ hubVersion: "1.3", mode: nonsense }');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('mode of the functionConfig is "nonsense"');
    const placement = path.join(folder, 'base', 'broken_placement.yaml');
    writeFileSync(
      placement,
      'apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\nmetadata: { name: a, namespace: b }\nspec: { numberOfClusters: many }\n',
    );
    const listed = path.join(folder, 'base/kustomization.yaml');
    const before = readFileSync(listed, 'utf8');
    writeFileSync(listed, `${before}- broken_placement.yaml\n`);
    const broken = built('{}');
    writeFileSync(listed, before);
    rmSync(placement);
    expect({ code: broken.code, out: broken.out }).toEqual({ code: 1, out: '' });
    expect(broken.err).toContain('numberOfClusters must be an integer');
  });

  test('gives as a transformer what synth gives', () => {
    const { code, out } = built('{ mode: synth, fleet: [fleet.yaml], engine: argocd }');
    expect(code).toBe(0);
    const files = readdirSync(path.join(folder, 'base')).filter((name) => name.includes('_'));
    const emitted = files.map((name) => goJson(parse(readFileSync(path.join(folder, 'base', name), 'utf8'))));
    expect(objectsOf(out)).toEqual(emitted.sort());
  });
});

describe('an OCI artifact', () => {
  test('is whole to the tools of registries, and holds every file of the tree', () => {
    const to = path.join(folder, 'artifact');
    mkdirSync(to);
    const command = path.join(root, 'build/cli/main.js');
    const output = execFileSync(
      process.execPath,
      [command, 'machine', 'oci', 'dist', '--to', to, '--tag', 'v1'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    const read = execFileSync(path.join(inject('tools'), 'artifact'), [to], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const [artifact, ...others] = JSON.parse(read) as readonly {
      digest: string;
      config: string;
      layers: readonly string[];
      files: Readonly<Record<string, string>>;
    }[];
    expect(others).toEqual([]);
    expect(artifact).toMatchObject({
      config: 'application/vnd.cncf.flux.config.v1+json',
      layers: ['application/vnd.cncf.flux.content.v1.tar+gzip'],
    });
    expect(output).toContain(`v1@${artifact?.digest ?? ''}\n`);
    const dist = path.join(root, 'dist');
    const names = readdirSync(dist, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name)));
    expect(artifact?.files).toEqual(
      Object.fromEntries(names.map((name) => [name, readFileSync(path.join(dist, name), 'utf8')])),
    );
  });
});
