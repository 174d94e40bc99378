import { counted, quote } from '../../model/words.ts';
import type { PlacementExplanation } from '../../place/explain/explanation.ts';
import type { AddOnExplanation, ExplainedWave } from '../../explain/explain-add-on.ts';
import type { ExplainedRequirements } from '../../explain/explain-requirements.ts';
import type { ClusterAddOnExplanation, ClusterExplanation } from '../../explain/explain-cluster.ts';
import type { PlacedObject } from '../../explain/placed-objects.ts';
import type { ExplainedManifestValue } from '../../explain/explain-manifest.ts';
import type { ExplainedParameter } from '../../explain/explain-parameter.ts';
import { layerWords } from '../../parameters/layers-of-value.ts';
import type { ExplainedKind, ExplainedValue, LostValue } from '../../explain/explain-values.ts';
import type { PlacedUse } from '../../explain/placed-uses.ts';
import type { AffectedByFiles, ObjectUses } from '../../explain/who-uses.ts';
import type { PlanTextOptions } from './plan-text.ts';
import { locationText, someOf } from '../plan-words.ts';
import { durationWords } from '../time-words.ts';
import type { Location } from '../../model/origin.ts';
import { terminalLine } from './terminal-line.ts';
import { messageJson } from '../../../base/json/message-json.ts';

/** Formats an explanation for a terminal. */
export function explanationText(explanation: AddOnExplanation, { paint }: PlanTextOptions): string {
  const {
    summary,
    placements,
    kinds,
    values,
    unused,
    manifest,
    wave,
    field,
    withoutValue,
    requirements,
    answers = [],
  } = explanation;
  const at = locationSuffix(paint);
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['placements', placements.flatMap((placement) => placementLines(placement, at))],
    ['configuration', kinds.flatMap((kind) => kindLines(kind, at))],
    [
      'values',
      [
        ...values.flatMap((value) => valueLines(value, at)),
        ...manifest.flatMap((value) => manifestLines(value, at)),
        ...(isUnset(explanation) ? [`  nothing sets ${field}`] : []),
        ...(withoutValue === undefined ? [] : parameterLines(withoutValue, at)),
        ...unused.map((value) => `    ${lostWords(value)} at ${value.path}${at(value.location)}`),
      ],
    ],
    ['requirements', requirements === undefined ? [] : requirementLines(requirements)],
    [
      'what the cluster answers',
      answers.map(({ code, severity, message, location, hostingCluster }) => {
        const where = hostingCluster === undefined ? '' : `on hosting cluster ${quote(hostingCluster)}: `;
        return `  ${severity} ${code}: ${where}${message}${at(location)}`;
      }),
    ],
  ];
  const lines = [paint(explanation.installed ? 'heading' : 'alarm', summary)];
  if (wave !== undefined) lines.push(waveWords(wave));
  for (const [heading, content] of sections) {
    if (content.length > 0) lines.push('', paint('heading', heading), ...content);
  }
  return `${lines.join('\n')}\n`;
}

function requirementLines({ requires, requiredBy }: ExplainedRequirements): readonly string[] {
  return [
    ...requires.map(({ addOn, state, installed, conditions }) => {
      const first = state === 'available' ? ', Available first' : '';
      return `  requires ${addOn}${first}${conditions.map((words) => `, with ${words}`).join('')}${installed ? '' : ': the cluster does not have it'}`;
    }),
    ...(requiredBy.length === 0 ? [] : [`  required by ${requiredBy.join(', ')}`]),
  ];
}

/** Returns whether the requested field is missing in all configurations that count. */
function isUnset({ installed, field, values, manifest }: AddOnExplanation): boolean {
  return installed && field !== '' && values.length === 0 && manifest.length === 0;
}

