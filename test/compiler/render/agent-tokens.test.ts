import { describe, expect, test } from 'vitest';
import type { HubVersionName } from '../../../src/ocm/hub-version.ts';
import { resolveTemplate, type ClusterOfAddOn, type ResolvedTemplate } from './template-add-on.ts';

const registration = [{ type: 'KubeClient' }];
const user = 'system:serviceaccount:c1:agent-agent';

const registered = (driver: string, conditions: readonly object[] = []): object => ({
  registrations: [{ type: 'kubeClient', kubeClient: { driver, subject: { user } } }],
  conditions,
});

const ready = (message: string): object => ({
  type: 'TokenInfrastructureReady',
  status: 'True',
  reason: 'TokenInfrastructureReady',
  message,
  lastTransitionTime: '2026-01-31T12:00:00Z',
});

function resolved(
  addOnStatus: object,
  others: Partial<Parameters<typeof resolveTemplate>[0]> = {},
  onCluster: Partial<ClusterOfAddOn> = {},
): ResolvedTemplate {
  return resolveTemplate({ registration, clusters: { c1: { addOnStatus, ...onCluster } }, ...others });
}

const conditionOf = (resolution: ResolvedTemplate): object | undefined =>
  resolution.on().status.conditions.find(({ type }) => type === 'TokenInfrastructureReady');
const namesOf = (resolution: ResolvedTemplate): readonly string[] =>
  (resolution.on().tokenObjects ?? []).map(
    ({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`,
  );

const all = ['ServiceAccount c1/agent-agent', 'Role c1/agent-token-role', 'RoleBinding c1/agent-token-role'];

describe('an agent that registers with a token', () => {
  test('gets its objects and the condition from the hub, which chooses the uid', () => {
    const resolution = resolved(registered('token'));
    expect(conditionOf(resolution)).toEqual({
      type: 'TokenInfrastructureReady',
      status: 'True',
      reason: 'TokenInfrastructureReady',
      message: 'ServiceAccount c1/agent-agent (UID: <uid>) is ready',
    });
    expect(resolution.on().tokenObjects).toMatchInlineSnapshot(`
      [
        {
          "apiVersion": "v1",
          "kind": "ServiceAccount",
          "metadata": {
            "labels": {
              "addon.open-cluster-management.io/name": "agent",
              "addon.open-cluster-management.io/token-infrastructure": "true",
            },
            "name": "agent-agent",
            "namespace": "c1",
          },
        },
        {
          "apiVersion": "rbac.authorization.k8s.io/v1",
          "kind": "Role",
          "metadata": {
            "labels": {
              "addon.open-cluster-management.io/name": "agent",
              "addon.open-cluster-management.io/token-infrastructure": "true",
            },
            "name": "agent-token-role",
            "namespace": "c1",
          },
          "rules": [
            {
              "apiGroups": [
                "",
              ],
              "resourceNames": [
                "agent-agent",
              ],
              "resources": [
                "serviceaccounts/token",
              ],
              "verbs": [
                "create",
              ],
            },
            {
              "apiGroups": [
                "",
              ],
              "resources": [
                "serviceaccounts/token",
              ],
              "verbs": [
                "subscribe",
              ],
            },
          ],
        },
        {
          "apiVersion": "rbac.authorization.k8s.io/v1",
          "kind": "RoleBinding",
          "metadata": {
            "labels": {
              "addon.open-cluster-management.io/name": "agent",
              "addon.open-cluster-management.io/token-infrastructure": "true",
            },
            "name": "agent-token-role",
            "namespace": "c1",
          },
          "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "Role",
            "name": "agent-token-role",
          },
          "subjects": [
            {
              "apiGroup": "rbac.authorization.k8s.io",
              "kind": "Group",
              "name": "system:open-cluster-management:c1",
            },
            {
              "apiGroup": "rbac.authorization.k8s.io",
              "kind": "Group",
              "name": "open-cluster-management:c1",
            },
          ],
        },
      ]
    `);
  });

  test('keeps the uid that its status has, and the time of the condition', () => {
    const earlier = ready('ServiceAccount c1/agent-agent (UID: 6f1b) is ready');
    expect(conditionOf(resolved(registered('token', [earlier])))).toEqual(earlier);
  });

  test.each<[HubVersionName, readonly string[]]>([
    ['1.1', []],
    ['1.2', all],
    ['1.4', all],
  ])('on a hub of OCM %s has %j', (hub, expected) => {
    expect(namesOf(resolved(registered('token'), { hub }))).toEqual(expected);
  });

  test('is served whichever manager the add-on has', () => {
    const annotations = { 'addon.open-cluster-management.io/lifecycle': 'self' };
    const resolution = resolved(registered('token'), { annotations });
    expect([namesOf(resolution), conditionOf(resolution)]).toEqual([all, expect.anything()]);
  });

  test('with compiled delivery, has its user even before it wrote that itself', () => {
    const fresh = { registrations: [{ type: 'kubeClient', kubeClient: { driver: 'token' } }] };
    const annotations = { 'fleetwright.dev/delivery': 'compiled' };
    const resolution = resolved(fresh, { annotations });
    expect(resolution.on().status.registrations).toEqual([
      { type: 'kubeClient', kubeClient: { driver: 'token', subject: { user } } },
    ]);
    expect(namesOf(resolution)).toEqual(all);
  });
});

describe('the objects and the condition are gone', () => {
  const conditions = [ready('ServiceAccount c1/agent-agent (UID: 6f1b) is ready')];

  test.each<[string, ResolvedTemplate]>([
    ['when the agent registers with a certificate again', resolved(registered('csr', conditions))],
    [
      'when the template has no such registration any more',
      resolved(registered('token', conditions), { registration: [] }),
    ],
  ])('%s', (_, resolution) => {
    expect([namesOf(resolution), conditionOf(resolution)]).toEqual([[], undefined]);
  });

  test('when the ManagedClusterAddOn is being deleted, except for the condition', () => {
    const addOnMetadata = { deletionTimestamp: '2026-01-31T12:00:00Z', finalizers: ['example.com/a'] };
    const resolution = resolved(registered('token', conditions), {}, { addOnMetadata });
    expect([namesOf(resolution), conditionOf(resolution)]).toEqual([[], conditions[0]]);
  });
});
