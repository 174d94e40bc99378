import { describe, expect, test } from 'vitest';
import {
  AddOnAgent,
  AddOnTemplate,
  ApiObject,
  ClusterManagementAddOn,
  CompanionController,
} from '../../constructs/index.ts';
import type { CompanionControllerProps } from '../../constructs/index.ts';
import { secretName } from '../../src/controller/agent/credentials/credential-secret.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { objectOf, objectsOf } from './in-chart.ts';

const image = 'registry.example.com/fleetwright:0.1.0';

function companion(props: Partial<CompanionControllerProps> = {}): KubernetesObject[] {
  return objectsOf(
    (chart) => new CompanionController(chart, 'companion', { image, namespace: 'ocm', ...props }),
  );
}

const of = (
  objects: readonly KubernetesObject[],
  kind: string,
  name = 'companion',
): Record<string, unknown> => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return { ...found };
};

/** `verb resource.group` for each rule, with the names that it is for. */
function allowed(role: Record<string, unknown>): string[] {
  return (role['rules'] as Record<string, readonly string[]>[]).flatMap(
    ({ apiGroups = [], resources = [], resourceNames, verbs = [] }) =>
      resources.map((resource) => {
        const names = resourceNames === undefined ? '' : ` of ${resourceNames.join(', ')}`;
        return `${verbs.join(' ')} ${resource}.${apiGroups[0]}${names}`;
      }),
  );
}

