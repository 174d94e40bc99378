/**
 * The compiler as a library: plain data in, plain data and diagnostics out. It reads no files and no clock; the caller provides
 * both. `load` and `loadConstructs` read objects, `resolve` predicts the hub for them, and everything else reads a resolution:
 * `plan` and `checkGuardrails` compare two, `explainAddOn`, `explainCluster`, `whoUses` and `affectedBy` explain one, `check` and
 * `checkPolicies` check one, and `emit` writes files. The reporters print results. The commands use this entry too.
 */
export type * from './resolution-types.ts';

// Load and admit
export { admit, admitObject, type Admission } from './admit/admit.ts';
export { unservedVersion } from './admit/conversion/unserved-version.ts';
export type { SharedAdmissions } from './admit/admit-object.ts';
export { emptySharedContent, type SharedContent } from './shared-content.ts';
export { loadConstructs, type ConstructObject } from './load/constructs.ts';
export type { SharedTexts } from './load/shared-texts.ts';
export { load, type Loaded, type SourceText } from './load/load.ts';

// Resolve
export { hubVersion, hubVersionNames } from '../ocm/hub-version.ts';
export { specHash } from '../ocm/spec-hash.ts';
export { codes, type Code, type CodeDescription } from './model/codes.ts';
export { hasErrors } from './model/diagnostic.ts';
export { formatFieldPath } from './model/field-path.ts';
export { hubObjects } from './hub-objects.ts';
export { identityOfKey, objectKey } from './model/inventory.ts';
export type { Phase, PhaseRunner } from './model/phase.ts';
export { latestTime } from './place/latest-time.ts';
export { predictRollout, type PredictedRollout, type PredictOptions } from './predict-rollout.ts';
export { resolve, type ResolveOptions } from './resolve.ts';

// Check
export { check } from './check/check.ts';
export {
  checkPolicies,
  compilePolicy,
  type CompiledPolicy,
  type Policy,
  type PolicyProgram,
  type PolicySeverity,
} from './check/policy.ts';
export type { CheckInput, RuleInput } from './check/rule.ts';
export { newFindings } from './model/finding-identity.ts';
export type { AcceptedFinding, FindingSettings, SettableSeverity } from './model/finding-settings.ts';

// Plan
export type { GitOpsEngine } from './check/overrides/pruned-overrides.ts';
export type { FollowerKind } from './api/placement-followers.ts';
export type { AddOnPlan } from './compare/add-on-plan.ts';
export type { ApplicationChange, ApplicationFate, ApplicationSteps } from './compare/application-change.ts';
export type {
  Cause,
  CauseKind,
  ChangeGroup,
  ClusterAnswer,
  ConfigChange,
  ConfigUse,
  Effect,
  PermissionChange,
  RegistrationChange,
  Side,
  ValueChange,
} from './compare/change.ts';
export type { LabelCount, LabelledClusters, LabelValues } from './compare/cluster-labels.ts';
export type { FieldChange, ObjectChange } from './compare/object-changes.ts';
export type { PlacementChange, SelectionChange } from './compare/placements/placements.ts';
export { unequalHubs, type ComparedEqualHubs } from './check/equal-hubs.ts';
export {
  compareHubs,
  type DifferentAddOn,
  type DifferentValue,
  type HubComparison,
  type NamedProfile,
  type ValueOnClusters,
} from './plan/compare-hubs.ts';
export type {
  AddOnEffects,
  ClusterEffect,
  EffectOwner,
  ExceededGuardrail,
  ObjectEffect,
  PlacementEffect,
  PlanEffects,
  PromotionEffect,
  WaveEffect,
} from './plan/effects/plan-effects.ts';
export { combinedPlan, type HubPlan } from './plan/hub-plans.ts';
export {
  hubProfile,
  type AddOnProfile,
  type HubProfile,
  type ProfiledField,
  type ProfiledValue,
  type ProfileOptions,
} from './plan/hub-profile.ts';
export { hubComparisonJson, hubComparisonMarkdown, hubComparisonText } from './report/hub-comparison.ts';
export { plan } from './plan/plan.ts';
export type {
  AppObjectChange,
  AppPlacementChange,
  AppStates,
  FleetChange,
  Plan,
  PlanOptions,
  PlanSummary,
  PromotedSummary,
} from './plan/plan.ts';
export type {
  AddOnOnCluster,
  HeldCluster,
  PromotedChange,
  PromotedGate,
  PromotedPart,
  PromotedWave,
} from './plan/promoted-change.ts';
export type { PlannedRequirements } from './plan/planned-requirements.ts';
export type { WorkKind } from './compare/works/plan-works.ts';
export type { Reach } from './plan/reach.ts';
export type { StrategyChange, StrategyReach } from './compare/placements/strategy-changes.ts';
export type { PlannedRollout, PlannedStop, PlannedWave } from './compare/placements/waves.ts';
export { checkGuardrails } from './plan/guardrails.ts';
export type { PlacedCounts } from './plan/placed-counts.ts';
export type { GuardrailVerdict, Guardrails, LabelLimit, Limit, Percentage } from './plan/guardrails.ts';

