import { counted } from '../../model/words.ts';
import { escapeHtml } from './escape-html.ts';

/** The maximum number of table rows. A label can have as many values as there are clusters. */
const shownRows = 200;

/** Formats a table. Numbers are aligned, and rows beyond the maximum are counted. */
export function htmlTable(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  const body = rows.slice(0, shownRows).map((row) => {
    const cells = row.map((cell) =>
      typeof cell === 'number' ? `<td class="number">${cell}</td>` : `<td>${escapeHtml(cell)}</td>`,
    );
    return `<tr>${cells.join('')}</tr>\n`;
  });
  return `<div class="table"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('')}</tbody>\n</table></div>\n${moreNote(rows.length - body.length)}`;
}

function moreNote(more: number): string {
  return more === 0 ? '' : `<p class="quiet">and ${counted(more, 'more row')}</p>\n`;
}
