import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

// What a repository, a chart or a hub names is printed by every command: no name may act in a terminal or in the log of a CI job.

const group = 'addon.open-cluster-management.io';
/** Erases the screen, links, forges a line and a workflow command, turns the direction of writing, hides. */
const hostile =
  'x\u001b[2J\u001b]8;;https://evil.example\u0007\r\n::error::forged\u009b31m\u202e\u200by##[error]z';
/** Folders and files may have such names too; a slash ends a name. */
const folderName = hostile.replaceAll('/', '');

const inYaml = JSON.stringify(hostile).replaceAll(
  /[\u007f-\uffff]/g,
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

const acting =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/;

const hub = `apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello, annotations: { note: ${inYaml} } }
spec:
  supportedConfigs:
  - { group: ${group}, resource: addontemplates, defaultConfig: { name: hello } }
  - { group: ${group}, resource: addondeploymentconfigs, defaultConfig: { name: config, namespace: default } }
  installStrategy: { type: Placements, placements: [{ name: all, namespace: default }] }
---
apiVersion: ${group}/v1alpha1
kind: AddOnTemplate
metadata: { name: hello }
spec:
  addonName: hello
  agentSpec:
    workload:
      manifests:
      - apiVersion: v1
        kind: ConfigMap
        metadata: { name: hello, namespace: default }
        data: { level: '{{LEVEL}}', ${inYaml}: a }
---
apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: config, namespace: default }
spec: { customizedVariables: [{ name: LEVEL, value: ${inYaml} }] }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
---
apiVersion: policy.open-cluster-management.io/v1
kind: PlacementBinding
metadata: { name: binding, namespace: default }
placementRef: { apiGroup: cluster.open-cluster-management.io, kind: Placement, name: all }
subjects: [{ apiGroup: policy.open-cluster-management.io, kind: Policy, name: ${inYaml} }]
`;

let cwd: string;
beforeEach(async () => {
  cwd = await folderWith({
    [`apps/${folderName}/${folderName}.yaml`]: hub,
    [`apps/${folderName}/fleet.yaml`]: fleetOf({ c1: { env: 'prod' }, c2: {} }),
    'plain/hub.yaml': `${hub}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${inYaml} }\n`,
  });
});

async function printed(...commandLine: readonly string[]): Promise<string> {
  const { out, err } = await runIn(cwd, commandLine);
  return out + err;
}

/** The lines in which something acts. */
function actingLines(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => acting.test(line) || /^\s*::/.test(line) || line.includes('##[error]'));
}

describe('hostile names and values', () => {
  test.each([
    ['synth'],
    ['validate'],
    ['validate', 'plain'],
    ['validate', '--verbose', '.'],
    ['validate', '-o', 'json', 'plain'],
    ['resolve', '-o', 'yaml'],
    ['rollout', `apps/${folderName}`],
    ['rollout', `apps/${folderName}`, '-o', 'json'],
    ['explain', 'c1'],
    ['explain', 'c1', 'hello'],
    ['explain', 'c1', 'hello', 'LEVEL'],
    ['explain', 'c1', 'hello', 'ConfigMap/hello .data.level'],
    ['explain', 'c1', 'hello', '-o', 'json'],
    ['explain', 'c3'],
    ['who-uses', 'placement/default/all'],
    ['who-uses', 'default/config', '-o', 'json'],
    ['who-uses', `apps/${folderName}`],
    ['who-uses', `apps/${folderName}/${folderName}.yaml`],
    ['render', 'c1', 'hello'],
    ['import', 'plain', '--out', 'apps/imported'],
    ['synth', '--app', 'nothing'],
    ['synth', hostile],
    [hostile],
  ])('do not act in the output of command line %#', async (...commandLine) => {
    const text = await printed(...commandLine);
    expect(text).not.toBe('');
    expect(actingLines(text)).toEqual([]);
  });

  test('are shown as their escapes, in one line', async () => {
    const text = await printed('explain', 'c1', 'hello', 'LEVEL');
    expect(text).toContain(String.raw`x\u001b[2J\u001b]8;;https://evil.example\u0007`);
    expect(text).toContain(String.raw`\u009b31m\u202e\u200by##\[error]z`);
  });

  test('are in the files of the app, as they are in the input', async () => {
    await printed('import', 'plain', '--out', 'apps/imported');
    const text = await readFile(path.join(cwd, 'apps/imported/app.ts'), 'utf8').catch(() => '');
    expect(text).not.toMatch(acting);
  });

  test('do not act in the differences of a plan or of a rendering', async () => {
    const git = (...words: readonly string[]): void => {
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
        cwd,
        stdio: 'ignore',
      });
    };
    git('init', '--initial-branch=main');
    git('add', '.');
    git('commit', '--message=a');
    const file = path.join(cwd, 'apps', folderName, `${folderName}.yaml`);
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('forged', 'changed'));
    for (const output of ['text', 'markdown', 'json', 'sarif', 'junit', 'github', 'html']) {
      const text = await printed('plan', 'HEAD', '-o', output);
      // A character without width is how Markdown breaks links, and annotations are commands.
      const breaks = output === 'markdown' ? /\u200b/g : /^::(?:notice|warning|error) /gm;
      expect(actingLines(text.replaceAll(breaks, ''))).toEqual([]);
    }
    expect(actingLines(await printed('render', 'c1', 'hello', '--diff', 'HEAD'))).toEqual([]);
  });
});
