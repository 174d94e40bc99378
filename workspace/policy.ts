import {
  compilePolicy,
  type Diagnostic,
  type Engine,
  engines,
  type ExternalObject,
  type Guardrails,
  type LabelLimit,
  type Policy,
  type PolicySeverity,
} from '../compiler/index.ts';
import { diagnostic } from '../compiler/diagnostic.ts';
import { externalOf } from './external.ts';
import { PolicyFile, type Placed } from './policy-file.ts';
import { readSettingsText } from './settings-text.ts';
import { UserError } from './user-error.ts';

/** The file beside `apps/` in which a repository defines its policies, the limits of a change, and its GitOps engine. */
export const policyFile = 'fleetwright.yaml';

export interface ReadPolicyOptions {
  /** The file that the command line names. @default - the one of the workspace, if it exists */
  readonly policy: string | undefined;
  /** Whether a file that was named may be missing, as in a state that does not have it yet. @default false */
  readonly mayBeMissing?: boolean;
}

/** The content of a policy file. */
export interface Policies {
  readonly guardrails: Guardrails;
  /** The policies for every add-on on every cluster. */
  readonly policies: readonly Policy[];
  /** The policies as they are written. */
  readonly written: Readonly<Record<string, unknown>>;
  /** The maximum age of a fleet snapshot, in milliseconds, before a plan warns. */
  readonly maxAge: number | undefined;
  /** The engine that applies the emitted trees. */
  readonly engine: Engine | undefined;
  /** The objects that are expected on the hub outside of Git. */
  readonly external: readonly ExternalObject[];
  /** Names of the apps that may do everything that the user may do. */
  readonly unconfined: readonly string[];
  /** The errors of policies that do not compile. */
  readonly diagnostics: readonly Diagnostic[];
  /** The file's text, by its name: diagnostics point into it. */
  readonly texts: ReadonlyMap<string, string>;
}

const sections = ['apps', 'guardrails', 'policies', 'fleet', 'synth', 'external'];

/**
 * Reads the policy file.
 *
 * @param cwd - the folder of the file
 * @throws UserError if the file that was named does not exist, or a file has an invalid field or value.
 * @throws DiagnosedError if it cannot be read, is not valid YAML or is nested too deeply.
 */
export async function readPolicies(
  { policy, mayBeMissing = false }: ReadPolicyOptions,
  cwd: string,
): Promise<Policies> {
  const name = policy ?? policyFile;
  const text = await readSettingsText(name, cwd);
  if (text === undefined) {
    if (policy !== undefined && !mayBeMissing) throw new UserError(`${name}: no such file`);
    return {
      guardrails: none,
      policies: [],
      written: {},
      maxAge: undefined,
      engine: undefined,
      external: [],
      unconfined: [],
      diagnostics: [],
      texts: new Map(),
    };
  }
  const file = new PolicyFile(name, text);
  file.fields([], sections);
  const written = policiesOf(file);
  return {
    guardrails: guardrailsOf(file),
    policies: written.flatMap((each) => ('program' in each ? [each] : [])),
    written: file.fields(['policies']),
    maxAge: maxAgeOf(file),
    engine: engineOf(file),
    external: externalOf(file),
    unconfined: unconfinedOf(file),
    diagnostics: written.flatMap((each) => ('program' in each ? [] : [each])),
    texts: new Map([[name, text]]),
  };
}

/**
 * Returns the objects that a policy file expects on the hub outside of Git; none if there is no such file.
 *
 * @param file - relative to `cwd`
 * @throws UserError, DiagnosedError as `readPolicies`
 */
export async function readExternal(file: string, cwd: string): Promise<readonly ExternalObject[]> {
  const text = await readSettingsText(file, cwd);
  if (text === undefined) return [];
  const settings = new PolicyFile(file, text);
  settings.fields([], sections);
  return externalOf(settings);
}

const none: Guardrails = { atMost: [], protect: [], approved: [] };

function guardrailsOf(file: PolicyFile): Guardrails {
  const at = 'guardrails';
  const { maxUninstalls: most } = file.fields([at], ['maxUninstalls', 'atMost', 'protect', 'approved']);
  if (most !== undefined && !isCount(most))
    throw file.wrong([at, 'maxUninstalls'], 'is not a number of at least 0');
  const labels = file.fields([at, 'atMost']);
  return {
    ...(isCount(most)
      ? { maxUninstalls: { value: most, location: file.locate([at, 'maxUninstalls']) } }
      : {}),
    atMost: Object.keys(labels).flatMap((label) => labelLimits(file, label)),
    protect: file.texts([at, 'protect']),
    approved: file.texts([at, 'approved']).map(({ value }) => value),
  };
}

function labelLimits(file: PolicyFile, label: string): Placed<LabelLimit>[] {
  const path = ['guardrails', 'atMost', label];
  return Object.entries(file.fields(path)).map(([value, size]) => {
    const most = sizeOf(size);
    if (most === undefined)
      throw file.wrong([...path, value], 'is neither a number of clusters nor a share such as 10%');
    return { value: { label, value, most }, location: file.locate([...path, value]) };
  });
}

const severities: readonly PolicySeverity[] = ['error', 'warning'];

function policiesOf(file: PolicyFile): (Policy | Diagnostic)[] {
  return Object.keys(file.fields(['policies'])).map((name): Policy | Diagnostic => {
    const path = ['policies', name];
    file.fields(path, ['expression', 'message', 'severity']);
    const expression = file.text([...path, 'expression']);
    const message = file.text([...path, 'message'])?.value;
    if (expression === undefined) throw file.wrong(path, 'has no expression');
    if (message === undefined) throw file.wrong(path, 'has no message');
    const written = file.text([...path, 'severity'])?.value ?? 'error';
    const severity = severities.find((known) => known === written);
    if (severity === undefined)
      throw file.wrong([...path, 'severity'], `must be one of ${severities.join(', ')}`);
    const compiled = compilePolicy(expression.value);
    if ('program' in compiled)
      return { name, message, severity, location: expression.location, program: compiled.program };
    return diagnostic('FW9009', {
      message: `the policy "${name}" does not compile: ${compiled.message}`,
      location: file.locateWithin([...path, 'expression'], compiled.offset),
      ...(compiled.hint === undefined ? {} : { hint: compiled.hint }),
    });
  });
}

function maxAgeOf(file: PolicyFile): number | undefined {
  file.fields(['fleet'], ['maxAge']);
  const written = file.text(['fleet', 'maxAge'])?.value;
  if (written === undefined) return undefined;
  const age = parseAge(written);
  if (age === undefined) throw file.wrong(['fleet', 'maxAge'], 'is not an age such as 7d or 12h');
  return age;
}

function unconfinedOf(file: PolicyFile): readonly string[] {
  file.fields(['apps'], ['unconfined']);
  return file.texts(['apps', 'unconfined']).map(({ value }) => value);
}

function engineOf(file: PolicyFile): Engine | undefined {
  file.fields(['synth'], ['engine']);
  const written = file.text(['synth', 'engine'])?.value;
  const engine = engines.find((known) => known === written);
  if (written !== undefined && engine === undefined)
    throw file.wrong(['synth', 'engine'], `must be one of ${engines.join(', ')}`);
  return engine;
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

/** Returns a number of clusters, or a share of them: `10`, `10%`. */
export function sizeOf(value: unknown): LabelLimit['most'] | undefined {
  if (isCount(value)) return value;
  const [, percent, count] =
    /^(?:(\d+(?:\.\d+)?)%|(\d+))$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (count !== undefined) return Number(count);
  return percent === undefined || Number(percent) > 100 ? undefined : { percent: Number(percent) };
}
