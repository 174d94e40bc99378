import type { ManifestWorkV1ManifestConfigOption, ManifestWorkV1Spec } from '../schemas/types.gen.ts';
import type { GoJsonObject } from '../src/base/json/go-json.ts';
import { guessResource } from '../src/base/names/resource-name.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../src/base/objects/object-identity.ts';
import { conditionRulesOf, reportsProgressing } from '../src/ocm/progressing-rule.ts';

const isNotObserved = [
  '!has(object.status)',
  '!has(object.status.observedGeneration)',
  'object.status.observedGeneration < object.metadata.generation',
];

/** Returns an expression that is true while a status field, which is absent instead of 0, is less than another field. */
function isLess(field: string, wanted: string): string {
  return `(has(object.status.${field}) ? object.status.${field} : 0) < ${wanted}`;
}

/** Per kind: an expression that is true while an object is not ready. */
const whileNotReady: Readonly<Record<string, string>> = {
  'apps/Deployment': [
    ...isNotObserved,
    isLess('updatedReplicas', 'object.spec.replicas'),
    isLess('availableReplicas', 'object.spec.replicas'),
  ].join(' || '),
  'apps/StatefulSet': [
    ...isNotObserved,
    isLess('updatedReplicas', 'object.spec.replicas'),
    isLess('readyReplicas', 'object.spec.replicas'),
  ].join(' || '),
  'apps/DaemonSet': [
    ...isNotObserved,
    isLess('updatedNumberScheduled', 'object.status.desiredNumberScheduled'),
    isLess('numberAvailable', 'object.status.desiredNumberScheduled'),
  ].join(' || '),
  'batch/Job':
    "!has(object.status) || !has(object.status.conditions) || !object.status.conditions.exists(c, c.type == 'Complete' && c.status == 'True')",
};

/** Kinds whose objects are ready as soon as they exist. */
const readyAtOnce = new Set([
  '/ConfigMap',
  '/LimitRange',
  '/Namespace',
  '/ResourceQuota',
  '/Secret',
  '/ServiceAccount',
  'networking.k8s.io/NetworkPolicy',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
]);

/**
 * Returns the spec with condition rules for Progressing, which the rollout of a ManifestWorkReplicaSet waits for: for all objects that
 * take time to become ready, or, if there are none, for one that is ready immediately. The same spec if it has such a rule, or if no
 * object has a kind whose readiness is known.
 */
export function withProgressingRules(spec: ManifestWorkV1Spec): ManifestWorkV1Spec {
  const { workload, manifestConfigs = [] } = spec;
  if (reportsProgressing(spec)) return spec;
  const objects = ((workload?.manifests ?? []) as readonly GoJsonObject[]).filter(
    (object) => conditionRulesOf(object, manifestConfigs).length === 0,
  );
  const slow = objects.flatMap((object) => {
    const expression = whileNotReady[groupKind(object)];
    return expression === undefined ? [] : [progressingRule(object, expression)];
  });
  const quick = objects.find((object) => readyAtOnce.has(groupKind(object)));
  const rules = slow.length > 0 || quick === undefined ? slow : [progressingRule(quick, 'false')];
  // The agent takes the type of scraping from the last matching entry, which is to be the user's.
  return rules.length === 0 ? spec : { ...spec, manifestConfigs: [...rules, ...manifestConfigs] };
}

function groupKind(object: GoJsonObject): string {
  const { group, kind } = groupVersionKind(object);
  return `${group}/${kind}`;
}

function progressingRule(object: GoJsonObject, expression: string): ManifestWorkV1ManifestConfigOption {
  const { group, kind } = groupVersionKind(object);
  const namespace = namespaceOf(object);
  return {
    resourceIdentifier: {
      group,
      resource: guessResource(kind),
      ...(namespace !== '' && { namespace }),
      name: nameOf(object),
    },
    conditionRules: [{ type: 'CEL', condition: 'Progressing', celExpressions: [expression] }],
  };
}
