import { isDeepStrictEqual } from 'node:util';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { goJson, type GoJsonValue } from '../../../base/json/go-json.ts';
import {
  formatValue,
  mapEntries,
  TemplateLimitError,
  type ReadListener,
  type Value,
  type ValueMap,
} from '../../gotemplate/index.ts';
import { ChartError } from '../chart-fault.ts';
import { ChartRenderError, missingText } from '../engine.ts';
import { copied, copiedMap } from '../values/coalesce.ts';
import type { RenderedManifest } from './manifests.ts';
import { withoutCharts, type ValuePath } from './value-path.ts';

/** How many values are tried for a field. Those whose text is in the field come first. */
const mostTrials = 400;
/** How many characters all trials of a template may write, so that a large template has few of them. */
const mostCharacters = 50_000_000;

/** Returns the text of a template. It throws as `ChartTemplates.renderOne` does. */
type TrialRendering = (values: ValueMap, onRead?: ReadListener) => string;

/** What is rendered with changed values. */
interface TriedTemplate {
  /** What the template writes beside all others. */
  readonly text: string;
  /** The values of the root chart, with those of subcharts below their names. */
  readonly values: ValueMap;
  /** The names of the charts around the template, without the root: their values are below these names. */
  readonly charts: readonly string[];
  /**
   * The template alone, and after others, which can change the values that it reads. The first rendering that writes the text of the
   * template is used.
   */
  readonly renderings: readonly TrialRendering[];
  /** @throws {ChartError} */
  readonly decode: (text: string) => readonly RenderedManifest[];
}

/** A value that a template reads. */
interface Candidate {
  readonly path: ValuePath;
  readonly value: Value;
}

/** The objects of a template with another value. */
type Outcome = readonly RenderedManifest[];

/** The rendering with the values as they are. */
interface BaseRendering {
  readonly render: TrialRendering;
  readonly objects: Outcome;
  readonly candidates: readonly Candidate[];
}

/**
 * Finds the values that decide fields of the objects of a template by trial: a value decides a field if the template renders another
 * field with another value. The way of the value through with, merge, tpl, toYaml or any other function does not matter.
 */
export class ValueTrials {
  readonly #template: TriedTemplate;
  readonly #text: string;
  /** Null if no rendering writes the text of the template. */
  #base: BaseRendering | null | undefined;
  readonly #outcomes = new Map<Candidate, Generator<Outcome>>();
  readonly #known = new Map<Candidate, Outcome[]>();
  #written = 0;

  constructor(template: TriedTemplate) {
    this.#template = template;
    this.#text = template.text.replaceAll(missingText, '');
  }

