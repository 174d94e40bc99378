import { describe, expect, test } from 'vitest';
import type { FleetStatus } from '../../../src/compiler/index.ts';
import { app } from '../plan/states.ts';
import { condition, hubAtRest, status, type HubObjects } from './served-hub.ts';

type Status = Pick<FleetStatus, 'addOns' | 'unread' | 'notInGit'>;

/** Returns `clusters: state, code: message` of each class. */
async function classesOf(hub: HubObjects, text = app): Promise<readonly string[]> {
  const { code, out, err } = await status(hub, ['-o', 'json'], text);
  expect(err).toBe('');
  const { addOns } = JSON.parse(out) as Status;
  const classes = addOns.flatMap((each) => each.classes);
  expect(code).toBe(classes.length === 0 ? 0 : 1);
  return classes.map(
    ({ clusters, state, cause }) => `${clusters.join(' ')}: ${state}, ${cause.code}: ${cause.message}`,
  );
}

const midnight = '2026-05-31T00:00:00Z';

/** Lets an add-on have a configuration that it has not applied. */
function startUpdate(hub: HubObjects, cluster: string, appliedHash = 'old'): void {
  const addOn = hub.get('ManagedClusterAddOn', 'hello', cluster);
  const { configReferences } = addOn['status'] as { configReferences: { lastAppliedConfig: object }[] };
  for (const reference of configReferences)
    reference.lastAppliedConfig = { ...reference.lastAppliedConfig, specHash: appliedHash };
  hub.report(cluster, condition('Progressing', 'True', 'Progressing', 'progressing... work is not ready'));
}

const apiServerSigner = 'kubernetes.io/kube-apiserver-client';
const gatewaySigner = 'example.com/gateway';

function request(
  cluster: string,
  status: object,
  {
    creationTimestamp = midnight,
    signerName = apiServerSigner,
    name = `addon-${cluster}-hello-x`,
  }: { creationTimestamp?: string; signerName?: string; name?: string } = {},
): HubObjects['objects'][number] {
  const labels = {
    'open-cluster-management.io/addon-name': 'hello',
    'open-cluster-management.io/cluster-name': cluster,
  };
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name, labels, creationTimestamp },
    spec: { signerName },
    status,
  };
}

/** Lets the agent of a cluster have a registration with each signer. */
function register(hub: HubObjects, cluster: string, signers: readonly string[] = [apiServerSigner]): void {
  const addOn = hub.get('ManagedClusterAddOn', 'hello', cluster);
  const registrations = signers.map((signerName) => ({ signerName }));
  addOn['status'] = { ...(addOn['status'] as object), registrations };
}

/** Lets the agent of a cluster register with a token. */
function registerToken(hub: HubObjects, cluster: string): void {
  register(hub, cluster);
  const addOn = hub.get('ManagedClusterAddOn', 'hello', cluster);
  addOn['status'] = { ...(addOn['status'] as object), kubeClientDriver: 'token' };
}

/** Removes an add-on that the hub is to create, after a decision at a time. */
function uncreated(hub: HubObjects, time: string): void {
  const { objects } = hub;
  hub.remove('ManagedClusterAddOn', 'hello', 'c1');
  objects.push({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'c1' } });
  for (const { kind, metadata } of objects)
    if (kind === 'ClusterManagementAddOn' || kind === 'PlacementDecision')
      Object.assign(metadata, { managedFields: [{ manager: 'm', operation: 'Update', time }] });
}

const tokenReady = condition(
  'TokenInfrastructureReady',
  'True',
  'TokenInfrastructureReady',
  'ServiceAccount c1/hello-agent (UID: 6f1b) is ready',
);

const failed = condition(
  'ManifestApplied',
  'False',
  'AddonManifestAppliedFailed',
  'failed to apply the manifests of addon',
);

interface Fault {
  readonly name: string;
  readonly cause: (hub: HubObjects) => void;
  readonly expected: string;
}

