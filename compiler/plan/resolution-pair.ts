import { configObjects, type ConfigObjects } from '../configure/config-objects.ts';
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
}

export function stateOf(resolution: Resolution): State {
  return { resolution, configs: configObjects(resolution.inventory) };
}
