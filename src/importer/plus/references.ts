import type { JsonMap } from '../../base/json/json-map.ts';
import type { Expression } from '../code/expression.ts';
import type { ObjectScope } from './workload-scope.ts';

/** The fields in which objects of one namespace name others, as `Type.field`, and the kinds of those objects. */
const references: ReadonlyMap<string, string> = new Map([
  ['PodSpec.serviceAccountName', 'v1/ServiceAccount'],
  ['ConfigMapVolumeSource.name', 'v1/ConfigMap'],
  ['ConfigMapProjection.name', 'v1/ConfigMap'],
  ['ConfigMapKeySelector.name', 'v1/ConfigMap'],
  ['ConfigMapEnvSource.name', 'v1/ConfigMap'],
  ['SecretVolumeSource.secretName', 'v1/Secret'],
  ['SecretProjection.name', 'v1/Secret'],
  ['SecretKeySelector.name', 'v1/Secret'],
  ['SecretEnvSource.name', 'v1/Secret'],
  ['PersistentVolumeClaimVolumeSource.claimName', 'v1/PersistentVolumeClaim'],
  ['StatefulSetSpec.serviceName', 'v1/Service'],
  ['IngressServiceBackend.name', 'v1/Service'],
]);

/** Returns `object.name` if a field names an object of the workload that was written before; otherwise undefined. */
export function referenceIn(
  value: JsonMap,
  type: string,
  field: string,
  scope: ObjectScope,
  namespace: string | undefined,
): Expression | undefined {
  const text = value[field];
  if (typeof text !== 'string') return undefined;
  const kind = references.get(`${type}.${field}`);
  if (kind !== undefined) return scope.nameOf(kind, namespace, text);
  if (field !== 'name') return undefined;
  if (type === 'RoleRef') {
    const isOfCluster = value['kind'] === 'ClusterRole';
    return scope.nameOf(
      `rbac.authorization.k8s.io/v1/${String(value['kind'])}`,
      isOfCluster ? undefined : namespace,
      text,
    );
  }
  if (type === 'Subject' && value['kind'] === 'ServiceAccount') {
    const namespaceOfReference = value['namespace'];
    return scope.nameOf(
      'v1/ServiceAccount',
      typeof namespaceOfReference === 'string' ? namespaceOfReference : undefined,
      text,
    );
  }
  return undefined;
}
