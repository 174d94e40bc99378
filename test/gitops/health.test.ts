import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { groupOf } from '../../src/base/names/resource-name.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { data } = parse(readFileSync(path.join(root, 'packaging/gitops/argocd-cm.yaml'), 'utf8')) as {
  readonly data: Readonly<Record<string, string>>;
};

type Object = KubernetesObject & {
  readonly spec: object;
  readonly status: { readonly conditions?: Condition[] };
};
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Objects as the hub of test/hub and a managed cluster that joined it left them, by what was the matter. */
function recorded(kind: string): (name: string) => Object {
  const file = path.join(import.meta.dirname, 'recorded', `${kind}.json`);
  const objects = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Object>>;
  return (name) => {
    const object = objects[name];
    if (object === undefined) throw new Error(`${kind} has no ${name}`);
    return object;
  };
}

const flux = parse(readFileSync(path.join(root, 'packaging/gitops/flux-health.yaml'), 'utf8')) as {
  readonly spec: {
    readonly healthCheckExprs: readonly (Pick<KubernetesObject, 'apiVersion' | 'kind'> & object)[];
  };
};

/** What Flux says where Argo CD says this. */
const inFlux: Readonly<Record<string, string>> = {
  Healthy: 'Current',
  Progressing: 'InProgress',
  Degraded: 'Failed',
};

/** Returns the health that Argo CD reports of an object, as `Status: message`, if Flux agrees. */
function healthOf(object: object): string {
  const { apiVersion, kind } = object as KubernetesObject;
  const key = `${apiVersion.replace(/\/.*/, '')}_${kind}`;
  const script = data[`resource.customizations.health.${key}`];
  const openLibs = data[`resource.customizations.useOpenLibs.${key}`] === 'true';
  const input = JSON.stringify([{ script, openLibs, object }]);
  const output = execFileSync(path.join(inject('tools'), 'health'), { input, encoding: 'utf8' });
  const [result] = JSON.parse(output) as [{ status: string; message: string }];
  // A cluster that has not joined would hold up the stages of Flux after it.
  if (kind !== 'ManagedCluster') expectInFlux(object, inFlux[result.status]);
  return `${result.status}: ${result.message}`;
}

function expectInFlux(object: object, health: string | undefined): void {
  expect(fluxHealthOf(object)).toBe(health);
}

/** Returns the health that Flux reports of an object. Flux keeps waiting if an expression has no answer, as without a status. */
function fluxHealthOf(object: object): string {
  const { apiVersion, kind } = object as KubernetesObject;
  const expressions = flux.spec.healthCheckExprs.find(
    (each) => groupOf(each.apiVersion) === groupOf(apiVersion) && each.kind === kind,
  );
  const input = JSON.stringify([{ expressions, object }]);
  const output = execFileSync(path.join(inject('tools'), 'flux-health'), { input, encoding: 'utf8' });
  const [state] = JSON.parse(output) as [string];
  return state.startsWith('no answer: ') && !('status' in object) ? 'InProgress' : state;
}

/** The object as it is with conditions changed, or without those that are undefined. */
function having(object: Object, changes: Readonly<Record<string, Partial<Condition> | undefined>>): object {
  const rest = (object.status.conditions ?? []).filter(({ type }) => !(type in changes));
  const changed = Object.entries(changes).flatMap(([type, condition]) =>
    condition === undefined ? [] : [{ type, status: 'True', reason: 'Reason', ...condition }],
  );
  return { ...object, status: { ...object.status, conditions: [...rest, ...changed] } };
}

describe('a Placement', () => {
  const placement = recorded('placement');

  test('is healthy when it has decided, for few clusters or none too', () => {
    expect(healthOf(placement('decided'))).toBe('Healthy: All cluster decisions scheduled');
    expect(healthOf(placement('fewer than wanted'))).toBe('Healthy: 8 cluster decisions unscheduled');
    expect(healthOf(placement('no cluster matches'))).toBe(
      'Healthy: No ManagedCluster matches any of the cluster predicate',
    );
  });

  test('is progressing until then', () => {
    const { status: _, ...undecided } = placement('decided');
    expect(healthOf(undecided)).toBe('Progressing: waiting for the decision');
  });

  test('is degraded where it or its namespace is at fault', () => {
    expect(healthOf(placement('no set is bound'))).toBe(
      'Degraded: No valid ManagedClusterSetBindings found in placement namespace',
    );
    expect(healthOf(placement('unknown operator'))).toBe(
      'Degraded: Predicate:"Nope" is not a valid label selector operator',
    );
  });
});

