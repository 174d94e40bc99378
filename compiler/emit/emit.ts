import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { fileName } from './file-name.ts';
import { applyRank } from './order.ts';
import { yamlDocument } from './yaml.ts';

/** Files by name, in the order in which they are listed. */
export type Tree = ReadonlyMap<string, string>;

/** The file that lists the objects, for Argo CD and Flux. */
export const kustomizationFile = 'kustomization.yaml';
/** The file that says what the hub makes of the objects: for reviewers, not applied. */
export const resolutionFile = 'resolution.yaml';

/**
 * The folder that Argo CD or Flux applies: one object a file, a kustomization that lists them in the order in which they
 * are needed, and the resolution for reviewers. Objects are written as they are given, complete after defaulting, without
 * what belongs to the server.
 */
export function emit(objects: readonly KubernetesObject[], resolution: object): Tree {
  const files = objects.map((object) => ({ rank: applyRank(object), name: fileName(object), object }));
  files.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const tree = new Map<string, string>();
  for (const { name, object } of files) {
    if (tree.has(name)) throw new Error(`two objects share the file ${name}`);
    tree.set(name, yamlDocument(withoutServerFields(object)));
  }
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [...tree.keys()],
  };
  tree.set(kustomizationFile, yamlDocument(kustomization));
  tree.set(resolutionFile, yamlDocument(resolution));
  return tree;
}

const serverFields = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Status and the server's own metadata are the hub's to write: in Git they would be a difference for ever. */
function withoutServerFields({ status: _status, metadata, ...rest }: KubernetesObject): object {
  const kept = Object.entries(metadata).filter(([field]) => !serverFields.has(field));
  return { ...rest, metadata: Object.fromEntries(kept) };
}
