import { describe, expect, test } from 'vitest';
import { hubObjects } from '../../../src/compiler/hub-objects.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { resolveText } from '../../resolve-text.ts';
import { addOn, config, fleet, grouped, onCluster, text, type Grouped, type Rollout } from './scenes.ts';

const groups: Grouped = { canary: ['c1'], prod: ['c2', 'c3'] };
const perGroup: Rollout = { type: 'ProgressivePerGroup', progressivePerGroup: {} };

/** What the hub holds, by kind and `namespace/name`. */
function held(...objects: readonly object[]) {
  const { resolution, diagnostics } = resolveText(text(...objects));
  const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1beta1' } as const;
  const all = Array.from(hubObjects(resolution, target), (object): [string, HubObject] => [
    `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`,
    object,
  ]);
  return { objects: new Map(all), diagnostics };
}

interface HubObject extends KubernetesObject {
  readonly status?: {
    readonly configReferences?: readonly unknown[];
    readonly conditions?: readonly { readonly type: string }[];
    readonly installProgressions?: readonly unknown[];
  };
}

/** The references and conditions of the add-on on a cluster. */
function onHub(objects: ReadonlyMap<string, HubObject>, cluster: string) {
  const { configReferences, conditions = [] } =
    objects.get(`ManagedClusterAddOn ${cluster}/agent`)?.status ?? {};
  return { configReferences, conditions };
}

const hash = '6dc16c4ea7a5dd2f06c2b1a6b1b6ac6c';
const settings = { namespace: 'default', name: 'settings' };
const kind = { group: 'addon.open-cluster-management.io', resource: 'addondeploymentconfigs' };
const configured = {
  type: 'Configured',
  status: 'True',
  reason: 'ConfigurationsConfigured',
  message: 'Configurations configured',
};
const notConfigured = {
  type: 'Configured',
  status: 'False',
  reason: 'ConfigurationsNotConfigured',
  message: 'Configurations updated and not configured yet',
};

