import { findKindVersion } from '../../../../schemas/index.ts';
import type {
  ManifestWorkV1,
  ManifestWorkV1ManifestConfigOption,
  ManifestWorkV1Spec,
} from '../../../../schemas/types.gen.ts';
import { applyDefaults, dropNulls } from '../../admit/schema/defaults.ts';
import { admitEmbedded } from '../../admit/embedded.ts';
import type { ConfigReference } from '../../configure/resolved-add-on.ts';
import { formatFieldPath, type FieldPath } from '../../model/field-path.ts';
import { goQuote } from '../../../base/go/quote.ts';
import { labelValueErrors } from '../../../base/names/name-errors.ts';
import { goJson, type GoJsonObject } from '../../../base/json/go-json.ts';
import { workMetadata } from '../../../ocm/hosted-mode.ts';
import { groupResource } from '../../../base/names/resource-name.ts';
import { deleteOption } from './hooks.ts';
import { addOnOwner } from './owner.ts';
import { splitIntoWorks } from './work-split.ts';
import type { AddOnApiVersion } from '../../../ocm/hub-version.ts';
import type { RenderFault } from '../fault.ts';
import { specHashAnnotation } from '../../../ocm/annotations.ts';

export const workApiVersion = 'work.open-cluster-management.io/v1';

export interface WorkOptions {
  readonly addOn: string;
  readonly cluster: string;
  /** The hosting cluster, for the works that are delivered there. Undefined for those of the managed cluster. */
  readonly hostingCluster?: string | undefined;
  /** The API version in which the work names its owner. */
  readonly ownersApiVersion: AddOnApiVersion;
  /** The configurations that the add-on uses on the cluster. The works are annotated with their hashes. */
  readonly references: readonly ConfigReference[];
  readonly manifestConfigs: readonly ManifestWorkV1ManifestConfigOption[];
  /** Whether the objects of each work keep their order. @default - the largest first, as the hub writes them */
  readonly isOrdered?: boolean;
}

/** A work, or the reason why the API server rejects it. */
export type AdmittedWork = { readonly work: ManifestWorkV1 } | RenderFault;

/**
 * Returns the works that deliver objects to a cluster, as addon-framework BuildDeployWorks creates them and the API server stores
 * them.
 *
 * @param objects in the hub's order, without hooks; at least one
 */
export function buildWorks(
  objects: readonly GoJsonObject[],
  { addOn, cluster, hostingCluster, ownersApiVersion, references, manifestConfigs, isOrdered }: WorkOptions,
): { readonly works: readonly AdmittedWork[] } | RenderFault {
  const split = splitIntoWorks(objects);
  if ('error' in split) return split;
  const position = new Map(isOrdered === true ? objects.map((object, index) => [object, index]) : []);
  const orphans = deleteOption(objects);
  const works = split.works.flatMap((share, index): AdmittedWork[] => {
    // The hub deletes an empty work when it reconciles its works again.
    if (share.length === 0) return [];
    return [
      admitWork({
        apiVersion: workApiVersion,
        kind: 'ManifestWork',
        metadata: {
          ...workMetadata(addOn, cluster, hostingCluster, index),
          ...(references.length === 0 ? {} : { annotations: { [specHashAnnotation]: hashes(references) } }),
          // Owners cannot be in another namespace.
          ...(hostingCluster !== undefined && hostingCluster !== cluster
            ? {}
            : {
                ownerReferences: [
                  { ...addOnOwner(addOn, ownersApiVersion), controller: true, blockOwnerDeletion: true },
                ],
              }),
        },
        spec: {
          ...(orphans === undefined ? {} : { deleteOption: orphans }),
          ...(manifestConfigs.length === 0 ? {} : { manifestConfigs }),
          workload: {
            manifests: share
              .map(({ object }) => object)
              // Without positions, the order stays.
              .toSorted((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0)) as unknown as NonNullable<
              NonNullable<ManifestWorkV1Spec['workload']>['manifests']
            >,
          },
        },
      }),
    ];
  });
  return { works };
}

// As addon-framework configsToAnnotations.
function hashes(references: readonly ConfigReference[]): string {
  return goJson(
    Object.fromEntries(
      references.map(({ group, resource, namespace = '', name, specHash }) => [
        `${groupResource(group, resource)}/${namespace}/${name}`,
        specHash,
      ]),
    ),
  );
}

/**
 * Applies the API server's changes to a work: nulls are removed, defaults are added, and the metadata of each manifest is read.
 */
export function admitWork(work: ManifestWorkV1): AdmittedWork {
  const schema = findKindVersion(workApiVersion, 'ManifestWork')?.version.schema;
  if (schema === undefined) throw new Error('ManifestWork has a schema');
  const { value, malformed, invalid } = admitEmbedded(dropNulls(work, schema), schema);
  const { name = '', labels = {} } = work.metadata;
  const faults = [...malformed, ...invalid, ...labelFaults(labels)];
  if (faults.length > 0) {
    const reasons = faults.map(({ field, message }) => `${formatFieldPath(field)}: ${message}`).join(', ');
    return {
      error: `ManifestWork.work.open-cluster-management.io "${name}" is invalid: ${reasons}`,
      code: 'FW6007',
    };
  }
  return { work: applyDefaults(value, schema) as ManifestWorkV1 };
}

/** As ValidateLabels: the name of an add-on is the value of a label. */
function labelFaults(
  labels: Readonly<Record<string, string>>,
): readonly { readonly field: FieldPath; readonly message: string }[] {
  return Object.values(labels).flatMap((value) =>
    labelValueErrors(value).map((error) => ({
      field: ['metadata', 'labels'],
      message: `Invalid value: ${goQuote(value)}: ${error}`,
    })),
  );
}
