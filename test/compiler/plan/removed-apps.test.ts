import { expect, test } from 'vitest';
import { removedApps } from '../../../src/compiler/plan/removed-apps.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { app, clusters, planOf, reported } from './states.ts';

const { resolution: base } = resolveText(app, { fleet: fleetOf(clusters) });
if (base === undefined) throw new Error('a state');
const removed = [{ app: 'hello', base, isRemoved: true }];

test('the objects of a removed app remain on the hub, because the engine prunes nothing (FW8013)', () => {
  expect(removedApps(removed, 'argocd')).toEqual([
    {
      code: 'FW8013',
      severity: 'warning',
      message:
        'app "hello" is removed: where Argo CD no longer finds the path of its Application, it prunes nothing, and the 6 objects stay on the hub',
      hint: 'delete the Application together with its resources: `argocd app delete hello --cascade --propagation-policy background`',
    },
  ]);
  expect(removedApps(removed, 'flux')[0]?.message).toContain(
    'where Flux no longer finds the path of its Kustomization',
  );
});

test('an app that remains, and a hub without an engine, have nothing to report', () => {
  expect(removedApps([{ app: 'hello', base, isRemoved: false }], 'argocd')).toEqual([]);
  expect(removedApps(removed, 'none')).toEqual([]);
});

test('the summary of a plan names the apps that have no objects left', () => {
  expect(reported({}, { text: '' })).toContain(
    'plan: 5 uninstalled, 0 unchanged; 5 of 6 clusters reached; app hello has no objects left; 3 other objects removed\n',
  );
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: default }\n';
  expect(reported({ text: config }, { text: '' })).toContain(
    'plan: no add-on changes on 6 clusters; app hello has no objects left; 1 object removed\n',
  );
  expect(planOf({}, { text: config }).plan.summary.emptiedApps).toEqual([]);
  expect(planOf({ text: '' }, {}).plan.summary.emptiedApps).toEqual([]);
});
