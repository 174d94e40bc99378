import { counted } from '../../model/words.ts';
import { engineNames, type EngineEffects } from '../../emit/engine-effects.ts';
import { effects } from '../../compare/change.ts';
import type { FieldChange } from '../../compare/object-changes.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../plan/plan.ts';
import { escapeHtml } from './escape-html.ts';
import { htmlTable } from './html-table.ts';
import { linksOf, type LinkOf } from '../location-links.ts';
import { pageWithView, type PageWithView } from './page-with-view.ts';
import { planPage } from './plan-page.ts';
import type { PlanReport } from '../plan-report.ts';
import {
  ageWords,
  effectCounts,
  effectNouns,
  effectSymbols,
  hubSuffix,
  pathWords,
  locationText,
  sidePlaceWords,
  someOf,
  summaryWords,
} from '../plan-words.ts';
import { promotionHtml } from './promotion-html.ts';
import { requirementsHtml } from './requirements-html.ts';
import { shownObjects } from '../shown-objects.ts';
import { valueDiff, type DiffLine } from '../value-diff.ts';

/** The maximum number of objects. */
const shownRows = 200;

/**
 * Formats a plan as one self-contained HTML file: a matrix of clusters by add-ons with search and filters, in which each cell
 * opens its causes and values, and the waves on a time axis.
 */
export function planHtml(report: PlanReport): string {
  return pageWithView(planView(report));
}

/** Returns the page of a plan before it is written. */
export function planView(report: PlanReport): PageWithView {
  const { plan, base, head, findings } = report;
  const link = linksOf(report);
  const problems = findings.map((finding) => findingItem(finding, link));
  const alarm = plan.summary.effects.uninstalled > 0 ? ' class="alarm"' : '';
  const listed = problems.length === 0 ? '' : `<h2>Findings</h2>\n<ul>\n${problems.join('')}</ul>\n`;
  return {
    title: `Plan: ${base} to ${head}`,
    heading: `Plan: <code>${escapeHtml(base)}</code> → <code>${escapeHtml(head)}</code>`,
    origin: originLines(report),
    before: `<p${alarm}>${escapeHtml(summaryWords(plan))}</p>
${badges(plan)}${listed}`,
    after: `${requirementsHtml(plan.requirements ?? [])}${placementTable(plan)}${reachTable(plan)}${objectList(plan, link)}${engineSections(report)}${(report.promotions ?? []).map(promotionHtml).join('')}`,
    footer: `<p class="quiet">plan <code>${plan.hash}</code></p>\n`,
    data: planPage(plan, link),
  };
}

/** Returns a list item for a finding. */
export function findingItem(
  { code, severity, message, location, hint }: ShownFinding,
  link: LinkOf = () => undefined,
): string {
  const place = locationText(location);
  const name = code === undefined ? severity : `${severity} ${code}`;
  return `<li><b class="${severity}">${name}</b> ${escapeHtml(message)}${place === undefined ? '' : ` ${placeMarkup(place, link(location))}`}${hint === undefined ? '' : `<br>${hintMarkup(hint)}`}</li>\n`;
}

/** A finding, or a failure that has no code. */
type ShownFinding = Pick<Diagnostic, 'severity' | 'message' | 'location' | 'hint'> &
  Partial<Pick<Diagnostic, 'code'>>;

/** Returns the sources of the plan: commits, the hub's release, and the fleet snapshots with their age. */
function originLines({ commits = {}, release, snapshots = [], plannedAt }: PlanReport): string {
  const revisions = [commits.base, commits.head]
    .filter((commit) => commit !== undefined)
    .map((commit) => `<code>${escapeHtml(commit.slice(0, shownDigits))}</code>`);
  const lines = [
    ...(revisions.length === 0 ? [] : [`Git ${revisions.join(' → ')}`]),
    ...(release === undefined ? [] : [`OCM ${escapeHtml(release)}`]),
    ...snapshots.map(({ file, takenAt }) => {
      const age =
        plannedAt === undefined ? '' : `, ${ageWords(plannedAt - Date.parse(takenAt))} before this plan`;
      return `fleet <code>${escapeHtml(file)}</code> as of <time>${escapeHtml(takenAt)}</time>${age}`;
    }),
  ];
  return lines.length === 0 ? '' : `<p class="quiet origin">${lines.join('<br>')}</p>\n`;
}

/** The number of digits of a commit that are shown, which is the number that Git needs in large repositories. */
const shownDigits = 12;

