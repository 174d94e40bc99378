import { createHash } from 'node:crypto';
import path from 'node:path';
import { isJsonMap } from '../base/json/json-map.ts';
import { formatCount } from '../compiler/report/format-count.ts';
import { ageWords } from '../compiler/report/plan-words.ts';
import { countAnswers, type Verification } from '../compiler/verify/index.ts';
import { jsonText } from '../compiler/report/json/json-text.ts';
import { existingText } from './existing-path.ts';
import type { Workspace } from './workspace.ts';

/** What a verification leaves in the repository. */
interface VerificationRecord {
  /** When the hub was asked, as `2026-01-31T12:00:00Z`. */
  readonly time: string;
  /** The release of the predictions. */
  readonly hubVersion: string;
  /** What the hub is, as far as it shows. */
  readonly hub: readonly string[];
  readonly answers: number;
  readonly equal: number;
  /** The number of questions that were not asked, by their kind or object. */
  readonly notAsked: readonly string[];
  readonly seed?: number;
  /** SHA-256 of the differences; absent if there are none. */
  readonly differences?: string;
}

/** Returns the file of a hub, relative to the root of the workspace, in which `plan` looks for the record. */
function verificationFile({ settings: { hub, hubs } }: Workspace): string {
  return hub === undefined || hubs.length === 1 ? 'verified.json' : path.join('verified', `${hub.name}.json`);
}

/** Returns the text of the record of a verification. The URL of the hub is not part of it. */
export function verificationText(verification: Verification): string {
  const { time, hubVersion, release, subjects, unasked, seed } = verification;
  const differences = subjects.filter(({ disagreements }) => disagreements.length > 0);
  const record: VerificationRecord = {
    time,
    hubVersion,
    hub: release.names,
    ...countAnswers(subjects),
    notAsked: unasked.map(({ what }) => what),
    ...(seed !== undefined && { seed }),
    ...(differences.length > 0 && {
      differences: createHash('sha256').update(JSON.stringify(differences)).digest('hex'),
    }),
  };
  return jsonText(record);
}

/** Returns what `plan` prints about the last verification of a hub, in one line; undefined if the workspace has no record. */
export function lastVerification(workspace: Workspace, now: number): string | undefined {
  const file = verificationFile(workspace);
  const text = existingText(path.join(workspace.root, file));
  if (text === undefined) return undefined;
  const record = recordOf(text);
  if (record === undefined) return `${file} is not a record of verify --report`;
  const { answers, equal, hubVersion, time } = record;
  const predicted = workspace.settings.hubVersion;
  const release = hubVersion === predicted ? '' : ` for OCM ${hubVersion}, and not for ${predicted}`;
  const counts = `${formatCount(equal)} of ${formatCount(answers)} answers equal`;
  return `${file}: the hub was verified ${ageWords(now - Date.parse(time))} ago${release}: ${counts}`;
}

function recordOf(
  text: string,
): Pick<VerificationRecord, 'answers' | 'equal' | 'hubVersion' | 'time'> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonMap(value)) return undefined;
  const { answers, equal, hubVersion, time } = value;
  const isRecord =
    typeof answers === 'number' &&
    typeof equal === 'number' &&
    typeof hubVersion === 'string' &&
    typeof time === 'string' &&
    !Number.isNaN(Date.parse(time));
  return isRecord ? { answers, equal, hubVersion, time } : undefined;
}
