import { timestamp } from '../../../client/clock.ts';
import type { Stored } from '../../../client/object.ts';
import type { Controller } from '../../queue/controller.ts';
import type { ReconcileResult } from '../../queue/workers.ts';
import { grantAudit, requestAudit } from './audit.ts';
import { reportRefusal, type CertificateContext } from './certificate-context.ts';
import {
  certificateSigningRequests,
  claimKey,
  type CachedRequest,
  type RequestCondition,
} from './certificate-requests.ts';
import { hubFacts } from './hub-facts.ts';
import { claimOf, judge } from './judge.ts';
import { changedRequests, isJudged, openRequests } from './open-requests.ts';
import type { Check, Refusal } from './verdict.ts';
import { isKubernetesSigner } from '../../../ocm/signers.ts';

/**
 * Checks whose result may change while the request stays the same: with the hub, or with time. These requests are
 * never denied.
 */
const passing: ReadonlySet<Check> = new Set([
  'labels',
  'signer',
  'cluster',
  'add-on',
  'registration',
  'limit',
  'backlog',
]);

/** Approves the requests that match a registration, and reports the failed check of the others. */
export function approvalController(context: CertificateContext): Controller {
  const { requests, refusals, contents } = context;
  return {
    name: 'certificate-approval',
    workers: context.hub.settings.workers,
    sources: [changedRequests(context), ...openRequests(context)],
    partyOf: (name) => requests.store.get(name)?.party ?? '',
    reconcile: async (name, { signal }) => {
      const request = requests.store.get(name);
      if (request?.state === 'pending') return await decide(request, context, signal);
      if (request === undefined || request.state === 'closed') refusals.clear(name);
      // If it was only approved, the signer of its certificate still needs its content.
      if (request?.state !== 'approved' || isKubernetesSigner(request.spec.signerName)) contents.forget(name);
      return undefined;
    },
  };
}

async function decide(
  request: Stored<CachedRequest>,
  context: CertificateContext,
  signal: AbortSignal,
): Promise<ReconcileResult | undefined> {
  const { hub, requests, approvals, refusals, declarations, contents, limits, metrics } = context;
  const claim = claimOf(request);
  const declaration = claim && declarations(claim);
  // Other approvers decide on requests of other add-ons.
  if (claim === undefined || declaration === undefined) {
    refusals.clear(request.metadata.name);
    return undefined;
  }
  if (!isJudged(requests, request, limits.openRequests)) {
    const message = `${limits.openRequests} older requests of ${claim.addOn} on ${claim.cluster} are still open: it waits for them`;
    return await refuse(request, claim, { check: 'backlog', message }, context);
  }
  const facts = hubFacts(claim, declaration, hub.informers, approvals);
  const verdict = judge(request, facts, limits, contents.of(request));
  if ('unread' in verdict) {
    // The hub may change while the content is read, so everything is judged again, at the next turn of its party.
    return (await contents.read(request, verdict.unread, signal)) ? { requeueAfter: 0 } : undefined;
  }
  if (!verdict.approved) return await refuse(request, claim, verdict.refusal, context);

  const { name } = request.metadata;
  approvals.assume(name, { claim: claimKey(claim), fingerprint: verdict.grant.fingerprint });
  try {
    await addCondition(
      request,
      {
        type: 'Approved',
        reason: 'FitsRegistration',
        message: `It fits what ${claim.addOn} registers on ${claim.cluster}.`,
      },
      context,
    );
  } catch (error) {
    approvals.forget(name);
    throw error;
  }
  refusals.clear(name);
  metrics.approved.inc();
  hub.log.info(
    { ...requestAudit(request, claim, declaration), ...grantAudit(verdict.grant) },
    'approved a certificate request',
  );
  return undefined;
}

async function refuse(
  request: Stored<CachedRequest>,
  claim: { readonly cluster: string; readonly addOn: string },
  refusal: Refusal,
  context: CertificateContext,
): Promise<ReconcileResult | undefined> {
  const { hub, approvals, metrics } = context;
  await reportRefusal(request, claim, refusal, context);
  if (refusal.check === 'limit') {
    const [oldest = hub.clock.now()] = approvals
      .recent(claimKey(claim))
      .toSorted((one, other) => one - other);
    return { requeueAfter: Math.max(1000, oldest + hub.settings.approvalWindow - hub.clock.now()) };
  }
  if (!hub.settings.deny || passing.has(refusal.check)) return undefined;
  await addCondition(
    request,
    { type: 'Denied', reason: 'DoesNotFitRegistration', message: `${refusal.check}: ${refusal.message}` },
    context,
  );
  metrics.denied.inc();
  hub.log.warn(
    { request: request.metadata.name, ...claim, check: refusal.check },
    'denied a certificate request',
  );
  return undefined;
}

/** Approves or denies. The API server rejects it with a conflict if the request has changed since it was read. */
async function addCondition(
  { metadata: { name, resourceVersion }, conditions }: Stored<CachedRequest>,
  decision: Pick<RequestCondition, 'type' | 'reason' | 'message'>,
  { hub }: CertificateContext,
): Promise<void> {
  const lastUpdateTime = timestamp(hub.clock.now());
  const condition = { ...decision, status: 'True', lastUpdateTime, lastTransitionTime: lastUpdateTime };
  await hub.client.merge(
    certificateSigningRequests,
    { name },
    { metadata: { resourceVersion }, status: { conditions: [...conditions, condition] } },
    { subresource: 'approval', once: true },
  );
}
