import { describe, expect, test } from 'vitest';
import { addOnOfWork } from '../../../src/controller/hub/add-on-of-work.ts';
import { addOnStatus } from '../../../src/controller/hub/add-on-status.ts';
import { locatedWorks } from '../../../src/controller/hub/hosting.ts';
import type { Stored } from '../../../src/client/object.ts';
import type { ManagedClusterAddOnV1alpha1Status, ManifestWorkV1 } from '../../../schemas/types.gen.ts';
import {
  deployment,
  fed,
  storedAddOn,
  storedCluster,
  storedOnCluster,
  storedWork,
  template,
} from './stored-add-ons.ts';

const now = Date.UTC(2026, 0, 31, 12);
const done = { Applied: 'True', Available: 'True' };
const managed = storedWork({ conditions: done, hashes: {} });
const hosted = hostedWork(storedWork({ conditions: done, hashes: {} }), 'host');

/** The work for a hosting cluster. */
function hostedWork(work: Stored<ManifestWorkV1>, namespace: string): Stored<ManifestWorkV1> {
  const labels = { ...work.metadata.labels, 'open-cluster-management.io/addon-namespace': 'cluster1' };
  const name = 'addon-hello-deploy-hosting-cluster1-0';
  return { ...work, metadata: { ...work.metadata, name, namespace, labels } };
}

interface Hub {
  readonly works?: readonly Stored<ManifestWorkV1>[];
  readonly clusters?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly status?: ManagedClusterAddOnV1alpha1Status;
}

/** `status reason` of the conditions of the add-on on `cluster1`, which `host` hosts. */
function conditionsOf({
  works = [],
  clusters = ['host'],
  annotations = {},
  status = {},
}: Hub): Record<string, string> {
  const hosting = { 'addon.open-cluster-management.io/hosting-cluster-name': 'host' };
  const onCluster = storedOnCluster({}, status, { ...hosting, ...annotations });
  const located = locatedWorks(onCluster, works, (name) =>
    clusters.includes(name) ? storedCluster() : undefined,
  );
  const decided = addOnStatus(
    {
      addOn: storedAddOn(),
      onCluster,
      cluster: storedCluster(),
      template: template([{ type: 'KubeClient' }], [{ apiVersion: 'v1', kind: 'ConfigMap' }]),
      deploymentConfig: undefined,
      factsOf: () => ({ specHash: 'h', generation: 1 }),
      ...located,
      permissionError: undefined,
    },
    now,
  );
  return Object.fromEntries(
    (decided.conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]),
  );
}

describe('the status of a hosted add-on', () => {
  test('is complete when the works of both clusters are', () => {
    expect(conditionsOf({ works: [managed, hosted] })).toEqual({
      Configured: 'True ConfigurationsConfigured',
      RegistrationApplied: 'True SetPermissionApplied',
      ManifestApplied: 'True AddonManifestApplied',
      HostingClusterValidity: 'True HostingClusterValid',
      HostingManifestApplied: 'True AddonManifestApplied',
      Available: 'True ProbeAvailable',
      Progressing: 'False Completed',
    });
  });

  test('waits for the hosting cluster', () => {
    expect(conditionsOf({ works: [managed] })).toMatchObject({
      HostingClusterValidity: 'True HostingClusterValid',
      Available: 'Unknown WorkNotFound',
      Progressing: 'False WaitingForHostingManifestApplied',
    });
    const failing = hostedWork(storedWork({ conditions: { Applied: 'False' }, hashes: {} }), 'host');
    expect(conditionsOf({ works: [managed, failing] })).toMatchObject({
      ManifestApplied: 'True AddonManifestApplied',
      HostingManifestApplied: 'False AddonManifestAppliedFailed',
      Progressing: 'True Progressing',
    });
  });

  test('names a hosting cluster that the hub does not have', () => {
    const conditions = conditionsOf({ works: [managed], clusters: [] });
    expect(conditions).toMatchObject({
      HostingClusterValidity: 'False HostingClusterInvalid',
      Progressing: 'False WaitingForHostingManifestApplied',
    });
    expect(conditions).not.toHaveProperty('HostingManifestApplied');
  });

  test('ignores works in the namespace of any other cluster', () => {
    expect(conditionsOf({ works: [managed, hostedWork(hosted, 'stranger')] })).toMatchObject({
      Progressing: 'False WaitingForHostingManifestApplied',
    });
  });

  test('waits for no work where the compiler found nothing to deploy', () => {
    const annotations = { 'fleetwright.dev/empty-locations': 'managed' };
    expect(conditionsOf({ works: [hosted], annotations })).toMatchObject({
      ManifestApplied: 'True AddonManifestApplied',
      HostingManifestApplied: 'True AddonManifestApplied',
      Progressing: 'False Completed',
    });
    expect(conditionsOf({ works: [hosted] })).toMatchObject({
      Progressing: 'False WaitingForManifestApplied',
    });
  });

  test('gets its availability from the hosting cluster', () => {
    const isReady = (ready: number): Stored<ManifestWorkV1> =>
      hostedWork(
        storedWork({
          conditions: done,
          hashes: {},
          manifests: [deployment('agent')],
          feedback: [fed('deployments', 'agent', { ReadyReplicas: ready, Replicas: 1 })],
        }),
        'host',
      );
    expect(conditionsOf({ works: [managed, isReady(1)] })['Available']).toBe('True ProbeAvailable');
    expect(conditionsOf({ works: [managed, isReady(0)] })['Available']).toBe('False ProbeUnavailable');
    // As addon-framework: the workloads of the managed cluster are probed in the reports of the hosting cluster.
    const workload = storedWork({ conditions: done, hashes: {}, manifests: [deployment('other')] });
    expect(conditionsOf({ works: [workload, hosted] })['Available']).toBe('Unknown NoProbeResult');
  });
});

test('a work for a hosting cluster belongs to the add-on of the cluster that its label names', () => {
  expect([managed, hosted].map(addOnOfWork)).toEqual(['cluster1/hello', 'cluster1/hello']);
});
