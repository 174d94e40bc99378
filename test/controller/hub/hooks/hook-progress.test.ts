import { expect, test } from 'vitest';
import { cachedHookWork, isHookWork } from '../../../../src/controller/hub/hooks/cached-hook-work.ts';
import { hookCondition, type HookResult } from '../../../../src/controller/hub/hooks/hook-condition.ts';
import { hookManifests } from '../../../../src/controller/hub/hooks/hook-manifests.ts';
import { hookProgress } from '../../../../src/controller/hub/hooks/hook-progress.ts';
import { storedCluster, storedWork } from '../stored-add-ons.ts';
import { storedHookWork, type Reported } from './stored-hook-work.ts';

const done: Reported = ['Job', 'bye', { JobComplete: 'True', JobSucceeded: '1' }];

test.each<[string, readonly Reported[], string]>([
  ['a Job that is complete', [done], 'complete'],
  ['a Job that runs', [['Job', 'bye', {}]], 'running'],
  ['a Job that failed', [['Job', 'bye', { JobFailed: 'True' }]], 'failed'],
  ['a Pod that succeeded', [['Pod', 'bye', { PodPhase: 'Succeeded' }]], 'complete'],
  ['a Pod that runs', [['Pod', 'bye', { PodPhase: 'Running' }]], 'running'],
  ['a Pod that failed', [done, ['Pod', 'later', { PodPhase: 'Failed' }]], 'failed'],
  ['one of two Jobs', [done, ['Job', 'later', { JobComplete: 'False' }]], 'running'],
  ['two Jobs', [done, ['Job', 'later', { JobComplete: 'True' }]], 'complete'],
  ['no hook at all', [], 'running'],
])('the state of %s, also as it is cached', (_, reports, state) => {
  const work = storedHookWork(reports);
  expect(hookProgress(work).state).toBe(state);
  expect(hookProgress(cachedHookWork(work)).state).toBe(state);
});

test('hooks are not complete before their work is available', () => {
  expect(hookProgress(storedHookWork([done], { available: 'False' }))).toEqual({ state: 'running' });
});

test('the hook that failed is named', () => {
  expect(hookProgress(storedHookWork([done, ['Pod', 'later', { PodPhase: 'Failed' }]]))).toEqual({
    state: 'failed',
    failed: 'Pod agents/later',
  });
});

test('a report about another object says nothing about the hook', () => {
  const work = storedHookWork([done]);
  const [report] = work.status?.resourceStatus?.manifests ?? [];
  const other = { ...report, resourceMeta: { ...report?.resourceMeta, namespace: 'elsewhere' } };
  expect(
    hookProgress({ ...work, status: { ...work.status, resourceStatus: { manifests: [other] } } } as never),
  ).toEqual({ state: 'running' });
});

test('a work with hooks is known by its name and label, and cached without its manifests', () => {
  const work = storedHookWork([['Job', 'bye', { JobComplete: 'True', Log: 'x'.repeat(1_000_000) }]]);
  expect([isHookWork(work), isHookWork(storedWork())]).toEqual([true, false]);
  expect(JSON.stringify(cachedHookWork(work)).length).toBeLessThan(1200);
});

test.each([
  ['{', 'the annotation is not JSON'],
  ['{}', 'the annotation is not a list of hooks'],
  ['[]', 'the annotation is not a list of hooks'],
  ['[1]', 'the annotation contains something other than Jobs and Pods with names'],
  [
    '[{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"a"}}]',
    'the annotation contains something other than Jobs and Pods with names',
  ],
  [
    '[{"apiVersion":"batch/v1","kind":"Job","metadata":{}}]',
    'the annotation contains something other than Jobs and Pods with names',
  ],
  [
    '[{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a"},"spec":{"n":9007199254740993}}]',
    'the annotation contains an integer beyond 2^53',
  ],
])('hooks in %s are not run', (annotation, error) => {
  expect(hookManifests(annotation)).toEqual({ error });
});

const managed: HookResult['run'] = {
  location: 'managed',
  workName: 'addon-hello-pre-delete',
  clusterName: 'cluster1',
  cluster: storedCluster(),
};
const hosting: HookResult['run'] = {
  location: 'hosting',
  workName: 'addon-hello-pre-delete-hosting-cluster1',
  clusterName: 'host',
  cluster: storedCluster(),
};

const overdue = 3_600_000;
test.each([
  [
    { isComplete: true },
    undefined,
    'True HookManifestIsCompleted hook manifestWork addon-hello-pre-delete is completed.',
  ],
  [
    { isComplete: false },
    undefined,
    'False HookManifestIsNotCompleted hook manifestWork addon-hello-pre-delete is not completed.',
  ],
  [
    { isComplete: false, problem: 'Job agents/bye failed, and is run again' },
    undefined,
    'False HookFailed hook manifestWork addon-hello-pre-delete is not completed: Job agents/bye failed, and is run again.',
  ],
  [
    { isComplete: false },
    overdue,
    'False HookDeadlineExceeded hook manifestWork addon-hello-pre-delete is not completed within 1h0m0s.',
  ],
])('the condition of %j, overdue %s', (attempt, overdueBy, text) => {
  const { type, status, reason, message } = hookCondition([{ run: managed, attempt }], overdueBy);
  expect(type).toBe('HookManifestCompleted');
  expect(`${status} ${reason} ${message}`).toBe(text);
});

test('the condition names the state of the cluster', () => {
  const unknown = {
    type: 'ManagedClusterConditionAvailable',
    status: 'Unknown' as const,
    reason: 'ManagedClusterLeaseUpdateStopped',
    message: 'stopped',
    lastTransitionTime: '2026-01-31T12:00:00Z',
  };
  const silent = storedCluster({ conditions: [unknown] });
  const attempt = { isComplete: false };
  const messageOf = (...runs: readonly HookResult['run'][]): string =>
    hookCondition(
      runs.map((run) => ({ run, attempt })),
      undefined,
    ).message;
  expect(messageOf({ ...managed, cluster: silent })).toBe(
    'hook manifestWork addon-hello-pre-delete is not completed: the cluster is not available.',
  );
  expect(messageOf({ ...managed, cluster: undefined })).toBe(
    'hook manifestWork addon-hello-pre-delete is not completed: the hub no longer has the cluster.',
  );
  expect(messageOf(managed, { ...hosting, cluster: silent })).toBe(
    'hook manifestWorks addon-hello-pre-delete and addon-hello-pre-delete-hosting-cluster1 are not completed: hosting cluster host is not available.',
  );
});

test('hooks of two clusters are complete together', () => {
  const results = (...complete: readonly boolean[]): readonly HookResult[] =>
    [managed, hosting].map((run, index) => ({ run, attempt: { isComplete: complete[index] === true } }));
  const textOf = (...complete: readonly boolean[]): string => {
    const { status, message } = hookCondition(results(...complete), undefined);
    return `${status} ${message}`;
  };
  expect(textOf(true, true)).toBe(
    'True hook manifestWorks addon-hello-pre-delete and addon-hello-pre-delete-hosting-cluster1 are completed.',
  );
  expect(textOf(false, true)).toBe('False hook manifestWork addon-hello-pre-delete is not completed.');
  expect(textOf(true, false)).toBe(
    'False hook manifestWork addon-hello-pre-delete-hosting-cluster1 is not completed.',
  );
});
