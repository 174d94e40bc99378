import { series } from '../../model/words.ts';
import { clusterCount } from '../../model/words.ts';
import {
  counterexampleWords,
  effectWords,
  obstacleWords,
  type LabelEffect,
  type ProofVerdict,
} from '../../prove/index.ts';

/** Returns the answers for invariants as text, one line each, with the counterexample or the reason below it. */
export function proofText(verdicts: readonly ProofVerdict[]): string {
  const width = Math.max(...verdicts.map(({ answer }) => answer.length), 0);
  return verdicts
    .map((verdict) =>
      [`${verdict.answer.padEnd(width)}  ${verdict.invariant.name}`, ...detailsOf(verdict)].join('\n'),
    )
    .join('\n');
}

function detailsOf(verdict: ProofVerdict): readonly string[] {
  if (verdict.answer === 'proved') return [];
  if (verdict.answer === 'refuted') {
    const { counterexample } = verdict;
    const words = effectWords(counterexample.effects);
    return [
      `  not for ${counterexampleWords(counterexample)}`,
      ...(words === '' ? [] : [`  the edit ${words}`]),
      ...(counterexample.cluster === undefined
        ? []
        : [`  now: fleetwright explain ${counterexample.cluster}`]),
    ];
  }
  return [
    ...(verdict.example === undefined ? [] : [`  perhaps not for ${counterexampleWords(verdict.example)}`]),
    ...verdict.obstacles.map((obstacle) => `  because of ${obstacleWords(obstacle)}`),
  ];
}

/** Returns one line for the number of each answer. */
export function proofSummary(verdicts: readonly ProofVerdict[]): string {
  const counts = (['proved', 'refuted', 'cannot prove'] as const).map(
    (answer) => [verdicts.filter((each) => each.answer === answer).length, answer] as const,
  );
  if (verdicts.length === 0) return 'no invariant was answered';
  const parts = counts.flatMap(([count, answer]) => (count === 0 ? [] : [`${count} ${answer}`]));
  return `${verdicts.length === 1 ? '1 invariant' : `${verdicts.length} invariants`}: ${parts.join(', ')}`;
}

/** Returns what edits of labels uninstall as text, one line for each edit. */
export function labelEffectsText(effects: readonly LabelEffect[], most: number): string {
  if (effects.length === 0) return 'no edit of a label, claim or set of one cluster uninstalls an add-on';
  const lines = effects.slice(0, most).map(({ edit, clusters, addOns }) => {
    const from = clusters.length === 1 ? clusters.join() : `any of ${clusterCount(clusters.length)}`;
    return `${editWords(edit)} ${from} uninstalls ${series(addOns)}`;
  });
  const rest = effects.length - lines.length;
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

function editWords({ kind, key = '', to, isOther }: LabelEffect['edit']): string {
  const value = isOther === true ? 'another value' : to === '' ? 'an empty value' : to;
  if (kind === 'sets') return `moving to ${isOther === true ? 'another set' : `set ${to ?? 'default'}`}, for`;
  const field = `${kind === 'claims' ? 'claim' : 'label'} ${key}`;
  return value === undefined ? `removing ${field} from` : `setting ${field} to ${value} on`;
}
