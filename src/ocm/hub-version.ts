import { cel026, cel028, cel029, type CelBehaviour } from '../engines/cel/behaviour.ts';
import type { KubernetesMinor } from '../base/typed/minor.ts';
import type { ReadPosition } from './referent.ts';
import { releasedKinds, type ServedKinds } from '../../schemas/index.ts';
import { unverifiedKinds } from '../../schemas/preview-kinds.ts';

/** The supported OCM releases. 1.3.1 is the reference. No hub has confirmed the predictions for 1.4 and 1.5. */
export const hubVersionNames = ['1.1', '1.2', '1.3', '1.4', '1.5'] as const;
/** An OCM release, such as `1.3`. */
export type HubVersionName = (typeof hubVersionNames)[number];
/** The release of hubs for which none is set. */
export const defaultHubVersion: HubVersionName = '1.3';

/** The API versions in which a hub may accept, and may return, its add-on kinds. */
export type AddOnApiVersion = 'v1alpha1' | 'v1beta1';

/**
 * The differences between releases, as named behaviors. Phases check a behavior, never a version, so a new release is a new row
 * here.
 */
export interface HubVersion {
  readonly name: HubVersionName;
  /**
   * What the behaviors are known from: a hub of the release that the tests ask, the source and the lists of a release, or, for a
   * release that does not exist yet, OCM's pull requests.
   */
  readonly knownFrom: 'hub' | 'source' | 'pull requests';
  /** The API versions of ClusterManagementAddOn and ManagedClusterAddOn that every such hub serves. */
  readonly addOnApiVersions: readonly AddOnApiVersion[];
  /** Whether the default groups of agents end with `system:authenticated`, which later releases no longer request. */
  readonly registersAuthenticatedGroup: boolean;
  /** Whether a signer that a template lists several times has several registrations. Earlier releases take the first of a signer. */
  readonly repeatsRegistrations: boolean;
  /**
   * Whether the hub generates the names of the works of a ManifestWorkReplicaSet, so that each of its Placements has a separate work on
   * a cluster. In earlier releases, the work has the name of the set.
   */
  readonly generatesWorkNames: boolean;
  /**
   * Whether the progress of a placement counts the add-ons that it configures, including those with separate configurations.
   * Earlier releases count all clusters that it selects, and never count add-ons with separate configurations as done.
   */
  readonly countsConfiguredAddOns: boolean;
  /**
   * Whether annotations of a cluster with the add-on prefix are copied to its ManagedClusterAddOns: to those that the hub
   * creates, and, whenever they change, to all that placements install.
   */
  readonly copiesClusterAnnotations: boolean;
  /** The API version in which controllers write ManagedClusterAddOns and reference them as owners. */
  readonly controllersApiVersion: AddOnApiVersion;
  /** The label that makes a Job or Pod of an add-on a pre-delete hook. The annotation is the same in all releases. */
  readonly preDeleteHookLabel: string;
  /**
   * The Kubernetes minor release whose types the hub uses to convert Deployments and DaemonSets.
   *
   * @internal
   */
  readonly kubernetesMinor: KubernetesMinor;
  /** Whether Placements have `sortBy` and `scoreRateLimit`, with defaults. No release implements them. */
  readonly servesPlacementSorting: boolean;
  /** Whether the configurations of one kind that a placement names keep their order. Earlier releases order them randomly. */
  readonly keepsConfigOrder: boolean;
  /**
   * Which of several configurations of one kind the hub's renderer of templates reads, according to the addon-framework that the hub
   * is built with.
   */
  readonly templatesRead: ReadPosition;
  /** Whether managers that are as new as the hub discover the cluster that hosts an add-on from what its klusterlet reports. */
  readonly discoversHostingClusters: boolean;
  /** Whether the hub creates the objects from which agents get tokens. Agents of earlier releases have certificates only. */
  readonly createsTokenInfrastructure: boolean;
  /** Whether the webhook for works rejects a work that has an object twice. */
  readonly rejectsDuplicateManifests: boolean;
  /** Whether the hub reads the annotation of ManagedClusters that ignores the difference of their clocks. */
  readonly readsClockAnnotation: boolean;
  /**
   * The kinds of OCM, with the versions and the fields that the API server accepts.
   *
   * @internal
   */
  readonly kinds: ServedKinds;
  /**
   * The CEL behavior of placements, according to the version of cel-go that the hub is built with.
   *
   * @internal
   */
  readonly cel: CelBehaviour;
}

