import { configObjects, type ConfigObjects } from '../configure/config-objects.ts';
import { imageRegistriesAnnotation } from '../render/image-registries.ts';
import type { Resolution } from '../resolve.ts';

/** One state that a plan compares, with what comparing looks up in it. */
export interface State {
  readonly resolution: Resolution;
  readonly configs: ConfigObjects;
}

/** The two states of one app. */
export interface Pair {
  readonly base: State;
  readonly head: State;
  /** The clusters whose image registries are not the same: the annotation's text before and after. */
  readonly registries: ReadonlyMap<string, string>;
}

export function pairOf(base: Resolution, head: Resolution): Pair {
  return { base: stateOf(base), head: stateOf(head), registries: changedRegistries(base, head) };
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
