import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  addOnTemplate,
  configMap,
  deployment,
  deploymentConfig,
  resolveTemplate,
  type TemplateAddOn,
} from '../../render/template-add-on.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What users read of the findings with a code. */
function findingTexts(code: string, addOn: TemplateAddOn): string[] {
  return resolveTemplate(addOn)
    .diagnostics.filter((found) => found.code === code)
    .map(
      ({ severity, message, object, path, hint }) =>
        `${severity}: ${message}\n${object?.kind} ${object?.name} at ${path}\n${hint}`,
    );
}

/** The codes of all findings of rules about templates. */
function codesOf(addOn: TemplateAddOn): string[] {
  return resolveTemplate(addOn)
    .diagnostics.map(({ code }) => code)
    .filter((code) => code.startsWith('FW71'));
}

const clusters = { c1: {}, c2: {} };
const kubeClient = (...hubPermissions: object[]): object => ({
  type: 'KubeClient',
  kubeClient: { hubPermissions },
});
const customSigner = (signerName: string, more: object = {}): object => ({
  type: 'CustomSigner',
  customSigner: { signerName, signingCA: { name: 'ca', namespace: 'pki' }, ...more },
});
const clusterRole = (name: string, ...rules: object[]): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name },
  rules: rules.map((rule) => ({ apiGroups: [''], ...rule })),
});
const currentCluster = { type: 'CurrentCluster', currentCluster: { clusterRoleName: 'agent' } };

test('a template with a configuration that fits it has no findings', () => {
  expect(
    codesOf({
      manifests: [deployment('agent', {}, { args: ['--cluster={{CLUSTER_NAME}}', '--mode={{MODE}}'] })],
      registration: [kubeClient()],
      config: {
        agentInstallNamespace: 'agents',
        customizedVariables: [{ name: 'MODE', value: 'fast' }],
        nodePlacement: { nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }] },
        registries: [{ source: 'quay.io/ocm', mirror: 'registry.example.com/ocm' }],
        proxyConfig: { httpsProxy: 'https://proxy:3128', caBundle: base64('PEM') },
        resourceRequirements: [{ containerID: 'deployments:*:.*', resources: { limits: { cpu: '1' } } }],
      },
      clusters,
    }),
  ).toEqual([]);
});

describe('FW7101: a variable without a value', () => {
  test('is reported at the field that uses it, once for all clusters', () => {
    expect(
      findingTexts('FW7101', {
        manifests: [configMap('a', { mode: 'x-{{MODE}}', again: '{{MODE}}' })],
        clusters,
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning: variable "MODE" in ConfigMap a has no value on 2 clusters ("c1", "c2"), so {{MODE}} becomes an empty string
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].data.mode
      give it a value in customizedVariables of the AddOnDeploymentConfig",
      ]
    `);
  });
  test('is reported if a built-in variable has no value', () => {
    expect(
      findingTexts('FW7101', {
        manifests: [configMap('a', { where: '{{INSTALL_NAMESPACE}}', hub: '{{HUB_KUBECONFIG}}' })],
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning: variable "HUB_KUBECONFIG" in ConfigMap a has no value on 1 cluster ("c1"), so {{HUB_KUBECONFIG}} becomes an empty string
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].data.hub
      it has a value only where the template has registrations",
        "warning: variable "INSTALL_NAMESPACE" in ConfigMap a has no value on 1 cluster ("c1"), so {{INSTALL_NAMESPACE}} becomes an empty string
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].data.where
      it has a value only where an AddOnDeploymentConfig with an agentInstallNamespace is used",
      ]
    `);
  });
  test('names the variable that is written differently', () => {
    expect(
      findingTexts('FW7101', {
        manifests: [configMap('a', { '{{mode}}': '' })],
        config: { agentInstallNamespace: 'agents', customizedVariables: [{ name: 'MODE', value: 'fast' }] },
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning: variable "mode" in ConfigMap a has no value on 1 cluster ("c1"), so {{mode}} becomes an empty string
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].data[{{mode}}]
      give it a value in customizedVariables of the AddOnDeploymentConfig; did you mean "MODE"?",
      ]
    `);
  });
  describe('that has one on other clusters', () => {
    const reference = { group: 'addon.open-cluster-management.io', resource: 'addondeploymentconfigs' };
    const withOther = (variable: string): TemplateAddOn => ({
      manifests: [configMap('a', { mode: '{{MODE}}', size: '{{SIZE}}' })],
      config: {
        customizedVariables: [
          { name: 'MODE', value: 'fast' },
          { name: 'SIZE', value: '1' },
        ],
      },
      clusters: {
        c1: {},
        c2: { addOnSpec: { configs: [{ ...reference, namespace: 'ns', name: 'other' }] } },
      },
      others: [
        deploymentConfig('other', {
          customizedVariables: [
            { name: 'SIZE', value: '2' },
            { name: variable, value: 'slow' },
          ],
        }),
      ],
    });
    test('is reported at the configuration that misspells it', () => {
      expect(findingTexts('FW7101', withOther('MDOE'))).toMatchInlineSnapshot(`
        [
          "warning: the template has no variable "MDOE", and its variable "MODE" in ConfigMap a has no value on 1 cluster ("c2"), so {{MODE}} becomes an empty string
        AddOnDeploymentConfig other at spec.customizedVariables[1].name
        did you mean "MODE"?",
        ]
      `);
    });
    test('is reported at the template if the configuration has no similar variable', () => {
      expect(findingTexts('FW7101', withOther('LEVEL'))).toMatchInlineSnapshot(`
        [
          "warning: variable "MODE" in ConfigMap a has no value on 1 cluster ("c2"), so {{MODE}} becomes an empty string
        AddOnTemplate template at spec.agentSpec.workload.manifests[0].data.mode
        give it a value in customizedVariables of the AddOnDeploymentConfig",
        ]
      `);
      const finding = resolveTemplate(withOther('LEVEL')).diagnostics.find(({ code }) => code === 'FW7101');
      expect(finding?.related?.map(({ message }) => message)).toEqual([
        'AddOnDeploymentConfig "ns/other" does not set it',
      ]);
    });
  });
});

describe('FW7102: double braces without a variable', () => {
  test('are those with spaces, and those of other template languages', () => {
    expect(
      findingTexts('FW7102', {
        manifests: [configMap('a', { name: '{{ CLUSTER_NAME }}', go: '{{ .Values.image | quote }}' })],
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning: the hub removes {{ .Values.image | quote }} from the manifest on 1 cluster: it is not a variable
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].data.go
      double braces cannot be escaped: put them into a variable, whose value is inserted unchanged",
        "warning: the hub removes {{ CLUSTER_NAME }} from the manifest on 1 cluster: it is not a variable
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].data.name
      write {{CLUSTER_NAME}}, without spaces",
      ]
    `);
  });
  test('are those that are closed much later', () => {
    expect(findingTexts('FW7102', { manifests: [configMap('a', { a: '{{', z: 'x'.repeat(70) + '}}' })] }))
      .toMatchInlineSnapshot(`
      [
        "warning: the hub removes {{","z":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…}} from the manifest on 1 cluster: it is not a variable
      AddOnTemplate template at spec.agentSpec.workload.manifests[0]
      double braces cannot be escaped: put them into a variable, whose value is inserted unchanged",
      ]
    `);
  });
});

