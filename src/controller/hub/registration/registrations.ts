import { tokenUser, type AddOnOnCluster } from '../../../ocm/agent-identity.ts';
import {
  declaredRegistrations,
  defaultSubject,
  firstPerSigner,
  subjectInGoForm,
} from '../../../ocm/registration.ts';
import type {
  AddOnTemplateV1alpha1,
  AddOnTemplateV1alpha1Subject,
  ManagedClusterAddOnV1alpha1RegistrationConfig,
} from '../../../../schemas/types.gen.ts';

type Registration = ManagedClusterAddOnV1alpha1RegistrationConfig;

/**
 * Returns `status.registrations` of an add-on on a cluster according to its template. With tokens, the agent is a
 * ServiceAccount.
 *
 * @param driver `status.kubeClientDriver`, which the cluster's agent writes
 */
export function registrationsFor(
  template: AddOnTemplateV1alpha1,
  onCluster: AddOnOnCluster,
  driver: 'csr' | 'token' | undefined,
): readonly Registration[] {
  return firstPerSigner(declaredRegistrations(template)).map(({ type, signerName, subject }) => {
    if (type === 'KubeClient' && driver === 'token')
      return { signerName, subject: { user: tokenUser(onCluster) } };
    return { signerName, subject: subject === undefined ? defaultSubject(onCluster) : asGoWrites(subject) };
  });
}

/** Returns a subject as Go writes it: without empty lists. */
function asGoWrites({
  organizationUnit = [],
  ...subject
}: AddOnTemplateV1alpha1Subject): Registration['subject'] & object {
  return { ...subjectInGoForm(subject), ...(organizationUnit.length > 0 && { organizationUnit }) };
}
