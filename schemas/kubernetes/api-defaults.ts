/** The fields of an object. */
type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of an object of a type with those that the API server writes into it. */
type Defaulting = (fields: Fields) => Fields;

/**
 * Returns what API servers write into objects of a type. Undefined if they write only the defaults in merge-types.gen.ts.
 *
 * @param type - `core.v1.PodSpec`
 */
export function defaultingOf(type: string): Defaulting | undefined {
  return apiDefaults.get(type) ?? apiDefaults.get(type.replace(/\.v\d\w*\./, '.'));
}

/**
 * What API servers write into objects of built-in types, by `group.Type` if it is the same in all versions. As the functions
 * SetDefaults in pkg/apis of Kubernetes 1.35 and in apiextensions-apiserver. Fields without `omitempty` are in it where their type is in
 * maps or lists with one owner. What depends on other objects or on the time is not.
 */
export const apiDefaults: ReadonlyMap<string, Defaulting> = new Map([
  ...sameFields(['core.SecretVolumeSource', 'core.ConfigMapVolumeSource', 'core.DownwardAPIVolumeSource'], {
    defaultMode: 0o644,
  }),
  ...sameFields(['core.ProjectedVolumeSource'], { defaultMode: 0o644 }),
  ...sameFields(['core.ServiceAccountTokenProjection'], { expirationSeconds: 3600 }),
  ...sameFields(['core.HostPathVolumeSource'], { type: '' }),
  ...sameFields(['core.ObjectFieldSelector'], { apiVersion: 'v1' }),
  ...sameFields(['core.ResourceFieldSelector'], { divisor: '0' }),
  ...sameFields(['core.HTTPGetAction'], { path: '/', scheme: 'HTTP' }),
  ...sameNumbers(['core.Probe'], {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  }),
  ...sameFields(['core.PodSpec'], {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  }),
  ...sameFields(['core.Secret'], { type: 'Opaque' }),
  ...sameFields(['core.EndpointPort', 'networking.NetworkPolicyPort'], { protocol: 'TCP' }),
  ...sameFields(['core.PersistentVolumeSpec'], {
    persistentVolumeReclaimPolicy: 'Retain',
    volumeMode: 'Filesystem',
  }),
  ...sameFields(['core.PersistentVolumeClaimSpec'], { volumeMode: 'Filesystem' }),
  // those in a StatefulSet get a kind, as Convert_apps_StatefulSetSpec_To_v1_StatefulSetSpec
  ...sameFields(['core.PersistentVolumeClaim'], {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    status: { phase: 'Pending' },
  }),
  ...sameFields(['discovery.EndpointPort'], { name: '', protocol: 'TCP' }),
  ...sameFields(['networking.IngressClassParametersReference'], { scope: 'Cluster' }),
  ...sameFields(['batch.PodFailurePolicyOnPodConditionsPattern'], { status: 'True' }),
  ...sameFields(['batch.CronJobSpec'], {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  }),
  ...sameFields(['apps.ReplicaSetSpec'], { replicas: 1 }),
  ...sameFields(['admissionregistration.MatchResources'], {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
  }),
  ...sameFields(['admissionregistration.ValidatingWebhook'], webhookDefaults()),
  ...sameFields(['admissionregistration.MutatingWebhook'], {
    ...webhookDefaults(),
    reinvocationPolicy: 'Never',
  }),
  ...sameFields(
    [
      'admissionregistration.ValidatingAdmissionPolicySpec',
      'admissionregistration.MutatingAdmissionPolicySpec',
    ],
    { failurePolicy: 'Fail' },
  ),
  ...sameFields(
    ['admissionregistration.RuleWithOperations', 'admissionregistration.NamedRuleWithOperations'],
    {
      scope: '*',
    },
  ),
  ...sameFields(
    [
      'admissionregistration.ServiceReference',
      'apiextensions.ServiceReference',
      'apiregistration.ServiceReference',
    ],
    { port: 443 },
  ),
  ...sameFields(['storage.StorageClass'], { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  ...sameFields(['storage.CSIDriverSpec'], {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    volumeLifecycleModes: ['Persistent'],
    requiresRepublish: false,
    seLinuxMount: false,
  }),
  ...sameFields(['scheduling.PriorityClass'], { preemptionPolicy: 'PreemptLowerPriority' }),
  ...sameFields(['autoscaling.HorizontalPodAutoscalerSpec'], { minReplicas: 1 }),
  ...sameNumbers(['flowcontrol.FlowSchemaSpec'], { matchingPrecedence: 1000 }),
  ...sameFields(['flowcontrol.LimitedPriorityLevelConfiguration'], {
    nominalConcurrencyShares: 30,
    lendablePercent: 0,
  }),
  ...sameFields(['flowcontrol.ExemptPriorityLevelConfiguration'], {
    nominalConcurrencyShares: 0,
    lendablePercent: 0,
  }),
  ...sameNumbers(['flowcontrol.QueuingConfiguration'], { handSize: 8, queues: 64, queueLengthLimit: 50 }),
  ...sameFields(['rbac.RoleRef'], { apiGroup: 'rbac.authorization.k8s.io' }),
  ['rbac.Subject', subject],
  ['core.Container', container],
  ['core.EphemeralContainer', container],
  ['core.Pod', pod],
  ['core.ServiceSpec', serviceSpec],
  ['core.ReplicationControllerSpec', replicationControllerSpec],
  ['core.LimitRangeItem', limitRangeItem],
  ['autoscaling.v2.HorizontalPodAutoscalerSpec', autoscalerSpec],
  ['apps.DeploymentSpec', deploymentSpec],
  ['apps.DaemonSetSpec', daemonSetSpec],
  ['apps.StatefulSetSpec', statefulSetSpec],
  ['batch.Job', job],
  ['networking.NetworkPolicySpec', networkPolicySpec],
  ['resource.ExactDeviceRequest', deviceRequest],
  ['resource.DeviceSubRequest', deviceRequest],
  ['apiextensions.CustomResourceDefinitionSpec', definitionSpec],
]);

function sameFields(types: readonly string[], defaults: Fields): readonly (readonly [string, Defaulting])[] {
  return types.map((type) => [type, (fields: Fields) => completed(fields, defaults)]);
}

/** Numbers that are no pointers in Go, so that zero counts as absent. */
function sameNumbers(types: readonly string[], defaults: Fields): readonly (readonly [string, Defaulting])[] {
  return types.map((type) => [type, (fields: Fields) => completed(withoutZeros(fields), defaults)]);
}

function withoutZeros(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== 0));
}

