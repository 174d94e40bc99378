import { configObjects, type ConfigObjects } from '../configure/config-objects.ts';
import type { HubVersion } from '../hub-version.ts';
import { imageRegistriesAnnotation } from '../render/image-registries.ts';
import type { Resolution } from '../resolve.ts';
import type { Side } from './change.ts';
import { writtenWorks, type WorkOwners, type WrittenWorks } from './written-works.ts';

/** One state that a plan compares, with what comparing looks up in it. */
export interface State {
  readonly resolution: Resolution;
  readonly configs: ConfigObjects;
}

/** The two states of one app. */
export interface Pair {
  readonly hub: HubVersion;
  readonly base: State;
  readonly head: State;
  /** The clusters whose image registries are not the same: the annotation's text before and after. */
  readonly registries: ReadonlyMap<string, string>;
  /** The works that were written. */
  readonly works: Readonly<Record<Side, WrittenWorks>>;
}

export function pairOf(base: Resolution, head: Resolution, hub: HubVersion): Pair {
  const owners: WorkOwners = {
    isCluster: (name) => base.decisions.clusters.has(name) || head.decisions.clusters.has(name),
    hasAddOn: (addOn, cluster) =>
      [base, head].some(({ configuration }) => configuration.get(addOn)?.clusters.has(cluster) === true),
  };
  return {
    hub,
    base: stateOf(base),
    head: stateOf(head),
    registries: changedRegistries(base, head),
    works: { base: writtenWorks(base, owners), head: writtenWorks(head, owners) },
  };
}

function changedRegistries(base: Resolution, head: Resolution): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  for (const [name, cluster] of head.decisions.clusters) {
    const [before, after] = [base.decisions.clusters.get(name), cluster].map(
      (state) => state?.metadata.annotations?.[imageRegistriesAnnotation] ?? '',
    );
    if (before !== after) changed.set(name, `${before}\n${after}`);
  }
  return changed;
}

export function stateOf(resolution: Resolution): State {
  return { resolution, configs: configObjects(resolution.inventory) };
}
