import { randomBytes } from 'node:crypto';
import type { Stored } from '../../../client/object.ts';
import { keyOfName, type ObjectName } from '../../../client/object.ts';
import type { Controller } from '../../queue/controller.ts';
import type { ReconcileResult } from '../../queue/workers.ts';
import { reportRefusal, reportUnserved, type CertificateContext } from '../approval/certificate-context.ts';
import { certificateSigningRequests, type CachedRequest } from '../approval/certificate-requests.ts';
import { hubFacts } from '../approval/hub-facts.ts';
import { claimOf, judgeEntitlement } from '../approval/judge.ts';
import { changedRequests, openRequests } from '../approval/open-requests.ts';
import type { Grant, Refusal, Verdict } from '../approval/verdict.ts';
import type { Declaration } from '../registration/declarations.ts';
import { UnfitAuthority, type Authority } from './authority.ts';
import { AuthoritySecrets } from './authority-secrets.ts';
import { issueCertificate } from './issue.ts';
import { isKubernetesSigner } from '../../../ocm/signers.ts';
import { type AddOnOnCluster } from '../../../ocm/agent-identity.ts';

/** Octets of a serial number: 128 bits, all of them random, so that the next one cannot be predicted. */
const serialNumberOctets = 16;

/**
 * How long to wait before an authority that cannot sign is checked again, in milliseconds: its Secret is read, not
 * watched.
 */
const retry = 10_000;

/**
 * Signs approved requests for the signers whose authority an add-on names. Regardless of its approver, a request is signed
 * only if it still matches its registration.
 */
export function signingController(context: CertificateContext): Controller {
  const { requests, hub } = context;
  const authorities = new AuthoritySecrets(hub.client, hub.clock);
  return {
    name: 'certificate-signing',
    workers: hub.settings.workers,
    sources: [changedRequests(context), ...openRequests(context)],
    partyOf: (name) => requests.store.get(name)?.party ?? '',
    reconcile: async (name, { signal }) => {
      const request = requests.store.get(name);
      if (request?.state !== 'approved') return undefined;
      return await signApproved(request, authorities, context, signal);
    },
  };
}

async function signApproved(
  request: Stored<CachedRequest>,
  authorities: AuthoritySecrets,
  context: CertificateContext,
  signal: AbortSignal,
): Promise<ReconcileResult | undefined> {
  const { hub, requests, refusals, declarations, contents, metrics } = context;
  const claim = claimOf(request);
  const { name, resourceVersion } = request.metadata;
  const { signerName: signer } = request.spec;
  const declared = claim && declarations(claim);
  // Requests of other add-ons, and certificates of Kubernetes' own signers, are signed elsewhere.
  if (claim === undefined || declared === undefined) {
    refusals.clear(name);
    return undefined;
  }
  if (isKubernetesSigner(signer)) return undefined;
  const first = entitlement(request, claim, declared, context);
  if ('unread' in first) {
    return (await contents.read(request, first.unread, signal)) ? { requeueAfter: 0 } : undefined;
  }
  const secret = declared.authorities.get(signer);
  if (!first.approved) return await refuse(request, claim, first.refusal, context);
  if (secret === undefined) return undefined;

  const authority = await readable(authorities, secret, signal);
  // The change of a request enqueues it again, if it still exists: a report about it now would stay.
  if (requests.store.get(name)?.metadata.resourceVersion !== resourceVersion) return undefined;
  // Check again, so that nothing is signed that was withdrawn while the authority was read.
  const declaration = declarations(claim);
  const stillNamed = declaration?.authorities.get(signer);
  if (declaration === undefined || stillNamed === undefined) return undefined;
  // The authority has changed: the change that selects it enqueues the request again.
  if (keyOfName(stillNamed) !== keyOfName(secret)) return undefined;
  const verdict = entitlement(request, claim, declaration, context);
  if ('unread' in verdict) return { requeueAfter: 0 };
  if (!verdict.approved) return await refuse(request, claim, verdict.refusal, context);
  if (authority instanceof UnfitAuthority) {
    const { message } = authority;
    if (await reportUnserved(request, claim, { reason: 'AuthorityUnfit', message }, context)) {
      metrics.failed.inc({ signer });
    }
    return { requeueAfter: retry };
  }
  await store(request, issue(verdict.grant, authority, context), context);
  metrics.signed.inc({ signer });
  hub.log.info({ request: name, ...claim, signer, authority: keyOfName(secret) }, 'signed a certificate');
  return undefined;
}

/** Whether an approved request is still entitled to its certificate. */
function entitlement(
  request: Stored<CachedRequest>,
  claim: AddOnOnCluster,
  declaration: Declaration,
  { hub, approvals, contents, limits }: CertificateContext,
): Verdict {
  const facts = hubFacts(claim, declaration, hub.informers, approvals);
  return judgeEntitlement(request, facts, limits, contents.of(request));
}

/** Reports the check that an approved request fails. */
async function refuse(
  request: Stored<CachedRequest>,
  claim: AddOnOnCluster,
  { check, message }: Refusal,
  context: CertificateContext,
): Promise<undefined> {
  await reportRefusal(
    request,
    claim,
    { check, message: `it is approved, but not signed: ${message}` },
    context,
  );
  return undefined;
}

async function readable(
  authorities: AuthoritySecrets,
  secret: ObjectName,
  signal: AbortSignal,
): Promise<Authority | UnfitAuthority> {
  try {
    return await authorities.read(secret, signal);
  } catch (error) {
    if (error instanceof UnfitAuthority) return error;
    throw error;
  }
}

function issue(grant: Grant, authority: Authority, { hub, limits }: CertificateContext): string {
  return issueCertificate(grant, authority, {
    now: hub.clock.now(),
    lifetime: Math.min(hub.settings.certificateLifetime / 1000, limits.lifetime),
    serialNumber: randomBytes(serialNumberOctets),
  });
}

/**
 * Issues a certificate. The API server rejects it with a conflict if the request has changed since it was read, so
 * none is issued twice.
 */
async function store(
  { metadata: { name, resourceVersion } }: Stored<CachedRequest>,
  certificate: string,
  { hub }: CertificateContext,
): Promise<void> {
  await hub.client.merge(
    certificateSigningRequests,
    { name },
    { metadata: { resourceVersion }, status: { certificate: Buffer.from(certificate).toString('base64') } },
    { subresource: 'status', once: true },
  );
}