describe('a companion', () => {
  test('has all required permissions, and none in other namespaces', () => {
    expect(
      companion({ admissionPolicies: false }).map(({ kind, metadata }) =>
        [kind, metadata.namespace, metadata.name].filter(Boolean).join(' '),
      ),
    ).toEqual([
      'ServiceAccount ocm companion',
      'ClusterRole companion',
      'ClusterRoleBinding companion',
      'Role ocm companion-election',
      'RoleBinding ocm companion-election',
      'Deployment ocm companion',
      'PodDisruptionBudget ocm companion',
      'NetworkPolicy ocm companion',
      'Service ocm companion',
    ]);
  });

  test('runs in two restricted pods, apart from each other', () => {
    expect(of(companion(), 'Deployment')['spec']).toMatchInlineSnapshot(`
      {
        "replicas": 2,
        "selector": {
          "matchLabels": {
            "app.kubernetes.io/instance": "companion",
            "app.kubernetes.io/name": "fleetwright-controller",
          },
        },
        "template": {
          "metadata": {
            "labels": {
              "app.kubernetes.io/instance": "companion",
              "app.kubernetes.io/name": "fleetwright-controller",
            },
          },
          "spec": {
            "affinity": {
              "podAntiAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [
                  {
                    "podAffinityTerm": {
                      "labelSelector": {
                        "matchLabels": {
                          "app.kubernetes.io/instance": "companion",
                          "app.kubernetes.io/name": "fleetwright-controller",
                        },
                      },
                      "topologyKey": "kubernetes.io/hostname",
                    },
                    "weight": 100,
                  },
                ],
              },
            },
            "containers": [
              {
                "args": [
                  "controller",
                  "hub",
                  "--leader-election-name=companion",
                ],
                "image": "registry.example.com/fleetwright:0.1.0",
                "livenessProbe": {
                  "httpGet": {
                    "path": "/healthz",
                    "port": "metrics",
                  },
                  "periodSeconds": 20,
                  "timeoutSeconds": 5,
                },
                "name": "controller",
                "ports": [
                  {
                    "containerPort": 8080,
                    "name": "metrics",
                  },
                ],
                "readinessProbe": {
                  "httpGet": {
                    "path": "/readyz",
                    "port": "metrics",
                  },
                  "periodSeconds": 10,
                  "timeoutSeconds": 5,
                },
                "resources": {
                  "limits": {
                    "memory": "512Mi",
                  },
                  "requests": {
                    "cpu": "100m",
                    "memory": "128Mi",
                  },
                },
                "securityContext": {
                  "allowPrivilegeEscalation": false,
                  "capabilities": {
                    "drop": [
                      "ALL",
                    ],
                  },
                  "readOnlyRootFilesystem": true,
                },
              },
            ],
            "securityContext": {
              "runAsGroup": 1000,
              "runAsNonRoot": true,
              "runAsUser": 1000,
              "seccompProfile": {
                "type": "RuntimeDefault",
              },
            },
            "serviceAccountName": "companion",
            "terminationGracePeriodSeconds": 30,
          },
        },
      }
    `);
  });

  test('has only the permissions that it needs, and reads no Secrets', () => {
    expect(allowed(of(companion(), 'ClusterRole'))).toEqual([
      'get list watch clustermanagementaddons.addon.open-cluster-management.io',
      'get list watch patch delete managedclusteraddons.addon.open-cluster-management.io',
      'patch managedclusteraddons/status.addon.open-cluster-management.io',
      'update clustermanagementaddons/finalizers.addon.open-cluster-management.io',
      'update managedclusteraddons/finalizers.addon.open-cluster-management.io',
      'list watch addontemplates.addon.open-cluster-management.io',
      'list watch addondeploymentconfigs.addon.open-cluster-management.io',
      'list watch managedclusters.cluster.open-cluster-management.io',
      'list watch patch delete manifestworks.work.open-cluster-management.io',
      'get list watch create patch delete rolebindings.rbac.authorization.k8s.io',
      'get list watch certificatesigningrequests.certificates.k8s.io',
      'patch certificatesigningrequests/approval.certificates.k8s.io',
      'approve signers.certificates.k8s.io of kubernetes.io/kube-apiserver-client',
      'create patch events.',
    ]);
    expect(allowed(of(companion(), 'Role', 'companion-election'))).toEqual([
      'create leases.coordination.k8s.io',
      'get update leases.coordination.k8s.io of companion',
    ]);
  });

  test('binds the roles in its props, Roles only in their namespace', () => {
    const objects = companion({
      grants: [
        { kind: 'ClusterRole', name: 'reader' },
        { kind: 'ClusterRole', name: 'admin', namespace: 'shop' },
        { kind: 'Role', name: 'writer', namespace: 'shop' },
        { kind: 'Role', name: 'auditor', metadata: { namespace: 'bank' } },
      ],
    });
    const binds = (role: Record<string, unknown>): string[] =>
      allowed(role).filter((rule) => rule.startsWith('bind '));
    expect(binds(of(objects, 'ClusterRole'))).toEqual([
      'bind clusterroles.rbac.authorization.k8s.io of reader',
    ]);
    const [shop, bank] = ['shop', 'bank'].map((at) => of(objects, 'Role', `companion-grants-${at}`));
    expect(shop?.['metadata']).toMatchObject({ namespace: 'shop' });
    expect(allowed({ ...shop })).toEqual([
      'bind clusterroles.rbac.authorization.k8s.io of admin',
      'bind roles.rbac.authorization.k8s.io of writer',
    ]);
    expect(allowed({ ...bank })).toEqual(['bind roles.rbac.authorization.k8s.io of auditor']);
    expect(of(objects, 'RoleBinding', 'companion-grants-bank')).toMatchObject({
      metadata: { namespace: 'bank' },
      roleRef: { kind: 'Role', name: 'companion-grants-bank' },
      subjects: [{ kind: 'ServiceAccount', name: 'companion', namespace: 'ocm' }],
    });
  });

  test('accepts constructs as grants, also if a Chart sets a namespace on a ClusterRole', () => {
    const objects = objectsOf((chart) => {
      const role = (kind: string): ApiObject =>
        new ApiObject(chart, kind, {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind,
          metadata: { name: 'reader', namespace: 'shop' },
        });
      const grants = [role('Role'), role('ClusterRole')];
      new CompanionController(chart, 'companion', { image, namespace: 'ocm', grants });
    });
    expect(allowed(of(objects, 'Role', 'companion-grants-shop'))).toEqual([
      'bind roles.rbac.authorization.k8s.io of reader',
    ]);
    expect(allowed(of(objects, 'ClusterRole'))).toContain(
      'bind clusterroles.rbac.authorization.k8s.io of reader',
    );
  });

  test('throws if the namespace of a Role is missing', () => {
    expect(() => companion({ grants: [{ kind: 'Role', name: 'writer' }] })).toThrow(
      "companion: grants[0] needs the namespace of the Role, such as { kind: 'Role', name: 'writer', namespace: 'shop' }",
    );
  });

  test('signs for the signers in its props, and reads only their authorities', () => {
    const objects = companion({
      signers: [
        { signerName: 'example.com/logs', signingCA: { name: 'logs-ca', namespace: 'pki' } },
        {
          signerName: 'example.com/metrics',
          signingCA: { name: 'metrics-ca', namespace: 'pki' },
          addOn: ClusterManagementAddOn.reference('metrics'),
        },
      ],
    });
    expect(of(objects, 'Deployment')).toMatchObject({
      spec: {
        template: {
          spec: {
            containers: [
              {
                args: [
                  'controller',
                  'hub',
                  '--leader-election-name=companion',
                  '--signer=example.com/logs=pki/logs-ca',
                  '--signer=example.com/metrics=pki/metrics-ca:metrics',
                ],
              },
            ],
          },
        },
      },
    });
    const rules = allowed(of(objects, 'ClusterRole'));
    expect(rules.filter((rule) => / signers/.test(rule))).toEqual([
      'approve signers.certificates.k8s.io of kubernetes.io/kube-apiserver-client, example.com/logs, example.com/metrics',
      'sign signers.certificates.k8s.io of example.com/logs, example.com/metrics',
    ]);
    expect(rules).toContain('patch certificatesigningrequests/status.certificates.k8s.io');
    const role = of(objects, 'Role', 'companion-authorities-pki');
    expect(role['metadata']).toMatchObject({ namespace: 'pki' });
    expect(allowed(role)).toEqual(['get secrets. of logs-ca, metrics-ca']);
    expect(of(objects, 'RoleBinding', 'companion-authorities-pki')).toMatchObject({
      roleRef: { kind: 'Role', name: 'companion-authorities-pki' },
      subjects: [{ kind: 'ServiceAccount', name: 'companion', namespace: 'ocm' }],
    });
  });

  test('follows kinds of configuration, and add-ons that do not list them', () => {
    const objects = companion({
      configKinds: [{ group: 'metrics.example.com', resource: 'exporters' }],
      addOns: [ClusterManagementAddOn.reference('metrics')],
      options: ['--deny'],
    });
    expect(allowed(of(objects, 'ClusterRole'))).toContain('list watch exporters.metrics.example.com');
    expect(JSON.stringify(of(objects, 'Deployment'))).toContain('"--add-on=metrics","--deny"');
  });

  test('reads Secrets that are configurations one by one, by their names', () => {
    const named = (name: string, namespace: string) => ({ name, namespace });
    const objects = companion({
      secretConfigs: [
        named('token', 'shop'),
        named('login', 'shop'),
        named('token', 'bank'),
        named('token', 'shop'),
      ],
    });
    const roles = ['companion-configs-bank', 'companion-configs-shop'].map((name) =>
      of(objects, 'Role', name),
    );
    expect(roles.map(allowed)).toEqual([
      ['list watch secrets. of token'],
      ['list watch secrets. of login, token'],
    ]);
    expect(roles.map(({ metadata }) => metadata)).toMatchObject([
      { namespace: 'bank' },
      { namespace: 'shop' },
    ]);
    expect(allowed(of(objects, 'ClusterRole')).filter((rule) => rule.includes('secrets'))).toEqual([]);
  });

  test('grants only roles, and throws for anything else', () => {
    expect(() => companion({ grants: [{ kind: 'ServiceAccount', name: 'reader' }] })).toThrow(
      "companion: grants[0] has to be a Role or a ClusterRole, such as { kind: 'ClusterRole', name: 'reader' }",
    );
  });

  test('rejects Secrets as a kind of configuration', () => {
    expect(() => companion({ configKinds: [{ group: '', resource: 'secrets' }] })).toThrow(
      'companion: configKinds would let the companion read all Secrets: name those that it shall read in secretConfigs',
    );
  });

  test('lets only those read its metrics who are named', () => {
    const metricsFrom = [{ namespaces: { 'kubernetes.io/metadata.name': 'monitoring' } }];
    expect(of(companion({ metricsFrom }), 'NetworkPolicy')['spec']).toMatchObject({
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
          ports: [{ protocol: 'TCP', port: 8080 }],
        },
      ],
    });
  });

  test('speaks to the API server and to DNS, and is spoken to by who collects metrics', () => {
    const { spec } = of(companion({ apiServerPorts: [8443] }), 'NetworkPolicy') as { spec: unknown };
    expect(spec).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [{ protocol: 'TCP', port: 8080 }] }],
      egress: [
        { ports: [{ protocol: 'TCP', port: 8443 }] },
        {
          ports: [
            { protocol: 'UDP', port: 53 },
            { protocol: 'TCP', port: 53 },
          ],
        },
      ],
    });
  });
});