describe('FW7103: a value that JSON reads otherwise', () => {
  const withValue = (value: string): TemplateAddOn => ({
    manifests: [configMap('a', { mode: '{{MODE}}' })],
    config: { agentInstallNamespace: 'agents', customizedVariables: [{ name: 'MODE', value }] },
    clusters,
  });
  test('is a manifest with escapes, or with separate fields', () => {
    expect([
      ...findingTexts('FW7103', withValue('C:\\temp')),
      ...findingTexts('FW7103', withValue('x","more":"y')),
    ]).toMatchInlineSnapshot(`
      [
        "warning: the value of "MODE" is inserted into JSON text unchanged, so JSON reads its backslashes as escapes on 2 clusters
      AddOnDeploymentConfig config at spec.customizedVariables[0].value
      to use it literally, escape it: \\" for a quotation mark, \\\\ for a backslash",
        "warning: the value of "MODE" is inserted into JSON text unchanged, so JSON reads its quotation marks as the end of the text, and what follows as fields of the manifest on 2 clusters
      AddOnDeploymentConfig config at spec.customizedVariables[0].value
      to use it literally, escape it: \\" for a quotation mark, \\\\ for a backslash",
      ]
    `);
  });
  test('does not include values that are escaped, unused, or stop the rendering', () => {
    expect(findingTexts('FW7103', withValue('fast'))).toEqual([]);
    expect(codesOf({ ...withValue('C:\\temp'), manifests: [configMap('a')] })).toEqual([]);
    expect(findingTexts('FW7103', withValue('"'))).toEqual([]);
  });
});

describe('FW7129: a variable in the value of another', () => {
  const withValue = (value: string): TemplateAddOn => ({
    manifests: [configMap('a', { url: '{{URL}}' })],
    config: {
      agentInstallNamespace: 'agents',
      customizedVariables: [
        { name: 'DOMAIN', value: 'example.com' },
        { name: 'URL', value },
      ],
    },
    clusters,
  });
  test('is delivered as it is', () => {
    expect([
      ...findingTexts('FW7129', withValue('https://{{CLUSTER_NAME}}.{{DOMAIN}}')),
      ...findingTexts('FW7129', withValue('{{ .Values.url }} {{DOMAIN}}')),
    ]).toMatchInlineSnapshot(`
      [
        "warning: the hub does not replace variables in the value of "URL", so {{CLUSTER_NAME}} remains unchanged on 2 clusters
      AddOnDeploymentConfig config at spec.customizedVariables[1].value
      write {{CLUSTER_NAME}} into the template beside {{URL}}, or its value into this one",
        "warning: the hub does not replace variables in the value of "URL", so {{DOMAIN}} remains unchanged on 2 clusters
      AddOnDeploymentConfig config at spec.customizedVariables[1].value
      write {{DOMAIN}} into the template beside {{URL}}, or its value into this one",
      ]
    `);
    const { works } = resolveTemplate(withValue('https://{{CLUSTER_NAME}}.{{DOMAIN}}')).on('c1');
    expect(works[0]?.spec?.workload?.manifests?.[0]).toMatchObject({
      data: { url: 'https://{{CLUSTER_NAME}}.{{DOMAIN}}' },
    });
  });
  test('does not include values that no variable has, or that are unused', () => {
    expect(codesOf(withValue('{{ .Values.url }}'))).toEqual([]);
    expect(codesOf({ ...withValue('{{DOMAIN}}'), manifests: [configMap('a')] })).toEqual([]);
  });
});

