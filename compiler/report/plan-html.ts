import { createHash } from 'node:crypto';
import type { Plan } from '../plan/plan.ts';
import { escapeHtml } from './escape-html.ts';
import { planStyle } from './plan-html-style.ts';
import { planPage } from './plan-page.ts';
import { pageScript } from './plan-page.gen.ts';
import type { PlanReport } from './plan-report.ts';
import { ageWords, counted, effectCounts, placeWords, sidePlaceWords, summaryWords } from './plan-words.ts';

/** So many rows of a table are shown; a label can have as many values as there are clusters. */
const shownRows = 200;

/**
 * A plan as one HTML file that needs nothing else: a matrix of clusters by add-ons to search and filter, each cell opening its
 * causes and values, and the waves on a time axis. The page allows its own script and style to run, by their hashes, and
 * nothing else; what comes from the plan is data. Where scripts are kept from running, the page says so.
 */
export function planHtml(report: PlanReport): string {
  const { plan, base, head, findings } = report;
  const problems = findings.map(({ code, severity, message, location, hint }) => {
    const place = placeWords(location);
    return `<li><b class="${severity}">${severity} ${code}</b> ${escapeHtml(message)}${place === undefined ? '' : ` <span class="quiet">${escapeHtml(place)}</span>`}${hint === undefined ? '' : `<br>${escapeHtml(hint)}`}</li>\n`;
  });
  const alarm = plan.summary.effects.uninstalled > 0 ? ' class="alarm"' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${source(pageScript)}; style-src ${source(planStyle)}; base-uri 'none'; form-action 'none'">
<title>Plan: ${escapeHtml(base)} to ${escapeHtml(head)}</title>
<style>${planStyle}</style>
</head>
<body>
<header><h1>Plan: <code>${escapeHtml(base)}</code> → <code>${escapeHtml(head)}</code></h1>${snapshotLines(report)}</header>
<main>
<p${alarm}>${escapeHtml(summaryWords(plan))}</p>
${problems.length === 0 ? '' : `<h2>Findings</h2>\n<ul>\n${problems.join('')}</ul>\n`}<div id="view">
<p class="alarm">The matrix and the waves need JavaScript, which is off here. The other formats of the plan need none.</p>
</div>
${placementTable(plan)}${reachTable(plan)}${objectTable(plan)}</main>
<p class="quiet">plan <code>${plan.hash}</code></p>
<script type="application/json" id="plan">${jsonInHtml(planPage(plan))}</script>
<script>${pageScript}</script>
</body>
</html>
`;
}

/** Which states of the fleet the plan rests on, and how old they were. */
function snapshotLines({ snapshots = [], plannedAt }: PlanReport): string {
  const lines = snapshots.map(({ file, takenAt }) => {
    const age =
      plannedAt === undefined ? '' : `, ${ageWords(plannedAt - Date.parse(takenAt))} before this plan`;
    return `fleet <code>${escapeHtml(file)}</code> as of <time>${escapeHtml(takenAt)}</time>${age}`;
  });
  return lines.length === 0 ? '' : `<p class="quiet">${lines.join('<br>')}</p>`;
}

/** What a policy allows by its content. */
function source(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

/** JSON that cannot end the element which it stands in, nor begin a comment. */
function jsonInHtml(content: object): string {
  return JSON.stringify(content).replaceAll('<', '\\u003c');
}

function placementTable({ placements }: Plan): string {
  const rows = placements.map(({ placement, change, before, after }) => [
    change === undefined ? placement : `${placement} (${change})`,
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

function objectTable({ objects }: Plan): string {
  const rows = objects.map((each) => [each.object, each.change, sidePlaceWords(each)]);
  return table('Changed without an effect on a cluster', ['object', 'change', 'place'], rows);
}

function table(
  heading: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  if (rows.length === 0) return '';
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  const body = rows.slice(0, shownRows).map((row) => {
    const cells = row.map((cell) =>
      typeof cell === 'number' ? `<td class="number">${cell}</td>` : `<td>${escapeHtml(cell)}</td>`,
    );
    return `<tr>${cells.join('')}</tr>\n`;
  });
  const more = rows.length - body.length;
  const note = more === 0 ? '' : `<p class="quiet">and ${counted(more, 'more row')}</p>\n`;
  return `<h2>${heading}</h2>\n<div class="table"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('')}</tbody>\n</table></div>\n${note}`;
}
