/** The signer of client certificates for the hub's API server. As certificates/v1 KubeAPIServerClientSignerName. */
export const apiServerSigner = 'kubernetes.io/kube-apiserver-client';

/** The identity of an agent for a signer. */
export interface RegistrationSubject {
  readonly user?: string;
  readonly groups?: readonly string[];
}

/** Returns a subject as Go writes it: always with a user, and with groups if there are any. */
export function writtenSubject({ user = '', groups = [] }: RegistrationSubject = {}): RegistrationSubject {
  return { user, ...(groups.length === 0 ? {} : { groups }) };
}
