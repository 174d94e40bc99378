import { conditionOf } from '../../../base/objects/condition.ts';
import type { CauseCode } from '../cause-table.ts';
import { causeOf, isFalse, isRecent, type CauseRule, type ClusterCause } from '../evidence.ts';
import type { ObservedWork } from '../observation.ts';

/** The errors of the managed cluster's API server, as the work agent quotes them. */
const errors: readonly (readonly [RegExp, CauseCode])[] = [
  [
    /admission webhook|denied the request|violates PodSecurity|ValidatingAdmissionPolicy/i,
    'manifest-refused',
  ],
  [/conflict with|Apply failed with \d+ conflict/i, 'manifest-conflict'],
  [/namespaces "[^"]*" not found|namespace .* is being terminated/i, 'manifest-namespace-missing'],
  [
    /no matches for kind|could not find the requested resource|doesn't have a resource type/i,
    'manifest-kind-missing',
  ],
  // of a StatefulSet, a claim and a Service
  [
    /field is immutable|immutable after creation|cannot change roleRef|updates to statefulset spec|may not change once set/i,
    'manifest-immutable',
  ],
  [/forbidden|not allowed|unauthorized/i, 'manifest-forbidden'],
];

/** Works that the agent of the cluster cannot apply, or has not applied yet. */
export const workRule: CauseRule = ({ details, progress, now }) => {
  const works = details.works.filter((work) => !isHookWork(work));
  const failed = failureOf(works);
  if (failed !== undefined) return failed;
  const silent = works.find((work) => !hasReported(work));
  if (silent === undefined || progress === 'missing' || progress === 'unexpected') return undefined;
  const isNew = conditionOf(silent.conditions, 'Applied') === undefined;
  const what = isNew ? 'has not reported on the work' : 'has not applied the present work';
  const { changed } = silent;
  const isStopped = changed !== undefined && !isRecent(changed, now, longestSilence);
  const code = isStopped ? 'work-agent-stopped' : 'work-agent-silent';
  return causeOf(code, `the work agent of the cluster ${what}`, changed);
};

/** The time after which a work agent that has not reported does not run, in milliseconds. */
const longestSilence = 300_000;

/** Whether a work is that of pre-delete hooks. */
export function isHookWork({ name }: ObservedWork): boolean {
  return /-pre-delete(?:-|$)/.test(name);
}

/** Returns why the agent of the cluster cannot apply one of the works. */
export function failureOf(works: readonly ObservedWork[]): ClusterCause | undefined {
  for (const work of works) {
    const failed = failureOfWork(work);
    if (failed !== undefined) return failed;
  }
  return undefined;
}

function failureOfWork({ conditions, manifests }: ObservedWork): ClusterCause | undefined {
  if (!isFalse(conditionOf(conditions, 'Applied'))) return undefined;
  for (const { name, conditions: ofManifest } of manifests) {
    const applied = conditionOf(ofManifest, 'Applied');
    if (!isFalse(applied)) continue;
    const [, code] = errors.find(([pattern]) => pattern.test(applied.message)) ?? [];
    const message = applied.message.replace(/^Failed to apply manifest: /, '');
    return causeOf(code ?? 'manifest-failed', `${name}: ${message}`, applied.lastTransitionTime);
  }
  const applied = conditionOf(conditions, 'Applied');
  return causeOf('manifest-failed', applied?.message ?? '', applied?.lastTransitionTime);
}

/** As workIsReady of OCM's addonprogressing: the conditions have to be those of the present generation. */
function hasReported({ conditions, generation }: ObservedWork): boolean {
  return conditionOf(conditions, 'Applied')?.observedGeneration === generation;
}
