/** A schema as plain data. */
export type Plain = Readonly<Record<string, unknown>>;

const simpleTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** A reference. */
export function reference(target: string): Plain {
  return { $ref: target };
}

/** An object with values that match a schema. */
export function objectOf(values: Plain): Plain {
  return { type: 'object', additionalProperties: values };
}

/** A value that matches one of two schemas. */
export function either(first: Plain, second: Plain): Plain {
  return { anyOf: [first, second] };
}

/** A text with a format. */
export function textOf(format: string): Plain {
  return { type: 'string', format };
}

/** Returns properties with the same schema. */
export function each(names: string, schema: unknown): Plain {
  return Object.fromEntries(names.split(' ').map((name) => [name, schema]));
}

/** At least one schema. */
export function schemaArray(schema: Plain): Plain {
  return { type: 'array', minItems: 1, items: schema };
}

export const text: Plain = { type: 'string' };
export const flag: Plain = { type: 'boolean' };
export const numeric: Plain = { type: 'number' };
export const count: Plain = { type: 'integer', minimum: 0 };
export const typeNames: Plain = { enum: simpleTypes };
export const textArray: Plain = { type: 'array', items: text, uniqueItems: true };

/** The value of `type`. */
export function typeRule(definitions: string): Plain {
  const name = reference(`#/${definitions}/simpleTypes`);
  return either(name, { type: 'array', items: name, minItems: 1, uniqueItems: true });
}

/** The keywords that limit a size. Those that are 0 by default have another definition. */
export function sizeRules(definitions: string, name: string, names: string): Plain {
  const least = reference(`#/${definitions}/${name}Default0`);
  return {
    ...each(names, reference(`#/${definitions}/${name}`)),
    ...each('minLength minItems minProperties', least),
  };
}
