import type { CertificateSigningRequestV1 } from '../../../../controller/hub/approval/certificate-requests.ts';
import { checkContent, type RequestedKey } from '../../../../controller/hub/approval/content.ts';
import type {
  CertificateSigningRequest,
  HubFacts,
  Limits,
} from '../../../../controller/hub/approval/facts.ts';
import { judge } from '../../../../controller/hub/approval/judge.ts';
import type { Refusal, Verdict } from '../../../../controller/hub/approval/verdict.ts';

/** A request as its author sends it. */
export type AskedRequest = Pick<CertificateSigningRequestV1, 'spec'> &
  Pick<CertificateSigningRequest, 'metadata'>;

/** Judges as the controllers do: by the content once everything else fits. */
export async function verdictOn(
  asked: AskedRequest,
  facts: HubFacts,
  limits: Limits,
  decide = judge,
): Promise<Exclude<Verdict, { readonly unread: unknown }>> {
  let found: RequestedKey | Refusal | undefined;
  for (;;) {
    const kept = { ...asked, requestLength: asked.spec.request.length };
    const verdict = decide(kept, facts, limits, () => found);
    if (!('unread' in verdict)) return verdict;
    found = await checkContent(asked.spec.request, verdict.unread, limits);
  }
}
