import type { Diagnostic } from '../diagnostic.ts';
import { overridePlacements } from './overrides/override-placements.ts';
import { syncedAnnotation } from './overrides/synced-annotation.ts';
import { addOnLabel } from './placements/add-on-label.ts';
import { bindingName } from './placements/binding-name.ts';
import { claimValue } from './placements/claim-value.ts';
import { emptyDecisionGroup } from './placements/empty-decision-group.ts';
import { emptyDecision } from './placements/empty-decision.ts';
import { failingExpression } from './placements/failing-expression.ts';
import { ignoredPlacementField } from './placements/ignored-placement-field.ts';
import { latentMisconfiguration } from './placements/latent-misconfiguration.ts';
import { missingClusterSet } from './placements/missing-cluster-set.ts';
import { missingFollowedPlacement } from './placements/missing-followed-placement.ts';
import { missingPlacement } from './placements/missing-placement.ts';
import { negativeSteady } from './placements/negative-steady.ts';
import { noClustersWanted } from './placements/no-clusters-wanted.ts';
import { outage } from './placements/outage.ts';
import { pageShift } from './placements/page-shift.ts';
import { placementRule } from './placements/placement-rule.ts';
import { placementWithoutSet } from './placements/placement-without-set.ts';
import { preferNoSelect } from './placements/prefer-no-select.ts';
import { repeatedScore } from './placements/repeated-score.ts';
import { setWithoutSelector } from './placements/set-without-selector.ts';
import { tolerationOperator } from './placements/toleration-operator.ts';
import { tolerationSeconds } from './placements/toleration-seconds.ts';
import { unboundClusterSet } from './placements/unbound-cluster-set.ts';
import { unmatchedPredicate } from './placements/unmatched-predicate.ts';
import { unmatchedSelector } from './placements/unmatched-selector.ts';
import { blockingGroup } from './rollouts/blocking-group.ts';
import { concurrency } from './rollouts/concurrency.ts';
import { failureLimit } from './rollouts/failure-limit.ts';
import { ignoredRolloutField } from './rollouts/ignored-rollout-field.ts';
import { mandatoryGroup } from './rollouts/mandatory-group.ts';
import { missingDeadline } from './rollouts/missing-deadline.ts';
import { unsupportedRolloutSetting } from './rollouts/unsupported-rollout-setting.ts';
import { voidFailureLimit } from './rollouts/void-failure-limit.ts';
import { zeroDeadline } from './rollouts/zero-deadline.ts';
import { replicaSetRules } from './works/replica-sets.ts';
import { caWithoutProxy } from './templates/ca-without-proxy.ts';
import { containerIdPattern } from './templates/container-id-pattern.ts';
import { emptyMirror } from './templates/empty-mirror.ts';
import { foreignTemplate } from './templates/foreign-template.ts';
import { hostedTemplate } from './templates/hosted-template.ts';
import { ignoredTemplateField } from './templates/ignored-template-field.ts';
import { initContainer } from './templates/init-container.ts';
import { literalBraces } from './templates/literal-braces.ts';
import { movedNamespace } from './templates/moved-namespace.ts';
import { nonRsaCa } from './templates/non-rsa-ca.ts';
import { nothingToDeploy } from './templates/nothing-to-deploy.ts';
import { refusedWork } from './templates/refused-work.ts';
import { registrationMembers } from './templates/registration-members.ts';
import { registrationVolume } from './templates/registration-volume.ts';
import { reservedVariable } from './templates/reserved-variable.ts';
import { secretInManifest } from './templates/secret-in-manifest.ts';
import { shadowedRegistries } from './templates/shadowed-registries.ts';
import { sharedGroupPermission } from './templates/shared-group.ts';
import { singleNamespaceToken } from './templates/single-namespace-token.ts';
import { templateManifestConfigs } from './templates/template-manifest-configs.ts';
import { tolerationsAlone } from './templates/tolerations-alone.ts';
import { undecoratedKind } from './templates/undecorated-kind.ts';
import { undecoratedWorkload } from './templates/undecorated-workload.ts';
import { undefinedVariable } from './templates/undefined-variable.ts';
import { unescapedValue } from './templates/unescaped-value.ts';
import { unmatchedManifestConfig } from './templates/unmatched-manifest-config.ts';
import { unreachableCa } from './templates/unreachable-ca.ts';
import { unrunHook } from './templates/unrun-hook.ts';
import { variableInValue } from './templates/variable-in-value.ts';
import { missingRole } from './templates/missing-role.ts';
import { repeatedEnvironment } from './templates/repeated-environment.ts';
import { unmatchedContainer } from './templates/unmatched-container.ts';
import { servedManifests } from './manifests/served-manifests.ts';
import type { Rule, RuleInput } from './rule.ts';

/** Every rule, in the order in which the findings are returned. */
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
  missingFollowedPlacement,
  placementRule,
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
  servedManifests,
  unmatchedContainer,
  missingRole,
  repeatedEnvironment,
  // rollout strategies
  concurrency,
  failureLimit,
  missingDeadline,
  mandatoryGroup,
  blockingGroup,
  voidFailureLimit,
  zeroDeadline,
  unsupportedRolloutSetting,
  ignoredRolloutField,
  // works
  replicaSetRules,
  // overrides of single clusters
  overridePlacements,
  syncedAnnotation,
];

/** Runs all rules across objects on one state of the inputs. Findings remove nothing from the result. */
export function check(input: RuleInput): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) for (const diagnostic of rule(input)) diagnostics.push(diagnostic);
  return diagnostics;
}
