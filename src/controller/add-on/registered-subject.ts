import type { Subject } from '../../base/certificates/subject.ts';
import type { Registration } from './registration.ts';
import { authenticatedGroup, groupOnCluster, sharedGroup } from '../../ocm/agent-identity.ts';
import { apiServerSigner } from '../../ocm/signers.ts';

/**
 * Returns the subject that OCM's agent requests for a registration, with its defaults for missing fields
 * (registration/spoke/addon/configuration.go, x509Subject).
 *
 * @param agent Name of the cluster's registration agent, which the default user ends with.
 */
export function registeredSubject(
  { signerName, subject: { user = '', groups = [], organizationUnit = [] } = {} }: Registration,
  { cluster, addOn, agent }: { readonly cluster: string; readonly addOn: string; readonly agent: string },
): Subject {
  const clusterGroup = groupOnCluster({ cluster, addOn });
  return {
    commonName: user === '' ? `${clusterGroup}:agent:${agent}` : user,
    organizations: groups.length === 0 && signerName === apiServerSigner ? [clusterGroup] : groups,
    organizationalUnits: organizationUnit,
  };
}

/**
 * Whether a user of the hub's API server is the add-on's own on this cluster. Whatever a definition contains,
 * certificates for the API server are for these users only: with another one, the hub would mistake the add-on for
 * another user.
 */
export function isIdentityOfAddOn(
  { commonName, organizations }: Subject,
  { cluster, addOn }: { readonly cluster: string; readonly addOn: string },
): boolean {
  const clusterGroup = groupOnCluster({ cluster, addOn });
  const allowedGroups = new Set([clusterGroup, sharedGroup(addOn), authenticatedGroup]);
  const prefix = `${clusterGroup}:agent:`;
  return (
    commonName.startsWith(prefix) &&
    /^[-a-z0-9.]+$/.test(commonName.slice(prefix.length)) &&
    organizations.every((group) => allowedGroups.has(group))
  );
}

/**
 * Whether two registrations request the same. The order of groups does not matter, and an empty list equals a missing
 * one.
 */
export function isSameRegistration(one: Registration, other: Registration): boolean {
  return (
    one.signerName === other.signerName &&
    (one.subject?.user ?? '') === (other.subject?.user ?? '') &&
    isSameInAnyOrder(one.subject?.groups ?? [], other.subject?.groups ?? []) &&
    isSameInAnyOrder(one.subject?.organizationUnit ?? [], other.subject?.organizationUnit ?? [])
  );
}

/** Whether two lists have the same strings, each the same number of times, in any order. */
export function isSameInAnyOrder(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [one.toSorted(), other.toSorted()];
  return left.length === right.length && left.every((text, index) => text === right[index]);
}
