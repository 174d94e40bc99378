import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { compareTo, parseQuantity } from '../../base/quantity.ts';
import { completedManifest } from './completed-manifest.ts';
import { leftoverDefaults } from './leftover-defaults.ts';
import type { UpdateStrategy } from './manifest-options.ts';
import { podChanges } from './pod-changes.ts';
import {
  changedFields,
  mapAt,
  renameHint,
  valueAt,
  type ImmutableField,
  type RefusedChange,
} from './refused-change.ts';
import { removedField } from './removed-field.ts';

/** Returns the changes that the API server of a cluster rejects. Several versions of a kind have the same immutable fields. */
export function refusedChanges(
  key: string,
  before: JsonMap,
  after: JsonMap,
  strategy: UpdateStrategy,
): readonly RefusedChange[] {
  // the agent does not update these
  if (strategy === 'CreateOnly' || strategy === 'ReadOnly') return [];
  return [
    // a default that only one of them has is no change
    ...changedFields(completedManifest(before), completedManifest(after), immutableFields[key] ?? []),
    ...(otherRules[key]?.(before, after, strategy) ?? []),
    ...(strategy === 'ServerSideApply' ? leftoverDefaults(key, before, after) : []),
  ];
}

/** The immutable fields of built-in kinds, by `group/Kind`. As the validation of Kubernetes 1.36 for updates. */
const immutableFields: Readonly<Record<string, readonly ImmutableField[]>> = {
  'apps/Deployment': [{ path: 'spec.selector' }],
  'apps/DaemonSet': [{ path: 'spec.selector' }],
  'apps/ReplicaSet': [{ path: 'spec.selector' }],
  'batch/Job': [
    { path: 'spec.selector' },
    { path: 'spec.completionMode', otherwise: 'NonIndexed' },
    { path: 'spec.podFailurePolicy' },
    { path: 'spec.backoffLimitPerIndex' },
    { path: 'spec.managedBy', otherwise: 'kubernetes.io/job-controller' },
    { path: 'spec.successPolicy' },
  ],
  'apiextensions.k8s.io/CustomResourceDefinition': [{ path: 'spec.scope' }, { path: 'spec.names.kind' }],
  'scheduling.k8s.io/PriorityClass': [
    { path: 'value', otherwise: 0 },
    { path: 'preemptionPolicy', otherwise: 'PreemptLowerPriority' },
  ],
  'networking.k8s.io/IngressClass': [{ path: 'spec.controller' }],
  'node.k8s.io/RuntimeClass': [{ path: 'handler' }],
  'discovery.k8s.io/EndpointSlice': [{ path: 'addressType' }],
  'apps/ControllerRevision': [{ path: 'data' }],
  'resource.k8s.io/ResourceClaim': [{ path: 'spec' }],
  'resource.k8s.io/ResourceClaimTemplate': [{ path: 'spec' }],
  'storage.k8s.io/VolumeAttributesClass': [{ path: 'driverName' }, { path: 'parameters' }],
  '/ResourceQuota': [{ path: 'spec.scopes' }],
};

type UpdateRule = (before: JsonMap, after: JsonMap, strategy: UpdateStrategy) => readonly RefusedChange[];

