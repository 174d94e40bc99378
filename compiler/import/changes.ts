import { goJson } from '../../encoding/go-json.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../encoding/json-map.ts';
import type { FieldPath } from '../field-path.ts';
import { call, literal, plain, type Expression, type Statement } from './expression.ts';

/** An operation of a JSON patch. */
export type Change =
  | { readonly operation: 'add' | 'replace'; readonly path: FieldPath; readonly value: unknown }
  | { readonly operation: 'remove'; readonly path: FieldPath };

/** The forms of one object, or of the same part of it, that decide how to change it. */
interface Forms {
  /** As a construct renders it, which is what a patch changes. */
  readonly rendered: unknown;
  /** The same as the API server completes it. */
  readonly completed: unknown;
  /** What it has to be when it is complete. */
  readonly wanted: unknown;
  /** As the user wrote it, without what the API server fills in; the source of values as far as it has them. */
  readonly written: unknown;
}

/** The changes, at the deepest fields that differ, that give a rendered object the wanted form. */
export function changesBetween(forms: Forms): readonly Change[] {
  const changes: Change[] = [];
  collect(forms, [], changes);
  return changes;
}

function collect(forms: Forms, path: FieldPath, into: Change[]): void {
  const { rendered, completed, wanted, written } = forms;
  if (isJsonMap(rendered) && isJsonMap(completed) && isJsonMap(wanted)) {
    for (const key of new Set([...Object.keys(completed), ...Object.keys(wanted)]))
      collect(stepInto(forms, key), [...path, key], into);
  } else if (isJsonList(rendered) && isJsonList(wanted) && rendered.length === wanted.length) {
    for (const index of wanted.keys()) collect(stepInto(forms, index), [...path, index], into);
  } else if (wanted === undefined) {
    // what the API server fills in by itself is gone when its reason is
    if (rendered !== undefined) into.push({ operation: 'remove', path });
  } else if (completed === undefined || goJson(completed) !== goJson(wanted)) {
    const value = written === undefined ? wanted : written;
    // `add` would move the items of a list
    const isNew = rendered === undefined && typeof path.at(-1) === 'string';
    into.push({ operation: isNew ? 'add' : 'replace', path, value });
  }
}

function stepInto(forms: Forms, step: string | number): Forms {
  return {
    rendered: fieldOf(forms.rendered, step),
    completed: fieldOf(forms.completed, step),
    wanted: fieldOf(forms.wanted, step),
    written: fieldOf(forms.written, step),
  };
}

/** A field of a map, or an item of a list; undefined where there is none. */
export function fieldOf(value: unknown, step: string | number): unknown {
  if (!isJsonMap(value) && !isJsonList(value)) return undefined;
  return Object.hasOwn(value, step) ? (value as JsonMap)[step] : undefined;
}

/** `object.addJsonPatch(…)`, for what the props of a construct cannot express. */
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
