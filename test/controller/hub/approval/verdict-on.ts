import {
  cachedRequest,
  type CertificateSigningRequestV1,
} from '../../../../src/controller/hub/approval/certificate-requests.ts';
import { checkContent, type RequestedKey } from '../../../../src/controller/hub/approval/content.ts';
import type {
  CertificateSigningRequest,
  HubFacts,
  Limits,
} from '../../../../src/controller/hub/approval/facts.ts';
import { judge } from '../../../../src/controller/hub/approval/judge.ts';
import type { Refusal, Verdict } from '../../../../src/controller/hub/approval/verdict.ts';

/** A request as its sender wrote it. */
export type SentRequest = {
  readonly spec: CertificateSigningRequest['spec'] & { readonly request: string };
  readonly metadata: CertificateSigningRequestV1['metadata'] & { readonly name: string };
};

/**
 * What becomes of a request: as the controllers do it, it is judged by what the cache keeps of it, and by its content once everything
 * else fits.
 */
export async function verdictOn(
  { metadata, spec }: SentRequest,
  facts: HubFacts,
  limits: Limits,
  decide = judge,
): Promise<Exclude<Verdict, { readonly unread: unknown }>> {
  const stored = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { uid: 'uid', resourceVersion: '1', creationTimestamp: '2026-01-31T12:00:00Z', ...metadata },
    spec,
  };
  // Nothing is kept of a request without both labels.
  const kept = cachedRequest(stored, limits) ?? { ...stored, requestLength: spec.request.length };
  let found: RequestedKey | Refusal | undefined;
  for (;;) {
    const verdict = decide(kept, facts, limits, () => found);
    if (!('unread' in verdict)) return verdict;
    found = await checkContent(spec.request, verdict.unread, limits);
  }
}
