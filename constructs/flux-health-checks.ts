import { addOnGroup as addOn } from '../schemas/groups.ts';
import { addonManager, lifecycleAnnotation } from '../src/ocm/lifecycle.ts';

/** A health check of Flux: CEL expressions over an object of this kind. */
export interface FluxHealthCheck {
  /** Flux uses one check per group and kind, for all versions. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Whether to wait. Evaluated first. @default - if neither of the others is true */
  readonly inProgress?: string;
  /** Whether the object has failed. @default - never */
  readonly failed?: string;
  /** Whether the object is healthy. */
  readonly current: string;
}

/** Joins the lines of an expression. */
function cel(...lines: readonly string[]): string {
  return lines.join(' ');
}

const isInstalledByHub = cel(
  "spec.?installStrategy.?type.orValue('') == 'Placements'",
  `&& metadata.?annotations[?'${lifecycleAnnotation}'].orValue('${addonManager}') == '${addonManager}'`,
);

const addOnChecks: readonly FluxHealthCheck[] = [
  {
    apiVersion: `${addOn}/v1alpha1`,
    kind: 'ClusterManagementAddOn',
    // Until the status contains every configuration of Git, it describes an earlier commit.
    inProgress: cel(
      isInstalledByHub,
      '&& spec.installStrategy.?placements.orValue([]).exists(q,',
      '!status.?installProgressions.orValue([]).exists(p, p.name == q.name && p.namespace == q.namespace',
      '&& q.?configs.orValue([]).all(w, p.?configReferences.orValue([]).exists(r, r.resource == w.resource',
      "&& r.?desiredConfig.?name.orValue('') == w.name",
      "&& r.?desiredConfig.?namespace.orValue('') == w.?namespace.orValue('')))))",
    ),
    failed: cel(
      isInstalledByHub,
      '&& status.?installProgressions.orValue([]).exists(p, p.?conditions.orValue([]).exists(c,',
      "c.type == 'Progressing' && c.?message.orValue('').matches('[1-9][0-9]* (failed|timeout)')))",
    ),
    // A placement that selects no cluster stays at 0/0.
    current: cel(
      `!(${isInstalledByHub})`,
      '|| spec.installStrategy.?placements.orValue([]).all(q,',
      'status.?installProgressions.orValue([]).exists(p, p.name == q.name && p.namespace == q.namespace',
      "&& p.?conditions.orValue([]).exists(c, c.type == 'Progressing'",
      "&& (c.status != 'True' || c.?message.orValue('').startsWith('0/0 ')))))",
    ),
  },
  {
    apiVersion: `${addOn}/v1alpha1`,
    kind: 'ManagedClusterAddOn',
    // The hub writes ConfigurationUnsupported before the wave of the cluster, and fills in supportedConfigs with the wave.
    failed: cel(
      "status.conditions.exists(c, c.type == 'Degraded' && c.status == 'True')",
      "|| status.conditions.exists(c, c.status == 'False' && c.type in ['HostingClusterValidity', 'RegistrationApplied',",
      "'HostingManifestApplied', 'ManifestApplied', 'Available'])",
      "|| status.conditions.exists(c, c.type == 'Progressing' && (c.reason == 'Failed'",
      "|| (c.reason == 'ConfigurationUnsupported' && status.?supportedConfigs.orValue([]).size() > 0)))",
      "|| status.conditions.exists(c, c.type == 'Available' && c.status == 'Unknown'",
      "&& !(c.reason in ['NoProbeResult', 'ManagedClusterAddOnLeaseNotFound']))",
    ),
    current: cel(
      "status.conditions.exists(c, c.type == 'Available' && c.status == 'True')",
      "&& status.conditions.all(c, c.type != 'Configured' || c.status == 'True')",
      "&& status.conditions.all(c, c.type != 'Progressing' || c.reason == 'Completed')",
    ),
  },
];

/**
 * The health checks of OCM's kinds. Without them each object is ready for Flux as soon as the API server has it.
 *
 * @example
 * const source = new FluxGitRepository(chart, 'add-ons', { url: 'https://git.example.com/add-ons.git' });
 * new FluxKustomization(chart, 'hello', { source, path: './dist/hello', healthChecks: ocmHealthChecks });
 */
export const ocmHealthChecks: readonly FluxHealthCheck[] = [
  // Fewer clusters than requested, or none, are a valid decision.
  {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    failed: cel(
      "status.conditions.exists(c, c.type == 'PlacementMisconfigured' && c.status == 'True')",
      "|| status.conditions.exists(c, c.reason in ['NoManagedClusterSetBindings', 'NoIntersection'])",
    ),
    current: "status.conditions.exists(c, c.type == 'PlacementSatisfied')",
  },
  ...addOnChecks,
  {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    inProgress: cel(
      "!status.conditions.exists(c, c.type == 'Applied'",
      '&& c.?observedGeneration.orValue(0) >= metadata.?generation.orValue(0))',
    ),
    failed: cel(
      "status.conditions.exists(c, c.type == 'Degraded' && c.status == 'True')",
      "|| status.conditions.exists(c, c.type in ['Applied', 'Available'] && c.status == 'False')",
    ),
    current: cel(
      "status.conditions.exists(c, c.type == 'Available' && c.status == 'True')",
      "&& status.conditions.all(c, c.type != 'Progressing' || c.status != 'True')",
    ),
  },
  {
    apiVersion: 'work.open-cluster-management.io/v1alpha1',
    kind: 'ManifestWorkReplicaSet',
    failed: cel(
      "status.conditions.exists(c, c.type == 'PlacementVerified' && c.reason == 'NotAsExpected')",
      '|| status.?summary.?degraded.orValue(0) > 0',
    ),
    current: cel(
      "status.conditions.exists(c, c.type == 'PlacementVerified' && c.reason == 'PlacementDecisionEmpty')",
      "|| ['PlacementVerified', 'ManifestworkApplied'].all(t,",
      "status.conditions.exists(c, c.type == t && c.status == 'True'))",
      "&& (status.conditions.exists(c, c.type == 'PlacementRolledOut' && c.status == 'True')",
      '|| status.?placementSummary.orValue([]).all(p,',
      "p.?availableDecisionGroups.orValue('').contains(' clusters applied)')",
      "&& p.availableDecisionGroups.split('(')[1].split(' ')[0] == p.availableDecisionGroups.split('(')[1].split(' ')[2]))",
    ),
  },
];
