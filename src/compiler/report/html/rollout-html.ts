import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { addToGroup } from '../../../base/collections/groups.ts';
import { counted } from '../../model/words.ts';
import type { PredictedRollout } from '../../predict-rollout.ts';
import { blamed, type Stop } from '../../rollout/stop.ts';
import type { Wave, WavePart } from '../../rollout/wave.ts';
import { textHtml } from './escape-html.ts';
import {
  afterWords,
  remainingWords,
  partWords,
  rolloutWords,
  startOrderWords,
  type Stage,
} from '../rollout-words.ts';
import { pageWithView } from './page-with-view.ts';
import { rolloutPage, shortRolloutWords, stageTitle, type StageRollout } from './rollout-page.ts';

/** The rollouts of all add-ons of one hub. */
export interface HubRollouts extends Omit<PredictedRollout, 'before'> {
  /** Undefined if the workspace has one hub. */
  readonly hub?: string | undefined;
}

/**
 * Formats the rollouts of all add-ons as one self-contained HTML file: a summary with links, a matrix of clusters by add-ons with
 * the wave of each cluster, all waves on a time axis, and for each add-on its waves by decision group.
 */
export function rolloutHtml(hubs: readonly HubRollouts[]): string {
  const rollouts = hubs.flatMap(stagesOf);
  const links = rollouts.map((each, index) => {
    const { stops, unready, uninstalled } = each.rollout;
    const alarm = stops.length + unready.length + uninstalled.length > 0 ? ' class="alarm"' : '';
    return `<li${alarm}><a href="#rollout-${index}">${textHtml(stageTitle(each))}</a> ${textHtml(shortRolloutWords(each))}</li>\n`;
  });
  return pageWithView({
    title: 'Rollout',
    heading: 'Rollout',
    before:
      rollouts.length === 0
        ? '<p>nothing is rolled out: there is no add-on</p>\n'
        : `<ul class="summary">\n${links.join('')}</ul>\n`,
    after: rollouts.map(stageHtml).join(''),
    data: rolloutPage(rollouts),
  });
}

/** Returns the installation and the update of each add-on, by name. */
function stagesOf({ hub, install, update }: HubRollouts): StageRollout[] {
  const names = [...new Set([...install.keys(), ...(update?.keys() ?? [])])].sort();
  return names.flatMap((addOn) =>
    [
      { stage: 'installation' as const, rollout: install.get(addOn) },
      { stage: 'update' as const, rollout: update?.get(addOn) },
    ].flatMap(({ stage, rollout }) => (rollout === undefined ? [] : [{ hub, addOn, stage, rollout }])),
  );
}

function stageHtml(each: StageRollout, index: number): string {
  const { stage, rollout } = each;
  const { waves, stops, unready, refusing, uninstalled, progressions, startOrder } = rollout;
  const gone =
    uninstalled.length === 0
      ? ''
      : stopHtml(`Uninstalled immediately from ${counted(uninstalled.length, 'cluster')}`, uninstalled);
  const never =
    unready.length === 0 ? '' : stopHtml(`Never ready: ${blamed(unready, new Set(refusing))}`, unready);
  const order =
    startOrder === undefined ? '' : `<p>${textHtml(capitalized(startOrderWords(startOrder)))}</p>\n`;
  const reports = progressions.map(
    ({ placement, condition }) =>
      `<p class="condition">${textHtml(`${placement}: ${condition.message}`)}</p>\n`,
  );
  return `<section id="rollout-${index}" class="rollout">
<h2>${textHtml(stageTitle(each))}</h2>
<p>${textHtml(capitalized(rolloutWords(stage, rollout)))}</p>
${gone}${order}${waves.length === 0 ? '' : groupTable(waves)}${never}${stops.map((stop) => stopped(stage, stop)).join('')}${reports.join('')}</section>
`;
}

/** Returns a table with one row per group with a part in a wave, in the order of first occurrence, and one column per wave. */
function groupTable(waves: readonly Wave[]): string {
  const rows = new Map<string, Map<number, WavePart[]>>();
  for (const [index, { parts }] of waves.entries())
    for (const part of parts) {
      const row = getOrInsertComputed(
        rows,
        partWords({ ...part, cause: 'strategy' }),
        () => new Map<number, WavePart[]>(),
      );
      addToGroup(row, index, part);
    }
  const heads = waves.map((wave, index) => {
    const when = wave.after === 0 ? '' : `<span>${afterWords(wave).trim()}</span>`;
    return `<th scope="col">wave ${index + 1}${when}</th>`;
  });
  const body = Array.from(rows, ([group, byWave]) => {
    const cells = waves.map((_wave, index) => {
      const parts = byWave.get(index) ?? [];
      return `<td>${parts.map((part) => partHtml(part, `wave ${index + 1}, ${group}`)).join('')}</td>`;
    });
    return `<tr><th scope="row">${textHtml(group)}</th>${cells.join('')}</tr>\n`;
  });
  return `<div class="table"><table class="groups">
<thead><tr><th scope="col">group</th>${heads.join('')}</tr></thead>
<tbody>
${body.join('')}</tbody>
</table></div>
`;
}

function partHtml({ cause, clusters }: WavePart, label: string): string {
  const isClusterConfiguration = cause === 'own configuration';
  const summary = `${counted(clusters.length, 'cluster')}${isClusterConfiguration ? ', own configuration edited' : ''}`;
  const open = `<summary aria-label="${textHtml(`${label}: ${summary}`)}">${summary}</summary>`;
  return `<details class="part${isClusterConfiguration ? ' own' : ''}">${open}${listHtml(clusters)}</details>`;
}

function stopped(stage: Stage, { placement, message, left }: Stop): string {
  const where = placement === undefined ? '' : ` at ${placement}`;
  return stopHtml(`Stops${where}: ${message}; ${remainingWords(stage, left.length)}`, left);
}

function stopHtml(summary: string, clusters: readonly string[]): string {
  return `<details class="stop"><summary>${textHtml(summary)}</summary>${listHtml(clusters)}</details>\n`;
}

function listHtml(clusters: readonly string[]): string {
  return `<ul>${clusters.map((cluster) => `<li>${textHtml(cluster)}</li>`).join('')}</ul>`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
