import { createPublicKey, type KeyObject } from 'node:crypto';
import { dnsNames, extension } from '../../../../src/base/certificates/extensions.ts';
import { oids } from '../../../../src/base/certificates/object-identifiers.ts';
import type { CertificateSigningRequestV1 } from '../../../../src/controller/hub/approval/certificate-requests.ts';
import type { HubFacts } from '../../../../src/controller/hub/approval/facts.ts';
import type { Registration } from '../../../../src/controller/add-on/registration.ts';
import {
  attribute,
  forge,
  inBase64,
  newKey,
  type ForgedRequest,
} from '../../../base/certificates/forged-request.ts';
import type { SentRequest } from './verdict-on.ts';
import { clusterNameLabel, addOnNameLabel } from '../../../../src/ocm/labels.ts';

/** The add-on hello on cluster1, with a certificate for the hub's API server and one of its own signer. */
export const ownGroup = 'system:open-cluster-management:cluster:cluster1:addon:hello';
export const user = `${ownGroup}:agent:hello-agent`;
export const groups = [ownGroup, 'system:open-cluster-management:addon:hello'];
export const dnsName = 'hello.addon.open-cluster-management.io';

export const registrations: readonly Registration[] = [
  { signerName: 'kubernetes.io/kube-apiserver-client', subject: { user, groups } },
  {
    signerName: 'example.com/hello',
    subject: { user: 'hello', groups: ['readers'], organizationUnit: ['edge'] },
  },
];

/** A hub on which cluster1 is accepted and hello registered. */
export const hub: HubFacts = {
  cluster: { metadata: { name: 'cluster1' }, spec: { hubAcceptsClient: true } },
  addOn: { metadata: { name: 'hello' }, status: { registrations } },
  declared: registrations,
  approvedWithKey: () => [],
  recentApprovals: 0,
};

/** The subject that hello registers with the API server. */
export const subject = [
  groups.map((group) => attribute(oids.organization, group)),
  [attribute(oids.commonName, user)],
];

export const alternativeName = extension(oids.subjectAlternativeName, dnsNames([dnsName]));

/** What OCM's agent asks for, except where it is said otherwise. */
export function forged(parts: Partial<ForgedRequest> = {}): string {
  return inBase64(forge({ name: subject, extensions: [alternativeName], ...parts }));
}

/** What is asked of the signer of the add-on's own. */
export function forgedForOwnSigner(): string {
  return forged({
    name: [
      [attribute(oids.organization, 'readers')],
      [attribute(oids.organizationalUnit, 'edge')],
      [attribute(oids.commonName, 'hello')],
    ],
  });
}

/** The request of OCM's agent, except where it is said otherwise. */
export function request({
  spec,
  metadata,
}: {
  readonly spec?: Partial<SentRequest['spec']>;
  readonly metadata?: Partial<CertificateSigningRequestV1['metadata']>;
} = {}): SentRequest & Pick<CertificateSigningRequestV1, 'apiVersion' | 'kind'> {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: {
      name: 'addon-cluster1-hello-x7k2p',
      labels: { [clusterNameLabel]: 'cluster1', [addOnNameLabel]: 'hello' },
      ...metadata,
    },
    spec: {
      request: forged(),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['digital signature', 'key encipherment', 'client auth'],
      username: 'system:open-cluster-management:cluster1:x7f2q',
      groups: [
        'system:open-cluster-management:cluster1',
        'system:open-cluster-management:managed-clusters',
        'system:authenticated',
      ],
      ...spec,
    },
  };
}

/** The SubjectPublicKeyInfo of a key. */
export function publicPart(key: KeyObject = newKey()): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}
