import { kubernetesKinds, type Releases } from '../../../../schemas/kubernetes/kubernetes.ts';
import type { FieldPath } from '../../model/field-path.ts';

/** A fault in a manifest: the API servers of some clusters reject or change it. */
export interface ManifestFault {
  readonly code: 'FW7131' | 'FW7132' | 'FW7133';
  /** The path in the manifest. */
  readonly path: FieldPath;
  /** The problem, as the beginning of a sentence. */
  readonly what: string;
  /** What the cluster does, as the end of that sentence before `on 3 clusters`. */
  readonly consequence: string;
  readonly hint?: string;
  /**
   * Whether the Kubernetes release of a cluster has the fault. The parameter is the minor version; undefined if it is unknown.
   */
  readonly isIn: (minor: number | undefined) => boolean;
}

/** Whether the releases of a table entry exclude the release of a cluster. */
export function isOutside({ since, until }: Releases, minor: number | undefined): boolean {
  if (minor === undefined) return false;
  return (since !== undefined && minor < since) || (until !== undefined && minor > until);
}

/** Returns `is served from Kubernetes 1.30 on`, or `up to Kubernetes 1.28`. */
export function releaseWords({ since, until }: Releases): string {
  const from = since === undefined ? '' : `in Kubernetes 1.${since} and later`;
  const to = until === undefined ? '' : `in Kubernetes 1.${until} and earlier`;
  return from === '' ? to : to === '' ? from : `in Kubernetes 1.${since} to 1.${until}`;
}

/**
 * Whether to report a name that no release in the table has. A cluster that is newer or older than the table may have it, unless
 * the name is similar to a known name.
 */
export function isMissing(isMisspelled: boolean, minor: number | undefined): boolean {
  const { oldest, newest } = kubernetesKinds();
  return isMisspelled || minor === undefined || (minor >= oldest && minor <= newest);
}
