import { EqualValues } from '../../../src/controller/cache/equal-values.ts';
import { describe, expect, test } from 'vitest';
import { availableByWorks, unreachable } from '../../../src/controller/hub/health/available.ts';
import { manifestApplied } from '../../../src/controller/hub/health/manifest-applied.ts';
import { progressOf } from '../../../src/controller/hub/health/progressing.ts';
import { cachedWork } from '../../../src/controller/hub/health/workloads.ts';
import type { Condition } from '../../../schemas/types.gen.ts';
import { deployment, fed, storedCluster, storedWork } from './stored-add-ons.ts';

const conditionText = ({
  status,
  reason,
  message,
}: {
  status: string;
  reason: string;
  message: string;
}): string => `${status} ${reason}: ${message}`;
const equal = new EqualValues();
const daemonSet = (name: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name, namespace: 'agents' },
});

describe('Available', () => {
  const available = { Available: 'True' };
  const of = (...works: Parameters<typeof storedWork>[0][]): string =>
    conditionText(
      availableByWorks(
        'hello',
        works.map(storedWork).map((work) => cachedWork(work, equal)),
      ),
    );

  test('is unknown without works', () => {
    expect(of()).toBe('Unknown WorkNotFound: Addon manifestWork is not found');
  });

  test('is unknown while a work is not applied', () => {
    expect(of({ conditions: available }, {})).toBe(
      'Unknown WorkNotApplied: Addon manifestWork is not applied yet',
    );
  });

  test('is the state of a work that is not available', () => {
    expect(of({ conditions: { Available: 'False' } })).toBe('False WorkNotApplied: Available is False');
  });

  test('is true if there is nothing to probe', () => {
    expect(of({ conditions: available })).toBe('True ProbeAvailable: hello add-on is available.');
    expect(of({ conditions: available, manifests: [deployment('a', 0)] })).toBe(
      'True ProbeAvailable: hello add-on is available.',
    );
  });

  test('is unknown while no workload is reported', () => {
    expect(of({ conditions: available, manifests: [deployment('a')] })).toBe(
      'Unknown NoProbeResult: Probe results are not returned',
    );
  });

  test.each<[string, object, object, string]>([
    [
      'a Deployment with one ready replica',
      deployment('a'),
      fed('deployments', 'a', { Replicas: 3, ReadyReplicas: 1 }),
      'True',
    ],
    [
      'a Deployment scaled to zero',
      deployment('a'),
      fed('deployments', 'a', { Replicas: 0, ReadyReplicas: 0 }),
      'True',
    ],
    [
      'a Deployment with none ready',
      deployment('a'),
      fed('deployments', 'a', { Replicas: 3, ReadyReplicas: 0 }),
      'desiredNumberReplicas is 3 but readyReplica is 0 for deployments agents/a',
    ],
    [
      'a DaemonSet that is everywhere',
      daemonSet('a'),
      fed('daemonsets', 'a', { NumberReady: 2, DesiredNumberScheduled: 2 }),
      'True',
    ],
    [
      'a DaemonSet that misses a node',
      daemonSet('a'),
      fed('daemonsets', 'a', { NumberReady: 1, DesiredNumberScheduled: 2 }),
      'desiredNumberReplicas is 2 but readyReplica is 1 for daemonsets agents/a',
    ],
    [
      'nothing of ready replicas',
      deployment('a'),
      fed('deployments', 'a', { Replicas: 3 }),
      'readyReplica is not probed',
    ],
    [
      'nothing of wanted replicas',
      deployment('a'),
      fed('deployments', 'a', { ReadyReplicas: 3 }),
      'desiredNumberReplicas is not probed',
    ],
  ])('with %s', (_, manifest, feedback, expected) => {
    const result = of({ conditions: available, manifests: [manifest], feedback: [feedback] });
    expect(result).toBe(
      expected === 'True'
        ? 'True ProbeAvailable: hello add-on is available.'
        : `False ProbeUnavailable: Probe addon unavailable with err ${expected}`,
    );
  });

  test('does not wait for reports on every workload', () => {
    const manifests = [deployment('a'), deployment('b')];
    const feedback = [fed('deployments', 'a', { Replicas: 1, ReadyReplicas: 1 })];
    expect(of({ conditions: available, manifests, feedback })).toMatch(/^True/);
  });

  test('is that of a cluster that is not reached', () => {
    const condition = (status: string): Condition => ({
      type: 'ManagedClusterConditionAvailable',
      status: status as Condition['status'],
      reason: 'ManagedClusterLeaseUpdateStopped',
      message: 'Registration agent stopped updating its lease.',
      lastTransitionTime: '2026-01-31T12:00:00Z',
    });
    expect(unreachable(storedCluster({ conditions: [condition('Unknown')] }))).toEqual({
      type: 'Available',
      status: 'Unknown',
      reason: 'ManagedClusterLeaseUpdateStopped',
      message: 'Registration agent stopped updating its lease.',
    });
    expect(unreachable(storedCluster({ conditions: [condition('False')] }))).toBeUndefined();
    expect(unreachable(storedCluster())).toBeUndefined();
  });
});