  /**
   * Returns the values that decide a field, in the order of the values.
   *
   * @param path - of the field in the object; empty for the whole object
   */
  decidingValues(manifest: RenderedManifest, path: ValuePath): readonly ValuePath[] {
    const base = (this.#base ??= this.#read());
    if (base === null) return [];
    const actual = fieldAt(manifest.object, path);
    if (actual === undefined) return [];
    const shown = goJson(actual);
    const isLikely = ({ value }: Candidate): boolean => value !== '' && shown.includes(formatValue(value));
    const likely = base.candidates.filter(isLikely);
    const others = base.candidates.filter((candidate) => !isLikely(candidate));
    const tried = new Set([...likely, ...others].slice(0, mostTrials));
    const deciding = base.candidates.filter(
      (candidate) => tried.has(candidate) && this.#decides(base, candidate, manifest, path, actual),
    );
    const written = deciding.map((each) => withoutCharts(each.path, this.#template.charts));
    return written.filter(
      (each, index) => written.findIndex((other) => isDeepStrictEqual(other, each)) === index,
    );
  }

  #decides(
    base: BaseRendering,
    candidate: Candidate,
    manifest: RenderedManifest,
    path: ValuePath,
    actual: GoJsonValue | undefined,
  ): boolean {
    for (const manifests of this.#renderedOf(base, candidate)) {
      const other = counterpart(manifest, base.objects, manifests);
      const value = other && fieldAt(other.object, path);
      if (value !== undefined && !isDeepStrictEqual(value, actual)) return true;
    }
    return false;
  }

  /** Returns the outcomes of a value, each rendered when it is first asked for. */
  *#renderedOf(base: BaseRendering, candidate: Candidate): Generator<Outcome> {
    const known = getOrInsertComputed(this.#known, candidate, () => []);
    const outcomes = getOrInsertComputed(this.#outcomes, candidate, () => this.#rendered(base, candidate));
    for (let at = 0; ; at++) {
      if (at === known.length) {
        const next = outcomes.next();
        if (next.done === true) return;
        known.push(next.value);
      }
      yield known[at] ?? [];
    }
  }

  /** Returns the objects with each other value with which they can be rendered, and are different. */
  *#rendered({ render }: BaseRendering, candidate: Candidate): Generator<Outcome> {
    for (const other of otherValues(candidate.value)) {
      if (this.#written > mostCharacters) return;
      const values = copiedMap(this.#template.values);
      setAt(values, candidate.path, other);
      const text = attempt(() => render(values));
      this.#written += text?.length ?? 0;
      if (text === this.#text) return;
      const manifests = text === undefined ? undefined : attempt(() => this.#template.decode(text));
      if (manifests !== undefined) yield manifests;
    }
  }

  /** Finds the rendering that writes the text of the template, and records the values that it reads. */
  #read(): BaseRendering | null {
    const { values: unchanged, renderings, decode } = this.#template;
    const render = renderings.find((each) => attempt(() => each(copiedMap(unchanged))) === this.#text);
    if (render === undefined) return null;
    const values = copiedMap(unchanged);
    const paths = new Map<unknown, ValuePath>();
    const leaves: Candidate[] = [];
    index(values, [], paths, leaves);
    const read = new PathSet();
    render(values, (container, keys, value) => {
      const whole = paths.get(mapEntries(value) ?? value);
      const around = paths.get(mapEntries(container) ?? container);
      if (whole !== undefined) read.add(whole);
      else if (around !== undefined) read.add([...around, ...keys]);
    });
    const objects = attempt(() => decode(this.#text)) ?? [];
    return { render, objects, candidates: leaves.filter(({ path }) => read.hasAround(path)) };
  }
}

/** Paths of values that are read, alone or with all values inside of them. */
class PathSet {
  readonly #paths = new Set<string>();

  add(path: ValuePath): void {
    this.#paths.add(JSON.stringify(path));
  }

  /** Whether the path, or one around it, was added. */
  hasAround(path: ValuePath): boolean {
    for (let length = path.length; length >= 0; length--)
      if (this.#paths.has(JSON.stringify(path.slice(0, length)))) return true;
    return false;
  }
}

function index(value: Value, path: ValuePath, paths: Map<unknown, ValuePath>, leaves: Candidate[]): void {
  const isEmpty = value instanceof Map ? value.size === 0 : Array.isArray(value) && value.length === 0;
  if (isEmpty) leaves.push({ path, value });
  if (value instanceof Map) {
    paths.set(value, path);
    for (const [key, inner] of value) index(inner, [...path, key], paths, leaves);
  } else if (Array.isArray(value)) {
    paths.set(value, path);
    for (const [at, inner] of (value as readonly Value[]).entries())
      index(inner, [...path, at], paths, leaves);
  } else if (value !== undefined) leaves.push({ path, value });
}

/** Other values of the same type, the most similar first: a template can reject some of them. */
function otherValues(value: Value): readonly Value[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value === 0 ? 2 : 0];
  if (value === null) return ['other', 1];
  if (value instanceof Map) return [new Map([['other', 'other']])];
  if (Array.isArray(value)) return [['other'], [new Map([['name', 'other']])]];
  if (typeof value !== 'string') return [];
  if (value === '') return ['other', '1'];
  return [similarText(value), `${value}x`, ''];
}

/** Replaces each letter and each digit by the next one: a version remains a version, and an address an address. */
function similarText(text: string): string {
  if (text.includes('{{')) return `${text}x`;
  return text.replaceAll(/[a-z0-9]/gi, (character) =>
    character === '9'
      ? '1'
      : /z/i.test(character)
        ? 'a'
        : String.fromCodePoint((character.codePointAt(0) ?? 0) + 1),
  );
}

function setAt(values: ValueMap, path: ValuePath, value: Value): void {
  let container: Value = values;
  for (const step of path.slice(0, -1))
    container = container instanceof Map ? container.get(String(step)) : (container as Value[])[Number(step)];
  const last = path.at(-1) ?? '';
  if (container instanceof Map) container.set(String(last), copied(value));
  else (container as Value[])[Number(last)] = copied(value);
}

/**
 * Returns the object of another rendering that is in place of one: that with its name, otherwise, because the value can be the name, the
 * one at its position among those of its kind.
 */
function counterpart(
  manifest: RenderedManifest,
  objects: Outcome,
  others: Outcome,
): RenderedManifest | undefined {
  const isSameKind = ({ kind, apiVersion }: RenderedManifest): boolean =>
    kind === manifest.kind && apiVersion === manifest.apiVersion;
  const name = nameOf(manifest.object);
  const isSame = (each: RenderedManifest): boolean => isDeepStrictEqual(nameOf(each.object), name);
  const [before, after] = [objects.filter(isSameKind), others.filter(isSameKind)];
  const named = after.find(isSame);
  if (named !== undefined || before.length !== after.length) return named;
  return after[before.findIndex(isSame)];
}

function nameOf(object: GoJsonValue): GoJsonValue | undefined {
  return [fieldAt(object, ['metadata', 'namespace']) ?? '', fieldAt(object, ['metadata', 'name']) ?? ''];
}

function fieldAt(object: GoJsonValue, path: ValuePath): GoJsonValue | undefined {
  let value: GoJsonValue | undefined = object;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string | number, GoJsonValue>>)[step];
  }
  return value;
}

/** Returns undefined if a template or its output has a fault. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (
      error instanceof ChartError ||
      error instanceof ChartRenderError ||
      error instanceof TemplateLimitError
    )
      return undefined;
    throw error;
  }
}
