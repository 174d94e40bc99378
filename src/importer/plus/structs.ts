import { plusStructs } from '../../../schemas/plus-structs.gen.ts';

/** A field of a class of cdk8s-plus, with the type that the class accepts. */
export interface Field {
  /** Its name in the class, which can differ from the manifest: `hostIp` for `hostIP`. */
  readonly prop: string;
  readonly type: string;
}

export interface Struct {
  readonly fields: ReadonlyMap<string, Field>;
  readonly required: readonly string[];
}

const structs = readStructs();

/** Returns the struct of a type; undefined for types that are not structs. */
export function structOf(type: string): Struct | undefined {
  return structs.get(type);
}

function readStructs(): ReadonlyMap<string, Struct> {
  const lines = plusStructs.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [name = '', fields = ''] = line.split(' = ');
      return [name, readStruct(fields)] as const;
    }),
  );
}

function readStruct(text: string): Struct {
  const fields = new Map<string, Field>();
  const required: string[] = [];
  for (const [, name = '', optional, prop = name, type = ''] of text.matchAll(
    /([^\s?(:]+)(\?)?(?:\((\w+)\))?:(\S+)/g,
  )) {
    fields.set(name, { prop, type });
    if (optional === undefined) required.push(name);
  }
  return { fields, required };
}
