import type { Diagnostic } from '../diagnostic.ts';
import { addOnLabel } from './add-on-label.ts';
import { bindingName } from './binding-name.ts';
import { claimValue } from './claim-value.ts';
import { emptyDecision } from './empty-decision.ts';
import { emptyDecisionGroup } from './empty-decision-group.ts';
import { ignoredPlacementField } from './ignored-placement-field.ts';
import { latentMisconfiguration } from './latent-misconfiguration.ts';
import { missingClusterSet } from './missing-cluster-set.ts';
import { missingPlacement } from './missing-placement.ts';
import { negativeSteady } from './negative-steady.ts';
import { noClustersWanted } from './no-clusters-wanted.ts';
import { outage } from './outage.ts';
import { pageShift } from './page-shift.ts';
import { placementWithoutSet } from './placement-without-set.ts';
import { preferNoSelect } from './prefer-no-select.ts';
import { repeatedScore } from './repeated-score.ts';
import type { CheckInput, Rule } from './rule.ts';
import { setWithoutSelector } from './set-without-selector.ts';
import { tolerationOperator } from './toleration-operator.ts';
import { tolerationSeconds } from './toleration-seconds.ts';
import { unboundClusterSet } from './unbound-cluster-set.ts';
import { unmatchedPredicate } from './unmatched-predicate.ts';
import { unmatchedSelector } from './unmatched-selector.ts';

/** Every rule, in the order in which its findings are given. */
const rules: readonly Rule[] = [
  // placements
  placementWithoutSet,
  unboundClusterSet,
  missingPlacement,
  missingClusterSet,
  bindingName,
  claimValue,
  unmatchedSelector,
  unmatchedPredicate,
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
];

/** Holds all rules across objects against one state of the inputs. Findings remove nothing from the result. */
export function check(input: CheckInput): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) for (const diagnostic of rule(input)) diagnostics.push(diagnostic);
  return diagnostics;
}
