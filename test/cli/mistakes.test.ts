import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { exampleApp, exampleFleet } from '../../cli/commands/init/example-app.ts';
import { linkDependencies } from '../linked-repository.ts';
import { runIn } from './terminal.ts';

// The app of `init`, with one mistake at a time that a new user makes.

let cwd = '';
beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'fleetwright-mistakes-'));
  linkDependencies(cwd);
  await mkdir(path.join(cwd, 'apps/hello'), { recursive: true });
  await writeFile(path.join(cwd, 'apps/hello/fleet.yaml'), exampleFleet);
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** Returns the findings of the app with a replaced text: each with its location and hint, without the source line. */
async function findingsWith(text: string, replacement: string): Promise<string[]> {
  expect(exampleApp).toContain(text);
  await writeFile(path.join(cwd, 'apps/hello/app.ts'), exampleApp.replace(text, replacement));
  const { err } = await runIn(cwd, ['validate', '--verbose', 'apps/hello']);
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
    'the values in the fleet are "dev", "prod", "staging"',
  ],
  ['a duration as text', 'Duration.minutes(5)', "'10m' as never", 'error FW9001', '59:24', ''],
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
    'error FW9001',
    '51:1',
    '',
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
    '106:7',
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
] as const)('%s is reported with its place and remedy', async (_, text, replacement, code, place, hint) => {
  const lines = await findingsWith(text, replacement);
  const index = lines.findIndex((line) => line.startsWith(code));
  expect(lines[index] ?? lines.join('\n')).toMatch(new RegExp(`^${code}: `));
  expect(lines[index + 1]).toContain(`apps/hello/app.ts:${place}`);
  expect(lines[index + 2] ?? '').toContain(hint);
});