describe('a ManagedCluster', () => {
  const cluster = recorded('managed-cluster');

  test('is healthy while it reports', () => {
    expect(healthOf(cluster('available'))).toBe('Healthy: Managed cluster is available');
  });

  test('is progressing until it has joined and reported', () => {
    expect(healthOf(cluster('not joined'))).toBe('Progressing: waiting for the cluster to join');
    const { status: _, ...unseen } = cluster('not joined');
    expect(healthOf(unseen)).toBe('Progressing: waiting for the hub to accept the cluster');
    expect(healthOf(having(cluster('available'), { ManagedClusterConditionAvailable: undefined }))).toBe(
      "Progressing: waiting for the cluster's first report",
    );
  });

  test('is healthy where Git does not accept it, and degraded if it is denied otherwise or stops to report', () => {
    const notAccepted = 'Healthy: the hub does not accept the cluster: hubAcceptsClient is false';
    const waiting = { ...cluster('not joined'), spec: { hubAcceptsClient: false } };
    expect(healthOf(waiting)).toBe(notAccepted);
    const message = 'Registration agent stopped updating its lease.';
    const silent = { ManagedClusterConditionAvailable: { status: 'Unknown', message } };
    expect(healthOf(having(cluster('available'), silent))).toBe(`Degraded: ${message}`);
    const denied = { HubDeniedManagedCluster: { message: 'Denied by hub cluster admin' } };
    expect(healthOf(having(cluster('available'), denied))).toBe('Degraded: Denied by hub cluster admin');
    expect(healthOf(having(waiting, denied))).toBe(notAccepted);
  });
});

describe('a ClusterManagementAddOn', () => {
  const addOn = recorded('cluster-management-add-on');

  test('is healthy when its rollouts are done', () => {
    expect(healthOf(addOn('completed'))).toBe(
      'Healthy: p/one: 1/1 completed with no errors, 0 failed 0 timeout.',
    );
  });

  test('is progressing while clusters wait for their turn, or for a configuration', () => {
    const progressing = 'Progressing: p/one: 1/1 progressing..., 0 failed 0 timeout.';
    expect(healthOf(addOn('applying'))).toBe(progressing);
    expect(healthOf(addOn('without its template'))).toBe(progressing);
    const { status: _, ...unseen } = addOn('completed');
    expect(healthOf(unseen)).toBe('Progressing: p/one: waiting for the hub');
  });

  test('is progressing while the status is of another configuration than Git has', () => {
    const of = (name: string): object => ({
      ...addOn('completed'),
      spec: {
        installStrategy: {
          type: 'Placements',
          placements: [
            {
              namespace: 'p',
              name: 'one',
              configs: [{ group: 'addon.open-cluster-management.io', resource: 'addontemplates', name }],
            },
          ],
        },
      },
    });
    expect(healthOf(of('good'))).toContain('Healthy: ');
    expect(healthOf(of('good-2'))).toBe(
      'Progressing: p/one: waiting for the hub to read addontemplates good-2',
    );
  });

  test('is progressing until the hub has read the commit that mends a failed rollout', () => {
    const configs = [{ group: 'addon.open-cluster-management.io', resource: 'addontemplates', name: 'new' }];
    const installStrategy = { type: 'Placements', placements: [{ namespace: 'p', name: 'one', configs }] };
    expect(healthOf({ ...addOn('too late'), spec: { installStrategy } })).toBe(
      'Progressing: p/one: waiting for the hub to read addontemplates new',
    );
  });

  test('is degraded when a cluster fails or is too late', () => {
    expect(healthOf(addOn('too late'))).toBe('Degraded: p/one: 0/1 progressing..., 0 failed 1 timeout.');
  });

  test('is healthy where there is nothing to install', () => {
    const progressions = (message: string): object => ({
      ...addOn('completed'),
      status: {
        installProgressions: [
          { namespace: 'p', name: 'one', conditions: [{ type: 'Progressing', status: 'True', message }] },
        ],
      },
    });
    const none = '0/0 progressing..., 0 failed 0 timeout.';
    expect(healthOf(progressions(none))).toBe(`Healthy: p/one: ${none}`);
    const some = '0/10 progressing..., 0 failed 0 timeout.';
    expect(healthOf(progressions(some))).toBe(`Progressing: p/one: ${some}`);
    const manual = { ...addOn('completed'), spec: { installStrategy: { type: 'Manual' } } };
    expect(healthOf(manual)).toBe('Healthy: the hub does not install this add-on');
    const withLifecycle = (lifecycle: string): object => ({
      ...addOn('applying'),
      metadata: {
        name: 'applying',
        annotations: { 'addon.open-cluster-management.io/lifecycle': lifecycle },
      },
    });
    // addon-framework replaces `self` with an empty value.
    for (const lifecycle of ['self', ''])
      expect(healthOf(withLifecycle(lifecycle))).toBe('Healthy: the hub does not install this add-on');
    expect(healthOf(withLifecycle('addon-manager'))).toContain('Progressing: ');
  });
});

