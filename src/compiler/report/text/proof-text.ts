import { clusterCount } from '../../model/words.ts';
import {
  counterexampleWords,
  effectWords,
  joined,
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
  const parts = counts.flatMap(([count, answer]) => (count === 0 ? [] : [`${count} ${answer}`]));
  return `${verdicts.length === 1 ? '1 invariant' : `${verdicts.length} invariants`}: ${parts.join(', ')}`;
}

/** Returns what edits of labels uninstall as text, one line for each edit. */
export function labelEffectsText(effects: readonly LabelEffect[], most: number): string {
  if (effects.length === 0) return 'no edit of a label, claim or set of one cluster uninstalls an add-on';
  const lines = effects.slice(0, most).map(({ edit, to, clusters, addOns }) => {
    const field =
      edit.kind === 'sets' ? 'the set' : `${edit.kind === 'claims' ? 'claim' : 'label'} ${edit.key ?? ''}`;
    const change =
      edit.kind === 'sets'
        ? `changing ${field} to ${to ?? 'default'} on`
        : to === undefined
          ? `removing ${field} from`
          : `setting ${field} to ${to === '' ? '""' : to} on`;
    const from = clusters.length === 1 ? clusters.join() : `any of ${clusterCount(clusters.length)}`;
    return `${change} ${from} uninstalls ${joined(addOns)}`;
  });
  const rest = effects.length - lines.length;
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}
