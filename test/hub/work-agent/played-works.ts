import { goJson } from '../../../src/base/json/go-json.ts';
import type { ApiClient } from '../client/api-client.ts';
import type { Random } from '../differential/random.ts';
import { isExpected } from './expected-words.ts';
import type { ManifestPair } from './manifest-pairs.ts';
import { appliedOf, differenceOf, type Applied } from './observed-answers.ts';
import { predictedAnswers, type Answer } from './predicted-answers.ts';
import type { Tally } from './tally.ts';
import { randomWorks, workOf, type Side } from './random-works.ts';

/** The hub that gets the works, and the cluster whose agent applies them. */
export interface Clients {
  readonly hub: ApiClient;
  readonly managed: ApiClient;
}

/** A part of the works or objects, which the cluster has at the same time. */
export interface Round {
  /** A part of the names that no other round has. */
  readonly round: string;
  /** The number of manifests, or of objects. */
  readonly count: number;
  readonly tally: Tally;
}

const perWork = 6;

/**
 * Delivers random works with `count` manifests, updates each once, compares the answers, and removes the works. Returns the differences.
 *
 * @param tally - counts the manifests that are applied, those that each code refuses, and those of which nothing is predicted
 */
export async function playedWorks(
  { hub, managed }: Clients,
  random: Random,
  { round, count, tally }: Round,
): Promise<readonly string[]> {
  const works = randomWorks(random, { round, count, perWork });
  const answers = predictedAnswers(works);
  const differences: string[] = [];
  for (const side of ['before', 'after'] as const) {
    for (const work of works) await hub.apply(workOf(work, side));
    for (const { name, pairs } of works) {
      const applied = await appliedOf(hub, name);
      for (const [index, pair] of pairs.entries()) {
        const answer = answers.get(pair)?.[side];
        if (answer === undefined) throw new Error(`no answer to ${name}`);
        if (answer.unpredicted !== undefined) {
          tally.add(`unpredicted (${answer.unpredicted})`);
          continue;
        }
        const codes = [...new Set(answer.reasons.map(({ code }) => code))].sort();
        const condition = applied[index] ?? {};
        const outcome = isRefusedAgain(answer, condition) ? 'unpredicted (FW8314)' : 'applied';
        tally.add(codes.length === 0 ? outcome : codes.join(' and '));
        const different = await compared(managed, pair, answer, condition);
        differences.push(...different.map((text) => `${side} ${name}: ${text}\n  ${show(pair, side)}`));
      }
    }
  }
  // Some objects stay: those that nothing owns, and volumes, whose protection no controller ends here. Their names are of this round.
  for (const work of works) await hub.delete(workOf(work, 'after'));
  return differences;
}

/** Returns where the agent and the API server answer otherwise than predicted. */
async function compared(
  managed: ApiClient,
  pair: ManifestPair,
  answer: Answer,
  applied: Applied,
): Promise<readonly string[]> {
  const { reasons, stored, isMerged } = answer;
  const { status, reason, message = '' } = applied;
  const isApplied = reasons.length === 0;
  const isEqual =
    isRefusedAgain(answer, applied) ||
    (isApplied === (status === 'True') && isExpected(message, reasons, isMerged));
  const difference = await differenceOf(managed, pair, stored);
  const predicted = isApplied
    ? 'applied'
    : reasons.map(({ code, message }) => `${code} ${message}`).join('; ');
  return [
    ...(isEqual ? [] : [`predicted ${predicted}\n  is ${status} ${reason}: ${message}`]),
    ...(difference === undefined ? [] : [`predicted ${predicted}\n  the object differs: ${difference}`]),
  ];
}

/** Whether the agent has looked again at an object that it updates in vain. */
function isRefusedAgain({ reasons, isUpdatedInVain }: Answer, { message = '' }: Applied): boolean {
  return reasons.length === 0 && isUpdatedInVain && / is invalid: .*field is immutable/s.test(message);
}

function show({ config, before, after }: ManifestPair, side: Side): string {
  const { updateStrategy = { type: 'Update' } } = config ?? {};
  return `${goJson(updateStrategy)} ${goJson(before)}${side === 'after' ? ` -> ${goJson(after)}` : ''}`;
}
