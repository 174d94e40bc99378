import type { ErrorObject } from 'ajv';
import type { FieldPath } from '../../compiler/index.ts';
import { closest } from '../../compiler/model/suggestion.ts';
import { validate as generatedValidator } from './settings-validator.gen.ts';

/** An invalid value of the settings. */
export interface SettingsFault {
  readonly path: FieldPath;
  /** Completes a sentence that begins with the path: `is not a string`. */
  readonly message: string;
  readonly hint?: string;
}

/** A part of the schema, as the keywords of `settingsSchema` use it. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly (string | null)[];
  readonly fault?: string;
  readonly hint?: string;
}

/** The form of validators that ajv generates. */
interface Validator {
  (settings: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** Returns the first invalid value of the settings; undefined if they are valid. */
export function settingsFault(settings: unknown): SettingsFault | undefined {
  const validate: Validator = generatedValidator;
  if (validate(settings)) return undefined;
  const errors = validate.errors ?? [];
  // A misspelled key explains a missing one. A value that fits none of several forms has an error for each of them, and then its own.
  const error =
    errors.find(({ keyword }) => keyword === 'additionalProperties') ??
    errors.find(({ keyword }) => keyword === 'anyOf') ??
    errors[0];
  if (error === undefined) throw new Error('the validator returned no errors');
  return faultOf(error, pathOf(error.instancePath, settings));
}

function faultOf(error: ErrorObject, path: FieldPath): SettingsFault {
  const { keyword, params, parentSchema = {} } = error;
  const { properties = {}, ...schema } = parentSchema as Schema;
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const names = Object.keys(properties);
    const meant = closest(name, names);
    return {
      path: [...path, name],
      message: `is unknown: use one of ${names.join(', ')}`,
      ...(meant !== undefined && { hint: `did you mean ${meant}?` }),
    };
  }
  if (keyword === 'required') {
    const name = String(params['missingProperty']);
    const hint = properties[name]?.hint;
    return { path, message: `has no ${name}`, ...(hint !== undefined && { hint }) };
  }
  if (schema.enum !== undefined)
    return { path, message: `must be one of ${schema.enum.filter((value) => value !== null).join(', ')}` };
  return { path, message: schema.fault ?? 'is not a mapping' };
}

/** Converts a JSON pointer to a path, in which indexes of lists are numbers. */
function pathOf(pointer: string, settings: unknown): FieldPath {
  let value = settings;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const step = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const key = Array.isArray(value) ? Number(step) : step;
      value = (value as Readonly<Record<string | number, unknown>>)[key];
      return key;
    });
}
