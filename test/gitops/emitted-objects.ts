import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { run } from '../../src/cli/run.ts';
import type { Engine } from '../../src/compiler/emit/engine.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';

export const root = path.resolve(import.meta.dirname, '../..');

/** The folders of `apps/`, which are what `synth` calls the apps. */
export const apps: readonly string[] = readdirSync(path.join(root, 'apps'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** Writes the trees of all apps below a folder. */
export async function synthesize(out: string, engine: Engine): Promise<void> {
  const ignore = (): void => undefined;
  const terminal = {
    cwd: root,
    now: Date.now,
    readInput: () => Promise.resolve(new Uint8Array()),
    color: false,
  };
  const code = await run(['synth', '--out', out, '--engine', engine], {
    ...terminal,
    out: ignore,
    err: ignore,
  });
  if (code !== 0) throw new Error('the apps do not compile');
}

/** The objects whose files a folder and its folders hold. */
export function emitted(folder: string): KubernetesObject[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name).includes('_'))
    .flatMap((name) => parseObjects(readFileSync(path.join(folder, name), 'utf8')));
}

/** The objects of a YAML stream. */
export function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
}

/** Objects by what kustomize takes for their identity. */
export function byIdentity(objects: readonly KubernetesObject[]): Map<string, KubernetesObject> {
  const found = objects.map((object): [string, KubernetesObject] => {
    const { namespace = '', name = '' } = object.metadata;
    return [`${object.apiVersion} ${object.kind} ${namespace}/${name}`, object];
  });
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
