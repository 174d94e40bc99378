/** The kinds of types in the checker. `param` is a type that is still open. */
export type TypeKind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'param'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'uint';

/** A type as CEL's checker sees it. */
export interface CelType {
  readonly kind: TypeKind;
  /** The name that values have at run time: `google.protobuf.Timestamp` for timestamps. */
  readonly name: string;
  readonly params: readonly CelType[];
}

function simpleType(kind: TypeKind, name: string = kind): CelType {
  return { kind, name, params: [] };
}

export const boolType = simpleType('bool');
export const bytesType = simpleType('bytes');
export const doubleType = simpleType('double');
export const durationType = simpleType('duration', 'google.protobuf.Duration');
export const dynType = simpleType('dyn');
export const errorType = simpleType('error', '*error*');
export const intType = simpleType('int');
export const nullType = simpleType('null', 'null_type');
export const stringType = simpleType('string');
export const timestampType = simpleType('timestamp', 'google.protobuf.Timestamp');
export const uintType = simpleType('uint');

export function listType(element: CelType): CelType {
  return { kind: 'list', name: 'list', params: [element] };
}

export function mapType(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', params: [key, value] };
}

export function optionalType(value: CelType): CelType {
  return opaqueType('optional_type', [value]);
}

/** Returns a type that only has a name, such as `net.IP`. */
export function opaqueType(name: string, params: readonly CelType[] = []): CelType {
  return { kind: 'opaque', name, params };
}

/** Returns an object type such as `kubernetes.Quantity`; unlike an opaque type it could have fields. */
export function structType(name: string): CelType {
  return { kind: 'struct', name, params: [] };
}

export function typeParam(name: string): CelType {
  return { kind: 'param', name, params: [] };
}

/** Returns the type of a type: `type(1)` has the type `type(int)`. */
export function typeOfType(type: CelType): CelType {
  return { kind: 'type', name: 'type', params: [type] };
}

/** Returns the first parameter: the elements of a list, the keys of a map, the value of an optional. */
export function firstParam(type: CelType): CelType {
  return type.params[0] ?? dynType;
}

/** Returns the second parameter: the values of a map. */
export function secondParam(type: CelType): CelType {
  return type.params[1] ?? dynType;
}

export function isDyn(type: CelType): boolean {
  return type.kind === 'dyn';
}

export function isOptional(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

const displayNames: Partial<Record<TypeKind, string>> = {
  duration: 'duration',
  timestamp: 'timestamp',
  null: 'null',
  error: '!error!',
};

/** Returns the type as the messages of the checker write it: `map(string, dyn)`. */
export function formatType(type: CelType): string {
  const name = displayNames[type.kind] ?? type.name;
  return type.params.length === 0 ? name : `${name}(${type.params.map(formatType).join(', ')})`;
}

/** Whether both are the same type, including parameters. */
export function isSameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((param, index) => isSameType(param, b.params[index] ?? dynType))
  );
}
