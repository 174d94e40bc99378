import { counted } from '../../model/words.ts';
import type { PredictedRollout } from '../../predict-rollout.ts';
import type { Rollout } from '../../rollout/simulate-rollout.ts';
import { some, type Stop } from '../../rollout/stop.ts';
import type { Wave, WavePart } from '../../rollout/wave.ts';
import { textHtml } from './escape-html.ts';
import { htmlPage, stylesOnly } from '../html-page.ts';
import { afterWords, remainingWords, partWords, rolloutWords, type Stage } from '../rollout-words.ts';

const style = `
:root { color-scheme: light dark; --line: #8884; --wave: #2f6feb; --own: #b7791f; --stop: #c53030; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin: 2rem 0 0.2rem; } h3 { font-size: 1rem; margin: 1rem 0 0.4rem; }
.timeline { display: grid; gap: 3px; overflow-x: auto; grid-template-columns: max-content; grid-auto-columns: minmax(7.5rem, 1fr); padding-bottom: 0.5rem; }
.timeline > * { padding: 0.25rem 0.4rem; border-radius: 4px; min-width: 0; }
.timeline > .lane { position: sticky; left: 0; min-width: 10rem; max-width: 24rem; overflow-wrap: anywhere; background: Canvas; border: 1px solid var(--line); }
.when { border-bottom: 2px solid var(--line); font-variant-numeric: tabular-nums; }
.when span { display: block; opacity: 0.7; font-size: 0.85em; }
.part { background: color-mix(in srgb, var(--wave) 22%, Canvas); border-left: 4px solid var(--wave); }
.part.own { background: color-mix(in srgb, var(--own) 22%, Canvas); border-color: var(--own); }
.part ul { margin: 0.2rem 0; padding-left: 1.1rem; overflow-wrap: anywhere; }
summary { cursor: pointer; }
.stop { border-left: 4px solid var(--stop); padding: 0.3rem 0.7rem; margin: 0.5rem 0; background: color-mix(in srgb, var(--stop) 12%, Canvas); }
.condition { opacity: 0.8; margin: 0.2rem 0; }
`;

/** Formats the rollouts of all add-ons as one self-contained HTML file: a timeline of waves by decision group. */
export function rolloutHtml({ install, update }: Omit<PredictedRollout, 'before'>): string {
  const names = [...new Set([...install.keys(), ...(update?.keys() ?? [])])].sort();
  const sections = names.map((name) => {
    const stages = [stageHtml('installation', install.get(name)), stageHtml('update', update?.get(name))];
    return `<section>\n<h2>${textHtml(name)}</h2>\n${stages.join('')}</section>\n`;
  });
  const body = `<h1>Rollout</h1>
${sections.join('')}`;
  return htmlPage({ title: 'Rollout', policy: stylesOnly, style, body });
}

function stageHtml(stage: Stage, rollout: Rollout | undefined): string {
  if (rollout === undefined) return '';
  const { waves, stops, unready, uninstalled, progressions } = rollout;
  const gone =
    uninstalled.length === 0
      ? ''
      : stopHtml(`Uninstalled immediately from ${counted(uninstalled.length, 'cluster')}`, uninstalled);
  return `<h3>${textHtml(capitalized(rolloutWords(stage, rollout)))}</h3>
${gone}${waves.length === 0 ? '' : timelineHtml(waves)}${unready.length === 0 ? '' : stopHtml(`Never ready: ${some(unready)}`, unready)}${stops.map((stop) => stopped(stage, stop)).join('')}${progressions
    .map(
      ({ placement, condition }) =>
        `<p class="condition">${textHtml(`${placement}: ${condition.message}`)}</p>\n`,
    )
    .join('')}`;
}

/** Returns one row per group with a part in a wave, in the order of first occurrence, and one column per wave. */
function timelineHtml(waves: readonly Wave[]): string {
  const rows = new Map<string, number>();
  const cells: string[] = [];
  for (const [index, wave] of waves.entries()) {
    const { after, parts } = wave;
    const column = index + 2;
    const when = after === 0 ? '' : `<span>${afterWords(wave).trim()}</span>`;
    cells.push(`<div class="when" ${at(1, column)}>wave ${index + 1}${when}</div>`);
    for (const part of parts) {
      const lane = partWords({ ...part, cause: 'strategy' });
      let row = rows.get(lane);
      if (row === undefined) {
        rows.set(lane, (row = rows.size + 2));
        cells.push(`<div class="lane" ${at(row, 1)}>${textHtml(lane)}</div>`);
      }
      cells.push(partHtml(part, `wave ${index + 1}, ${lane}`, at(row, column)));
    }
  }
  return `<div class="timeline">\n${cells.join('\n')}\n</div>\n`;
}

function partHtml({ cause, clusters }: WavePart, label: string, place: string): string {
  const isClusterConfiguration = cause === 'own configuration';
  const summary = `${counted(clusters.length, 'cluster')}${isClusterConfiguration ? ', own configuration edited' : ''}`;
  const open = `<summary aria-label="${textHtml(`${label}: ${summary}`)}">${summary}</summary>`;
  return `<details class="part${isClusterConfiguration ? ' own' : ''}" ${place}>${open}${listHtml(clusters)}</details>`;
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

function at(row: number, column: number): string {
  return `style="grid-area:${row}/${column}"`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
