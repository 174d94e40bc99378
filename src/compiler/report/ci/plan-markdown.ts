import { counted } from '../../model/words.ts';
import type { PlannedPromotion } from '../../plan/planned-promotion.ts';
import { promotionLines } from '../promotion-words.ts';
import { engineNames, type EngineEffects } from '../../emit/engine-effects.ts';
import type { ChangeGroup, Effect } from '../../compare/change.ts';
import type { FieldChange } from '../../compare/object-changes.ts';
import type { Plan } from '../../plan/plan.ts';
import type { AddOnPlan } from '../../compare/add-on-plan.ts';
import type { Reach } from '../../plan/reach.ts';
import type { StrategyChange } from '../../compare/placements/strategy-changes.ts';
import { foldedValues, type FoldedValue } from '../folded-values.ts';
import { linksOf, type LinkOf } from '../location-links.ts';
import type { PlanReport } from '../plan-report.ts';
import {
  addOnWords,
  effectCounts,
  groupNotes,
  hubSuffix,
  effectWords,
  isFaster,
  labelSuffix,
  labelWords,
  longestValue,
  pathWords,
  permissionWords,
  type LocatedSide,
  sidePlaceWords,
  locationText,
  someOf,
  strategyWords,
  summaryWords,
  usedConfigWords,
} from '../plan-words.ts';
import { endWords, refusingWords, rolloutWords } from '../planned-rollout-words.ts';
import { rangeWords } from '../time-words.ts';
import { code, escape, headWords, hintMarkup, oneLine } from './markdown-markup.ts';
import { shownObjects } from '../shown-objects.ts';
import { isBlock, shownSides, valueDiff } from '../value-diff.ts';

/** The first line, by which a bot finds its earlier comment. */
export const planMarker = '<!-- fleetwright-plan -->';

/** GitHub accepts comments of up to 65,536 characters. */
const longest = 65_000;
const names = 20;

/** The maximum number of listed waves per add-on, and of rows per other table. The others are counted. */
const shownRows = 100;

/**
 * Formats a plan as a comment in Markdown. Blocks that do not fit are omitted one by one from the end: first replaced by their
 * short form, then omitted entirely and counted. The same plan always loses the same blocks. Findings and uninstalls are omitted
 * last.
 *
 * @param limit - characters, at least 2,000
 */
export function planMarkdown(report: PlanReport, limit: number = longest): string {
  const { plan } = report;
  const link = linksOf(report);
  const head = headBlock(report);
  const fleet = (report.snapshots ?? []).map(({ file, takenAt }) => `, ${code(file)} of ${takenAt}`);
  const tail = `\n<sub>plan \`${plan.hash}\`${fleet.join('')}</sub>\n`;
  const blocks = [
    ...findingBlocks(report, link),
    ...plan.addOns.flatMap((addOn) => addOnBlocks(addOn, link)),
    ...closingBlocks(plan, link),
    ...engineBlocks(report.engine),
    ...(report.otherEngines ?? []).flatMap(engineBlocks),
    ...(report.promotions ?? []).map(promotionBlock),
  ];
  // Reserves room for the note about omissions.
  let left = limit - head.length - tail.length - 200;
  const lines: string[] = [];
  let omitted = 0;
  let isFull = false;
  for (const { full, short } of blocks) {
    const text = omitted === 0 && full.length <= left ? full : short;
    // Blocks under an omitted heading are omitted too.
    isFull ||= text.length > left;
    if (isFull || text !== full) omitted += 1;
    if (isFull) continue;
    lines.push(text);
    left -= text.length;
  }
  const note =
    omitted === 0
      ? ''
      : `\n*${counted(omitted, 'part')} of the plan did not fit in here; \`plan -o json\` has all.*\n`;
  return head + lines.join('') + note + tail;
}

/** A part that is shown in full or in a short form. No element that begins in a block, such as a table, ends in another. */
interface Block {
  readonly full: string;
  readonly short: string;
}

function headBlock({ plan, base, head, commits }: PlanReport): string {
  const uninstalls = plan.addOns
    .filter(({ effects }) => effects.uninstalled > 0)
    .map(({ addOn, effects }) => `${escape(addOn)} from ${counted(effects.uninstalled, 'cluster')}`);
  const alarm = uninstalls.length === 0 ? '' : `> [!CAUTION]\n> **UNINSTALLS** ${someOf(uninstalls, 5)}\n\n`;
  return `${planMarker}\n## Plan: ${code(base)} → ${code(head)}\n\n${commitWords(commits)}${alarm}${escape(capitalized(summaryWords(plan)))}.\n`;
}

/** Returns which commits a comment is about, because a comment outlives the push that made it. */
function commitWords({ base, head, merged }: PlanReport['commits'] = {}): string {
  if (head === undefined) return '';
  const compared = base === undefined ? '' : `, compared with ${headWords({ head: base })}`;
  return `Commit ${headWords({ head, ...(merged !== undefined && { merged }) })}${compared}.\n\n`;
}

