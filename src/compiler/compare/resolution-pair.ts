import { groupBy } from '../../base/collections/groups.ts';
import { compareValues } from './compare-values.ts';
import { configObjects, type ConfigObjects } from '../configure/config-objects.ts';
import { syncedAnnotations } from '../configure/installed-add-on.ts';
import type { GitOpsEngine } from '../check/overrides/pruned-overrides.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import { imageRegistriesAnnotation } from '../render/decoration/image-registries.ts';
import type { RenderGroup } from '../render/render-result.ts';
import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import type { Resolution } from '../resolve.ts';
import type { Side } from './change.ts';
import { directWorks, type WorkOwners, type DirectWorks } from './works/direct-works.ts';

/** One state that a plan compares, with the lookups that the comparison needs. */
export interface State {
  readonly resolution: Resolution;
  readonly configs: ConfigObjects;
  /** The manifests rendered from templates, by add-on. */
  readonly rendered: ReadonlyMap<string, readonly RenderGroup[]>;
  /** The ClusterRoles and Roles that were written, by `roleKey`. */
  readonly roles: ReadonlyMap<string, Admitted>;
}

/** The hubs and the engine of two states. */
export interface PairOptions {
  readonly hub: HubVersion;
  /** @default - `hub` */
  readonly baseHub?: HubVersion | undefined;
  /** @default 'none' */
  readonly engine?: GitOpsEngine | undefined;
}

/** The two states of one app. */
export interface Pair {
  readonly hub: HubVersion;
  /** The release of the hub in the earlier state. */
  readonly baseHub: HubVersion;
  /** The GitOps engine that applies the files. */
  readonly engine: GitOpsEngine;
  readonly base: State;
  readonly head: State;
  /** The clusters whose image registries differ, with the annotation's text before and after. */
  readonly registries: ReadonlyMap<string, string>;
  /** The clusters with different annotations among those that the hub copies to ManagedClusterAddOns. */
  readonly recopied: ReadonlySet<string>;
  /** The works that were written. */
  readonly works: Readonly<Record<Side, DirectWorks>>;
}

export function pairOf(
  base: Resolution,
  head: Resolution,
  { hub, baseHub = hub, engine = 'none' }: PairOptions,
): Pair {
  const owners: WorkOwners = {
    isCluster: (name) => base.decisions.clusters.has(name) || head.decisions.clusters.has(name),
    hasAddOn: (addOn, cluster) =>
      [base, head].some(({ configuration }) => configuration.get(addOn)?.clusters.has(cluster) === true),
  };
  return {
    hub,
    baseHub,
    engine,
    base: stateOf(base),
    head: stateOf(head),
    registries: changedRegistries(base, head),
    recopied: recopiedClusters({ base, head }, { base: baseHub, head: hub }),
    works: { base: directWorks(base, owners), head: directWorks(head, owners) },
  };
}

function changedRegistries(base: Resolution, head: Resolution): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  if (base.decisions.clusters === head.decisions.clusters) return changed;
  for (const [name, cluster] of head.decisions.clusters) {
    const [before, after] = [base.decisions.clusters.get(name), cluster].map(
      (state) => state?.metadata.annotations?.[imageRegistriesAnnotation] ?? '',
    );
    if (before !== after) changed.set(name, `${before}\n${after}`);
  }
  return changed;
}

function recopiedClusters(
  { base, head }: Readonly<Record<Side, Resolution>>,
  hubs: Readonly<Record<Side, HubVersion>>,
): ReadonlySet<string> {
  const copied = (side: Side, cluster: ManagedClusterV1 | undefined): Readonly<Record<string, string>> =>
    hubs[side].copiesClusterAnnotations ? syncedAnnotations(cluster) : {};
  const isSameHub = hubs.base.copiesClusterAnnotations === hubs.head.copiesClusterAnnotations;
  const recopied = new Set<string>();
  if (base.decisions.clusters === head.decisions.clusters && isSameHub) return recopied;
  for (const name of new Set([...base.decisions.clusters.keys(), ...head.decisions.clusters.keys()])) {
    const [before, after] = [base.decisions.clusters.get(name), head.decisions.clusters.get(name)];
    if (before === after && isSameHub) continue;
    if (compareValues(copied('base', before), copied('head', after)).length > 0) recopied.add(name);
  }
  return recopied;
}

export function stateOf(resolution: Resolution): State {
  const { inventory, rendering } = resolution;
  return {
    resolution,
    configs: configObjects(inventory),
    rendered: groupBy(rendering.groups, ({ addOn }) => addOn),
    roles: rolesByKey(inventory.others),
  };
}

/** Returns the key of a role in `State.roles`. A ClusterRole has no namespace, regardless of the referrer. */
export function roleKey(kind: string, namespace: string | undefined, name = ''): string {
  return `${kind} ${objectKey(kind === 'ClusterRole' ? undefined : namespace, name)}`;
}

function rolesByKey(others: readonly Admitted[]): ReadonlyMap<string, Admitted> {
  const roles = new Map<string, Admitted>();
  for (const admitted of others) {
    const { kind, metadata } = admitted.object;
    if (kind !== 'ClusterRole' && kind !== 'Role') continue;
    const key = roleKey(kind, metadata.namespace, metadata.name);
    if (!roles.has(key)) roles.set(key, admitted);
  }
  return roles;
}
