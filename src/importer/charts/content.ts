import type { JsonMap } from '../../base/json/json-map.ts';
import type { PlacementName } from '../as-template.ts';

/** A group of clusters that a rollout updates before the others. */
export interface WaveGroup {
  /** Of the decision group. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

/** What the app of a chart consists of: `app-code.ts` writes it, and `app-objects.ts` creates its objects. */
export interface ChartAppContent {
  readonly addOn: string;
  /** The folder or archive beside `app.ts`. */
  readonly source: 'chart' | 'chart.tgz';
  /** Stronger than the chart's own. */
  readonly values: JsonMap;
  /** The Placement of another app. @default - a new one of all clusters */
  readonly placement: PlacementName | undefined;
  /** The groups of the new Placement that are updated first, at most two. */
  readonly groups: readonly WaveGroup[];
  /** The namespace of the release on the clusters. Undefined for the default of OCM. */
  readonly installNamespace: string | undefined;
  /** Whether the app delivers that namespace, because the chart does not. */
  readonly createsNamespace: boolean;
  /** Whether the agent registers at the hub. */
  readonly registers: boolean;
  /** Why: one sentence without a period. */
  readonly registration: string;
}
