import { isDeepStrictEqual } from 'node:util';
import { clusterCapabilities } from '../../src/compiler/render/sources/chart-capabilities.ts';
import { leavesOf } from '../../src/compiler/compare/compare-values.ts';
import { loadChart, renderChart, type Chart } from '../../src/engines/charts/index.ts';
import type { Random } from '../engines/charts/random.ts';
import type { CorpusChart } from './corpus.ts';
import { writtenValues, type WrittenValue } from './values-of-chart.ts';

/** A field of a rendered object, and a value with whose change it changes. */
export interface DerivedField {
  /** Such as `Deployment/agents/agent`. */
  readonly object: string;
  /** Such as `spec.replicas`. */
  readonly field: string;
  readonly value: WrittenValue;
}

/** The fields that are different after a value is changed, at most; the others of its fields are like them. */
const mostFieldsOfValue = 3;

/** An object that a chart renders. */
interface RenderedObject {
  readonly file: string;
  readonly key: string;
  /** The value of each field, by its path. */
  readonly fields: ReadonlyMap<string, unknown>;
}

/** Renders a chart with one value changed at a time. */
export class ChangedValues {
  readonly #chart: Chart;
  readonly #written: readonly WrittenValue[];
  readonly #objects: readonly RenderedObject[];
  /** The names of the objects that are delivered, with their fields. */
  readonly #delivered: ReadonlyMap<string, { readonly name: string; readonly fields: ReadonlySet<string> }>;

  constructor(chart: CorpusChart, delivered: readonly object[]) {
    const { chart: loaded } = loadChart(chart.files, { rules: 'helm' });
    if (loaded === undefined) throw new Error(`${chart.name} cannot be loaded`);
    this.#chart = loaded;
    this.#written = writtenValues(chart);
    this.#delivered = new Map(
      (delivered as readonly NamedObject[]).map((object) => [
        keyOf(object),
        { name: wordsOf(object), fields: new Set(leavesOf(object).map(({ path }) => path)) },
      ]),
    );
    this.#objects = this.#render({}) ?? [];
  }

  /** Returns up to `most` fields that come from values, each once. */
  someFields(random: Random, most: number): DerivedField[] {
    const chosen = new Map<string, DerivedField>();
    for (const value of shuffled(this.#written, random)) {
      const fields = shuffled(this.#fieldsOf(value), random).slice(0, mostFieldsOfValue);
      for (const each of fields) if (chosen.size < most) chosen.set(`${each.object} ${each.field}`, each);
      if (chosen.size >= most) break;
    }
    return [...chosen.values()];
  }

  /** Returns the fields that exist with the value and with another one, and differ. */
  #fieldsOf(value: WrittenValue): DerivedField[] {
    for (const other of otherValues(value.value)) {
      const objects = this.#render(overridden(this.#chart.values, value.path, other));
      if (objects !== undefined)
        return this.#pairs(objects).flatMap(([before, after]) => this.#changed(before, after, value));
    }
    return [];
  }

  #changed({ key, fields }: RenderedObject, after: RenderedObject, value: WrittenValue): DerivedField[] {
    const delivered = this.#delivered.get(key);
    if (delivered === undefined) return [];
    return [...fields]
      .filter(
        ([field, before]) =>
          delivered.fields.has(field) &&
          after.fields.has(field) &&
          !isDeepStrictEqual(after.fields.get(field), before),
      )
      .map(([field]) => ({ object: delivered.name, field, value }));
  }

  /** Pairs objects by their order if no file has more or fewer of them, because a value can be a name; otherwise by their names. */
  #pairs(changed: readonly RenderedObject[]): (readonly [RenderedObject, RenderedObject])[] {
    const isSame =
      changed.length === this.#objects.length &&
      changed.every(({ file }, index) => file === this.#objects[index]?.file);
    return this.#objects.flatMap((before, index) => {
      const after = isSame ? changed[index] : changed.find(({ key }) => key === before.key);
      return after === undefined ? [] : [[before, after] as const];
    });
  }

  /** Returns undefined if the values are not valid. */
  #render(values: Readonly<Record<string, unknown>>): RenderedObject[] | undefined {
    const { manifests } = renderChart(this.#chart, {
      values,
      addedValues: new Set(),
      release: { name: 'release', namespace: namespaceOfRelease, revision: 1, isInstall: true },
      capabilities: clusterCapabilities('v1.34.2', { apiVersions: [] }),
    });
    if (manifests.length === 0) return undefined;
    return manifests.map(({ file, object }) => ({
      file,
      key: keyOf(object as unknown as NamedObject),
      fields: new Map(leavesOf(object).map(({ path, value }) => [path, value])),
    }));
  }
}

/** Where the agent of an add-on is without a configuration. */
const namespaceOfRelease = 'open-cluster-management-agent-addon';

interface NamedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Objects without a namespace get that of the release after the rendering. */
function keyOf({ kind, metadata: { name, namespace = '' } }: NamedObject): string {
  return `${kind}/${namespace === namespaceOfRelease ? '' : namespace}/${name}`;
}

function wordsOf({ kind, metadata: { name, namespace } }: NamedObject): string {
  return [kind, ...(namespace === undefined ? [] : [namespace]), name].join('/');
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => [random.next(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Values in place of another one; the first with which the chart renders is taken. */
function otherValues(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value + 10, 1];
  if (Array.isArray(value)) return [['changed'], [{ name: 'changed' }]];
  if (typeof value === 'object' && value !== null) return [{ changed: 'value' }];
  if (typeof value !== 'string') return ['changed', 7, true];
  return value === '' ? ['changed', '7'] : [`${value}7`, 'changed', '7', ''];
}

/** Returns the values that override a value. A list is overridden as a whole. */
function overridden(
  defaults: unknown,
  [step, ...steps]: WrittenValue['path'],
  other: unknown,
): Record<string, unknown> {
  const inside = defaults instanceof Map ? (defaults.get(String(step)) as unknown) : undefined;
  return { [String(step)]: steps.length === 0 ? other : replaced(inside, steps, other) };
}

function replaced(value: unknown, path: WrittenValue['path'], other: unknown): unknown {
  const [step, ...steps] = path;
  if (step === undefined) return other;
  if (typeof step !== 'number') return overridden(value, path, other);
  return (value as readonly unknown[]).map((item, index) =>
    index === step ? whole(item, steps, other) : plain(item),
  );
}

/** Items of a list do not merge with defaults. */
function whole(value: unknown, path: WrittenValue['path'], other: unknown): unknown {
  const [step, ...steps] = path;
  if (step === undefined) return other;
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? whole(item, steps, other) : plain(item)));
  const entries = value instanceof Map ? [...(value as ReadonlyMap<string, unknown>)] : [];
  return Object.fromEntries(
    entries.map(([key, item]) => [key, key === String(step) ? whole(item, steps, other) : plain(item)]),
  );
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries(
    [...(value as ReadonlyMap<string, unknown>)].map(([key, item]) => [key, plain(item)]),
  );
}
