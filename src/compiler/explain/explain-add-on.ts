import type { ClusterAddOn, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { answersOnCluster, type AnswerOnCluster } from '../check/cluster/answers-on-cluster.ts';
import { hostingClusterOf, isDiscovered } from '../../ocm/hosted-mode.ts';
import { isManagedByAddonManager, lifecycleAnnotation } from '../../ocm/lifecycle.ts';
import { quote } from '../model/words.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import type { Decisions } from '../place/decision.ts';
import { explainPlacement } from '../place/explain/explain.ts';
import type { PlacementExplanation } from '../place/explain/explanation.ts';
import { hostingClusterOn } from '../render/hosting-cluster.ts';
import { rollout } from '../rollout/rollout.ts';
import type { Resolution } from '../resolve.ts';
import { withNamedConfigs } from '../compare/named-configs.ts';
import { listedPlacements } from '../compare/causes/strategy-causes.ts';
import { explainField, type ExplainedField } from './explain-field.ts';
import { explainRequirements, type ExplainedRequirements } from './explain-requirements.ts';
import { explainKinds, explainValues, type ExplainedKind } from './explain-values.ts';
import { maskedExplanation } from './masked-explanation.ts';
import { nothingSensitive, SensitiveValues, type SensitiveSettings } from '../masks/sensitive-values.ts';
import { stateOf } from '../compare/resolution-pair.ts';

/** The explanation of one add-on on one cluster. */
export interface AddOnExplanation extends ExplainedField {
  readonly addOn: string;
  readonly cluster: string;
  readonly installed: boolean;
  /** The field to which the values were narrowed. Empty for all values. */
  readonly field: string;
  /** One sentence without a period. */
  readonly summary: string;
  /**
   * All placements of the install strategy, in its order. The last one that selects the cluster counts. Empty if a field is
   * given.
   */
  readonly placements: readonly PlacementExplanation[];
  readonly kinds: readonly ExplainedKind[];
  /** The wave of an installation in which the cluster is configured. Absent if it never is. */
  readonly wave?: ExplainedWave;
  /** The add-ons that it requires and that require it. Absent if there are none, and if a field is given. */
  readonly requirements?: ExplainedRequirements;
  /** What the cluster answers to the manifests. Absent if nothing is known against them, and if a field is given. */
  readonly answers?: readonly AnswerOnCluster[];
}

/** The wave of an installation in which a cluster is configured. */
export interface ExplainedWave {
  /** Starts at 1. */
  readonly number: number;
  readonly of: number;
  /** The earliest start of the wave, in milliseconds after the start of the rollout. */
  readonly after: number;
}

/** The values that an explanation contains. */
export interface ExplainOptions {
  /**
   * Whether it contains values of Secrets, and other sensitive values.
   *
   * @default false
   */
  readonly showSecrets?: boolean;
  /**
   * The values that are masked besides those of Secrets.
   *
   * @default - none
   */
  readonly sensitive?: SensitiveSettings;
}

/**
 * Explains one add-on on one cluster: why it is installed or not, which configurations it uses, and where they are set.
 *
 * @param field - narrows the values: `customizedVariables`, the end of a path such as the name of a variable, or a manifest with
 * one of its fields, `Deployment/agent .spec.template.spec.containers[0].image`; empty for all values of the configurations
 * @returns undefined if there is no such add-on
 */
export function explainAddOn(
  resolution: Resolution,
  addOn: string,
  cluster: string,
  field: string,
  hub: HubVersion,
  { showSecrets = false, sensitive = nothingSensitive }: ExplainOptions = {},
): AddOnExplanation | undefined {
  const { configuration, decisions, inventory } = resolution;
  const resolved = configuration.get(addOn);
  if (resolved === undefined) return undefined;
  const resolvedOnCluster = resolved.clusters.get(cluster);
  const clusterAddOn = resolvedOnCluster && withNamedConfigs(resolvedOnCluster, resolved, resolution);
  const listed = field === '' ? [...listedPlacements(addOn, resolution)] : [];
  const placements = listed.flatMap((placement) => explainPlacement(decisions, placement, cluster) ?? []);
  const state = stateOf(resolution);
  const valuesOf = (clusterAddOn: ClusterAddOn | undefined): ExplainedField => {
    if (clusterAddOn === undefined) return { values: [], unused: [], manifest: [] };
    if (field === '') {
      const values = explainValues(clusterAddOn, state, '', resolution.parameters.get(addOn));
      return { values, unused: [], manifest: [] };
    }
    return explainField({ resolution, state, addOn, clusterAddOn, hub }, field);
  };
  const answersOf = (): Pick<AddOnExplanation, 'answers'> => {
    if (clusterAddOn === undefined || field !== '') return {};
    const answers = answersOnCluster({ ...resolution, hub }, addOn, cluster);
    return answers.length === 0 ? {} : { answers };
  };
  const requirements = field === '' ? explainRequirements(resolution, addOn, cluster) : undefined;
  const explanation = {
    addOn,
    cluster,
    installed: clusterAddOn !== undefined,
    field,
    summary: summaryOf(resolution, addOn, cluster),
    placements,
    kinds: clusterAddOn === undefined ? [] : explainKinds(clusterAddOn),
    ...valuesOf(clusterAddOn),
    ...waveOf(resolution, addOn, cluster, hub),
    ...(requirements && { requirements }),
    ...answersOf(),
  };
  return showSecrets
    ? explanation
    : maskedExplanation(explanation, new SensitiveValues([inventory], sensitive));
}

/** Returns why a cluster has an add-on or not, as one sentence without a period. */
export function summaryOf(resolution: Resolution, addOn: string, cluster: string): string {
  const { configuration, decisions } = resolution;
  const resolved = configuration.get(addOn);
  const clusterAddOn = resolved?.clusters.get(cluster);
  const name = `"${addOn}"`;
  if (!decisions.clusters.has(cluster)) return `the fleet has no cluster "${cluster}"`;
  if (clusterAddOn === undefined) {
    const owner = resolution.inventory.clusterManagementAddOns.get(addOn)?.object;
    if (owner !== undefined && !isManagedByAddonManager(owner)) {
      const value = owner.metadata.annotations?.[lifecycleAnnotation] ?? '';
      return `"${cluster}" does not have ${name}: the hub's addon-manager ignores the add-on, because of its annotation ${lifecycleAnnotation}: ${quote(value)}`;
    }
    const listed = listedPlacements(addOn, resolution).size;
    const why = ['nothing installs it there', 'its placement does not select the cluster'][listed];
    return `"${cluster}" does not have ${name}: ${why ?? `none of its ${listed} placements selects the cluster`}`;
  }
  if (resolved?.stalled !== undefined)
    return `"${cluster}" has ${name}, but the hub configures nothing: ${resolved.stalled}`;
  const last = clusterAddOn.placements.at(-1);
  const hosted = resolved === undefined ? '' : hostedWords(resolved, clusterAddOn, decisions);
  if (last === undefined) return `"${cluster}" has ${name} because of its own ManagedClusterAddOn${hosted}`;
  return `"${cluster}" has ${name}, configured through Placement "${last}"${hosted}`;
}

/** Returns where an add-on is hosted, as the end of a sentence. Empty if it is not in hosted mode. */
function hostedWords(resolved: ResolvedAddOn, clusterAddOn: ClusterAddOn, decisions: Decisions): string {
  const { awaitsHosting, managedClusterAddOn } = clusterAddOn;
  if (awaitsHosting !== undefined) return `, without a hosting cluster: ${awaitsHosting}`;
  if (managedClusterAddOn !== undefined && isDiscovered(managedClusterAddOn.object))
    return `, hosted on "${hostingClusterOf(managedClusterAddOn.object)}", which its manager discovered`;
  const hosting = hostingClusterOn(resolved, clusterAddOn, decisions);
  return hosting === undefined ? '' : `, hosted on "${hosting.name}"`;
}

/**
 * Returns an object with the wave of an installation in which the cluster is configured, or an empty object if it never is. The
 * installation starts from nothing: the current state of the add-on does not count.
 */
export function waveOf(
  { inventory, decisions, configuration }: Resolution,
  addOn: string,
  cluster: string,
  hub: HubVersion,
): { readonly wave?: ExplainedWave } {
  const only = new Map([...configuration].filter(([name]) => name === addOn));
  const input = { inventory, decisions, configuration: only };
  const waves = rollout(input, { now: decisions.now, hub, from: new Map() }).value.get(addOn)?.waves ?? [];
  const index = waves.findIndex(({ clusters }) => clusters.includes(cluster));
  const wave = waves[index];
  return wave === undefined ? {} : { wave: { number: index + 1, of: waves.length, after: wave.earliest } };
}