/** Formats one cluster with all its add-ons for a terminal. */
export function clusterText(
  { cluster, kubernetes, availability, labels, taints, clusterSets, addOns, placed }: ClusterExplanation,
  { paint }: PlanTextOptions,
): string {
  const at = locationSuffix(paint);
  const running = kubernetes === undefined ? '' : `, with Kubernetes ${kubernetes}`;
  const lines = [
    paint(availability === 'available' ? 'heading' : 'alarm', `${cluster} is ${availability}${running}`),
    ...listLine(
      'labels',
      Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    ),
    ...listLine('taints', taints),
    ...listLine('cluster sets', clusterSets),
    ...addOns.flatMap((addOn) => ['', ...clusterAddOnLines(addOn, paint, at)]),
    ...(addOns.length === 0 ? ['', 'there are no add-ons'] : []),
    ...placed.flatMap((each) => ['', ...placedLines(each, paint, at)]),
  ];
  return `${lines.join('\n')}\n`;
}

function listLine(what: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`  ${what}: ${values.join(', ')}`];
}

function placedLines(
  { kind, name, by, remediationAction, enforcedBy, applications = [], unknown, error }: PlacedObject,
  paint: PlanTextOptions['paint'],
  at: At,
): string[] {
  const byBinding = enforcedBy === undefined ? '' : `, by ${enforcedBy}`;
  return [
    paint('heading', `${kind} ${name}`),
    ...by.map(({ placement, through, location }) => {
      const via = through.length === 0 ? '' : `, through ${through.join(' and ')}`;
      return `  placed by Placement ${placement}${via}${at(location)}`;
    }),
    ...applications.map((application) => `  Application ${application}`),
    ...(unknown === undefined
      ? []
      : [`  its Applications are not known, because ${unknown} is not evaluated`]),
    ...(error === undefined ? [] : [`  Argo CD generates nothing from it, and keeps what exists: ${error}`]),
    ...(remediationAction === undefined ? [] : [`  remediationAction ${remediationAction}${byBinding}`]),
  ];
}

const deliveries = {
  template: 'the hub delivers what its template renders to',
  compiled: 'the compiler delivers its works',
  'predicted manager': 'its own manager delivers what its ManagerProfile renders to',
  manager: 'its own manager delivers it, and what it renders is unknown',
} as const;

function clusterAddOnLines(
  { addOn, installed, summary, delivery, kinds, wave, conditions }: ClusterAddOnExplanation,
  paint: PlanTextOptions['paint'],
  at: At,
): string[] {
  if (!installed) return [paint('quiet', addOn), `  ${summary}`];
  const winners = kinds.flatMap(({ resource, uses }) =>
    uses.flatMap((use) => (use.lost === undefined ? [{ resource, ...use }] : [])),
  );
  return [
    paint('heading', addOn),
    `  ${summary}`,
    ...(wave === undefined ? [] : [`  ${waveWords(wave)}`]),
    `  ${deliveries[delivery]}`,
    ...winners.map(
      ({ resource, name, from, location }) => `  uses ${resource} ${name}, from ${from}${at(location)}`,
    ),
    ...conditions.map(
      ({ type, status, message }) => `  reports ${type} ${status}${message === '' ? '' : `: ${message}`}`,
    ),
  ];
}

type At = (location: Location | undefined) => string;

function locationSuffix(paint: PlanTextOptions['paint']): At {
  return (location) => {
    const place = locationText(location);
    return place === undefined ? '' : paint('quiet', ` (${place})`);
  };
}

function waveWords({ number, of, after }: ExplainedWave): string {
  const time = after === 0 ? '' : `, not before ${durationWords(after)}`;
  return `an installation configures it in wave ${number} of ${of}${time}`;
}

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

function valueLines(
  { object, path, value, from, location, parameter, losers }: ExplainedValue,
  at: At,
): string[] {
  return [
    `  ${path}: ${textOf(value)}`,
    `    from ${object}, ${from}${at(location)}`,
    ...(parameter === undefined ? [] : parameterLines(parameter, at)),
    ...losers.map((loser) => `    ${lostWords(loser)}${at(loser.location)}`),
  ];
}

/** The maximum number of layers of other clusters that are listed. */
const shownLayers = 10;

