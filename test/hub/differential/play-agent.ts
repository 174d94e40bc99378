import { ApiClient } from '../client/api-client.ts';
import { readAccess } from '../client/kubeconfig.ts';
import type { RunningHub } from '../process/start-hub.ts';
import { permitAgent } from '../work-agent/permitted-agent.ts';
import { playedRounds } from '../work-agent/played-rounds.ts';
import { playedSharedObjects } from '../work-agent/played-shared-objects.ts';
import { playedWorks } from '../work-agent/played-works.ts';
import { Tally } from '../work-agent/tally.ts';
import { Random } from './random.ts';

/** The answers of OCM's work agent, beside the predicted ones. */
export interface PlayedAgent {
  readonly differences: readonly string[];
  /** How often the agent did what: `3 applied, 1 FW8312`. */
  readonly results: string;
}

/**
 * Delivers random manifests to the managed cluster of a hub, updates each once, and lets two works deliver as many objects. The hub needs a
 * managed cluster whose agent has the permissions that OCM's operator grants.
 */
export async function playAgent(
  hub: ApiClient,
  { managedCluster }: Pick<RunningHub, 'managedCluster'>,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<PlayedAgent> {
  if (managedCluster === undefined) throw new Error('the hub has no managed cluster');
  const managed = new ApiClient(readAccess(managedCluster.kubeconfig));
  const tally = new Tally();
  const differences: string[] = [];
  try {
    const clients = { hub, managed };
    await permitAgent(clients);
    for (const [index, play] of [playedWorks, playedSharedObjects].entries())
      differences.push(...(await playedRounds(play, clients, new Random(seed + index), { count, tally })));
  } finally {
    managed.close();
  }
  return { differences, results: tally.toString() };
}
