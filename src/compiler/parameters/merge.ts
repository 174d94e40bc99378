import { isJsonMap, isJsonList, type JsonMap } from '../../base/json/json-map.ts';
import type { FieldPath } from '../model/field-path.ts';
import { operatorOf } from './expression.ts';
import type { Layer, ValueSource, ValueTrace } from './model.ts';

/** One layer's value of a path. `value` is undefined if the layer removes the path. */
interface Setting {
  readonly layer: Layer;
  readonly path: FieldPath;
  readonly value: unknown;
}

/** A merged value: an object whose keys merge, or a value that layers replace as a whole. */
interface MergedObject {
  readonly entries: Map<string, Merged>;
}
interface MergedValue {
  readonly value: unknown;
  readonly winners: readonly Setting[];
}
interface Removed {
  readonly removedBy: Setting;
}
type Merged = (MergedObject | MergedValue | Removed) & { readonly losers: Setting[] };

/** Two layers of equal rank without an order that set the same path to different values. */
export interface LayerConflict {
  readonly path: FieldPath;
  readonly first: ConflictingLayer;
  readonly second: ConflictingLayer;
}

interface ConflictingLayer {
  readonly layer: Layer;
  readonly value: unknown;
  /** The path of the value in the object of the layer's origin. */
  readonly path: FieldPath;
}

/** The result of merging layers, before expressions are computed. */
export interface MergedLayers {
  /** Without `$append` and `$replace`. Values that no layer sets are missing. */
  readonly values: JsonMap;
  readonly conflicts: readonly LayerConflict[];
  readonly layers: readonly Layer[];
  readonly traces: () => readonly ValueTrace[];
  /** Returns the layer that sets a path, or the nearest value around it, and the path of the value there. */
  readonly decidedBy: (path: FieldPath) => { readonly layer: Layer; readonly path: FieldPath } | undefined;
}

/**
 * Merges the values of layers, weakest first. Objects merge by key. Lists and other values replace. `null` removes a value,
 * `{ $append: […] }` appends to a list, `{ $replace: … }` replaces an object as a whole.
 *
 * @param isOrdered - whether the order of two layers is defined
 */
export function mergeLayers(
  layers: readonly Layer[],
  isOrdered: (weaker: Layer, stronger: Layer) => boolean,
): MergedLayers {
  const root: MergedObject & { losers: Setting[] } = { entries: new Map(), losers: [] };
  const merge = new Merge(isOrdered);
  for (const layer of layers)
    for (const [name, value] of Object.entries(layer.values))
      merge.set(root, name, { layer, path: [...layer.valuesPath, name], value });

  return {
    values: valueOf(root) as JsonMap,
    conflicts: merge.conflicts,
    layers,
    traces: () => [...tracesOf(root, [])],
    decidedBy: (path) => settingAt(root, path),
  };
}

/** Returns the setting of a path, or of the nearest value around it. */
function settingAt(root: Merged, path: FieldPath): ReturnType<MergedLayers['decidedBy']> {
  let merged = root;
  for (const [index, step] of path.entries()) {
    if (!('entries' in merged)) {
      const setting = currentSettings(merged).at(-1);
      return setting && { layer: setting.layer, path: [...setting.path, ...path.slice(index)] };
    }
    const next: Merged | undefined = merged.entries.get(String(step));
    if (next === undefined) break;
    merged = next;
  }
  return currentSettings(merged).at(-1);
}

/** Adds one setting after the other, and collects the conflicts of layers without an order. */
class Merge {
  readonly conflicts: LayerConflict[] = [];
  readonly #isOrdered: (weaker: Layer, stronger: Layer) => boolean;

  constructor(isOrdered: (weaker: Layer, stronger: Layer) => boolean) {
    this.#isOrdered = isOrdered;
  }

