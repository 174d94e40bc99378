import { tokenInfrastructureReady } from './token-infrastructure.ts';

/**
 * The condition types of a ManagedClusterAddOn that the companion decides on. It caches them, and the policies that
 * confine it allow it to write them and no others.
 */
export const companionConditions = [
  'Available',
  'CertificateRequestsServed',
  'Configured',
  'HookManifestCompleted',
  'HostingClusterValidity',
  'HostingManifestApplied',
  'ManifestApplied',
  'Progressing',
  'RegistrationApplied',
  tokenInfrastructureReady,
] as const;

/** A condition type that the companion may write. */
export type CompanionCondition = (typeof companionConditions)[number];