describe('once every cluster has had its turn', () => {
  const { objects } = held(...fleet(groups), grouped(groups), addOn({ pl: perGroup }), config());

  test('add-ons have applied what they should use', () => {
    const desiredConfig = { ...settings, specHash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    for (const cluster of ['c1', 'c2', 'c3']) {
      expect(onHub(objects, cluster)).toEqual({
        configReferences: [{ ...kind, desiredConfig, lastAppliedConfig: desiredConfig }],
        conditions: [
          configured,
          { type: 'Progressing', status: 'False', reason: 'Completed', message: 'completed with no errors.' },
        ],
      });
    }
  });

  test('the placement is completed, and its configuration is known to work', () => {
    const desiredConfig = { ...settings, specHash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(objects.get('ClusterManagementAddOn /agent')?.status?.installProgressions).toEqual([
      {
        namespace: 'default',
        name: 'pl',
        configReferences: [
          { ...kind, desiredConfig, lastAppliedConfig: desiredConfig, lastKnownGoodConfig: desiredConfig },
        ],
        conditions: [
          {
            type: 'Progressing',
            status: 'False',
            reason: 'Completed',
            message:
              'selected clusters 3. configured addons 3/3 completed with no errors, 0 failed 0 timeout.',
          },
        ],
      },
    ]);
  });
});

describe('clusters that the strategy never reaches', () => {
  const template = {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'AddOnTemplate',
    metadata: { name: 'agent' },
    spec: {
      addonName: 'agent',
      agentSpec: {
        workload: {
          manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } }],
        },
      },
      registration: [{ type: 'KubeClient' }],
    },
  };
  const templated = {
    ...addOn({}),
    spec: {
      defaultConfigs: [{ group: kind.group, resource: 'addontemplates', name: 'agent' }],
      installStrategy: {
        type: 'Placements',
        placements: [
          { name: 'pl', namespace: 'default', rolloutStrategy: perGroup },
          { name: 'special', namespace: 'default' },
        ],
      },
    },
  };
  const { objects } = held(
    ...fleet(groups),
    grouped(groups),
    grouped({ canary: ['c1'] }, 'special'),
    templated,
    template,
  );

  test('have no configuration, no registration and no works', () => {
    expect(onHub(objects, 'c2')).toEqual({ configReferences: [], conditions: [notConfigured] });
    expect([...objects.keys()].filter((name) => name.startsWith('ManifestWork'))).toEqual([
      'ManifestWork c1/addon-agent-deploy-0',
    ]);
  });

  test('keep their placement progressing', () => {
    expect(objects.get('ClusterManagementAddOn /agent')?.status?.installProgressions).toMatchObject([
      {
        name: 'pl',
        conditions: [
          {
            status: 'True',
            message: 'selected clusters 3. configured addons 0/2 progressing..., 0 failed 0 timeout.',
          },
        ],
      },
      { name: 'special', conditions: [{ status: 'False' }] },
    ]);
  });

  test('keep the configuration that they had, and the report on the placement the one that was good', () => {
    const old = { ...settings, specHash: hash };
    const underWay = {
      type: 'Progressing',
      status: 'True',
      reason: 'Progressing',
      message: 'progressing... work is not ready',
      lastTransitionTime: '2026-05-01T00:00:00Z',
    };
    const applied = { configReferences: [{ ...kind, desiredConfig: old, lastAppliedConfig: old }] };
    const paced: Rollout = {
      type: 'Progressive',
      progressive: { maxConcurrency: 1, maxFailures: 0, progressDeadline: '10m' },
    };
    const earlier = { ...kind, desiredConfig: old, lastAppliedConfig: old, lastKnownGoodConfig: old };
    const current = (specHash: string) => ({ ...settings, specHash });
    const now = resolveText(text(...fleet(groups), grouped(groups), addOn({ pl: paced }), config()));
    const specHash = now.resolution.configuration.get('agent')?.defaultReferences[0]?.specHash ?? '';
    const { objects } = held(
      ...fleet(groups),
      grouped(groups),
      {
        ...addOn({ pl: paced }),
        status: {
          defaultConfigReferences: [],
          installProgressions: [{ namespace: 'default', name: 'pl', configReferences: [earlier] }],
        },
      },
      config(),
      onCluster('c1', {
        status: {
          configReferences: [{ ...kind, desiredConfig: current(specHash), lastAppliedConfig: old }],
          conditions: [underWay],
        },
      }),
      onCluster('c2', { status: applied }),
      onCluster('c3', { status: applied }),
    );
    expect(onHub(objects, 'c2')).toEqual({ ...applied, conditions: [notConfigured] });
    expect(onHub(objects, 'c1').conditions).toEqual([underWay, configured]);
    expect(objects.get('ClusterManagementAddOn /agent')?.status?.installProgressions).toMatchObject([
      {
        configReferences: [
          { desiredConfig: current(specHash), lastAppliedConfig: old, lastKnownGoodConfig: old },
        ],
        conditions: [
          { message: 'selected clusters 3. configured addons 0/3 progressing..., 0 failed 1 timeout.' },
        ],
      },
    ]);
  });
});

test('a value that stops the hub leaves every status as it was', () => {
  const broken: Rollout = { type: 'All', all: { progressDeadline: '5mins' } };
  const { objects, diagnostics } = held(...fleet(groups), grouped(groups), addOn({ pl: broken }), config());
  expect(diagnostics.map(({ code }) => code)).toContain('FW5001');
  expect(onHub(objects, 'c1')).toEqual({ configReferences: [], conditions: [] });
  expect(objects.get('ClusterManagementAddOn /agent')?.status?.installProgressions).toMatchObject([
    { name: 'pl', configReferences: [{ desiredConfig: settings }] },
  ]);
});

test('a configuration that does not exist is never applied', () => {
  const { objects } = held(...fleet(groups), grouped(groups), addOn({ pl: { type: 'All' } }));
  expect(onHub(objects, 'c1')).toEqual({
    configReferences: [{ ...kind, desiredConfig: { ...settings, specHash: '' } }],
    conditions: [
      configured,
      {
        type: 'Progressing',
        status: 'True',
        reason: 'Progressing',
        message: 'progressing... mca and work configs mismatch',
      },
    ],
  });
});