describe('the admission policies of a companion', () => {
  const policies = (props: Partial<CompanionControllerProps> = {}): KubernetesObject[] =>
    companion(props).filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');
  const ids = [
    'works',
    'add-ons',
    'add-on-statuses',
    'role-bindings',
    'certificate-requests',
    'events',
    'leases',
  ];

  test('are one for each kind that it writes, each with a binding that denies', () => {
    expect(policies().map(({ metadata }) => metadata)).toEqual(
      ids.map((id) => ({ name: `companion-${id}`, labels: expect.any(Object) as unknown })),
    );
    for (const { metadata } of policies()) {
      const binding = of(companion(), 'ValidatingAdmissionPolicyBinding', metadata.name);
      expect(binding['spec']).toEqual({ policyName: metadata.name, validationActions: ['Deny'] });
    }
  });

  test('are about its ServiceAccount alone', () => {
    for (const { spec } of policies() as (KubernetesObject & { spec: Record<string, unknown> })[]) {
      expect(spec['matchConditions']).toEqual([
        {
          name: 'companion',
          expression: "request.userInfo.username == 'system:serviceaccount:ocm:companion'",
        },
      ]);
      // A parameter that cannot be read would fail the requests of everybody.
      expect(spec).not.toHaveProperty('paramKind');
    }
  });

  test('cover every kind that it may write', () => {
    const objects = companion({
      signers: [{ signerName: 'example.com/logs', signingCA: { name: 'logs-ca', namespace: 'pki' } }],
    });
    const rules = objects
      .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
      .flatMap((role) => role['rules'] as Record<string, readonly string[]>[]);
    const writes = new Set(['create', 'update', 'patch', 'delete']);
    const written = rules.flatMap(({ resources = [], verbs = [] }) =>
      verbs.some((verb) => writes.has(verb)) ? resources : [],
    );
    const covered = policies().flatMap(
      ({ spec }) =>
        (spec as { matchConstraints: { resourceRules: { resources: string[] }[] } }).matchConstraints
          .resourceRules[0]?.resources ?? [],
    );
    // Nobody can write finalizers as a resource: it is a permission that guards owners.
    expect([...new Set(written)].filter((resource) => !resource.endsWith('/finalizers')).sort()).toEqual(
      covered.sort(),
    );
  });

  test('let it create and delete works of pre-delete hooks only if it runs them, which is not an option', () => {
    const works = (preDeleteHooks: boolean): string => {
      const policy = policies({ preDeleteHooks }).find(({ metadata }) => metadata.name === 'companion-works');
      return JSON.stringify(policy);
    };
    expect(works(false)).toContain('fleetwright: ManifestWorks are not deleted');
    expect(works(false)).not.toContain('CREATE');
    expect(works(true)).toContain('fleetwright: only ManifestWorks of pre-delete hooks are created');
    expect(works(true)).toContain(
      'fleetwright: only ManifestWorks of pre-delete hooks, and those that Git leaves to the companion, are deleted',
    );
    const objects = companion({ preDeleteHooks: true });
    expect(allowed(of(objects, 'ClusterRole'))).toContain(
      'get list watch create patch delete manifestworks.work.open-cluster-management.io',
    );
    expect(JSON.stringify(of(objects, 'Deployment'))).toContain('"--pre-delete-hooks"');
    expect(() => companion({ options: ['--pre-delete-hooks'] })).toThrow(
      'companion: write preDeleteHooks: true instead of the option --pre-delete-hooks',
    );
  });

  test('let it create the objects for tokens only if it does so, which is not an option', () => {
    const without = [policies(), of(companion(), 'ClusterRole'), of(companion(), 'Deployment')];
    expect(JSON.stringify(without)).not.toMatch(/token-role|escalate|--token-registration|Ready/);
    const grants = [{ kind: 'Role', name: 'writer', namespace: 'orders' }];
    const objects = companion({ tokenRegistration: true, grants });
    expect(allowed(of(objects, 'ClusterRole'))).toEqual(
      expect.arrayContaining([
        'get list watch create delete serviceaccounts.',
        'get list watch create delete escalate bind roles.rbac.authorization.k8s.io',
      ]),
    );
    expect(JSON.stringify(of(objects, 'Deployment'))).toContain('"--token-registration"');
    const named = objects
      .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
      .map(({ metadata }) => metadata.name);
    expect(named).toEqual(expect.arrayContaining(['companion-service-accounts', 'companion-roles']));
    expect(JSON.stringify(objects)).toContain('object.roleRef.name) in [\\"orders/writer\\"]');
    expect(() => companion({ options: ['--token-registration'] })).toThrow(
      'companion: write tokenRegistration: true instead of the option --token-registration',
    );
    expect(() => companion({ tokenRegistration: true, admissionPolicies: false })).toThrow(
      'companion: tokenRegistration needs admissionPolicies: without them, the ServiceAccount of the companion could create any Role in any namespace, and bind it',
    );
  });

  test('can be left out, for hubs that do not serve them', () => {
    expect(policies({ admissionPolicies: false })).toEqual([]);
  });

  test("let OCM's gRPC server request agents only if it is trusted, which is not an option", () => {
    const texts = [false, true].map((trustGrpcServer) => JSON.stringify(policies({ trustGrpcServer })));
    expect(texts.map((text) => text.includes('grpc-server-sa'))).toEqual([false, true]);
    expect(JSON.stringify(of(companion({ trustGrpcServer: true }), 'Deployment'))).toContain(
      '"--trust-grpc-server"',
    );
    expect(() => companion({ options: ['--trust-grpc-server'] })).toThrow(
      'companion: write trustGrpcServer: true instead of the option --trust-grpc-server',
    );
  });
});

