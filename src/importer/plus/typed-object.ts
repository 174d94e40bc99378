import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { plusClasses } from '../../../schemas/plus-structs.gen.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import {
  call,
  create,
  list,
  literal,
  member,
  name,
  plain,
  unlessEmptyObject,
  type Expression,
  type Item,
  type Property,
} from '../code/expression.ts';
import { explicitMetadata } from './metadata.ts';
import { referenceIn } from './references.ts';
import { structOf } from './structs.ts';
import type { ObjectScope } from './workload-scope.ts';

/** Whether the kind is a Kubernetes kind that cdk8s-plus has a class for. */
export function isTyped({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean {
  return plusClasses.has(`${apiVersion}/${kind}`);
}

/**
 * Writes `new kplus.k8s.KubeDeployment(…)` and similar calls, which take a manifest unchanged and add nothing. Undefined if the
 * kind has no such class, or if its types do not allow the manifest.
 */
export function typedObject(manifest: KubernetesObject, scope: ObjectScope): Expression | undefined {
  const { apiVersion, kind, metadata: _, ...fields } = manifest;
  const className = plusClasses.get(`${apiVersion}/${kind}`);
  if (className === undefined) return undefined;
  const metadata = explicitMetadata(manifest, scope.namespace, scope.defaultName);
  const content = { ...(Object.keys(metadata).length > 0 && { metadata }), ...fields };
  const props = new TypedValues(scope, manifest.metadata.namespace).value(content, `${className}Props`, []);
  if (props === undefined) return undefined;
  return create(
    member(member('kplus', 'k8s'), className),
    name(scope.variable),
    literal(scope.id),
    unlessEmptyObject(props),
  );
}

/** The largest map to write. The classes copy a map once per entry, which takes minutes for tens of thousands of entries. */
const maxMapEntries = 500;

/** Writes values in the types of the classes. */
class TypedValues {
  readonly #scope: ObjectScope;
  readonly #namespace: string | undefined;

  constructor(scope: ObjectScope, namespace: string | undefined) {
    this.#scope = scope;
    this.#namespace = namespace;
  }

  /** Returns the value; undefined if it does not have the type. */
  value(value: unknown, type: string, path: FieldPath): Expression | undefined {
    const of = type.slice(2);
    if (type.startsWith('[]')) return Array.isArray(value) ? this.#list(value, of, path) : undefined;
    if (type.startsWith('{}')) return isJsonMap(value) ? this.#map(value, of, path) : undefined;
    switch (type) {
      case 'string':
        return typeof value === 'string' ? this.#scope.text(value) : undefined;
      case 'number':
        return typeof value === 'number' ? literal(value) : undefined;
      case 'boolean':
        return typeof value === 'boolean' ? literal(value) : undefined;
      case 'any':
        return plain(value, path, (text) => this.#scope.text(text));
      case 'Quantity':
      case 'IntOrString':
        return this.#wrapped(value, type);
      default:
        return isJsonMap(value) ? this.#struct(value, type, path) : undefined;
    }
  }

  #wrapped(value: unknown, type: 'Quantity' | 'IntOrString'): Expression | undefined {
    const wrapper = member(member('kplus', 'k8s'), type);
    if (typeof value === 'string') return call(wrapper, 'fromString', this.#scope.text(value));
    return typeof value === 'number' ? call(wrapper, 'fromNumber', literal(value)) : undefined;
  }

  #list(values: readonly unknown[], type: string, path: FieldPath): Expression | undefined {
    const items: Item[] = [];
    for (const [index, value] of values.entries()) {
      const itemPath = [...path, index];
      const code = this.value(value, type, itemPath);
      if (code === undefined) return undefined;
      items.push({ value: code, path: itemPath });
    }
    return list(items);
  }

  #map(values: JsonMap, type: string, path: FieldPath): Expression | undefined {
    if (Object.keys(values).length > maxMapEntries) return undefined;
    return this.#properties(values, path, () => ({ type }));
  }

  #struct(value: JsonMap, type: string, path: FieldPath): Expression | undefined {
    const struct = structOf(type);
    if (struct === undefined || struct.required.some((field) => value[field] === undefined)) return undefined;
    return this.#properties(value, path, (key) => {
      const field = struct.fields.get(key);
      return field && { ...field, code: referenceIn(value, type, key, this.#scope, this.#namespace) };
    });
  }

  #properties(
    values: JsonMap,
    path: FieldPath,
    fieldOf: (key: string) => { type: string; prop?: string; code?: Expression | undefined } | undefined,
  ): Expression | undefined {
    const properties: Property[] = [];
    for (const [key, value] of Object.entries(values)) {
      const field = fieldOf(key);
      if (field === undefined) return undefined;
      const { type, prop = key } = field;
      const fieldPath = [...path, key];
      const code = field.code ?? this.value(value, type, fieldPath);
      if (code === undefined) return undefined;
      properties.push({ key: prop, value: code, path: fieldPath });
    }
    return { type: 'object', properties };
  }
}
