import { describe, expect, test } from 'vitest';
import { addOnStatus, type AddOnFacts } from '../../../src/controller/hub/add-on-status.ts';
import {
  healthModeOf,
  isCompanionManaged,
  isNoLongerCompiled,
  templateNameOf,
} from '../../../src/controller/hub/managed-add-ons.ts';
import { goJson } from '../../../src/base/json/go-json.ts';
import { storedAddOn, storedCluster, storedOnCluster, storedWork, template } from './stored-add-ons.ts';

const now = Date.UTC(2026, 0, 31, 12);
const facts = (some: Partial<AddOnFacts> = {}): AddOnFacts => ({
  addOn: storedAddOn(),
  onCluster: storedOnCluster(),
  cluster: storedCluster(),
  template: template([{ type: 'KubeClient' }], [{ apiVersion: 'v1', kind: 'ConfigMap' }]),
  deploymentConfig: undefined,
  factsOf: () => ({ specHash: 'h', generation: 1 }),
  works: [],
  permissionError: undefined,
  ...some,
});
const conditionsOf = (some: Partial<AddOnFacts>, at = now): Record<string, string> =>
  Object.fromEntries(
    (addOnStatus(facts(some), at).conditions ?? []).map(({ type, status, reason }) => [
      type,
      `${status} ${reason}`,
    ]),
  );

describe('the status', () => {
  test('is the same when nothing changed, whenever it is worked out', () => {
    const first = addOnStatus(facts(), now);
    const again = addOnStatus(facts({ onCluster: storedOnCluster({}, first) }), now + 86_400_000);
    expect(goJson(again)).toBe(goJson(first));
  });

  test('keeps the fields of other writers', () => {
    const foreign = {
      type: 'ClusterCertificateRotated',
      status: 'True',
      reason: 'ClientCertificateUpdated',
      message: 'rotated',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    } as const;
    const status = addOnStatus(
      facts({ onCluster: storedOnCluster({}, { conditions: [foreign], kubeClientDriver: 'csr' }) }),
      now,
    );
    expect(status.conditions).toContainEqual(foreign);
    expect(status.kubeClientDriver).toBe('csr');
  });

  test('contains the final state of a healthy hub', () => {
    const work = storedWork({ conditions: { Applied: 'True', Available: 'True' }, hashes: {} });
    expect(conditionsOf({ works: [work] })).toEqual({
      Configured: 'True ConfigurationsConfigured',
      RegistrationApplied: 'True SetPermissionApplied',
      ManifestApplied: 'True AddonManifestApplied',
      Available: 'True ProbeAvailable',
      Progressing: 'False Completed',
    });
  });

  test('counts no works of hooks', () => {
    const hook = storedWork({ name: 'addon-hello-pre-delete', conditions: { Applied: 'False' } });
    expect(conditionsOf({ works: [hook] })).not.toHaveProperty('ManifestApplied');
  });

  test('leaves it to the agents of clusters whether an add-on with a lease is available', () => {
    const addOn = storedAddOn({}, { 'fleetwright.dev/health': 'lease' });
    const works = [storedWork({ conditions: { Applied: 'True', Available: 'True' } })];
    expect(addOnStatus(facts({ addOn, works }), now).healthCheck).toEqual({ mode: 'Lease' });
    expect(conditionsOf({ addOn, works })).not.toHaveProperty('Available');
  });

  test('of an add-on with a lease does not overwrite the report of the agent before the hub sees that the cluster is back', () => {
    const addOn = storedAddOn({}, { 'fleetwright.dev/health': 'lease' });
    const lastTransitionTime = '2026-01-31T12:00:00Z';
    const cluster = storedCluster({
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status: 'Unknown',
          reason: 'ManagedClusterLeaseUpdateStopped',
          message: 'Registration agent stopped updating its lease.',
          lastTransitionTime,
        },
      ],
    });
    const available = {
      type: 'Available',
      status: 'True',
      reason: 'ManagedClusterAddOnLeaseUpdated',
      message: 'hello add-on is available.',
      lastTransitionTime,
    } as const;
    const onCluster = storedOnCluster({}, { conditions: [available] });
    expect(addOnStatus(facts({ addOn, cluster, onCluster }), now).conditions).toContainEqual(available);
    expect(conditionsOf({ addOn, cluster })).toMatchObject({
      Available: 'Unknown ManagedClusterLeaseUpdateStopped',
    });
    expect(conditionsOf({ cluster, onCluster })).toMatchObject({
      Available: 'Unknown ManagedClusterLeaseUpdateStopped',
    });
  });

  test('keeps the registrations while permissions cannot be set', () => {
    const registered = [{ signerName: 'kubernetes.io/kube-apiserver-client', subject: { user: 'before' } }];
    const onCluster = storedOnCluster({}, { registrations: registered, namespace: 'before' });
    const status = addOnStatus(facts({ onCluster, permissionError: 'forbidden' }), now);
    expect(status).toMatchObject({ registrations: registered, namespace: 'before' });
    expect(status.conditions).toContainEqual({
      type: 'RegistrationApplied',
      status: 'False',
      reason: 'SetPermissionFailed',
      message: 'Failed to set permission for hub agent: forbidden',
      lastTransitionTime: '2026-01-31T12:00:00Z',
    });
  });

  test('of an add-on without template is that there is nothing to register', () => {
    const status = addOnStatus(facts({ template: undefined }), now);
    expect(status.namespace).toBe('open-cluster-management-agent-addon');
    expect(conditionsOf({ template: undefined })).toMatchObject({
      RegistrationApplied: 'True NilRegistration',
    });
  });

  test('moves the time of a condition only with its status', () => {
    const first = addOnStatus(facts({ permissionError: 'one' }), now);
    const later = addOnStatus(
      facts({ permissionError: 'two', onCluster: storedOnCluster({}, first) }),
      now + 60_000,
    );
    const time = (status: typeof first): string | undefined =>
      status.conditions?.find(({ type }) => type === 'RegistrationApplied')?.lastTransitionTime;
    expect(time(later)).toBe('2026-01-31T12:00:00Z');
    expect(time(addOnStatus(facts({ onCluster: storedOnCluster({}, later) }), now + 120_000))).toBe(
      '2026-01-31T12:02:00Z',
    );
  });
});