test('a companion whose metrics may not be read accepts no connections', () => {
  expect(of(companion({ metricsFrom: [] }), 'NetworkPolicy')['spec']).toMatchObject({ ingress: [] });
});

test('a companion bounds the lifetime of certificates', () => {
  const deployment = of(
    companion({ maxCertificateLifetime: '24h', clusterSigningDuration: '12h' }),
    'Deployment',
  );
  expect(JSON.stringify(deployment)).toContain(
    '"--max-certificate-lifetime=24h","--cluster-signing-duration=12h"',
  );
});

test('a companion with shards has a replica and a Lease for each, and may write no other Lease', () => {
  const objects = companion({ shards: 2 });
  expect(of(companion({ shards: 4 }), 'Deployment')['spec']).toMatchObject({ replicas: 4 });
  expect(of(companion({ shards: 4, replicas: 3 }), 'Deployment')['spec']).toMatchObject({ replicas: 3 });
  expect(JSON.stringify(of(objects, 'Deployment'))).toContain('"--shards=2"');
  const names = ['companion', 'companion-shard-0', 'companion-shard-1'];
  expect(of(objects, 'Role', 'companion-election')['rules']).toContainEqual({
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['get', 'update'],
    resourceNames: names,
  });
  expect(JSON.stringify(of(objects, 'ValidatingAdmissionPolicy', 'companion-leases')['spec'])).toContain(
    "object.metadata.namespace == 'ocm' && object.metadata.name in ['companion', 'companion-shard-0', 'companion-shard-1']",
  );
});

