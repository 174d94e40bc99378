import { acceptedProperties } from './accepted-properties.gen.ts';

/**
 * A type of the generated table: `any` is not checked, `scalar` is anything but an object, `instance` an object of a class, `struct` an
 * object with known properties.
 */
export type PropertyType =
  | { readonly kind: 'any' | 'scalar' }
  | { readonly kind: 'instance' | 'struct'; readonly name: string }
  | { readonly kind: 'list' | 'map'; readonly item: PropertyType };

/** The type of every property of a struct, each with its alternatives. `*` is any other name. */
export type Properties = ReadonlyMap<string, readonly PropertyType[]>;

const structs: Readonly<Record<string, string>> = acceptedProperties;
const parsedTypes = new Map<string, readonly PropertyType[]>();
const parsedStructs = new Map<string, Properties>();

/** Returns the alternatives of a type as the generated table writes it. */
export function alternativesOf(written: string): readonly PropertyType[] {
  let types = parsedTypes.get(written);
  if (types === undefined) {
    types = written.split('|').map(typeOf);
    parsedTypes.set(written, types);
  }
  return types;
}

/** Returns the properties of a struct. */
export function propertiesOf(struct: string): Properties {
  let properties = parsedStructs.get(struct);
  if (properties === undefined) {
    const entries = (structs[struct] ?? '').split(' ').map((entry) => {
      const colon = entry.indexOf(':');
      return [entry.slice(0, colon), alternativesOf(entry.slice(colon + 1))] as const;
    });
    properties = new Map(entries);
    parsedStructs.set(struct, properties);
  }
  return properties;
}

function typeOf(written: string): PropertyType {
  if (written === '') return { kind: 'any' };
  if (written === '.') return { kind: 'scalar' };
  if (written.startsWith('@')) return { kind: 'instance', name: written.slice(1) };
  if (written.startsWith('[]')) return { kind: 'list', item: typeOf(written.slice(2)) };
  if (written.startsWith('{}')) return { kind: 'map', item: typeOf(written.slice(2)) };
  return { kind: 'struct', name: written };
}
