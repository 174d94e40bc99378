import { goJson } from '../../../src/base/json/go-json.ts';
import { ApiClient, UnservedKind } from '../client/api-client.ts';
import { readAccess } from '../client/kubeconfig.ts';
import { until } from '../companion/until.ts';
import type { RunningHub } from '../process/start-hub.ts';
import { permittingWork } from '../work-agent/granted-permissions.ts';
import { playedWorks } from '../work-agent/played-works.ts';
import { cluster } from '../work-agent/random-works.ts';
import { playedSharedObjects } from '../work-agent/shared-objects.ts';
import { Tally } from '../work-agent/tally.ts';
import { Random } from './random.ts';

/** The answers of OCM's work agent, beside the predicted ones. */
export interface PlayedAgent {
  readonly differences: readonly string[];
  /** How often the agent did what: `3 applied, 1 FW8312`. */
  readonly results: string;
}

/** A cluster has no more manifests at the same time. */
const perRound = 120;

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
    await hub.apply(permittingWork(cluster));
    await until('the permissions of the work agent', async () => mayWriteWidgets(managed));
    for (const [index, play] of [playedWorks, playedSharedObjects].entries()) {
      const random = new Random(seed + index);
      for (let begun = 0; begun < count; begun += perRound) {
        const round = { round: String(begun / perRound), count: Math.min(perRound, count - begun), tally };
        differences.push(...(await play({ hub, managed }, random, round)));
      }
    }
  } finally {
    managed.close();
  }
  return { differences, results: tally.toString() };
}

/** Whether the permissions of the permitting work have reached the agent, and the kind that it defines is served. */
async function mayWriteWidgets(managed: ApiClient): Promise<boolean> {
  const agent = managed.as({
    user: 'system:serviceaccount:open-cluster-management-agent:klusterlet-work-sa',
    groups: ['system:authenticated'],
  });
  const widget = { apiVersion: 'test.example.com/v1', kind: 'Widget' };
  try {
    const metadata = { name: 'a', namespace: 'default' };
    return (
      (await agent.refusal({ ...widget, namespace: 'default' }, goJson({ ...widget, metadata }))) ===
      undefined
    );
  } catch (error) {
    if (error instanceof UnservedKind) return false;
    throw error;
  } finally {
    agent.close();
  }
}
