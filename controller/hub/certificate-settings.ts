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
  certificateLifetime: duration('10m', '8760h', {
    describe: 'how long certificates live that are signed here, unless less is asked for',
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

/** The limits that settings set. */
export function limitsOf(settings: Values<typeof certificateSettings>): Limits {
  return { ...defaultLimits, approvals: settings.approvalLimit, grpcServer: settings.trustGrpcServer };
}
