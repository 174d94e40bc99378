import type {
  AddOnTemplateV1alpha1,
  ManagedClusterAddOnV1beta1RegistrationConfig,
} from '../../schemas/types.gen.ts';
import type { HubVersion } from '../hub-version.ts';
import { apiServerSigner, writtenSubject, type RegistrationSubject } from '../api/registration-subject.ts';

type Registration = ManagedClusterAddOnV1beta1RegistrationConfig;

/** The group of all authenticated users. Older hubs registered agents with it. */
export const authenticatedGroup = 'system:authenticated';

/** The agent that registers. */
export interface Agent {
  readonly addOn: string;
  readonly cluster: string;
  readonly hub: HubVersion;
}

/**
 * Returns `status.registrations` for a template, one entry per signer. The driver is the one that the agent wrote there. With
 * tokens, the subject comes from the agent too. As OCM TemplateCSRConfigurationsFunc and addon-framework
 * buildRegistrationConfigs.
 *
 * @param existing the registrations that the status already has
 */
export function registrationsFor(
  template: AddOnTemplateV1alpha1,
  agent: Agent,
  existing: readonly Registration[],
): readonly Registration[] {
  const registrations: Registration[] = [];
  const signers = new Set<string>();
  for (const { type, customSigner } of template.spec.registration ?? []) {
    if (type === 'CustomSigner' && customSigner === undefined) continue;
    const signer = type === 'CustomSigner' ? (customSigner?.signerName ?? '') : apiServerSigner;
    if (signers.has(signer)) continue;
    signers.add(signer);
    registrations.push(
      type === 'KubeClient'
        ? { type: 'kubeClient', kubeClient: kubeClient(defaultSubject(agent), existing) }
        : {
            type: 'customSigner',
            customSigner: withSubject(signer, customSigner?.subject ?? defaultSubject(agent)),
          },
    );
  }
  return registrations;
}

/** Returns the subject of the agent for the hub's API server, from the first registration with its signer. */
export function apiServerSubject(
  registrations: readonly Registration[],
): NonNullable<Registration['kubeClient']>['subject'] {
  const found = registrations.find(
    ({ type, customSigner }) => type === 'kubeClient' || customSigner?.signerName === apiServerSigner,
  );
  return found?.kubeClient?.subject ?? found?.customSigner?.subject;
}

function withSubject(
  signerName: string,
  { organizationUnit = [], ...subject }: Subject,
): NonNullable<Registration['customSigner']> {
  const organizationUnits = organizationUnit.length === 0 ? {} : { organizationUnits: organizationUnit };
  return { signerName, subject: { ...writtenSubject(subject), ...organizationUnits } };
}

interface Subject extends RegistrationSubject {
  readonly organizationUnit?: readonly string[];
}

function kubeClient(
  subject: Subject,
  existing: readonly Registration[],
): NonNullable<Registration['kubeClient']> {
  const held = existing.find(({ type }) => type === 'kubeClient')?.kubeClient;
  const driver = held?.driver;
  return {
    ...(driver === undefined ? {} : { driver }),
    subject: writtenSubject(driver === 'token' ? (held?.subject ?? {}) : subject),
  };
}

/** As addon-framework DefaultUser and DefaultGroups. Templates name their agent after the add-on. */
function defaultSubject({ addOn, cluster, hub }: Agent): Subject {
  const ofCluster = `system:open-cluster-management:cluster:${cluster}:addon:${addOn}`;
  return {
    user: `${ofCluster}:agent:${addOn}-agent`,
    groups: [ofCluster, sharedGroup(addOn), ...(hub.registersAuthenticatedGroup ? [authenticatedGroup] : [])],
  };
}

/** Returns the group that the agents of an add-on have on every cluster. */
export function sharedGroup(addOn: string): string {
  return `system:open-cluster-management:addon:${addOn}`;
}
