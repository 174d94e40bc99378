import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { groupOf, kindKey } from '../../base/names/resource-name.ts';
import { isClusterScoped } from '../../../schemas/cluster-scoped.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';

/** Whether the objects of a kind have a namespace. */
export type KindScope = 'Namespaced' | 'Cluster';

/** An object as far as its scope is concerned. */
interface ScopedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: unknown;
}

/**
 * Returns the scope of the kinds of a workload: those of Kubernetes and OCM, and those of CustomResourceDefinitions in the workload.
 * It is undefined for other kinds.
 */
export function scopesIn(workload: readonly ScopedObject[]): (object: ScopedObject) => KindScope | undefined {
  const defined = new Map(workload.flatMap((object) => definedKind(object)));
  return (object) => {
    const scope = defined.get(kindKey(object));
    if (scope !== undefined) return scope;
    const group = groupOf(object.apiVersion);
    if (isClusterScoped(group, object.kind)) return 'Cluster';
    const isKnown = isBuiltIn(group) || Object.values(ocmKinds).some(({ key }) => key === kindKey(object));
    return isKnown ? 'Namespaced' : undefined;
  };
}

/** Returns `group/Kind` of the kind that a CustomResourceDefinition defines, if its objects have a namespace. */
export function namespacedKindOf({ spec }: JsonMap): string | undefined {
  const [[key, scope] = []] = definedKind({ apiVersion: '', kind: 'CustomResourceDefinition', spec });
  return scope === 'Namespaced' ? key : undefined;
}

function definedKind({ kind, spec }: ScopedObject): [key: string, scope: KindScope][] {
  if (kind !== 'CustomResourceDefinition' || !isJsonMap(spec) || !isJsonMap(spec['names'])) return [];
  const scope = spec['scope'] === 'Cluster' ? 'Cluster' : 'Namespaced';
  return [[`${String(spec['group'])}/${String(spec['names']['kind'])}`, scope]];
}

/** Kubernetes' API groups are the core group, the oldest ones without a domain, and those of k8s.io. */
function isBuiltIn(group: string): boolean {
  return !group.includes('.') || isKubernetesGroup.test(group);
}

const isKubernetesGroup =
  /^(?:admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|internal\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration)\.k8s\.io$/;
