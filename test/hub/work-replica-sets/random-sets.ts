import { Random } from '../differential/random.ts';
import { placement, progressing, ref, set } from './scenes.ts';

const environments = ['prod', 'stage', 'dev'] as const;

/** Random Placements and sets. */
export interface RandomSets {
  readonly placements: readonly string[];
  /** @param value - the content of the works */
  readonly sets: (value: string) => readonly string[];
}

/** Returns Placements with and without groups, and sets over them with all strategies, of which some never go on. */
export function randomSets(seed: number, count: number): RandomSets {
  const random = new Random(seed);
  const placements = environments.flatMap((env) =>
    Array.from({ length: 2 }, (_, index) => {
      const name = `${env}-${seed}-${index}`;
      const grouping = random.pick(['', '1', '2', '"50%"'] as const);
      const more =
        grouping === ''
          ? ''
          : `decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: ${grouping} } }`;
      return { env, name, groups: grouping === '1' ? 2 : 1, text: placement(env, more, name) };
    }),
  );
  const descriptions = Array.from({ length: count }, (_, index) => {
    // A cluster that two Placements of a set select never comes to rest on releases that do not generate names.
    const named = random
      .sample(environments, random.between(1, environments.length))
      .map((env) => random.pick(placements.filter((each) => each.env === env)));
    // With a Placement that does not exist, the hub does not look again when a soak is over.
    const isCut = random.chance(0.1);
    const refs = named.map(({ name, env, groups }) =>
      ref(name, strategyOf(random, env === 'prod' ? groups : 1, isCut ? 0 : 0.3)),
    );
    if (isCut) refs.splice(random.between(0, refs.length), 0, ref('nowhere'));
    return { name: `set-${seed}-${index}`, refs, rules: random.chance(0.7) ? progressing : '' };
  });
  return {
    placements: placements.map(({ text }) => text),
    sets: (value) => descriptions.map(({ name, refs, rules }) => set(name, refs, value, rules)),
  };
}

/** @param soaking - the share of strategies with a soak */
function strategyOf(random: Random, groups: number, soaking: number): string | undefined {
  const mandatory = random.chance(0.3)
    ? { mandatoryDecisionGroups: [{ groupIndex: random.between(0, groups - 1) }] }
    : {};
  const common = {
    ...mandatory,
    ...(random.chance(soaking) && { minSuccessTime: '1s' }),
    ...(random.chance(0.2) && { maxFailures: random.pick([0, 1, '50%'] as const) }),
  };
  return random.pick([
    undefined,
    JSON.stringify({ type: 'All' }),
    JSON.stringify({
      type: 'Progressive',
      progressive: { ...common, maxConcurrency: random.pick([1, 2, '50%', '34%'] as const) },
    }),
    JSON.stringify({ type: 'ProgressivePerGroup', progressivePerGroup: common }),
  ]);
}
