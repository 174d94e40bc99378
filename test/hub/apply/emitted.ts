import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { resolveInputs } from '../../../src/workspace/inputs/resolve-inputs.ts';
import { compiledClusters } from '../../../src/compiler/deliver/compiled-clusters.ts';
import { individualObjects } from '../../../src/compiler/deliver/individual-objects.ts';
import { emit } from '../../../src/compiler/emit/emit.ts';
import { kustomizationFile } from '../../../src/compiler/emit/kustomization.ts';
import type { TargetHub } from '../../../src/compiler/admit/conversion/for-hub.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { isOfKind, ocmKinds } from '../client/kinds.ts';
import { parseObjects } from '../record/scenario.ts';

const root = path.join(import.meta.dirname, '../../..');
const dist = path.join(root, 'dist');

/** The names of all folders that `synth` wrote. */
export const emittedApps: readonly string[] = readdirSync(dist)
  .filter((name) => existsSync(path.join(dist, name, kustomizationFile)))
  .sort();

/** An app as it comes to a hub. */
export interface Emitted {
  /** The clusters and cluster sets that the hub has already. */
  readonly fleet: readonly KubernetesObject[];
  /** What Argo CD or Flux applies, in the order of the kustomization. */
  readonly objects: readonly KubernetesObject[];
}

/** The objects of a folder of dist/, as they are committed. */
export function committed(app: string): readonly KubernetesObject[] {
  return synthesizedIn(path.join(dist, app));
}

/** The objects in a folder that `synth` wrote for an app. */
export function synthesizedIn(folder: string): readonly KubernetesObject[] {
  return listed((file) => readFileSync(path.join(folder, file), 'utf8'));
}

/** What `synth` emits of an app for a hub, without writing it. */
export async function emitted(app: string, target: TargetHub): Promise<Emitted> {
  return await emittedOf(path.join('apps', app), [], target);
}

/** What `synth` emits of an app or file for a hub, given the files of the fleet, without writing it. */
export async function emittedOf(
  input: string,
  fleet: readonly string[],
  target: TargetHub,
): Promise<Emitted> {
  const terminal = {
    cwd: root,
    now: () => Date.now(),
    readInput: () => Promise.resolve(new Uint8Array()),
    out: () => undefined,
    err: () => undefined,
    color: false,
  };
  const inputs = { path: [input], fleet };
  const { resolution } = await resolveInputs(inputs, { ...target, now: undefined }, terminal);
  if (resolution === undefined) throw new Error(`${input} does not resolve`);
  const { objects } = resolution.inventory;
  const of = (wanted: string): readonly KubernetesObject[] =>
    objects.filter(({ source }) => source === wanted).map(({ object }) => object);
  const tree = emit(individualObjects(resolution, target), {}, 'argocd', {
    compiled: compiledClusters(resolution, target),
  });
  return {
    fleet: of('fleet').filter(
      (object) => isOfKind(object, ocmKinds.managedClusterSet) || isOfKind(object, ocmKinds.managedCluster),
    ),
    objects: listed((file) => tree.get(file) ?? ''),
  };
}

function listed(read: (file: string) => string): readonly KubernetesObject[] {
  const { resources } = parse(read(kustomizationFile)) as { readonly resources: readonly string[] };
  return resources.flatMap((name) =>
    name.endsWith('.yaml') ? parseObjects(read(name)) : listed((file) => read(`${name}/${file}`)),
  );
}