describe('a ManagedClusterAddOn', () => {
  const addOn = recorded('managed-cluster-add-on');

  test('is healthy when it is delivered and available', () => {
    expect(healthOf(addOn('available'))).toBe('Healthy: Available: good add-on is available.');
  });

  test('is progressing until it is', () => {
    expect(healthOf(addOn('without a probe result yet'))).toBe(
      'Progressing: Available: Probe results are not returned',
    );
    const waiting = 'Progressing: Progressing: Waiting for ManagedClusterAddOn ManifestApplied condition';
    expect(healthOf(addOn('without its template'))).toBe(waiting);
    expect(healthOf(addOn('without its template for long'))).toBe(waiting);
    const { status: _, ...unseen } = addOn('available');
    expect(healthOf(unseen)).toBe("Progressing: waiting for the add-on's first report");
    const configured = { Configured: { status: 'False', message: 'not configured yet' } };
    expect(healthOf(having(addOn('available'), configured))).toBe(
      'Progressing: Configured: not configured yet',
    );
  });

  test('is degraded when manifests fail, although the hub calls it available', () => {
    expect(healthOf(addOn('manifests that do not apply'))).toBe(
      'Degraded: ManifestApplied: failed to apply the manifests of addon',
    );
  });

  test('is degraded when the agent is not available or falls silent', () => {
    const available = (status: string, reason: string): string =>
      healthOf(having(addOn('available'), { Available: { status, reason } }));
    expect(available('False', 'ProbeUnavailable')).toBe('Degraded: Available: ProbeUnavailable');
    expect(available('Unknown', 'ManagedClusterAddOnLeaseUpdateStopped')).toBe(
      'Degraded: Available: ManagedClusterAddOnLeaseUpdateStopped',
    );
    const degraded = { Degraded: { message: 'no space left' } };
    expect(healthOf(having(addOn('available'), degraded))).toBe('Degraded: Degraded: no space left');
    const failed = { Progressing: { status: 'False', reason: 'Failed', message: 'no such placement' } };
    expect(healthOf(having(addOn('available'), failed))).toBe('Degraded: Progressing: no such placement');
  });

  test('is progressing while it waits for its wave, and degraded where its configuration is not supported', () => {
    const message = 'Configuration with gvr addondeploymentconfigs is not supported for this addon';
    const { status, ...rest } = having(addOn('available'), {
      Progressing: { status: 'False', reason: 'ConfigurationUnsupported', message },
      Available: undefined,
    }) as Object;
    expect(healthOf({ ...rest, status: { ...status, supportedConfigs: [] } })).toBe(
      'Progressing: waiting for the wave of the cluster',
    );
    const supportedConfigs = [{ group: 'addon.open-cluster-management.io', resource: 'addontemplates' }];
    expect(healthOf({ ...rest, status: { ...status, supportedConfigs } })).toBe(
      `Degraded: Progressing: ${message}`,
    );
  });
});

