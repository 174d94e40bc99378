import { describe, expect, it } from 'vitest';
import { render } from '../../../src/compiler/render/render.ts';
import { hubVersion, type HubVersionName } from '../../../src/ocm/hub-version.ts';
import {
  addOnTemplate,
  configMap,
  deployment,
  resolveTemplate,
  type ResolvedTemplate,
  type TemplateAddOn,
} from './template-add-on.ts';

const kubeClient = (...hubPermissions: object[]): object => ({
  type: 'KubeClient',
  kubeClient: { hubPermissions },
});
const currentCluster = (clusterRoleName: string): object => ({
  type: 'CurrentCluster',
  currentCluster: { clusterRoleName },
});
const singleNamespace = (namespace: string, roleRef: object): object => ({
  type: 'SingleNamespace',
  singleNamespace: {
    namespace,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader', ...roleRef },
  },
});

const group = 'addon.open-cluster-management.io';
const reference = (resource: string, name: string, namespace?: string): object => ({
  group,
  resource,
  name,
  namespace,
});

/** The conditions that the hub sets, in one line each. */
function conditionsOf(resolved: ResolvedTemplate, cluster?: string): string[] {
  return resolved
    .on(cluster)
    .status.conditions.map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`);
}

const configured = 'Configured True ConfigurationsConfigured: Configurations configured';
const tokenReady = (cluster: string, uid: string): string =>
  `TokenInfrastructureReady True TokenInfrastructureReady: ServiceAccount ${cluster}/agent-agent (UID: ${uid}) is ready`;
const applied =
  'RegistrationApplied True SetPermissionApplied: Registration of the addon agent is configured';

describe('an add-on that is rendered', () => {
  const resolved = resolveTemplate({
    manifests: [
      deployment('agent', {}, { args: ['--cluster={{CLUSTER_NAME}}'] }),
      configMap('settings', { mode: '{{MODE}}' }),
    ],
    registration: [kubeClient(currentCluster('agent'))],
    config: { agentInstallNamespace: '', customizedVariables: [{ name: 'MODE', value: '<fast>' }] },
    clusters: { c1: {}, c2: {} },
  });

  it('has its work on each cluster', () => {
    expect(resolved.on('c2').works).toMatchInlineSnapshot(`
      [
        {
          "apiVersion": "work.open-cluster-management.io/v1",
          "kind": "ManifestWork",
          "metadata": {
            "annotations": {
              "open-cluster-management.io/config-spec-hash": "{"addondeploymentconfigs.addon.open-cluster-management.io/ns/config":"38e84034a22ab5eacf2d854b966bfd4b8288feddc889964d26f6e99b775db2cf","addontemplates.addon.open-cluster-management.io//template":"bdf7327317da008c42a218101e6e58aaa34a91d31169b6a9d25343f83f0f26be"}",
            },
            "labels": {
              "open-cluster-management.io/addon-name": "agent",
            },
            "name": "addon-agent-deploy-0",
            "namespace": "c2",
            "ownerReferences": [
              {
                "apiVersion": "addon.open-cluster-management.io/v1beta1",
                "blockOwnerDeletion": true,
                "controller": true,
                "kind": "ManagedClusterAddOn",
                "name": "agent",
              },
            ],
          },
          "spec": {
            "manifestConfigs": [
              {
                "feedbackRules": [
                  {
                    "type": "WellKnownStatus",
                  },
                ],
                "feedbackScrapeType": "Poll",
                "resourceIdentifier": {
                  "group": "apps",
                  "name": "agent",
                  "namespace": "agents",
                  "resource": "deployments",
                },
              },
            ],
            "workload": {
              "manifests": [
                {
                  "apiVersion": "apps/v1",
                  "kind": "Deployment",
                  "metadata": {
                    "name": "agent",
                    "namespace": "agents",
                  },
                  "spec": {
                    "selector": {
                      "matchLabels": {
                        "app": "agent",
                      },
                    },
                    "strategy": {},
                    "template": {
                      "metadata": {
                        "labels": {
                          "app": "agent",
                        },
                      },
                      "spec": {
                        "containers": [
                          {
                            "args": [
                              "--cluster=c2",
                            ],
                            "env": [
                              {
                                "name": "HUB_KUBECONFIG",
                                "value": "/managed/hub-kubeconfig/kubeconfig",
                              },
                              {
                                "name": "CLUSTER_NAME",
                                "value": "c2",
                              },
                            ],
                            "image": "quay.io/ocm/agent:v1",
                            "name": "main",
                            "resources": {},
                            "volumeMounts": [
                              {
                                "mountPath": "/managed/hub-kubeconfig",
                                "name": "hub-kubeconfig",
                              },
                            ],
                          },
                        ],
                        "volumes": [
                          {
                            "name": "hub-kubeconfig",
                            "secret": {
                              "secretName": "agent-hub-kubeconfig",
                            },
                          },
                        ],
                      },
                    },
                  },
                  "status": {},
                },
                {
                  "apiVersion": "v1",
                  "data": {
                    "mode": "<fast>",
                  },
                  "kind": "ConfigMap",
                  "metadata": {
                    "name": "settings",
                    "namespace": "agents",
                  },
                },
              ],
            },
          },
        },
      ]
    `);
  });

  it('has its agent registered', () => {
    const { conditions: _, ...status } = resolved.on('c2').status;
    expect(status).toMatchInlineSnapshot(`
      {
        "healthCheck": {
          "mode": "Customized",
        },
        "namespace": "agents",
        "registrations": [
          {
            "kubeClient": {
              "subject": {
                "groups": [
                  "system:open-cluster-management:cluster:c2:addon:agent",
                  "system:open-cluster-management:addon:agent",
                ],
                "user": "system:open-cluster-management:cluster:c2:addon:agent:agent:agent-agent",
              },
            },
            "type": "kubeClient",
          },
        ],
        "supportedConfigs": [
          {
            "group": "addon.open-cluster-management.io",
            "resource": "addondeploymentconfigs",
          },
          {
            "group": "addon.open-cluster-management.io",
            "resource": "addontemplates",
          },
        ],
      }
    `);
    expect(conditionsOf(resolved, 'c2')).toEqual([configured, applied]);
  });

  it('has the permissions of the template in the namespace of its cluster', () => {
    expect(resolved.on('c2').roleBindings).toMatchInlineSnapshot(`
      [
        {
          "apiVersion": "rbac.authorization.k8s.io/v1",
          "kind": "RoleBinding",
          "metadata": {
            "labels": {
              "open-cluster-management.io/addon-name": "agent",
              "open-cluster-management.io/addon-template-name": "",
            },
            "name": "open-cluster-management:agent:clusterrole:agent",
            "namespace": "c2",
            "ownerReferences": [
              {
                "apiVersion": "addon.open-cluster-management.io/v1beta1",
                "kind": "ManagedClusterAddOn",
                "name": "agent",
              },
            ],
          },
          "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "ClusterRole",
            "name": "agent",
          },
          "subjects": [
            {
              "apiGroup": "rbac.authorization.k8s.io",
              "kind": "User",
              "name": "system:open-cluster-management:cluster:c2:addon:agent:agent:agent-agent",
            },
            {
              "apiGroup": "rbac.authorization.k8s.io",
              "kind": "Group",
              "name": "system:open-cluster-management:cluster:c2:addon:agent",
            },
            {
              "apiGroup": "rbac.authorization.k8s.io",
              "kind": "Group",
              "name": "system:open-cluster-management:addon:agent",
            },
          ],
        },
      ]
    `);
    expect(resolved.rendering.sharedBindings('agent')).toEqual([]);
  });

  it('is on no cluster that does not have it', () => {
    expect(resolved.rendering.clusterAddOn('agent', 'c3')).toBeUndefined();
    expect(resolved.rendering.clusterAddOn('other', 'c1')).toBeUndefined();
    expect(resolved.rendering.sharedBindings('other')).toEqual([]);
  });
});

describe('an add-on that no manager handles', () => {
  const gone = { addOnSpec: { configs: [reference('addontemplates', 'gone')] } };
  const self = { 'addon.open-cluster-management.io/lifecycle': 'self' };
  const shown = (resolved: ResolvedTemplate): unknown[] =>
    ['alpha', 'beta'].map((cluster) => resolved.on(cluster).status.healthCheck?.mode);

  it.each([
    ['1.1', 'run by the hub', undefined, [undefined, undefined]],
    ['1.2', 'run by the hub', undefined, [undefined, 'Lease']],
    ['1.2', 'left to itself', self, [undefined, 'Lease']],
    ['1.3', 'run by the hub', undefined, ['Lease', 'Lease']],
    ['1.3', 'left to itself', self, [undefined, 'Lease']],
  ] as const)(
    'shows on a hub of OCM %s, %s, by Lease everything that was ever written in v1beta1',
    (hub, _who, annotations, modes) => {
      const resolved = resolveTemplate({
        hub,
        ...(annotations === undefined ? {} : { annotations }),
        clusters: {
          alpha: { ...gone, addOnVersion: 'v1alpha1' },
          beta: { ...gone, addOnVersion: 'v1beta1' },
        },
      });
      expect(shown(resolved)).toEqual(modes);
    },
  );

  it.each([
    ['1.2', 'Unknown', undefined],
    ['1.3', 'True', undefined],
    ['1.3', 'Unknown', 'Lease'],
  ] as const)(
    'on a hub of OCM %s, the hub writes to it if the availability of the cluster is %s',
    (hub, available, mode) => {
      const clusters = { c1: { ...gone, addOnVersion: 'v1alpha1', available } } as const;
      expect(resolveTemplate({ hub, annotations: self, clusters }).on().status.healthCheck?.mode).toBe(mode);
    },
  );

  it.each([
    ['1.2', 'token', undefined],
    ['1.3', 'csr', undefined],
    ['1.3', 'token', 'Lease'],
  ] as const)(
    'on a hub of OCM %s, the hub writes to it if its agent has the driver %s',
    (hub, driver, mode) => {
      const registrations = [
        { signerName: 'kubernetes.io/kube-apiserver-client', subject: { user: 'agent' } },
      ];
      const addOnStatus = { kubeClientDriver: driver, registrations };
      const clusters = { c1: { ...gone, addOnVersion: 'v1alpha1', addOnStatus } } as const;
      expect(resolveTemplate({ hub, annotations: self, clusters }).on().status.healthCheck?.mode).toBe(mode);
    },
  );
});

describe('missing parts', () => {
  it('stops the hub completely if it is the template', () => {
    const configs = [reference('addontemplates', 'gone')];
    const resolved = resolveTemplate({ clusters: { c1: { addOnSpec: { configs } } } });
    expect(conditionsOf(resolved)).toEqual([configured]);
    expect(resolved.on()).toMatchObject({ works: [], status: { healthCheck: { mode: 'Lease' } } });
    expect(resolved.on().status).not.toHaveProperty('supportedConfigs');
  });

  it('prevents the registration of the agent if it is the configuration', () => {
    const configs = [reference('addondeploymentconfigs', 'gone', 'ns')];
    const resolved = resolveTemplate({
      manifests: [deployment('agent')],
      clusters: { c1: { addOnSpec: { configs } } },
    });
    expect(conditionsOf(resolved)).toEqual([configured]);
    expect(resolved.on().works).toEqual([]);
    expect(resolved.on().status.supportedConfigs).toHaveLength(2);
    expect(resolved.on().status).not.toHaveProperty('namespace');
  });

  it('is reported in conditions if the template is the first of two', () => {
    const configs = [reference('addontemplates', 'gone'), reference('addontemplates', 'template')];
    const resolved = resolveTemplate({
      manifests: [deployment('agent')],
      clusters: { c1: { addOnSpec: { configs } } },
    });
    expect(conditionsOf(resolved)).toEqual([
      configured,
      'RegistrationApplied False SetPermissionFailed: Failed to set permission for hub agent: PermissionConfig failed to get addon template for addon c1/agent: addon agent template desired spec hash is empty',
      'ManifestApplied False ManifestWorkApplyFailed: failed to get manifest from agent interface: addon agent template desired spec hash is empty',
    ]);
  });
});

describe('an add-on that the hub leaves alone', () => {
  it('is one that manages itself', () => {
    const annotations = { [`${group}/lifecycle`]: 'self' };
    const resolved = resolveTemplate({ manifests: [deployment('agent')], annotations });
    expect(resolved.on()).toMatchObject({ works: [], roleBindings: [], status: { conditions: [] } });
    expect(resolved.rendering.groups).toEqual([]);
  });

  it('gets no works while it is deleted, but for its hooks', () => {
    const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    const hooked = { ...deleted, finalizers: [`${group}/addon-pre-delete`] };
    const resolved = resolveTemplate({
      manifests: [deployment('agent')],
      clusters: { c1: { addOnMetadata: deleted }, c2: { addOnMetadata: hooked } },
    });
    expect([resolved.on('c1').works.length, resolved.on('c2').works.length]).toEqual([0, 1]);
  });
});

describe('the namespace of the agent', () => {
  const namespaceOf = (addOn: TemplateAddOn): string | undefined =>
    resolveTemplate(addOn).on().status.namespace;
  const daemonSet = {
    ...deployment('agent'),
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'daemons' },
  };

  it('is the one that the configuration names', () => {
    expect(namespaceOf({ manifests: [deployment('agent')], config: { agentInstallNamespace: 'mine' } })).toBe(
      'mine',
    );
    expect(namespaceOf({ manifests: [deployment('agent')], config: {} })).toBe(
      'open-cluster-management-agent-addon',
    );
  });

  it('is otherwise that of the first Deployment, then of the first DaemonSet, then the default', () => {
    expect(namespaceOf({ manifests: [daemonSet, deployment('agent')] })).toBe('agents');
    expect(namespaceOf({ manifests: [deployment('agent', {}, {}, { replicas: '{{N}}' }), daemonSet] })).toBe(
      'daemons',
    );
    expect(namespaceOf({ manifests: [configMap('a')] })).toBe('open-cluster-management-agent-addon');
  });
});

describe('a registration', () => {
  const manifests = [deployment('agent')];

  it('keeps the driver that the agent wrote, and with tokens the subject', () => {
    const user = 'system:serviceaccount:c1:agent-agent';
    const statusWith = (kubeClient: object): object => ({
      registrations: [{ type: 'kubeClient', kubeClient }],
    });
    const resolved = resolveTemplate({
      manifests,
      registration: [kubeClient(currentCluster('agent'))],
      clusters: {
        csr: { addOnStatus: statusWith({ driver: 'csr', subject: { user: 'old' } }) },
        token: { addOnStatus: statusWith({ driver: 'token', subject: { user } }) },
        fresh: { addOnStatus: statusWith({ driver: 'token' }) },
      },
    });
    expect(resolved.on('csr').status.registrations).toMatchObject([
      {
        kubeClient: {
          driver: 'csr',
          subject: { user: 'system:open-cluster-management:cluster:csr:addon:agent:agent:agent-agent' },
        },
      },
    ]);
    expect(resolved.on('token').status.registrations).toEqual([
      { type: 'kubeClient', kubeClient: { driver: 'token', subject: { user } } },
    ]);
    expect(resolved.on('token').roleBindings).toMatchObject([{ subjects: [{ kind: 'User', name: user }] }]);
    expect(conditionsOf(resolved, 'fresh')).toEqual([
      configured,
      'RegistrationApplied False PermissionConfigPending: registration subject not ready',
      tokenReady('fresh', '<uid>'),
    ]);
    expect(resolved.on('fresh')).toMatchObject({
      roleBindings: [],
      status: { registrations: [{ kubeClient: { subject: { user: '' } } }] },
    });
  });

  it('with tokens, has the subject of each of several with the same signer', () => {
    const subjectsOf = (...subjects: readonly object[]): unknown => {
      const existing = subjects.map((subject) => ({
        type: 'kubeClient',
        kubeClient: { driver: 'token', subject },
      }));
      const { registrations } = resolveTemplate({
        manifests,
        registration: [kubeClient(), kubeClient()],
        clusters: { c1: { addOnStatus: { registrations: existing } } },
      }).on().status;
      return registrations?.map(({ kubeClient }) => kubeClient?.subject?.user);
    };
    expect(subjectsOf({ user: 'one' }, { user: 'two' })).toEqual(['one', 'two']);
    expect(subjectsOf({ user: 'one' })).toEqual([
      'one',
      'system:open-cluster-management:cluster:c1:addon:agent:agent:agent-agent',
    ]);
  });

  it('takes the subject of a custom signer as it is', () => {
    const signer = (signerName: string, subject?: object): object => ({
      type: 'CustomSigner',
      customSigner: { signerName, signingCA: { name: 'ca' }, subject },
    });
    const registration = [
      signer('example.com/a', { organizationUnit: ['ou'] }),
      signer('example.com/a'),
      signer('example.com/b', { groups: [] }),
    ];
    const ofAgent = {
      user: 'system:open-cluster-management:cluster:c1:addon:agent:agent:agent-agent',
      groups: [
        'system:open-cluster-management:cluster:c1:addon:agent',
        'system:open-cluster-management:addon:agent',
      ],
    };
    expect(resolveTemplate({ manifests, registration }).on().status.registrations).toEqual([
      {
        type: 'customSigner',
        customSigner: { signerName: 'example.com/a', subject: { user: '', organizationUnits: ['ou'] } },
      },
      { type: 'customSigner', customSigner: { signerName: 'example.com/a', subject: ofAgent } },
      { type: 'customSigner', customSigner: { signerName: 'example.com/b', subject: { user: '' } } },
    ]);
  });

  it('is one for each signer on older hubs, and with compiled delivery', () => {
    const customSigner = { signerName: 'example.com/a', signingCA: { name: 'ca' } };
    const signer = { type: 'CustomSigner', customSigner };
    const registration = [kubeClient(), signer, kubeClient(), signer];
    const typesOn = (options: Partial<TemplateAddOn>): unknown =>
      resolveTemplate({ manifests, registration, ...options })
        .on()
        .status.registrations?.map(({ type }) => type);
    expect(typesOn({})).toEqual(['kubeClient', 'customSigner', 'kubeClient', 'customSigner']);
    expect(typesOn({ hub: '1.2' })).toEqual(['kubeClient', 'customSigner']);
    expect(typesOn({ annotations: { 'fleetwright.dev/delivery': 'compiled' } })).toEqual([
      'kubeClient',
      'customSigner',
    ]);
  });

  it('includes everybody who is authenticated on older hubs, but binds nothing to them', () => {
    const resolved = resolveTemplate({
      manifests,
      registration: [kubeClient(currentCluster('agent'))],
      hub: '1.2',
    });
    expect(resolved.on().status.registrations?.[0]?.kubeClient?.subject?.groups).toEqual([
      'system:open-cluster-management:cluster:c1:addon:agent',
      'system:open-cluster-management:addon:agent',
      'system:authenticated',
    ]);
    expect(resolved.on().roleBindings[0]?.subjects.map(({ name }) => name)).not.toContain(
      'system:authenticated',
    );
  });
});

it('leaves no image if a mirror replaces all of it', () => {
  const registries = [{ source: 'quay.io/ocm/agent:v1', mirror: '' }];
  const { works } = resolveTemplate({
    manifests: [deployment('agent')],
    config: { agentInstallNamespace: '', registries },
  }).on();
  expect(works[0]?.spec?.workload?.manifests?.[0]).not.toHaveProperty(
    'spec.template.spec.containers[0].image',
  );
});

describe('an older hub', () => {
  const hook = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'hook',
      namespace: 'agents',
      labels: { 'open-cluster-management.io/addon-pre-delete': '' },
    },
  };
  const pod = { workloadRef: { name: 'w', podGroup: 'g' }, hostnameOverride: 'h' };
  const addOn: TemplateAddOn = { manifests: [deployment('agent', pod), hook] };
  const podOf = (hub: HubVersionName): unknown => {
    const [manifest] = resolveTemplate({ ...addOn, hub }).on().works[0]?.spec?.workload?.manifests ?? [];
    return manifest?.['spec'];
  };

  it('uses another label for hooks, and names owners in another version', () => {
    const [older, newer] = (['1.2', '1.3'] as const).map((hub) => resolveTemplate({ ...addOn, hub }).on());
    expect([older?.finalizers.length, newer?.finalizers.length]).toEqual([1, 0]);
    expect(older?.works[0]?.metadata.ownerReferences).toMatchObject([
      { apiVersion: 'addon.open-cluster-management.io/v1alpha1' },
    ]);
  });

  it('drops unknown fields of pods, and writes missing times', () => {
    expect(podOf('1.3')).toMatchObject({ template: { spec: pod } });
    expect(podOf('1.2')).toMatchObject({ template: { spec: { hostnameOverride: 'h' } } });
    expect(podOf('1.2')).not.toHaveProperty('template.spec.workloadRef');
    expect(podOf('1.1')).not.toHaveProperty('template.spec.hostnameOverride');
    expect(podOf('1.1')).toHaveProperty('template.metadata.creationTimestamp', null);
  });
});

describe('hub permissions', () => {
  const manifests = [deployment('agent')];

  it('in a single namespace are one binding for all clusters', () => {
    const registration = [kubeClient(singleNamespace('shared', {}))];
    const resolved = resolveTemplate({ manifests, registration, clusters: { c1: {}, c2: {} } });
    expect(resolved.on('c1').roleBindings).toEqual([]);
    expect(resolved.rendering.sharedBindings('agent')).toMatchInlineSnapshot(`
      [
        {
          "apiVersion": "rbac.authorization.k8s.io/v1",
          "kind": "RoleBinding",
          "metadata": {
            "labels": {
              "open-cluster-management.io/addon-name": "agent",
              "open-cluster-management.io/addon-template-name": "",
            },
            "name": "open-cluster-management:agent:role:agent",
            "namespace": "shared",
          },
          "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "Role",
            "name": "reader",
          },
          "subjects": [
            {
              "apiGroup": "rbac.authorization.k8s.io",
              "kind": "User",
              "name": "system:open-cluster-management:cluster:c2:addon:agent:agent:agent-agent",
            },
            {
              "apiGroup": "rbac.authorization.k8s.io",
              "kind": "Group",
              "name": "system:open-cluster-management:cluster:c2:addon:agent",
            },
            {
              "apiGroup": "rbac.authorization.k8s.io",
              "kind": "Group",
              "name": "system:open-cluster-management:addon:agent",
            },
          ],
        },
      ]
    `);
  });

  it('that name two roles of one kind in one namespace fail, and the first is kept', () => {
    const registration = [kubeClient(currentCluster('view'), currentCluster('edit'))];
    const resolved = resolveTemplate({ manifests, registration });
    expect(conditionsOf(resolved)).toEqual([
      configured,
      'RegistrationApplied False SetPermissionFailed: Failed to set permission for hub agent: RoleBinding.rbac.authorization.k8s.io "open-cluster-management:agent:clusterrole:agent" is invalid: roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef',
    ]);
    expect(resolved.on()).toMatchObject({
      roleBindings: [{ roleRef: { name: 'view' } }],
      works: [{}],
      status: { namespace: 'agents' },
    });
    expect(resolved.found('FW6008')).toMatchInlineSnapshot(`
      [
        {
          "hint": "a template can bind one ClusterRole and one Role in each namespace: put what the agent needs into one role",
          "message": "the hub cannot grant the permissions of add-on "agent" on 1 cluster: RoleBinding.rbac.authorization.k8s.io "open-cluster-management:agent:clusterrole:agent" is invalid: roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef",
          "path": "spec.registration[0].kubeClient.hubPermissions[1]",
          "severity": "error",
        },
      ]
    `);
  });

  it('that are incomplete fail before anything is registered, unless others come first', () => {
    const incomplete = { type: 'CurrentCluster' };
    const first = resolveTemplate({
      manifests,
      registration: [kubeClient(incomplete, currentCluster('view'))],
    });
    expect(first.on().status).not.toHaveProperty('registrations');
    expect(first.on().roleBindings).toEqual([]);
    expect(first.found('FW6008')).toMatchInlineSnapshot(`
      [
        {
          "hint": "a template can bind one ClusterRole and one Role in each namespace: put what the agent needs into one role",
          "message": "the hub cannot grant the permissions of add-on "agent" on 1 cluster: current cluster is required when the HubPermission type is CurrentCluster",
          "path": "spec.registration[0].kubeClient.hubPermissions[0]",
          "severity": "error",
        },
      ]
    `);
    const second = resolveTemplate({
      manifests,
      registration: [kubeClient(currentCluster('view'), incomplete)],
    });
    expect(second.on().status.registrations).toHaveLength(1);
    expect(second.on().roleBindings).toHaveLength(1);
  });

  it('that the API server has no roles for fail', () => {
    const registration = [
      kubeClient(singleNamespace('shared', { apiGroup: 'apps', kind: 'Group', name: '' })),
    ];
    expect(conditionsOf(resolveTemplate({ manifests, registration }))[1]).toBe(
      'RegistrationApplied False SetPermissionFailed: Failed to set permission for hub agent: RoleBinding.rbac.authorization.k8s.io "open-cluster-management:agent:group:agent" is invalid: [roleRef.apiGroup: Unsupported value: "apps": supported values: "rbac.authorization.k8s.io", roleRef.kind: Unsupported value: "Group": supported values: "Role", "ClusterRole", roleRef.name: Required value]',
    );
  });

  it('of the clusters meet in a namespace that belongs to one of them', () => {
    const clusterRole = { kind: 'ClusterRole', name: 'view' };
    const registration = [kubeClient(currentCluster('view'), singleNamespace('c2', clusterRole))];
    const resolved = resolveTemplate({ manifests, registration, clusters: { c1: {}, c2: {} } });
    expect(resolved.on('c2').roleBindings).toMatchObject([
      {
        metadata: { namespace: 'c2', ownerReferences: [{ name: 'agent' }] },
        subjects: [{ name: expect.stringContaining('cluster:c2:') }, {}, {}],
      },
    ]);
    expect(resolved.rendering.sharedBindings('agent')).toEqual([]);
  });
});

describe('works', () => {
  it('omit the objects that run before the deletion, and add the finalizer for them', () => {
    const annotations = { [`${group}/addon-pre-delete`]: '' };
    const hook = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'hook', namespace: 'agents', annotations },
    };
    const both = resolveTemplate({ manifests: [hook, configMap('a')] }).on();
    expect(both.finalizers).toEqual([`${group}/addon-pre-delete`]);
    expect(both.works[0]?.spec?.workload?.manifests).toMatchObject([{ kind: 'ConfigMap' }]);
    const alone = resolveTemplate({ manifests: [hook] });
    expect(alone.on()).toMatchObject({ works: [], finalizers: [`${group}/addon-pre-delete`] });
    expect(conditionsOf(alone)).toEqual([
      configured,
      applied,
      'ManifestApplied True AddonManifestApplied: no manifest need to apply',
    ]);
  });

  it('keep objects with that annotation on deletion', () => {
    const kept = {
      ...configMap('a'),
      metadata: { name: 'a', namespace: 'agents', annotations: { [`${group}/deletion-orphan`]: '' } },
    };
    expect(resolveTemplate({ manifests: [kept] }).on().works[0]?.spec?.deleteOption).toEqual({
      propagationPolicy: 'SelectivelyOrphan',
      selectivelyOrphans: {
        orphaningRules: [{ group: '', resource: 'configmaps', namespace: 'agents', name: 'a' }],
      },
    });
  });

  it('contain at most 80 % of 500 KiB each, the largest manifests first', () => {
    const sizes = { a: 10, b: 300_000, c: 200_000, d: 100_000 };
    const manifests = Object.entries(sizes).map(([name, size]) =>
      configMap(name, { text: 'x'.repeat(size) }),
    );
    expect(namesByWork(resolveTemplate({ manifests }))).toEqual({
      'addon-agent-deploy-0': ['b'],
      'addon-agent-deploy-1': ['c', 'd', 'a'],
    });
  });

  it('do not begin with number 0 if the first manifest is too large for any', () => {
    const manifests = [configMap('small'), configMap('big', { text: 'x'.repeat(410_000) })];
    expect(namesByWork(resolveTemplate({ manifests }))).toEqual({
      'addon-agent-deploy-1': ['big'],
      'addon-agent-deploy-2': ['small'],
    });
  });

  it('carry of two objects with one identity the last', () => {
    const resolved = resolveTemplate({ manifests: [configMap('a', { v: '1' }), configMap('a', { v: '2' })] });
    expect(resolved.on().works[0]?.spec?.workload?.manifests).toEqual([configMap('a', { v: '2' })]);
  });

  it('take manifestConfigs from the default template', () => {
    const watch = (name: string): object => ({
      resourceIdentifier: { resource: 'configmaps', name },
      feedbackRules: [{ type: 'JSONPaths', jsonPaths: [{ name: 'v', path: '.data.v' }] }],
      feedbackScrapeType: 'Watch',
    });
    const own = {
      addonName: 'agent',
      agentSpec: { manifestConfigs: [watch('own')], workload: { manifests: [configMap('a')] } },
    };
    const resolved = resolveTemplate({
      manifests: [],
      agentSpec: { manifestConfigs: [watch('standard')] },
      clusters: { c1: { addOnSpec: { configs: [reference('addontemplates', 'own')] } } },
      others: [addOnTemplate('own', own)],
    });
    expect(resolved.on().works[0]?.spec?.manifestConfigs).toEqual([
      {
        resourceIdentifier: { group: '', resource: 'configmaps', namespace: '', name: 'standard' },
        feedbackRules: [{ type: 'JSONPaths', jsonPaths: [{ name: 'v', path: '.data.v' }] }],
        feedbackScrapeType: 'Watch',
      },
    ]);
  });

  function namesByWork(resolved: ResolvedTemplate): Record<string, unknown> {
    return Object.fromEntries(
      resolved
        .on()
        .works.map(({ metadata, spec }) => [
          metadata.name,
          (spec?.workload?.manifests ?? []).map((manifest) => manifest.metadata.name),
        ]),
    );
  }
});

describe('faults that stop the hub', () => {
  const withValue = (value: string, more: TemplateAddOn = {}): TemplateAddOn => ({
    manifests: [configMap('a', { v: '{{V}}' })],
    config: { agentInstallNamespace: 'agents', customizedVariables: [{ name: 'V', value }] },
    ...more,
  });

  it('FW6001: a value that breaks the JSON text', () => {
    const resolved = resolveTemplate(withValue('say "hello"', { clusters: { c1: {}, c2: {} } }));
    expect(resolved.on()).toMatchObject({ works: [] });
    expect(conditionsOf(resolved)).toEqual([
      configured,
      applied,
      "ManifestApplied False ManifestWorkApplyFailed: failed to get manifest from agent interface: invalid character 'h' after object key:value pair",
    ]);
    expect(resolved.found('FW6001')).toMatchInlineSnapshot(`
      [
        {
          "hint": "variables are inserted into JSON text unchanged: a value must be the inside of a JSON string, with \\" for a quotation mark",
          "message": "the hub cannot read a manifest of add-on "agent" on 2 clusters: invalid character 'h' after object key:value pair",
          "path": "spec.agentSpec.workload.manifests[0]",
          "severity": "error",
        },
      ]
    `);
  });

  it('FW6001: a kind or apiVersion that is gone with its variable', () => {
    const value = 'a"},"kind":"","more":{"x":"y';
    const kindless = resolveTemplate(
      withValue(value, { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{V}}' } }] }),
    );
    expect(conditionsOf(kindless)[2]).toMatchInlineSnapshot(
      `"ManifestApplied False ManifestWorkApplyFailed: failed to get manifest from agent interface: Object 'Kind' is missing in '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"kind":"","more":{"x":"y"}}'"`,
    );
    const versionless = resolveTemplate({
      manifests: [
        {
          apiVersion: '{{V}}',
          kind: 'A',
          metadata: { name: 'a', labels: { n: '1' } },
          list: [1, null, { b: true }],
        },
      ],
    });
    expect(conditionsOf(versionless)[2]).toMatchInlineSnapshot(
      `"ManifestApplied False ManifestWorkApplyFailed: failed to build manifestwork: failed to generate required mapper.err got empty kind/version from object &{map[apiVersion: kind:A list:[1 <nil> map[b:true]] metadata:map[labels:map[n:1] name:a]]}"`,
    );
    expect([...kindless.found('FW6001'), ...versionless.found('FW6001')].map(({ message }) => message))
      .toMatchInlineSnapshot(`
      [
        "the hub cannot read a manifest of add-on "agent" on 1 cluster: Object 'Kind' is missing in '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"kind":"","more":{"x":"y"}}'",
        "the hub cannot read a manifest of add-on "agent" on 1 cluster: failed to generate required mapper.err got empty kind/version from object &{map[apiVersion: kind:A list:[1 <nil> map[b:true]] metadata:map[labels:map[n:1] name:a]]}",
      ]
    `);
  });

  it('FW6002: braces that are never closed', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, type: '{{TYPE' };
    expect(resolveTemplate({ manifests: [secret] }).found('FW6002')).toMatchInlineSnapshot(`
      [
        {
          "hint": "close the variable with }}: otherwise OCM's add-on manager crashes, for all template add-ons",
          "message": "the hub cannot render the template of add-on "agent" on 1 cluster: Cannot find end tag="}}"",
          "path": "spec.agentSpec.workload.manifests[0]",
          "severity": "error",
        },
      ]
    `);
  });

  it('writes no condition if it crashes, and removes an old failure if it renders', () => {
    const failure = {
      type: 'ManifestApplied',
      status: 'False',
      reason: 'ManifestWorkApplyFailed',
      message: 'old',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const clusters = { c1: { addOnStatus: { conditions: [failure] } } };
    const crashing = resolveTemplate({ manifests: [{ ...configMap('a'), z: '{{' }], clusters });
    expect(conditionsOf(crashing)).toContain('ManifestApplied False ManifestWorkApplyFailed: old');
    expect(conditionsOf(resolveTemplate({ manifests: [configMap('a')], clusters }))).toEqual([
      configured,
      applied,
    ]);
  });

  it('FW6003: a configuration that it cannot use', () => {
    const requirements = {
      agentInstallNamespace: 'agents',
      resourceRequirements: [{ containerID: 'deployments:a:b:c', resources: {} }],
    };
    const posing = {
      agentInstallNamespace: 'agents',
      customizedVariables: [{ name: '__REGISTRIES', value: 'x' }],
    };
    const found = [requirements, posing].flatMap((config) =>
      resolveTemplate({ manifests: [deployment('agent')], config }).found('FW6003'),
    );
    expect(found).toMatchInlineSnapshot(`
      [
        {
          "hint": "correct the field; until then the hub delivers nothing new",
          "message": "the hub cannot use the configuration of add-on "agent" on 1 cluster: invalid ContainerID: deployments:a:b:c",
          "path": "spec.resourceRequirements[0]",
          "severity": "error",
        },
        {
          "hint": "correct the field; until then the hub delivers nothing new",
          "message": "the hub cannot use the configuration of add-on "agent" on 1 cluster: registries value is invalid",
          "path": "spec.customizedVariables[0]",
          "severity": "error",
        },
      ]
    `);
    // without a workload nobody asks for registries
    expect(resolveTemplate({ manifests: [configMap('a')], config: posing }).found('FW6003')).toEqual([]);
  });

  it('FW6004: an annotation that is not JSON', () => {
    const annotations = { 'open-cluster-management.io/image-registries': '{"registries":"quay.io"}' };
    const resolved = resolveTemplate({
      manifests: [configMap('a')],
      clusters: { c1: { annotations }, c2: {} },
    });
    expect(resolved.found('FW6004')).toMatchInlineSnapshot(`
      [
        {
          "hint": "write {"registries":[{"source":"quay.io/ocm","mirror":"registry.example.com/ocm"}]}, or remove the annotation",
          "message": "the hub cannot read the image registries of add-on "agent" on 1 cluster: json: cannot unmarshal string into Go struct field ImageRegistries.registries of type []v1beta1.ImageMirror",
          "path": "metadata.annotations[open-cluster-management.io/image-registries]",
          "severity": "error",
        },
      ]
    `);
    expect([resolved.on('c1').works.length, resolved.on('c2').works.length]).toEqual([0, 1]);
  });

  it('FW6005: a custom signer that is not there', () => {
    const registration = [{ type: 'CustomSigner' }];
    expect(resolveTemplate({ manifests: [deployment('agent')], registration }).found('FW6005'))
      .toMatchInlineSnapshot(`
      [
        {
          "hint": "write customSigner with signerName and signingCA, or remove the registration",
          "message": "the hub cannot mount the certificates of add-on "agent" on 1 cluster: custom signer is nil",
          "path": "spec.registration[0]",
          "severity": "error",
        },
      ]
    `);
    expect(resolveTemplate({ manifests: [configMap('a')], registration }).on().works).toHaveLength(1);
  });

  it('FW6006: a binding without subjects', () => {
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'a' },
      roleRef: {},
    };
    expect(resolveTemplate({ manifests: [binding], config: {} }).found('FW6006')).toMatchInlineSnapshot(`
      [
        {
          "hint": "add subjects to the binding, at least an empty list",
          "message": "the hub cannot move a binding of add-on "agent" on 1 cluster: failed to find field subjects",
          "path": "spec.agentSpec.workload.manifests[0]",
          "severity": "error",
        },
      ]
    `);
    expect(resolveTemplate({ manifests: [binding] }).on().works).toHaveLength(1);
  });

  it('FW6007: a work that the API server refuses', () => {
    const resolved = resolveTemplate(
      withValue('a/b', { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{V}}' } }] }),
    );
    expect(resolved.found('FW6007')).toMatchInlineSnapshot(`
      [
        {
          "hint": "correct the manifest; the API server rejects the whole work",
          "message": "the hub cannot store a work of add-on "agent" on 1 cluster: ManifestWork.work.open-cluster-management.io "addon-agent-deploy-0" is invalid: spec.workload.manifests[0].metadata.name: name "a/b" must not contain '/'",
          "severity": "error",
        },
      ]
    `);
    expect(resolved.on().works).toEqual([]);
  });
});

it('renders each cluster again, and all of them the same', () => {
  const clusters = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`c${index}`, {}]));
  const { resolution } = resolveTemplate({ manifests: [deployment('agent')], clusters });
  const { inventory, decisions, configuration } = resolution;
  const { value } = render(inventory, decisions, configuration, { hub: hubVersion('1.3') });
  for (const cluster of Object.keys(clusters)) {
    expect(value.clusterAddOn('agent', cluster)).toEqual(resolution.rendering.clusterAddOn('agent', cluster));
  }
  expect(value.groups.map((group) => group.clusters.length)).toEqual([20]);
});
