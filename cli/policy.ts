import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import type { FieldPath } from '../compiler/field-path.ts';
import { formatFieldPath } from '../compiler/field-path.ts';
import type { FileLocation } from '../compiler/origin.ts';
import type { Guardrails, LabelLimit, Limit } from '../compiler/plan/guardrails.ts';
import { CommandError } from './terminal.ts';

/** The file beside `apps/` in which a repository says how much a change may do. */
export const policyFile = 'fleetwright.yaml';

/** What the command line says of guardrails. */
export interface GuardrailArguments {
  readonly policy: string | undefined;
  readonly 'max-uninstalls': number | undefined;
  readonly 'at-most': readonly string[];
  readonly protect: readonly string[];
  readonly approve: readonly string[];
}

/**
 * The guardrails of the policy file and the command line together. Flags replace a number and add to lists.
 *
 * @param cwd - the folder of the later state: a change may bring its own approval
 * @throws CommandError where the file or a flag says something that is no guardrail
 */
export async function readGuardrails(options: GuardrailArguments, cwd: string): Promise<Guardrails> {
  const file = options.policy ?? policyFile;
  const text = await readFile(path.resolve(cwd, file), 'utf8').catch(() => undefined);
  if (text === undefined && options.policy !== undefined)
    throw new CommandError(`${file}: there is no such file`);
  const written = text === undefined ? none : new PolicyReader(file, text).read();
  const most = options['max-uninstalls'];
  if (most !== undefined && !isCount(most))
    throw new CommandError('--max-uninstalls takes a number from 0 on');
  const maxUninstalls = most === undefined ? written.maxUninstalls : { value: most };
  const flags = options['at-most'].map((flag): Limit<LabelLimit> => {
    const [, label = '', value = '', size = ''] = /^([^=]+)=([^:]*):(.+)$/.exec(flag) ?? [];
    const limit = sizeOf(size);
    if (label === '' || limit === undefined) {
      throw new CommandError(`--at-most ${flag} is no limit`, 'write it as env=prod:10%');
    }
    return { value: { label, value, most: limit } };
  });
  return {
    ...(maxUninstalls === undefined ? {} : { maxUninstalls }),
    atMost: [...written.atMost, ...flags],
    protect: [...written.protect, ...options.protect.map((value) => ({ value }))],
    approved: [...written.approved, ...options.approve],
  };
}

const none: Guardrails = { atMost: [], protect: [], approved: [] };

/** Reads one policy file, and says where it is wrong. */
class PolicyReader {
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #document: Document;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#document = parseDocument(text, { lineCounter: this.#lines });
    const [error] = this.#document.errors;
    if (error !== undefined) throw new CommandError(`${file}: ${error.message.split('\n', 1)[0] ?? ''}`);
  }

  read(): Guardrails {
    const policy = this.#fields(this.#document.toJS() as unknown, [], ['guardrails']);
    const at = 'guardrails';
    const guardrails = this.#fields(policy[at], [at], ['maxUninstalls', 'atMost', 'protect', 'approved']);
    const { maxUninstalls: most } = guardrails;
    if (most !== undefined && !isCount(most))
      throw this.#wrong([at, 'maxUninstalls'], 'is no number from 0 on');
    const labels = this.#fields(guardrails['atMost'], [at, 'atMost']);
    return {
      ...(isCount(most)
        ? { maxUninstalls: { value: most, location: this.#locate([at, 'maxUninstalls']) } }
        : {}),
      atMost: Object.entries(labels).flatMap(([label, values]) => this.#labelLimits(label, values)),
      protect: this.#texts(guardrails['protect'], [at, 'protect']),
      approved: this.#texts(guardrails['approved'], [at, 'approved']).map(({ value }) => value),
    };
  }

  #labelLimits(label: string, values: unknown): Limit<LabelLimit>[] {
    const path = ['guardrails', 'atMost', label];
    return Object.entries(this.#fields(values, path)).map(([value, size]) => {
      const most = sizeOf(size);
      if (most === undefined)
        throw this.#wrong([...path, value], 'is neither a number of clusters nor a share such as 10%');
      return { value: { label, value, most }, location: this.#locate([...path, value]) };
    });
  }

  #fields(value: unknown, path: FieldPath, known?: readonly string[]): Readonly<Record<string, unknown>> {
    if (value === undefined || value === null) return {};
    if (typeof value !== 'object' || Array.isArray(value)) throw this.#wrong(path, 'is no mapping');
    const fields = value as Readonly<Record<string, unknown>>;
    const unknown = known && Object.keys(fields).find((field) => !known.includes(field));
    if (unknown !== undefined)
      throw this.#wrong([...path, unknown], `is unknown: there are ${known?.join(', ') ?? ''}`);
    return fields;
  }

  #texts(value: unknown, path: FieldPath): Limit<string>[] {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw this.#wrong(path, 'is no list');
    return value.map((entry: unknown, index) => {
      if (typeof entry !== 'string') throw this.#wrong([...path, index], 'is no text');
      return { value: entry, location: this.#locate([...path, index]) };
    });
  }

  #wrong(path: FieldPath, what: string): CommandError {
    const { file, line } = this.#locate(path);
    return new CommandError(
      `${file}:${line}: ${path.length === 0 ? 'the file' : formatFieldPath(path)} ${what}`,
    );
  }

  #locate(path: FieldPath): FileLocation {
    const node: unknown = this.#document.getIn([...path], true);
    const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.#file, line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function sizeOf(value: unknown): LabelLimit['most'] | undefined {
  if (isCount(value)) return value;
  const [, percent, count] =
    /^(?:(\d+(?:\.\d+)?)%|(\d+))$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (count !== undefined) return Number(count);
  return percent === undefined || Number(percent) > 100 ? undefined : { percent: Number(percent) };
}
