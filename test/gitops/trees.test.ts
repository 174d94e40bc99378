import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { engines } from '../../src/compiler/emit/engine.ts';
import { kustomizationFile } from '../../src/compiler/emit/kustomization.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { apps, byIdentity, emitted, parseObjects, root, synthesize } from './emitted-objects.ts';

function tool(name: string): string {
  return path.join(inject('tools'), name);
}

/** What `kustomize build` makes of a folder, by what kustomize takes for the identity of an object. */
function built(folder: string): Map<string, KubernetesObject> {
  const text = execFileSync(tool('kustomize'), ['build', folder], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return byIdentity(parseObjects(text));
}

describe.each(engines)('for %s', (engine) => {
  let out: string;
  beforeAll(async () => {
    out = mkdtempSync(path.join(tmpdir(), 'fleetwright-'));
    await synthesize(out, engine);
  });
  afterAll(() => rmSync(out, { recursive: true }));

  test.each(apps)('kustomize builds of every folder of %s the objects that are in it', (app) => {
    const folders = readdirSync(path.join(out, app), { recursive: true, encoding: 'utf8' })
      .filter((name) => path.basename(name) === kustomizationFile)
      .map((name) => path.join(out, app, path.dirname(name)));
    expect(folders.length).toBeGreaterThan(engine === 'flux' ? 3 : 0);
    for (const folder of folders) {
      const objects = byIdentity(emitted(folder));
      expect(built(folder)).toEqual(objects);
    }
  });

  test('kustomize builds the objects of all apps from the folder above them', () => {
    expect(built(out)).toEqual(byIdentity(emitted(out)));
  });

  test('kubeconform finds every object of a kind of OCM valid by our schemas', () => {
    const schemas = path.join(root, 'schemas/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json');
    const options = ['-strict', '-summary', '-output', 'json', '-schema-location', schemas];
    // The schemas of Kubernetes' own kinds would come over the network.
    const input = execFileSync(tool('kustomize'), ['build', out]);
    const { stdout } = spawnSync(tool('kubeconform'), [...options, '-ignore-missing-schemas'], {
      input,
      encoding: 'utf8',
    });
    // Others have OCM's group too, such as SubmarinerConfig, without being OCM's own.
    const known = emitted(out).filter(({ apiVersion, kind }) =>
      existsSync(
        path.join(
          root,
          'schemas',
          `${path.dirname(apiVersion)}/${kind.toLowerCase()}_${path.basename(apiVersion)}.json`,
        ),
      ),
    );
    expect(known.length).toBeGreaterThan(50);
    const { resources, summary } = JSON.parse(stdout) as {
      resources: unknown;
      summary: Record<string, number>;
    };
    expect(resources).toEqual([]);
    expect(summary).toMatchObject({ valid: known.length, invalid: 0, errors: 0 });
  });
});
