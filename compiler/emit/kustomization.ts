import { yamlDocument } from './yaml.ts';

/** The file that lists what belongs to a folder, for Argo CD and Flux. */
export const kustomizationFile = 'kustomization.yaml';

/** A kustomization of files and folders, in the order in which they are given. */
export function kustomization(resources: readonly string[]): string {
  return yamlDocument({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources });
}
