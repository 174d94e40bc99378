/**
 * The annotation of a ManagedCluster whose clock may differ from that of the hub. As SkipClockSyncCheckAnnotation of OCM's main
 * branch.
 */
export const clockAnnotation = 'registration.open-cluster-management.io/skip-clock-sync-check';
