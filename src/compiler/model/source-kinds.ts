/** The API version of manifests that the compiler renders: `HelmChart` and `GoTemplates`. */
export const sourceApiVersion = 'fleetwright.dev/v1alpha1';

const kinds: ReadonlySet<unknown> = new Set(['HelmChart', 'GoTemplates']);

/** Returns whether the compiler renders manifests from this one. */
export function isManifestSource({ apiVersion, kind }: { apiVersion?: unknown; kind?: unknown }): boolean {
  return apiVersion === sourceApiVersion && kinds.has(kind);
}
