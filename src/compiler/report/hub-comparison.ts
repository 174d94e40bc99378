import type { DifferentAddOn, HubComparison, ValueOnClusters } from '../plan/compare-hubs.ts';
import { escapeHtml } from './html/escape-html.ts';
import { jsonText } from './json/json-text.ts';
import { labelSuffix, locationText, someOf } from './plan-words.ts';
import { counted } from '../model/words.ts';

/** The maximum number of clusters that are named for a value. */
const names = 10;

/** Formats a comparison of two hubs as JSON. */
export function hubComparisonJson(comparison: HubComparison): string {
  return jsonText(comparison);
}

/** Formats a comparison of two hubs for a terminal. */
export function hubComparisonText(comparison: HubComparison): string {
  const { hubs, addOns } = comparison;
  const width = Math.max(...hubs.map((hub) => hub.length));
  const blocks = addOns.map((addOn) => {
    const lines = addOn.values.flatMap(({ kind, path, on }) => [
      `  ${fieldWords(kind, path)}`,
      ...hubs.flatMap((hub, side) =>
        (on[side] ?? []).map((value) => `    ${hub.padEnd(width)}  ${valueWords(value)}`),
      ),
    ]);
    return `${[headingOf(addOn), ...lines].join('\n')}\n\n`;
  });
  return `${blocks.join('')}${hubComparisonSummary(comparison)}\n`;
}

/** Formats a comparison of two hubs as Markdown. */
export function hubComparisonMarkdown(comparison: HubComparison): string {
  const { hubs, addOns } = comparison;
  const blocks = addOns.map((addOn) => {
    const rows = addOn.values.map(({ kind, path, on }) => {
      const cells = hubs.map((_, side) =>
        (on[side] ?? []).map((value) => cell(valueWords(value))).join('<br>'),
      );
      return `| ${[cell(fieldWords(kind, path)), ...cells].join(' | ')} |\n`;
    });
    const table =
      rows.length === 0
        ? ''
        : `\n| value | ${hubs.map(cell).join(' | ')} |\n| --- | --- | --- |\n${rows.join('')}`;
    return `\n### ${cell(headingOf(addOn))}\n${table}`;
  });
  return `## Hubs ${hubs.map(cell).join(' and ')}\n\n${cell(hubComparisonSummary(comparison))}.\n${blocks.join('')}`;
}

/** Returns `prod-eu and prod-us differ in 2 values of 1 add-on`. */
export function hubComparisonSummary({ hubs, equal, addOns }: HubComparison): string {
  if (equal) return `${hubs.join(' and ')} have the same effective configuration`;
  const values = addOns.reduce((sum, addOn) => sum + addOn.values.length, 0);
  const onOne = addOns.filter(({ onlyOn }) => onlyOn !== undefined).length;
  const parts = [
    ...(values === 0 ? [] : [`${counted(values, 'value')} of ${counted(addOns.length - onOne, 'add-on')}`]),
    ...(onOne === 0 ? [] : [`${counted(onOne, 'add-on')} that only one of them has`]),
  ];
  return `${hubs.join(' and ')} differ in ${parts.join(', and ')}`;
}

function headingOf({ addOn, onlyOn }: DifferentAddOn): string {
  return onlyOn === undefined ? addOn : `${addOn}, only on ${onlyOn}`;
}

function fieldWords(kind: string, path: string): string {
  return kind === '' ? path : `${kind} ${path}`;
}

function valueWords({ value, clusters, labels, location }: ValueOnClusters): string {
  const shown = value === undefined ? 'no value' : JSON.stringify(value);
  const place = locationText(location);
  const where = clusters.length === 0 ? '' : `${labelSuffix(labels)}: ${someOf(clusters, names)}`;
  return `${shown} on ${counted(clusters.length, 'cluster')}${where}${place === undefined ? '' : ` (${place})`}`;
}

/** Markdown renders HTML and the marks of emphasis. */
function cell(text: string): string {
  return escapeHtml(text).replaceAll(/[\\`*_[\]|~]/g, (mark) => `\\${mark}`);
}
