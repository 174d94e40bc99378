import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { exampleApp } from '../../src/cli/commands/new/example-app.ts';
import { exampleFleet } from '../../src/cli/commands/new/example-fleet.ts';
import { linkDependencies } from '../linked-repository.ts';
import { runIn } from './terminal.ts';

// The app of `init`, with one mistake at a time that a new user makes.

const example = await exampleApp('hello');

let cwd = '';
beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'fleetwright-mistakes-'));
  linkDependencies(cwd);
  await mkdir(path.join(cwd, 'apps/hello'), { recursive: true });
  await writeFile(path.join(cwd, 'apps/hello/fleet.yaml'), await exampleFleet('fleetwright fleet pull'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** Returns the findings of the app with a replaced text: each with its location and hint, without the source line. */
async function findingsWith(text: string, replacement: string): Promise<string[]> {
  expect(example).toContain(text);
  return await findingsOf(example.replace(text, replacement));
}

async function findingsOf(app: string): Promise<string[]> {
  await writeFile(path.join(cwd, 'apps/hello/app.ts'), app);
  return findingLines((await runIn(cwd, ['validate', '--verbose', '--all', 'apps/hello'])).err);
}

function findingLines(err: string): string[] {
  return err
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(?:(?:error|warning|info) FW|--> |= hint: )/.test(line));
}

const addOn = "new ClusterManagementAddOn(hub, 'add-on', {";
const variables = "customizedVariables: { GREETING: 'Hello' },";
const before = (code: string): [string, string] => [addOn, `${code}\n${addOn}`];
const resources = (containerID: string, memory: string): string =>
  `${variables} resourceRequirements: [{ containerID: '${containerID}', resources: { limits: { memory: '${memory}' } } }],`;

test('without a mistake there is no finding', async () => {
  expect(await findingsWith('export default app;', 'export default app;')).toEqual([]);
});

test.each([
  [
    'the name of another add-on',
    "addonName: 'hello'",
    "addonName: 'helo'",
    'info FW7114',
    '37:18',
    'write addonName: hello,',
  ],
  [
    'a misspelled label value',
    "labels: { env: 'dev' }",
    "labels: { env: 'dve' }",
    'warning FW7007',
    '30:20',
    'did you mean "dev"? The values in the fleet are "dev", "prod", "staging"',
  ],
  [
    'a duration as text',
    'Duration.minutes(10)',
    "'10m' as never",
    'error FW9191',
    '61:24',
    'Duration.minutes',
  ],
  [
    'an id twice',
    ...before("new AddOnDeploymentConfig(hub, 'config', { name: 'other' });"),
    'error FW9001',
    '51:1',
    'ids are unique in a scope',
  ],
  [
    'a missing binding',
    "new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });",
    '',
    'error FW7001',
    '30:20',
    'create a ManagedClusterSetBinding in this namespace',
  ],
  [
    'a misspelled variable',
    "Variable.custom('GREETING')",
    "Variable.custom('GREETNIG')",
    'warning FW7101',
    '37:18',
    'did you mean "GREETING"?',
  ],
  [
    'a variable with spaces',
    "Variable.custom('GREETING')",
    "'{{ GREETING }}'",
    'warning FW7102',
    '37:18',
    'write {{GREETING}}, without spaces',
  ],
  [
    'a number in quotes',
    "'25%'",
    "'25' as never",
    'error FW5001',
    '51:1',
    'write a number without quotes, or a percentage such as "25%"',
  ],
  ['more than all clusters', "'25%'", "'150%'", 'error FW2010', '51:1', 'write at most 100%'],
  [
    'a misspelled group',
    'mandatoryGroups: [dev,',
    "mandatoryGroups: [DecisionGroup.named('devv', { labels: { env: 'dev' } }),",
    'warning FW7204',
    '51:1',
    'did you mean "dev"?',
  ],
  [
    'no default export',
    'export default app;',
    '',
    'error FW9002',
    '1:1',
    'end the file with `export default app;`',
  ],
  [
    'a placement as text',
    'placement: everywhere',
    "placement: 'everywhere' as never",
    'error FW9191',
    '51:1',
    'use the construct or Placement.reference',
  ],
  [
    'the kind of a container in singular',
    variables,
    resources('deployment:hello:greeter', '1Mi'),
    'error FW2010',
    '45:16',
    'here deployments instead of deployment',
  ],
  [
    'the id of no container',
    variables,
    resources('deployments:agnt:greeter', '1Mi'),
    'warning FW7136',
    '45:16',
    'the containers are "deployments:hello:greeter"',
  ],
  [
    'a wrong unit',
    variables,
    resources('deployments:hello:greeter', '128MB'),
    'error FW2010',
    '45:16',
    'write 128Mi (powers of 1024), or 128M (powers of 1000)',
  ],
  [
    'upper case',
    "name: 'hello',\n  immutable: true,\n  customized",
    "name: 'Hello',\n  immutable: true,\n  customized",
    'error FW2016',
    '45:16',
    'write "hello-',
  ],
  [
    'a template that nothing uses',
    'defaultConfigs: [template, config]',
    'defaultConfigs: [config]',
    'warning FW7134',
    '37:18',
    'refer to it in the default configurations of add-on "hello"',
  ],
  ['a syntax error', 'const app = new App();', 'const app = new App(;', 'error FW9001', '20:21', ''],
  [
    'an error that the app throws',
    'export default app;',
    "throw new Error('boom');",
    'error FW9001',
    '107:7',
    '',
  ],
  [
    'a missing package',
    "} from 'fleetwright';",
    "} from 'missing-package';",
    'error FW9001',
    '17:8',
    'correct the name, or install the package with npm',
  ],
  [
    'a name twice',
    ...before("for (const id of ['a', 'b']) new AddOnDeploymentConfig(hub, id, { name: 'same' });"),
    'error FW2025',
    '51:30',
    'remove one of the two, or give it another name',
  ],
  [
    'a configuration that nothing uses',
    ...before("new AddOnDeploymentConfig(hub, 'other', { name: 'other' });"),
    'warning FW7135',
    '51:1',
    'refer to it in the default configurations of an add-on',
  ],
  [
    'a misspelled field in CEL',
    'decisionGroups: [dev, staging],',
    `predicates: [{ cel: ['managedCluster.metadata.label.env == "x"'] }],`,
    'warning FW7023',
    '30:20',
    'did you mean "labels"?',
  ],
  [
    'a syntax error in CEL',
    'decisionGroups: [dev, staging],',
    "predicates: [{ cel: ['managedCluster.metadata.labels[ == 1'] }],",
    'error FW3001',
    '30:20',
    'correct the expression',
  ],
  [
    'the kind of a configuration in singular',
    'defaultConfigs: [template, config]',
    "defaultConfigs: [template, { configReference: { group: 'addon.open-cluster-management.io', resource: 'addondeploymentconfig', namespace: 'hello', name: 'hello' } }]",
    'warning FW4002',
    '51:1',
    'did you mean "addondeploymentconfigs"?',
  ],
  [
    'a reference to a missing configuration',
    'defaultConfigs: [template, config]',
    "defaultConfigs: [template, { configReference: { group: 'addon.open-cluster-management.io', resource: 'addondeploymentconfigs', namespace: 'hello', name: 'helo' } }]",
    'error FW4001',
    '51:1',
    '',
  ],
  [
    'a role that is nowhere',
    'workload: greeter,',
    "workload: greeter,\n  registration: [await import('fleetwright').then((all) => all.Registration.kubeClient({ hubPermissions: [all.HubPermission.currentCluster('greeter-agent')] }))],",
    'warning FW7137',
    '37:18',
    'create the ClusterRole, or list it under external in fleetwright.yaml if the hub has it',
  ],
  [
    'a placement in a namespace without a binding',
    'const everywhere = new Placement(hub, ',
    "const everywhere = new Placement(new Chart(app, 'other', { namespace: 'other' }), ",
    'error FW7001',
    '30:20',
    'create a ManagedClusterSetBinding in this namespace',
  ],
  [
    'an override for a missing cluster',
    addOn,
    `const { ManagedClusterAddOn } = await import('fleetwright');\nnew ManagedClusterAddOn(hub, 'prod3', { addOn: ClusterManagementAddOn.reference('hello'), cluster: 'prod3', configs: [config] });\n${addOn}`,
    'warning FW4007',
    '52:1',
    'the clusters are "dev-1", "staging-1", "prod-1" and "prod-2"',
  ],
  [
    'an override for a cluster that no placement selects',
    'decisionGroups: [dev, staging],',
    "predicates: [{ labels: { env: 'dev' } }], decisionGroups: [dev, staging],\n});\nconst { ManagedClusterAddOn } = await import('fleetwright');\nnew ManagedClusterAddOn(hub, 'prod-1', { addOn: ClusterManagementAddOn.reference('hello'), cluster: 'prod-1',",
    'error FW4003',
    '36:1',
    'select the cluster with a placement of the install strategy, or remove this object',
  ],
] as const)('%s is reported with its place and remedy', async (_, text, replacement, code, place, hint) => {
  const lines = await findingsWith(text, replacement);
  const index = lines.findIndex((line) => line.startsWith(code));
  expect(lines[index] ?? lines.join('\n')).toMatch(new RegExp(`^${code}: `));
  expect(lines[index + 1]).toContain(`apps/hello/app.ts:${place}`);
  expect(lines[index + 2] ?? '').toContain(hint);
});

test('a cause is reported before its consequences', async () => {
  // The misspelled label empties the group that the rollout requires.
  const lines = await findingsWith("labels: { env: 'dev' }", "labels: { env: 'dve' }");
  expect(lines.flatMap((line) => /FW\d{4}/.exec(line)?.[0] ?? [])).toEqual(['FW7007', 'FW7020', 'FW7204']);
});

test('a duration below a second is accepted, as Go reads it', async () => {
  expect(await findingsWith('Duration.minutes(10)', 'Duration.millis(1500)')).toEqual([]);
});

// The same add-on as YAML.
const yaml = `apiVersion: v1
kind: Namespace
metadata: { name: hello }
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: hello }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: everywhere, namespace: hello }
spec:
  tolerations:
    - { key: cluster.open-cluster-management.io/unreachable, operator: Exists }
    - { key: cluster.open-cluster-management.io/unavailable, operator: Exists }
  decisionStrategy:
    groupStrategy:
      decisionGroups:
        - groupName: dev
          groupClusterSelector: { labelSelector: { matchLabels: { env: dev } } }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata: { name: hello }
spec:
  addonName: hello
  agentSpec:
    workload:
      manifests:
        - apiVersion: apps/v1
          kind: Deployment
          metadata: { name: hello, namespace: open-cluster-management-agent-addon }
          spec:
            selector: { matchLabels: { app: hello } }
            template:
              metadata: { labels: { app: hello } }
              spec:
                containers:
                  - name: greeter
                    image: busybox:1.37
                    env:
                      - { name: GREETING, value: '{{GREETING}}' }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: hello, namespace: hello }
spec:
  customizedVariables:
    - { name: GREETING, value: Hello }
---
apiVersion: addon.open-cluster-management.io/v1beta1
kind: ClusterManagementAddOn
metadata:
  name: hello
  annotations: { addon.open-cluster-management.io/lifecycle: addon-manager }
spec:
  defaultConfigs:
    - { group: addon.open-cluster-management.io, resource: addontemplates, name: hello }
    - { group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: hello, name: hello }
  installStrategy:
    type: Placements
    placements:
      - name: everywhere
        namespace: hello
        rolloutStrategy:
          type: Progressive
          progressive:
            mandatoryDecisionGroups: [{ groupName: dev }]
            maxConcurrency: 25%
            progressDeadline: 10m0s
`;

async function findingsInYaml(text: string, replacement: string): Promise<string[]> {
  expect(yaml).toContain(text);
  await mkdir(path.join(cwd, 'yaml'), { recursive: true });
  await writeFile(path.join(cwd, 'yaml/hello.yaml'), yaml.replace(text, replacement));
  const { err } = await runIn(cwd, ['validate', '--verbose', 'yaml', '--fleet', 'apps/hello/fleet.yaml']);
  return findingLines(err);
}

const placement = `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: everywhere, namespace: hello }
`;
const override = (cluster: string): string => `---
apiVersion: addon.open-cluster-management.io/v1beta1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: ${cluster} }
spec: {}
---
`;

test('without a mistake there is no finding in YAML', async () => {
  expect(await findingsInYaml('hello', 'hello')).toEqual([]);
});

test.each([
  [
    'a missing role',
    '  agentSpec:\n',
    '  registration:\n    - type: KubeClient\n      kubeClient: { hubPermissions: [{ type: CurrentCluster, currentCluster: { clusterRoleName: greeter } }] }\n  agentSpec:\n',
    'warning FW7137',
    '30:80',
    'create the ClusterRole, or list it under external in fleetwright.yaml if the hub has it',
  ],
  [
    'the name of another add-on',
    'addonName: hello',
    'addonName: helo',
    'info FW7114',
    '27:3',
    'write addonName: hello, if the template is for this add-on',
  ],
  [
    'a misspelled label value',
    'matchLabels: { env: dev }',
    'matchLabels: { env: dve }',
    'warning FW7007',
    '21:67',
    'did you mean "dev"? The values in the fleet are "dev", "prod", "staging"',
  ],
  [
    'a reference to a missing configuration',
    'namespace: hello, name: hello }\n  installStrategy',
    'namespace: hello, name: helo }\n  installStrategy',
    'error FW4001',
    '60:7',
    'did you mean "hello/hello"?',
  ],
  [
    'the kind of a configuration in singular',
    'resource: addondeploymentconfigs',
    'resource: addondeploymentconfig',
    'warning FW4002',
    '60:7',
    'did you mean "addondeploymentconfigs"? The resource is the plural of the kind',
  ],
  [
    'a duration without a unit',
    'progressDeadline: 10m0s',
    'progressDeadline: "10"',
    'error FW2010',
    '71:13',
    'write one number with h, m or s, such as 90m, or None',
  ],
  [
    'a duration as number',
    'progressDeadline: 10m0s',
    'progressDeadline: 10',
    'error FW2007',
    '71:13',
    'put it in quotes: "10"',
  ],
  [
    'a name twice',
    'kind: AddOnDeploymentConfig\n',
    'kind: AddOnDeploymentConfig\nmetadata: { name: hello, namespace: hello }\nspec: {}\n---\napiVersion: addon.open-cluster-management.io/v1alpha1\nkind: AddOnDeploymentConfig\n',
    'error FW2025',
    '52:13',
    'remove one of the two, or give it another name',
  ],
  [
    'a placement in a namespace without a binding',
    'name: everywhere, namespace: hello',
    'name: everywhere, namespace: other',
    'error FW7001',
    '12:31',
    'create a ManagedClusterSetBinding in this namespace, named like an existing set, or list it under external in fleetwright.yaml if the hub has it',
  ],
  [
    'a misspelled field in CEL',
    '  tolerations:\n',
    '  predicates:\n    - requiredClusterSelector: { celSelector: { celExpressions: [\'managedCluster.metadata.label.env == "x"\'] } }\n  tolerations:\n',
    'warning FW7023',
    '15:66',
    'did you mean "labels"?',
  ],
  [
    'a syntax error in CEL',
    '  tolerations:\n',
    "  predicates:\n    - requiredClusterSelector: { celSelector: { celExpressions: ['managedCluster.metadata.labels[ == 1'] } }\n  tolerations:\n",
    'error FW3001',
    '15:66',
    'correct the expression; until then everything that uses this placement is uninstalled',
  ],
  [
    'a misspelled variable',
    '{{GREETING}}',
    '{{GREETNIG}}',
    'warning FW7101',
    '43:43',
    'give it a value in customizedVariables of the AddOnDeploymentConfig; did you mean "GREETING"?',
  ],
  [
    'a variable with spaces',
    '{{GREETING}}',
    '{{ GREETING }}',
    'warning FW7102',
    '43:43',
    'write {{GREETING}}, without spaces',
  ],
  [
    'a number in quotes',
    'maxConcurrency: 25%',
    "maxConcurrency: '25'",
    'error FW5001',
    '70:13',
    'write a number without quotes, or a percentage such as "25%"',
  ],
  [
    'more than all clusters',
    'maxConcurrency: 25%',
    'maxConcurrency: 150%',
    'error FW2010',
    '70:13',
    'write at most 100%',
  ],
  [
    'a misspelled group',
    '[{ groupName: dev }]',
    '[{ groupName: devv }]',
    'warning FW7204',
    '69:39',
    'did you mean "dev"?',
  ],
  [
    'an override for a missing cluster',
    '---\napiVersion: addon.open-cluster-management.io/v1beta1\n',
    override('prod3') + 'apiVersion: addon.open-cluster-management.io/v1beta1\n',
    'warning FW4007',
    '54:26',
    'the clusters are "dev-1", "staging-1", "prod-1" and "prod-2"',
  ],
  [
    'an override for a cluster that no placement selects',
    `${placement}spec:\n`,
    `${override('prod-1').slice(4)}${placement}spec:\n  predicates:\n    - requiredClusterSelector: { labelSelector: { matchLabels: { env: dev } } }\n`,
    'error FW4003',
    '12:26',
    'select the cluster with a placement of the install strategy, or remove this object',
  ],
  [
    'a placement as text',
    '      - name: everywhere\n        namespace: hello\n        rolloutStrategy',
    '      - everywhere\n      - rolloutStrategy',
    'error FW2007',
    '64:9',
    '',
  ],
  [
    'the kind of a container in singular',
    '  customizedVariables:',
    "  resourceRequirements: [{ containerID: 'deployment:hello:greeter', resources: { limits: { memory: 1Mi } } }]\n  customizedVariables:",
    'error FW2010',
    '49:28',
    'write the plural of the kind, the workload and the container, such as deployments:agent:main; here deployments instead of deployment',
  ],
  [
    'the id of no container',
    '  customizedVariables:',
    "  resourceRequirements: [{ containerID: 'deployments:agnt:greeter', resources: { limits: { memory: 1Mi } } }]\n  customizedVariables:",
    'warning FW7136',
    '49:28',
    'the containers are "deployments:hello:greeter"',
  ],
  [
    'a wrong unit',
    '  customizedVariables:',
    "  resourceRequirements: [{ containerID: 'deployments:hello:greeter', resources: { limits: { memory: 128MB } } }]\n  customizedVariables:",
    'error FW2010',
    '49:93',
    'write 128Mi (powers of 1024), or 128M (powers of 1000)',
  ],
  [
    'upper case',
    'kind: AddOnTemplate\nmetadata: { name: hello }',
    'kind: AddOnTemplate\nmetadata: { name: Hello }',
    'error FW2016',
    '25:13',
    'write "hello"',
  ],
  [
    'a template that nothing uses',
    '    - { group: addon.open-cluster-management.io, resource: addontemplates, name: hello }\n',
    '',
    'warning FW7134',
    '25:13',
    'refer to it in the default configurations of add-on "hello", or remove it',
  ],
  [
    'a missing binding',
    'kind: ManagedClusterSetBinding\nmetadata: { name: global, namespace: hello }',
    'kind: ManagedClusterSetBinding\nmetadata: { name: global, namespace: other }',
    'error FW7001',
    '12:31',
    'create a ManagedClusterSetBinding in this namespace, named like an existing set, or list it under external in fleetwright.yaml if the hub has it',
  ],
  [
    'a syntax error',
    'metadata: { name: hello }\n---',
    'metadata: { name: hello\n---',
    'error FW1001',
    '3:11',
    'write ] or } where the list or mapping ends',
  ],
  [
    'a misspelled kind',
    'kind: ClusterManagementAddOn',
    'kind: ClusterManagmentAddOn',
    'error FW2002',
    '53:1',
    'did you mean "ClusterManagementAddOn"?',
  ],
  [
    'an unknown field',
    '  addonName: hello',
    '  addonNmae: hello',
    'error FW2005',
    '27:3',
    'did you mean "addonName"?',
  ],
  [
    'a wrong apiVersion in a template',
    'apiVersion: apps/v1',
    'apiVersion: v1',
    'warning FW7131',
    '31:11',
    'write apiVersion: apps/v1',
  ],
  [
    'a misspelled kind in a template',
    'kind: Deployment',
    'kind: Deploymnet',
    'warning FW7131',
    '32:11',
    'did you mean "Deployment"?',
  ],
  [
    'an unknown field in a template',
    'containers:',
    'contianers:',
    'warning FW7132',
    '39:17',
    'did you mean "containers"?',
  ],
] as const)(
  '%s is reported in YAML with its place and remedy',
  async (_, text, replacement, code, place, hint) => {
    const lines = await findingsInYaml(text, replacement);
    const index = lines.findIndex((line) => line.startsWith(code));
    expect(lines[index] ?? lines.join('\n')).toMatch(new RegExp(`^${code}: `));
    expect(lines[index + 1]).toContain(`yaml/hello.yaml:${place}`);
    expect(lines[index + 2] ?? '').toContain(hint);
  },
);
