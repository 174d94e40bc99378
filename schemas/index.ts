import {
  addOnGroup as addOn,
  clusterGroup as cluster,
  operatorGroup as operator,
  workGroup as work,
} from './groups.ts';
import * as schemas from './schemas.gen.ts';
import type { StructuralSchema } from './structural-schema.ts';

export type { JsonValue, SchemaType, StructuralSchema, ValidationRule } from './structural-schema.ts';

/** A kind of OCM 1.3 that Fleetwright supports, as its CustomResourceDefinition declares it. */
export interface Kind {
  readonly group: string;
  readonly kind: string;
  /** Lower-case plural: the resource in URLs, RBAC rules and configuration references. */
  readonly plural: string;
  readonly scope: 'Cluster' | 'Namespaced';
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
}

const stored = { served: true, storage: true, status: true } as const;
const servedOnly = { served: true, storage: false, status: true } as const;

/** Every kind that Fleetwright supports, by group and kind. */
export const kinds: readonly Kind[] = [
  {
    group: addOn,
    kind: 'AddOnDeploymentConfig',
    plural: 'addondeploymentconfigs',
    scope: 'Namespaced',
    versions: [
      { name: 'v1alpha1', ...stored, status: false, schema: schemas.addOnDeploymentConfigV1alpha1 },
      { name: 'v1beta1', ...servedOnly, status: false, schema: schemas.addOnDeploymentConfigV1beta1 },
    ],
  },
  {
    group: addOn,
    kind: 'AddOnTemplate',
    plural: 'addontemplates',
    scope: 'Cluster',
    versions: [{ name: 'v1alpha1', ...stored, status: false, schema: schemas.addOnTemplateV1alpha1 }],
  },
  {
    group: addOn,
    kind: 'ClusterManagementAddOn',
    plural: 'clustermanagementaddons',
    scope: 'Cluster',
    versions: [
      { name: 'v1alpha1', ...stored, schema: schemas.clusterManagementAddOnV1alpha1 },
      { name: 'v1beta1', ...servedOnly, schema: schemas.clusterManagementAddOnV1beta1 },
    ],
  },
  {
    group: addOn,
    kind: 'ManagedClusterAddOn',
    plural: 'managedclusteraddons',
    scope: 'Namespaced',
    versions: [
      { name: 'v1alpha1', ...stored, schema: schemas.managedClusterAddOnV1alpha1 },
      { name: 'v1beta1', ...servedOnly, schema: schemas.managedClusterAddOnV1beta1 },
    ],
  },
  {
    group: cluster,
    kind: 'AddOnPlacementScore',
    plural: 'addonplacementscores',
    scope: 'Namespaced',
    versions: [{ name: 'v1alpha1', ...stored, schema: schemas.addOnPlacementScoreV1alpha1 }],
  },
  {
    group: cluster,
    kind: 'ClusterClaim',
    plural: 'clusterclaims',
    scope: 'Cluster',
    versions: [{ name: 'v1alpha1', ...stored, status: false, schema: schemas.clusterClaimV1alpha1 }],
  },
  {
    group: cluster,
    kind: 'ManagedCluster',
    plural: 'managedclusters',
    scope: 'Cluster',
    versions: [{ name: 'v1', ...stored, schema: schemas.managedClusterV1 }],
  },
  {
    group: cluster,
    kind: 'ManagedClusterSet',
    plural: 'managedclustersets',
    scope: 'Cluster',
    versions: [{ name: 'v1beta2', ...stored, schema: schemas.managedClusterSetV1beta2 }],
  },
  {
    group: cluster,
    kind: 'ManagedClusterSetBinding',
    plural: 'managedclustersetbindings',
    scope: 'Namespaced',
    versions: [{ name: 'v1beta2', ...stored, schema: schemas.managedClusterSetBindingV1beta2 }],
  },
  {
    group: cluster,
    kind: 'Placement',
    plural: 'placements',
    scope: 'Namespaced',
    versions: [{ name: 'v1beta1', ...stored, schema: schemas.placementV1beta1 }],
  },
  {
    group: cluster,
    kind: 'PlacementDecision',
    plural: 'placementdecisions',
    scope: 'Namespaced',
    versions: [{ name: 'v1beta1', ...stored, schema: schemas.placementDecisionV1beta1 }],
  },
  {
    group: operator,
    kind: 'ClusterManager',
    plural: 'clustermanagers',
    scope: 'Cluster',
    versions: [{ name: 'v1', ...stored, schema: schemas.clusterManagerV1 }],
  },
  {
    group: operator,
    kind: 'Klusterlet',
    plural: 'klusterlets',
    scope: 'Cluster',
    versions: [{ name: 'v1', ...stored, schema: schemas.klusterletV1 }],
  },
  {
    group: work,
    kind: 'AppliedManifestWork',
    plural: 'appliedmanifestworks',
    scope: 'Cluster',
    versions: [{ name: 'v1', ...stored, schema: schemas.appliedManifestWorkV1 }],
  },
  {
    group: work,
    kind: 'ManifestWork',
    plural: 'manifestworks',
    scope: 'Namespaced',
    versions: [{ name: 'v1', ...stored, schema: schemas.manifestWorkV1 }],
  },
  {
    group: work,
    kind: 'ManifestWorkReplicaSet',
    plural: 'manifestworkreplicasets',
    scope: 'Namespaced',
    versions: [{ name: 'v1alpha1', ...stored, schema: schemas.manifestWorkReplicaSetV1alpha1 }],
  },
];

const byGroupAndKind = new Map(kinds.map((kind) => [`${kind.group}/${kind.kind}`, kind]));

/** Returns the kind of this name in this API group (without version), `undefined` if Fleetwright does not support it. */
export function findKind(group: string, kind: string): Kind | undefined {
  return byGroupAndKind.get(`${group}/${kind}`);
}

/**
 * Returns the version of a kind by an object's `apiVersion` and `kind`; `undefined` if Fleetwright does not support
 * the kind, or OCM does not serve it in this version.
 */
export function findKindVersion(
  apiVersion: string,
  kind: string,
): { readonly kind: Kind; readonly version: KindVersion } | undefined {
  const [group = '', name] = apiVersion.split('/', 2);
  const found = findKind(group, kind);
  const version = found?.versions.find((candidate) => candidate.name === name);
  return found && version && { kind: found, version };
}
