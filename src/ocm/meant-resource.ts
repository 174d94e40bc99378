import { guessResource } from '../base/names/resource-name.ts';

/** A kind, and the group that serves it. */
export interface NamedKind {
  readonly group: string;
  readonly kind: string;
}

/**
 * Returns the plural name of the kind that a reference means, if the reference has the kind or its singular name where the API has
 * the resource.
 *
 * @param kinds - the kinds that may be meant
 */
export function meantResource(
  group: string,
  resource: string,
  kinds: Iterable<NamedKind>,
): string | undefined {
  const lower = resource.toLowerCase();
  const meant = new Set<string>();
  for (const each of kinds) {
    if (each.group !== group) continue;
    const plural = guessResource(each.kind);
    if (plural === resource) return undefined;
    if (each.kind.toLowerCase() === lower || plural === lower) meant.add(plural);
  }
  const [plural] = meant;
  return plural;
}

/**
 * Returns the kind that a reference means, if the reference has the resource, or another spelling, where the API has the kind.
 *
 * @param kinds - the kinds that may be meant
 */
export function meantKind(group: string, name: string, kinds: Iterable<NamedKind>): string | undefined {
  const lower = name.toLowerCase();
  let meant: string | undefined;
  for (const { group: ofKind, kind } of kinds) {
    if (ofKind !== group) continue;
    if (kind === name) return undefined;
    if (kind.toLowerCase() === lower || guessResource(kind) === lower) meant ??= kind;
  }
  return meant;
}
