/**
 * Tests of a fleet's add-ons: what would the hub do with this repository? `loadFleet` resolves it, `fleetMatchers`
 * are for vitest's `expect.extend`, `cluster` creates clusters that do not exist yet.
 */
export { cluster, type ClusterProps } from './cluster.ts';
export {
  Fleet,
  FleetError,
  type ClusterAddOns,
  type FleetAddOn,
  type FleetCluster,
  type FleetClusters,
  type FleetPolicy,
  type FleetSetting,
} from './fleet.ts';
export type { ApplicationOnCluster, PolicyOnCluster } from '../compiler/application-sets/on-cluster.ts';
export { loadFleet, type FleetInputs, type FleetOptions } from './load-fleet.ts';
export { fleetMatchers, type FleetMatchers, type MatcherContext, type Verdict } from './matchers.ts';
export type {
  EditedKind,
  WrittenCondition,
  WrittenInvariant,
  WrittenValues,
} from '../compiler/prove/index.ts';
export type * from '../compiler/resolution-types.ts';
