import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { run } from '../../../src/cli/run.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { parseObjects } from '../record/scenario.ts';

/** What `synth` writes for an app of plain YAML, in the order in which it is applied. @param app - YAML, or objects */
export async function synthesized(
  app: string | readonly object[],
  fleet: string | readonly object[],
): Promise<readonly KubernetesObject[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-path-'));
  try {
    await mkdir(path.join(folder, 'apps/hello'), { recursive: true });
    writeFileSync(path.join(folder, 'apps/hello/app.yaml'), yamlOf(app));
    writeFileSync(path.join(folder, 'apps/hello/fleet.yaml'), yamlOf(fleet));
    let output = '';
    const print = (text: string): void => {
      output += text;
    };
    const code = await run(['synth'], {
      cwd: folder,
      now: () => Date.now(),
      readInput: () => Promise.resolve(new Uint8Array()),
      out: print,
      err: print,
      color: false,
    });
    if (code !== 0) throw new Error(output);
    return listedIn(path.join(folder, 'dist/hello'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function yamlOf(written: string | readonly object[]): string {
  return typeof written === 'string'
    ? written
    : written.map((object) => JSON.stringify(object)).join('\n---\n');
}

function listedIn(folder: string): readonly KubernetesObject[] {
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const { resources } = parse(read('kustomization.yaml')) as { readonly resources: readonly string[] };
  return resources.flatMap((name) =>
    name.endsWith('.yaml') ? parseObjects(read(name)) : listedIn(path.join(folder, name)),
  );
}
