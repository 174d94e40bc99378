import type {
  AddOnTemplateV1alpha1,
  ManagedClusterAddOnV1beta1RegistrationConfig,
} from '../../../../schemas/types.gen.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { authenticatedGroup, tokenUser, type AddOnOnCluster } from '../../../ocm/agent-identity.ts';
import {
  declaredRegistrations,
  defaultSubject,
  firstPerSigner,
  subjectInGoForm,
  type RegistrationSubject,
} from '../../../ocm/registration.ts';
import { apiServerSigner } from '../../../ocm/signers.ts';

type Registration = ManagedClusterAddOnV1beta1RegistrationConfig;

/** The agent that registers. */
export interface Agent extends AddOnOnCluster {
  readonly hub: HubVersion;
  /** Whether the companion manages it. @default false */
  readonly isCompiled?: boolean;
}

/**
 * Returns `status.registrations` for a template. The driver is the one that the agent wrote there. With tokens, the subject comes from
 * the agent too. As OCM TemplateCSRConfigurationsFunc and addon-framework buildRegistrationConfigs. With compiled delivery, the
 * companion writes one entry per signer, and the subject of tokens.
 *
 * @param existing the registrations that the status already has
 */
export function registrationsFor(
  template: AddOnTemplateV1alpha1,
  agent: Agent,
  existing: readonly Registration[],
): readonly Registration[] {
  const declared = declaredRegistrations(template);
  const repeats = agent.hub.repeatsRegistrations && agent.isCompiled !== true;
  const kubeClients = existing.flatMap(({ type, kubeClient }) => (type === 'kubeClient' ? [kubeClient] : []));
  let kubeClientCount = 0;
  return (repeats ? declared : firstPerSigner(declared)).map(({ type, signerName, subject }) =>
    type === 'KubeClient'
      ? { type: 'kubeClient', kubeClient: kubeClient(agent, kubeClients, kubeClientCount++) }
      : { type: 'customSigner', customSigner: withSubject(signerName, subject ?? defaultSubjectOf(agent)) },
  );
}

/** Returns the subject of the agent for the hub's API server, from the first registration with its signer. */
export function apiServerSubject(
  registrations: readonly Registration[],
): NonNullable<Registration['kubeClient']>['subject'] {
  const registration = registrations.find(
    ({ type, customSigner }) => type === 'kubeClient' || customSigner?.signerName === apiServerSigner,
  );
  return registration?.kubeClient?.subject ?? registration?.customSigner?.subject;
}

function withSubject(
  signerName: string,
  { organizationUnit = [], ...subject }: Subject,
): NonNullable<Registration['customSigner']> {
  const organizationUnits = organizationUnit.length === 0 ? {} : { organizationUnits: organizationUnit };
  return { signerName, subject: { ...subjectInGoForm(subject), ...organizationUnits } };
}

interface Subject extends RegistrationSubject {
  readonly organizationUnit?: readonly string[];
}

/**
 * @param existing - the registrations with the API server's own signer. In v1alpha1, which is stored, all have one driver
 * @param index - the index of this one
 */
function kubeClient(
  agent: Agent,
  existing: readonly (Registration['kubeClient'] | undefined)[],
  index: number,
): NonNullable<Registration['kubeClient']> {
  const driver = existing[0]?.driver;
  return {
    ...(driver === undefined ? {} : { driver }),
    subject: subjectInGoForm(driver === 'token' ? tokenSubject() : defaultSubjectOf(agent)),
  };

  function tokenSubject(): RegistrationSubject {
    if (agent.isCompiled === true) return { user: tokenUser(agent) };
    // A registration that is new is written with the default, which the hub then keeps.
    return index < existing.length ? (existing[index]?.subject ?? {}) : defaultSubjectOf(agent);
  }
}

/** Returns the default subject of an agent on a hub of this release. */
function defaultSubjectOf(agent: Agent): Subject {
  const { user, groups } = defaultSubject(agent);
  return { user, groups: agent.hub.registersAuthenticatedGroup ? [...groups, authenticatedGroup] : groups };
}
