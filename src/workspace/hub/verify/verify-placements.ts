import { setTimeout as wait } from 'node:timers/promises';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { clusterGroup } from '../../../../schemas/groups.ts';
import type { PlacementV1beta1 } from '../../../../schemas/types.gen.ts';
import { ApiError, isForbidden, sentenceOf } from '../../../client/api-error.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { objectKey } from '../../../compiler/index.ts';
import { unscheduledBy } from '../../../compiler/place/unchanged-decision.ts';
import {
  comparePlacement,
  Seeded,
  simulator,
  variationOf,
  vocabularyOf,
  type Difference,
  type Disagreement,
  type Simulate,
  type Unasked,
  type VerifiedSubject,
  type Vocabulary,
} from '../../../compiler/verify/index.ts';
import type { HubReader } from '../hub-reader.ts';
import { grant } from './permission-rule.ts';
import { isUnserved, type PlacementServer, type PlacementServerKind } from './placement-server.ts';
import { readScheduledObjects } from './scheduled-objects.ts';

/** The Placements of a workspace, and how a hub is asked about them. */
export interface PlacementQuestions {
  readonly reader: HubReader;
  readonly server: PlacementServer;
  readonly placements: readonly PlacementV1beta1[];
  /** The Placements on the hub. */
  readonly held: readonly PlacementV1beta1[];
  readonly release: HubVersion;
  /** Random variations per Placement. */
  readonly variations: number;
  readonly seed: number;
  readonly now: () => number;
  readonly progress: (answers: number) => void;
}

/** The answers of a part of the questions. */
export interface VerifiedPart {
  readonly subjects: readonly VerifiedSubject[];
  readonly unasked: readonly Unasked[];
}

const onlyItsOwn = 'a hub before OCM 1.3 answers only for the Placements that it has';
/** The number of questions in flight. */
const concurrent = 4;
/** How often a different answer is asked again: the hub may have changed since its objects were read. */
const repetitions = 3;

/**
 * Asks the placement server of a hub about the Placements of the workspace and random variations of them, and compares the answers
 * with the prediction for the clusters that the hub has now.
 *
 * @throws HubError if the hub cannot be read
 */
export async function verifyPlacements(questions: PlacementQuestions): Promise<VerifiedPart> {
  const { placements, server } = questions;
  const [first] = placements;
  if (first === undefined) return { subjects: [], unasked: [] };
  let kind: Awaited<ReturnType<PlacementServer['kind']>>;
  try {
    kind = await server.kind({ ...first, metadata: { ...first.metadata, name: nameOf(questions, 0) } });
  } catch (error) {
    return unanswered(error, questions);
  }
  if (typeof kind !== 'string')
    return { subjects: [], unasked: [{ what: allOf(questions), why: kind.error }] };
  return await new PlacementAsker(questions, kind).ask();
}

interface Question {
  readonly placement: PlacementV1beta1;
  /** The Placement of the workspace. */
  readonly of: string;
  readonly kind: 'placement' | 'variation';
  /** Its position among all questions. */
  readonly number: number;
}

