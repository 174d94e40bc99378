import type { Rule } from '../rule.ts';
import { addOnLabel } from './add-on-label.ts';
import { bindingName } from './binding-name.ts';
import { claimValue } from './claim-value.ts';
import { clockAnnotationRule } from './clock-annotation.ts';
import { emptyDecision } from './empty-decision.ts';
import { emptyDecisionGroup } from './empty-decision-group.ts';
import { failingExpression } from './failing-expression.ts';
import { ignoredPlacementField } from './ignored-placement-field.ts';
import { latentMisconfiguration } from './latent-misconfiguration.ts';
import { missingClusterSet } from './missing-cluster-set.ts';
import { applicationSetRule } from './application-sets.ts';
import { missingFollowedPlacement } from './missing-followed-placement.ts';
import { missingPlacement } from './missing-placement.ts';
import { negativeSteady } from './negative-steady.ts';
import { noClustersWanted } from './no-clusters-wanted.ts';
import { outage } from './outage.ts';
import { pageShift } from './page-shift.ts';
import { placementRule } from './placement-rule.ts';
import { placementWithoutSet } from './placement-without-set.ts';
import { preferNoSelect } from './prefer-no-select.ts';
import { repeatedScore } from './repeated-score.ts';
import { setWithoutSelector } from './set-without-selector.ts';
import { tolerationOperator } from './toleration-operator.ts';
import { tolerationSeconds } from './toleration-seconds.ts';
import { unboundClusterSet } from './unbound-cluster-set.ts';
import { unmatchedPredicate } from './unmatched-predicate.ts';
import { unmatchedSelector } from './unmatched-selector.ts';

/** The rules for placements, cluster sets and the objects that refer to them, in the order in which their findings are returned. */
export const placementRules: readonly Rule[] = [
  placementWithoutSet,
  unboundClusterSet,
  missingPlacement,
  missingClusterSet,
  bindingName,
  claimValue,
  unmatchedSelector,
  unmatchedPredicate,
  failingExpression,
  outage,
  pageShift,
  emptyDecision,
  emptyDecisionGroup,
  noClustersWanted,
  repeatedScore,
  negativeSteady,
  latentMisconfiguration,
  tolerationOperator,
  tolerationSeconds,
  preferNoSelect,
  ignoredPlacementField,
  setWithoutSelector,
  addOnLabel,
  missingFollowedPlacement,
  applicationSetRule,
  placementRule,
  clockAnnotationRule,
];
