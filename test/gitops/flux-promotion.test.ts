import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startCompanion } from '../hub/companion/running-companion.ts';
import { FluxRepository } from './engines/flux/repository.ts';
import { startFlux, type RunningFlux } from './engines/flux.ts';
import { startGitServer, type GitServer } from './engines/git-server.ts';
import {
  noMishaps,
  promoteInFourWaves,
  takeBackAfterFailures,
  type Carrier,
} from './engines/promotion-story.ts';

// Promotions on a real hub, whose commits Flux applies.

let flux: RunningFlux;
let git: GitServer;
const running: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  flux = await startFlux({ requeueDependency: '1s' });
  running.push(flux);
  git = await startGitServer(flux.folder);
  running.push(git);
  running.push(startCompanion(flux.hub.kubeconfig));
});
afterAll(async () => {
  for (const each of running.toReversed()) await each.stop();
});
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => flux.keepLog());
});

function carrier(name: string): Carrier {
  const repository = new FluxRepository(flux, git.create(name));
  return {
    hub: flux.hub,
    folder: repository.folder,
    engine: 'flux',
    configure: async (app) => await repository.configure({ [app]: { waves: 4 } }),
    publish: async () => void (await repository.push()),
  };
}

describe.concurrent('with Flux', { timeout: 900_000 }, () => {
  test('a promotion reaches the clusters wave by wave, also after its runner was killed', async () => {
    expect(await promoteInFourWaves(carrier('waves'), 'waves')).toEqual(noMishaps);
  });

  test('a promotion that fails is stopped and taken back', async () => {
    expect(await takeBackAfterFailures(carrier('back'), 'back')).toEqual(noMishaps);
  });
});
