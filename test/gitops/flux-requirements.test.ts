import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { FluxRepository } from './engines/flux/repository.ts';
import { useFlux } from './engines/flux/stage.ts';
import { playGraphs } from './engines/required-graphs.ts';

// Add-ons that require each other, whose waves Flux applies to a real hub.

const stage = useFlux();

playGraphs(
  'Flux',
  () => stage.flux.hub,
  (graph, isOrdered) => {
    const repository = new FluxRepository(stage.flux, stage.git.create(graph));
    return {
      hub: stage.flux.hub,
      engine: 'flux',
      folder: repository.folder,
      apply: async (message) => {
        const revision = await repository.commit(message);
        const folders = readdirSync(path.join(repository.folder, 'dist', graph));
        const waves = folders.filter((name) => name.startsWith('wave-')).length;
        await repository.configure({ [graph]: { waves } }, isOrdered ? undefined : withoutOrder);
        await repository.synced(revision);
      },
    };
  },
);

/** Removes the dependency of a wave on the one before. */
function withoutOrder(object: KubernetesObject): KubernetesObject {
  if (!/-wave-\d+$/.test(object.metadata.name ?? '')) return object;
  const { dependsOn: _, ...spec } = object.spec as { readonly dependsOn?: object };
  return { ...object, spec };
}