describe('FW7104: a workload with a field of the wrong type', () => {
  test('is delivered without decoration', () => {
    expect(
      findingTexts('FW7104', {
        manifests: [
          deployment('agent', {}, {}, { replicas: '{{REPLICAS}}' }),
          deployment('other', {}, { ports: [{ containerPort: 80 }, { containerPort: '81' }] }),
        ],
        config: { agentInstallNamespace: '', customizedVariables: [{ name: 'REPLICAS', value: '3' }] },
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning: Deployment agents/agent is delivered unchanged on 1 cluster, without registrations, proxy and everything else that the hub adds: Go cannot read spec.replicas ("3")
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].spec.replicas
      variables are always inside strings and remain strings: a numeric field needs a number in the template",
        "warning: Deployment agents/other is delivered unchanged on 1 cluster, without registrations, proxy and everything else that the hub adds: Go cannot read spec.template.spec.containers[0].ports[1].containerPort ("81")
      AddOnTemplate template at spec.agentSpec.workload.manifests[1].spec.template.spec.containers[0].ports[1].containerPort
      variables are always inside strings and remain strings: a numeric field needs a number in the template",
      ]
    `);
  });

  test('shows integers that a double cannot represent', () => {
    const [message] = findingTexts('FW7104', {
      manifests: [deployment('agent', {}, {}, { paused: 9_007_199_254_740_993n })],
    });
    expect(message).toContain('Go cannot read spec.paused (9007199254740993)');
  });
});

describe('FW7105: tolerations without a node selector', () => {
  const withPlacement = (nodePlacement: object): TemplateAddOn => ({
    manifests: [deployment('agent')],
    config: { agentInstallNamespace: 'agents', nodePlacement },
  });
  test('have no effect', () => {
    expect(findingTexts('FW7105', withPlacement({ tolerations: [{ operator: 'Exists' }] })))
      .toMatchInlineSnapshot(`
      [
        "warning: the hub ignores these tolerations, because there is no nodeSelector
      AddOnDeploymentConfig config at spec.nodePlacement.tolerations
      add a nodeSelector, at least {}: it replaces the nodeSelector of the pods in the template",
      ]
    `);
  });
  test('have one with an empty node selector', () => {
    expect(codesOf(withPlacement({ nodeSelector: {}, tolerations: [{ operator: 'Exists' }] }))).toEqual([]);
  });
});

describe('FW7106: an init container', () => {
  test('gets neither mirror nor proxy', () => {
    expect(
      findingTexts('FW7106', {
        manifests: [
          deployment('agent', {
            initContainers: [
              { name: 'init', image: 'quay.io/ocm/init' },
              { name: 'local', image: 'busybox' },
            ],
          }),
        ],
        config: {
          agentInstallNamespace: 'agents',
          registries: [{ source: 'quay.io', mirror: 'm' }],
          proxyConfig: { httpProxy: 'http://proxy' },
        },
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning: init container "init" of Deployment agents/agent gets no image from the mirror and no proxy on 1 cluster: the hub changes only containers
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].spec.template.spec.initContainers[0]
      use variables in the init container, or set the values there",
        "warning: init container "local" of Deployment agents/agent gets no proxy on 1 cluster: the hub changes only containers
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].spec.template.spec.initContainers[1]
      use variables in the init container, or set the values there",
      ]
    `);
  });
});

describe('FW7107: a workload of a kind that the hub does not decorate', () => {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'setup', namespace: 'agents' },
    spec: {
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'setup', image: 'example.com/a:1' }] },
      },
    },
  };
  test('misses registrations and settings', () => {
    expect(
      findingTexts('FW7107', {
        manifests: [job],
        registration: [kubeClient()],
        config: {
          agentInstallNamespace: 'agents',
          nodePlacement: { nodeSelector: {} },
          registries: [{ mirror: 'm' }],
          proxyConfig: { noProxy: 'x' },
          resourceRequirements: [{ containerID: '*:*:*', resources: {} }],
        },
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning: Job agents/setup does not get the registrations, node placement, registries, proxy, resource requirements on 1 cluster: the hub changes only Deployments and DaemonSets
      AddOnTemplate template at spec.agentSpec.workload.manifests[0]
      use variables in the manifest, or make it a Deployment",
      ]
    `);
  });
  test('reports nothing missing if there is nothing to check', () => {
    expect(codesOf({ manifests: [job], config: { agentInstallNamespace: 'agents' } })).toEqual([]);
  });
});

describe('FW7108: a configuration without an install namespace', () => {
  const manifests = [
    deployment('agent'),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } },
  ];
  test('moves what the template has elsewhere', () => {
    expect(findingTexts('FW7108', { manifests, config: {}, clusters })).toMatchInlineSnapshot(`
      [
        "warning: the hub moves the objects that the template has in "agents", "other" to "open-cluster-management-agent-addon" on 2 clusters: the configuration has that agentInstallNamespace, which is the default
      AddOnDeploymentConfig config at spec.agentInstallNamespace
      write agentInstallNamespace: "" to keep the namespaces of the template, or set the namespace that you want",
      ]
    `);
  });
  test('moves nothing if it is set that way, or if everything is in the namespace already', () => {
    expect(codesOf({ manifests, config: { agentInstallNamespace: '' } })).toEqual([]);
    expect(
      codesOf({
        manifests: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{{INSTALL_NAMESPACE}}' } }],
        config: {},
      }),
    ).toEqual([]);
  });
});

describe('FW7109: manifestConfigs of a template that is not the default', () => {
  const entry = {
    resourceIdentifier: { group: 'apps', resource: 'deployments', namespace: 'agents', name: 'agent' },
    feedbackRules: [{ type: 'WellKnownStatus' }],
  };
  const own = (manifestConfigs: object[]): TemplateAddOn => ({
    manifests: [deployment('agent')],
    clusters: {
      c1: {
        addOnSpec: {
          configs: [{ group: 'addon.open-cluster-management.io', resource: 'addontemplates', name: 'own' }],
        },
      },
    },
    others: [
      addOnTemplate('own', {
        addonName: 'agent',
        agentSpec: { manifestConfigs, workload: { manifests: [deployment('agent')] } },
      }),
    ],
  });
  test('are not read', () => {
    expect(findingTexts('FW7109', own([entry]))).toMatchInlineSnapshot(`
      [
        "warning: the hub ignores these manifestConfigs on 1 cluster: those of add-on "agent" come from its default template "template"
      AddOnTemplate own at spec.agentSpec.manifestConfigs
      write the same manifestConfigs into the default template",
      ]
    `);
  });
  test('do not matter if they are those of the default template', () => {
    expect(codesOf({ ...own([entry]), agentSpec: { manifestConfigs: [entry] } })).toEqual([]);
    expect(codesOf(own([]))).toEqual([]);
  });
});

describe('FW7110: a manifestConfigs entry', () => {
  const entry = (name: string, namespace: string): object => ({
    resourceIdentifier: { group: 'apps', resource: 'deployments', namespace, name },
  });
  test('without its object has no effect', () => {
    expect(
      findingTexts('FW7110', {
        manifests: [deployment('agent')],
        agentSpec: {
          manifestConfigs: [entry('agent', 'agents'), entry('agent', 'moved'), entry('*', 'agents')],
        },
        config: { agentInstallNamespace: 'moved' },
        clusters,
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning: no object is deployments "agents/agent" on 2 clusters, so this entry has no effect there
      AddOnTemplate template at spec.agentSpec.manifestConfigs[0].resourceIdentifier
      manifestConfigs do not support variables or the install namespace: use the name and namespace of the delivered object",
        "warning: no object is deployments "agents/*" on 2 clusters, so this entry has no effect there
      AddOnTemplate template at spec.agentSpec.manifestConfigs[2].resourceIdentifier
      manifestConfigs do not support variables or the install namespace: use the name and namespace of the delivered object",
      ]
    `);
  });
  test('with a wildcard has no effect if no cluster gets an object that it matches', () => {
    const found = (...entries: readonly object[]): string[] =>
      findingTexts('FW7110', {
        manifests: [deployment('agent')],
        agentSpec: { manifestConfigs: entries },
        clusters,
      });
    expect(found(entry('*', 'agents'), entry('a*', '*'))).toEqual([]);
    expect(found(entry('*', 'moved'))[0]).toContain('no object is deployments "moved/*" on 2 clusters');
  });
});

