import { duration, flag, list, whole, type Values } from '../configuration/settings.ts';
import { defaultLimits, type Limits } from './approval/facts.ts';
import { allowedSignerFault } from './signing/allowed-signer.ts';

/** Settings of how certificates are approved and signed. */
export const certificateSettings = {
  deny: flag({
    describe: 'deny certificate requests that fail a check for good; otherwise they are left pending',
    default: false,
  }),
  trustGrpcServer: flag({
    describe: "let OCM's gRPC server ask for certificates in the name of the agents that are connected to it",
    default: false,
  }),
  approvalLimit: whole(1, 1000, {
    describe: 'how many certificate requests of an add-on on a cluster are approved within the window',
    default: defaultLimits.approvals,
  }),
  approvalWindow: duration('1m', '1h', { describe: 'the window of that limit', default: '10m' }),
  openRequests: whole(1, 1000, {
    describe:
      'maximum number of open certificate requests of an add-on on a cluster that are judged; later ones wait',
    default: defaultLimits.openRequests,
  }),
  maxCertificateLifetime: duration('10m', '8760h', {
    describe: 'maximum lifetime of certificates of any signer; requests for a longer one are refused',
    default: '8760h',
  }),
  clusterSigningDuration: duration('10m', '8760h', {
    describe:
      "lifetime of certificates for the hub's API server where a request asks for none: --cluster-signing-duration of kube-controller-manager",
    default: '8760h',
  }),
  certificateLifetime: duration('10m', '8760h', {
    describe:
      'lifetime of certificates that are signed here, unless a request asks for less or maxCertificateLifetime is less',
    default: '24h',
  }),
  signer: list(
    {
      describe:
        "a signer of add-ons' own and the Secret of its authority, SIGNER=NAMESPACE/SECRET, with :ADD-ON for one add-on alone; no others are used",
      default: [],
      defaultDescription: 'those that templates name',
    },
    allowedSignerFault,
  ),
};

type CertificateSettings = Values<typeof certificateSettings>;

/** The limits that settings set. */
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
