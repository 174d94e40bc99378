import { propertiesOf, type PropertyType } from './property-types.ts';

/** A property that a type does not have, or a value that fits none of the types of its property. */
export interface PropertyFault {
  /** The path of the property, such as `placements[0].rollout`; empty for the value itself. */
  readonly path: string;
  readonly value: unknown;
  /** The types of the object that lacks the property, or of the property. */
  readonly types: readonly PropertyType[];
  /** The name of the property that the object lacks. @default - the value fits none of the types */
  readonly unknown?: string;
}

/** Whether an object may have a property although its type lacks it. */
export type Exemption = (name: string, names: readonly string[]) => boolean;

const nothing: Exemption = () => false;

/** Returns the first fault of a value; undefined if it fits one of the types, as far as the generated table can say. */
export function propertyFault(
  value: unknown,
  types: readonly PropertyType[],
  path = '',
  isExempt = nothing,
): PropertyFault | undefined {
  if (value === undefined || value === null || typeof value === 'function') return undefined;
  if (types.some(({ kind }) => kind === 'any')) return undefined;
  if (Array.isArray(value)) {
    const items = types.flatMap((type) => (type.kind === 'list' ? [type.item] : []));
    if (items.length === 0) return { path, value, types };
    return firstFault([...value.entries()], ([index, item]) =>
      propertyFault(item, items, `${path}[${index}]`),
    );
  }
  if (typeof value !== 'object')
    return types.some(({ kind }) => kind === 'scalar') ? undefined : { path, value, types };
  // Constructs and the tokens of cdk8s are instances of classes, and the types have only a part of their members.
  if (!isPlain(value)) return undefined;
  return objectFault(value, types, path, isExempt);
}

function objectFault(
  value: object,
  types: readonly PropertyType[],
  path: string,
  isExempt: Exemption,
): PropertyFault | undefined {
  const structs = types.flatMap((type) => (type.kind === 'struct' ? [propertiesOf(type.name)] : []));
  const free = types.flatMap((type) => (type.kind === 'map' ? [type.item] : []));
  if (structs.length === 0 && free.length === 0) return { path, value, types };
  return firstFault(Object.entries(value), ([name, item]) => {
    const accepted = structs.flatMap((struct) => struct.get(name) ?? struct.get('*') ?? []);
    const fieldPath = memberPath(path, name);
    const unknown = { path: fieldPath, value: item, types, unknown: name };
    const alternatives = [...accepted, ...free];
    if (alternatives.length > 0) {
      const fault = propertyFault(item, alternatives, fieldPath);
      // The values of selectors are texts: an object under a free key is a misspelled or misplaced property.
      const isMisplaced = fault?.path === fieldPath && fault.unknown === undefined && accepted.length === 0;
      return isMisplaced && types.length > 1 ? unknown : fault;
    }
    const names = structs.flatMap((struct) => [...struct.keys()]);
    return isExempt(name, names) ? undefined : unknown;
  });
}

function firstFault<T>(
  items: readonly T[],
  faultOf: (item: T) => PropertyFault | undefined,
): PropertyFault | undefined {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Returns whether an object was written down as one, and is not an instance of a class. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function memberPath(path: string, name: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
