import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startCompanion, type RunningCompanion } from '../hub/companion/running-companion.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import { applyApplication, synced } from './engines/argo-cd/story.ts';
import { playGraphs } from './engines/required-graphs.ts';

// Add-ons that require each other, whose sync waves Argo CD applies to a real hub.

const stage = useStage();
let companion: RunningCompanion;
beforeAll(() => {
  companion = startCompanion(stage.hub.kubeconfig);
});
afterAll(async () => {
  await companion.stop();
});

playGraphs(
  'Argo CD',
  () => stage.hub,
  (graph, isOrdered) => {
    const repository = stage.git.create(graph);
    let isConfigured = false;
    return {
      hub: stage.hub,
      engine: 'argocd',
      folder: repository.folder,
      apply: async (message) => {
        if (!isOrdered) removeWaves(path.join(repository.folder, 'dist', graph));
        const commit = repository.commit(message);
        if (!isConfigured) await applyApplication(stage.hub.client, graph, repository, { duration: '1s' });
        isConfigured = true;
        await synced(stage.argoCd, graph, commit);
      },
    };
  },
);

/** Removes the sync waves of compiled delivery. */
function removeWaves(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.basename(name).startsWith('managedclusteraddon_')) continue;
    const file = path.join(folder, name);
    const text = readFileSync(file, 'utf8');
    const changed = text.replaceAll(/^ *argocd\.argoproj\.io\/sync-wave: .*\n/gm, '');
    if (changed === text) throw new Error(`${name} has no sync wave`);
    writeFileSync(file, changed);
  }
}