/** Returns fields with those of `defaults` that are absent, null or an empty text. */
function completed(fields: Fields, defaults: Fields): Fields {
  const absent = Object.entries(defaults).filter(
    ([name]) => (fields[name] ?? undefined) === undefined || fields[name] === '',
  );
  return absent.length === 0 ? fields : { ...fields, ...Object.fromEntries(absent) };
}

/** Returns the map in a field, or an empty one. */
function mapIn(fields: Fields, name: string): Fields {
  const value = fields[name];
  return isMap(value) ? value : {};
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listIn(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
}

/** Returns a field with a list whose items are changed, or nothing if there is no list. */
function changedItems(fields: Fields, name: string, change: Defaulting): Fields {
  const items = listIn(fields, name);
  if (items.length === 0) return {};
  return { [name]: items.map((item) => (isMap(item) ? change(item) : item)) };
}

function webhookDefaults(): Fields {
  return {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  };
}

function subject(fields: Fields): Fields {
  const isNamed = fields['kind'] === 'User' || fields['kind'] === 'Group';
  return isNamed ? completed(fields, { apiGroup: 'rbac.authorization.k8s.io' }) : fields;
}

/** As ParseImageName: an image without a tag or a digest has the tag `latest`. */
function container(fields: Fields): Fields {
  const image = typeof fields['image'] === 'string' ? fields['image'] : '';
  const [, tag = image.includes('@') ? '' : 'latest'] = /:([^:/@]+)(?:@.*)?$/.exec(image) ?? [];
  return completed(fields, {
    imagePullPolicy: tag === 'latest' ? 'Always' : 'IfNotPresent',
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
}

/** As SetDefaults_Pod, without the requests of the pod as a whole. */
function pod(fields: Fields): Fields {
  const spec = mapIn(fields, 'spec');
  return {
    ...fields,
    spec: {
      ...completed(spec, { enableServiceLinks: true }),
      ...changedItems(spec, 'containers', withRequests),
      ...changedItems(spec, 'initContainers', withRequests),
    },
  };
}

function withRequests(fields: Fields): Fields {
  const resources = mapIn(fields, 'resources');
  const limits = mapIn(resources, 'limits');
  if (Object.keys(limits).length === 0) return fields;
  return {
    ...fields,
    resources: { ...resources, requests: completed(mapIn(resources, 'requests'), limits) },
  };
}

function serviceSpec(fields: Fields): Fields {
  const { type = 'ClusterIP', sessionAffinity = 'None' } = fields;
  const [isBalanced, isExternal] = [type === 'LoadBalancer', type === 'ExternalName'];
  const spec = completed(fields, {
    type,
    sessionAffinity,
    ...(!isExternal && { internalTrafficPolicy: 'Cluster' }),
    ...((isBalanced || type === 'NodePort') && { externalTrafficPolicy: 'Cluster' }),
    ...(isBalanced && { allocateLoadBalancerNodePorts: true }),
    ...(sessionAffinity === 'ClientIP' && {
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
    }),
  });
  // an affinity that the Service does not have has no configuration
  const { sessionAffinityConfig, ...others } = spec;
  return {
    ...others,
    ...(sessionAffinity !== 'None' && { sessionAffinityConfig }),
    ...changedItems(fields, 'ports', (port) =>
      completed(port['targetPort'] === 0 ? withoutZeros(port) : port, { targetPort: port['port'] }),
    ),
  };
}

function autoscalerSpec(fields: Fields): Fields {
  const { behavior, metrics } = fields;
  const percent = { type: 'Percent', value: 100, periodSeconds: 15 };
  const scaleDown = { selectPolicy: 'Max', policies: [percent] };
  const scaleUp = {
    selectPolicy: 'Max',
    policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent],
    stabilizationWindowSeconds: 0,
  };
  const target = { type: 'Utilization', averageUtilization: 80 };
  return {
    ...completed(fields, { minReplicas: 1 }),
    metrics:
      Array.isArray(metrics) && metrics.length > 0
        ? metrics
        : [{ type: 'Resource', resource: { name: 'cpu', target } }],
    ...(isMap(behavior) && {
      behavior: {
        scaleUp: completed(mapIn(behavior, 'scaleUp'), scaleUp),
        scaleDown: completed(mapIn(behavior, 'scaleDown'), scaleDown),
      },
    }),
  };
}

function replicationControllerSpec(fields: Fields): Fields {
  const labels = mapIn(mapIn(mapIn(fields, 'template'), 'metadata'), 'labels');
  return Object.keys(labels).length === 0 ? fields : completed(fields, { selector: labels });
}

function limitRangeItem(fields: Fields): Fields {
  if (fields['type'] !== 'Container') return fields;
  const limits = completed(mapIn(fields, 'default'), mapIn(fields, 'max'));
  const requests = completed(completed(mapIn(fields, 'defaultRequest'), limits), mapIn(fields, 'min'));
  return { ...fields, default: limits, defaultRequest: requests };
}

function deploymentSpec(fields: Fields): Fields {
  const defaults = { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 };
  const strategy = updateStrategy(mapIn(fields, 'strategy'), { maxUnavailable: '25%', maxSurge: '25%' });
  return { ...completed(fields, defaults), strategy };
}

function daemonSetSpec(fields: Fields): Fields {
  const strategy = updateStrategy(mapIn(fields, 'updateStrategy'), { maxUnavailable: 1, maxSurge: 0 });
  return { ...completed(fields, { revisionHistoryLimit: 10 }), updateStrategy: strategy };
}

function updateStrategy(strategy: Fields, defaults: Fields): Fields {
  const typed = completed(strategy, { type: 'RollingUpdate' });
  if (typed['type'] !== 'RollingUpdate') return typed;
  return { ...typed, rollingUpdate: completed(mapIn(typed, 'rollingUpdate'), defaults) };
}

function statefulSetSpec(fields: Fields): Fields {
  const strategy = mapIn(fields, 'updateStrategy');
  const hasType = (strategy['type'] ?? undefined) !== undefined;
  // a type without the map for it stays as it is
  const isCompleted = !hasType || (strategy['rollingUpdate'] ?? undefined) !== undefined;
  const policy = mapIn(fields, 'persistentVolumeClaimRetentionPolicy');
  return {
    ...completed(fields, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 }),
    updateStrategy: isCompleted ? updateStrategy(strategy, { partition: 0 }) : strategy,
    persistentVolumeClaimRetentionPolicy: completed(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
  };
}

/** As SetDefaults_Job, which the templates of CronJobs do not get. */
function job(fields: Fields): Fields {
  const spec = mapIn(fields, 'spec');
  const [completions, parallelism] = [spec['completions'] ?? undefined, spec['parallelism'] ?? undefined];
  const hasPolicy = (spec['podFailurePolicy'] ?? undefined) !== undefined;
  const isPerIndex = (spec['backoffLimitPerIndex'] ?? undefined) !== undefined;
  return {
    ...fields,
    spec: completed(spec, {
      ...(completions === undefined && parallelism === undefined && { completions: 1 }),
      parallelism: 1,
      backoffLimit: isPerIndex ? 2 ** 31 - 1 : 6,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: hasPolicy ? 'Failed' : 'TerminatingOrFailed',
      manualSelector: false,
    }),
  };
}

function networkPolicySpec(fields: Fields): Fields {
  if (listIn(fields, 'policyTypes').length > 0) return fields;
  return {
    ...fields,
    policyTypes: listIn(fields, 'egress').length === 0 ? ['Ingress'] : ['Ingress', 'Egress'],
  };
}

function deviceRequest(fields: Fields): Fields {
  const { allocationMode = 'ExactCount' } = fields;
  return completed(fields, { allocationMode, ...(allocationMode === 'ExactCount' && { count: 1 }) });
}

function definitionSpec(fields: Fields): Fields {
  const names = mapIn(fields, 'names');
  const kind = typeof names['kind'] === 'string' ? names['kind'] : '';
  return {
    ...completed(fields, { conversion: { strategy: 'None' } }),
    names: completed(names, { singular: kind.toLowerCase(), listKind: `${kind}List` }),
  };
}
