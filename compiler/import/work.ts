import type {
  ManifestWorkReplicaSetV1alpha1,
  ManifestWorkV1,
  ManifestWorkV1DeleteOption,
  ManifestWorkV1Spec,
} from '../../schemas/types.gen.ts';
import type { FieldPath } from '../field-path.ts';
import { all } from './all.ts';
import type { Context } from './context.ts';
import { seconds } from './duration.ts';
import {
  at,
  call,
  create,
  literal,
  name,
  object,
  plain,
  unlessEmptyObject,
  type Expression,
  type Placed,
  type Statement,
} from './expression.ts';
import { manifestConfig } from './manifest-config.ts';
import { metadataProps, metadataStatements } from './metadata.ts';
import { rollout } from './rollout.ts';
import { workload, workloadNamespace } from './workload.ts';

/** `new ManifestWork(…)`. */
export function writeManifestWork(work: ManifestWorkV1, context: Context): readonly Statement[] | undefined {
  const { place } = context;
  const spec = workProps(work.spec, ['spec'], context);
  if (spec === undefined) return undefined;
  const { namespace: _, ...metadata } = metadataProps(work, place);
  const cluster = at(['metadata', 'namespace'], literal(work.metadata.namespace ?? ''));
  const props = object({ cluster, ...metadata, ...spec });
  return [
    { name: place.variable, value: create('ManifestWork', name(place.chart), literal(place.id), props) },
    ...metadataStatements(work, context),
  ];
}

/** `new ManifestWorkReplicaSet(…)`. */
export function writeManifestWorkReplicaSet(
  set: ManifestWorkReplicaSetV1alpha1,
  context: Context,
): readonly Statement[] | undefined {
  const { place } = context;
  const { cascadeDeletionPolicy, manifestWorkTemplate, placementRefs, ...others } = set.spec ?? {};
  const { namespace = '' } = set.metadata;
  const placements = all(placementRefs, ['spec', 'placementRefs'], (reference, path) => {
    const waves = rollout(
      reference.rolloutStrategy,
      { namespace, name: reference.name },
      [...path, 'rolloutStrategy'],
      context,
    );
    if (waves === undefined) return undefined;
    return object({
      placement: context.placement(namespace, reference.name),
      rollout: at([...path, 'rolloutStrategy'], waves === 'none' ? undefined : waves),
    });
  });
  const spec = workProps(manifestWorkTemplate, ['spec', 'manifestWorkTemplate'], context);
  const isLost = placements === undefined || placements === 'unsayable' || spec === undefined;
  if (isLost || Object.keys(others).length > 0) return undefined;
  const props = object({
    ...metadataProps(set, place),
    placements: at(['spec', 'placementRefs'], placements),
    cascadeDeletionPolicy: at(
      ['spec', 'cascadeDeletionPolicy'],
      cascadeDeletionPolicy === undefined || cascadeDeletionPolicy === 'Background'
        ? undefined
        : literal(cascadeDeletionPolicy),
    ),
    ...spec,
  });
  return [
    {
      name: place.variable,
      value: create('ManifestWorkReplicaSet', name(place.chart), literal(place.id), props),
    },
    ...metadataStatements(set, context),
  ];
}

/** What both have in common. */
function workProps(
  spec: ManifestWorkV1Spec | undefined,
  path: FieldPath,
  context: Context,
): Record<string, Placed | Expression | undefined> | undefined {
  const { workload: given, manifestConfigs, deleteOption, executor, ...others } = spec ?? {};
  const manifests = given?.manifests ?? [];
  const manifestsPath = [...path, 'workload', 'manifests'];
  const namespace = workloadNamespace(manifests);
  const body = workload(manifests, manifestsPath, namespace, undefined, context);
  const configs = all(manifestConfigs, [...path, 'manifestConfigs'], manifestConfig);
  const deletion = deleteOption && deleteOptionOf(deleteOption, [...path, 'deleteOption']);
  const { type = 'ServiceAccount', serviceAccount } = executor?.subject ?? {};
  const isLost =
    body === undefined ||
    configs === 'unsayable' ||
    (deleteOption !== undefined && deletion === undefined) ||
    (executor !== undefined && (type !== 'ServiceAccount' || serviceAccount === undefined));
  if (isLost || Object.keys(others).length > 0) return undefined;
  const executorPath = [...path, 'executor', 'subject', 'serviceAccount'];
  return {
    workloadNamespace: namespace === undefined ? undefined : literal(namespace),
    workload: at(manifestsPath, body),
    manifestConfigs: at([...path, 'manifestConfigs'], configs),
    deleteOption: at([...path, 'deleteOption'], deletion),
    executor: at(executorPath, serviceAccount && plain(serviceAccount, executorPath)),
  };
}

function deleteOptionOf(
  {
    propagationPolicy = 'Foreground',
    selectivelyOrphans,
    ttlSecondsAfterFinished,
    ...others
  }: ManifestWorkV1DeleteOption,
  path: FieldPath,
): Expression | undefined {
  const ttl = ttlSecondsAfterFinished === undefined ? undefined : seconds(ttlSecondsAfterFinished);
  const isLost = ttlSecondsAfterFinished !== undefined && ttl === undefined;
  const rules = selectivelyOrphans?.orphaningRules;
  if (isLost || Object.keys(others).length > 0) return undefined;
  const options = unlessEmptyObject(object({ ttlAfterFinished: ttl }));
  if (propagationPolicy === 'SelectivelyOrphan') {
    if (rules === undefined) return undefined;
    // the construct names the group of each
    if (rules.some(({ group }) => group === undefined)) return undefined;
    const rulesPath = [...path, 'selectivelyOrphans', 'orphaningRules'];
    return call('DeleteOption', 'selectivelyOrphan', plain(rules, rulesPath), options);
  }
  if (selectivelyOrphans !== undefined) return undefined;
  return call('DeleteOption', propagationPolicy === 'Orphan' ? 'orphan' : 'foreground', options);
}