const faults: readonly Fault[] = [
  {
    name: 'a cluster that is deleted',
    cause: (hub) => {
      hub.get('ManagedCluster', 'c1').metadata['deletionTimestamp'] = '2026-05-31T23:30:00Z';
      hub.report('c1', condition('Available', 'Unknown', 'ManagedClusterLeaseUpdateStopped'));
    },
    expected: 'c1: on the way, cluster-deleting: the ManagedCluster is being deleted',
  },
  {
    name: 'a cluster whose deletion does not end',
    cause: (hub) => {
      hub.get('ManagedCluster', 'c1').metadata['deletionTimestamp'] = midnight;
    },
    expected: 'c1: different, deletion-stuck: the ManagedCluster is being deleted',
  },
  {
    name: 'a cluster that the hub no longer accepts',
    cause: (hub) => {
      hub.get('ManagedCluster', 'c1')['spec'] = { hubAcceptsClient: false };
      hub.report('c1', condition('Available', 'Unknown', 'ManagedClusterLeaseUpdateStopped'));
    },
    expected:
      'c1: different, cluster-not-accepted: spec.hubAcceptsClient of the ManagedCluster is false, so its agents have no access to the hub',
  },
  {
    name: 'a missing namespace',
    cause: (hub) => hub.remove('ManagedClusterAddOn', 'hello', 'c1'),
    expected: 'c1: different, namespace-missing: the hub has no namespace with the name of the cluster',
  },
  {
    name: 'a pre-delete hook',
    cause: (hub) => {
      const { metadata } = hub.get('ManagedClusterAddOn', 'hello', 'c1');
      metadata['deletionTimestamp'] = '2026-05-31T23:30:00Z';
      metadata['finalizers'] = ['addon.open-cluster-management.io/addon-pre-delete'];
      hub.report(
        'c1',
        condition(
          'HookManifestCompleted',
          'False',
          'HookManifestIsNotCompleted',
          'hook manifestWork x is not completed.',
        ),
      );
    },
    expected:
      'c1: on the way, hook-running: the deletion waits for the pre-delete hook: hook manifestWork x is not completed',
  },
  {
    name: 'a pre-delete hook that does not end',
    cause: (hub) => {
      hub.get('ManagedClusterAddOn', 'hello', 'c1').metadata['deletionTimestamp'] = midnight;
      hub.report(
        'c1',
        condition('HookManifestCompleted', 'False', 'HookManifestIsNotCompleted', 'x is not completed.'),
      );
    },
    expected: 'c1: different, deletion-stuck: the deletion waits for the pre-delete hook: x is not completed',
  },
  {
    name: 'a pre-delete hook that nobody runs',
    cause: (hub) => {
      const { metadata } = hub.get('ManagedClusterAddOn', 'hello', 'c1');
      metadata['deletionTimestamp'] = midnight;
      metadata['finalizers'] = ['addon.open-cluster-management.io/addon-pre-delete'];
    },
    expected:
      'c1: different, hook-not-run: the deletion waits for finalizer addon.open-cluster-management.io/addon-pre-delete: no manager has run the pre-delete hook',
  },
  {
    name: 'a finalizer of another controller that has just begun',
    cause: (hub) => {
      const { metadata } = hub.get('ManagedClusterAddOn', 'hello', 'c1');
      metadata['deletionTimestamp'] = '2026-05-31T23:59:00Z';
      metadata['finalizers'] = ['example.com/cleanup'];
    },
    expected: 'c1: on the way, deletion-pending: the deletion waits for finalizers example.com/cleanup',
  },
  {
    name: 'a finalizer of another controller that does not end',
    cause: (hub) => {
      const { metadata } = hub.get('ManagedClusterAddOn', 'hello', 'c1');
      metadata['deletionTimestamp'] = midnight;
      metadata['finalizers'] = ['example.com/cleanup'];
    },
    expected: 'c1: different, deletion-stuck: the deletion waits for finalizers example.com/cleanup',
  },
  {
    name: 'an add-on without a manager',
    cause: (hub) => {
      hub.get('ManagedClusterAddOn', 'hello', 'c1')['status'] = {};
    },
    expected:
      "c1: different, manager-silent: no manager has reported RegistrationApplied: OCM's addon-manager does not run, or does not handle it",
  },
  {
    name: 'a manager that stopped before it reported the progress',
    cause: (hub) => {
      startUpdate(hub, 'c1');
      const status = hub.get('ManagedClusterAddOn', 'hello', 'c1')['status'] as { conditions: object[] };
      status.conditions = [condition('RegistrationApplied', 'True', 'SetPermissionApplied')];
    },
    expected:
      "c1: different, manager-silent: no manager has reported Progressing: OCM's addon-manager does not run, or does not handle it",
  },
  {
    name: 'an add-on that is configured since a moment',
    cause: (hub) => {
      startUpdate(hub, 'c1');
      const registered = condition('RegistrationApplied', 'True', 'SetPermissionApplied');
      const status = hub.get('ManagedClusterAddOn', 'hello', 'c1')['status'] as { conditions: object[] };
      status.conditions = [{ ...registered, lastTransitionTime: '2026-05-31T23:59:58Z' }];
    },
    expected:
      'c1: on the way, hub-pending: the add-on is configured, and its manager has not reported Progressing yet',
  },
  {
    name: 'permissions that cannot be set',
    cause: (hub) =>
      hub.report(
        'c1',
        condition(
          'RegistrationApplied',
          'False',
          'SetPermissionFailed',
          'Failed to set permission for hub agent: no role',
        ),
      ),
    expected:
      'c1: different, permissions-failed: SetPermissionFailed: Failed to set permission for hub agent: no role',
  },
  {
    name: 'a template that the hub cannot render',
    cause: (hub) =>
      hub.report(
        'c1',
        condition(
          'ManifestApplied',
          'False',
          'ManifestWorkApplyFailed',
          'failed to get manifest from agent interface: no value',
        ),
      ),
    expected: 'c1: different, template-refused: failed to get manifest from agent interface: no value',
  },
  {
    name: 'a work that is too large',
    cause: (hub) =>
      hub.report(
        'c1',
        condition(
          'ManifestApplied',
          'False',
          'ManifestWorkApplyFailed',
          'failed to build manifestwork: the size of manifest exceeds the limit',
        ),
      ),
    expected:
      'c1: different, work-too-large: failed to build manifestwork: the size of manifest exceeds the limit',
  },
  {
    name: 'a work that the hub rejects',
    cause: (hub) =>
      hub.report(
        'c1',
        condition(
          'ManifestApplied',
          'False',
          'ManifestWorkApplyFailed',
          'failed to apply manifestWork: admission webhook "x" denied the request',
        ),
      ),
    expected:
      'c1: different, work-refused: failed to apply manifestWork: admission webhook "x" denied the request',
  },
  {
    name: 'a work that the webhook of OCM rejects as too large',
    cause: (hub) =>
      hub.report(
        'c1',
        condition(
          'ManifestApplied',
          'False',
          'ManifestWorkApplyFailed',
          'admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request: the size of manifests is 1042259 bytes which exceeds the 512000 limit',
        ),
      ),
    expected:
      'c1: different, work-too-large: admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request: the size of manifests is 1042259 bytes which exceeds the 512000 limit',
  },
  {
    name: 'a work that the webhook of OCM rejects for another reason',
    cause: (hub) =>
      hub.report(
        'c1',
        condition(
          'ManifestApplied',
          'False',
          'ManifestWorkApplyFailed',
          'admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request: Workload manifests should not be empty',
        ),
      ),
    expected:
      'c1: different, work-refused: admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request: Workload manifests should not be empty',
  },
  {
    name: 'a work that another controller has written at the same time',
    cause: (hub) =>
      hub.report(
        'c1',
        condition(
          'ManifestApplied',
          'False',
          'ManifestWorkApplyFailed',
          'failed to apply manifestWork: Operation cannot be fulfilled on manifestworks.work.open-cluster-management.io "addon-agent-deploy-0": the object has been modified; please apply your changes to the latest version and try again',
        ),
      ),
    expected: 'c1: on the way, hub-pending: its manager tries again to write a work that changed meanwhile',
  },
  {
    name: 'an unsupported kind of configuration',
    cause: (hub) => {
      startUpdate(hub, 'c1');
      hub.report(
        'c1',
        condition(
          'Progressing',
          'False',
          'ConfigurationUnsupported',
          'Configuration with gvr a/b is not supported for this addon',
        ),
      );
    },
    expected:
      'c1: different, configuration-unsupported: Configuration with gvr a/b is not supported for this addon',
  },
  {
    name: 'a certificate request that the companion refuses',
    cause: (hub) => {
      register(hub, 'c1');
      hub.report(
        'c1',
        condition('CertificateRequestsServed', 'False', 'DoesNotFitRegistration', 'subject: wrong group'),
      );
    },
    expected: 'c1: unhealthy, request-refused: DoesNotFitRegistration: subject: wrong group',
  },
  {
    name: 'a certificate request that is denied',
    cause: (hub) => {
      register(hub, 'c1');
      hub.objects.push(request('c1', { conditions: [{ type: 'Denied', message: 'signer: unknown' }] }));
    },
    expected:
      'c1: unhealthy, request-refused: the request to kubernetes.io/kube-apiserver-client is Denied: signer: unknown',
  },
  {
    name: 'a certificate request that nobody approves',
    cause: (hub) => {
      register(hub, 'c1');
      hub.objects.push(request('c1', {}));
    },
    expected:
      'c1: unhealthy, request-pending: the request to kubernetes.io/kube-apiserver-client waits for an approval',
  },
  {
    name: 'a certificate request of a moment ago',
    cause: (hub) => {
      register(hub, 'c1');
      hub.objects.push(request('c1', {}, { creationTimestamp: '2026-05-31T23:59:57Z' }));
    },
    expected:
      'c1: on the way, request-in-progress: the request to kubernetes.io/kube-apiserver-client waits for an approval',
  },
  {
    name: 'a request to one of two signers, before one that the other has served',
    cause: (hub) => {
      register(hub, 'c1', [apiServerSigner, gatewaySigner]);
      hub.objects.push(
        request('c1', {}, { signerName: gatewaySigner, name: 'a' }),
        request('c1', { certificate: 'YQ==' }, { creationTimestamp: '2026-05-31T00:05:00Z', name: 'b' }),
      );
    },
    expected: 'c1: unhealthy, request-pending: the request to example.com/gateway waits for an approval',
  },
  {
    name: 'a certificate that nobody signs',
    cause: (hub) => {
      register(hub, 'c1');
      hub.objects.push(request('c1', { conditions: [{ type: 'Approved' }] }));
    },
    expected:
      'c1: unhealthy, request-pending: the request to kubernetes.io/kube-apiserver-client is approved, and no signer has issued the certificate',
  },
  {
    name: 'a certificate that has expired',
    cause: (hub) => {
      register(hub, 'c1');
      const message =
        'client certificate rotated starting from 2026-05-01 00:00:00 +0000 UTC to 2026-05-30 00:00:00 +0000 UTC';
      hub.report('c1', condition('ClusterCertificateRotated', 'True', 'ClientCertificateUpdated', message));
    },
    expected:
      'c1: unhealthy, certificate-expired: the client certificate has expired, and the agent has requested no other',
  },
  {
    name: 'a token that nothing on the hub prepares',
    cause: (hub) => registerToken(hub, 'c1'),
    expected:
      "c1: unhealthy, token-unprepared: the agent registers with a token, and nothing has created its ServiceAccount: OCM's addon-manager does not run",
  },
  {
    name: 'an agent that registers with a token since a moment',
    cause: (hub) => {
      registerToken(hub, 'c1');
      const registered = condition('RegistrationApplied', 'True', 'SetPermissionApplied');
      hub.report('c1', { ...registered, lastTransitionTime: '2026-05-31T23:59:58Z' });
    },
    expected:
      'c1: on the way, hub-pending: the agent registers with a token, and the hub has not prepared it yet',
  },
  {
    name: 'a token whose ServiceAccount cannot be created',
    cause: (hub) => {
      registerToken(hub, 'c1');
      const message = 'Failed to apply token infrastructure: no';
      hub.report(
        'c1',
        condition('TokenInfrastructureReady', 'False', 'TokenInfrastructureApplyFailed', message),
      );
    },
    expected:
      'c1: unhealthy, token-unprepared: TokenInfrastructureApplyFailed: Failed to apply token infrastructure: no',
  },
  {
    name: 'a token that the agent may not request',
    cause: (hub) => {
      registerToken(hub, 'c1');
      hub.report('c1', tokenReady, condition('TokenRefreshed', 'False', 'TokenCreationFailed', 'forbidden.'));
    },
    expected: 'c1: unhealthy, token-failed: TokenCreationFailed: forbidden',
  },
  {
    name: 'a token that has expired',
    cause: (hub) => {
      registerToken(hub, 'c1');
      const message = 'Addon token refreshed, expires at 2026-05-30T00:00:00Z';
      hub.report('c1', tokenReady, condition('TokenRefreshed', 'True', 'AddonTokenRefreshed', message));
    },
    expected: 'c1: unhealthy, token-expired: the token has expired, and the agent has requested no other',
  },
  {
    name: 'an agent that cannot renew its certificate',
    cause: (hub) => {
      register(hub, 'c1');
      hub.report(
        'c1',
        condition(
          'ClusterCertificateRotated',
          'False',
          'ClientCertificateUpdateFailed',
          'Failed to create CSR x',
        ),
      );
    },
    expected: 'c1: unhealthy, certificate-failed: ClientCertificateUpdateFailed: Failed to create CSR x',
  },
  ...(
    [
      [
        'a manifest that a webhook rejects',
        'admission webhook "w" denied the request: no',
        'manifest-refused',
      ],
      [
        'a manifest with another owner',
        'Apply failed with 1 conflict: conflict with "kubectl": .data.a',
        'manifest-conflict',
      ],
      ['a manifest without its namespace', 'namespaces "agents" not found', 'manifest-namespace-missing'],
      [
        'a manifest of an unknown kind',
        'no matches for kind "Widget" in version "a/v1"',
        'manifest-kind-missing',
      ],
      [
        'a manifest that the agent may not write',
        'configmaps is forbidden: User "x" cannot create',
        'manifest-forbidden',
      ],
      ['a manifest that fails otherwise', 'connection refused', 'manifest-failed'],
    ] as const
  ).map(([name, message, code]) => ({
    name,
    cause: (hub: HubObjects) => {
      hub.report('c1', failed);
      hub.reportWork('c1', 'False', 'True', `Failed to apply manifest: ${message}`);
    },
    expected: `c1: different, ${code}: ConfigMap agents/agent: ${message}`,
  })),
  {
    name: 'a work agent that is silent',
    cause: (hub) => {
      startUpdate(hub, 'c1');
      hub.get('ManifestWork', 'addon-hello-deploy-0', 'c1')['status'] = {};
    },
    expected: 'c1: on the way, work-agent-silent: the work agent of the cluster has not reported on the work',
  },
  {
    name: 'a workload that starts',
    cause: (hub) => {
      startUpdate(hub, 'c1');
      hub.reportWork('c1', 'True', 'False', 'Resource is not available');
    },
    expected:
      'c1: on the way, workload-starting: ConfigMap agents/agent is not available: Resource is not available',
  },
  {
    name: 'a workload that stopped',
    cause: (hub) => {
      hub.report(
        'c1',
        condition('Available', 'False', 'ProbeUnavailable', 'Probe addon unavailable with err x'),
      );
    },
    expected: 'c1: unhealthy, workload-unavailable: ProbeUnavailable: Probe addon unavailable with err x',
  },
  {
    name: 'a probe without a result',
    cause: (hub) => {
      hub.report('c1', condition('Available', 'Unknown', 'NoProbeResult', 'Probe results are not returned'));
    },
    expected: 'c1: unhealthy, probe-missing: the work agent has returned no value for the probe',
  },
  {
    name: 'a probe without a result, seconds after the installation',
    cause: (hub) => {
      const applied = condition('ManifestApplied', 'True', 'AddonManifestApplied');
      hub.report('c1', { ...applied, lastTransitionTime: '2026-05-31T23:59:56Z' });
      hub.report('c1', condition('Available', 'Unknown', 'NoProbeResult', 'Probe results are not returned'));
    },
    expected: 'c1: on the way, workload-starting: the agent is new, and has not reported its health yet',
  },
  {
    name: 'a probe without a result, a minute after the installation',
    cause: (hub) => {
      const applied = condition('ManifestApplied', 'True', 'AddonManifestApplied');
      hub.report('c1', { ...applied, lastTransitionTime: '2026-05-31T23:59:00Z' });
      hub.report('c1', condition('Available', 'Unknown', 'NoProbeResult', 'Probe results are not returned'));
    },
    expected: 'c1: unhealthy, probe-missing: the work agent has returned no value for the probe',
  },
  {
    name: 'a probe without a result, seconds before the works are applied',
    cause: (hub) => {
      const unreported = condition('Available', 'Unknown', 'NoProbeResult', 'Probe results are not returned');
      hub.report('c1', condition('ManifestApplied', 'Unknown', 'AddonManifestApplied'));
      hub.report('c1', { ...unreported, lastTransitionTime: '2026-05-31T23:59:56Z' });
    },
    expected: 'c1: on the way, workload-starting: the agent is new, and has not reported its health yet',
  },
  {
    name: 'an add-on that the hub has not created, seconds after the decision',
    cause: (hub) => uncreated(hub, '2026-05-31T23:59:30Z'),
    expected:
      'c1: on the way, hub-pending: a placement selects the cluster, and the hub has not created the add-on',
  },
  {
    name: 'an add-on that the hub has not created, an hour after the decision',
    cause: (hub) => uncreated(hub, '2026-05-31T23:00:00Z'),
    expected:
      'c1: different, hub-silent: a placement selects the cluster, and the hub has not created the add-on, minutes after the last change of what decides',
  },
  {
    name: 'no Lease before the works are applied',
    cause: (hub) => {
      startUpdate(hub, 'c1');
      hub.report('c1', condition('Available', 'Unknown', 'ManagedClusterAddOnLeaseNotFound'));
    },
    expected: 'c1: on the way, workload-starting: the agent is new, and has not reported its health yet',
  },
  {
    name: 'a Lease that is not renewed',
    cause: (hub) => {
      hub.report('c1', condition('Available', 'False', 'ManagedClusterAddOnLeaseUpdateStopped'));
    },
    expected:
      'c1: unhealthy, lease-not-renewed: the agent stopped to renew Lease hello in namespace open-cluster-management-agent-addon',
  },
  {
    name: 'a Lease elsewhere',
    cause: (hub) => {
      hub.report('c1', condition('Available', 'Unknown', 'ManagedClusterAddOnLeaseNotFound'));
    },
    expected:
      'c1: unhealthy, lease-missing: the cluster has no Lease hello in namespace open-cluster-management-agent-addon: the agent does not run there, or renews a Lease elsewhere',
  },
  {
    name: 'a degraded add-on',
    cause: (hub) => {
      hub.report('c1', condition('Degraded', 'True', 'Slow', 'behind by 5 min'));
    },
    expected: 'c1: unhealthy, degraded: Slow: behind by 5 min',
  },
];

