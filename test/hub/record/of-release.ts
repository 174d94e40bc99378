import type { HubVersion } from '../../../src/ocm/hub-version.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { isOfKind, ocmKinds } from '../client/kinds.ts';
import type { Answer } from './recording.ts';

interface Registration {
  readonly signerName?: string;
  readonly subject?: { readonly groups?: readonly string[] };
}

/** The group of every agent's own registration; those with it have the groups that the addon-framework gives by default. */
const defaultGroup = 'system:open-cluster-management:addon:';

/**
 * The result of a 1.3 hub for a scenario in the form of another release: the behaviors in which releases differ are
 * applied, and everything else has to be the same.
 */
export function ofRelease(
  answer: Answer,
  input: readonly KubernetesObject[],
  { registersAuthenticatedGroup, repeatsRegistrations, controllersApiVersion }: HubVersion,
): Answer {
  const converted = new Set(input.filter(isWrittenInBeta).map(keyOf));
  return Object.fromEntries(
    Object.entries(answer).map(([key, object]) => {
      if (object['kind'] !== 'ManagedClusterAddOn') return [key, object];
      const recorded = object['registrations'] as readonly Registration[];
      const registrations = repeatsRegistrations ? recorded : firstPerSigner(recorded);
      const loses = controllersApiVersion === 'v1alpha1' && !converted.has(key);
      return [
        key,
        {
          ...object,
          registrations: registersAuthenticatedGroup ? registrations.map(withAuthenticated) : registrations,
          ...(loses && object['healthCheck'] === 'Lease' ? { healthCheck: '' } : {}),
        },
      ];
    }),
  );
}

function isWrittenInBeta(object: KubernetesObject): boolean {
  return isOfKind(object, ocmKinds.managedClusterAddOn) && object.apiVersion.endsWith('/v1beta1');
}

/** As answers name objects. */
function keyOf({ kind, metadata: { namespace = '', name = '' } }: KubernetesObject): string {
  return `${kind}/${namespace}/${name}`;
}

function firstPerSigner(registrations: readonly Registration[]): readonly Registration[] {
  const signers = registrations.map(({ signerName }) => signerName);
  return registrations.filter(({ signerName }, index) => signers.indexOf(signerName) === index);
}

function withAuthenticated(registration: Registration): Registration {
  const groups = registration.subject?.groups ?? [];
  if (!groups.some((group) => group.startsWith(defaultGroup))) return registration;
  return {
    ...registration,
    subject: { ...registration.subject, groups: [...groups, 'system:authenticated'] },
  };
}
