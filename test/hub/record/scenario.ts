import { parseAllDocuments, stringify } from 'yaml';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { isOfKind, namespaceKind, ocmKinds } from '../client/kinds.ts';

/** What is applied to a hub, and for rollouts what is applied once all has been rolled out. */
export interface Scenario {
  readonly name: string;
  readonly input: readonly KubernetesObject[];
  readonly update?: readonly KubernetesObject[];
  /** What goes wrong during the update of a rollout. */
  readonly faults?: Faults;
}

/** Clusters whose agents do not report success. */
export interface Faults {
  /** They report works as applied and not available. */
  readonly failing: readonly string[];
  /** They report nothing. */
  readonly silent: readonly string[];
}

/** Reads the documents of a YAML text. */
export function parseObjects(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as KubernetesObject;
  });
}

/** One YAML document an object, quoted so that YAML 1.1 readers such as kubectl read the same. */
export function printObjects(objects: readonly KubernetesObject[]): string {
  return objects
    .map((object) => stringify(object, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');
}

/** Names of the managed clusters of a scenario. */
export function clusterNames(objects: readonly KubernetesObject[]): readonly string[] {
  return namesOf(objects.filter((object) => isOfKind(object, ocmKinds.managedCluster)));
}

/** All namespaces that the objects of a scenario are in, clusters' included. */
export function namespacesOf(objects: readonly KubernetesObject[]): ReadonlySet<string> {
  return new Set([
    ...clusterNames(objects),
    ...namesOf(objects.filter((object) => isOfKind(object, namespaceKind))),
    ...objects.flatMap(({ metadata }) => metadata.namespace ?? []),
  ]);
}

/** Whether an object of the hub belongs to a scenario, as part of it or as an answer to it. */
export function belongsTo(objects: readonly KubernetesObject[]): (object: KubernetesObject) => boolean {
  const namespaces = namespacesOf(objects);
  const names = new Set(objects.map(({ kind, metadata }) => `${kind}/${metadata.name ?? ''}`));
  return ({ kind, metadata: { name = '', namespace } }) =>
    namespace === undefined ? names.has(`${kind}/${name}`) : namespaces.has(namespace);
}

function namesOf(objects: readonly KubernetesObject[]): readonly string[] {
  return objects.flatMap(({ metadata }) => metadata.name ?? []);
}
