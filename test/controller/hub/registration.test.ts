import { describe, expect, test } from 'vitest';
import type { AddOnTemplateV1alpha1 } from '../../../schemas/types.gen.ts';
import { hubPermissions } from '../../../src/controller/hub/registration/hub-permissions.ts';
import { installNamespace } from '../../../src/controller/hub/registration/install-namespace.ts';
import { registrationsFor } from '../../../src/controller/hub/registration/registrations.ts';
import { deployment, template } from './stored-add-ons.ts';

const hello = { addOn: 'hello', cluster: 'cluster1' };
type Registrations = NonNullable<AddOnTemplateV1alpha1['spec']['registration']>;
const signer = (signerName: string, subject?: object): Registrations[number] => ({
  type: 'CustomSigner',
  customSigner: { signerName, signingCA: { name: 'ca' }, ...(subject && { subject }) },
});
const own = {
  user: 'system:open-cluster-management:cluster:cluster1:addon:hello:agent:hello-agent',
  groups: [
    'system:open-cluster-management:cluster:cluster1:addon:hello',
    'system:open-cluster-management:addon:hello',
  ],
};

describe('registrations', () => {
  test('name the agent of this cluster', () => {
    expect(registrationsFor(template([{ type: 'KubeClient' }]), hello, undefined)).toEqual([
      { signerName: 'kubernetes.io/kube-apiserver-client', subject: own },
    ]);
  });

  test('of other signers have the subject of the template, else that of the agent', () => {
    const subject = { user: '', groups: ['readers'], organizationUnit: ['edge'] };
    const registration = [
      signer('a.example.com/x', subject),
      signer('b.example.com/y'),
      signer('c.example.com/z', {}),
    ];
    expect(registrationsFor(template(registration), hello, undefined)).toEqual([
      { signerName: 'a.example.com/x', subject },
      { signerName: 'b.example.com/y', subject: own },
      { signerName: 'c.example.com/z', subject: { user: '' } },
    ]);
  });

  test('are one for each signer: the first', () => {
    const registration = [
      signer('a.example.com/x', { user: 'one' }),
      signer('a.example.com/x', { user: 'two' }),
    ];
    expect(registrationsFor(template(registration), hello, undefined)).toEqual([
      { signerName: 'a.example.com/x', subject: { user: 'one' } },
    ]);
  });

  test('of agents with tokens name their ServiceAccount', () => {
    expect(registrationsFor(template([{ type: 'KubeClient' }]), hello, 'token')).toEqual([
      {
        signerName: 'kubernetes.io/kube-apiserver-client',
        subject: { user: 'system:serviceaccount:cluster1:hello-agent' },
      },
    ]);
  });
});

describe('permissions', () => {
  const holder = {
    ...hello,
    owner: { apiVersion: 'addon/v1', kind: 'ManagedClusterAddOn', name: 'hello', uid: 'uid' },
    user: own.user,
  };
  const asking = (...hubPermissions: object[]): AddOnTemplateV1alpha1 =>
    template([{ type: 'KubeClient', kubeClient: { hubPermissions } }] as Registrations);
  const here = (clusterRoleName: string) => ({ type: 'CurrentCluster', currentCluster: { clusterRoleName } });
  const there = (kind: string, name: string, namespace = 'shared') => ({
    type: 'SingleNamespace',
    singleNamespace: { namespace, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name } },
  });
  const bindingsOf = (template: AddOnTemplateV1alpha1, of = holder) => {
    const permissions = hubPermissions(template, of);
    if ('error' in permissions) throw new Error(permissions.error);
    return permissions.bindings;
  };

  test('are bound to this agent alone, and go with the add-on', () => {
    expect(bindingsOf(asking(here('reader')))).toEqual([
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: {
          name: 'fleetwright:hello:cluster1:clusterrole:reader',
          namespace: 'cluster1',
          labels: {
            'app.kubernetes.io/managed-by': 'fleetwright-controller',
            'open-cluster-management.io/addon-name': 'hello',
            'open-cluster-management.io/cluster-name': 'cluster1',
          },
          ownerReferences: [
            { apiVersion: 'addon/v1', kind: 'ManagedClusterAddOn', name: 'hello', uid: 'uid' },
          ],
        },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: own.user }],
      },
    ]);
  });

  test('in other namespaces have no owner, for it would be in another one', () => {
    const [binding] = bindingsOf(asking(there('Role', 'reader')));
    expect(binding?.metadata).not.toHaveProperty('ownerReferences');
    expect(binding?.metadata.namespace).toBe('shared');
  });

  test('never meet under one name: not of roles, kinds, clusters or add-ons', () => {
    const asked = asking(
      ...['a', 'b', 'a:b'].flatMap((name) => [there('Role', name), there('ClusterRole', name)]),
    );
    const holders = ['cluster1', 'cluster10', 'cluster'].flatMap((cluster) =>
      ['hello', 'hello-1'].map((addOn) => ({ ...holder, cluster, addOn })),
    );
    const names = holders.flatMap((of) => bindingsOf(asked, of).map(({ metadata }) => metadata.name));
    expect(names).toHaveLength(36);
    expect(new Set(names).size).toBe(36);
  });

  test('of roles with long names have names that fit, and are still their own', () => {
    const long = (end: string): object => there('ClusterRole', `${'r'.repeat(250)}${end}`);
    const names = bindingsOf(asking(long('1'), long('2'))).map(({ metadata }) => metadata.name ?? '');
    expect(names.map(({ length }) => length)).toEqual([253, 253]);
    expect(new Set(names).size).toBe(2);
  });

  test('that are requested twice are bound once', () => {
    expect(bindingsOf(asking(here('reader'), here('reader')))).toHaveLength(1);
  });

  test.each([
    ['CurrentCluster', 'current cluster is required when the HubPermission type is CurrentCluster'],
    ['SingleNamespace', 'single namespace is required when the HubPermission type is SingleNamespace'],
  ])('of the type %s without its part are an error', (type, error) => {
    expect(hubPermissions(asking({ type }), holder)).toEqual({ error });
  });
});

describe('the namespace of the agent', () => {
  const daemonSet = (namespace?: string): object => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'd', namespace },
  });
  const inNamespace = (namespace: string): Parameters<typeof installNamespace>[1] => ({
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'AddOnDeploymentConfig',
    metadata: { name: 'c' },
    spec: { agentInstallNamespace: namespace },
  });

  test.each<[string, readonly object[], string]>([
    ['of the first Deployment', [daemonSet('d'), deployment('a')], 'agents'],
    ['of the first DaemonSet that has one', [daemonSet(), daemonSet('d')], 'd'],
    [
      'of OCM where nothing says so',
      [{ apiVersion: 'v1', kind: 'ConfigMap' }],
      'open-cluster-management-agent-addon',
    ],
  ])('is that %s', (_, manifests, namespace) => {
    expect(installNamespace(template([], manifests), undefined)).toBe(namespace);
    expect(installNamespace(template([], manifests), inNamespace(''))).toBe(namespace);
    expect(installNamespace(template([], manifests), inNamespace('configured'))).toBe('configured');
  });
});
