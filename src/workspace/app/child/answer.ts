import { pathToFileURL } from 'node:url';
import { Construct } from 'constructs';
import { findNonJson } from '../../../compiler/load/json/non-json.ts';
import type { FieldPath } from '../../../compiler/model/field-path.ts';
import { collect, type CollectedObject } from '../../../../constructs/collect.ts';
import type { AppAnswer, AppRequest, Frame, SentError, SentHub, SentObject } from '../message.ts';
import { deniedBy, takeNotes } from './access.ts';
import { importCompiled, importUserCode } from './import-user-code.ts';
import { leave, runGuarded } from './run-guarded.ts';
import { setUserCode } from './user-frame.ts';

const longestMessage = 4_000;
const longestStack = 20_000;

/** Runs an app and walks the construct tree that it exports by default. */
export async function answer({ module, userCode, hub }: AppRequest): Promise<AppAnswer> {
  setUserCode([module, ...userCode]);
  takeNotes();
  // A compiled module contains all code of the user.
  const isCompiled = userCode.length === 0;
  const result = await runAndCollect(module, isCompiled ? importCompiled : importUserCode, hub).catch(
    (error: unknown) => ({ failure: describe(error) }),
  );
  leave(module);
  return { objects: [], errors: [], ...result, ...takeNotes() };
}

async function runAndCollect(
  module: string,
  load: (url: string) => Promise<{ readonly default?: unknown }>,
  hub: SentHub | undefined,
): Promise<Pick<AppAnswer, 'objects' | 'errors'> | Pick<AppAnswer, 'failure'>> {
  const loaded = await runGuarded(async () => await load(pathToFileURL(module).href));
  const isFunction = typeof unwrapDefault(loaded.default) === 'function';
  if (isFunction && hub === undefined) return { failure: 'hub required' };
  const exported = isFunction
    ? await runGuarded(async () => await callWith(unwrapDefault(loaded.default), hub))
    : unwrapDefault(loaded.default);
  if (!Construct.isConstruct(exported)) return { failure: 'no construct tree' };
  return await runGuarded(async () => {
    const { objects, errors } = collect(exported);
    return {
      // The objects of an app with an error are not used.
      objects: errors.length > 0 ? [] : objects.map(sent),
      errors: errors.map(({ construct, message, source }) => ({
        construct,
        message: message.slice(0, longestMessage),
        ...withSource(source),
      })),
    };
  });
}

async function callWith(build: unknown, hub: SentHub | undefined): Promise<unknown> {
  return await (build as (argument: SentHub | undefined) => unknown)(hub);
}

/** If the file is read as CommonJS, its default export is a property of the module's default export. */
function unwrapDefault(exported: unknown): unknown {
  if (typeof exported === 'object' && exported !== null && '__esModule' in exported && 'default' in exported)
    return exported.default;
  return exported;
}

function sent({ object, construct, source }: CollectedObject): SentObject {
  const nonJson = findNonJson(object);
  if (nonJson.length > 0) return { object: {}, construct, ...withSource(source), nonJson };
  const integers: FieldPath[] = [];
  const plain = withoutIntegers(object, [], integers);
  return { object: plain, construct, ...withSource(source), ...(integers.length > 0 && { integers }) };
}

/** Returns a value with its integers as strings; the value itself if it has none. */
function withoutIntegers(value: unknown, path: (string | number)[], integers: FieldPath[]): unknown {
  if (typeof value === 'bigint') {
    integers.push([...path]);
    return value.toString();
  }
  if (typeof value !== 'object' || value === null) return value;
  const count = integers.length;
  const fields = Object.entries(value).map(([key, field]: [string, unknown]) => {
    path.push(Array.isArray(value) ? Number(key) : key);
    const plain = withoutIntegers(field, path, integers);
    path.pop();
    return [key, plain] as const;
  });
  if (integers.length === count) return value;
  return Array.isArray(value) ? fields.map(([, field]) => field) : Object.fromEntries(fields);
}

function withSource(source: Frame | undefined): { source?: Frame } {
  return source === undefined ? {} : { source };
}

/** Returns what our own errors about properties say separately. */
function propertiesOf(error: Error): Partial<SentError> {
  if (!('problem' in error) || typeof error.problem !== 'string') return {};
  const { hint, construct }: { problem: unknown; hint?: unknown; construct?: unknown } = error;
  return {
    message: error.problem.slice(0, longestMessage),
    ...(typeof hint === 'string' && { hint: hint.slice(0, longestMessage) }),
    ...(typeof construct === 'string' &&
      construct !== '' && { construct: construct.slice(0, longestMessage) }),
  };
}

/** Describes an error. Anything can be thrown, also values without a string form. */
function describe(error: unknown): SentError {
  try {
    const denied = deniedBy(error);
    if (!(error instanceof Error)) return { message: String(error).slice(0, longestMessage) };
    const { message, stack }: { message: unknown; stack?: unknown } = error;
    return {
      message: String(message).slice(0, longestMessage),
      ...propertiesOf(error),
      ...('code' in error && typeof error.code === 'string' && { code: error.code }),
      ...(error instanceof TypeError && { isTypeError: true }),
      ...(typeof stack === 'string' && { stack: stack.slice(0, longestStack) }),
      ...(denied && { denied }),
    };
  } catch {
    return { message: 'an object without a text' };
  }
}
