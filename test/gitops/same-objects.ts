import { isDeepStrictEqual } from 'node:util';

interface Identified {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown } | undefined;
}

/** Returns how two sets of objects differ, regardless of their order and of empty mappings. */
export function differences(expected: readonly object[], actual: readonly object[]): string[] {
  const [left, right] = [byIdentity(expected), byIdentity(actual)];
  return [
    ...(expected.length === actual.length ? [] : [`${expected.length} and ${actual.length} objects`]),
    ...[...left].flatMap(([name, object]) => {
      if (!right.has(name)) return [`missing: ${name}`];
      return isDeepStrictEqual(right.get(name), object) ? [] : [`other content: ${name}`];
    }),
    ...[...right.keys()].filter((name) => !left.has(name)).map((name) => `not in the build: ${name}`),
  ];
}

function byIdentity(objects: readonly object[]): Map<string, unknown> {
  return new Map(
    objects.map((object) => {
      const { apiVersion, kind, metadata }: Identified = object;
      const name = `${String(apiVersion)} ${String(kind)} ${String(metadata?.namespace)}/${String(metadata?.name)}`;
      return [name, plain(object)];
    }),
  );
}

/** Returns a value as JSON has it: parsers may return large integers and negative zero in different types. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each)),
  );
}
