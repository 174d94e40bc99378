import { moment } from '../../../base/time/rfc3339.ts';
import { apiServerSigner } from '../../../ocm/signers.ts';
import { tokenInfrastructureReady, usesToken } from '../../../ocm/token-infrastructure.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { addOnCondition, causeOf, isFalse, isRecent, type CauseRule } from '../evidence.ts';
import type { ObservedAddOn } from '../observation.ts';

/** The condition in which OCM's registration agent reports its token. */
export const tokenRefreshed = 'TokenRefreshed';

/** The token of the agent: nothing on the hub has prepared it, the agent cannot request it, or it ended. */
export const tokenRule: CauseRule = (evidence) => {
  const { addOn, now, observed } = evidence;
  if (!usesToken(observed?.status ?? {})) return undefined;
  const ready = addOnCondition(evidence, tokenInfrastructureReady);
  if (isFalse(ready))
    return causeOf('token-unprepared', `${ready.reason}: ${ready.message}`, ready.lastTransitionTime);
  if (ready === undefined) {
    const times = (observed?.status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime);
    const last = times.sort().at(-1);
    return isRecent(last, now)
      ? causeOf('hub-pending', 'the agent registers with a token, and the hub has not prepared it yet', last)
      : causeOf('token-unprepared', unprepared(addOn), last);
  }
  const refreshed = addOnCondition(evidence, tokenRefreshed);
  const expiry = tokenExpiryOf(refreshed?.message);
  if (isFalse(refreshed))
    return causeOf('token-failed', `${refreshed.reason}: ${refreshed.message}`, refreshed.lastTransitionTime);
  return expiry === undefined || (moment(expiry) ?? Infinity) > now
    ? undefined
    : causeOf('token-expired', 'the token has expired, and the agent has requested no other', expiry);
};

function unprepared({ delivery }: ResolvedAddOn): string {
  const why =
    delivery === 'compiled'
      ? "OCM's addon-manager does not run, and the companion does not run with tokenRegistration"
      : "OCM's addon-manager does not run";
  return `the agent registers with a token, and nothing has created its ServiceAccount: ${why}`;
}

/** Returns the end of the token, in RFC 3339, from the message of OCM's registration agent. */
export function tokenExpiryOf(message = ''): string | undefined {
  return /, expires at (\S+)$/.exec(message)?.[1];
}

/** Returns the signers whose certificates the agent has: that of the hub's API server, unless it has a token, and those of the add-on. */
export function signersOf({ status = {} }: ObservedAddOn): readonly string[] {
  const signers = (status.registrations ?? []).map(
    ({ signerName, customSigner }) => signerName ?? customSigner?.signerName ?? apiServerSigner,
  );
  return usesToken(status) ? signers.filter((signer) => signer !== apiServerSigner) : signers;
}