describe('ManifestApplied', () => {
  const failed = { status: 'False' } as Condition;

  test('is kept while there is no report', () => {
    expect(manifestApplied([], undefined, false)).toBe('keep');
    expect(manifestApplied([storedWork()], undefined, false)).toBe('keep');
  });

  test('is true if there is nothing to apply', () => {
    expect(manifestApplied([], undefined, true)).toMatchObject({ message: 'no manifest need to apply' });
  });

  test('is true if all works are applied', () => {
    const works = [
      storedWork({ conditions: { Applied: 'True' } }),
      storedWork({ conditions: { Applied: 'True' } }),
    ];
    expect(manifestApplied(works, failed, false)).toEqual({
      type: 'ManifestApplied',
      status: 'True',
      reason: 'AddonManifestApplied',
      message: 'manifests of addon are applied successfully',
    });
  });

  test('is false if one of them failed, in any order', () => {
    const works = ['True', 'False', undefined].map((status) =>
      storedWork({ conditions: status === undefined ? {} : { Applied: status } }),
    );
    for (const order of [works, works.toReversed()])
      expect(manifestApplied(order, undefined, false)).toMatchObject({
        status: 'False',
        reason: 'AddonManifestAppliedFailed',
        message: 'failed to apply the manifests of addon',
      });
  });

  test('that was false is removed while the success is not reported yet', () => {
    expect(manifestApplied([storedWork()], failed, false)).toBe('remove');
  });
});

describe('Progressing', () => {
  const hash = (specHash: string) => ({ name: 'a', namespace: 'ns', specHash });
  const facts = (specHash = 'h', spec = {}) => ({
    spec,
    status: {
      supportedConfigs: [{ resource: 'configmaps' }],
      conditions: [{ type: 'ManifestApplied', status: 'True' } as Condition],
      configReferences: [
        { resource: 'configmaps', name: 'a', namespace: 'ns', desiredConfig: hash(specHash) },
      ],
    },
    missing: [],
    isCompiled: false,
  });
  const ready = { conditions: { Applied: 'True', Available: 'True' }, hashes: { 'configmaps/ns/a': 'h' } };

  test('is over when every work has the desired state and is healthy', () => {
    expect(progressOf({ ...facts(), works: [storedWork(ready), storedWork(ready)] })).toEqual({
      isCompleted: true,
      condition: {
        type: 'Progressing',
        status: 'False',
        reason: 'Completed',
        message: 'completed with no errors.',
      },
    });
  });

  test.each<[string, Parameters<typeof progressOf>[0], string]>([
    [
      'a configuration of a kind that the add-on does not take',
      { ...facts('h', { configs: [{ group: 'g', resource: 'others', name: 'a' }] }), works: [] },
      'False ConfigurationUnsupported: Configuration with gvr g/others is not supported for this addon',
    ],
    [
      'no report about the manifests',
      { ...facts(), status: {}, works: [] },
      'False WaitingForManifestApplied: Waiting for ManagedClusterAddOn ManifestApplied condition',
    ],
    ['no works', { ...facts(), works: [] }, 'True Progressing: progressing... no addon works'],
    [
      'a work with other hashes',
      { ...facts('new'), works: [storedWork(ready)] },
      'True Progressing: progressing... mca and work configs mismatch',
    ],
    [
      'hashes that nobody knows',
      { ...facts(''), works: [storedWork({ ...ready, hashes: { 'configmaps/ns/a': '' } })] },
      'True Progressing: progressing... mca and work configs mismatch',
    ],
    [
      'a work without hashes',
      { ...facts(), works: [storedWork({ conditions: ready.conditions })] },
      'True Progressing: progressing... mca and work configs mismatch',
    ],
    [
      'a work that is not available',
      { ...facts(), works: [storedWork(ready), storedWork({ ...ready, conditions: { Applied: 'True' } })] },
      'True Progressing: progressing... work is not ready',
    ],
  ])('with %s', (_, facts, expected) => {
    const { condition, isCompleted } = progressOf(facts);
    expect([conditionText(condition), isCompleted]).toEqual([expected, false]);
  });

  test('reports a configuration that cannot be identified, and why', () => {
    const missing = ['secrets "ns/a" does not exist', 'configmaps "ns/b" does not exist'];
    const messageOf = (missing: readonly string[]): string =>
      progressOf({ ...facts(''), works: [storedWork(ready)], missing }).condition.message;
    expect(messageOf(missing.slice(0, 1))).toBe('progressing... secrets "ns/a" does not exist');
    expect(messageOf(missing)).toBe('progressing... secrets "ns/a" does not exist; 1 more have no hash');
  });

  test('of compiled works follows the kinds that they are rendered with', () => {
    const group = 'addon.open-cluster-management.io';
    const kind = { group, resource: 'addontemplates' };
    const { status, ...others } = facts('of the hub alone');
    const template = { ...kind, name: 't', desiredConfig: { name: 't', specHash: 'rendered' } };
    const using = {
      ...others,
      status: { ...status, configReferences: [...status.configReferences, template] },
    };
    const compiled = (hash: string): string => {
      const hashes = { [`addontemplates.${group}//t`]: hash };
      const works = [storedWork({ ...ready, hashes })];
      return progressOf({ ...using, works, isCompiled: true }).condition.message;
    };
    expect(compiled('rendered')).toBe('completed with no errors.');
    expect(compiled('another')).toBe('progressing... mca and work configs mismatch');
  });

  test('continues while the reports are of an older generation', () => {
    const work = storedWork(ready);
    const newer = { ...work, metadata: { ...work.metadata, generation: 4 } };
    expect(progressOf({ ...facts(), works: [newer] }).condition.message).toBe(
      'progressing... work is not ready',
    );
  });
});

test('of a work only the parts for its health are stored', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: 'x'.repeat(1e5) } };
  const work = cachedWork(
    storedWork({
      manifests: [secret, deployment('a', 2)],
      feedback: [fed('deployments', 'a', { Replicas: 1 })],
    }),
    equal,
  );
  expect(JSON.stringify(work).length).toBeLessThan(1200);
  expect(cachedWork(work, equal)).toEqual(work);
});
