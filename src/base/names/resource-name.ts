/**
 * Returns the plural under which a kind is served, guessed from the kind alone. As apimachinery UnsafeGuessKindToResource, which
 * OCM uses where it has no mapper.
 */
export function guessResource(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('endpoints')) return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  if (singular.endsWith('y')) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}

/** Returns a resource with its group, as schema.GroupResource prints it: `addontemplates.addon.open-cluster-management.io`. */
export function groupResource(group: string, resource: string): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** Returns the group of an `apiVersion`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** Returns `group/Kind`, which identifies the kind of an object in any version. */
export function kindKey({
  apiVersion,
  kind,
}: {
  readonly apiVersion: string;
  readonly kind: string;
}): string {
  return `${groupOf(apiVersion)}/${kind}`;
}
