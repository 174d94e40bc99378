import { effects, type ChangeGroup, type Effect, type ValueChange } from '../plan/change.ts';
import type { AddOnPlan, Plan } from '../plan/plan.ts';
import { escapeHtml } from './escape-html.ts';
import { planStyle } from './plan-html-style.ts';
import type { PlanReport } from './plan-report.ts';
import {
  addOnWords,
  counted,
  durationWords,
  effectNouns,
  effectWords,
  permissionWords,
  placeSuffix,
  placeWords,
  shortened,
  summaryWords,
} from './plan-words.ts';

/**
 * A plan as one HTML file that needs nothing else and runs no script: a matrix of clusters by add-ons that can be narrowed
 * to an effect, each cell leading to what happens there and why, with the values and the waves.
 */
export function planHtml({ plan, base, head, findings }: PlanReport): string {
  const problems = findings.map(({ code, severity, message, location, hint }) => {
    const place = placeWords(location);
    return `<li><b>${severity} ${code}</b> ${escapeHtml(message)}${place === undefined ? '' : ` <span class="place">${escapeHtml(place)}</span>`}${hint === undefined ? '' : `<br>${escapeHtml(hint)}`}</li>\n`;
  });
  const alarm = plan.summary.effects.uninstalled > 0 ? ' class="alarm"' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Plan: ${escapeHtml(base)} to ${escapeHtml(head)}</title>
<style>${planStyle}</style>
</head>
<body>
<h1>Plan: <code>${escapeHtml(base)}</code> → <code>${escapeHtml(head)}</code></h1>
<p${alarm}>${escapeHtml(summaryWords(plan))}</p>
${problems.length === 0 ? '' : `<h2>Findings</h2>\n<ul>\n${problems.join('')}</ul>\n`}${matrix(plan)}${plan.addOns.map(addOnSection).join('')}<p class="place">plan <code>${plan.hash}</code></p>
</body>
</html>
`;
}

/** Where a cell leads. */
function groupId(addOn: number, group: number): string {
  return `change-${addOn}-${group}`;
}

/** The clusters that something happens on, by the add-ons that change. */
function matrix({ addOns }: Plan): string {
  const rows = new Map<string, (string | undefined)[]>();
  for (const [column, { groups }] of addOns.entries()) {
    for (const [index, { effect, clusters }] of groups.entries()) {
      const cell = `<td class="${effect}"><a href="#${groupId(column, index)}">${effectNouns[effect]}</a></td>`;
      for (const cluster of clusters) {
        const cells = rows.get(cluster) ?? [];
        rows.set(cluster, cells);
        cells[column] = cell;
      }
    }
  }
  if (rows.size === 0) return '';
  const head = addOns.map(({ addOn }) => `<th scope="col">${escapeHtml(addOn)}</th>`).join('');
  const body = [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([cluster, cells]) => {
      const row = addOns.map((_addOn, column) => cells[column] ?? '<td></td>').join('');
      return `<tr><th scope="row">${escapeHtml(cluster)}</th>${row}</tr>\n`;
    });
  return `<h2>Clusters</h2>
${filters(addOns)}<div class="matrix" tabindex="0"><table>
<thead><tr><th scope="col">cluster</th>${head}</tr></thead>
<tbody>
${body.join('')}</tbody>
</table></div>
`;
}

function filters(addOns: readonly AddOnPlan[]): string {
  const occurring = effects.filter((effect) => addOns.some((addOn) => addOn.effects[effect] > 0));
  const choice = (id: string, words: string, checked: string): string =>
    `<label><input type="radio" name="filter" id="filter-${id}"${checked}> ${words}</label>`;
  const each = occurring.map((effect: Effect) => choice(effect, effectNouns[effect], ''));
  return `<fieldset><legend>Show clusters with</legend>${choice('all', 'any change', ' checked')}${each.join('')}</fieldset>\n`;
}

function addOnSection(addOn: AddOnPlan, column: number): string {
  const { stalled, groups, permissions, registrations, rollout } = addOn;
  const hub = [
    ...permissions.map(
      (change) => `hub permission ${change.change}: ${permissionWords(change)}${placeSuffix(change)}`,
    ),
    ...registrations.map((change) => `registration ${change.change}: ${change.signer}${placeSuffix(change)}`),
  ];
  return `<section>
<h2>${escapeHtml(addOnWords(addOn))}</h2>
${stalled === undefined ? '' : `<p class="alarm">the hub configures nothing: ${escapeHtml(stalled)}</p>\n`}${groups.map((group, index) => groupHtml(group, groupId(column, index))).join('')}${list(hub)}${rolloutHtml(rollout)}</section>
`;
}

function groupHtml({ effect, clusters, causes, values, moreValues }: ChangeGroup, id: string): string {
  const why = causes.map((cause) => `because ${cause.text}${placeSuffix(cause)}`);
  const more = moreValues === 0 ? '' : `<p>and ${counted(moreValues, 'more value')}</p>\n`;
  return `<div class="group ${effect}" id="${id}">
<b>${effectWords[effect]} ${counted(clusters.length, 'cluster')}</b>
<details${clusters.length > 50 ? '' : ' open'}><summary>clusters</summary><span class="clusters">${escapeHtml(clusters.join(', '))}</span></details>
${list(why)}${values.length === 0 ? '' : `<pre>${values.map(valueHtml).join('')}</pre>\n`}${more}</div>
`;
}

function valueHtml(
  { object, path, before, after }: ValueChange,
  index: number,
  values: readonly ValueChange[],
): string {
  const heading = values[index - 1]?.object === object ? '' : `${escapeHtml(object)}\n`;
  const what = escapeHtml(path === '' ? 'the object' : path);
  const gone = before === undefined ? '' : `  <del>- ${what}: ${escapeHtml(shortened(before))}</del>\n`;
  const there = after === undefined ? '' : `  <ins>+ ${what}: ${escapeHtml(shortened(after))}</ins>\n`;
  return heading + gone + there;
}

function rolloutHtml({ waves, stops, finishedAfter }: AddOnPlan['rollout']): string {
  const stopped = stops.map(
    ({ message, left }) =>
      `<p class="alarm">stops: ${escapeHtml(message)}; ${counted(left.length, 'cluster')} left</p>\n`,
  );
  if (waves.length === 0) return stopped.join('');
  const items = waves.map(
    ({ after, clusters }, index) =>
      `<li>${index + 1}: ${after === 0 ? 'at once' : `after ${durationWords(after)}`}<details><summary>${counted(clusters.length, 'cluster')}</summary>${escapeHtml(clusters.join(', '))}</details></li>\n`,
  );
  const finish = finishedAfter === 0 ? '' : `, over after ${durationWords(finishedAfter)} at the earliest`;
  return `<h3>${counted(waves.length, 'wave')}${finish}</h3>\n<ol class="waves">\n${items.join('')}</ol>\n${stopped.join('')}`;
}

function list(lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : `<ul>\n${lines.map((line) => `<li>${escapeHtml(line)}</li>\n`).join('')}</ul>\n`;
}
