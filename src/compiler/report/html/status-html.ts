import { compareText } from '../../../base/collections/compare-text.ts';
import type { AddOnFleetStatus, FleetStatus, StatusClass } from '../../status/fleet-status.ts';
import { clusterCount } from '../../model/words.ts';
import { textHtml } from './escape-html.ts';
import { htmlPage, stylesOnly } from '../html-page.ts';
import { causeWords, countWords, detailWords, statusNotes, statusSummary } from '../status-words.ts';

const style = `
:root { color-scheme: light dark; --line: #8884; --way: #2f6feb; --different: #b7791f; --unhealthy: #c53030; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin: 2rem 0 0.4rem; }
.matrix { overflow: auto; max-height: 70vh; border: 1px solid var(--line); width: fit-content; max-width: 100%; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: 0.2rem 0.6rem; text-align: left; white-space: nowrap; }
thead th { position: sticky; top: 0; background: Canvas; }
.way { --state: var(--way); } .different { --state: var(--different); } .unhealthy { --state: var(--unhealthy); }
td.way, td.different, td.unhealthy { background: color-mix(in srgb, var(--state) 20%, Canvas); }
details { border-left: 4px solid var(--state); padding: 0.3rem 0.7rem; margin: 0.5rem 0; overflow-wrap: anywhere; }
summary { cursor: pointer; }
`;

/** The maximum number of clusters in the matrix. */
const mostRows = 1000;

const classNames = { 'on the way': 'way', different: 'different', unhealthy: 'unhealthy' } as const;

/** Formats a status as one self-contained HTML file: a matrix of clusters that are not as predicted, and the causes by add-on. */
export function statusHtml(status: FleetStatus): string {
  const sections = status.addOns.map(addOnSection);
  const notes = statusNotes(status).map((note) => `<p>${textHtml(note)}</p>\n`);
  const body = `<h1>Status at ${status.time}</h1>
<p>${textHtml(statusSummary(status))}</p>
${notes.join('')}${matrixHtml(status.addOns)}${sections.join('')}`;
  return htmlPage({ title: 'Status', policy: stylesOnly, style, body });
}

function matrixHtml(all: readonly AddOnFleetStatus[]): string {
  const addOns = all.filter(({ classes }) => classes.length > 0);
  if (addOns.length === 0) return '';
  const rows = new Map<string, Map<string, StatusClass>>();
  for (const { addOn, classes } of addOns)
    for (const each of classes)
      for (const cluster of each.clusters) {
        const row = rows.get(cluster) ?? new Map<string, StatusClass>();
        rows.set(cluster, row.set(addOn, each));
      }
  const sorted = [...rows].sort(([a], [b]) => compareText(a, b));
  const body = sorted.slice(0, mostRows).map(([cluster, row]) => {
    const cells = addOns.map(({ addOn }) => cellHtml(row.get(addOn)));
    return `<tr><th scope="row">${textHtml(cluster)}</th>${cells.join('')}</tr>\n`;
  });
  const rest = sorted.length - body.length;
  const more = rest > 0 ? `<p>${clusterCount(rest)} more; the sections list all of them</p>\n` : '';
  const head = addOns.map(({ addOn }) => `<th scope="col">${textHtml(addOn)}</th>`).join('');
  return `<div class="matrix"><table>
<thead><tr><th scope="col">cluster</th>${head}</tr></thead>
<tbody>
${body.join('')}</tbody>
</table></div>
${more}`;
}

function cellHtml(each: StatusClass | undefined): string {
  if (each === undefined) return '<td></td>';
  const { state, cause } = each;
  return `<td class="${classNames[state]}" title="${textHtml(cause.message)}">${state}: ${cause.code}</td>`;
}

function addOnSection(status: AddOnFleetStatus): string {
  const causesHtml = status.classes.map((each) => {
    const summary = `${each.state} on ${clusterCount(each.clusters.length)}: ${causeWords(each)}`;
    const clusters = each.clusters.map(textHtml).join(', ');
    return `<details class="${classNames[each.state]}"><summary>${textHtml(summary)}</summary><p>${textHtml(detailWords(each, 20))}</p><p>${clusters}</p></details>\n`;
  });
  const excluded = status.excluded.map(
    ({ taint, clusters }) =>
      `<details><summary>${textHtml(`excluded by taint ${taint}, as predicted: ${clusterCount(clusters.length)}`)}</summary><p>${clusters.map(textHtml).join(', ')}</p></details>\n`,
  );
  return `<section>
<h2>${textHtml(`${status.addOn}: ${countWords(status)}`)}</h2>
${causesHtml.join('')}${excluded.join('')}</section>
`;
}
