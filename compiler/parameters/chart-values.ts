import type { Parameter, ParameterValues } from './model.ts';

/** Returns the values of the parameters that are paths in the values of a Helm chart, as the object that the chart gets. */
export function chartValues(
  parameters: ReadonlyMap<string, Parameter>,
  { values }: Pick<ParameterValues, 'values'>,
): Readonly<Record<string, unknown>> {
  const root = new Map<string, Tree>();
  for (const [name, value] of Object.entries(values)) {
    const target = parameters.get(name)?.target;
    if (target?.kind !== 'chartValue') continue;
    let into = root;
    for (const key of target.path.slice(0, -1)) {
      const existing = into.get(key)?.entries;
      const entries = existing ?? new Map<string, Tree>();
      if (existing === undefined) into.set(key, { entries });
      into = entries;
    }
    into.set(target.path.at(-1) ?? name, { value });
  }
  return asObject(root);
}

interface Tree {
  readonly value?: unknown;
  readonly entries?: Map<string, Tree>;
}

function asObject(entries: ReadonlyMap<string, Tree>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...entries].map(([key, { value, entries: below }]) => [
      key,
      below === undefined ? value : asObject(below),
    ]),
  );
}
