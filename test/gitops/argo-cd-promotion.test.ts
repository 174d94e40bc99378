import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { startCompanion } from '../hub/companion/running-companion.ts';
import { applicationKind } from './engines/argo-cd.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import { block, page } from './engines/guide.ts';
import { applyApplication } from './engines/argo-cd/story.ts';
import {
  noMishaps,
  promoteInFourWaves,
  rollBackAfterFailures,
  rollBackRings,
  type Carrier,
} from './engines/promotion-story.ts';

// Promotions on a real hub, whose commits Argo CD applies.

const stage = useStage();
let companion: ReturnType<typeof startCompanion>;
beforeAll(() => {
  companion = startCompanion(stage.hub.kubeconfig);
});
afterAll(async () => {
  await companion.stop();
});

function carrier(name: string): Carrier {
  const repository = stage.git.create(name);
  return {
    hub: stage.hub,
    folder: repository.folder,
    engine: 'argocd',
    configure: async (app) => await applyApplication(stage.hub.client, app, repository),
    publish: async () => {
      repository.push();
      const exists = (await stage.hub.client.get(...applicationKind, name, 'argocd')) !== undefined;
      if (exists) await stage.argoCd.refresh(name);
    },
  };
}

test("the Application of the guide for Argo CD's source hydrator is one that its API accepts", async () => {
  const application = parse(
    block(page('promotion-carriers.md'), "Argo CD's source hydrator", 'yaml'),
  ) as KubernetesObject;
  const { apiVersion, kind, metadata } = application;
  const refusal = async (object: object): Promise<unknown> =>
    await stage.hub.client.refusal(
      { apiVersion, kind, namespace: metadata.namespace ?? '' },
      JSON.stringify(object),
    );
  expect(await refusal(application)).toBeUndefined();
  const { sourceHydrator, ...spec } = application.spec as { readonly sourceHydrator: object };
  const misspelled = {
    ...application,
    spec: { ...spec, sourceHydrator: { ...sourceHydrator, hydratesTo: {} } },
  };
  expect(await refusal(misspelled)).toMatchObject({
    message: expect.stringContaining('hydratesTo') as string,
  });
});

describe.concurrent('with Argo CD', { timeout: 900_000 }, () => {
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