describe('a ManifestWork', () => {
  const work = recorded('manifest-work');

  test('is healthy when all of it is there', () => {
    expect(healthOf(work('available'))).toBe('Healthy: Available: All resources are available');
  });

  test('is progressing until the agent has applied this generation of it', () => {
    const newer = { ...work('available'), metadata: { ...work('available').metadata, generation: 2 } };
    expect(healthOf(newer)).toBe('Progressing: waiting for the agent to apply the manifests');
    const { status: _, ...unseen } = work('available');
    expect(healthOf(unseen)).toBe('Progressing: waiting for the agent to apply the manifests');
  });

  test('is degraded when a manifest fails or is gone', () => {
    expect(healthOf(work('manifests that do not apply'))).toBe(
      'Degraded: Applied: Failed to apply manifest work',
    );
    const gone = { Available: { status: 'False', message: '1 of 1 resources are not available' } };
    expect(healthOf(having(work('available'), gone))).toBe(
      'Degraded: Available: 1 of 1 resources are not available',
    );
  });
});

describe('a ManifestWorkReplicaSet', () => {
  const set = recorded('manifest-work-replica-set');

  test('is healthy when the works of all clusters are available, or the placement selects none', () => {
    expect(healthOf(set('available'))).toBe('Healthy: ManifestworkApplied: AsExpected');
    expect(healthOf(set('no cluster'))).toBe('Healthy: PlacementVerified: PlacementDecisionEmpty');
  });

  test('is healthy when OCM says that it is rolled out, as it does where agents report on progress', () => {
    const rolledOut = { PlacementRolledOut: { reason: 'Complete' } };
    expect(healthOf(having(set('available'), rolledOut))).toBe('Healthy: ManifestworkApplied: AsExpected');
  });

  test('is progressing until there is a placement, every cluster has its work, and all are available', () => {
    expect(healthOf(set('no placement'))).toBe('Progressing: waiting for the decision of the placement');
    expect(healthOf(set('rolling out'))).toBe(
      'Progressing: waiting for the rollout: 1 (1 / 2 clusters applied)',
    );
    // OCM says the same of works that nobody reports on and of those that cannot be applied.
    for (const name of ['not reported', 'failing']) {
      expect(healthOf(set(name))).toBe('Progressing: waiting for the works to be applied');
    }
  });

  test('is degraded when its terms are wrong or a work is', () => {
    const wrong = { PlacementVerified: { status: 'False', reason: 'NotAsExpected' } };
    expect(healthOf(having(set('available'), wrong))).toBe('Degraded: PlacementVerified: NotAsExpected');
    const { status, ...rest } = set('available');
    const degraded = { ...rest, status: { ...status, summary: { applied: 1, degraded: 1, total: 1 } } };
    expect(healthOf(degraded)).toBe('Degraded: 1 of the works are degraded');
  });
});

test('the expressions are one for each group and kind, and a patch that kustomize applies', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-'));
  const stage = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'a' },
  };
  const patches = [
    { path: 'flux-health.yaml', target: { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' } },
  ];
  writeFileSync(path.join(folder, 'a.yaml'), JSON.stringify({ ...stage, spec: { wait: true } }));
  writeFileSync(path.join(folder, 'kustomization.yaml'), JSON.stringify({ resources: ['a.yaml'], patches }));
  copyFileSync(path.join(root, 'packaging/gitops/flux-health.yaml'), path.join(folder, 'flux-health.yaml'));
  const built = execFileSync(path.join(inject('tools'), 'kustomize'), ['build', folder], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect(parse(built)).toEqual({ ...stage, spec: { wait: true, ...flux.spec } });
  const checked = flux.spec.healthCheckExprs.map(({ apiVersion, kind }) => `${groupOf(apiVersion)}_${kind}`);
  // Flux 2.8 and later refuse two.
  expect(new Set(checked).size).toBe(checked.length);
  const prefix = 'resource.customizations.health.';
  const inArgoCd = Object.keys(data).filter(
    (key) => key.startsWith(prefix) && !key.endsWith('_ManagedCluster'),
  );
  expect(checked.sort()).toEqual(inArgoCd.map((key) => key.slice(prefix.length)).sort());
});
