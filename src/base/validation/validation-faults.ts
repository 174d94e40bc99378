import type { JsonMap } from '../json/json-map.ts';
import { kindKey } from '../names/resource-name.ts';
import { horizontalPodAutoscalerFaults } from './autoscaling.ts';
import { cronJobFaults, jobFaults } from './batch.ts';
import { configMapFaults, secretFaults } from './configuration.ts';
import { customResourceDefinitionFaults } from './custom-resource-definitions.ts';
import { podDisruptionBudgetFaults } from './disruption.ts';
import { Field, type FieldFault } from './field-fault.ts';
import { limitRangeFaults, resourceQuotaFaults } from './limits.ts';
import { metadataFaults } from './metadata.ts';
import { ingressClassFaults, ingressFaults, networkPolicyFaults } from './networking.ts';
import { podFaults, podTemplateFaults } from './pod-spec.ts';
import { priorityClassFaults } from './priority-class.ts';
import { clusterRoleBindingFaults, clusterRoleFaults, roleBindingFaults, roleFaults } from './rbac.ts';
import { serviceFaults } from './service.ts';
import { persistentVolumeClaimFaults, storageClassFaults } from './storage.ts';
import { Struct } from './struct.ts';
import {
  daemonSetFaults,
  deploymentFaults,
  replicaSetFaults,
  replicationControllerFaults,
  statefulSetFaults,
} from './workloads.ts';

type Rule = (object: Struct) => readonly FieldFault[];

const rbac = 'rbac.authorization.k8s.io';

/** The rules of built-in kinds by `group/Kind`. The versions of a kind have the same rules. */
const rules: Readonly<Record<string, Rule>> = {
  '/ConfigMap': configMapFaults,
  '/LimitRange': limitRangeFaults,
  // only its metadata
  '/Namespace': () => [],
  '/PersistentVolumeClaim': persistentVolumeClaimFaults,
  '/Pod': podFaults,
  '/PodTemplate': (object) => podTemplateFaults(object.embedded('template')),
  '/ReplicationController': replicationControllerFaults,
  '/ResourceQuota': resourceQuotaFaults,
  '/Secret': secretFaults,
  '/Service': serviceFaults,
  '/ServiceAccount': () => [],
  'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinitionFaults,
  'apps/DaemonSet': daemonSetFaults,
  'apps/Deployment': deploymentFaults,
  'apps/ReplicaSet': replicaSetFaults,
  'apps/StatefulSet': statefulSetFaults,
  'autoscaling/HorizontalPodAutoscaler': horizontalPodAutoscalerFaults,
  'batch/CronJob': cronJobFaults,
  'batch/Job': jobFaults,
  'networking.k8s.io/Ingress': ingressFaults,
  'networking.k8s.io/IngressClass': ingressClassFaults,
  'networking.k8s.io/NetworkPolicy': networkPolicyFaults,
  'policy/PodDisruptionBudget': podDisruptionBudgetFaults,
  [`${rbac}/ClusterRole`]: clusterRoleFaults,
  [`${rbac}/ClusterRoleBinding`]: clusterRoleBindingFaults,
  [`${rbac}/Role`]: roleFaults,
  [`${rbac}/RoleBinding`]: roleBindingFaults,
  'scheduling.k8s.io/PriorityClass': priorityClassFaults,
  'storage.k8s.io/StorageClass': storageClassFaults,
};

/** The kinds that have rules, as `group/Kind`. */
export const validatedKinds: readonly string[] = Object.keys(rules);

/**
 * Returns why an API server refuses a new object of a built-in kind, in the words of Kubernetes 1.35. Defaults are taken into
 * account. What some supported release or feature gate accepts is no fault. Other kinds have none. Objects whose fields have other
 * types than Kubernetes' are not decoded, and must not be passed.
 */
export function validationFaults(object: JsonMap): readonly FieldFault[] {
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  const key = kindKey({ apiVersion, kind });
  const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
  if (rule === undefined) return [];
  const struct = new Struct(object, Field.root);
  return distinct([...metadataFaults(key, struct), ...rule(struct)]);
}

/** As ErrorList.ToAggregate, which removes equal messages. */
function distinct(faults: readonly FieldFault[]): readonly FieldFault[] {
  return [...new Map(faults.map((fault) => [`${fault.field}: ${fault.message}`, fault])).values()];
}
