import { expect, test } from 'vitest';
import { unaskedForWaves, waitingClusters } from '../../../src/compiler/verify/index.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { resolveText } from '../../resolve-text.ts';
import { addOn, config, fleet, grouped, onCluster, text } from '../rollout/scenes.ts';

/** An installation of four clusters, one after the other. */
const scene = text(
  ...fleet({ '': ['c1', 'c2', 'c3', 'c4'] }),
  grouped({ '': ['c1', 'c2', 'c3', 'c4'] }),
  config(),
  addOn({ pl: { type: 'Progressive', progressive: { maxConcurrency: 1, minSuccessTime: '5m' } } }),
);

function heldOn(cluster: string, status: 'True' | 'False'): KubernetesObject {
  const condition = { type: 'Progressing', status, reason: 'x', message: '', lastTransitionTime: '' };
  return onCluster(cluster, { status: { conditions: [condition] } }) as KubernetesObject;
}

test('the hub changes the clusters of the first wave at once, and the others wait', () => {
  const { resolution } = resolveText(scene);
  const waiting = waitingClusters(resolution, [heldOn('c1', 'False')]);
  expect([...(waiting.get('agent') ?? [])].sort()).toEqual(['c2', 'c3', 'c4']);
  expect(unaskedForWaves(waiting)).toEqual([
    {
      what: 'configurations, works and permissions of add-on agent on 3 clusters',
      why: 'a rollout is under way, and they wait for their wave',
    },
  ]);
  expect(unaskedForWaves(waiting, new Set(['other']))).toEqual([]);
});

test('all wait while the hub waits for the agent of a cluster', () => {
  const { resolution } = resolveText(scene);
  const waiting = waitingClusters(resolution, [heldOn('c1', 'True')]);
  expect(waiting.get('agent')?.size).toBe(4);
});
