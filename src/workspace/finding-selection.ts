import { diagnostic } from '../compiler/model/diagnostic.ts';
import {
  codes,
  type AcceptedFinding,
  type Code,
  type CodeDescription,
  type Diagnostic,
  type FindingSettings,
} from '../compiler/index.ts';
import { covers, isExpired, withSeverity } from '../compiler/model/finding-settings.ts';

/** A finding that is left out because the workspace accepts it. */
export interface Acceptance {
  readonly finding: Diagnostic;
  readonly accepted: AcceptedFinding;
}

export interface SelectionOptions {
  /** Milliseconds since the epoch, for acceptances with a last day. */
  readonly now: number;
  /** Whether findings that are only useful to know are left out. */
  readonly quiet: boolean;
  /**
   * Whether an acceptance covers errors too. A change that a plan compares cannot accept errors.
   * @default - all do
   */
  readonly coversErrors?: (accepted: AcceptedFinding) => boolean;
}

/** Selects the findings that a command reports, as the settings of the workspace and the options decide. */
export class FindingSelection {
  readonly #settings: FindingSettings;
  readonly #options: SelectionOptions;
  readonly #matched = new Set<AcceptedFinding>();
  readonly #acceptances: Acceptance[] = [];

  constructor(settings: FindingSettings, options: SelectionOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /** The findings that were left out of the selections so far because they are accepted. */
  get acceptances(): readonly Acceptance[] {
    return this.#acceptances;
  }

  /** Returns the findings to report, with their severities. */
  select(findings: readonly Diagnostic[]): readonly Diagnostic[] {
    if (findings.length === 0) return findings;
    return this.match(findings).flatMap(({ finding, accepted }) => {
      if (accepted !== undefined) this.#acceptances.push({ finding, accepted });
      return accepted !== undefined || (this.#options.quiet && isHiddenByQuiet(finding)) ? [] : [finding];
    });
  }

  /** Returns findings with their severities and their acceptances, without those that are turned off. */
  match(
    findings: readonly Diagnostic[],
  ): readonly { readonly finding: Diagnostic; readonly accepted?: AcceptedFinding }[] {
    const { accepted, severities } = this.#settings;
    if (accepted.length === 0 && severities.size === 0) return findings.map((finding) => ({ finding }));
    return findings.flatMap((original) => {
      const finding = withSeverity(original, severities);
      if (finding === undefined) return [];
      const match = accepted.find((each) => this.#accepts(each, finding));
      if (match !== undefined) this.#matched.add(match);
      return [{ finding, ...(match && { accepted: match }) }];
    });
  }

  #accepts(accepted: AcceptedFinding, finding: Diagnostic): boolean {
    const { now, coversErrors = () => true } = this.#options;
    if (!covers(accepted, finding) || isExpired(accepted, now)) return false;
    return finding.severity !== 'error' || coversErrors(accepted);
  }

  /**
   * Returns the acceptances that have expired, and those of the checked codes that cover no finding of the run.
   *
   * @param isChecked - whether the run reports all findings of a code
   */
  problems(isChecked: (code: Code) => boolean): readonly Diagnostic[] {
    const { now } = this.#options;
    return this.#settings.accepted.flatMap((accepted) => {
      const { code, until, location } = accepted;
      const what = `${code} of ${subjectOf(accepted)}`;
      if (isExpired(accepted, now))
        return [
          diagnostic('FW9081', {
            message: `the acceptance of ${what} ended on ${until ?? ''}`,
            location,
            hint: 'fix the finding, or move `until` after a review',
          }),
        ];
      if (this.#matched.has(accepted) || !isChecked(code)) return [];
      return [
        diagnostic('FW9080', {
          message: `the accepted finding ${what} is not reported`,
          location,
          hint: 'remove the entry if the finding is fixed; otherwise correct its object and field',
        }),
      ];
    });
  }
}

/** Returns what an acceptance covers, for messages. */
export function subjectOf({ object, file, field }: AcceptedFinding): string {
  return `${object ?? file ?? ''}${field === undefined ? '' : ` ${field}`}`;
}

/**
 * Whether a command that read all apps reports every finding of a code.
 *
 * @param hasFleet - whether all apps have a fleet: rules that need one are skipped otherwise
 */
export function isReported(code: Code, command: 'synth' | 'validate' | 'plan', hasFleet: boolean): boolean {
  const { onlyIn, needsFleet }: CodeDescription = codes[code];
  if (needsFleet === true && !hasFleet) return false;
  // Other findings of the ranges 8 and 9 are about a change, an engine or one run.
  return onlyIn === undefined ? /^FW[1-7]/.test(code) : onlyIn === 'synth' && command === 'synth';
}

/** Whether `--quiet` hides a finding: infos, except those about skipped rules and changed limits. */
export function isHiddenByQuiet({ severity, code }: Diagnostic): boolean {
  return severity === 'info' && !isRequired(code);
}

function isRequired(code: Code): boolean {
  const description: CodeDescription = codes[code];
  return description.isRequired === true;
}
