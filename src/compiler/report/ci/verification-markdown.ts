import type { Difference, Verification, VerifiedSubject } from '../../verify/index.ts';
import { answerSummary, subjectWords } from '../text/verification-text.ts';
import { code, escape, hintMarkup } from './markdown-markup.ts';

/** Maximum number of rows of differences. */
const mostRows = 100;

/** Formats the answers of a hub as Markdown, for a comment or an issue. */
export function verificationMarkdown(verification: Verification): string {
  const { server, hubVersion, release, seed, subjects, unasked } = verification;
  const rows = subjects.flatMap(rowsOf);
  const more = rows.length - mostRows;
  const lines = [
    `**${escape(answerSummary(subjects))}**`,
    '',
    `${code(server)}, compared with the prediction for OCM ${hubVersion}${seed === undefined ? '' : `, seed ${seed}`}.`,
    ...release.names.map((name) => `The hub is ${escape(name)}.`),
    ...(rows.length === 0
      ? []
      : [
          '',
          '| object | part | predicted | answered | because of |',
          '| --- | --- | --- | --- | --- |',
          ...rows.slice(0, mostRows),
          ...(more > 0 ? ['', `and ${more} more`] : []),
        ]),
    ...(unasked.length === 0
      ? []
      : [
          '',
          'Not asked:',
          '',
          ...unasked.map(
            ({ what, why, remedy }) =>
              `- ${escape(what)}: ${escape(why)}${remedy === undefined ? '' : `; ${hintMarkup(remedy)}`}`,
          ),
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

function rowsOf(subject: VerifiedSubject): readonly string[] {
  const row = ({ part, predicted, answered, cause = '' }: Difference): string => {
    const cells = [escape(subjectWords(subject)), code(part), code(predicted), code(answered), escape(cause)];
    return `| ${cells.join(' | ')} |`;
  };
  return subject.disagreements.flatMap(({ differences }) => differences.map(row));
}
