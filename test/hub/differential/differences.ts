/** A place where two JSON values are not the same. */
export interface Difference {
  /** As a JSON pointer. */
  readonly at: string;
  /** Undefined where it is absent. */
  readonly hub: unknown;
  readonly compiler: unknown;
}

/** All places where the hub and the compiler differ. The order of keys does not count. */
export function differences(hub: unknown, compiler: unknown, at = ''): readonly Difference[] {
  if (isContainer(hub) && isContainer(compiler) && Array.isArray(hub) === Array.isArray(compiler)) {
    const keys = new Set([...Object.keys(hub), ...Object.keys(compiler)]);
    return [...keys].flatMap((key) =>
      differences(hub[key], compiler[key], `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
  }
  return Object.is(hub, compiler) ? [] : [{ at, hub, compiler }];
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Prints at most this number of differences, and how many more there are. */
export function printDifferences(found: readonly Difference[], most: number): string {
  const shown = found
    .slice(0, most)
    .map(
      ({ at, hub, compiler }) => `  ${at}\n    hub:      ${short(hub)}\n    compiler: ${short(compiler)}\n`,
    );
  const rest = found.length - shown.length;
  return shown.join('') + (rest > 0 ? `  and ${rest} more\n` : '');
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
