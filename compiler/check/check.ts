import type { Diagnostic } from '../diagnostic.ts';
import { addOnLabel } from './add-on-label.ts';
import { bindingName } from './binding-name.ts';
import { blockingGroup } from './blocking-group.ts';
import { caWithoutProxy } from './ca-without-proxy.ts';
import { claimValue } from './claim-value.ts';
import { concurrency } from './concurrency.ts';
import { containerIdPattern } from './container-id-pattern.ts';
import { emptyDecisionGroup } from './empty-decision-group.ts';
import { emptyDecision } from './empty-decision.ts';
import { emptyMirror } from './empty-mirror.ts';
import { failureLimit } from './failure-limit.ts';
import { foreignTemplate } from './foreign-template.ts';
import { hostedTemplate } from './hosted-template.ts';
import { failingExpression } from './failing-expression.ts';
import { ignoredPlacementField } from './ignored-placement-field.ts';
import { ignoredRolloutField } from './ignored-rollout-field.ts';
import { ignoredTemplateField } from './ignored-template-field.ts';
import { initContainer } from './init-container.ts';
import { latentMisconfiguration } from './latent-misconfiguration.ts';
import { literalBraces } from './literal-braces.ts';
import { mandatoryGroup } from './mandatory-group.ts';
import { missingClusterSet } from './missing-cluster-set.ts';
import { missingDeadline } from './missing-deadline.ts';
import { missingPlacement } from './missing-placement.ts';
import { movedNamespace } from './moved-namespace.ts';
import { negativeSteady } from './negative-steady.ts';
import { noClustersWanted } from './no-clusters-wanted.ts';
import { nonRsaCa } from './non-rsa-ca.ts';
import { nothingToDeploy } from './nothing-to-deploy.ts';
import { outage } from './outage.ts';
import { overridePlacements } from './override-placements.ts';
import { pageShift } from './page-shift.ts';
import { placementWithoutSet } from './placement-without-set.ts';
import { preferNoSelect } from './prefer-no-select.ts';
import { refusedWork } from './refused-work.ts';
import { registrationMembers } from './registration-members.ts';
import { registrationVolume } from './registration-volume.ts';
import { repeatedScore } from './repeated-score.ts';
import { reservedVariable } from './reserved-variable.ts';
import type { CheckInput, Rule } from './rule.ts';
import { secretInManifest } from './secret-in-manifest.ts';
import { setWithoutSelector } from './set-without-selector.ts';
import { shadowedRegistries } from './shadowed-registries.ts';
import { sharedGroupPermission } from './shared-group.ts';
import { singleNamespaceToken } from './single-namespace-token.ts';
import { templateManifestConfigs } from './template-manifest-configs.ts';
import { tolerationOperator } from './toleration-operator.ts';
import { tolerationSeconds } from './toleration-seconds.ts';
import { tolerationsAlone } from './tolerations-alone.ts';
import { unboundClusterSet } from './unbound-cluster-set.ts';
import { undecoratedKind } from './undecorated-kind.ts';
import { undecoratedWorkload } from './undecorated-workload.ts';
import { undefinedVariable } from './undefined-variable.ts';
import { unescapedValue } from './unescaped-value.ts';
import { unkeptRolloutSetting } from './unkept-rollout-setting.ts';
import { unmatchedManifestConfig } from './unmatched-manifest-config.ts';
import { unmatchedPredicate } from './unmatched-predicate.ts';
import { unmatchedSelector } from './unmatched-selector.ts';
import { unreachableCa } from './unreachable-ca.ts';
import { unrunHook } from './unrun-hook.ts';
import { variableInValue } from './variable-in-value.ts';
import { voidFailureLimit } from './void-failure-limit.ts';
import { zeroDeadline } from './zero-deadline.ts';

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
  // templates
  undefinedVariable,
  literalBraces,
  unescapedValue,
  variableInValue,
  undecoratedWorkload,
  tolerationsAlone,
  initContainer,
  undecoratedKind,
  movedNamespace,
  templateManifestConfigs,
  unmatchedManifestConfig,
  caWithoutProxy,
  shadowedRegistries,
  ignoredTemplateField,
  foreignTemplate,
  singleNamespaceToken,
  sharedGroupPermission,
  hostedTemplate,
  nothingToDeploy,
  registrationMembers,
  nonRsaCa,
  secretInManifest,
  refusedWork,
  containerIdPattern,
  emptyMirror,
  reservedVariable,
  unreachableCa,
  registrationVolume,
  unrunHook,
  // rollout strategies
  concurrency,
  failureLimit,
  missingDeadline,
  mandatoryGroup,
  blockingGroup,
  voidFailureLimit,
  zeroDeadline,
  unkeptRolloutSetting,
  ignoredRolloutField,
  // overrides of single clusters
  overridePlacements,
];

/** Holds all rules across objects against one state of the inputs. Findings remove nothing from the result. */
export function check(input: CheckInput): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) for (const diagnostic of rule(input)) diagnostics.push(diagnostic);
  return diagnostics;
}
