import { yamlDocument } from './yaml.ts';

/** The file that lists the content of a folder, for Argo CD and Flux. */
export const kustomizationFile = 'kustomization.yaml';

/** Returns a kustomization of files and folders, in the given order. */
export function kustomization(resources: readonly string[]): string {
  return yamlDocument({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources });
}