class PlacementAsker {
  readonly #questions: PlacementQuestions;
  readonly #kind: PlacementServerKind;
  readonly #unasked = new Map<string, Unasked>();
  #simulate: Simulate = () => {
    throw new Error('the hub is not read yet');
  };
  #answers = 0;

  constructor(questions: PlacementQuestions, kind: PlacementServerKind) {
    this.#questions = questions;
    this.#kind = kind;
  }

  async ask(): Promise<VerifiedPart> {
    const words = vocabularyOf(await this.#read());
    const results = new Map<string, { readonly question: Question; answers: number }>();
    const resultOf = (question: Question): { answers: number } => {
      const key = `${question.kind} ${question.of}`;
      return getOrInsertComputed(results, key, () => ({ question, answers: 0 }));
    };
    let open = await this.#differing(this.#asked(words), (question) => {
      resultOf(question).answers++;
    });
    for (let time = 1; time <= repetitions && open.size > 0; time++) {
      await wait(time * 1000);
      await this.#read();
      // Without a new answer, the last one counts.
      const left = new Map(open);
      const again = await this.#differing(open.keys(), (question) => left.delete(question));
      open = new Map([...left, ...again]);
    }
    const byNumber = [...open].sort(([a], [b]) => a.number - b.number);
    const inOrder = [...results.values()].sort((a, b) => a.question.number - b.question.number);
    const subjects = inOrder.map(({ question: { of, kind }, answers }): VerifiedSubject => {
      const own = byNumber.filter(([question]) => question.of === of && question.kind === kind);
      const disagreements = own.map(([{ placement }, differences]): Disagreement => {
        return kind === 'variation' ? { differences, asked: placement } : { differences };
      });
      return { kind, subject: `Placement ${of}`, answers, disagreements };
    });
    return { subjects, unasked: [...this.#unasked.values()] };
  }

  async #read(): ReturnType<typeof readScheduledObjects> {
    const { reader, now, release } = this.#questions;
    const objects = await readScheduledObjects(reader, now());
    this.#simulate = simulator(objects, { now: now(), cel: release.cel });
    return objects;
  }

  *#asked(words: Vocabulary): Generator<Question> {
    const { placements, held, variations, seed } = this.#questions;
    const onHub = new Map(held.map((placement) => [keyOf(placement), placement]));
    const random = new Seeded(seed);
    let number = 0;
    for (const own of placements) {
      const of = keyOf(own);
      const placement = this.#kind === 'by body' ? own : onHub.get(of);
      const unscheduled = unscheduledBy(own);
      if (unscheduled?.reason === 'name too long' || unscheduled?.reason === 'negative number of clusters') {
        this.#leaveOut(`Placement ${of}`, unscheduled.message);
        continue;
      }
      if (placement === undefined)
        this.#leaveOut(`Placement ${of}`, `the hub does not have it, and ${onlyItsOwn}`);
      else yield { placement, of, kind: 'placement', number: number++ };
      if (this.#kind === 'by name') continue;
      for (let index = 1; index <= variations; index++) {
        const name = nameOf(this.#questions, number);
        yield { placement: variationOf(own, name, random, words), of, kind: 'variation', number: number++ };
      }
    }
    if (this.#kind === 'by name' && variations > 0)
      this.#leaveOut(`${variations * placements.length} random variations`, onlyItsOwn);
  }

  #leaveOut(what: string, why: string, remedy?: string): void {
    this.#unasked.set(what, { what, why, ...(remedy !== undefined && { remedy }) });
  }

  /** Returns the questions whose answers are not the predicted ones. */
  async #differing(
    questions: Iterable<Question>,
    onAnswer: (question: Question) => void,
  ): Promise<ReadonlyMap<Question, readonly Difference[]>> {
    const different = new Map<Question, readonly Difference[]>();
    const waiting = questions[Symbol.iterator]();
    const next = (): Question | undefined => {
      const { value, done } = waiting.next();
      return done === true ? undefined : value;
    };
    const work = async (): Promise<void> => {
      for (let question = next(); question !== undefined; question = next()) {
        const differences = await this.#differences(question);
        if (differences === undefined) continue;
        onAnswer(question);
        this.#questions.progress(++this.#answers);
        if (differences.length > 0) different.set(question, differences);
      }
    };
    await Promise.all(Array.from({ length: concurrent }, work));
    return different;
  }

  /** Returns undefined if there is no answer, or no prediction. */
  async #differences({ placement, of, kind }: Question): Promise<readonly Difference[] | undefined> {
    const { server } = this.#questions;
    const isByBody = this.#kind === 'by body';
    let asked: Awaited<ReturnType<PlacementServer['simulate']>>;
    try {
      asked = await (isByBody ? server.simulate(placement) : server.byName(placement));
    } catch (error) {
      const { why, remedy } = reasonOf(error);
      this.#leaveOut(subjectOf(of, kind), why, remedy);
      return undefined;
    }
    if ('error' in asked && asked.error.includes('permission to create placements')) {
      const { namespace } = placement.metadata;
      const rule = { group: clusterGroup, resource: 'placements', verbs: ['create'] };
      this.#leaveOut(subjectOf(of, kind), asked.error, grant(rule, namespace));
      return undefined;
    }
    const predicted = this.#simulate(placement, isByBody ? 'of its sets' : 'all');
    if ('reason' in predicted && predicted.reason === 'unknown expression') {
      this.#leaveOut(subjectOf(of, kind), `Fleetwright has no prediction: ${predicted.message}`);
      return undefined;
    }
    if ('error' in asked || 'reason' in predicted) {
      const ours = 'reason' in predicted ? predicted.message : 'a result';
      const theirs = 'error' in asked ? asked.error : 'a result';
      if ('error' in asked && 'reason' in predicted) return [];
      return [{ part: 'result', predicted: ours, answered: theirs }];
    }
    return comparePlacement(predicted, asked.answer);
  }
}

function subjectOf(of: string, kind: Question['kind']): string {
  return kind === 'placement' ? `Placement ${of}` : `random variations of Placement ${of}`;
}

function keyOf({ metadata: { namespace, name = '' } }: PlacementV1beta1): string {
  return objectKey(namespace, name);
}

/** No Placement on a hub has this name, so no earlier decision counts. */
function nameOf({ seed }: PlacementQuestions, number: number): string {
  return `fleetwright-verify-${seed}-${number}`;
}

function allOf({ placements, variations }: PlacementQuestions): string {
  const number = placements.length;
  const all = `${number} ${number === 1 ? 'Placement' : 'Placements'}`;
  return variations === 0 ? all : `${all} and ${number * variations} random variations`;
}

function unanswered(error: unknown, questions: PlacementQuestions): VerifiedPart {
  return { subjects: [], unasked: [{ what: allOf(questions), ...reasonOf(error) }] };
}

/** @throws the error unless it is that of a request */
function reasonOf(error: unknown): Pick<Unasked, 'why' | 'remedy'> {
  if (isUnserved(error))
    return {
      why: 'the placement controller does not serve /debug/placements/',
      remedy:
        'enable it in the ClusterManager: `{ feature: PlacementDebugServer, mode: Enable }` in spec.placementConfiguration.featureGates',
    };
  const cause = forbiddenCause(error);
  if (cause !== undefined) {
    const path = /\bpods\/portforward|"portforward"|resource "pods"/.test(cause.message);
    return path
      ? {
          why: cause.message,
          remedy: grant({ group: '', resource: 'pods/portforward', verbs: ['get', 'create'] }),
        }
      : { why: cause.message, remedy: grant({ path: '/debug/placements/*', verbs: ['get', 'post'] }) };
  }
  if (!(error instanceof Error)) throw error;
  return { why: `the placement server does not answer: ${sentenceOf(error)}` };
}

/** Returns the refusal of a request, or of the port-forward beneath it. */
function forbiddenCause(error: unknown): ApiError['status'] | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof ApiError && isForbidden(each)) return each.status;
  return undefined;
}
