import type { AddOnTemplateV1alpha1, AddOnTemplateV1alpha1Subject } from '../../schemas/types.gen.ts';
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

/** Returns the registrations of a template, in order. As OCM TemplateCSRConfigurationsFunc. */
export function declaredRegistrations(template: AddOnTemplateV1alpha1): readonly DeclaredRegistration[] {
  return (template.spec.registration ?? []).flatMap(({ type, customSigner }): DeclaredRegistration[] => {
    if (type !== 'CustomSigner') return [{ type, signerName: apiServerSigner, subject: undefined }];
    if (customSigner === undefined) return [];
    return [{ type, signerName: customSigner.signerName, subject: customSigner.subject }];
  });
}

/** Returns the first registration for each signer. */
export function firstPerSigner(
  registrations: readonly DeclaredRegistration[],
): readonly DeclaredRegistration[] {
  const signers = new Set<string>();
  return registrations.filter(({ signerName }) => signers.size !== signers.add(signerName).size);
}

/**
 * Returns the name of the Secret into which the registration agent of a cluster writes the credentials for a signer. As
 * getRegistrationConfigs of OCM's registration agent.
 */
export function registrationSecret(addOn: string, signerName: string): string {
  return signerName === apiServerSigner
    ? `${addOn}-hub-kubeconfig`
    : `${addOn}-${signerName.replaceAll('/', '-')}-client-cert`;
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
