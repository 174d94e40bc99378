import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

const files = {
  'apps/hello/hub.yaml': app,
  'apps/hello/fleet.yaml': fleetOf(clusters),
  'base/apps/hello/hub.yaml': app,
};

const commandLines: readonly (readonly string[])[] = [
  ['synth'],
  ['synth', '--check'],
  ['validate'],
  ['validate', 'apps/hello/hub.yaml'],
  ['resolve', 'apps/hello'],
  ['rollout', 'apps/hello'],
  ['plan', 'base', '.'],
  ['render', 'c1', 'hello'],
  ['explain', 'c1'],
  ['who-uses', 'default/base'],
  ['who-uses', 'apps/hello/hub.yaml'],
  ['machine', 'generate', 'apps/hello'],
  ['machine', 'function'],
];

const list = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n';

/** What the commands answer: one answer if all of them have the same. */
async function answers(cwd: string): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  for (const commandLine of commandLines) {
    const { code, out, err } = await runIn(cwd, commandLine, list);
    seen.add(`${code} ${out}${err}`);
  }
  return seen;
}

describe('a settings file that cannot be read (FW9036)', () => {
  test('that is not valid YAML is an error of every command, with its place', async () => {
    const cwd = await folderWith({ ...files, 'fleetwright.yaml': 'guardrails:\n  protect: [c1\n' });
    expect([...(await answers(cwd))]).toEqual([
      `2 error FW9036: fleetwright.yaml is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]
 --> fleetwright.yaml:3:1
  |
3 | 
  | ^
  = hint: correct the file; no command reads only a part of it

1 error
`,
    ]);
  });

  test('is an error of every command if it is a folder', async () => {
    const cwd = await folderWith(files);
    await mkdir(path.join(cwd, 'fleetwright.yaml'));
    expect([...(await answers(cwd))]).toEqual([
      `2 error FW9036: fleetwright.yaml cannot be read: it is a folder
 --> fleetwright.yaml:1:1
  = hint: remove the folder, or write the settings into a file of this name

1 error
`,
    ]);
  });

  test.each([
    ['nowhere.yaml', 'it is a broken link', 'correct the link, or replace it with the file'],
    ['fleetwright.yaml', 'it is a link that leads back to itself', 'replace the link with the file'],
  ])('is an error if it is a link to %s', async (target, reason, hint) => {
    const cwd = await folderWith(files);
    await symlink(target, path.join(cwd, 'fleetwright.yaml'));
    for (const folder of [cwd, path.join(cwd, 'apps/hello')])
      for (const commandLine of [['synth'], ['explain', 'c1']]) {
        const { code, out, err } = await runIn(folder, commandLine);
        expect({ code, out }).toEqual({ code: 2, out: '' });
        expect(err).toContain(`fleetwright.yaml cannot be read: ${reason}\n`);
        expect(err).toContain(hint);
      }
  });

  test('has an unknown section, which every command reports', async () => {
    const cwd = await folderWith({ ...files, 'fleetwright.yaml': 'guardrail: {}\n' });
    for (const answer of await answers(cwd))
      expect(answer).toMatch(
        /^2 fleetwright: fleetwright\.yaml:1: guardrail is unknown.*\n {2}did you mean guardrails\?\n$/,
      );
  });

  test('of the base is an error of plan, unless the policies of the head are named', async () => {
    const cwd = await folderWith(files);
    await writeFile(path.join(cwd, 'base/fleetwright.yaml'), 'guardrails: [\n');
    const { code, err } = await runIn(cwd, ['plan', 'base', '.']);
    expect(code).toBe(2);
    expect(err).toContain('the policies of base cannot be read: fleetwright.yaml is not valid YAML');
    expect(err).toContain('--policy-from head');
  });
});
