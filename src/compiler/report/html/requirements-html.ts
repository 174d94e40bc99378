import type { PlannedRequirements } from '../../plan/planned-requirements.ts';
import { counted } from '../../model/words.ts';
import { hubSuffix } from '../plan-words.ts';
import { escapeHtml } from './escape-html.ts';

/** The maximum number of add-ons in the drawing. The list below it has all of them. */
const drawnAddOns = 60;
const box = { width: 220, height: 30, gapX: 60, gapY: 14 } as const;
/** The number of letters of a name that fit into a box. */
const shownLetters = 27;

/**
 * Formats add-ons that require each other as a section of a page: a drawing in which each add-on is to the right of those that it requires,
 * and a list with the conditions. It needs no script.
 */
export function requirementsHtml(requirements: readonly PlannedRequirements[]): string {
  const byHub = new Map<string | undefined, PlannedRequirements[]>();
  for (const each of requirements) byHub.set(each.hub, [...(byHub.get(each.hub) ?? []), each]);
  return [...byHub].map(([hub, addOns]) => sectionOf(addOns, hub)).join('');
}

function sectionOf(addOns: readonly PlannedRequirements[], hub: string | undefined): string {
  const suffix = hubSuffix(hub);
  const items = addOns
    .filter(({ requires }) => requires.length > 0)
    .map(({ addOn, requires }) => {
      const words = requires.map(
        (each) =>
          `<code>${escapeHtml(each.addOn)}</code>${each.words.length === 0 ? '' : ` (${escapeHtml(each.words.join(', '))})`}`,
      );
      return `<li><code>${escapeHtml(addOn)}</code> requires ${words.join(', ')}</li>\n`;
    });
  return `<section aria-label="${escapeHtml(`requirements${suffix}`)}">\n<h2>Requirements${escapeHtml(suffix)}</h2>\n${drawing(addOns)}<ul>\n${items.join('')}</ul>\n</section>\n`;
}

interface Position {
  readonly x: number;
  readonly y: number;
}

function drawing(addOns: readonly PlannedRequirements[]): string {
  if (addOns.length > drawnAddOns)
    return `<p class="quiet">${counted(addOns.length, 'add-on')} are too many for a drawing</p>\n`;
  const columns = columnsOf(addOns);
  const positions = new Map<string, Position>();
  for (const [column, names] of columns.entries())
    for (const [row, name] of names.entries())
      positions.set(name, { x: column * (box.width + box.gapX) + 1, y: row * (box.height + box.gapY) + 1 });
  const lines = addOns.flatMap(({ addOn, requires }) =>
    requires.flatMap((each) => lineBetween(positions.get(each.addOn), positions.get(addOn))),
  );
  const boxes = addOns.map((each) => boxOf(each, positions.get(each.addOn)));
  const width = columns.length * (box.width + box.gapX);
  const height = Math.max(...columns.map(({ length }) => length)) * (box.height + box.gapY);
  return `<div class="table"><svg class="requirements" role="img" aria-label="Add-ons to the right of those that they require" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n${[...lines, ...boxes].join('')}</svg></div>\n`;
}

/** Returns the add-ons in columns: those that require nothing first. An add-on in a cycle counts its way once. */
function columnsOf(addOns: readonly PlannedRequirements[]): readonly (readonly string[])[] {
  const byName = new Map(addOns.map((each) => [each.addOn, each]));
  const columns = new Map<string, number>();
  const columnOf = (name: string): number => {
    const known = columns.get(name);
    if (known !== undefined) return known;
    columns.set(name, 0);
    const before = (byName.get(name)?.requires ?? []).map(({ addOn }) => columnOf(addOn) + 1);
    const column = Math.max(0, ...before);
    columns.set(name, column);
    return column;
  };
  const names: string[][] = [];
  for (const { addOn } of addOns) (names[columnOf(addOn)] ??= []).push(addOn);
  return Array.from(names, (column) => column ?? []).filter(({ length }) => length > 0);
}

function lineBetween(from: Position | undefined, to: Position | undefined): readonly string[] {
  if (from === undefined || to === undefined) return [];
  const [x1, y1] = [from.x + box.width, from.y + box.height / 2];
  const [x2, y2] = [to.x, to.y + box.height / 2];
  const middle = (x1 + x2) / 2;
  return [`<path d="M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}"/>\n`];
}

function boxOf({ addOn, isChanged }: PlannedRequirements, at: Position | undefined): string {
  if (at === undefined) return '';
  const text = addOn.length > shownLetters ? `${addOn.slice(0, shownLetters - 1)}…` : addOn;
  return `<g${isChanged ? ' class="changed"' : ''}><title>${escapeHtml(addOn)}</title><rect x="${at.x}" y="${at.y}" width="${box.width}" height="${box.height}" rx="6"/><text x="${at.x + 10}" y="${at.y + 20}">${escapeHtml(text)}</text></g>\n`;
}