test('FW7111: a CA bundle without a proxy reaches no pod', () => {
  const config = { agentInstallNamespace: 'agents', proxyConfig: { caBundle: base64('PEM') } };
  expect(findingTexts('FW7111', { manifests: [deployment('agent')], config })).toMatchInlineSnapshot(`
    [
      "warning: the hub delivers this CA bundle in a ConfigMap, but does not mount it into pods, because no proxy is set
    AddOnDeploymentConfig config at spec.proxyConfig.caBundle
    set httpProxy, httpsProxy or noProxy, or mount the ConfigMap <add-on>-proxy-ca in the template",
    ]
  `);
});

describe('FW7112: registries of a configuration', () => {
  const annotations = {
    'open-cluster-management.io/image-registries': '{"registries":[{"source":"quay.io","mirror":"near"}]}',
  };
  const withRegistries = (registries: object[]): TemplateAddOn => ({
    manifests: [deployment('agent')],
    config: { agentInstallNamespace: 'agents', registries },
    clusters: { c1: { annotations }, c2: {} },
  });
  test('replace those of the cluster', () => {
    expect([
      ...findingTexts('FW7112', withRegistries([{ source: 'docker.io', mirror: 'far' }])),
      ...findingTexts('FW7112', withRegistries([])),
    ]).toMatchInlineSnapshot(`
      [
        "warning: these registries replace those of the annotation open-cluster-management.io/image-registries on 1 cluster completely
      AddOnDeploymentConfig config at spec.registries
      remove registries to use those of the cluster, or repeat them here",
        "warning: these registries replace those of the annotation open-cluster-management.io/image-registries on 1 cluster completely, with an empty list
      AddOnDeploymentConfig config at spec.registries
      remove registries to use those of the cluster, or repeat them here",
      ]
    `);
  });
});

