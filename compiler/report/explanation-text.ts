import type { PlacementExplanation } from '../place/explain/explanation.ts';
import type { AddOnExplanation } from '../plan/explain-add-on.ts';
import type { ExplainedManifestValue } from '../plan/explain-manifest.ts';
import type { ExplainedKind, ExplainedValue } from '../plan/explain-values.ts';
import type { AffectedByFiles, ConfigUses } from '../plan/who-uses.ts';
import type { PlanTextOptions } from './plan-text.ts';
import { counted, durationWords, placeWords, someOf } from './plan-words.ts';
import type { Location } from '../origin.ts';

/** An explanation for a terminal. */
export function explanationText(explanation: AddOnExplanation, { paint }: PlanTextOptions): string {
  const { summary, placements, kinds, values, manifest, wave, field } = explanation;
  const at = (location: Location | undefined): string => {
    const place = placeWords(location);
    return place === undefined ? '' : paint('quiet', ` (${place})`);
  };
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['placements', placements.flatMap((placement) => placementLines(placement, at))],
    ['configuration', kinds.flatMap((kind) => kindLines(kind, at))],
    [
      'values',
      [
        ...values.flatMap((value) => valueLines(value, at)),
        ...manifest.flatMap((value) => manifestLines(value, at)),
        ...(isUnset(explanation) ? [`  nothing sets ${field}`] : []),
      ],
    ],
  ];
  const lines = [paint(explanation.installed ? 'heading' : 'alarm', summary)];
  if (wave !== undefined) {
    const after = wave.after === 0 ? '' : `, not before ${durationWords(wave.after)}`;
    lines.push(`in an installation its turn is wave ${wave.number} of ${wave.of}${after}`);
  }
  for (const [heading, content] of sections) {
    if (content.length > 0) lines.push('', paint('heading', heading), ...content);
  }
  return `${lines.join('\n')}\n`;
}

/** Whether a field was asked for that nothing has. */
function isUnset({ installed, field, values, manifest }: AddOnExplanation): boolean {
  return installed && field !== '' && values.length === 0 && manifest.length === 0;
}

type At = (location: Location | undefined) => string;

function placementLines({ summary, steps }: PlacementExplanation, at: At): string[] {
  return [
    `  ${summary}`,
    ...steps.flatMap(({ stage, kept, text, reasons, location }) => [
      `    ${kept ? 'passes' : 'FAILS'} ${stage}: ${text}${at(location)}`,
      ...reasons.map((reason) => `      ${reason}`),
    ]),
  ];
}

function kindLines({ resource, uses }: ExplainedKind, at: At): string[] {
  return [
    `  ${resource}`,
    ...uses.map(({ name, from, location, lost }) =>
      lost === undefined
        ? `    uses ${name}, from ${from}${at(location)}`
        : `    not ${name}, from ${from}: ${lost}${at(location)}`,
    ),
  ];
}

function valueLines({ object, path, value, from, location, losers }: ExplainedValue, at: At): string[] {
  return [
    `  ${path}: ${textOf(value)}`,
    `    from ${object}, ${from}${at(location)}`,
    ...losers.map(
      (loser) =>
        `    not ${loser.value === undefined ? 'set' : textOf(loser.value)} by ${loser.object}, ${loser.from}: ${loser.reason}${at(loser.location)}`,
    ),
  ];
}

function manifestLines({ object, path, value, decidedBy }: ExplainedManifestValue, at: At): string[] {
  return [
    `  ${object} ${path}: ${textOf(value)}`,
    ...decidedBy.map(({ what, location, without }) => {
      const otherwise = without === undefined ? '' : `; without it ${textOf(without)}`;
      return `    because of ${what}${otherwise}${at(location)}`;
    }),
  ];
}

function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ??
    'nothing'
  );
}

/** Who uses a configuration, for a terminal. */
export function whoUsesText(found: readonly ConfigUses[], { paint, names }: PlanTextOptions): string {
  const lines = found.flatMap(({ config, uses, lost }) => [
    paint('heading', config),
    ...uses.map(
      ({ addOn, from, clusters }) =>
        `  ${addOn}, from ${from.join(', ')}: ${counted(clusters.length, 'cluster')}: ${someOf(clusters, names)}`,
    ),
    ...lost.map((addOn) => `  ${addOn} names it, but uses it on no cluster`),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

/** What some files reach, for a terminal. */
export function affectedText(
  { objects, addOns, unknown }: AffectedByFiles,
  { names }: PlanTextOptions,
): string {
  const lines = [
    ...addOns.map(
      ({ addOn, clusters }) => `${addOn}: ${counted(clusters.length, 'cluster')}: ${someOf(clusters, names)}`,
    ),
    ...(addOns.length === 0 ? ['no add-on on any cluster'] : []),
    `${counted(objects.length, 'object')}${
      objects.length === 0
        ? ''
        : `: ${someOf(
            objects.map(
              ({ kind, namespace, name }) =>
                `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
            ),
            names,
          )}`
    }`,
    ...unknown.map((file) => `nothing was read from ${file}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
