/** The namespace of Placements and sets. */
export const namespace = 'sets';

const environments = ['prod', 'prod', 'prod', 'stage', 'stage', 'dev'];

/** Clusters `c1` to `c6`, in a set that is bound to the namespace. */
export const fleet = `
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSet
metadata: { name: global }
spec: { clusterSelector: { selectorType: LabelSelector, labelSelector: {} } }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: ${namespace} }
spec: { clusterSet: global }
${environments
  .map(
    (env, index) => `---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: c${index + 1}, labels: { env: ${env} } }
spec: { hubAcceptsClient: true }
`,
  )
  .join('')}`;

/** A Placement of the clusters of an environment. */
export const placement = (env: string, more = '', name = env): string => `
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  tolerations: [{ operator: Exists }]
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: ${env} } } } }]
  ${more}`;

/** The rule with which clusters report that they are ready, so that a rollout goes on. */
export const progressing =
  "conditionRules: [{ type: CEL, condition: Progressing, celExpressions: ['false'] }]";

/** A ManifestWorkReplicaSet with one ConfigMap. */
export const set = (name: string, refs: readonly string[], value = 'a', rules = progressing): string => `
apiVersion: work.open-cluster-management.io/v1alpha1
kind: ManifestWorkReplicaSet
metadata: { name: ${name}, namespace: ${namespace}, labels: { team: web } }
spec:
  placementRefs: [${refs.join(', ')}]
  manifestWorkTemplate:
    manifestConfigs:
    - resourceIdentifier: { resource: configmaps, name: web, namespace: default }
      feedbackRules: [{ type: JSONPaths, jsonPaths: [{ name: value, path: .data.value }] }]
      ${rules}
    executor: { subject: { type: ServiceAccount, serviceAccount: { name: web, namespace: default } } }
    workload:
      manifests:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: web, namespace: default }, data: { value: ${value} } }
`;

/** A reference to a Placement. */
export const ref = (name: string, rolloutStrategy?: string): string =>
  rolloutStrategy === undefined
    ? `{ name: ${name} }`
    : `{ name: ${name}, rolloutStrategy: ${rolloutStrategy} }`;
