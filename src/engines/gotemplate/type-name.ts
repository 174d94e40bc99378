import {
  Complex,
  GoFunction,
  GoObject,
  Integer,
  TypedList,
  TypedMap,
  type Value,
  type ValueMap,
} from './value.ts';

export const anyType = 'interface {}';
export const mapType = 'map[string]interface {}';
export const listType = '[]interface {}';

/** Returns the name of a value's type as Go's `%T` prints it. */
export function typeName(value: Value): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'string') return 'string';
  if (Array.isArray(value)) return listType;
  if (value instanceof Map) return mapType;
  if (value instanceof Complex) return 'complex128';
  if (value instanceof GoFunction) return functionType(value);
  return (value as Integer | TypedList | TypedMap | GoObject).type;
}

/** Returns the kind of a value as Go's `reflect` names it. */
export function kindName(value: Value): string {
  if (value === null || value === undefined) return 'invalid';
  if (value instanceof Integer) return value.kind;
  if (listItems(value) !== undefined) return 'slice';
  if (mapEntries(value) !== undefined) return 'map';
  if (value instanceof GoObject) return value.type.startsWith('*') ? 'ptr' : 'struct';
  if (value instanceof GoFunction) return 'func';
  return typeName(value);
}

function functionType({ parameters, isVariadic, result }: GoFunction): string {
  const types = parameters.map((type, index) =>
    isVariadic && index === parameters.length - 1 ? `...${type}` : type,
  );
  return `func(${types.join(', ')}) ${result}`;
}

/** Returns the items of a slice; undefined for a value that is no slice. */
export function listItems(value: Value): readonly Value[] | undefined {
  if (value instanceof TypedList) return value.items;
  return Array.isArray(value) ? (value as readonly Value[]) : undefined;
}

/** Returns the entries of a map; undefined for a value that is no map. */
export function mapEntries(value: Value): ValueMap | undefined {
  if (value instanceof Map) return value;
  return value instanceof TypedMap ? value.entries : undefined;
}

/** Returns the type of the elements of a slice or map. */
export function elementType(value: Value): string {
  return value instanceof TypedList || value instanceof TypedMap ? value.elementType : anyType;
}

/** Whether nil is a value of a type. */
export function canBeNil(type: string): boolean {
  return type === anyType || type === 'reflect.Value' || /^(?:\*|\[\]|map\[|func\()/.test(type);
}

/** Whether a value of one type can be passed as another: equal types, or a named map for its underlying type. */
export function isAssignable(value: Value, type: string): boolean {
  if (type === anyType) return true;
  const own = typeName(value);
  return own === type || (type === mapType && value instanceof TypedMap && isNamedMap(value));
}

function isNamedMap(value: TypedMap): boolean {
  return !value.type.startsWith('map[') && value.elementType === anyType;
}

/** Returns the nil of a type. */
export function nilOf(type: string): Value {
  if (type.startsWith('[]')) return new TypedList(type, [], true);
  if (type.startsWith('map['))
    return new TypedMap(type, new Map(), type.replace(/^map\[\w+\]/, ''), { isNil: true });
  return type === 'reflect.Value' ? undefined : null;
}
