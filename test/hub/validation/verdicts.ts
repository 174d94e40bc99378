import { admitObject } from '../../../src/compiler/admit/admit.ts';
import { load } from '../../../src/compiler/load/load.ts';
import type { Refusal } from '../client/api-client.ts';

/** Whether an object is allowed, and if not, which fields are blamed for it. */
export interface Verdict {
  readonly allowed: boolean;
  readonly blamed: readonly string[];
  /** As a person reads it. */
  readonly messages: readonly string[];
}

/** Returns the answer of the API server, undefined for a success, as a verdict. */
export function hubVerdict(refusal: Refusal | undefined): Verdict {
  if (refusal === undefined) return { allowed: true, blamed: [], messages: [] };
  const { message, causes } = refusal;
  // the API server calls the object as a whole <nil>
  const fields = causes.map(({ field = '' }) => field).filter((field) => field !== '' && field !== '<nil>');
  return { allowed: false, blamed: fields.length > 0 ? fields : fieldsIn(message), messages: [message] };
}

/** An object that cannot be decoded is refused without causes. Some of the messages name the field, at least in part. */
function fieldsIn(message: string): readonly string[] {
  const unknown = [...message.matchAll(/unknown field "([^"]*)"/g)].map(([, field = '']) => field);
  if (unknown.length > 0) return unknown;
  const embedded = /: (spec\S*): Invalid value: /.exec(message)?.[1];
  if (embedded !== undefined) return [embedded];
  const decoded = /Go struct field ObjectMeta\.(\S+) of type/.exec(message)?.[1];
  return decoded === undefined ? [] : [`metadata.${decoded}`];
}

/** Returns the verdict of `validate` about a file with one object. */
export function compilerVerdict(text: string): Verdict {
  const { value, diagnostics } = load([{ file: 'object.json', text, source: 'app' }]);
  const [object] = value;
  const admission = object === undefined ? { valid: false, diagnostics } : admitObject(object);
  const errors = admission.diagnostics.filter(({ severity }) => severity === 'error');
  return {
    allowed: admission.valid,
    blamed: errors.map(({ path = '' }) => path),
    messages: errors.map(({ code, path = '', message }) => `${code} ${path}: ${message}`),
  };
}

/**
 * Whether the compiler says what the hub says: the same verdict; and where it is a refusal, first of all one of the fields
 * that the hub blames, and all of these. It may blame more, as the hub stops at the first stage that finds something. Where
 * the hub names no field, the verdict is all there is to compare.
 */
export function agree(hub: Verdict, compiler: Verdict): boolean {
  if (hub.allowed !== compiler.allowed) return false;
  if (hub.allowed || hub.blamed.length === 0) return true;
  const [first = ''] = compiler.blamed;
  return hub.blamed.includes(first) && hub.blamed.every((field) => compiler.blamed.includes(field));
}
