import type { Diagnostic, PlanEffects } from '../../../compiler/index.ts';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import { compareEffects } from '../../../compiler/plan/effects/compare-effects.ts';
import { hasNoEffects } from '../../../compiler/plan/effects/plan-effects.ts';
import { effectDifferenceWords } from '../../../compiler/report/effect-difference-words.ts';

/** The maximum number of findings. The others are counted. */
const mostFindings = 100;

/** Whether an approval of earlier effects covers those of now. */
export interface EffectVerdict {
  /** Empty if it does. */
  readonly diagnostics: readonly Diagnostic[];
  /** `the approval stands: …` or `the approval does not stand: …`, without a period. */
  readonly summary: string;
}

/**
 * Compares the effects of a change with the approved ones. An approval stands if they are the same. It also stands if the change has no
 * effects any more, because the base has them already or the change took them back: then there is nothing to approve.
 */
export function verifyEffects(
  approved: PlanEffects,
  now: PlanEffects,
  { base, head }: { readonly base: string; readonly head: string },
): EffectVerdict {
  const differences = compareEffects(approved, now);
  if (differences.length === 0)
    return { diagnostics: [], summary: 'the approval stands: the effects are the approved ones' };
  if (hasNoEffects(now))
    return {
      diagnostics: [],
      summary: `the approval stands: ${head} has no effects compared with ${base}, so there is nothing left to approve`,
    };
  const gone = differences.filter(({ state }) => state === 'gone').length;
  const unapproved = differences.length - gone;
  const words = [
    ...(unapproved > 0 ? [`${unapproved} not approved`] : []),
    ...(gone > 0 ? [`${gone} approved and gone`] : []),
  ];
  const findings = differences.slice(0, mostFindings).map((difference) => {
    const message = effectDifferenceWords(difference);
    return difference.state === 'gone'
      ? diagnostic('FW8021', { message: `approved and gone: ${message}`, hint: reviewHint })
      : diagnostic('FW8020', { message: `not approved: ${message}`, hint: reviewHint });
  });
  return {
    diagnostics: [...findings, ...moreFindings(differences.length - findings.length)],
    summary: `the approval does not stand: ${words.join(', ')}`,
  };
}

function moreFindings(more: number): readonly Diagnostic[] {
  if (more === 0) return [];
  const message = `${more} more effects differ from the approved plan`;
  return [diagnostic('FW8020', { message, hint: reviewHint })];
}

const reviewHint = 'review the plan of the change as it is now, and approve it again';
