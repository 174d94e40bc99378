import type { ValueFault } from '../../compiler/load/objects.ts';
import type {
  AppAnswer,
  Denied,
  Frame,
  MissingVariable,
  SentFault,
  SentError,
  SentObject,
} from './message.ts';

/** Maximum number of diagnostics of one kind that an app can cause. */
const mostNotes = 100;
const longestText = 20_000;

/**
 * Reads the answer of a process that ran an app. The app can write anything there, so every value is checked.
 *
 * @throws Error if the answer has another shape
 */
export function readAnswer(text: string): AppAnswer {
  const answer = mapOf(JSON.parse(text));
  const { failure } = answer;
  return {
    objects: listOf(answer['objects']).map(readObject),
    errors: listOf(answer['errors']).slice(0, mostNotes).map(readError),
    ...(failure !== undefined && {
      failure: failure === 'no construct tree' || failure === 'hub required' ? failure : readFailure(failure),
    }),
    denied: listOf(answer['denied']).slice(0, mostNotes).map(readDenied),
    variables: listOf(answer['variables']).slice(0, mostNotes).map(readVariable),
  };
}

type JsonMap = Readonly<Record<string, unknown>>;

function readObject(value: unknown): SentObject {
  const { object, construct, source, integers, nonJson } = mapOf(value);
  for (const steps of integers === undefined ? [] : listOf(integers)) restoreInteger(object, listOf(steps));
  return {
    object,
    construct: textOf(construct),
    ...readSource(source),
    ...(nonJson !== undefined && { nonJson: listOf(nonJson).slice(0, mostNotes).map(readFault) }),
  };
}

function restoreInteger(object: unknown, steps: readonly unknown[]): void {
  let holder = object;
  for (const [index, step] of steps.entries()) {
    const key = stepOf(step);
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) throw wrong();
    const value: unknown = Reflect.get(holder, key);
    if (index === steps.length - 1) Reflect.set(holder, key, BigInt(textOf(value)));
    holder = value;
  }
}

function readFault(value: unknown): ValueFault {
  const { code, path, message, hint } = mapOf(value);
  if (code !== 'FW1009') throw wrong();
  return {
    code,
    path: listOf(path).map(stepOf),
    message: textOf(message),
    ...(hint !== undefined && { hint: textOf(hint) }),
  };
}

function readError(value: unknown): SentFault {
  const { construct, message, source } = mapOf(value);
  return { construct: textOf(construct), message: textOf(message), ...readSource(source) };
}

function readFailure(value: unknown): SentError {
  const { message, code, stack, hint, construct, denied, isTypeError } = mapOf(value);
  return {
    message: textOf(message),
    ...(isTypeError === true && { isTypeError }),
    ...(code !== undefined && { code: textOf(code) }),
    ...(stack !== undefined && { stack: textOf(stack) }),
    ...(hint !== undefined && { hint: textOf(hint) }),
    ...(construct !== undefined && { construct: textOf(construct) }),
    ...(denied !== undefined && { denied: readDenied(denied) }),
  };
}

function readDenied(value: unknown): Denied {
  const { permission, resource, source } = mapOf(value);
  return { permission: textOf(permission), resource: textOf(resource), ...readSource(source) };
}

function readVariable(value: unknown): MissingVariable {
  const { name, source } = mapOf(value);
  return { name: textOf(name), ...readSource(source) };
}

function readSource(value: unknown): { source?: Frame } {
  if (value === undefined) return {};
  const { file, line, column } = mapOf(value);
  return { source: { file: textOf(file), line: countOf(line), column: countOf(column) } };
}

function mapOf(value: unknown): JsonMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong();
  return value as JsonMap;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong();
  return value;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > longestText) throw wrong();
  return value;
}

function stepOf(value: unknown): string | number {
  return typeof value === 'number' ? countOf(value) : textOf(value);
}

function countOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw wrong();
  return value;
}

function wrong(): Error {
  return new Error('its process answered in another form than Fleetwright’s');
}
