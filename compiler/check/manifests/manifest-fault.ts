import { kubernetesKinds, type Releases } from '../../../schemas/kubernetes/kubernetes.ts';
import type { FieldPath } from '../../field-path.ts';

/** Something in a manifest that the API server of some clusters does not take. */
export interface ManifestFault {
  readonly code: 'FW7131' | 'FW7132' | 'FW7133';
  /** In the manifest. */
  readonly path: FieldPath;
  /** What is wrong, as the beginning of a sentence. */
  readonly what: string;
  /** What the cluster does about it, as the end of that sentence before `on 3 clusters`. */
  readonly consequence: string;
  readonly hint?: string;
  /** Whether the release of a cluster has the fault: the minor of Kubernetes, undefined if that is not known. */
  readonly isIn: (minor: number | undefined) => boolean;
}

/** Whether the releases of a table entry leave out that of a cluster. */
export function isOutside({ since, until }: Releases, minor: number | undefined): boolean {
  if (minor === undefined) return false;
  return (since !== undefined && minor < since) || (until !== undefined && minor > until);
}

/** `is served from Kubernetes 1.30 on`, or `up to Kubernetes 1.28`. */
export function releaseWords({ since, until }: Releases): string {
  const from = since === undefined ? '' : `from Kubernetes 1.${since} on`;
  const to = until === undefined ? '' : `up to Kubernetes 1.${until}`;
  return from === '' ? to : to === '' ? from : `in Kubernetes 1.${since} to 1.${until}`;
}

/**
 * Whether what no release in the table has may be reported for a cluster: one that is newer or older than the table may
 * have it, unless the name is nearly that of something else.
 */
export function isMissing(isMisspelled: boolean, minor: number | undefined): boolean {
  const { oldest, newest } = kubernetesKinds();
  return isMisspelled || minor === undefined || (minor >= oldest && minor <= newest);
}
