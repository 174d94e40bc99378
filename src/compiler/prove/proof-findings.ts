import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { counterexampleWords, effectWords, obstacleWords } from './proof-words.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { checkInvariant } from './check-invariant.ts';
import type { Invariant } from './invariant.ts';
import { prove } from './prove.ts';
import type { ProofVerdict, ProvedState } from './verdict.ts';

/** Returns the finding of an answer; none if the invariant is proved. */
export function proofFindings(verdict: ProofVerdict): readonly Diagnostic[] {
  const { invariant } = verdict;
  const { name, reason, location } = invariant;
  const because = reason === undefined ? '' : ` (${reason})`;
  const at = location === undefined ? {} : { location };
  if (verdict.answer === 'refuted') {
    const { effects } = verdict.counterexample;
    const words = effectWords(effects);
    const does = words === '' ? '' : `, which ${words}`;
    return [
      diagnostic('FW8201', {
        message: `"${name}"${because} does not hold for ${counterexampleWords(verdict.counterexample)}${does}`,
        ...at,
      }),
    ];
  }
  if (verdict.answer === 'proved') return [];
  const why = verdict.obstacles.map(obstacleWords).join('; ');
  const example = verdict.example === undefined ? '' : ` for ${counterexampleWords(verdict.example)}`;
  return [
    diagnostic('FW8202', {
      message: `"${name}"${because} cannot be proved${example}: ${why}`,
      ...at,
    }),
  ];
}

/** The states of one app before and after a change. */
interface ComparedApp {
  readonly base: ProvedState;
  readonly head: ProvedState;
}

/** Returns what a change does to invariants, for all apps of one hub. */
export function comparedProofs(
  apps: readonly ComparedApp[],
  invariants: readonly Invariant[],
  hubs: { readonly base: HubVersion; readonly head: HubVersion },
): readonly Diagnostic[] {
  if (invariants.length === 0) return [];
  const states = apps.flatMap(({ base, head }) => [base, head]);
  const faults = invariants.map((invariant) => checkInvariant(invariant, states));
  const sound = invariants.filter((_, index) => faults[index]?.length === 0);
  const head = prove(
    sound,
    apps.map((app) => app.head),
    hubs.head,
  );
  const base = prove(
    sound,
    apps.map((app) => app.base),
    hubs.base,
  );
  return [...faults.flat(), ...changedProofs(base, head)];
}

/**
 * Returns what a change does to invariants: those that it breaks are errors, those that did not hold before are warnings, and those
 * that hold now are named.
 *
 * @param base - the answers for the state before, for the same invariants in the same order
 */
function changedProofs(base: readonly ProofVerdict[], head: readonly ProofVerdict[]): readonly Diagnostic[] {
  return head.flatMap((verdict, index): readonly Diagnostic[] => {
    const before = base[index]?.answer;
    if (verdict.answer === 'proved') {
      if (before === undefined || before === 'proved') return [];
      const { name, location } = verdict.invariant;
      const was = before === 'refuted' ? 'did not hold before' : 'could not be proved before';
      const at = location === undefined ? {} : { location };
      return [diagnostic('FW8204', { message: `"${name}" holds after the change, and ${was}`, ...at })];
    }
    if (verdict.answer === 'refuted' && before === 'refuted')
      return proofFindings(verdict).map(({ code: _code, severity: _severity, ...finding }) =>
        diagnostic('FW8205', { ...finding, message: `${finding.message}; the change did not break it` }),
      );
    return proofFindings(verdict);
  });
}
