import {
  countAnswers,
  type Difference,
  type Disagreement,
  type SubjectKind,
  type Unasked,
  type Verification,
  type VerifiedSubject,
} from '../../verify/index.ts';
import { formatCount } from '../format-count.ts';
import { terminalLine } from './terminal-line.ts';

/** Maximum number of disagreements that are printed per subject. */
const mostDisagreements = 3;

/** Returns the answers of a hub as text: each difference with both answers, what was not asked, and the numbers. */
export function verificationText(verification: Verification): string {
  const { server, hubVersion, release, seed, subjects, unasked } = verification;
  const different = subjects.filter(({ disagreements }) => disagreements.length > 0);
  const lines = [
    `${server}, compared with the prediction for OCM ${hubVersion}${seed === undefined ? '' : `, seed ${seed}`}`,
    ...release.names.map((name) => `the hub is ${name}`),
    ...different.flatMap((subject) => ['', ...subjectLines(subject)]),
    ...(unasked.length === 0 ? [] : ['', 'not asked:', ...unasked.flatMap(unaskedLines)]),
    '',
    answerSummary(subjects),
  ];
  return `${lines.map(terminalLine).join('\n')}\n`;
}

const nouns: Readonly<Record<SubjectKind, readonly [one: string, several: string]>> = {
  placement: ['Placement', 'Placements'],
  variation: ['variation', 'variations'],
  object: ['object', 'objects'],
  removal: ['removal', 'removals'],
  state: ['status', 'statuses'],
  rendered: ['work or permission', 'works and permissions'],
  release: ['release', 'releases'],
};

/** Returns the numbers in one line: `12 of 13 answers equal (2 Placements, 11 variations)`. */
export function answerSummary(subjects: readonly VerifiedSubject[]): string {
  const { answers, equal } = countAnswers(subjects);
  if (answers === 0) return 'the hub gave no answer';
  const parts = Object.entries(nouns).flatMap(([kind, [one, several]]) => {
    const { answers: count } = countAnswers(subjects.filter((subject) => subject.kind === kind));
    return count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : several}`];
  });
  return `${formatCount(equal)} of ${formatCount(answers)} answers equal (${parts.join(', ')})`;
}

function subjectLines({ kind, subject, answers, disagreements }: VerifiedSubject): readonly string[] {
  const count = disagreements.length;
  const head =
    kind === 'variation'
      ? `${subject}: ${count} of ${answers} random variations ${count === 1 ? 'differs' : 'differ'}`
      : subjectWords({ kind, subject });
  const shown = disagreements.slice(0, mostDisagreements).flatMap(disagreementLines);
  return [head, ...shown, ...(count > mostDisagreements ? [`  ${count - mostDisagreements} more`] : [])];
}

/** Returns what was asked about an object: `removal of Namespace shop`. */
export function subjectWords({ kind, subject }: Pick<VerifiedSubject, 'kind' | 'subject'>): string {
  if (kind === 'variation') return `random variations of ${subject}`;
  return kind === 'removal' ? `removal of ${subject}` : subject;
}

function disagreementLines({ differences, asked }: Disagreement): readonly string[] {
  return [
    ...differences.flatMap(differenceLines),
    ...(asked === undefined ? [] : [`    asked      ${JSON.stringify(asked)}`]),
  ];
}

function differenceLines({ part, predicted, answered, cause }: Difference): readonly string[] {
  return [
    `  ${part}`,
    `    predicted  ${predicted}`,
    `    answered   ${answered}`,
    ...(cause === undefined ? [] : [`    because of ${cause}`]),
  ];
}

function unaskedLines({ what, why, remedy }: Unasked): readonly string[] {
  return [`  ${what}: ${why}`, ...(remedy === undefined ? [] : [`    ${remedy}`])];
}