function findingBlocks({ findings }: PlanReport, link: LinkOf): Block[] {
  return findings.map(({ severity, code: id, message, location, hint }, index) => {
    const place = locationText(location);
    const where = place === undefined ? '' : ` (${linked(code(place), link(location))})`;
    const heading = index === 0 ? '\n### Findings\n\n' : '';
    const short = `${heading}- **${severity} ${id}** ${escape(message)}${where}\n`;
    return { full: hint === undefined ? short : `${short}  ${hintMarkup(hint)}\n`, short };
  });
}

function addOnBlocks(addOn: AddOnPlan, link: LinkOf): Block[] {
  const { stalled, groups, permissions, registrations, rollout, strategies } = addOn;
  const accessChanges = [
    ...permissions.map(
      (change) =>
        `- hub permission **${change.change}**: ${escape(permissionWords(change))}${locationMarkup(change, link)}\n`,
    ),
    ...registrations.map(
      ({ change, signer, ...place }) =>
        `- registration **${change}**: ${code(signer)}${locationMarkup(place, link)}\n`,
    ),
  ];
  return [
    always(`\n### ${escape(addOnWords(addOn))}\n\n`),
    ...(stalled === undefined ? [] : [always(`**The hub configures nothing:** ${escape(stalled)}\n\n`)]),
    ...groups.map((group) => groupBlock(group, link)),
    ...accessChanges.map(always),
    ...rolloutBlocks(rollout),
    ...strategies.map((change) => always(strategyLine(change, link))),
  ];
}

function strategyLine(change: StrategyChange, link: LinkOf): string {
  const words = isFaster(change) ? '**rollout strategy**' : 'rollout strategy';
  return `- ${words}: ${escape(strategyWords(change))}${locationMarkup(change, link)}\n`;
}

/** Returns ` (fleet.yaml:31)`, as a link if the location has one. */
function locationMarkup(located: LocatedSide, link: LinkOf): string {
  const place = sidePlaceWords(located);
  return place === '' ? '' : ` (${linked(escape(place), link(located.location, located.side))})`;
}

/** Returns markup as a link. The URL ends at the first closing bracket. */
function linked(markup: string, url: string | undefined): string {
  return url === undefined ? markup : `[${markup}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

/** Returns a block that has no shorter form. */
function always(text: string): Block {
  return { full: text, short: text };
}

const loud: ReadonlySet<Effect> = new Set(['uninstalled', 'installed', 'changed']);

function groupBlock(group: ChangeGroup, link: LinkOf): Block {
  const { effect, clusters, causes, caveat, configs, values, moreValues, labels } = group;
  const words = `${effectWords[effect]} ${counted(clusters.length, 'cluster')}`;
  const named = clusters.slice(0, names).map(code).join(', ');
  const others = clusters.length > names ? ` and ${clusters.length - names} more` : '';
  const head = `${loud.has(effect) ? `**${words}**` : words}${escape(labelSuffix(labels))}: ${named}${others}\n`;
  const why = causes.map((cause) => `- because ${escape(cause.text)}${locationMarkup(cause, link)}\n`);
  const held = groupNotes(group, names).map((line) => `- ${escape(line)}\n`);
  const but = `${held.join('')}${caveat === undefined ? '' : `- **but** ${escape(caveat)}\n`}`;
  const used = effect === 'installed' ? configs : [];
  const uses = used.map((config) => `- with ${escape(usedConfigWords(config))}\n`).join('');
  const short = `${head}${why.slice(0, 1).join('')}${but}\n`;
  const whole = `${head}${why.join('')}${but}${uses}`;
  if (values.length === 0) return { full: `${whole}\n`, short };
  const summary = counted(values.length + moreValues, 'value');
  const lines = diffLines(foldedValues(values)) + moreLine(moreValues, 'value');
  return { full: `${whole}${details(summary, lines)}\n`, short };
}

/** Returns a collapsed section with a diff. */
function details(summary: string, lines: string): string {
  return `\n<details><summary>${summary}</summary>\n\n\`\`\`diff\n${lines}\`\`\`\n\n</details>\n`;
}

function moreLine(count: number, noun: string): string {
  return count === 0 ? '' : `and ${counted(count, `more ${noun}`)}\n`;
}

function diffLines(values: readonly FoldedValue[]): string {
  let object: string | undefined;
  let text = '';
  for (const value of values) {
    // Names are untrusted, so no line begins with a fence that could end the code. A fence may be indented by three spaces.
    if (value.object !== object) text += `@@ ${oneLine(value.object)} @@\n`;
    object = value.object;
    text += fieldLines(value);
    if (value.also.length > 0) text += `    also ${oneLine(someOf(value.also, shownPlaces))}\n`;
  }
  return text;
}

/** The maximum number of other locations of the same value that are listed. */
const shownPlaces = 5;

