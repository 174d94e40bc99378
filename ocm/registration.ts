import type { AddOnTemplateV1alpha1, AddOnTemplateV1alpha1Subject } from '../schemas/types.gen.ts';
import { agentUser, groupOnCluster, sharedGroup, type AddOnOnCluster } from './agent-identity.ts';
import { apiServerSigner } from './signers.ts';

/** The user and the groups of an agent for a signer. */
export interface RegistrationSubject {
  readonly user?: string;
  readonly groups?: readonly string[];
}

/** A registration that a template declares. */
export interface DeclaredRegistration {
  readonly type: 'KubeClient' | 'CustomSigner';
  readonly signerName: string;
  /** The subject in the template; undefined for the default subject. */
  readonly subject: AddOnTemplateV1alpha1Subject | undefined;
}

/**
 * Returns the registrations of a template, one for each signer: the first. As OCM TemplateCSRConfigurationsFunc and
 * addon-framework buildRegistrationConfigs.
 */
export function declaredRegistrations(template: AddOnTemplateV1alpha1): readonly DeclaredRegistration[] {
  const bySigner = new Map<string, DeclaredRegistration>();
  for (const { type, customSigner } of template.spec.registration ?? []) {
    if (type === 'CustomSigner' && customSigner === undefined) continue;
    const [signerName, subject] =
      type === 'CustomSigner'
        ? [customSigner?.signerName ?? '', customSigner?.subject]
        : [apiServerSigner, undefined];
    if (!bySigner.has(signerName)) bySigner.set(signerName, { type, signerName, subject });
  }
  return [...bySigner.values()];
}

/** Returns the subject of an agent whose template has none. As addon-framework DefaultUser and DefaultGroups. */
export function defaultSubject(onCluster: AddOnOnCluster): Required<RegistrationSubject> {
  return {
    user: agentUser(onCluster),
    groups: [groupOnCluster(onCluster), sharedGroup(onCluster.addOn)],
  };
}

/** Returns a subject as Go writes it: always with a user, and with groups if there are any. */
export function subjectInGoForm({ user = '', groups = [] }: RegistrationSubject = {}): RegistrationSubject & {
  readonly user: string;
} {
  return { user, ...(groups.length === 0 ? {} : { groups }) };
}