describe('the first cause', () => {
  test.each(faults)('$name', async ({ cause, expected }) => {
    const hub = hubAtRest();
    cause(hub);
    expect(await classesOf(hub)).toEqual([expected]);
  });

  test('of an agent with a token is not the certificate that it had before', async () => {
    const hub = hubAtRest();
    registerToken(hub, 'c1');
    const rotated =
      'client certificate rotated starting from 2026-05-01 00:00:00 +0000 UTC to 2026-05-30 00:00:00 +0000 UTC';
    hub.report(
      'c1',
      tokenReady,
      condition(
        'TokenRefreshed',
        'True',
        'AddonTokenRefreshed',
        'Addon token refreshed, expires at 2027-05-30T00:00:00Z',
      ),
      condition('ClusterCertificateRotated', 'True', 'ClientCertificateUpdated', rotated),
    );
    expect(await classesOf(hub)).toEqual([]);
  });

  test('is the cluster before everything that follows from it', async () => {
    const hub = hubAtRest();
    const stopped = condition(
      'ManagedClusterConditionAvailable',
      'Unknown',
      'ManagedClusterLeaseUpdateStopped',
      'Registration agent stopped updating its lease.',
    );
    const cluster = hub.get('ManagedCluster', 'c1');
    const { conditions } = cluster['status'] as { conditions: { type: string }[] };
    cluster['status'] = { conditions: [...conditions.filter(({ type }) => type !== stopped.type), stopped] };
    hub.report('c1', failed, condition('Available', 'Unknown', stopped.reason));
    expect(await classesOf(hub)).toEqual([
      'c1: unhealthy, cluster-unavailable: ManagedClusterLeaseUpdateStopped: Registration agent stopped updating its lease',
    ]);
  });
});

