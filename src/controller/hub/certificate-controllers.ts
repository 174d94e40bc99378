import type { Controller } from '../queue/controller.ts';
import { approvalController } from './approval/approval-controller.ts';
import { issuanceController } from './approval/audit.ts';
import { Approvals } from './approval/approvals.ts';
import type {
  CertificateContext,
  CertificateHub,
  CertificateMetrics,
} from './approval/certificate-context.ts';
import { conditionController } from './approval/condition-controller.ts';
import { RefusalReports, refusalSummaryController } from './approval/refusal-reports.ts';
import { RequestContents } from './approval/request-contents.ts';
import { Refusals } from './approval/refusals.ts';
import { limitsOf } from './certificate-settings.ts';
import { declarationsOf } from './registration/declarations.ts';
import { parseAllowedSigner } from './signing/allowed-signer.ts';
import { signingController } from './signing/signing-controller.ts';

export interface CertificateOptions {
  readonly metrics: CertificateMetrics;
  /** The default namespace of the Secrets of authorities. */
  readonly namespace: string;
}

/**
 * Returns the controllers that approve the certificate requests of add-ons, sign some of them, and report why others
 * are refused.
 */
export function certificateControllers(
  hub: CertificateHub,
  { metrics, namespace }: CertificateOptions,
): readonly Controller[] {
  const { informers, settings, clock } = hub;
  const limits = limitsOf(settings);
  const requests = informers.certificateRequests;
  const context: CertificateContext = {
    hub,
    requests,
    metrics,
    declarations: declarationsOf(informers, {
      named: settings.addOn,
      namespace,
      signers: settings.signer.flatMap((text) => parseAllowedSigner(text) ?? []),
    }),
    approvals: new Approvals(requests, clock, settings.approvalWindow),
    refusals: new Refusals(),
    refusalReports: new RefusalReports(hub.events, hub.log, clock),
    contents: new RequestContents(hub.client, limits),
    limits,
  };
  return [
    approvalController(context),
    signingController(context),
    issuanceController(context),
    conditionController(context),
    refusalSummaryController(context.refusalReports),
  ];
}
