import type { Stored } from '../../../client/object.ts';
import type { Controller } from '../../queue/controller.ts';
import { source } from '../../queue/controller.ts';
import type { Declaration } from '../registration/declarations.ts';
import type { CertificateContext } from './certificate-context.ts';
import type { CachedRequest } from './certificate-requests.ts';
import { claimOf } from './judge.ts';
import { grpcServer } from './requester.ts';
import type { Grant } from './verdict.ts';
import type { AddOnOnCluster } from '../../../ocm/agent-identity.ts';

/** Returns the log fields that connect a certificate with its request: the requester, the add-on and the template. */
export function requestAudit(
  { metadata, spec }: Stored<CachedRequest>,
  claim: AddOnOnCluster,
  { template }: Pick<Declaration, 'template'>,
): object {
  const { signerName: signer, username: requester } = spec;
  const onBehalfOf = metadata.annotations?.[grpcServer.userAnnotation];
  return {
    request: metadata.name,
    uid: metadata.uid,
    ...claim,
    signer,
    requester,
    ...(requester === grpcServer.user && { onBehalfOf }),
    template: template?.name,
    templateGeneration: template?.generation,
  };
}

/** Returns the log fields with the content that a request is entitled to. */
export function grantAudit({ subject, dnsNames, fingerprint, expirationSeconds }: Grant): object {
  return { subject, dnsNames, publicKeySha256: fingerprint, expirationSeconds };
}

/**
 * Writes one log line for each issued certificate, regardless of its approver and signer. A replica that starts to
 * lead writes those of the last hour again, which is how long Kubernetes keeps their requests. So no line is lost
 * with a process.
 */
export function issuanceController({ hub, requests, declarations }: CertificateContext): Controller {
  /** The uids of requests whose certificate is in the log, by their names. */
  const logged = new Map<string, string>();
  return {
    name: 'certificate-issuance',
    sources: [
      source(requests, ({ before, after }) =>
        after?.issued !== undefined || before?.issued !== undefined ? [(after ?? before).metadata.name] : [],
      ),
    ],
    partyOf: (name) => requests.store.get(name)?.party ?? '',
    reconcile: async (name) => {
      const request = requests.store.get(name);
      if (request?.issued === undefined) {
        logged.delete(name);
        return undefined;
      }
      const claim = claimOf(request);
      const declaration = claim && declarations(claim);
      if (claim === undefined || declaration === undefined || logged.get(name) === request.metadata.uid)
        return undefined;
      logged.set(name, request.metadata.uid);
      const { fingerprint: sha256, ...issued } = request.issued;
      const fields = { ...requestAudit(request, claim, declaration), ...issued, sha256 };
      hub.log.info({ ...fields, publicKeySha256: request.fingerprint }, 'a certificate was issued');
      return undefined;
    },
  };
}