test.each([0, 1.5, 65])('%s shards are refused', (shards) => {
  expect(() => companion({ shards })).toThrow(
    `companion: shards must be a whole number from 1 to 64, but is ${shards}`,
  );
});

test('the number of shards is no option, because permissions depend on it', () => {
  expect(() => companion({ options: ['--shards=4'] })).toThrow(
    'companion: write shards: 4 instead of the option --shards=4',
  );
});

test('a companion signs for no signer of Kubernetes itself', () => {
  const signers = [
    {
      signerName: 'kubernetes.io/kube-apiserver-client',
      signingCA: { name: 'ca', namespace: 'pki' },
    },
  ];
  expect(() => companion({ signers })).toThrow(
    'companion: kubernetes.io/kube-apiserver-client is a signer of Kubernetes itself, which needs no entry in signers: name those of add-ons, such as example.com/logs',
  );
});

describe('the agent of an add-on', () => {
  const manifestsOf = (props: object = {}): readonly KubernetesObject[] => {
    const { spec } = objectOf(
      (chart) =>
        new AddOnTemplate(chart, 'hello', {
          addonName: 'hello',
          workload: (scope) => {
            new AddOnAgent(scope, 'companion', { image, addOn: 'hello', namespace: 'agents', ...props });
          },
        }),
    ) as KubernetesObject & { spec: { agentSpec: { workload: { manifests: KubernetesObject[] } } } };
    return spec.agentSpec.workload.manifests;
  };

  test('renews the Lease of the add-on, and has no other permissions', () => {
    const manifests = manifestsOf({ probe: 'deployment:hello' });
    expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
      'ServiceAccount agents/hello-companion',
      'Role agents/hello-companion',
      'RoleBinding agents/hello-companion',
      'Deployment agents/hello-companion',
    ]);
    expect(allowed(of(manifests, 'Role', 'hello-companion'))).toEqual([
      'create patch leases.coordination.k8s.io of hello',
      'get deployments.apps of hello',
    ]);
    expect(JSON.stringify(of(manifests, 'Deployment', 'hello-companion'))).toContain(
      '"args":["controller","agent","--add-on=hello","--probe=deployment:hello"]',
    );
  });

  test("gets certificates if OCM's agent does not", () => {
    const manifests = manifestsOf({ hubKubeconfigSecret: 'bootstrap-hub' });
    expect(allowed(of(manifests, 'Role', 'hello-companion'))).toEqual([
      'get create patch leases.coordination.k8s.io of hello',
      'get create patch delete secrets. of hello-hub-kubeconfig, hello-hub-kubeconfig-pending, hello-companion-secrets',
    ]);
    expect(of(manifests, 'Deployment', 'hello-companion')['spec']).toMatchObject({
      template: {
        spec: {
          volumes: [{ name: 'hub', secret: { secretName: 'bootstrap-hub' } }],
          containers: [
            {
              args: [
                'controller',
                'agent',
                '--add-on=hello',
                '--credentials',
                '--health-report',
                '--cluster={{CLUSTER_NAME}}',
                '--hub-kubeconfig=/etc/fleetwright/hub/kubeconfig',
              ],
              volumeMounts: [{ name: 'hub', mountPath: '/etc/fleetwright/hub', readOnly: true }],
            },
          ],
        },
      },
    });
  });
});

test('an agent writes the Secrets of the signers in its props, by the names that the agent uses', () => {
  const signers = ['kubernetes.io/kube-apiserver-client', 'example.com/logs'];
  const role = objectsOf(
    (chart) =>
      new AddOnAgent(chart, 'a', {
        image,
        addOn: 'hello',
        namespace: 'agents',
        hubKubeconfigSecret: 'bootstrap-hub',
        signers: signers.slice(1),
      }),
  ).find(({ kind }) => kind === 'Role');
  const names = signers.map((signer) => secretName('hello', signer));
  expect(allowed({ ...role }).slice(1)).toEqual([
    `get create patch delete secrets. of ${[...names, ...names.map((name) => `${name}-pending`), 'hello-companion-secrets'].join(', ')}`,
  ]);
});

test('an add-on whose agent renews a Lease has an annotation', () => {
  const addOn = objectOf(
    (chart) => new ClusterManagementAddOn(chart, 'a', { delivery: 'compiled', health: 'lease' }),
  );
  expect(addOn.metadata.annotations).toMatchObject({ 'fleetwright.dev/health': 'lease' });
});
