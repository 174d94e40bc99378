import { useStage } from './engines/argo-cd/stage.ts';
import { applyApplication, compared } from './engines/argo-cd/story.ts';
import { playStorms } from './engines/storm/play-storms.ts';

// Argo CD applies random histories of Git to a real hub.

const stage = useStage({ waveDelay: 0 });

playStorms(() => ({
  name: 'argocd',
  hub: stage.hub,
  git: stage.git,
  follow: async (repository, apps) => {
    const { client } = stage.hub;
    for (const app of apps) await applyApplication(client, app, repository, { duration: '1s' });
    return async () => {
      await Promise.all(apps.map((app) => compared(stage.argoCd, app, repository.head())));
    };
  },
}));
