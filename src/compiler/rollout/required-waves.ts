import { reachedFrom, type RequiredAddOns } from '../configure/required-add-ons.ts';
import type { Configuration } from '../configure/resolved-add-on.ts';
import type { Rollout } from './simulation/simulate-rollout.ts';

type WaveNumbers = ReadonlyMap<string, number>;

/**
 * Moves the waves of compiled add-ons behind those of the compiled add-ons that must be Available first. A wave is moved as a whole, and
 * the waves after it with it, so that the order of the rollout strategy stays. An add-on in a cycle of requirements is not moved.
 */
export function moveBehindRequired(
  rollouts: Map<string, Rollout>,
  configuration: Configuration,
  required: RequiredAddOns,
): void {
  const moved = new Map<string, WaveNumbers | undefined>();
  const names = (addOn: string): readonly string[] => (required.get(addOn) ?? []).map(({ name }) => name);
  const wavesOf = (addOn: string): WaveNumbers | undefined => {
    if (moved.has(addOn)) return moved.get(addOn);
    const own =
      configuration.get(addOn)?.delivery === 'compiled' ? rollouts.get(addOn)?.waveNumbers : undefined;
    moved.set(addOn, own);
    if (own === undefined || names(addOn).some((name) => reachedFrom(name, names).includes(addOn)))
      return own;
    const first = (required.get(addOn) ?? [])
      .filter(({ state }) => state === 'available')
      .flatMap(({ name }) => wavesOf(name) ?? []);
    const later = first.length === 0 ? own : behind(own, first);
    moved.set(addOn, later);
    return later;
  };
  for (const addOn of required.keys()) {
    const rollout = rollouts.get(addOn);
    const waveNumbers = wavesOf(addOn);
    if (rollout !== undefined && waveNumbers !== undefined && waveNumbers !== rollout.waveNumbers)
      rollouts.set(addOn, { ...rollout, waveNumbers });
  }
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
