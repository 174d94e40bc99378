import type { HubVersion } from '../../../compiler/hub-version.ts';
import type { Answer } from './recording.ts';

interface Registration {
  readonly subject?: { readonly groups?: readonly string[] };
}

/** The group of every agent's own registration; those with it have the groups that the addon-framework gives by default. */
const defaultGroup = 'system:open-cluster-management:addon:';

/**
 * The answer of a 1.3 hub as a hub of another release gives it: the behaviours in which releases differ are applied, and
 * everything else has to be the same.
 */
export function ofRelease(
  answer: Answer,
  { registersAuthenticatedGroup, defaultsHealthCheck }: HubVersion,
): Answer {
  return Object.fromEntries(
    Object.entries(answer).map(([key, object]) => {
      if (object['kind'] !== 'ManagedClusterAddOn') return [key, object];
      const registrations = object['registrations'] as readonly Registration[];
      return [
        key,
        {
          ...object,
          ...(registersAuthenticatedGroup ? { registrations: registrations.map(withAuthenticated) } : {}),
          ...(!defaultsHealthCheck && object['healthCheck'] === 'Lease' ? { healthCheck: '' } : {}),
        },
      ];
    }),
  );
}

function withAuthenticated(registration: Registration): Registration {
  const groups = registration.subject?.groups ?? [];
  if (!groups.some((group) => group.startsWith(defaultGroup))) return registration;
  return {
    ...registration,
    subject: { ...registration.subject, groups: [...groups, 'system:authenticated'] },
  };
}