const release14: HubVersion = {
  name: '1.4',
  knownFrom: 'source',
  addOnApiVersions: ['v1alpha1', 'v1beta1'],
  registersAuthenticatedGroup: false,
  repeatsRegistrations: true,
  generatesWorkNames: true,
  countsConfiguredAddOns: true,
  copiesClusterAnnotations: true,
  controllersApiVersion: 'v1beta1',
  preDeleteHookLabel: 'addon.open-cluster-management.io/addon-pre-delete',
  kubernetesMinor: 35,
  servesPlacementSorting: true,
  keepsConfigOrder: true,
  templatesRead: 'last',
  discoversHostingClusters: true,
  createsTokenInfrastructure: true,
  readsClockAnnotation: true,
  rejectsDuplicateManifests: true,
  kinds: unverifiedKinds('1.4'),
  cel: cel029,
};

const versions: Readonly<Record<HubVersionName, HubVersion>> = {
  '1.1': {
    name: '1.1',
    knownFrom: 'hub',
    addOnApiVersions: ['v1alpha1'],
    registersAuthenticatedGroup: true,
    repeatsRegistrations: false,
    generatesWorkNames: false,
    countsConfiguredAddOns: false,
    copiesClusterAnnotations: false,
    controllersApiVersion: 'v1alpha1',
    preDeleteHookLabel: 'open-cluster-management.io/addon-pre-delete',
    kubernetesMinor: 33,
    servesPlacementSorting: false,
    keepsConfigOrder: false,
    templatesRead: 'first',
    discoversHostingClusters: false,
    createsTokenInfrastructure: false,
    readsClockAnnotation: false,
    rejectsDuplicateManifests: false,
    kinds: releasedKinds,
    cel: cel026,
  },
  '1.2': {
    name: '1.2',
    knownFrom: 'hub',
    addOnApiVersions: ['v1alpha1', 'v1beta1'],
    registersAuthenticatedGroup: true,
    repeatsRegistrations: false,
    generatesWorkNames: false,
    countsConfiguredAddOns: false,
    copiesClusterAnnotations: false,
    controllersApiVersion: 'v1alpha1',
    preDeleteHookLabel: 'open-cluster-management.io/addon-pre-delete',
    kubernetesMinor: 34,
    servesPlacementSorting: false,
    keepsConfigOrder: false,
    templatesRead: 'first',
    discoversHostingClusters: false,
    createsTokenInfrastructure: true,
    readsClockAnnotation: false,
    rejectsDuplicateManifests: true,
    kinds: releasedKinds,
    cel: cel026,
  },
  '1.3': {
    name: '1.3',
    knownFrom: 'hub',
    addOnApiVersions: ['v1alpha1', 'v1beta1'],
    registersAuthenticatedGroup: false,
    repeatsRegistrations: true,
    generatesWorkNames: true,
    countsConfiguredAddOns: true,
    copiesClusterAnnotations: true,
    controllersApiVersion: 'v1beta1',
    preDeleteHookLabel: 'addon.open-cluster-management.io/addon-pre-delete',
    kubernetesMinor: 35,
    servesPlacementSorting: true,
    keepsConfigOrder: false,
    templatesRead: 'first',
    discoversHostingClusters: false,
    createsTokenInfrastructure: true,
    readsClockAnnotation: false,
    rejectsDuplicateManifests: true,
    kinds: releasedKinds,
    cel: cel028,
  },
  '1.4': release14,
  // It is expected to differ by the fields that its kinds have.
  '1.5': { ...release14, name: '1.5', knownFrom: 'pull requests', kinds: unverifiedKinds('1.5') },
};

/** Returns the behaviors of a release. */
export function hubVersion(name: HubVersionName): HubVersion {
  return versions[name];
}
