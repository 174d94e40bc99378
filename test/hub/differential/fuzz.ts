// npm run fuzz:hub -- --family template --count 500 --seed 1
//
// Holds the compiler against a real hub with as many random scenarios as asked.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from '../client/hub.ts';
import { startHub } from '../process/start-hub.ts';
import { printDifferences } from './differences.ts';
import { families, type Family } from './families.ts';
import { printDisagreement, runValidation, type ValidationResult } from '../validation/run-validation.ts';
import { releaseOf } from '../client/release.ts';
import { parseObjects } from '../record/scenario.ts';
import { timedRollouts } from '../rollout-times/timed-rollouts.ts';
import { applyObjects, compareRandomSets, type SetDifference } from '../work-replica-sets/compare-sets.ts';
import { playAgents } from '../work-replica-sets/played-agents.ts';
import { fleet } from '../work-replica-sets/scenes.ts';
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
];
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

const running = await startHub({
  // `validation` compares with the API server alone.
  admissionWebhooks: !chosen.includes('validation'),
  workReplicaSets: chosen.includes('replica-sets'),
  log: values.log,
});
const hub = connect(running);
try {
  for (const family of chosen) {
    const { agreements, disagreements } = await fuzz(family);
    process.stdout.write(`${family}: ${agreements} of ${count} agree\n`);
    if (disagreements.length > 0) process.exitCode = 1;
  }
} finally {
  hub.close();
  await running.stop();
}

async function fuzz(
  family: (typeof known)[number],
): Promise<{ readonly agreements: number; readonly disagreements: readonly unknown[] }> {
  if (family === 'validation') return fuzzValidation();
  if (family === 'replica-sets') return fuzzReplicaSets();
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

function seeds(): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
