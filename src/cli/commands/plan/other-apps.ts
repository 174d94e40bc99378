import { requiredOfOthers } from '../../../compiler/check/requirements/across-apps.ts';
import type { Resolution } from '../../../compiler/index.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { AppPair } from './compared-states.ts';
import { type ResolveHubOptions, type StateReading, appsOf, readApps } from './read-apps.ts';
import { resolveEarlier, resolveState } from './resolve-state.ts';

/** An app that the plan only compares requirements with. A state that does not resolve is missing. */
export interface OtherApp {
  readonly base?: Resolution;
  readonly head?: Resolution;
}

/**
 * Returns the apps that the user did not name, as far as add-ons of the named apps require add-ons of theirs. They are read one after
 * the other, only while an add-on is missing.
 */
export async function otherApps(
  states: readonly AppPair[],
  options: ResolveHubOptions,
  reading: StateReading,
  terminal: Terminal,
): Promise<readonly OtherApp[]> {
  const { base, head, at, inBase, inHead } = reading;
  const { targets } = options;
  const others: OtherApp[] = [];
  const named = new Set(states.map(({ app }) => app));
  const pairs = states.map(({ before, after }) => ({ base: before.resolution, head: after.resolution }));
  const isMissing = (side: 'base' | 'head'): boolean =>
    requiredOfOthers([...pairs, ...others].flatMap((each) => each[side] ?? [])).length > 0;
  if (!isMissing('base') && !isMissing('head')) return [];
  for (const { app } of await appsOf({ ...options, app: [] }, base, head, terminal)) {
    if (named.has(app)) continue;
    const { apps } = await readApps({ ...options, app: [app] }, reading, terminal);
    for (const read of apps) {
      const before = resolveEarlier(read.before, targets.base, at(base), inBase).resolution;
      const earlier = before && { earlier: before.decisions };
      const after = resolveState(read.after, targets.head, at(head), { ...inHead, ...earlier }).resolution;
      others.push({ ...(before && { base: before }), ...(after && { head: after }) });
    }
    if (!isMissing('base') && !isMissing('head')) break;
  }
  return others;
}