  set(into: MergedObject, key: string, { layer, path, value }: Setting): void {
    const before = into.entries.get(key);
    const operator = operatorOf(value);
    if (operator === '$replace' && isJsonMap(value)) {
      this.#replace(into, key, before, { layer, path: [...path, '$replace'], value: value['$replace'] });
    } else if (operator === '$append' && isJsonMap(value)) {
      this.#append(into, key, before, { layer, path: [...path, '$append'], value: value['$append'] });
    } else if (isJsonMap(value) && operator === undefined) {
      let object: Merged | undefined = before;
      if (object === undefined || !('entries' in object)) {
        if (object !== undefined) this.#compare(object, { layer, path, value });
        object = { entries: new Map(), losers: object === undefined ? [] : settingsOf(object) };
        into.entries.set(key, object);
      }
      for (const [name, item] of Object.entries(value))
        this.set(object, name, { layer, path: [...path, name], value: item });
    } else {
      this.#replace(into, key, before, { layer, path, value });
    }
  }

  #replace(into: MergedObject, key: string, before: Merged | undefined, setting: Setting): void {
    if (before !== undefined) this.#compare(before, setting);
    const losers = before === undefined ? [] : settingsOf(before);
    const { value } = setting;
    if (value === null) {
      if (before !== undefined) into.entries.set(key, { removedBy: setting, losers });
    } else if (isJsonMap(value) && operatorOf(value) === undefined) {
      const object = { entries: new Map<string, Merged>(), losers };
      into.entries.set(key, object);
      for (const [name, item] of Object.entries(value))
        this.set(object, name, { ...setting, path: [...setting.path, name], value: item });
    } else into.entries.set(key, { value, winners: [setting], losers });
  }

  #append(into: MergedObject, key: string, before: Merged | undefined, setting: Setting): void {
    const items = isJsonList(setting.value) ? setting.value : [setting.value];
    if (before === undefined || !('value' in before) || !isJsonList(before.value)) {
      this.#replace(into, key, before, { ...setting, value: items });
      return;
    }
    this.#compare(before, setting);
    into.entries.set(key, {
      value: [...before.value, ...items],
      winners: [...before.winners, setting],
      losers: before.losers,
    });
  }

  #compare(before: Merged, second: Setting): void {
    for (const first of currentSettings(before)) {
      if (first.layer === second.layer || this.#isOrdered(first.layer, second.layer)) continue;
      if (JSON.stringify(first.value) === JSON.stringify(second.value)) continue;
      this.conflicts.push({ path: pathInValues(second.layer, second.path), first, second });
      return;
    }
  }
}

/** Returns the path of a value in a layer's values, without operators. */
function pathInValues({ valuesPath }: Layer, path: FieldPath): FieldPath {
  return path.slice(valuesPath.length).filter((step) => !isOperator(step));
}

function isOperator(step: string | number): boolean {
  return step === '$append' || step === '$replace';
}

/** Returns the settings that decide a merged value. */
function currentSettings(merged: Merged): Setting[] {
  if ('removedBy' in merged) return [merged.removedBy];
  if ('entries' in merged) return [...merged.entries.values()].flatMap(currentSettings);
  return [...merged.winners];
}

/** Returns all settings of a merged value, including those that lost. */
function settingsOf(merged: Merged): Setting[] {
  const parts = 'entries' in merged ? [...merged.entries.values()].flatMap(settingsOf) : [];
  return [...merged.losers, ...parts, ...('entries' in merged ? [] : currentSettings(merged))];
}

function valueOf(merged: Merged): unknown {
  if (!('entries' in merged)) return 'value' in merged ? merged.value : undefined;
  const values: [string, unknown][] = [];
  for (const [key, item] of merged.entries) if (!('removedBy' in item)) values.push([key, valueOf(item)]);
  return Object.fromEntries(values);
}

function* tracesOf(merged: Merged, path: FieldPath): Iterable<ValueTrace> {
  const losers = merged.losers.map(sourceOf);
  if ('entries' in merged) {
    if (losers.length > 0) yield { path, winners: [], losers };
    for (const [key, item] of merged.entries) yield* tracesOf(item, [...path, key]);
  } else yield { path, winners: currentSettings(merged).map(sourceOf), losers };
}

function sourceOf({ layer, path, value }: Setting): ValueSource {
  return {
    rank: layer.scope.rank,
    layer: layer.title,
    definition: layer,
    path: pathInValues(layer, path),
    value: value ?? undefined,
    location: () => layer.origin.locate(path),
  };
}
