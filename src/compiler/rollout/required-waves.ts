import { orderedRequirements, reachedFrom, type RequiredAddOns } from '../configure/required-add-ons.ts';
import type { Configuration } from '../configure/resolved-add-on.ts';
import type { Rollout } from './simulation/simulate-rollout.ts';

/** The wave of each cluster, from 1. */
export type WaveNumbers = ReadonlyMap<string, number>;

/** Moves the waves of compiled add-ons behind those of the compiled add-ons that must be Available first. */
export function moveBehindRequired(
  rollouts: Map<string, Rollout>,
  configuration: Configuration,
  required: RequiredAddOns,
): void {
  const isCompiled = (addOn: string): boolean => configuration.get(addOn)?.delivery === 'compiled';
  const wavesOf = behindRequired(required, (addOn) =>
    isCompiled(addOn) ? rollouts.get(addOn)?.waveNumbers : undefined,
  );
  for (const addOn of required.keys()) {
    const rollout = rollouts.get(addOn);
    const waveNumbers = wavesOf(addOn);
    if (rollout !== undefined && waveNumbers !== undefined && waveNumbers !== rollout.waveNumbers)
      rollouts.set(addOn, { ...rollout, waveNumbers });
  }
}

/**
 * Returns a function that returns the waves of an add-on, behind those of the add-ons that must be Available first. A wave is moved as a
 * whole, and the waves after it with it, so that the order of the rollout strategy stays. An add-on in a cycle of requirements is not
 * moved.
 *
 * @param wavesOf - the waves of the rollout strategy. Undefined if the add-on has none, or does not count
 */
export function behindRequired(
  required: RequiredAddOns,
  wavesOf: (addOn: string) => WaveNumbers | undefined,
): (addOn: string) => WaveNumbers | undefined {
  const ordered = orderedRequirements(required);
  const moved = new Map<string, WaveNumbers | undefined>();
  const all = namesIn(required);
  const first = namesIn(ordered);
  const waves = (addOn: string): WaveNumbers | undefined => {
    if (moved.has(addOn)) return moved.get(addOn);
    const own = wavesOf(addOn);
    moved.set(addOn, own);
    if (own === undefined || all(addOn).some((name) => reachedFrom(name, all).includes(addOn))) return own;
    const before = first(addOn).flatMap((name) => waves(name) ?? []);
    const later = before.length === 0 ? own : behind(own, before);
    moved.set(addOn, later);
    return later;
  };
  return waves;
}

function namesIn(required: RequiredAddOns): (addOn: string) => readonly string[] {
  return (addOn) => (required.get(addOn) ?? []).map(({ name }) => name);
}

/** Returns the waves with every wave after those in which its clusters get the add-ons that must be Available first. */
function behind(own: WaveNumbers, first: readonly WaveNumbers[]): WaveNumbers {
  const earliest = new Map<number, number>();
  for (const [cluster, wave] of own) {
    const after = Math.max(0, ...first.map((waves) => waves.get(cluster) ?? 0));
    earliest.set(wave, Math.max(earliest.get(wave) ?? wave, after + 1));
  }
  let last = 0;
  const numbers = new Map<number, number>();
  for (const [wave, number] of [...earliest].sort(([a], [b]) => a - b)) {
    last = Math.max(number, last + 1);
    numbers.set(wave, last);
  }
  return new Map(Array.from(own, ([cluster, wave]) => [cluster, numbers.get(wave) ?? wave]));
}
