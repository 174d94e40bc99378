import { isJsonMap } from '../base/json/json-map.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { groupOf, kindKey } from '../base/names/resource-name.ts';
import { isClusterScoped } from '../../schemas/cluster-scoped.ts';

/**
 * Returns whether an object of a workload is certain to have a namespace: it is of a kind of Kubernetes or OCM, or of a
 * CustomResourceDefinition of the workload. The scope of other kinds is unknown.
 */
export function isNamespacedIn(workload: readonly KubernetesObject[]): (object: KubernetesObject) => boolean {
  const defined = new Map(workload.flatMap((object) => definedKind(object)));
  return (object) => {
    const scope = defined.get(kindKey(object));
    if (scope !== undefined) return scope === 'Namespaced';
    const group = groupOf(object.apiVersion);
    return isBuiltIn(group) && !isClusterScoped(group, object.kind);
  };
}

function definedKind({ kind, spec }: KubernetesObject): [key: string, scope: unknown][] {
  if (kind !== 'CustomResourceDefinition' || !isJsonMap(spec) || !isJsonMap(spec['names'])) return [];
  return [[`${String(spec['group'])}/${String(spec['names']['kind'])}`, spec['scope']]];
}

/** Kubernetes' API groups are the core group, the oldest ones without a domain, and those of k8s.io. */
function isBuiltIn(group: string): boolean {
  return !group.includes('.') || isKubernetesGroup.test(group);
}

const isKubernetesGroup =
  /^(?:admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|internal\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration)\.k8s\.io$/;
