import path from 'node:path';
import {
  compilePolicy,
  type Diagnostic,
  type ExternalObject,
  type FindingSettings,
  type Guardrails,
  type LabelLimit,
  type Policy,
  type SensitiveSettings,
} from '../../compiler/index.ts';
import type { Invariant } from '../../compiler/prove/invariant.ts';
import { nothingSensitive } from '../../compiler/masks/sensitive-values.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { noFindingSettings } from '../../compiler/model/finding-settings.ts';
import { externalOf } from '../inputs/external.ts';
import { findingSettingsOf } from './finding-settings.ts';
import type { Host } from '../host.ts';
import { defaultSettings } from './default-settings.ts';
import type { Located, SettingsFile, WrittenSettings } from './settings-file.ts';
import { readSettingsFile } from './settings-files.ts';
import { kustomizeSettingsOf, noKustomizeSettings, type TrustedPrograms } from './kustomize-settings.ts';
import { UserError } from '../user-error.ts';
import { settingsFile, unconfinedApps } from './settings.ts';

export interface ReadPolicyOptions {
  /** The file that the command line names. @default - the one of the workspace, if it exists */
  readonly policy: string | undefined;
  /** Whether a file that was named may be missing, as in a state that does not have it yet. @default false */
  readonly mayBeMissing?: boolean;
}

