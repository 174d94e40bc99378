import { present, type Random } from './random.ts';

/** How demanding the strategies of a scenario are of time. */
export interface Tempo {
  /** Share of strategies with a soak. */
  readonly soaking: number;
  /** Share of strategies with a deadline. */
  readonly deadlines: number;
}

/** A rollout strategy; absent means that everything is updated at once. */
export function rolloutStrategy(random: Random, { soaking, deadlines }: Tempo): object | undefined {
  const common = (): object =>
    present({
      maxFailures: random.maybe(0.5, () => random.pick([0, 1, 2, 50, '25%', '100%', '0%'] as const)),
      minSuccessTime: random.maybe(soaking, () => '4s'),
      progressDeadline: random.maybe(deadlines, () => random.pick(['25s', '25s', 'None'] as const)),
    });
  const mandatory = (): object =>
    random.chance(0.5)
      ? {
          mandatoryDecisionGroups: random.times(random.between(1, 2), () =>
            random.chance(0.6)
              ? { groupName: random.pick(['g-prod', 'g-stage', 'g-none']) }
              : { groupIndex: random.between(0, 2) },
          ),
        }
      : {};
  switch (
    random.pick([
      'All',
      'Progressive',
      'Progressive',
      'Progressive',
      'ProgressivePerGroup',
      'ProgressivePerGroup',
      'absent',
    ] as const)
  ) {
    case 'All':
      return present({ type: 'All', all: random.maybe(0.5, common) });
    case 'Progressive':
      return present({
        type: 'Progressive',
        progressive: random.maybe(0.9, () => ({
          ...common(),
          ...mandatory(),
          ...random.maybe(0.9, () => ({
            maxConcurrency: random.pick([1, 2, 3, '25%', '34%', '50%', '100%'] as const),
          })),
        })),
      });
    case 'ProgressivePerGroup':
      return present({
        type: 'ProgressivePerGroup',
        progressivePerGroup: random.maybe(0.8, () => ({ ...common(), ...mandatory() })),
      });
    case 'absent':
      break;
  }
  return undefined;
}
