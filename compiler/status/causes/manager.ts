import { moment } from '../../../kubernetes/rfc3339.ts';
import { addOnCondition, causeOf, isFalse, type CauseRule } from '../evidence.ts';

/** How long a manager may take to notice an add-on, in milliseconds. */
const patience = 5000;

/** Every manager reports the registration first, whether the add-on has one or not. */
export const managerRule: CauseRule = (evidence) => {
  const { addOn, now, observed } = evidence;
  if (observed === undefined) return undefined;
  const registered = addOnCondition(evidence, 'RegistrationApplied');
  if (isFalse(registered)) {
    const { reason, message, lastTransitionTime } = registered;
    return causeOf('permissions-failed', `${reason}: ${message}`, lastTransitionTime);
  }
  if (registered !== undefined) return undefined;
  const created = observed.metadata.creationTimestamp ?? undefined;
  if (now - (moment(created) ?? 0) < patience)
    return causeOf('hub-pending', 'the add-on is new, and its manager has not reported yet', created);
  const managers = {
    compiled: 'the companion does not run, or does not handle it',
    hub: addOn.template
      ? "OCM's addon-manager does not run, or does not handle it"
      : 'its own manager does not run on the hub',
  } as const;
  return causeOf(
    'manager-silent',
    `no manager has reported RegistrationApplied: ${managers[addOn.delivery === 'compiled' ? 'compiled' : 'hub']}`,
    created,
  );
};

/** A manager that cannot write the works. As applyWork and buildDeployManifestWorksFunc of addon-framework's agentdeploy. */
export const workWriterRule: CauseRule = (evidence) => {
  const applied = addOnCondition(evidence, 'ManifestApplied');
  if (!isFalse(applied) || applied.reason !== 'ManifestWorkApplyFailed') return undefined;
  const { message, lastTransitionTime } = applied;
  if (/exceeds the limit|too large|larger than/i.test(message))
    return causeOf('work-too-large', message, lastTransitionTime);
  const code = message.startsWith('failed to apply manifestWork') ? 'work-refused' : 'template-refused';
  return causeOf(code, message, lastTransitionTime);
};
