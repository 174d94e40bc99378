import { isMap, isNode, isScalar, LineCounter, type Document, type YAMLError } from 'yaml';
import {
  formatFieldPath,
  type Engine,
  type FieldPath,
  type FileLocation,
  type PolicySeverity,
  type SensitiveSettings,
} from '../../compiler/index.ts';
import type { WrittenInvariant } from '../../compiler/prove/invariant.ts';
import type { AddOnApiVersion, HubVersionName } from '../../ocm/hub-version.ts';
import type { WrittenFindings } from './finding-settings.ts';
import { aliasesAreCounted, parseYaml } from '../inputs/bounded-yaml.ts';
import { settingsFault } from './settings-fault.ts';
import { unreadableSettings } from './settings-text.ts';
import { LocatedError } from '../located-error.ts';

/** The settings as they are written, without keys that have no value: the type of `settingsSchema`. */
export interface WrittenSettings {
  readonly apps?:
    | string
    | { readonly folder?: string; readonly unconfined?: readonly string[]; readonly confinement?: string };
  readonly out?: string;
  readonly fleet?:
    string | readonly string[] | { readonly path?: string | readonly string[]; readonly maxAge?: string };
  readonly engine?: Engine;
  readonly hubVersion?: HubVersionName;
  readonly apiVersion?: AddOnApiVersion;
  readonly revisionHistoryLimit?:
    number | { readonly default?: number; readonly apps?: Readonly<Record<string, number>> };
  readonly hubs?: Readonly<Record<string, WrittenHub>>;
  readonly equal?: readonly (string | readonly string[])[];
  readonly kustomize?: {
    readonly apps?: Readonly<Record<string, string>>;
    readonly plugins?: boolean;
    readonly helm?: boolean;
  };
  readonly plan?: { readonly by?: string | readonly string[] };
  readonly guardrails?: {
    readonly maxUninstalls?: number;
    readonly maxDeletions?: number;
    readonly maxDeletedApplications?: number | string;
    readonly maxStoppedPolicies?: number | string;
    readonly atMost?: Readonly<Record<string, Readonly<Record<string, number | string>>>>;
    readonly protect?: readonly string[];
    readonly approved?: readonly string[];
  };
  readonly policies?: Readonly<Record<string, WrittenPolicy>>;
  readonly invariants?: Readonly<Record<string, WrittenInvariant>>;
  readonly findings?: WrittenFindings;
  readonly sensitive?: Partial<SensitiveSettings>;
  readonly external?: readonly WrittenExternal[];
}

export interface WrittenHub {
  readonly fleet?: string | readonly string[];
  readonly hubVersion?: HubVersionName;
  readonly apiVersion?: AddOnApiVersion;
  readonly engine?: Engine;
  readonly out?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

export interface WrittenPolicy {
  readonly expression: string;
  readonly message: string;
  readonly severity?: PolicySeverity;
}

export interface WrittenExternal {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** A value of a settings file with its location. */
export interface Located<T> {
  readonly value: T;
  readonly location: FileLocation;
}

/** A valid settings file, with the locations of its values. */
export class SettingsFile {
  readonly written: WrittenSettings;
  readonly #file: string;
  readonly text: string;
  readonly #lines = new LineCounter();
  readonly #document: Document;

  /**
   * Parses a file and validates it with `settingsSchema`.
   *
   * @throws UserError if it has an unknown key or an invalid value.
   * @throws DiagnosedError if it is not valid YAML, or is nested too deeply.
   */
  static parse(file: string, text: string): SettingsFile {
    const settings = new SettingsFile(file, text);
    const fault = settingsFault(settings.written);
    if (fault !== undefined) throw settings.wrong(fault.path, fault.message, fault.hint);
    return settings;
  }

  private constructor(file: string, text: string) {
    this.#file = file;
    this.text = text;
    this.#document = parseYaml(file, text, {
      syntaxError: syntaxFault(file, text),
      lineCounter: this.#lines,
    });
    this.written = withoutNulls(this.#value()) as WrittenSettings;
  }

  /** Returns the entries of a list with their locations. */
  located<T>(path: FieldPath, values: readonly T[] = []): Located<T>[] {
    return values.map((value, index) => ({ value, location: this.locate([...path, index]) }));
  }

  /** Returns the error for an invalid value, at its key: a list or mapping begins in another line. */
  wrong(path: FieldPath, what: string, hint?: string): LocatedError {
    const subject = path.length === 0 ? 'the file' : formatFieldPath(path);
    return new LocatedError(this.#locationOf(this.#keyStartOf(path)), `${subject} ${what}`, hint);
  }

  locate(path: FieldPath): FileLocation {
    return this.#locationOf(this.#startOf(path));
  }

  /**
   * Returns the location of a character of the string at a path, if the file contains the string literally; otherwise
   * the location of the string.
   */
  locateWithin(path: FieldPath, offset: number): FileLocation {
    const node: unknown = this.#document.getIn([...path], true);
    const start = this.#startOf(path);
    if (!isScalar(node) || typeof node.value !== 'string') return this.#locationOf(start);
    const quote = /^["']/.test(this.text.slice(start)) ? 1 : 0;
    const isVerbatim = this.text.startsWith(node.value, start + quote);
    return this.#locationOf(isVerbatim ? start + quote + offset : start);
  }

  #value(): unknown {
    this.#quoteReleases();
    const value: unknown = this.#document.toJS(aliasesAreCounted) ?? {};
    const hubs = typeof value === 'object' && value !== null && 'hubs' in value ? value.hubs : undefined;
    // A name alone is a hub, with the settings of the top level.
    if (typeof hubs === 'object' && hubs !== null)
      for (const [name, hub] of Object.entries(hubs)) if (hub === null) Reflect.set(hubs, name, {});
    return value;
  }

  /** Without quotes a release is a number, of which 1.10 would lose its last digit. */
  #quoteReleases(): void {
    const { contents } = this.#document;
    if (!isMap(contents)) return;
    const hubs = contents.get('hubs');
    const mappings = [contents, ...(isMap(hubs) ? hubs.items.map(({ value }) => value) : [])];
    for (const mapping of mappings) {
      const release: unknown = isMap(mapping) ? mapping.get('hubVersion', true) : undefined;
      if (isScalar(release) && typeof release.value === 'number') release.value = release.source;
    }
  }

  #startOf(path: FieldPath): number {
    const node: unknown = this.#document.getIn([...path], true);
    return isNode(node) ? (node.range?.[0] ?? 0) : 0;
  }

  /** Returns where the key of a field begins; where the value does if it has none, such as an item of a list. */
  #keyStartOf(path: FieldPath): number {
    const name = path.at(-1);
    const parent: unknown =
      path.length < 2 ? this.#document.contents : this.#document.getIn(path.slice(0, -1), true);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(name))
      : undefined;
    return pair !== undefined && isScalar(pair.key)
      ? (pair.key.range?.[0] ?? this.#startOf(path))
      : this.#startOf(path);
  }

  #locationOf(offset: number): FileLocation {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.#file, line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === null ? [] : [[key, withoutNulls(each)]])),
  );
}

function syntaxFault(file: string, text: string) {
  return ({ message, linePos }: YAMLError): Error => {
    const { line = 1, col = 1 } = linePos?.[0] ?? {};
    const what = `is not valid YAML: ${message.split(/ at line \d|\n/, 1)[0] ?? ''}`;
    const hint = 'correct the file; no command reads only a part of it';
    return unreadableSettings(file, what, hint, { line, column: col }, text);
  };
}
