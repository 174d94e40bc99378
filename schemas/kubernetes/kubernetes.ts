import { kubernetesTable } from './kubernetes.gen.ts';

/** The releases that have a kind or field, by their minor: 25 to 31 for Kubernetes 1.25 to 1.31. */
export interface Releases {
  /** Absent if the oldest release in the table has it. */
  readonly since?: number;
  /** The last one; absent if the newest release in the table has it. */
  readonly until?: number;
}

/** The type of a field. */
export type FieldShape =
  | { readonly shape: 'string' | 'integer' | 'number' | 'boolean' | 'integer or string' | 'anything' }
  | { readonly shape: 'list' | 'map'; readonly of: FieldShape }
  | { readonly shape: 'object'; readonly type: KubernetesType };

/** A field of a type. */
export interface KubernetesField extends Releases {
  readonly value: FieldShape;
}

/** The fields of an object, by name. */
export interface KubernetesType {
  readonly fields: ReadonlyMap<string, KubernetesField>;
}

/** A kind of Kubernetes in one version. */
export interface KubernetesKind extends Releases {
  readonly type: KubernetesType;
}

/** The kinds of all supported releases of Kubernetes. */
export interface KubernetesKinds {
  /** The minors of the oldest and the newest release. */
  readonly oldest: number;
  readonly newest: number;
  /** By apiVersion, then by kind. */
  readonly byVersion: ReadonlyMap<string, ReadonlyMap<string, KubernetesKind>>;
}

interface Table {
  readonly oldest: number;
  readonly newest: number;
  readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly types: readonly Readonly<Record<string, string>>[];
}

let read: KubernetesKinds | undefined;

/** Returns the table, which is read when it is first used: most runs need only a few types of it. */
export function kubernetesKinds(): KubernetesKinds {
  read ??= readTable(JSON.parse(kubernetesTable) as Table);
  return read;
}

function readTable({ oldest, newest, kinds, types }: Table): KubernetesKinds {
  const cache = new Map<number, KubernetesType>();

  function typeAt(index: number): KubernetesType {
    const type = cache.get(index) ?? lazyType(types[index] ?? {});
    cache.set(index, type);
    return type;
  }

  /** Types refer to each other in cycles, so fields are read when they are used. */
  function lazyType(texts: Readonly<Record<string, string>>): KubernetesType {
    let fields: ReadonlyMap<string, KubernetesField> | undefined;
    return {
      get fields() {
        fields ??= new Map(Object.entries(texts).map(([name, text]) => [name, fieldOf(text)]));
        return fields;
      },
    };
  }

  function fieldOf(text: string): KubernetesField {
    const [code = ''] = text.split('@', 1);
    return { value: shapeOf(code), ...releasesOf(text) };
  }

  function shapeOf(code: string): FieldShape {
    const [prefix] = code;
    if (prefix === '[') return { shape: 'list', of: shapeOf(code.slice(1)) };
    if (prefix === '{') return { shape: 'map', of: shapeOf(code.slice(1)) };
    const shape = scalars.get(code);
    return shape === undefined ? { shape: 'object', type: typeAt(Number(code)) } : { shape };
  }

  const byVersion = new Map(
    Object.entries(kinds).map(([apiVersion, texts]) => [
      apiVersion,
      new Map(
        Object.entries(texts).map(([kind, text]) => [
          kind,
          { type: typeAt(Number.parseInt(text, 10)), ...releasesOf(text) },
        ]),
      ),
    ]),
  );
  return { oldest, newest, byVersion };
}

const scalars = new Map([
  ['s', 'string'],
  ['i', 'integer'],
  ['n', 'number'],
  ['b', 'boolean'],
  ['q', 'integer or string'],
  ['*', 'anything'],
] as const) as ReadonlyMap<
  string,
  'string' | 'integer' | 'number' | 'boolean' | 'integer or string' | 'anything'
>;

function releasesOf(text: string): Releases {
  const [, since = '', until = ''] = /@(\d*)-(\d*)$/.exec(text) ?? [];
  return {
    ...(since === '' ? {} : { since: Number(since) }),
    ...(until === '' ? {} : { until: Number(until) }),
  };
}
