import { goJson } from '../base/json/go-json.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../base/json/json-map.ts';
import type { FieldPath } from '../compiler/model/field-path.ts';
import { call, literal, plain, type Expression, type Statement } from './code/expression.ts';

/** A JSON patch operation. */
export type Change =
  | { readonly operation: 'add' | 'replace'; readonly path: FieldPath; readonly value: unknown }
  | { readonly operation: 'remove'; readonly path: FieldPath };

/** The forms of one object, or of one part of it, that determine the changes. */
interface Forms {
  /** The form that a construct renders, which a patch changes. */
  readonly rendered: unknown;
  /** The same after the API server sets the defaults. */
  readonly completed: unknown;
  /** The required form, with defaults. */
  readonly required: unknown;
  /** The form that the user wrote, without fields that the API server sets. Values are taken from it where possible. */
  readonly source: unknown;
}

/** Returns the changes, at the deepest fields that differ, that turn a rendered object into the required form. */
export function changesBetween(forms: Forms): readonly Change[] {
  const changes: Change[] = [];
  collect(forms, [], changes);
  return changes;
}

function collect(forms: Forms, path: FieldPath, into: Change[]): void {
  const { rendered, completed, required, source } = forms;
  if (isJsonMap(rendered) && isJsonMap(completed) && isJsonMap(required)) {
    for (const key of new Set([...Object.keys(completed), ...Object.keys(required)]))
      collect(stepInto(forms, key), [...path, key], into);
  } else if (isJsonList(rendered) && isJsonList(required) && rendered.length === required.length) {
    for (const index of required.keys()) collect(stepInto(forms, index), [...path, index], into);
  } else if (required === undefined) {
    // a default of the API server disappears together with the field that causes it
    if (rendered !== undefined) into.push({ operation: 'remove', path });
  } else if (completed === undefined || goJson(completed) !== goJson(required)) {
    const value = source === undefined ? required : source;
    // `add` would shift the items of a list
    const isNew = rendered === undefined && typeof path.at(-1) === 'string';
    into.push({ operation: isNew ? 'add' : 'replace', path, value });
  }
}

function stepInto(forms: Forms, step: string | number): Forms {
  return {
    rendered: fieldOf(forms.rendered, step),
    completed: fieldOf(forms.completed, step),
    required: fieldOf(forms.required, step),
    source: fieldOf(forms.source, step),
  };
}

/** Returns a field of a map, or an item of a list; undefined if it is missing. */
export function fieldOf(value: unknown, step: string | number): unknown {
  if (!isJsonMap(value) && !isJsonList(value)) return undefined;
  return Object.hasOwn(value, step) ? (value as JsonMap)[step] : undefined;
}

/** Writes `object.addJsonPatch(…)`, for fields that the props of a construct cannot express. */
export function patchStatements(
  variable: string,
  changes: readonly Change[],
  text?: (value: string) => Expression,
): Statement[] {
  return changes.map((change) => {
    const { operation, path } = change;
    const value = 'value' in change ? plain(change.value, path, text) : undefined;
    const patch = call('JsonPatch', operation, literal(pointer(path)), value);
    return { value: call(variable, 'addJsonPatch', patch), path };
  });
}

function pointer(path: FieldPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
