import { ocmKinds, type OcmKind } from './kinds.ts';
import * as schemas from './schemas.gen.ts';
import { ServedKinds, type ServedVersion } from './served-kinds.ts';
import type { StructuralSchema } from './structural-schema.ts';

export { ServedKinds } from './served-kinds.ts';
export type { JsonValue, SchemaType, StructuralSchema, ValidationRule } from './structural-schema.ts';

/** A kind of OCM 1.3 that Fleetwright supports, as its CustomResourceDefinition declares it. */
export interface Kind extends OcmKind {
  readonly versions: readonly KindVersion[];
}

/** One version of a kind. */
export interface KindVersion {
  readonly name: string;
  /** Whether clients can read and write this version. */
  readonly served: boolean;
  /** Whether the API server stores this version. Exactly one version of a kind is stored. */
  readonly storage: boolean;
  /** Whether the version has the status subresource. If so, a write of the object does not change `status`. */
  readonly status: boolean;
  readonly schema: StructuralSchema;
  /** The fields of a preview that are known from discussions only, because no source code with them was available. */
  readonly announced?: readonly AnnouncedField[];
}

/** A field that is known from discussions only. */
export interface AnnouncedField {
  /** The names of the fields from the object to this one. */
  readonly field: readonly string[];
  /** Whether predictions read it. */
  readonly isPredicted: boolean;
}

const stored = { served: true, storage: true, status: true } as const;
const servedOnly = { served: true, storage: false, status: true } as const;

/** Every kind that Fleetwright supports, by group and kind. */
export const kinds: readonly Kind[] = [
  {
    ...ocmKinds.addOnDeploymentConfig,
    versions: [
      { name: 'v1alpha1', ...stored, status: false, schema: schemas.addOnDeploymentConfigV1alpha1 },
      { name: 'v1beta1', ...servedOnly, status: false, schema: schemas.addOnDeploymentConfigV1beta1 },
    ],
  },
  {
    ...ocmKinds.addOnTemplate,
    versions: [{ name: 'v1alpha1', ...stored, status: false, schema: schemas.addOnTemplateV1alpha1 }],
  },
  {
    ...ocmKinds.clusterManagementAddOn,
    versions: [
      { name: 'v1alpha1', ...stored, schema: schemas.clusterManagementAddOnV1alpha1 },
      { name: 'v1beta1', ...servedOnly, schema: schemas.clusterManagementAddOnV1beta1 },
    ],
  },
  {
    ...ocmKinds.managedClusterAddOn,
    versions: [
      { name: 'v1alpha1', ...stored, schema: schemas.managedClusterAddOnV1alpha1 },
      { name: 'v1beta1', ...servedOnly, schema: schemas.managedClusterAddOnV1beta1 },
    ],
  },
  {
    ...ocmKinds.addOnPlacementScore,
    versions: [{ name: 'v1alpha1', ...stored, schema: schemas.addOnPlacementScoreV1alpha1 }],
  },
  {
    ...ocmKinds.clusterClaim,
    versions: [{ name: 'v1alpha1', ...stored, status: false, schema: schemas.clusterClaimV1alpha1 }],
  },
  {
    ...ocmKinds.managedCluster,
    versions: [{ name: 'v1', ...stored, schema: schemas.managedClusterV1 }],
  },
  {
    ...ocmKinds.managedClusterSet,
    versions: [{ name: 'v1beta2', ...stored, schema: schemas.managedClusterSetV1beta2 }],
  },
  {
    ...ocmKinds.managedClusterSetBinding,
    versions: [{ name: 'v1beta2', ...stored, schema: schemas.managedClusterSetBindingV1beta2 }],
  },
  {
    ...ocmKinds.placement,
    versions: [{ name: 'v1beta1', ...stored, schema: schemas.placementV1beta1 }],
  },
  {
    ...ocmKinds.placementDecision,
    versions: [{ name: 'v1beta1', ...stored, schema: schemas.placementDecisionV1beta1 }],
  },
  {
    ...ocmKinds.clusterManager,
    versions: [{ name: 'v1', ...stored, schema: schemas.clusterManagerV1 }],
  },
  {
    ...ocmKinds.klusterlet,
    versions: [{ name: 'v1', ...stored, schema: schemas.klusterletV1 }],
  },
  {
    ...ocmKinds.appliedManifestWork,
    versions: [{ name: 'v1', ...stored, schema: schemas.appliedManifestWorkV1 }],
  },
  {
    ...ocmKinds.manifestWork,
    versions: [{ name: 'v1', ...stored, schema: schemas.manifestWorkV1 }],
  },
  {
    ...ocmKinds.manifestWorkReplicaSet,
    versions: [{ name: 'v1alpha1', ...stored, schema: schemas.manifestWorkReplicaSetV1alpha1 }],
  },
];

/** The kinds that hubs of all released versions of OCM have. */
export const releasedKinds = new ServedKinds(kinds);

/** Returns the kind of this name in this API group (without version), `undefined` if Fleetwright does not support it. */
export function findKind(group: string, kind: string): Kind | undefined {
  return releasedKinds.find(group, kind);
}

/**
 * Returns the version of a kind by an object's `apiVersion` and `kind`; `undefined` if Fleetwright does not support
 * the kind, or OCM does not serve it in this version.
 */
export function findKindVersion(apiVersion: string, kind: string): ServedVersion | undefined {
  return releasedKinds.findVersion(apiVersion, kind);
}
