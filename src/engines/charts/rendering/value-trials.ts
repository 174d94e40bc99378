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
import type { RenderedManifest } from './chart-program.ts';
import type { ValuePath } from './value-path.ts';

/** How many values are tried for a field. Those whose text is in the field come first. */
const mostTrials = 400;
/** How many characters all trials of a template may write, so that a large template has few of them. */
const mostCharacters = 50_000_000;

/** What is rendered with changed values. */
interface TriedTemplate {
  /** The values of the root chart, with those of subcharts below their names. */
  readonly values: ValueMap;
  /** The names of the charts around the template, without the root: their values are below these names. */
  readonly charts: readonly string[];
  /** Returns the text of the template. It throws as `ChartTemplates.renderOne` does. */
  readonly render: (values: ValueMap, onRead?: ReadListener) => string;
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
  readonly text: string;
  readonly candidates: readonly Candidate[];
}

/**
 * Finds the values that decide fields of the objects of a template by trial: a value decides a field if the template renders another
 * field with another value. The way of the value through with, merge, tpl, toYaml or any other function does not matter.
 */
export class ValueTrials {
  readonly #template: TriedTemplate;
  #base: BaseRendering | undefined;
  readonly #outcomes = new Map<Candidate, Generator<Outcome>>();
  readonly #known = new Map<Candidate, Outcome[]>();
  #written = 0;

  constructor(template: TriedTemplate) {
    this.#template = template;
  }

  /**
   * Returns the values that decide a field, in the order of the values.
   *
   * @param text - what the template writes beside all others. Nothing is returned if it depends on the others
   * @param path - of the field in the object; empty for the whole object
   */
  decidingValues(text: string, manifest: RenderedManifest, path: ValuePath): readonly ValuePath[] {
    const base = this.#read();
    if (base.text !== text.replaceAll(missingText, '')) return [];
    const actual = fieldAt(manifest.object, path);
    if (actual === undefined) return [];
    const shown = goJson(actual);
    const isLikely = ({ value }: Candidate): boolean => value !== '' && shown.includes(formatValue(value));
    const likely = base.candidates.filter(isLikely);
    const others = base.candidates.filter((candidate) => !isLikely(candidate));
    const tried = new Set([...likely, ...others].slice(0, mostTrials));
    const deciding = base.candidates.filter(
      (candidate) => tried.has(candidate) && this.#decides(candidate, manifest, path, actual),
    );
    const written = deciding.map((each) => withoutCharts(each.path, this.#template.charts));
    return written.filter(
      (each, index) => written.findIndex((other) => isDeepStrictEqual(other, each)) === index,
    );
  }

  #decides(
    candidate: Candidate,
    { kind, apiVersion, object }: RenderedManifest,
    path: ValuePath,
    actual: GoJsonValue | undefined,
  ): boolean {
    const name = nameOf(object);
    for (const manifests of this.#renderedOf(candidate)) {
      const same = manifests.filter((each) => each.kind === kind && each.apiVersion === apiVersion);
      // The value can be the name itself.
      const other =
        same.find((each) => isDeepStrictEqual(nameOf(each.object), name)) ??
        (same.length === 1 ? same[0] : undefined);
      const value = other && fieldAt(other.object, path);
      if (value !== undefined && !isDeepStrictEqual(value, actual)) return true;
    }
    return false;
  }

  /** Returns the outcomes of a value, each rendered when it is first asked for. */
  *#renderedOf(candidate: Candidate): Generator<Outcome> {
    const known = getOrInsertComputed(this.#known, candidate, () => []);
    const outcomes = getOrInsertComputed(this.#outcomes, candidate, () => this.#rendered(candidate));
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
  *#rendered(candidate: Candidate): Generator<Outcome> {
    for (const other of otherValues(candidate.value)) {
      if (this.#written > mostCharacters) return;
      const values = copiedMap(this.#template.values);
      setAt(values, candidate.path, other);
      const text = attempt(() => this.#template.render(values));
      this.#written += text?.length ?? 0;
      if (text === this.#read().text) return;
      const manifests = text === undefined ? undefined : attempt(() => this.#template.decode(text));
      if (manifests !== undefined) yield manifests;
    }
  }

  /** Renders the template as it is, and records the values that it reads. */
  #read(): BaseRendering {
    if (this.#base !== undefined) return this.#base;
    const values = copiedMap(this.#template.values);
    const paths = new Map<unknown, ValuePath>();
    const leaves: Candidate[] = [];
    index(values, [], paths, leaves);
    const read = new PathSet();
    const text = attempt(() =>
      this.#template.render(values, (container, field, value) => {
        const whole = paths.get(mapEntries(value) ?? value);
        const around = paths.get(mapEntries(container) ?? container);
        if (whole !== undefined) read.add(whole);
        else if (around !== undefined) read.add([...around, field]);
      }),
    );
    const candidates = leaves.filter(({ path }) => read.hasAround(path));
    this.#base = { text: text ?? '', candidates };
    return this.#base;
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
  else (container as Value[])[Number(last)] = value;
}

/** Global values are copied into the values of each subchart. */
function withoutCharts(path: ValuePath, charts: readonly string[]): ValuePath {
  const at = path.indexOf('global');
  const isOfSubchart = at > 0 && path.slice(0, at).every((step, index) => step === charts[index]);
  return isOfSubchart ? path.slice(at) : path;
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
