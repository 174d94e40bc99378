import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { addOnCondition, causeOf, isFalse, isRecent, type CauseRule } from '../evidence.ts';

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
  return isRecent(created, now)
    ? causeOf('hub-pending', 'the add-on is new, and its manager has not reported yet', created)
    : causeOf('manager-silent', silence('RegistrationApplied', addOn), created);
};

/** A manager that stopped before it reported the progress of a configuration. */
export const progressRule: CauseRule = (evidence) => {
  const { addOn, now, observed, progress } = evidence;
  if (progress !== 'Progressing' && progress !== 'Failed') return undefined;
  if (addOnCondition(evidence, 'Progressing') !== undefined) return undefined;
  const times = (observed?.status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime);
  const last = times.sort().at(-1);
  return isRecent(last, now)
    ? causeOf(
        'hub-pending',
        'the add-on is configured, and its manager has not reported Progressing yet',
        last,
      )
    : causeOf('manager-silent', silence('Progressing', addOn), last);
};

function silence(condition: string, { delivery, template }: ResolvedAddOn): string {
  const byHub = template
    ? "OCM's addon-manager does not run, or does not handle it"
    : 'its own manager does not run on the hub';
  const why = delivery === 'compiled' ? 'the companion does not run, or does not handle it' : byHub;
  return `no manager has reported ${condition}: ${why}`;
}

/**
 * The texts of the API server that rejects a work: that of applyWork, those of webhooks and policies, and of apimachinery's NewInvalid,
 * NewForbidden and NewRequestEntityTooLargeError. Managers of other versions quote them without more.
 */
const rejections =
  /^failed to (?:apply|create|update|patch) manifestwork|admission webhook|denied the request|ValidatingAdmissionPolicy|exceeded quota|manifestworks?\.work\.open-cluster-management\.io\b.* is (?:invalid|forbidden)|request is too large|etcdserver:/i;

/** A manager that cannot write the works. As applyWork and buildDeployManifestWorksFunc of addon-framework's agentdeploy. */
export const workWriterRule: CauseRule = (evidence) => {
  const applied = addOnCondition(evidence, 'ManifestApplied');
  if (!isFalse(applied) || applied.reason !== 'ManifestWorkApplyFailed') return undefined;
  const { message, lastTransitionTime } = applied;
  if (/exceeds the (?:\d+ )?limit|too large|larger than|too long: may not be more than/i.test(message))
    return causeOf('work-too-large', message, lastTransitionTime);
  // As apimachinery's NewConflict: another controller wrote the work at the same time, and the manager tries again.
  if (message.includes('the object has been modified; please apply your changes to the latest version'))
    return causeOf(
      'hub-pending',
      'its manager tries again to write a work that changed meanwhile',
      lastTransitionTime,
    );
  const code = rejections.test(message) ? 'work-refused' : 'template-refused';
  return causeOf(code, message, lastTransitionTime);
};
