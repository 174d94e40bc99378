// Compares the Policies that governance-policy-propagator copies to clusters with the prediction, for random policies or for those in files.
// The propagator is no module that the proxies serve, so CI replays recorded answers. Build it from its source, and run:
// node --import tsx test/hub/policies/compare-policies.ts --propagator PROGRAM --definitions FOLDER [--count 40] [--seed 1 | --seeds 3,7] [--record FILE] [FILE..]
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { goJson } from '../../../src/base/json/go-json.ts';
import { policiesOfFile } from './policies-of-file.ts';
import type { PolicyCase, PolicyCopies } from './policy-case.ts';
import { PolicyHub } from './policy-hub.ts';
import { predictedCopies } from './predicted-copies.ts';
import { randomPolicies } from './random-policies.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    propagator: { type: 'string' },
    definitions: { type: 'string' },
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    record: { type: 'string' },
  },
});
const { propagator, definitions } = values;
if (propagator === undefined || definitions === undefined)
  throw new Error('--propagator and --definitions are required');

/** Seeds one after the other, or those that are named. */
const seeds =
  values.seeds === undefined
    ? Array.from({ length: Number(values.count) }, (_, index) => Number(values.seed) + index)
    : values.seeds.split(',').map(Number);

/** A recorded answer. */
interface Recorded {
  readonly seed: number;
  readonly copies: PolicyCopies;
}

/** In milliseconds: how long a difference may last, and how long an equal answer has to stay. */
const [patience, rest] = [20_000, 700];

const hub = await PolicyHub.start(propagator, definitions);
const recorded: Recorded[] = [];
let different = 0;
let copies = 0;
try {
  if (positionals.length > 0)
    for (const file of positionals)
      await compare(path.basename(file), policiesOfFile(readFileSync(file, 'utf8')));
  else
    for (const seed of seeds) {
      const answer = await compare(`seed ${seed}`, randomPolicies(seed));
      recorded.push({ seed, copies: answer });
    }
} finally {
  await hub.stop();
}
if (values.record !== undefined) writeFileSync(values.record, `${JSON.stringify(recorded, null, 1)}\n`);
process.stdout.write(`${copies} copies of policies, ${different} cases differ\n`);
process.exitCode = different === 0 ? 0 : 1;

/** Compares one case, and returns the answer of the propagator. */
async function compare(name: string, given: PolicyCase): Promise<PolicyCopies> {
  const rejected = await hub.apply(given);
  for (const [object, reason] of rejected)
    process.stdout.write(`${name}: ${object} is rejected: ${reason.slice(0, 200)}\n`);
  const objects = given.objects.filter(
    ({ kind, metadata }) => !rejected.has(`${kind} ${metadata.name ?? ''}`),
  );
  const predicted = predictedCopies({ ...given, objects });
  const deadline = Date.now() + patience;
  let equalSince = Infinity;
  let actual = await hub.copies();
  while (Date.now() < deadline && Date.now() - equalSince < rest) {
    await delay(150);
    actual = await hub.copies();
    equalSince = goJson(actual) === goJson(predicted) ? Math.min(equalSince, Date.now()) : Infinity;
  }
  copies += Object.keys(actual).length;
  if (equalSince === Infinity) {
    different += 1;
    const keys = [...new Set([...Object.keys(actual), ...Object.keys(predicted)])].sort();
    for (const key of keys.filter((each) => actual[each] !== predicted[each]))
      process.stdout.write(
        `${name}: ${key}: predicted ${predicted[key]}, actual ${actual[key]}\n${hub.logOf(key.split('.')[1] ?? '')}\n`,
      );
  }
  const policies = given.objects.filter(({ kind }) => kind === 'Policy').length;
  process.stdout.write(`${name}: ${policies} policies, ${Object.keys(actual).length} copies\n`);
  await hub.delete({ ...given, objects });
  return actual;
}
