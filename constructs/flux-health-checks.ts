/** How Flux tells from an object's status whether it is well: CEL over the object. */
export interface FluxHealthCheck {
  readonly apiVersion: string;
  readonly kind: string;
  /** Whether to go on waiting. Asked first. @default - where neither of the others holds */
  readonly inProgress?: string;
  /** Whether to give up. @default - never */
  readonly failed?: string;
  /** Whether the object is well. */
  readonly current: string;
}

const addOn = 'addon.open-cluster-management.io';

/** An expression over several lines, as one. */
function cel(...lines: readonly string[]): string {
  return lines.join(' ');
}

function addOnChecks(apiVersion: string): FluxHealthCheck[] {
  return [
    {
      apiVersion,
      kind: 'ClusterManagementAddOn',
      failed: cel(
        "spec.?installStrategy.?type.orValue('') == 'Placements'",
        "&& metadata.?annotations[?'addon.open-cluster-management.io/lifecycle'].orValue('') != 'self'",
        '&& status.?installProgressions.orValue([]).exists(p, p.?conditions.orValue([]).exists(c,',
        "c.type == 'Progressing' && c.?message.orValue('').matches('[1-9][0-9]* (failed|timeout)')))",
      ),
      // What the status says has to be of the configurations that Git has. A placement that selects no cluster stays at 0/0.
      current: cel(
        "spec.?installStrategy.?type.orValue('') != 'Placements'",
        "|| metadata.?annotations[?'addon.open-cluster-management.io/lifecycle'].orValue('') == 'self'",
        '|| spec.installStrategy.?placements.orValue([]).all(q,',
        'status.?installProgressions.orValue([]).exists(p, p.name == q.name && p.namespace == q.namespace',
        '&& q.?configs.orValue([]).all(w, p.?configReferences.orValue([]).exists(r, r.resource == w.resource',
        "&& r.?desiredConfig.?name.orValue('') == w.name",
        "&& r.?desiredConfig.?namespace.orValue('') == w.?namespace.orValue('')))",
        "&& p.?conditions.orValue([]).exists(c, c.type == 'Progressing'",
        "&& (c.status != 'True' || c.?message.orValue('').startsWith('0/0 ')))))",
      ),
    },
    {
      apiVersion,
      kind: 'ManagedClusterAddOn',
      failed: cel(
        "status.conditions.exists(c, c.type == 'Degraded' && c.status == 'True')",
        "|| status.conditions.exists(c, c.status == 'False' && c.type in ['HostingClusterValidity', 'RegistrationApplied',",
        "'HostingManifestApplied', 'ManifestApplied', 'Available'])",
        "|| status.conditions.exists(c, c.type == 'Progressing' && c.reason in ['Failed', 'ConfigurationUnsupported'])",
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
}

/** Whether OCM's objects are well. Without these Flux takes each of them for ready as soon as the API server has it. */
export const ocmHealthChecks: readonly FluxHealthCheck[] = [
  // Fewer clusters than wanted, or none, are a decision like any other.
  {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    failed: cel(
      "status.conditions.exists(c, c.type == 'PlacementMisconfigured' && c.status == 'True')",
      "|| status.conditions.exists(c, c.reason in ['NoManagedClusterSetBindings', 'NoIntersection'])",
    ),
    current: "status.conditions.exists(c, c.type == 'PlacementSatisfied')",
  },
  {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    failed: cel(
      "status.conditions.exists(c, c.type == 'HubDeniedManagedCluster' && c.status == 'True')",
      "|| status.conditions.exists(c, c.type == 'ManagedClusterConditionAvailable' && c.status != 'True')",
    ),
    current:
      "status.conditions.exists(c, c.type == 'ManagedClusterConditionAvailable' && c.status == 'True')",
  },
  ...addOnChecks(`${addOn}/v1alpha1`),
  ...addOnChecks(`${addOn}/v1beta1`),
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
