import type { Rule } from '../rule.ts';
import { blockingGroup } from './blocking-group.ts';
import { concurrency } from './concurrency.ts';
import { failureLimit } from './failure-limit.ts';
import { ignoredRolloutField } from './ignored-rollout-field.ts';
import { mandatoryGroup } from './mandatory-group.ts';
import { missingDeadline } from './missing-deadline.ts';
import { soak } from './soak.ts';
import { unsupportedRolloutSetting } from './unsupported-rollout-setting.ts';
import { voidFailureLimit } from './void-failure-limit.ts';
import { zeroDeadline } from './zero-deadline.ts';

/** The rules for rollout strategies, in the order in which their findings are returned. */
export const rolloutRules: readonly Rule[] = [
  concurrency,
  failureLimit,
  missingDeadline,
  mandatoryGroup,
  blockingGroup,
  voidFailureLimit,
  zeroDeadline,
  unsupportedRolloutSetting,
  ignoredRolloutField,
  soak,
];
