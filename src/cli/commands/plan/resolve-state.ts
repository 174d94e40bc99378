import { joined } from '../../../base/collections/joined-lists.ts';
import { type Resolution, resolve } from '../../../compiler/index.ts';
import { isHubOwned } from '../../../compiler/model/hub-owned.ts';
import type { Inputs } from '../../../workspace/inputs/inputs.ts';
import {
  type ResolveReadOptions,
  type ResolvedInputs,
  resolveRead,
} from '../../../workspace/inputs/resolve-inputs.ts';
import type { CompileTarget } from '../../../workspace/output/compile-target.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type ReadPair, areAlike, ofSource } from './compared-inputs.ts';

/** Returns the resolution of an app in a state; the resolution of no inputs if the state does not have the app. */
export function resolveState(
  inputs: Inputs | undefined,
  target: CompileTarget,
  terminal: Terminal,
  options: ResolveReadOptions,
): ResolvedInputs {
  return inputs === undefined
    ? { resolution: nothing(target, terminal), diagnostics: [], texts: new Map(), snapshots: [] }
    : resolveRead(inputs, target, terminal, options);
}

/**
 * Returns the resolution of an app in the earlier state, which the hub has had for a long time: placements that other placements
 * displace have been evaluated again. Without this, the later state would appear to displace them.
 */
export function resolveEarlier(
  inputs: Inputs | undefined,
  target: CompileTarget,
  terminal: Terminal,
  options: ResolveReadOptions,
): ResolvedInputs {
  let resolved = resolveState(inputs, target, terminal, options);
  for (let times = 0; times < mostEvaluations; times++) {
    const { resolution } = resolved;
    if (resolution === undefined || !isDisplaced(resolution.decisions)) break;
    resolved = resolveState(inputs, target, terminal, { ...options, earlier: resolution.decisions });
  }
  return resolved;
}

/** The number of evaluations after which placements that displace each other count as never settling. */
const mostEvaluations = 3;

function isDisplaced({ byPlacement }: Resolution['decisions']): boolean {
  return [...byPlacement.values()].some(({ reasoning }) => reasoning?.revision !== undefined);
}

/** Returns `AppStates.baseOnSameFleet`; undefined if it is the base itself. */
export function onFleetOfHead(
  read: ReadPair,
  { resolution }: ResolvedInputs,
  { base, head }: { readonly base: CompileTarget; readonly head: CompileTarget },
  terminal: Terminal,
  options: ResolveReadOptions,
): Resolution | undefined {
  const { before, after } = read;
  if (before === undefined || after === undefined || resolution?.inventory.objects.some(isHubOwned) !== true)
    return undefined;
  if (areAlike(read, 'fleet')) return undefined;
  if (areAlike(read, 'app') && base.hub === head.hub) return resolution;
  const objects = joined([ofSource.app(before.objects), ofSource.fleet(after.objects)]);
  return resolveRead({ ...after, objects }, base, terminal, options).resolution;
}

function nothing({ hub, now }: CompileTarget, terminal: Terminal): Resolution | undefined {
  return resolve([], { now: now ?? terminal.now(), hub }).value;
}
