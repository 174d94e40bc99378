import type { AddOnFleetStatus, ExcludedClusters, FleetStatus } from '../../status/fleet-status.ts';
import { statusStates } from '../../status/status.ts';
import { clusterCount } from '../../model/words.ts';
import { escapeHtml } from '../html/escape-html.ts';
import { causeWords, detailWords, statusNotes, statusSummary } from '../status-words.ts';
import { someOf } from '../plan-words.ts';

/** The maximum number of clusters that are named for a cause. */
const names = 10;

/** Formats a status for a terminal: a table of all add-ons, then the causes of each that is not as predicted. */
export function statusText(status: FleetStatus): string {
  const { addOns } = status;
  const head = ['ADD-ON', ...statusStates.map((state) => state.toUpperCase())];
  const rows = addOns.map(({ addOn, counts }) => [
    addOn,
    ...statusStates.map((state) => String(counts[state])),
  ]);
  const widths = head.map((word, column) =>
    Math.max(word.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `${cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')}\n`;
  const table = addOns.length === 0 ? '' : [head, ...rows].map(line).join('');
  const notes = statusNotes(status).map((note) => `${note}\n`);
  const blocks = addOns.map(blockOf).filter((block) => block !== '');
  return [table, ...blocks, [...notes, `${statusSummary(status)}\n`].join('')]
    .filter((part) => part !== '')
    .join('\n');
}

function blockOf({ addOn, classes, excluded }: AddOnFleetStatus): string {
  if (classes.length + excluded.length === 0) return '';
  const lines = classes.flatMap((each) => [
    `  ${each.state}: ${causeWords(each)}`,
    `    ${clusterCount(each.clusters.length)}: ${someOf(each.clusters, names)}`,
    `    ${detailWords(each, names)}`,
  ]);
  return [addOn, ...lines, ...excluded.map((each) => `  ${excludedWords(each)}`)]
    .map((text) => `${text}\n`)
    .join('');
}

function excludedWords({ taint, clusters }: ExcludedClusters): string {
  return `excluded by taint ${taint}, as predicted: ${someOf(clusters, names)}`;
}

/** Formats a status as Markdown. */
export function statusMarkdown(status: FleetStatus): string {
  const { addOns } = status;
  const rows = addOns.flatMap(({ addOn, classes, counts }) => [
    [addOn, 'as predicted', counts['as predicted'], '', ''],
    ...classes.map((each) => [
      addOn,
      each.state,
      each.clusters.length,
      `${causeWords(each)}: ${detailWords(each, names)}`,
      someOf(each.clusters, names),
    ]),
  ]);
  const table = [
    '| add-on | state | clusters | first cause | names |\n| --- | --- | --- | --- | --- |\n',
    ...rows.map((row) => `| ${row.map((cell) => escapedCell(String(cell))).join(' | ')} |\n`),
  ].join('');
  const excluded = addOns.flatMap((each) =>
    each.excluded.map((clusters) => `- ${escapedCell(`${each.addOn}: ${excludedWords(clusters)}`)}\n`),
  );
  const notes = statusNotes(status).map((note) => `- ${escapedCell(note)}\n`);
  const list = [...excluded, ...notes].join('');
  return `## Status at ${status.time}\n\n${escapedCell(statusSummary(status))}.\n\n${table}${list === '' ? '' : `\n${list}`}`;
}

/** Markdown renders HTML and the marks of emphasis. */
function escapedCell(text: string): string {
  return escapeHtml(text).replaceAll(/[\\`*_[\]|~]/g, (mark) => `\\${mark}`);
}
