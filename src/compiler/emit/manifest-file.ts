import { kustomizationFile } from './kustomization.ts';
import { resolutionFile } from './emit.ts';

/** Whether a file of an emitted tree contains objects to apply. */
export function isManifest(name: string): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return base !== kustomizationFile && base !== resolutionFile;
}
