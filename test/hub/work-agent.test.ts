import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { ocmKinds, reference } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { Random } from './differential/random.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { podTemplate } from './work-agent/kinds/generated-kind.ts';
import { appliedOf } from './work-agent/observed-answers.ts';
import { permitAgent } from './work-agent/permitted-agent.ts';
import { playedRounds } from './work-agent/played-rounds.ts';
import { playedWorks } from './work-agent/played-works.ts';
import { cluster } from './work-agent/random-works.ts';
import { playedSharedObjects } from './work-agent/played-shared-objects.ts';
import { Tally } from './work-agent/tally.ts';

// OCM's own work agent, with the permissions that OCM's operator grants it, and a real API server, beside what `validate` and `plan`
// predict: which manifests are applied, why others are not, and what exists afterwards.

let running: RunningHub;
let hub: Hub;
let managed: ApiClient;
beforeAll(async () => {
  running = await startHub({ managedCluster: cluster, workAgentPermissions: true });
  hub = connect(running);
  const address = running.managedCluster;
  if (address === undefined) throw new Error('a managed cluster');
  managed = new ApiClient(readAccess(address.kubeconfig));
  await permitAgent({ hub: hub.client, managed });
}, 300_000);
afterAll(async () => {
  managed.close();
  hub.close();
  await running.stop();
});

const count = Number(process.env['WORK_AGENT_MANIFESTS'] ?? 60);
const seed = Number(process.env['WORK_AGENT_SEED'] ?? 40);
const hours = 3_600_000;

async function played(play: typeof playedWorks, random: Random, tally: Tally): Promise<readonly string[]> {
  return playedRounds(play, { hub: hub.client, managed }, random, { count, tally });
}

test('the agent applies, refuses and changes manifests as predicted', { timeout: 2 * hours }, async () => {
  const tally = new Tally();
  const differences = await played(playedWorks, new Random(seed), tally);
  process.stdout.write(`${count} manifests and updates: ${tally.toString()}; ${differences.length} differ\n`);
  expect(differences).toEqual([]);
  expect(tally.total).toBe(2 * count);
  // otherwise the test compares little
  expect(tally.of('applied')).toBeGreaterThan(count / 2);
});

test('two works that deliver one object, each with its strategy', { timeout: 2 * hours }, async () => {
  const tally = new Tally();
  const differences = await played(playedSharedObjects, new Random(seed + 1), tally);
  process.stdout.write(`${count} objects of two works: ${tally.toString()}; ${differences.length} differ\n`);
  expect(differences).toEqual([]);
  expect(tally.total).toBe(count);
});

test(
  'after its restart, the agent sends Jobs again, and those with a generated selector are refused',
  {
    timeout: 600_000,
  },
  async () => {
    const own = { manualSelector: true, selector: { matchLabels: { app: 'a' } } };
    const jobs = { 'restarted-generated': {}, 'restarted-own': own };
    for (const [name, fields] of Object.entries(jobs)) {
      const spec = { ...fields, template: podTemplate('a', 'x:1', { restartPolicy: 'Never' }) };
      const manifests = [
        { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace: 'default' }, spec },
      ];
      await hub.client.apply({
        ...reference(ocmKinds.manifestWork, name, cluster),
        spec: { workload: { manifests } },
      });
    }
    const answer = async (name: keyof typeof jobs): Promise<string> => {
      const [{ status = '', message = '' } = {}] = await appliedOf(hub.client, name);
      return `${status}: ${message}`;
    };
    for (const name of ['restarted-generated', 'restarted-own'] as const)
      expect(await answer(name)).toBe('True: Apply manifest complete');
    await running.cause('stop-managed-cluster');
    await running.cause('start-managed-cluster');
    await expect
      .poll(async () => await answer('restarted-generated'), { timeout: 300_000 })
      .toMatch(/^False: .*spec\.selector: Required value/);
    expect(await answer('restarted-own')).toBe('True: Apply manifest complete');
  },
);