/** Returns a short overview of the changes. */
function badges({ summary, fleet }: Plan): string {
  const happening = effects
    .filter((effect) => summary.effects[effect] > 0)
    .map(
      (effect) =>
        `<li class="badge ${effect}">${effectSymbols[effect]} ${summary.effects[effect]} ${effectNouns[effect]}</li>`,
    );
  const clusters = Math.max(fleet.before, fleet.after);
  const changed = summary.objects.added + summary.objects.edited + summary.objects.removed;
  const counts = [
    `${summary.clusters} of ${counted(clusters, 'cluster')}`,
    ...(summary.waves === 0 ? [] : [counted(summary.waves, 'wave')]),
    counted(changed, 'object'),
  ].map((words) => `<li class="badge">${words}</li>`);
  return `<ul class="badges">${[...happening, ...counts].join('')}</ul>\n`;
}

/** Formats a hint, with commands as code. */
function hintMarkup(hint: string): string {
  return hint
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      index % 2 === 1 ? `<code>${escapeHtml(part.slice(1, -1))}</code>` : escapeHtml(part),
    )
    .join('');
}

function placementTable({ placements }: Plan): string {
  const rows = placements.map(({ placement, hub, change, before, after }) => [
    `${placement}${hubSuffix(hub)}${change === undefined ? '' : ` (${change})`}`,
    before,
    after,
  ]);
  return table('Placements', ['placement', 'clusters before', 'after'], rows);
}

function reachTable({ reach }: Plan): string {
  const rows = reach
    .map(({ effects, ...row }) => ({ ...row, counts: effectCounts(effects) }))
    .filter(({ counts }) => counts !== '')
    .map(({ by, value, clusters, reached, counts }) => [
      by,
      value === '' ? '(none)' : value,
      clusters,
      reached,
      counts,
    ]);
  return table('Reach', ['by', 'value', 'clusters', 'reached', 'effects'], rows);
}

/** Returns the objects for which the add-ons do not show all edits. */
function objectList(plan: Plan, link: LinkOf): string {
  const objects = shownObjects(plan);
  if (objects.length === 0) return '';
  const items = objects.slice(0, shownRows).map((each) => {
    const { kind, names, change, fields, moreFields } = each;
    const what = `${kind} ${someOf(names, shownNames)} ${names.length === 1 ? 'was' : 'were'} ${change}`;
    const title = `${escapeHtml(what)} ${placeMarkup(sidePlaceWords(each), link(each.location, each.side))}`;
    if (fields.length === 0) return `<div class="object">${title}</div>\n`;
    const more = moreFields === 0 ? '' : `<p class="quiet">and ${counted(moreFields, 'more field')}</p>\n`;
    const open = objects.length <= openObjects ? ' open' : '';
    return `<details class="object"${open}><summary>${title}</summary>\n${fields.map((field) => fieldMarkup(field, link)).join('')}${more}</details>\n`;
  });
  const more = objects.length - items.length;
  const note = more === 0 ? '' : `<p class="quiet">and ${counted(more, 'more row')}</p>\n`;
  return `<h2>Objects</h2>\n${items.join('')}${note}`;
}

function placeMarkup(place: string, url: string | undefined): string {
  const text = escapeHtml(place);
  return url === undefined
    ? `<span class="quiet">${text}</span>`
    : `<a class="quiet" href="${escapeHtml(url)}" rel="noreferrer">${text}</a>`;
}

/** Returns what the GitOps engine does differently. */
function engineSections({ engine, otherEngines = [] }: PlanReport): string {
  return (engine === undefined ? [] : [engine, ...otherEngines]).map(engineSection).join('');
}

function engineSection(engine: EngineEffects): string {
  const items = engine.effects.map(({ app, text, objects }) => {
    const place = app === '' ? '' : `<code>${escapeHtml(app)}</code>: `;
    const named = objects.slice(0, shownNames).map((object) => `<code>${escapeHtml(object)}</code>`);
    const more = objects.length - named.length;
    const list = named.length === 0 ? '' : `: ${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
    return `<li>${place}${escapeHtml(text)}${list}</li>\n`;
  });
  return `<h2>With ${engineNames[engine.engine]}</h2>\n<ul>\n${items.join('')}</ul>\n`;
}

/** The maximum number of names that are listed for objects with the same change. */
const shownNames = 20;
/** The maximum number of objects that are expanded initially. */
const openObjects = 5;

const marks: Readonly<Record<DiffLine['sign'], string>> = { '-': 'del', '+': 'ins', ' ': 'span' };

function fieldMarkup(field: FieldChange, link: LinkOf): string {
  const place = locationText(field.location);
  const path = `<code>${escapeHtml(pathWords(field))}</code>${place === undefined ? '' : ` ${placeMarkup(place, link(field.location, field.side))}`}`;
  const lines = valueDiff(field).map(
    ({ sign, text }) => `<${marks[sign]}>${sign} ${escapeHtml(text)}\n</${marks[sign]}>`,
  );
  return `<div class="path">${path}</div>\n<pre tabindex="0" aria-label="${escapeHtml(`difference of ${field.path}`)}">${lines.join('')}</pre>\n`;
}

function table(
  heading: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return rows.length === 0 ? '' : `<h2>${heading}</h2>\n${htmlTable(columns, rows)}`;
}