// Explain
export type {
  ExplanationStep,
  PlacementExplanation,
  Stage as ExplanationStage,
} from './place/explain/explanation.ts';
export {
  explainAddOn,
  type AddOnExplanation,
  type ExplainedWave,
  type ExplainOptions,
} from './explain/explain-add-on.ts';
export { explainCluster } from './explain/explain-cluster.ts';
export type { ClusterAddOnExplanation, ClusterExplanation } from './explain/explain-cluster.ts';
export type { PlacedBy, PlacedObject } from './explain/placed-objects.ts';
export type { ExplainedField, UnknownField } from './explain/explain-field.ts';
export type { Decider, ExplainedManifestValue, ExplainedOrigin } from './explain/explain-manifest.ts';
export type { ExplainedLayer, ExplainedParameter } from './explain/explain-parameter.ts';
export type { ExplainedRequirement, ExplainedRequirements } from './explain/explain-requirements.ts';
export type { RequiredState } from '../ocm/add-ons/requirements.ts';
export type { ReadValue, SourceOrigin } from './render/sources/source-renderer.ts';
export type {
  ExplainedKind,
  ExplainedUse,
  ExplainedValue,
  LostValue,
  UnusedValue,
} from './explain/explain-values.ts';
export {
  SensitiveValues,
  type SensitiveField,
  type SensitiveInputs,
  type SensitiveSettings,
} from './masks/sensitive-values.ts';
export type { FollowerUse } from './compare/placements/placement-uses.ts';
export { affectedBy, whoUses, sourceFilesOf } from './explain/who-uses.ts';
export type { PlacedUse } from './explain/placed-uses.ts';
export type { AffectedByFiles, ObjectUses, Use as ObjectUse } from './explain/who-uses.ts';

// Status
export { causes, type CauseCode, type CauseDescription, type StatusState } from './status/cause-table.ts';
export { compareWithHub, onClusters, type ComparedAddOn, type StatusInput } from './status/compare.ts';
export type { HeldBack, ObservedProgress, Suspect } from './status/evidence.ts';
export type {
  AddOnFleetStatus,
  ContestedObject,
  EmptyPlacement,
  ExcludedClusters,
  FleetStatus,
  PendingWave,
  StatusCause,
  StatusClass,
} from './status/fleet-status.ts';
export type { ApplicationSetStatus, PlacedStatus, PolicyStatus } from './status/placed-status.ts';
export type { LeftObject, LeftOnHub } from './status/left/left-objects.ts';
export type {
  ClusterDetails,
  ObservedAddOn,
  ObservedConfigReference,
  ObservedManifest,
  ObservedRequest,
  ObservedWork,
} from './status/observation.ts';
export { fleetStatus, type StatusDetails } from './status/status.ts';
export { statusHtml } from './report/html/status-html.ts';
export { statusMarkdown, statusText } from './report/text/status-text.ts';

// Emit
export { forHub, type TargetHub } from './admit/conversion/for-hub.ts';
export { compiledClusters, type CompiledCluster } from './deliver/compiled-clusters.ts';
export { individualObjects } from './deliver/individual-objects.ts';
export { emit, type ClusterFile, type EmitOptions, type Tree } from './emit/emit.ts';
export { combinedEffects } from './emit/combined-effects.ts';
export { engineEffects, type ChangedApp } from './emit/engine-effects.ts';
export type { EngineEffect, EngineEffectKind, EngineEffects } from './emit/engine-effects.ts';
export { engines, type Engine } from './emit/engine.ts';
export { resolutionDocument } from './emit/resolution.ts';

// Report
export { affectedText, clusterText, explanationText, whoUsesText } from './report/text/explanation-text.ts';
export { diagnosticsAsJson } from './report/json/json.ts';
export { planGithub } from './report/ci/plan-github.ts';
export { planHtml } from './report/html/plan-html.ts';
export { livePlanHtml, type LivePlanPage } from './report/html/live-plan-html.ts';
export type { LivePage } from './report/html/page-with-view.ts';
export { livePagePolicy } from './report/html/page-with-view.ts';
export { planJson } from './report/json/plan-json.ts';
export { planJunit } from './report/ci/plan-junit.ts';
export { failedPlanMarkdown, type FailedPlan } from './report/ci/failed-plan-markdown.ts';
export { planMarkdown, planMarker } from './report/ci/plan-markdown.ts';
export type { CodePage, PlanReport, ReportedSnapshot } from './report/plan-report.ts';
export { planSarif } from './report/ci/plan-sarif.ts';
export { planText, planTextParts } from './report/text/plan-text.ts';
export type { EndedRelease, PlannedPromotion, PlannedRelease } from './plan/planned-promotion.ts';
export type { PlanTextOptions, PlanTextParts, Tone } from './report/text/plan-text.ts';
export { readableAnswer, readableReport } from './report/readable-report.ts';
export { rolloutHtml, type HubRollouts } from './report/html/rollout-html.ts';
export { rolloutDocument } from './report/json/rollout-json.ts';
export { rolloutText } from './report/text/rollout-text.ts';
export { diagnosticsAsText, type Colors, type Paint, type TextOptions } from './report/text/text.ts';
export type { AnswerOnCluster } from './check/cluster/answers-on-cluster.ts';