describe('the add-ons that the companion manages', () => {
  const lifecycle = 'addon.open-cluster-management.io/lifecycle';
  const delivery = { 'fleetwright.dev/delivery': 'compiled' };

  test.each<[string, Readonly<Record<string, string>>, readonly string[], boolean]>([
    ['compiled ones', { [lifecycle]: 'self', ...delivery }, [], true],
    ['not those that the hub manages', { ...delivery }, ['hello'], false],
    [
      'not those that the hub manages and says so',
      { [lifecycle]: 'addon-manager', ...delivery },
      ['hello'],
      false,
    ],
    ['not those of others', { [lifecycle]: 'self' }, ['other'], false],
    ['those that are listed in the setting', { [lifecycle]: 'self' }, ['hello'], true],
  ])('%s', (_, annotations, named, expected) => {
    expect(isCompanionManaged(storedAddOn({}, annotations), named)).toBe(expected);
  });

  test('an add-on leaves a cluster that is not listed, or if the hub delivers it now, if the compiler wrote it there', () => {
    const listing = (clusters: string) =>
      storedAddOn({}, { ...delivery, 'fleetwright.dev/clusters': clusters });
    const written = storedOnCluster({}, {}, delivery);
    expect(isNoLongerCompiled(listing('cluster2\ncluster10\n'), written)).toBe(true);
    expect(isNoLongerCompiled(listing('cluster1\ncluster2\n'), written)).toBe(false);
    expect(isNoLongerCompiled(listing(''), storedOnCluster())).toBe(false);
    expect(isNoLongerCompiled(storedAddOn({}, delivery), written)).toBe(false);
    expect(isNoLongerCompiled(storedAddOn({}, {}), written)).toBe(true);
    expect(isNoLongerCompiled(storedAddOn({}, {}), storedOnCluster())).toBe(false);
  });

  test('a cluster may have its own template', () => {
    const kind = { group: 'addon.open-cluster-management.io', resource: 'addontemplates' };
    const addOn = storedAddOn({}, { 'fleetwright.dev/default-template': 'default' });
    expect(templateNameOf(addOn, storedOnCluster({ configs: [{ ...kind, name: 'own' }] }))).toBe('own');
    expect(templateNameOf(addOn, storedOnCluster())).toBe('default');
    const listed = storedAddOn({ supportedConfigs: [{ ...kind, defaultConfig: { name: 'listed' } }] });
    expect(templateNameOf(listed, storedOnCluster())).toBe('listed');
    expect(templateNameOf(storedAddOn(), storedOnCluster())).toBeUndefined();
  });

  test('health is derived from works unless the add-on sets another mode', () => {
    expect(healthModeOf(storedAddOn())).toBe('works');
    expect(healthModeOf(storedAddOn({}, { 'fleetwright.dev/health': 'lease' }))).toBe('lease');
  });
});
