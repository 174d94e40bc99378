import type { AppliedRepository } from './applied-repository.ts';
import type { Engine } from '../../../compiler/index.ts';
import { engineFolder } from '../../../workspace/output/engine-setup.ts';
import { packagedFile } from '../../../workspace/packaged-file.ts';
import { applicationSet } from './argo-cd-objects.ts';
import { fluxObjects, healthPatch } from './flux-objects.ts';

/** Returns the objects to apply once to the hub, by the name of their file. They apply every app, also those that are added later. */
export async function gitOpsFiles(
  engine: Engine,
  repository: AppliedRepository,
): Promise<ReadonlyMap<string, string>> {
  if (engine === 'none') return new Map();
  if (engine === 'argocd') return new Map([[`${engineFolder}/apps.yaml`, applicationSet(repository)]]);
  const files = new Map<string, string>();
  for (const { folder, out } of fluxFolders(repository)) {
    files.set(`${folder}/apps.yaml`, fluxObjects(repository, out));
    files.set(`${folder}/flux-health.yaml`, await packagedFile('packaging/gitops/flux-health.yaml'));
    files.set(`${folder}/kustomization.yaml`, healthPatch(folder));
  }
  return files;
}

/** Returns the folders with the objects of Flux: Flux runs on each hub, so each has its own. */
export function fluxFolders({
  hubs,
}: Pick<AppliedRepository, 'hubs'>): readonly { readonly folder: string; readonly out: string }[] {
  if (hubs.length < 2) return [{ folder: engineFolder, out: 'dist' }];
  return hubs.map((hub) => ({ folder: `${engineFolder}/${hub}`, out: `dist/${hub}` }));
}

/**
 * Returns the name of the engine's objects: the name of the repository as a DNS label. It leaves room for the names of stages.
 *
 * @param repository - name of its package
 */
export function objectName(repository: string): string {
  const label = repository
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replaceAll(/^-+|-+$/g, '');
  return label === '' ? 'add-ons' : label;
}