/** The policies of a settings file, and the limits of a change. */
export interface Policies {
  readonly guardrails: Guardrails;
  /** The policies for every add-on on every cluster. */
  readonly policies: readonly Policy[];
  /** The policies as they are written. */
  readonly written: Readonly<Record<string, unknown>>;
  /** What holds for clusters, whatever their labels are. */
  readonly invariants: readonly Invariant[];
  /** The maximum age of a fleet snapshot, in milliseconds, before a plan warns. */
  readonly maxAge: number;
  /** The accepted findings, and the severities of codes. */
  readonly findings: FindingSettings;
  /** The values that reports mask besides those of Secrets. */
  readonly sensitive: SensitiveSettings;
  /** The objects that are expected on the hub outside of Git. */
  readonly external: readonly ExternalObject[];
  /** Names of the apps that may do everything that the user may do. */
  readonly unconfined: readonly string[];
  /** Whether apps run only if the operating system confines them. */
  readonly requiresSandbox: boolean;
  /** The programs that kustomizations may run. */
  readonly trusted: TrustedPrograms;
  /** The errors of policies that do not compile. */
  readonly diagnostics: readonly Diagnostic[];
  /** The file's text, by its name: diagnostics point into it. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The keys that only the file of the workspace has. A file of `--policy` has the others. */
const workspaceKeys = [
  'out',
  'engine',
  'hubVersion',
  'apiVersion',
  'hubs',
  'equal',
  'kustomize',
  'plan',
] as const;

/**
 * Reads the policies of a settings file.
 *
 * @param host - names of files are relative to its working folder
 * @throws UserError if the file that was named does not exist, or a file has an invalid field or value.
 * @throws DiagnosedError if it cannot be read, is not valid YAML or is nested too deeply.
 */
export async function readPolicies(
  { policy, mayBeMissing = false }: ReadPolicyOptions,
  host: Pick<Host, 'cwd' | 'settingsFiles'>,
): Promise<Policies> {
  const name = policy ?? settingsFile;
  const file = await readSettingsFile(name, host);
  if (file === undefined) {
    if (policy !== undefined && !mayBeMissing) throw new UserError(`${name}: no such file`);
    return {
      guardrails: none,
      policies: [],
      written: {},
      invariants: [],
      maxAge: maxAgeOf({}),
      findings: noFindingSettings,
      sensitive: { variables: [], fields: [] },
      external: [],
      unconfined: [],
      requiresSandbox: false,
      trusted: noKustomizeSettings.trusted,
      diagnostics: [],
      texts: new Map(),
    };
  }
  const key = name === policy ? workspaceKeys.find((each) => file.written[each] !== undefined) : undefined;
  if (key !== undefined && path.basename(name) !== settingsFile)
    throw file.wrong([key], `is not read from this file`, `write it in ${settingsFile}`);
  const written = policiesOf(file);
  return {
    guardrails: guardrailsOf(file),
    policies: written.flatMap((each) => ('program' in each ? [each] : [])),
    written: file.written.policies ?? {},
    invariants: invariantsOf(file),
    maxAge: maxAgeOf(file.written),
    findings: findingSettingsOf(file),
    sensitive: { variables: [], fields: [], ...file.written.sensitive },
    external: externalOf(file),
    unconfined: unconfinedApps(file.written),
    requiresSandbox: requiresSandbox(file.written),
    trusted: kustomizeSettingsOf(file).trusted,
    diagnostics: written.flatMap((each) => ('program' in each ? [] : [each])),
    texts: new Map([[name, file.text]]),
  };
}

/**
 * Returns what a policy file says about inputs: the objects that it expects on the hub outside of Git, and the values that reports
 * mask. Both are empty if there is no such file.
 *
 * @param file - relative to the working folder of the host
 * @throws UserError, DiagnosedError as `readPolicies`
 */
export async function readInputSettings(
  file: string,
  host: Pick<Host, 'cwd' | 'settingsFiles'>,
): Promise<{ readonly external: readonly ExternalObject[]; readonly sensitive: SensitiveSettings }> {
  const settings = await readSettingsFile(file, host);
  if (settings === undefined) return { external: [], sensitive: nothingSensitive };
  return {
    external: externalOf(settings),
    sensitive: { ...nothingSensitive, ...settings.written.sensitive },
  };
}

const none: Guardrails = { atMost: [], protect: [], approved: [] };

function guardrailsOf(file: SettingsFile): Guardrails {
  const { guardrails = {} } = file.written;
  const { maxUninstalls, maxDeletions, atMost = {}, protect } = guardrails;
  return {
    ...(maxUninstalls !== undefined && {
      maxUninstalls: { value: maxUninstalls, location: file.locate(['guardrails', 'maxUninstalls']) },
    }),
    ...(maxDeletions !== undefined && {
      maxDeletions: { value: maxDeletions, location: file.locate(['guardrails', 'maxDeletions']) },
    }),
    ...sizeLimit(file, 'maxDeletedApplications'),
    ...sizeLimit(file, 'maxStoppedPolicies'),
    atMost: Object.entries(atMost).flatMap(([label, sizes]) => labelLimits(file, label, sizes)),
    protect: file.located(['guardrails', 'protect'], protect),
    approved: guardrails.approved ?? [],
  };
}

/** Returns a limit that is a number or a share. */
function sizeLimit(
  file: SettingsFile,
  name: 'maxDeletedApplications' | 'maxStoppedPolicies',
): Pick<Guardrails, typeof name> {
  const value = sizeOf(file.written.guardrails?.[name]);
  return value === undefined ? {} : { [name]: { value, location: file.locate(['guardrails', name]) } };
}

function labelLimits(
  file: SettingsFile,
  label: string,
  sizes: Readonly<Record<string, number | string>>,
): Located<LabelLimit>[] {
  return Object.entries(sizes).map(([value, size]) => {
    const most = sizeOf(size);
    if (most === undefined) throw new Error(`the schema allows ${size}`);
    return { value: { label, value, most }, location: file.locate(['guardrails', 'atMost', label, value]) };
  });
}

function policiesOf(file: SettingsFile): (Policy | Diagnostic)[] {
  return Object.entries(file.written.policies ?? {}).map(([name, written]): Policy | Diagnostic => {
    const { expression, message, severity = 'error' } = written;
    const path = ['policies', name, 'expression'];
    const compiled = compilePolicy(expression);
    if ('program' in compiled)
      return { name, message, severity, location: file.locate(path), program: compiled.program };
    return diagnostic('FW9009', {
      message: `the policy "${name}" does not compile: ${compiled.message}`,
      location: file.locateWithin(path, compiled.offset),
      ...(compiled.hint === undefined ? {} : { hint: compiled.hint }),
    });
  });
}

function invariantsOf(file: SettingsFile): Invariant[] {
  return Object.entries(file.written.invariants ?? {}).map(([name, written]) => ({
    ...written,
    name,
    location: file.locate(['invariants', name]),
  }));
}

function maxAgeOf({ fleet }: WrittenSettings): number {
  const { maxAge = defaultSettings.maxAge } = typeof fleet === 'object' && 'maxAge' in fleet ? fleet : {};
  const age = parseAge(maxAge);
  if (age === undefined) throw new Error(`the schema allows ${maxAge}`);
  return age;
}

function requiresSandbox({ apps }: WrittenSettings): boolean {
  return typeof apps === 'object' && apps.confinement === 'required';
}

/** Parses an age, `7d`, `12h` or `30m`, into milliseconds; undefined if the text is not a valid age. */
export function parseAge(text: string): number | undefined {
  const [, count, unit] = /^(\d+)([dhm])$/.exec(text) ?? [];
  const minutes = { d: 1440, h: 60, m: 1 }[unit ?? ''];
  return count === undefined || minutes === undefined ? undefined : Number(count) * minutes * 60_000;
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** Returns a number, or a share: `10`, `10%`. */
export function sizeOf(value: unknown): LabelLimit['most'] | undefined {
  if (isCount(value)) return value;
  const [, percent, count] =
    /^(?:(\d+(?:\.\d+)?)%|(\d+))$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (count !== undefined) return Number(count);
  return percent === undefined || Number(percent) > 100 ? undefined : { percent: Number(percent) };
}