/** The rules that are more than a field, by `group/Kind`. */
const otherRules: Readonly<Record<string, UpdateRule>> = {
  'apps/StatefulSet': statefulSetChanges,
  'batch/Job': jobChanges,
  'rbac.authorization.k8s.io/RoleBinding': roleChanges,
  'rbac.authorization.k8s.io/ClusterRoleBinding': roleChanges,
  '/PersistentVolumeClaim': claimChanges,
  '/Service': serviceChanges,
  '/ConfigMap': (before, after, strategy) =>
    // the agent does not write `immutable` with Update
    sealedChanges(before, after, ['data', 'binaryData', ...(strategy === 'Update' ? [] : ['immutable'])]),
  '/Secret': (before, after, strategy) =>
    // as ApplySecret: with Update the agent deletes the Secret and creates it again
    strategy === 'Update'
      ? []
      : [
          ...sealedChanges(before, after, ['data', 'stringData', 'immutable']),
          ...changedFields(before, after, [{ path: 'type', otherwise: 'Opaque' }]),
        ],
  'storage.k8s.io/StorageClass': (before, after, strategy) =>
    // as storageClassNeedsRecreate: the same
    strategy === 'Update'
      ? []
      : changedFields(before, after, [
          { path: 'provisioner' },
          { path: 'parameters' },
          { path: 'reclaimPolicy', otherwise: 'Delete' },
          { path: 'volumeBindingMode', otherwise: 'Immediate' },
        ]),
  'storage.k8s.io/CSIDriver': (before, after, strategy) =>
    // as ApplyCSIDriver: the same
    strategy === 'Update'
      ? []
      : changedFields(before, after, [
          { path: 'spec.attachRequired', otherwise: true },
          { path: 'spec.volumeLifecycleModes', otherwise: ['Persistent'] },
        ]),
  '/PersistentVolume': volumeChanges,
  '/Pod': podChanges,
  'apiextensions.k8s.io/CustomResourceDefinition': storedVersions,
};

/** As ValidateRoleBindingUpdate. With Update, the agent writes the group, as ApplyRoleBinding. */
function roleChanges(before: JsonMap, after: JsonMap, strategy: UpdateStrategy): readonly RefusedChange[] {
  const group = { path: 'roleRef.apiGroup', otherwise: 'rbac.authorization.k8s.io' };
  return changedFields(before, after, [
    ...(strategy === 'Update' ? [] : [group]),
    { path: 'roleRef.kind' },
    { path: 'roleRef.name' },
  ]);
}

/** As ValidateConfigMapUpdate and ValidateSecretUpdate. */
function sealedChanges(before: JsonMap, after: JsonMap, fields: readonly string[]): readonly RefusedChange[] {
  if (before['immutable'] !== true) return [];
  const changed = fields.find((field) => goJson(before[field] ?? null) !== goJson(after[field] ?? null));
  if (changed === undefined) return [];
  return [{ words: `${changed} is immutable while immutable is true`, hint: renameHint }];
}

const mutableInStatefulSet: ReadonlySet<string> = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

/** As ValidateStatefulSetUpdate. */
function statefulSetChanges(before: JsonMap, after: JsonMap): readonly RefusedChange[] {
  const [from, to] = [before, after].map((set) => mapAt(completedManifest(set), 'spec')) as [
    JsonMap,
    JsonMap,
  ];
  const defaults: JsonMap = { podManagementPolicy: 'OrderedReady', serviceName: '' };
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((field) => !mutableInStatefulSet.has(field))
    .filter(
      (field) =>
        goJson(from[field] ?? defaults[field] ?? null) !== goJson(to[field] ?? defaults[field] ?? null),
    )
    .map((field) => ({ words: `spec.${field} is immutable`, hint: renameHint }));
}

/**
 * As ValidateJobSpecUpdate. With Update, the agent sends the Job without the selector and the labels that the API server wrote, so
 * that every update is rejected. A suspended Job may change how its pods are scheduled.
 */
function jobChanges(before: JsonMap, after: JsonMap, strategy: UpdateStrategy): readonly RefusedChange[] {
  if (strategy === 'Update' && removedField('batch/Job', after) !== undefined)
    return isSameContent(before, after)
      ? []
      : [
          {
            words: 'a Job cannot be updated with strategy Update, because spec.selector is immutable',
            hint: `${renameHint}; or use ServerSideApply for changes of other fields`,
          },
        ];
  const completions = completionChanges(before, after);
  if (valueAt(before, 'spec.suspend') === true) return completions;
  const [from, to] = [before, after].map((job) =>
    goJson(valueAt(completedManifest(job), 'spec.template') ?? null),
  );
  return from === to
    ? completions
    : [...completions, { words: 'spec.template is immutable', hint: renameHint }];
}

