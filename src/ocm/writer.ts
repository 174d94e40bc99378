import type { ObjectMeta } from '../base/objects/object-meta.ts';

/** The label in which Kubernetes tools record the manager of an object. */
export const managedByLabel = 'app.kubernetes.io/managed-by';

/** The value that Fleetwright writes to that label. */
export const fleetwright = 'fleetwright';

type Metadata = Pick<ObjectMeta, 'labels' | 'annotations'>;

/** Whether Fleetwright emitted the object, so that it is in the Git repository of an app. */
export function isEmitted({ labels }: Metadata): boolean {
  return labels?.[managedByLabel] === fleetwright;
}

/**
 * Returns the writer of an object, according to the labels and annotations of GitOps engines: `argocd:hello` for an Application
 * of Argo CD, `flux:flux-system/hello` for a Kustomization or HelmRelease of Flux; undefined if no engine wrote it.
 */
export function engineOf({ labels = {}, annotations = {} }: Metadata): string | undefined {
  const [application] = (annotations['argocd.argoproj.io/tracking-id'] ?? '').split(':');
  const instance = annotations['argocd.argoproj.io/instance'] ?? labels['argocd.argoproj.io/instance'];
  if (application !== undefined && application !== '') return `argocd:${application}`;
  if (instance !== undefined) return `argocd:${instance}`;
  for (const controller of ['kustomize', 'helm']) {
    const prefix = `${controller}.toolkit.fluxcd.io`;
    const name = labels[`${prefix}/name`];
    if (name !== undefined) return `flux:${labels[`${prefix}/namespace`] ?? ''}/${name}`;
  }
  return undefined;
}

/**
 * Returns the engine that wrote an object, or Fleetwright if its output was applied manually; undefined for all other objects.
 */
export function writerOf(metadata: Metadata): string | undefined {
  return engineOf(metadata) ?? (isEmitted(metadata) ? fleetwright : undefined);
}
