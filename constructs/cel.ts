/** A value that can be inserted into a CEL expression. */
export type CelValue = string | number | boolean | bigint | null | readonly CelValue[];

/**
 * Returns a CEL expression with inserted values. Each value is written as a CEL literal, so a quote in a value stays
 * a quote. Whole numbers become `int`; convert them for other types, as in `double(1)`. The text is used as written:
 * a backslash is CEL's backslash, except before a backquote.
 *
 * @example
 * cel`managedCluster.metadata.labels['version'] in ${['1.30', '1.31']}`;
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