/** As validateCompletions, for Jobs without indexes. */
function completionChanges(before: JsonMap, after: JsonMap): readonly RefusedChange[] {
  if (valueAt(after, 'spec.completionMode') === 'Indexed') return [];
  const [from, to] = [before, after].map((job) => {
    // as SetDefaults_Job
    const isAlone = valueAt(job, 'spec.parallelism') === undefined;
    return valueAt(job, 'spec.completions') ?? (isAlone ? 1 : undefined);
  });
  return from === to ? [] : [{ words: 'spec.completions is immutable', hint: renameHint }];
}

/** The fields of a PersistentVolume that say nothing about its source. */
const besideSource: ReadonlySet<string> = new Set([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
]);

/** As ValidatePersistentVolumeUpdate. */
function volumeChanges(before: JsonMap, after: JsonMap): readonly RefusedChange[] {
  const specs = [before, after].map((volume) => mapAt(volume, 'spec'));
  const sources = new Set(
    specs.flatMap((spec) => Object.keys(spec)).filter((name) => !besideSource.has(name)),
  );
  return changedFields(before, after, [
    ...Array.from(sources, (name) => ({ path: `spec.${name}` })),
    { path: 'spec.volumeMode', otherwise: 'Filesystem' },
  ]);
}

/** As ValidatePersistentVolumeClaimUpdate, for a claim that is bound. */
function claimChanges(before: JsonMap, after: JsonMap): readonly RefusedChange[] {
  const [from, to] = [mapAt(before, 'spec'), mapAt(after, 'spec')];
  const defaults: JsonMap = { volumeMode: 'Filesystem' };
  const changed = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((field) => field !== 'resources' && field !== 'volumeAttributesClassName')
    .filter(
      (field) =>
        goJson(from[field] ?? defaults[field] ?? null) !== goJson(to[field] ?? defaults[field] ?? null),
    );
  const [was, is] = [before, after].map((claim) => valueAt(claim, 'spec.resources.requests.storage'));
  return [
    ...changed.map((field) => {
      // as validateStorageClassUpgradeFromNil, and the admission of a claim without a class, which writes the default class
      const isSet = field === 'storageClassName' && (from[field] ?? undefined) === undefined;
      const unless = isSet ? ', unless the cluster has no default StorageClass' : '';
      return { words: `spec.${field} is immutable${unless}`, hint: renameHint };
    }),
    ...(isLess(is, was)
      ? [
          {
            words: 'spec.resources.requests.storage cannot become less',
            hint: 'keep the size, or create another claim',
          },
        ]
      : []),
  ];
}

function isLess(one: unknown, other: unknown): boolean {
  if (!isScalar(one) || !isScalar(other)) return false;
  const [less, more] = [parseQuantity(String(one)), parseQuantity(String(other))];
  return less.error === undefined && more.error === undefined && compareTo(less.quantity, more.quantity) < 0;
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** As ValidateServiceClusterIPsRelatedFields: an address can be added or removed only with type ExternalName. */
function serviceChanges(before: JsonMap, after: JsonMap): readonly RefusedChange[] {
  const isExternal = [before, after].some((service) => valueAt(service, 'spec.type') === 'ExternalName');
  const [from, to] = [before, after].map((service) => valueAt(service, 'spec.clusterIP') ?? '');
  if (isExternal || to === '' || from === to) return [];
  return [{ words: 'spec.clusterIP is immutable', hint: renameHint }];
}

/** As ValidateCustomResourceDefinitionStoredVersions. */
function storedVersions(before: JsonMap, after: JsonMap): readonly RefusedChange[] {
  const names = new Set(versionsOf(after).map(({ name }) => name));
  return versionsOf(before)
    .filter(({ name, storage }) => storage === true && !names.has(name))
    .map(({ name }) => ({
      words: `version ${String(name)} is among the stored versions and cannot be removed`,
      hint: 'keep the version with served: false, migrate the objects on the clusters, and remove it afterwards',
    }));
}

function versionsOf(definition: JsonMap): readonly JsonMap[] {
  const versions = valueAt(definition, 'spec.versions');
  return Array.isArray(versions) ? versions.filter(isJsonMap) : [];
}

function isSameContent(before: JsonMap, after: JsonMap): boolean {
  return goJson(before) === goJson(after);
}
