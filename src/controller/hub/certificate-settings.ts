import { duration, flag, list, integer, type Values } from '../configuration/settings.ts';
import { defaultLimits, type Limits } from './approval/facts.ts';
import { allowedSignerFault } from './signing/allowed-signer.ts';

/** Settings of the approval and signing of certificates. */
export const certificateSettings = {
  deny: flag({
    describe: 'permanently deny certificate requests that fail a check; by default, they remain pending',
    default: false,
  }),
  trustGrpcServer: flag({
    describe: "allow OCM's gRPC server to request certificates for the agents that are connected to it",
    default: false,
  }),
  approvalLimit: integer(1, 1000, {
    describe: 'maximum number of approved certificate requests per add-on and cluster within the window',
    default: defaultLimits.approvals,
  }),
  approvalWindow: duration('1m', '1h', { describe: 'window of --approval-limit', default: '10m' }),
  openRequests: integer(1, 1000, {
    describe:
      'maximum number of concurrently checked certificate requests per add-on and cluster; later ones wait',
    default: defaultLimits.openRequests,
  }),
  maxCertificateLifetime: duration('10m', '8760h', {
    describe: 'maximum certificate lifetime for any signer; requests for a longer lifetime are rejected',
    default: '8760h',
  }),
  clusterSigningDuration: duration('10m', '8760h', {
    describe:
      "default lifetime of certificates for the hub's API server: --cluster-signing-duration of kube-controller-manager",
    default: '8760h',
  }),
  certificateLifetime: duration('10m', '8760h', {
    describe:
      'default lifetime of certificates that the companion signs; shorter requests and maxCertificateLifetime take precedence',
    default: '24h',
  }),
  signer: list(
    {
      describe:
        'custom signer and the Secret of its CA, SIGNER=NAMESPACE/SECRET, with :ADD-ON for a single add-on; other signers are ignored',
      default: [],
      defaultDescription: 'the signers in templates',
    },
    allowedSignerFault,
  ),
};

type CertificateSettings = Values<typeof certificateSettings>;

/** Returns the limits that the settings define. */
export function limitsOf(settings: CertificateSettings): Limits {
  return {
    ...defaultLimits,
    approvals: settings.approvalLimit,
    openRequests: settings.openRequests,
    lifetime: settings.maxCertificateLifetime / 1000,
    apiServerLifetime: settings.clusterSigningDuration / 1000,
    grpcServer: settings.trustGrpcServer,
  };
}
