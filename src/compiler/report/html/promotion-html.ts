import type { PlannedPromotion, PlannedRelease } from '../../plan/planned-promotion.ts';
import { escapeHtml } from './escape-html.ts';
import { htmlTable } from './html-table.ts';
import { hubSuffix } from '../plan-words.ts';
import { nextReleaseWords, promotionPosition, startedWords, waveState } from '../promotion-words.ts';

/** Formats a promotion as a section of a page: its position, its waves, what it waits for, and its history. It needs no script. */
export function promotionHtml(promotion: PlannedPromotion): string {
  const { app, hub, release, next, history } = promotion;
  const startedLine = startedWords(promotion);
  const nextWords = nextReleaseWords(promotion);
  const id = escapeHtml(`promotion of ${app}${hubSuffix(hub)}`);
  return [
    `<section aria-label="${id}">\n<h2>Promotion of <code>${escapeHtml(app)}</code>${escapeHtml(hubSuffix(hub))}</h2>\n`,
    `<p>${escapeHtml(promotionPosition(promotion))}</p>\n`,
    startedLine === undefined ? '' : `<p>${escapeHtml(startedLine)}</p>\n`,
    release === undefined ? '' : releaseHtml(release),
    nextWords === undefined ? '' : `<p>${escapeHtml(nextWords)}</p>\n`,
    release === undefined && next !== undefined ? releaseHtml(next) : '',
    historyTable(history),
    '</section>\n',
  ].join('');
}

function releaseHtml(release: PlannedRelease): string {
  const rows = release.waves.map((clusters, index) => [index + 1, clusters, waveState(release, index + 1)]);
  return [
    htmlTable(['wave', 'clusters', 'state'], rows),
    list('Waits for', release.waitsFor),
    list(`Wave ${release.released} was opened by`, release.openedBy),
  ].join('');
}

function historyTable(history: PlannedPromotion['history']): string {
  if (history.length === 0) return '';
  const rows = history.map(({ hash, source, result }) => [hash.slice(0, 12), source.slice(0, 12), result]);
  return `<h3>History</h3>\n${htmlTable(['release', 'commit', 'result'], rows)}`;
}

function list(heading: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const lines = items.map((item) => `<li>${escapeHtml(item)}</li>\n`);
  return `<h3>${heading}</h3>\n<ul>\n${lines.join('')}</ul>\n`;
}