test.each([
  ['another one of the same second was served', apiServerSigner, midnight],
  ['a later one was served', apiServerSigner, '2026-05-30T00:00:00Z'],
  ['the add-on no longer has its signer', gatewaySigner, midnight],
])('a request without a certificate is no cause if %s', async (_, signerName, creationTimestamp) => {
  const served = request('c1', { certificate: 'YQ==' }, { name: 'm' });
  for (const name of ['a', 'z'])
    for (const objects of [
      [served, request('c1', {}, { signerName, creationTimestamp, name })],
      [request('c1', {}, { signerName, creationTimestamp, name }), served],
    ]) {
      const hub = hubAtRest();
      register(hub, 'c1');
      hub.objects.push(...objects);
      expect(await classesOf(hub)).toEqual([]);
    }
});

test('a request of an earlier installation of the add-on is no cause', async () => {
  const hub = hubAtRest();
  register(hub, 'c1');
  hub.objects.push(request('c1', {}));
  const { metadata } = hub.get('ManagedClusterAddOn', 'hello', 'c1');
  metadata.creationTimestamp = midnight;
  expect(await classesOf(hub)).toEqual([expect.stringContaining('request-pending')]);
  metadata.creationTimestamp = '2026-05-31T00:00:01Z';
  expect(await classesOf(hub)).toEqual([]);
});
