/** A value that can stand in a CEL expression. */
export type CelValue = string | number | boolean | bigint | null | readonly CelValue[];

/**
 * A CEL expression with values in it. Each is written as a CEL literal, so that a quote in a value stays a
 * quote. Whole numbers become `int`; give other types by conversion, as in `double(1)`. The text itself is
 * taken as it is written: a backslash is a backslash of CEL's, except before a backquote.
 *
 * @example
 * cel`managedCluster.metadata.labels['version'] in ${['1.30', '1.31']}`
 */
export function cel(strings: TemplateStringsArray, ...values: readonly CelValue[]): string {
  return String.raw(
    { raw: strings.raw.map((text) => text.replaceAll('\\`', '`')) },
    ...values.map(toLiteral),
  );
}

function toLiteral(value: CelValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'object' && value !== null) return `[${value.map(toLiteral).join(', ')}]`;
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new Error(`CEL has no literal for ${value}`);
  return String(value);
}
