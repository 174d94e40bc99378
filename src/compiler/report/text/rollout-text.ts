import { counted } from '../../model/words.ts';
import type { PredictedRollout } from '../../predict-rollout.ts';
import type { Rollout } from '../../rollout/simulation/simulate-rollout.ts';
import type { Stop } from '../../rollout/stop.ts';
import type { Wave } from '../../rollout/wave.ts';
import { someOf } from '../plan-words.ts';
import { refusingWords } from '../planned-rollout-words.ts';
import {
  afterWords,
  remainingWords,
  partWords,
  rolloutWords,
  startOrderWords,
  type Stage,
} from '../rollout-words.ts';
import { terminalLine } from './terminal-line.ts';

/**
 * Formats the rollouts of all add-ons for a terminal.
 *
 * @param names - the maximum number of clusters named per part of a wave; the others are counted
 */
export function rolloutText({ install, update }: Omit<PredictedRollout, 'before'>, names: number): string {
  const lines: string[] = [];
  for (const [name, rollout] of install) {
    lines.push(...stageLines(name, 'installation', rollout, names));
    const next = update?.get(name);
    if (next !== undefined) lines.push(...stageLines(name, 'update', next, names));
  }
  for (const [name, rollout] of update ?? []) {
    if (!install.has(name)) lines.push(...stageLines(name, 'update', rollout, names));
  }
  if (lines.length === 0) lines.push('no add-on is rolled out');
  return lines.map((line) => `${terminalLine(line)}\n`).join('');
}

function stageLines(addOn: string, stage: Stage, rollout: Rollout, names: number): string[] {
  const { waves, stops, unready, refusing, uninstalled, progressions, startOrder } = rollout;
  return [
    `${addOn}: ${rolloutWords(stage, rollout)}`,
    ...(uninstalled.length === 0
      ? []
      : [
          `  UNINSTALLED immediately from ${counted(uninstalled.length, 'cluster')}: ${someOf(uninstalled, names)}`,
        ]),
    ...waves.flatMap((wave, index) => waveLines(wave, index, names)),
    ...(startOrder === undefined ? [] : [`  ${startOrderWords(startOrder)}`]),
    ...(unready.length === 0
      ? []
      : [`  never ready: ${someOf(unready, names)}${refusingWords(unready, refusing, names)}`]),
    ...stops.map((stop) => stopLine(stage, stop, names)),
    ...progressions.map(({ placement, condition }) => `  ${placement} reports: ${condition.message}`),
  ];
}

function waveLines(wave: Wave, index: number, names: number): string[] {
  const { clusters, parts } = wave;
  return [
    `  wave ${index + 1}${afterWords(wave)}: ${counted(clusters.length, 'cluster')}`,
    ...parts.map((part) => `    ${partWords(part)}: ${someOf(part.clusters, names)}`),
  ];
}

function stopLine(stage: Stage, { placement, message, left }: Stop, names: number): string {
  const where = placement === undefined ? '' : ` at ${placement}`;
  return `  stops${where}: ${message}; ${remainingWords(stage, left.length)}: ${someOf(left, names)}`;
}
