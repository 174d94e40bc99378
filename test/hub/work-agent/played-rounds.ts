import type { Random } from '../differential/random.ts';
import type { Clients, Round } from './played-works.ts';

/** Plays random manifests or objects, and returns the differences. */
type Play = (clients: Clients, random: Random, round: Round) => Promise<readonly string[]>;

/** A cluster has no more manifests at the same time. */
const perRound = 120;

/** Plays manifests or objects in rounds, and returns the differences. */
export async function playedRounds(
  play: Play,
  clients: Clients,
  random: Random,
  { count, tally }: Pick<Round, 'count' | 'tally'>,
): Promise<readonly string[]> {
  const differences: string[] = [];
  for (let begun = 0; begun < count; begun += perRound) {
    const round = { round: String(begun / perRound), count: Math.min(perRound, count - begun), tally };
    differences.push(...(await play(clients, random, round)));
  }
  return differences;
}
