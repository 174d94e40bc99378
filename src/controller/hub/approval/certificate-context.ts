import type { Counter } from 'prom-client';
import type { Stored } from '../../../client/object.ts';
import type { Metrics } from '../../operation/metrics.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { Approvals } from './approvals.ts';
import { claimKey, others, type CachedRequest, type RequestInformer } from './certificate-requests.ts';
import type { Declarations } from '../registration/declarations.ts';
import type { Limits } from './facts.ts';
import type { RefusalReports } from './refusal-reports.ts';
import type { Refusals } from './refusals.ts';
import type { RequestContents } from './request-contents.ts';
import { checks, type Check, type Refusal } from './verdict.ts';

/** The parts of the hub context that certificates need. */
export type CertificateHub = Omit<ControllerContext, 'configs' | 'ownerVersion'>;

/** The context of the controllers of certificates. */
export interface CertificateContext {
  readonly hub: CertificateHub;
  readonly requests: RequestInformer;
  readonly declarations: Declarations;
  readonly approvals: Approvals;
  readonly refusals: Refusals;
  readonly refusalReports: RefusalReports;
  readonly contents: RequestContents;
  readonly limits: Limits;
  readonly metrics: CertificateMetrics;
}

export interface CertificateMetrics {
  readonly approved: Counter;
  readonly refused: Counter<'check'>;
  readonly denied: Counter;
  readonly signed: Counter<'signer'>;
  readonly failed: Counter<'signer'>;
}

/** Returns counters of certificates. They begin at 0, so that rates are correct from the start. */
export function certificateMetrics(metrics: Metrics): CertificateMetrics {
  const refused = metrics.counter('certificate_requests_refused_total', 'Requests that failed a check', [
    'check',
  ]);
  for (const check of checks) refused.inc({ check }, 0);
  return {
    approved: metrics.counter('certificate_requests_approved_total', 'Requests that were approved', []),
    refused,
    denied: metrics.counter('certificate_requests_denied_total', 'Requests that were denied', []),
    signed: metrics.counter('certificates_signed_total', 'Certificates that were signed', ['signer']),
    failed: metrics.counter(
      'certificate_signing_failures_total',
      'Approved requests that could not be signed',
      ['signer'],
    ),
  };
}

/** Returns a check as a reason of conditions and Events: `key-reuse` is `KeyReuseRefused`. */
export function reasonOf(check: Check): string {
  const words = check.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Refused`;
}

type Claim = { readonly cluster: string; readonly addOn: string };

/** Reports once that a request failed a check: in Events and the log within the budget, and in the add-on's condition. */
export async function reportRefusal(
  request: Stored<CachedRequest>,
  claim: Claim,
  { check, message }: Refusal,
  context: CertificateContext,
): Promise<void> {
  const isNews = await reportUnserved(request, claim, { reason: reasonOf(check), message }, context);
  if (isNews) context.metrics.refused.inc({ check });
}

/** Reports once why a request has no certificate. Returns whether that is new. */
export async function reportUnserved(
  request: Stored<CachedRequest>,
  claim: Claim,
  { reason, message }: { readonly reason: string; readonly message: string },
  { hub, refusals, refusalReports }: CertificateContext,
): Promise<boolean> {
  const { name, creationTimestamp: created } = request.metadata;
  const isFromAgent = request.party !== others;
  const line = `${name}: ${message}`;
  const key = claimKey(claim);
  if (!refusals.record(key, { request: name, reason, message: line, isFromAgent, created })) return false;
  await refusalReports.report({
    // Requests of other writers prove nothing, so all of them share one budget.
    party: isFromAgent ? key : others,
    request,
    claim,
    addOn: isFromAgent ? hub.informers.managedClusterAddOns.store.get(key) : undefined,
    reason,
    message,
  });
  return true;
}
