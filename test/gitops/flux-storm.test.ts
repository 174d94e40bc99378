import { FluxRepository } from './engines/flux/repository.ts';
import { useFlux } from './engines/flux/stage.ts';
import { playStorms } from './engines/storm/play-storms.ts';

// Flux applies random histories of Git to a real hub.

const stage = useFlux();

playStorms(() => ({
  name: 'flux',
  hub: stage.flux.hub,
  git: stage.git,
  follow: async (repository, apps) => {
    const flux = new FluxRepository(stage.flux, repository);
    await flux.configure(Object.fromEntries(apps.map((app) => [app, {}])));
    return async () => {
      await flux.synced(await flux.fetched());
    };
  },
}));