test('FW7113: executor and deleteOption of a template have no effect', () => {
  expect(
    findingTexts('FW7113', {
      manifests: [deployment('agent')],
      agentSpec: {
        executor: { subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' } } },
        deleteOption: { propagationPolicy: 'Orphan' },
      },
    }),
  ).toMatchInlineSnapshot(`
    [
      "warning: the hub ignores the executor of a template: the manifests are applied with the permissions of the work agent
    AddOnTemplate template at spec.agentSpec.executor
    remove it",
      "warning: the hub ignores the deleteOption of a template: everything is deleted with the add-on
    AddOnTemplate template at spec.agentSpec.deleteOption
    annotate the manifests that should stay with addon.open-cluster-management.io/deletion-orphan: """,
    ]
  `);
});

test('FW7114: the add-on that a template names is not compared with the one that uses it', () => {
  expect(findingTexts('FW7114', { manifests: [deployment('agent')], addonName: 'logs', clusters }))
    .toMatchInlineSnapshot(`
    [
      "info: add-on "agent" uses this template, which belongs to the add-on "logs": the hub does not compare the names
    AddOnTemplate template at spec.addonName
    write addonName: agent, if the template is for this add-on",
    ]
  `);
});

describe('FW7150: with compiled delivery a template', () => {
  const compiled = { 'fleetwright.dev/delivery': 'compiled' };
  const of = (addonName: string, sharedWith?: string): TemplateAddOn => ({
    manifests: [deployment('agent')],
    annotations: compiled,
    addonName,
    ...(sharedWith !== undefined && { templateAnnotations: { 'fleetwright.dev/shared-with': sharedWith } }),
    clusters,
  });

  test('of another add-on is an error', () => {
    expect(findingTexts('FW7150', of('logs'))).toMatchInlineSnapshot(`
      [
        "error: add-on "agent" uses this template, which belongs to the add-on "logs": the companion does not register it
      AddOnTemplate template at spec.addonName
      write addonName: agent, if the template is for this add-on; share it with the annotation fleetwright.dev/shared-with: agent otherwise",
      ]
    `);
    expect(findingTexts('FW7114', of('logs'))).toEqual([]);
  });
  test('may be that of the add-on, or shared with it', () => {
    expect(findingTexts('FW7150', of('agent'))).toEqual([]);
    expect(findingTexts('FW7150', of('logs', 'metrics\nagent'))).toEqual([]);
    expect(findingTexts('FW7150', of('logs', 'metrics\nagent-2'))).toHaveLength(1);
  });
});

describe('FW7115: a permission in a single namespace', () => {
  const registration = [
    kubeClient(currentCluster, {
      type: 'SingleNamespace',
      singleNamespace: {
        namespace: 'hub',
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      },
    }),
  ];
  const token = {
    addOnStatus: {
      registrations: [{ type: 'kubeClient', kubeClient: { driver: 'token', subject: { user: 'u' } } }],
    },
  };
  test('belongs to one cluster only if agents have tokens', () => {
    expect(
      findingTexts('FW7115', {
        manifests: [deployment('agent')],
        registration,
        clusters: { c1: token, c2: token },
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning: of the 2 clusters of add-on "agent" only one has this permission in namespace "hub": they share one RoleBinding, and agents with tokens have no common group
      AddOnTemplate template at spec.registration[0].kubeClient.hubPermissions[1]
      bind the role yourself to the ServiceAccounts of the agents, or register the agents with certificates",
      ]
    `);
  });
  test("is everybody's with certificates, or on one cluster alone", () => {
    expect(findingTexts('FW7115', { manifests: [deployment('agent')], registration, clusters })).toEqual([]);
    expect(
      findingTexts('FW7115', { manifests: [deployment('agent')], registration, clusters: { c1: token } }),
    ).toEqual([]);
  });
});

describe('FW7140: an agent with a token', () => {
  const registration = [{ type: 'CustomSigner' }, kubeClient()];
  const status = (conditions: readonly object[] = []): object => ({
    addOnStatus: { registrations: [{ type: 'kubeClient', kubeClient: { driver: 'token' } }], conditions },
  });
  const reported = (status: string): object => ({
    type: 'TokenInfrastructureReady',
    status,
    reason: 'Reported',
    message: 'reported',
    lastTransitionTime: '2026-01-31T12:00:00Z',
  });
  const addOn = (onClusters: Readonly<Record<string, object>>): TemplateAddOn => ({
    manifests: [deployment('agent')],
    registration,
    annotations: { 'fleetwright.dev/delivery': 'compiled' },
    clusters: onClusters,
  });

  test('gets no credentials with compiled delivery if nothing has prepared that', () => {
    expect(findingTexts('FW7140', addOn({ c1: status(), c2: status([reported('False')]) })))
      .toMatchInlineSnapshot(`
        [
          "warning: the agent of add-on "agent" on 2 clusters, such as "c1", registers with a token, and nothing on the hub has created its ServiceAccount: it gets no credentials
        AddOnTemplate template at spec.registration[1]
        set tokenRegistration: true on the CompanionController, run OCM's addon-manager, or register agents with certificates",
        ]
      `);
    expect(findingTexts('FW7140', addOn({ c1: status() }))[0]).toContain('on cluster "c1" registers');
  });

  test('is served where the hub says so, and with delivery by the hub', () => {
    const served = addOn({ c1: status([reported('True')]), c2: {} });
    expect(findingTexts('FW7140', served)).toEqual([]);
    expect(findingTexts('FW7140', { ...addOn({ c1: status() }), annotations: {} })).toEqual([]);
  });

  test('does not exist on earlier hubs, or without access to the API server', () => {
    expect(findingTexts('FW7140', { ...addOn({ c1: status() }), hub: '1.1' })).toEqual([]);
    expect(findingTexts('FW7140', { ...addOn({ c1: status() }), registration: [] })).toEqual([]);
  });
});

describe("FW7116: a permission in the cluster's namespace", () => {
  const addOn: TemplateAddOn = {
    manifests: [deployment('agent')],
    registration: [kubeClient(currentCluster)],
    clusters,
  };
  test('is one in the namespaces of all clusters', () => {
    expect(findingTexts('FW7116', addOn)).toMatchInlineSnapshot(`
      [
        "info: the agent of add-on "agent" on any of its 2 clusters gets ClusterRole "agent" in the namespaces of all of them: the hub binds the role to the group "system:open-cluster-management:addon:agent" too
      AddOnTemplate template at spec.registration[0].kubeClient.hubPermissions[0]
      grant only permissions that every agent may have for all of these clusters",
      ]
    `);
  });
  test('is not reported if there is only one cluster', () => {
    expect(codesOf({ ...addOn, clusters: { c1: {} } })).toEqual(['FW7137']);
  });
  test('does little harm with a role that only reads, and no Secrets', () => {
    const role = (verbs: string[], resources: string[]): object => clusterRole('agent', { verbs, resources });
    const codes = (...parameters: Parameters<typeof role>): string[] =>
      codesOf({ ...addOn, others: [role(...parameters)] });
    expect(codes(['get', 'list', 'watch'], ['configmaps'])).toEqual([]);
    expect(codes(['get', 'update'], ['configmaps'])).toEqual(['FW7116']);
    expect(codes(['get'], ['secrets'])).toEqual(['FW7116']);
    expect(codes(['get'], ['*'])).toEqual(['FW7116']);
  });
});

describe('FW7117: a template add-on', () => {
  const annotations = { 'addon.open-cluster-management.io/hosting-cluster-name': 'host' };
  test('cannot be hosted', () => {
    expect(
      findingTexts('FW7117', {
        manifests: [deployment('agent')],
        clusters: { c1: { addOnMetadata: { annotations } } },
      }),
    ).toMatchInlineSnapshot(`
      [
        "error: template add-on "agent" cannot be hosted on "host": the hub deploys it on "c1" itself, and it never becomes available
      ManagedClusterAddOn agent at metadata.annotations[addon.open-cluster-management.io/hosting-cluster-name]
      remove the annotation; hosted add-ons need compiled delivery, or their own manager",
      ]
    `);
  });
});

describe('FW7118: a template with nothing to deploy', () => {
  test('keeps its add-on progressing', () => {
    const annotations = { 'addon.open-cluster-management.io/addon-pre-delete': '' };
    const hook = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'hook', namespace: 'agents', annotations },
    };
    expect([...findingTexts('FW7118', { clusters }), ...findingTexts('FW7118', { manifests: [hook] })])
      .toMatchInlineSnapshot(`
      [
        "warning: the template has nothing to deploy: add-on "agent" remains progressing and unavailable on 2 clusters
      AddOnTemplate template at spec.agentSpec.workload
      add a manifest; a Deployment or DaemonSet also lets the hub report whether the add-on is available",
        "warning: the template has nothing to deploy except hooks for the deletion: add-on "agent" remains progressing and unavailable on 1 cluster
      AddOnTemplate template at spec.agentSpec.workload
      add a manifest; a Deployment or DaemonSet also lets the hub report whether the add-on is available",
      ]
    `);
  });
});

describe('FW7119: a registration', () => {
  test('needs the fields of its type, and those only', () => {
    expect(
      findingTexts('FW7119', {
        manifests: [configMap('a')],
        registration: [
          { type: 'CustomSigner', kubeClient: {} },
          {
            type: 'KubeClient',
            customSigner: { signerName: 'example.com/a', signingCA: { name: 'ca' } },
            kubeClient: {
              hubPermissions: [
                {
                  ...currentCluster,
                  singleNamespace: {
                    namespace: 'a',
                    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
                  },
                },
              ],
            },
          },
        ],
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning: this registration is of type CustomSigner but has no customSigner, so the agent gets no certificate
      AddOnTemplate template at spec.registration[0]
      write customSigner with signerName and signingCA, or remove the registration",
        "warning: kubeClient has no effect in a registration of type CustomSigner
      AddOnTemplate template at spec.registration[0].kubeClient
      remove it, or change the type",
        "warning: customSigner has no effect in a registration of type KubeClient
      AddOnTemplate template at spec.registration[1].customSigner
      remove it, or change the type",
        "warning: singleNamespace has no effect in a permission of type CurrentCluster
      AddOnTemplate template at spec.registration[1].kubeClient.hubPermissions[0].singleNamespace
      remove it, or change the type",
      ]
    `);
  });
});

describe('FW7120: the key of a signing CA', () => {
  const secret = (key: string): object => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'ca', namespace: 'pki' },
    data: { 'tls.key': base64(key) },
  });
  const signedBy = (...others: object[]): TemplateAddOn => ({
    manifests: [deployment('agent')],
    registration: [customSigner('example.com/a')],
    others,
  });
  test('must use RSA', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(findingTexts('FW7120', signedBy(secret(pem)))).toMatchInlineSnapshot(`
      [
        "error: the key of the signing CA "pki/ca" is of type ec, but the hub can sign with RSA keys only, so the agents get no certificates
      AddOnTemplate template at spec.registration[0].customSigner.signingCA
      create the CA with an RSA key, in PKCS#1 or PKCS#8",
      ]
    `);
  });
  test('is valid for RSA keys and unreadable ones', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    expect([
      ...codesOf(signedBy(secret(pem))),
      ...codesOf(signedBy(secret('?'))),
      ...codesOf(signedBy()),
    ]).toEqual([]);
  });
});