function fieldLines(value: FieldChange): string {
  const path = oneLine(pathWords(value));
  if (!isBlock(value)) {
    const { gone, there } = shownSides(value, longestValue);
    return [
      ...(gone === undefined ? [] : [`- ${path}: ${gone}\n`]),
      ...(there === undefined ? [] : [`+ ${path}: ${there}\n`]),
    ].join('');
  }
  const lines = valueDiff(value, shownLines).map(({ sign, text }) => `${sign}    ${oneLine(text)}\n`);
  return `    ${path}:\n${lines.join('')}`;
}

/** The maximum number of removed or added lines of a value. */
const shownLines = 30;

/** Returns the edited fields of objects that the add-ons do not show. */
function objectBlocks(plan: Plan, link: LinkOf): Block[] {
  const objects = shownObjects(plan);
  return objects.map((each, index): Block => {
    const { kind, names: all, change, fields, moreFields } = each;
    const heading = index === 0 ? '\n### Objects\n' : '';
    const named = all.slice(0, names).map(code).join(', ');
    const others = all.length > names ? ` and ${all.length - names} more` : '';
    const short = `${heading}\n**${change}** ${escape(kind)} ${named}${others}${locationMarkup(each, link)}\n`;
    if (fields.length === 0) return always(short);
    const lines = fields.map(fieldLines).join('') + moreLine(moreFields, 'field');
    return { full: short + details(counted(fields.length + moreFields, 'field'), lines), short };
  });
}

function rolloutBlocks(rollout: AddOnPlan['rollout']): Block[] {
  const { waves } = rollout;
  const stopped = endWords(rollout).map(({ verb, words }) =>
    always(`\n**${capitalized(verb)}:** ${escape(words)}\n`),
  );
  if (waves.length === 0) return stopped;
  const summary = rolloutWords(rollout);
  const isLabelled = waves.some(({ labels = [] }) => labels.length > 0);
  const rows = waves.map(({ after, earliest, clusters, refusing, labels }, index) => {
    const values = isLabelled ? ` ${escape(labelWords(labels))} |` : '';
    const named = `${someOf(clusters, names)}${refusingWords(clusters, refusing, names)}`;
    return `| ${index + 1} | ${after === 0 ? 'immediately' : rangeWords({ after, earliest })} | ${clusters.length} |${values} ${escape(named)} |\n`;
  });
  const [title, line] = isLabelled ? [' labels |', ' --- |'] : ['', ''];
  const table = `| wave | after | clusters |${title} |\n| ---: | --- | ---: |${line} --- |\n${someRows(rows)}`;
  const full = `\n<details><summary>${summary}</summary>\n\n${table}\n</details>\n`;
  return [{ full, short: `\n${summary}\n` }, ...stopped];
}

/** Returns the first rows of a table, followed by the number of omitted rows. */
function someRows(rows: readonly string[]): string {
  const more = rows.length - shownRows;
  return rows.slice(0, shownRows).join('') + (more > 0 ? `\nand ${counted(more, 'more row')}\n` : '');
}

function closingBlocks(plan: Plan, link: LinkOf): Block[] {
  const { placements, reach } = plan;
  const changed = placements.map(
    ({ placement, hub, change, before, after }) =>
      `| ${code(placement)}${hubSuffix(hub)}${change === undefined ? '' : ` (${change})`} | ${before} | ${after} |\n`,
  );
  const reached = reach.filter(({ effects }) => effectCounts(effects) !== '').map(reachRow);
  return [
    table('Placements', '| placement | clusters before | after |\n| --- | ---: | ---: |\n', changed),
    table('Reach', '| by | value | clusters | reached | |\n| --- | --- | ---: | ---: | --- |\n', reached),
    objectBlocks(plan, link),
  ].flat();
}

function engineBlocks(engine: EngineEffects | undefined): Block[] {
  if (engine === undefined) return [];
  return engine.effects.map(({ app, text, objects }, index) => {
    const heading = index === 0 ? `\n### With ${engineNames[engine.engine]}\n\n` : '';
    const short = `${heading}- ${app === '' ? '' : `${code(app)}: `}${escape(text)}`;
    if (objects.length === 0) return always(`${short}\n`);
    const named = objects.slice(0, names).map(code).join(', ');
    const others = objects.length > names ? ` and ${objects.length - names} more` : '';
    return {
      full: `${short}: ${named}${others}\n`,
      short: `${short}: ${counted(objects.length, 'object')}\n`,
    };
  });
}

function promotionBlock(promotion: PlannedPromotion): Block {
  const { app, hub } = promotion;
  const lines = promotionLines(promotion).map((line) => `- ${escape(line)}\n`);
  return always(`\n### Promotion of ${code(app)}${hubSuffix(hub)}\n\n${lines.join('')}`);
}

function reachRow({ by, value, clusters, reached, effects }: Reach): string {
  return `| ${escape(by)} | ${value === '' ? '(none)' : code(value)} | ${clusters} | ${reached} | ${effectCounts(effects)} |\n`;
}

function table(heading: string, columns: string, rows: readonly string[]): Block[] {
  if (rows.length === 0) return [];
  const title = `\n### ${heading}\n\n`;
  return [{ full: `${title}${columns}${someRows(rows)}`, short: `${title}${counted(rows.length, 'row')}\n` }];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
