import { describe, expect, test } from 'vitest';
import { FluxRepository } from './engines/flux/repository.ts';
import { useFlux } from './engines/flux/stage.ts';
import {
  noMishaps,
  promoteInFourWaves,
  rollBackAfterFailures,
  rollBackRings,
  type Carrier,
} from './engines/promotion-story.ts';

// Promotions on a real hub, whose commits Flux applies.

const stage = useFlux();

function carrier(name: string): Carrier {
  const repository = new FluxRepository(stage.flux, stage.git.create(name));
  return {
    hub: stage.flux.hub,
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

  test('a promotion that fails is stopped and rolled back', async () => {
    expect(await rollBackAfterFailures(carrier('back'), 'back')).toEqual(noMishaps);
  });

  test('a promotion of what the hub delivers goes ring by ring, and is rolled back', async () => {
    expect(await rollBackRings(carrier('rings'), 'rings')).toEqual(noMishaps);
  });
});
