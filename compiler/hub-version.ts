import { cel026, cel028, type CelBehaviour } from './cel/behaviour.ts';

/** The OCM releases whose behaviour is known. 1.3.1 is the reference. */
export const hubVersionNames = ['1.1', '1.2', '1.3'] as const;
export type HubVersionName = (typeof hubVersionNames)[number];

/** The API versions in which a hub may be given, and may show, its add-on kinds. */
export type AddOnApiVersion = 'v1alpha1' | 'v1beta1';

/** The minor releases of Kubernetes that hubs are built with. */
export type KubernetesMinor = 33 | 34 | 35;

/**
 * What differs between releases, as named behaviours. Phases ask for a behaviour, never for a version, so that a new
 * release is a new row here.
 */
export interface HubVersion {
  readonly name: HubVersionName;
  /** API versions of ClusterManagementAddOn and ManagedClusterAddOn that every such hub serves. */
  readonly addOnApiVersions: readonly AddOnApiVersion[];
  /** Whether agents' default groups end with `system:authenticated`, which later releases no longer request. */
  readonly registersAuthenticatedGroup: boolean;
  /**
   * Whether the progress of a placement counts the add-ons that it configures, also those with configurations of their
   * own. Earlier releases count all clusters that it selects, and add-ons with configurations of their own never as done.
   */
  readonly countsConfiguredAddOns: boolean;
  /**
   * Whether annotations of a cluster with the prefix of add-ons are copied to its ManagedClusterAddOns: to those that the
   * hub makes, and whenever they change to all that placements install.
   */
  readonly copiesClusterAnnotations: boolean;
  /** The API version in which controllers write ManagedClusterAddOns and name them as owners. */
  readonly controllersApiVersion: AddOnApiVersion;
  /** The label that makes a Job or Pod of an add-on run before the deletion; the annotation is the same everywhere. */
  readonly preDeleteHookLabel: string;
  /** The minor release of Kubernetes whose types the hub converts Deployments and DaemonSets through. */
  readonly kubernetesMinor: KubernetesMinor;
  /** Whether Placements have `sortBy` and `scoreRateLimit`, with defaults. No release does anything with them. */
  readonly servesPlacementSorting: boolean;
  /** How the CEL of placements behaves, by the version of cel-go that the hub is built with. */
  readonly cel: CelBehaviour;
}

const versions: Readonly<Record<HubVersionName, HubVersion>> = {
  '1.1': {
    name: '1.1',
    addOnApiVersions: ['v1alpha1'],
    registersAuthenticatedGroup: true,
    countsConfiguredAddOns: false,
    copiesClusterAnnotations: false,
    controllersApiVersion: 'v1alpha1',
    preDeleteHookLabel: 'open-cluster-management.io/addon-pre-delete',
    kubernetesMinor: 33,
    servesPlacementSorting: false,
    cel: cel026,
  },
  '1.2': {
    name: '1.2',
    addOnApiVersions: ['v1alpha1', 'v1beta1'],
    registersAuthenticatedGroup: true,
    countsConfiguredAddOns: false,
    copiesClusterAnnotations: false,
    controllersApiVersion: 'v1alpha1',
    preDeleteHookLabel: 'open-cluster-management.io/addon-pre-delete',
    kubernetesMinor: 34,
    servesPlacementSorting: false,
    cel: cel026,
  },
  '1.3': {
    name: '1.3',
    addOnApiVersions: ['v1alpha1', 'v1beta1'],
    registersAuthenticatedGroup: false,
    countsConfiguredAddOns: true,
    copiesClusterAnnotations: true,
    controllersApiVersion: 'v1beta1',
    preDeleteHookLabel: 'addon.open-cluster-management.io/addon-pre-delete',
    kubernetesMinor: 35,
    servesPlacementSorting: true,
    cel: cel028,
  },
};

/** The behaviours of a release. */
export function hubVersion(name: HubVersionName): HubVersion {
  return versions[name];
}
