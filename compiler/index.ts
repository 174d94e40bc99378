/**
 * The compiler as a library: plain data in, plain data and diagnostics out. It reads no files and no clock; the caller provides
 * both. `resolve` runs the phases in order; each phase is also exported separately.
 */
export { admit, admitObject, type Admission } from './admit/admit.ts';
export { convertAddOn } from './admit/convert.ts';
export { codes, type Code, type CodeDescription } from './codes.ts';
export type * from './configure/configuration.ts';
export { configure } from './configure/configure.ts';
export { specHash } from '../ocm/spec-hash.ts';
export { compiledClusters, type CompiledCluster } from './deliver/compiled-clusters.ts';
export { individualObjects } from './deliver/individual-objects.ts';
export {
  hasErrors,
  type Diagnostic,
  type ObjectReference,
  type Outcome,
  type RelatedPlace,
} from './diagnostic.ts';
export type { Severity } from './codes.ts';
export { emit, type Tree } from './emit/emit.ts';
export { engines, type Engine } from './emit/engine.ts';
export { resolutionDocument } from './emit/resolution.ts';
export { formatFieldPath, type FieldPath } from './field-path.ts';
export { forHub, type TargetHub } from './admit/for-hub.ts';
export { hubObjects } from './hub-objects.ts';
export { hubVersion, hubVersionNames } from '../ocm/hub-version.ts';
export type { AddOnApiVersion, HubVersion, HubVersionName } from '../ocm/hub-version.ts';
export type { Admitted, ByKey, Inventory, LoadedObject, Source } from './inventory.ts';
export { loadConstructs, type ConstructObject } from './load/constructs.ts';
export { load, type SourceText } from './load/load.ts';
export type { ConstructLocation, FileLocation, Location, Origin } from './origin.ts';
export type { Decision, DecisionGroup, Decisions } from './place/decision.ts';
export { place } from './place/place.ts';
export { predictRollout, type PredictedRollout, type PredictOptions } from './predict-rollout.ts';
export { render, type RenderOptions } from './render/render.ts';
export type { ClusterRendering, Rendering } from './render/rendering.ts';
export { resolve, type Resolution, type ResolveOptions } from './resolve.ts';
export type { ClusterState, HeldReference, ProgressingCondition } from './rollout/cluster-state.ts';
export type { Progression, ProgressionCounts } from './rollout/progression.ts';
export type { AddOnState, Rollout, RollOutOptions } from './rollout/roll-out.ts';
export { rollout, type RolloutInput, type RolloutOptions, type Rollouts } from './rollout/rollout.ts';
export type { Stop, StopReason } from './rollout/stop.ts';
export type { Cause, Wave, WaveGroup, WavePart } from './rollout/wave.ts';