test('FW7121: a Secret among the manifests is plain to see', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', namespace: 'agents' } };
  expect(
    findingTexts('FW7121', {
      manifests: [
        { ...secret, stringData: { a: 'b' } },
        { ...secret, metadata: { name: 'empty' }, data: {} },
        { apiVersion: 'v1', kind: 'Secret', data: { a: 'Yg==' } },
        { ...secret, metadata: { name: 'blank' }, data: { csrf: '' }, stringData: { token: '' } },
      ],
    }),
  ).toMatchInlineSnapshot(`
    [
      "warning: Secret "key" is readable in the template, in the works of every cluster and in Git
    AddOnTemplate template at spec.agentSpec.workload.manifests[0].stringData
    let the cluster fetch it, for example with External Secrets, or let the agent read it from the hub",
      "warning: Secret "" is readable in the template, in the works of every cluster and in Git
    AddOnTemplate template at spec.agentSpec.workload.manifests[2].data
    let the cluster fetch it, for example with External Secrets, or let the agent read it from the hub",
    ]
  `);
});

describe('FW7122: a work', () => {
  test('with a manifest without a name is refused', () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{{INSTALL_NAMESPACE}}' } };
    const generated = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', generateName: 'a-', namespace: 'agents' },
    };
    expect(findingTexts('FW7122', { manifests: [deployment('agent'), namespace, generated], clusters }))
      .toMatchInlineSnapshot(`
        [
          "error: the hub's webhook rejects the work of this Namespace, because its name is empty (on 2 clusters)
        AddOnTemplate template at spec.agentSpec.workload.manifests[1]
        write a name that is never empty: {{INSTALL_NAMESPACE}} is empty if no AddOnDeploymentConfig is used",
          "error: the hub's webhook rejects the work of ConfigMap agents/a, because it has a generateName (on 2 clusters)
        AddOnTemplate template at spec.agentSpec.workload.manifests[2]
        write a name instead",
        ]
      `);
  });
  test('of a very large manifest is refused', () => {
    expect(
      findingTexts('FW7122', {
        manifests: [configMap('big', { text: 'x'.repeat(520_000) }), deployment('agent')],
      }),
    ).toMatchInlineSnapshot(`
      [
        "error: the hub's webhook rejects the work of ConfigMap agents/big, which has 520109 bytes: the limit is 512000 (on 1 cluster)
      AddOnTemplate template at spec.agentSpec.workload.manifests[0]
      split the manifest, or let the agent fetch what it needs",
      ]
    `);
  });
});

