import {
  countAnswers,
  type Disagreement,
  type Verification,
  type VerifiedSubject,
} from '../../verify/index.ts';
import { answerSummary, subjectWords } from '../text/verification-text.ts';
import { escapeXml } from './escape-xml.ts';

/** Formats the answers of a hub as JUnit XML: one test case per object, skipped if it was not asked about. */
export function verificationJunit({ subjects, unasked }: Verification): string {
  const failed = subjects.filter(({ disagreements }) => disagreements.length > 0);
  const cases = [...subjects.map(subjectCase), ...unasked.map(skippedCase), summaryCase(subjects)];
  const counts = `tests="${cases.length}" failures="${failed.length}" skipped="${unasked.length}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="fleetwright" ${counts}>
  <testsuite name="verify" ${counts}>
${cases.join('\n')}
  </testsuite>
</testsuites>
`;
}

function subjectCase(subject: VerifiedSubject): string {
  const { kind, answers, disagreements } = subject;
  const head = `    <testcase classname="fleetwright.verify.${kind}" name="${escapeXml(subjectWords(subject))}"`;
  if (disagreements.length === 0) return `${head}/>`;
  const { equal } = countAnswers([subject]);
  const message = `${equal} of ${answers} answers equal`;
  const text = escapeXml(disagreements.map(disagreementText).join('\n'));
  return `${head}>
      <failure type="difference" message="${message}">${text}</failure>
    </testcase>`;
}

function disagreementText({ differences, asked }: Disagreement): string {
  const lines = differences.map(({ part, predicted, answered, cause }) => {
    const because = cause === undefined ? '' : `, because of ${cause}`;
    return `${part}: predicted ${predicted}, answered ${answered}${because}`;
  });
  return [...lines, ...(asked === undefined ? [] : [JSON.stringify(asked)])].join('\n');
}

function skippedCase({ what, why, remedy }: Verification['unasked'][number]): string {
  const message = remedy === undefined ? why : `${why}; ${remedy}`;
  return `    <testcase classname="fleetwright.verify" name="${escapeXml(what)}">
      <skipped message="${escapeXml(message)}"/>
    </testcase>`;
}

function summaryCase(subjects: readonly VerifiedSubject[]): string {
  return `    <testcase classname="fleetwright.verify" name="summary">
      <system-out>${escapeXml(answerSummary(subjects))}</system-out>
    </testcase>`;
}
