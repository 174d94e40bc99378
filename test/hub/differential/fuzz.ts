// npm run fuzz:hub -- --family template --count 500 --seed 1
//
// Holds the compiler against a real hub with as many random scenarios as asked.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { connect, type Hub } from '../client/hub.ts';
import { namespaceKind, reference } from '../client/kinds.ts';
import { startHub, type RunningHub } from '../process/start-hub.ts';
import { printDifferences } from './differences.ts';
import { families, type Family } from './families.ts';
import { printDisagreement, runValidation, type ValidationResult } from '../validation/run-validation.ts';
import { releaseOf } from '../client/release.ts';
import { parseObjects } from '../record/scenario.ts';
import { timedRollouts } from '../rollout-times/timed-rollouts.ts';
import { applyObjects, compareRandomSets, type SetDifference } from '../work-replica-sets/compare-sets.ts';
import { playAgents } from '../work-replica-sets/played-agents.ts';
import { fleet } from '../work-replica-sets/scenes.ts';
import { compareWebhooks, kindsText } from '../validation/compare-webhooks.ts';
import { mutatedCluster } from '../validation/webhook-mutants.ts';
import { cluster } from '../work-agent/random-works.ts';
import { playAgent } from './play-agent.ts';
import { runFamily, type FamilyResult } from './run-family.ts';

const { values } = parseArgs({
  options: {
    family: { type: 'string', multiple: true },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '3' },
    shrink: { type: 'string', default: '40' },
    log: { type: 'string' },
  },
});
const known = [
  ...(Object.keys(families) as Family[]),
  'validation' as const,
  'times' as const,
  'replica-sets' as const,
  'webhooks' as const,
  'work-agent' as const,
];
type Known = (typeof known)[number];
const chosen =
  values.family === undefined ? known : known.filter((family) => values.family?.includes(family));
const [first, count] = [Number(values.seed), Number(values.count)];
if (
  chosen.length !== (values.family ?? known).length ||
  !Number.isInteger(first) ||
  !Number.isInteger(count)
) {
  process.stderr.write(
    `usage: npm run fuzz:hub -- [--family ${known.join('|')}]… [--count N] [--seed N] [--parallel N] [--shrink N] [--log FILE]\n`,
  );
  process.exit(2);
}
const found = path.join(import.meta.dirname, '../found');

/** `validation` compares with the API server alone, and the work agent's cluster is separate from those that families draw. */
const separate: ReadonlySet<Known> = new Set(['webhooks', 'work-agent']);
let hub: Hub;
let running: RunningHub;
for (const together of [
  chosen.filter((family) => !separate.has(family)),
  chosen.filter((family) => separate.has(family)),
])
  if (together.length > 0) await fuzzOnHub(together);

/** Starts a hub, and compares it with the scenarios of some families. */
async function fuzzOnHub(together: readonly Known[]): Promise<void> {
  const playsAgent = together.includes('work-agent');
  running = await startHub({
    admissionWebhooks: !together.includes('validation'),
    workReplicaSets: together.includes('replica-sets'),
    managedCluster: playsAgent ? cluster : undefined,
    workAgentPermissions: playsAgent,
    log: values.log,
  });
  hub = connect(running);
  try {
    for (const family of together) {
      const { agreements, disagreements } = await fuzz(family);
      process.stdout.write(`${family}: ${agreements} of ${count} agree\n`);
      if (disagreements.length > 0) process.exitCode = 1;
    }
  } finally {
    hub.close();
    await running.stop();
  }
}

async function fuzz(
  family: Known,
): Promise<{ readonly agreements: number; readonly disagreements: readonly unknown[] }> {
  if (family === 'validation') return fuzzValidation();
  if (family === 'replica-sets') return fuzzReplicaSets();
  if (family === 'webhooks') return fuzzWebhooks();
  if (family === 'work-agent') return fuzzWorkAgent();
  return family === 'times' ? fuzzTimes() : fuzzFamily(family);
}

async function fuzzFamily(family: Family): Promise<FamilyResult> {
  return runFamily(hub, family, {
    seeds: seeds(),
    parallel: Number(values.parallel),
    shrinkAttempts: Number(values.shrink),
    found,
    onProgress: (done, agreements) => {
      if (done % 25 === 0) process.stderr.write(`${family}: ${agreements} of ${done} agree so far\n`);
    },
    onChance: ({ seed, differences }) => {
      process.stdout.write(
        `${family} ${seed}: the hub itself was of two minds\n${printDifferences(differences, 2)}`,
      );
    },
    onDisagreement: ({ seed, folder, differences }) => {
      process.stdout.write(
        `${family} ${seed}: differs, saved in ${path.relative('.', folder)}\n${printDifferences(differences, 5)}`,
      );
    },
  });
}

async function fuzzValidation(): Promise<ValidationResult> {
  const result = await runValidation(hub, { seeds: [first], mutantsPerSeed: count, found });
  for (const disagreement of result.disagreements) process.stdout.write(printDisagreement(disagreement));
  return result;
}

/** ManifestWorkReplicaSets, one seed at a time, because their fleet is shared. */
async function fuzzReplicaSets(): Promise<{ agreements: number; disagreements: readonly SetDifference[] }> {
  await applyObjects(hub, parseObjects(fleet));
  const agents = playAgents(hub.client);
  const disagreements: SetDifference[] = [];
  try {
    for (const seed of seeds())
      disagreements.push(...(await compareRandomSets(hub, releaseOf(running.versions), { seed, count: 16 })));
  } finally {
    await agents.stop();
  }
  for (const disagreement of disagreements)
    process.stdout.write(`replica-sets ${JSON.stringify(disagreement)}\n`);
  return { agreements: count - new Set(disagreements.map(({ seed }) => seed)).size, disagreements };
}

/** Rollouts with agents that answer: a change that is earlier than predicted is a disagreement. */
async function fuzzTimes(): Promise<{ agreements: number; disagreements: readonly string[] }> {
  const { early, unordered } = await timedRollouts(hub, releaseOf(running.versions), {
    seeds: seeds(),
    parallel: Number(values.parallel),
    onChange: undefined,
  });
  const disagreements = [...early, ...unordered];
  for (const line of disagreements) process.stdout.write(`times ${line}\n`);
  const differing = new Set(disagreements.map((line) => line.slice(0, line.indexOf(':'))));
  return { agreements: count - differing.size, disagreements };
}

/** Objects that OCM's webhooks accept or reject. */
async function fuzzWebhooks(): Promise<{ agreements: number; disagreements: readonly string[] }> {
  await hub.client.apply(reference(namespaceKind, mutatedCluster));
  const compared = await compareWebhooks(hub, { seed: first, count });
  process.stdout.write(`webhooks: ${kindsText(compared)}\n`);
  return printed('webhooks', compared.differences);
}

/** Manifests that OCM's work agent delivers and updates, and objects that two works deliver. */
async function fuzzWorkAgent(): Promise<{ agreements: number; disagreements: readonly string[] }> {
  const { differences, results } = await playAgent(hub.client, running, { seed: first, count });
  process.stdout.write(`work-agent: ${results}\n`);
  return printed('work-agent', differences);
}

function printed(
  family: Known,
  differences: readonly string[],
): { agreements: number; disagreements: readonly string[] } {
  for (const difference of differences) process.stdout.write(`${family} ${difference}\n`);
  return { agreements: Math.max(0, count - differences.length), disagreements: differences };
}

function seeds(): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
