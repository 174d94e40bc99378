import {
  codes,
  type AcceptedFinding,
  type Code,
  type FindingSettings,
  type SettableSeverity,
} from '../../compiler/index.ts';
import { whyRequired } from '../../compiler/model/finding-settings.ts';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import type { FieldPath } from '../../compiler/index.ts';
import type { SettingsFile } from './settings-file.ts';

/** The key `findings` of fleetwright.yaml as it is written. */
export interface WrittenFindings {
  readonly accepted?: readonly (Omit<AcceptedFinding, 'code' | 'location'> & { readonly code: string })[];
  readonly severity?: Readonly<Record<string, SettableSeverity>>;
}

/**
 * Returns what a settings file decides about findings.
 *
 * @throws UserError if it names an unknown code, or one that it cannot accept or turn off
 */
export function findingSettingsOf(file: SettingsFile): FindingSettings {
  const { accepted = [], severity = {} } = file.written.findings ?? {};
  const severities = new Map<Code, SettableSeverity>();
  for (const [name, value] of Object.entries(severity)) {
    const path = ['findings', 'severity', name];
    const code = codeAt(file, path, name);
    const why = value === 'off' ? whyRequired(code, 'off') : undefined;
    if (why !== undefined) throw file.wrong(path, `cannot be off: ${why}`, accepting(code));
    severities.set(code, value);
  }
  return { accepted: accepted.map((_, index) => acceptedAt(file, index)), severities };
}

function acceptedAt(file: SettingsFile, index: number): AcceptedFinding {
  const path = ['findings', 'accepted', index];
  const written = file.written.findings?.accepted?.[index];
  if (written === undefined) throw new Error('the index is that of an entry');
  const code = codeAt(file, [...path, 'code'], written.code);
  const why = whyRequired(code, 'accept');
  if (why !== undefined) throw file.wrong([...path, 'code'], `cannot be accepted: ${why}`);
  if ((written.object === undefined) === (written.file === undefined))
    throw file.wrong(
      path,
      'needs either object or file',
      'copy the object of the finding, such as Placement default/prod; for a finding without an object, its file',
    );
  if (written.until !== undefined && !isDate(written.until))
    throw file.wrong([...path, 'until'], 'is not a date', 'use the form 2027-01-31');
  return { ...written, code, location: file.locate(path) };
}

function codeAt(file: SettingsFile, path: FieldPath, name: string): Code {
  if (Object.hasOwn(codes, name)) return name as Code;
  throw file.wrong(
    path,
    `has an unknown code ${name}`,
    didYouMean(name, Object.keys(codes), 'the codes are'),
  );
}

function accepting(code: Code): string | undefined {
  return whyRequired(code, 'accept') === undefined
    ? 'accept single findings with findings.accepted'
    : undefined;
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