test('FW7123: a part of a container id is * or a regular expression', () => {
  const ids = ['deployments:agent-*:*', '*:(:*', 'daemonsets:.*:main', '*:*:*'];
  expect(
    findingTexts('FW7123', {
      manifests: [deployment('agent')],
      config: {
        agentInstallNamespace: 'agents',
        resourceRequirements: ids.map((containerID) => ({ containerID, resources: {} })),
      },
    }),
  ).toMatchInlineSnapshot(`
    [
      "warning: containerID "deployments:agent-*:*" has a part "agent-*" in which * repeats the character before it
    AddOnDeploymentConfig config at spec.resourceRequirements[0].containerID
    only a part that is exactly * matches everything; every other part is a regular expression: write agent-.* to match everything that begins with agent-",
      "warning: containerID "*:(:*" has a part "(" that is not a valid regular expression, so the hub skips the entry
    AddOnDeploymentConfig config at spec.resourceRequirements[1].containerID
    only a part that is exactly * matches everything; every other part is a regular expression: write agent-.* to match everything that begins with agent-",
    ]
  `);
});

test('FW7124: an empty mirror cuts images short', () => {
  const registries = [{ source: 'quay.io/ocm', mirror: '' }, { mirror: '' }, { source: 'a', mirror: 'b' }];
  expect(
    findingTexts('FW7124', {
      manifests: [deployment('agent')],
      config: { agentInstallNamespace: 'agents', registries },
    }),
  ).toMatchInlineSnapshot(`
    [
      "warning: an empty mirror only removes "quay.io/ocm" from images, which then begin with a slash and are invalid
    AddOnDeploymentConfig config at spec.registries[0].mirror
    set the registry to pull from, or remove the entry",
      "warning: an empty source with an empty mirror reduces every image to the part after the last slash
    AddOnDeploymentConfig config at spec.registries[1].mirror
    set the registry to pull from, or remove the entry",
    ]
  `);
});

test('FW7125: names of variables that the hub has taken', () => {
  const names = ['CLUSTER_NAME', 'INSTALL_NAMESPACE', '__PROXY', 'HUB_KUBECONFIG'];
  const customizedVariables = names.map((name) => ({ name, value: 'x' }));
  expect(
    findingTexts('FW7125', {
      manifests: [configMap('a')],
      config: { agentInstallNamespace: 'agents', customizedVariables },
    }),
  ).toMatchInlineSnapshot(`
    [
      "warning: the hub sets "CLUSTER_NAME" itself, so this value has no effect
    AddOnDeploymentConfig config at spec.customizedVariables[0].name
    give the variable another name",
      "warning: the hub sets "INSTALL_NAMESPACE" itself, so this value has no effect
    AddOnDeploymentConfig config at spec.customizedVariables[1].name
    give the variable another name",
      "warning: the hub reserves the name "__PROXY": {{__PROXY}} stays empty, and the hub may read the value as a setting
    AddOnDeploymentConfig config at spec.customizedVariables[2].name
    give the variable another name",
    ]
  `);
  expect(
    findingTexts('FW7125', {
      manifests: [configMap('a')],
      config: { agentInstallNamespace: '', customizedVariables: customizedVariables.slice(1, 2) },
    }),
  ).toEqual([]);
});

test('FW7126: the CA bundle must be in the namespace of the workloads', () => {
  const proxyConfig = { httpProxy: 'http://proxy', caBundle: base64('PEM') };
  expect(
    findingTexts('FW7126', {
      manifests: [deployment('agent')],
      config: { agentInstallNamespace: '', proxyConfig },
    }),
  ).toMatchInlineSnapshot(`
    [
      "error: Deployment agents/agent cannot start: it mounts the CA bundle from a ConfigMap that the hub delivers to namespace "open-cluster-management-agent-addon"
    AddOnDeploymentConfig config at spec.proxyConfig.caBundle
    set agentInstallNamespace to the namespace of the workloads, so that the hub delivers the ConfigMap there",
    ]
  `);
  expect(
    findingTexts('FW7126', {
      manifests: [deployment('agent')],
      config: { agentInstallNamespace: 'agents', proxyConfig },
    }),
  ).toEqual([]);
});

