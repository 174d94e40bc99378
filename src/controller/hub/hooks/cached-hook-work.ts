import type { ManifestWorkV1, ManifestWorkV1FeedbackValue } from '../../../../schemas/types.gen.ts';
import { identityOf, pick, type ApiObject, type Stored } from '../../../client/object.ts';
import { hookWorkName, jobFailedValue } from '../../../ocm/hook-work.ts';
import { addOnUidAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { addOnNamespaceLabel } from '../../../ocm/hosted-mode.ts';
import { addOnNameLabel } from '../../../ocm/labels.ts';
import { cutConditions } from '../condition.ts';

/** Whether a work contains the pre-delete hooks of its add-on, for the managed or for the hosting cluster. */
export function isHookWork({ metadata }: Stored<ApiObject>): boolean {
  const { [addOnNameLabel]: addOn, [addOnNamespaceLabel]: hostedFor } = metadata.labels ?? {};
  return addOn !== undefined && metadata.name === hookWorkName(addOn, hostedFor);
}

/** The reported values that decide whether a hook is complete or has failed. */
const decidingValues: ReadonlySet<string> = new Set(['JobComplete', jobFailedValue, 'PodPhase']);
/** The longest deciding value is `Succeeded`. */
const longestValue = 16;

/** Returns the part of a hook work to cache: which hooks it has, and what the cluster reports about these. */
export function cachedHookWork({
  apiVersion,
  kind,
  metadata,
  spec,
  status,
}: Stored<ManifestWorkV1>): Stored<ManifestWorkV1> {
  const { labels, annotations, ownerReferences } = metadata;
  const configs = spec?.manifestConfigs ?? [];
  return {
    apiVersion,
    kind,
    metadata: {
      ...identityOf(metadata),
      labels: pick(labels, [addOnNameLabel, addOnNamespaceLabel]),
      annotations: pick(annotations, [addOnUidAnnotation]),
      ...(ownerReferences && { ownerReferences }),
    },
    spec: {
      manifestConfigs: configs.map(({ resourceIdentifier }) => ({ resourceIdentifier })),
      workload: { manifests: [] },
    },
    status: {
      conditions: cutConditions(status?.conditions, ['Applied', 'Available']),
      resourceStatus: {
        // A work with hooks has as many reports as hooks, unless its cluster reports nonsense.
        manifests: (status?.resourceStatus?.manifests ?? [])
          .slice(0, configs.length)
          .map(({ resourceMeta, statusFeedback }) => {
            const { group = '', resource = '', namespace = '', name = '', ordinal } = resourceMeta;
            return {
              resourceMeta: { group, resource, namespace, name, ordinal },
              conditions: [],
              statusFeedback: { values: (statusFeedback?.values ?? []).filter(isDeciding) },
            };
          }),
      },
    },
  };
}

function isDeciding({ name, fieldValue }: ManifestWorkV1FeedbackValue): boolean {
  return decidingValues.has(name) && (fieldValue.string ?? '').length <= longestValue;
}