function parameterLines({ name, layers }: ExplainedParameter, at: At): string[] {
  const winners = layers.filter(({ lost }) => lost === undefined);
  const losers = layers.filter(({ lost }) => lost !== undefined);
  const more = losers.length - shownLayers;
  return [
    `    parameter ${name}`,
    ...winners.map(({ layer, key, value, location }) => {
      const words = value === undefined ? 'removed' : `set to ${textOf(value)}`;
      return `      ${keyWords(key)}${words} by ${layerWords(layer)}${at(location)}`;
    }),
    ...losers.slice(0, shownLayers).map(({ layer, key, value, location, lost = '' }) => {
      const words = value === undefined ? 'removed' : textOf(value);
      return `      ${keyWords(key)}not ${words} by ${layerWords(layer)}: ${lost}${at(location)}`;
    }),
    ...(more > 0 ? [`      and ${counted(more, 'more layer')}`] : []),
  ];
}

function keyWords(key: string | undefined): string {
  return key === undefined ? '' : `${key}: `;
}

function lostWords({ value, object, from, reason }: LostValue): string {
  return `not ${value === undefined ? 'set' : textOf(value)} by ${object}, ${from}: ${reason}`;
}

function manifestLines(
  { object, path, value, decidedBy, origins = [] }: ExplainedManifestValue,
  at: At,
): string[] {
  return [
    `  ${object} ${path}: ${textOf(value)}`,
    ...decidedBy.map(({ what, location, without }) => {
      const otherwise = without === undefined ? '' : `; without it ${textOf(without)}`;
      return `    because of ${what}${otherwise}${at(location)}`;
    }),
    ...origins.map(({ file, line, values }) => {
      const reads = values.map((read) =>
        read.layer === undefined ? read.path : `${read.path} from ${read.layer}${at(read.location)}`,
      );
      return `    written by ${line === undefined ? file : `${file}:${line}`}${reads.length === 0 ? '' : `, which reads ${reads.join(', ')}`}`;
    }),
  ];
}

function textOf(value: unknown): string {
  return value === undefined ? 'nothing' : terminalLine(messageJson(value));
}

/** Formats the users of some objects for a terminal. */
export function whoUsesText(answers: readonly ObjectUses[], { paint, names }: PlanTextOptions): string {
  const lines = answers.flatMap(({ object, uses, lost, followers, placed }) => [
    paint('heading', object),
    ...uses.map(
      ({ addOn, from, clusters }) =>
        `  ${addOn}, from ${from.join(', ')}: ${counted(clusters.length, 'cluster')}: ${someOf(clusters, names)}`,
    ),
    ...lost.map((addOn) => `  ${addOn} names it, but uses it on no cluster`),
    ...followers.map(({ kind, name, through, clusters }) => {
      const by = through.length === 0 ? '' : `, through ${through.join(', ')}`;
      const where = clusters.length === 0 ? '' : `: ${someOf(clusters, names)}`;
      return `  ${kind} ${name}${by}: ${counted(clusters.length, 'cluster')}${where}`;
    }),
    ...(placed ?? []).map((use) => `  ${placedWords(use, names)}`),
    ...(placed !== undefined && placed.length === 0 ? ['  it brings nothing to any cluster'] : []),
    ...(placed === undefined && uses.length + lost.length + followers.length === 0
      ? ['  no add-on uses it']
      : []),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns `Policy policies/etcd: 3 clusters: c1, c2, c7; enforced on 1 of them: c7`. */
function placedWords(
  { kind, name, clusters, enforced = [], applications }: PlacedUse,
  names: PlanTextOptions['names'],
): string {
  const where = `${counted(clusters.length, 'cluster')}: ${someOf(clusters, names)}`;
  const what = applications === undefined ? '' : `${counted(applications, 'Application')} on `;
  const how =
    enforced.length === 0 ? '' : `; enforced on ${enforced.length} of them: ${someOf(enforced, names)}`;
  return `${kind} ${name}: ${what}${where}${how}`;
}

/** Formats what some files affect for a terminal. */
export function affectedText(
  { objects, addOns, placed, unknown }: AffectedByFiles,
  { names }: PlanTextOptions,
): string {
  const lines = [
    ...addOns.map(
      ({ addOn, clusters }) => `${addOn}: ${counted(clusters.length, 'cluster')}: ${someOf(clusters, names)}`,
    ),
    ...(addOns.length + placed.length === 0 ? ['no add-on on any cluster'] : []),
    ...placed.map((use) => placedWords(use, names)),
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
    ...unknown.map((file) => `no object is written in ${file}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