test('FW7127: two registrations of one kind, or a long signer, make workloads that no cluster takes', () => {
  expect(
    findingTexts('FW7127', {
      manifests: [deployment('agent')],
      registration: [kubeClient(), kubeClient(), customSigner(`example.com/${'a'.repeat(60)}`)],
      clusters,
    }),
  ).toMatchInlineSnapshot(`
    [
      "error: for this registration the hub adds to every pod a second volume "hub-kubeconfig", so the cluster rejects the workloads
    AddOnTemplate template at spec.registration[1]
    keep one registration for each signer",
      "error: for this registration the hub adds to every pod a volume "cert-example-com-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", whose name has 77 characters instead of at most 63, so the cluster rejects the workloads
    AddOnTemplate template at spec.registration[2]
    choose a shorter signer name",
    ]
  `);
});

describe('FW7136: a container id', () => {
  const requirement = (containerID: string): object => ({ containerID, resources: { limits: { cpu: '1' } } });
  const addOn = (...ids: string[]): TemplateAddOn => ({
    manifests: [deployment('agent'), configMap('a', {})],
    config: { agentInstallNamespace: '', resourceRequirements: ids.map(requirement) },
    clusters,
  });
  test('that matches no container is passed over', () => {
    expect(findingTexts('FW7136', addOn('deployments:agnt:main', 'daemonsets:other:*')))
      .toMatchInlineSnapshot(`
      [
        "warning: no container matches containerID "deployments:agnt:main", so its resources have no effect on 2 clusters
      AddOnDeploymentConfig config at spec.resourceRequirements[0].containerID
      did you mean "deployments:agent:main"?",
        "warning: no container matches containerID "daemonsets:other:*", so its resources have no effect on 2 clusters
      AddOnDeploymentConfig config at spec.resourceRequirements[1].containerID
      the containers are "deployments:agent:main"",
      ]
    `);
  });
  test('that matches one is not reported', () => {
    expect(codesOf(addOn('deployments:agent:main', 'deployments:*:*', '*:agent:m.+'))).toEqual([]);
  });
});

describe('FW7137: a hub permission', () => {
  const addOn = (...others: object[]): TemplateAddOn => ({
    manifests: [deployment('agent')],
    registration: [
      kubeClient(currentCluster, {
        type: 'SingleNamespace',
        singleNamespace: {
          namespace: 'shared',
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        },
      }),
    ],
    others,
  });
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', rules: [] };
  test('for a misspelled role is reported, and not as if the role existed', () => {
    const misspelled = addOn(clusterRole('agnt'), {
      ...role,
      metadata: { name: 'raeder', namespace: 'shared' },
    });
    expect(findingTexts('FW7137', misspelled)).toMatchInlineSnapshot(`
      [
        "warning: there is no ClusterRole "agent", so the hub cannot grant it to the agents
      AddOnTemplate template at spec.registration[0].kubeClient.hubPermissions[0].currentCluster.clusterRoleName
      did you mean "agnt"?",
        "warning: there is no Role "reader" in namespace "shared", so the hub cannot grant it to the agents
      AddOnTemplate template at spec.registration[0].kubeClient.hubPermissions[1].singleNamespace.roleRef
      did you mean "shared/raeder"?",
      ]
    `);
    expect(codesOf({ ...misspelled, clusters })).not.toContain('FW7116');
  });
  test('for a role that nothing in the inputs is or resembles is reported, as it may be on the hub', () => {
    expect(findingTexts('FW7137', addOn(clusterRole('unlike')))).toMatchInlineSnapshot(`
      [
        "warning: neither the app nor the fleet snapshot has ClusterRole "agent", which the hub would grant to the agents
      AddOnTemplate template at spec.registration[0].kubeClient.hubPermissions[0].currentCluster.clusterRoleName
      create the ClusterRole, or list it under external in fleetwright.yaml if the hub has it",
        "warning: neither the app nor the fleet snapshot has Role "reader" in namespace "shared", which the hub would grant to the agents
      AddOnTemplate template at spec.registration[0].kubeClient.hubPermissions[1].singleNamespace.roleRef
      create the Role, or list it under external in fleetwright.yaml if the hub has it",
      ]
    `);
    expect(codesOf({ ...addOn(), clusters })).toContain('FW7116');
  });
  test('for a role that Kubernetes creates is not reported', () => {
    const viewer = { type: 'CurrentCluster', currentCluster: { clusterRoleName: 'view' } };
    expect(
      findingTexts('FW7137', { ...addOn(clusterRole('views')), registration: [kubeClient(viewer)] }),
    ).toEqual([]);
  });
});

describe('FW7138: an environment variable', () => {
  const variables = (name: string): TemplateAddOn => ({
    manifests: [deployment('agent', {}, { env: [{ name, value: '/etc/hub' }] })],
    registration: [kubeClient()],
    clusters,
  });
  test('that the hub adds too is reported', () => {
    expect(findingTexts('FW7138', variables('HUB_KUBECONFIG'))).toMatchInlineSnapshot(`
      [
        "warning: the hub adds HUB_KUBECONFIG to container "main" of Deployment agents/agent as well, on 2 clusters: its value "/managed/hub-kubeconfig/kubeconfig" replaces that of the template
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].spec.template.spec.containers[0].env[0]
      remove it from the template: the hub sets it in every container",
      ]
    `);
  });
  test('of another name is not', () => {
    expect(codesOf(variables('KUBECONFIG'))).toEqual([]);
  });
});

test('every configuration counts once, whatever the number of its clusters', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`c${index}`, {}]));
  const config = deploymentConfig('other', {
    agentInstallNamespace: 'agents',
    proxyConfig: { caBundle: base64('x') },
  });
  expect(
    codesOf({
      manifests: [deployment('agent'), configMap('a', { b: '{{B}}' })],
      config: {},
      clusters: many,
      others: [config],
    }),
  ).toEqual(['FW7101', 'FW7108']);
});
