import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hubVersionNames } from '../../../src/ocm/hub-version.ts';
import { casesOf } from './play.ts';
import { printTable } from './table.ts';
import { nearestRelease, releaseOfTree } from './tree.ts';

const root = path.resolve(import.meta.dirname, '../../..');

function run(...options: readonly string[]): { readonly code: number | null; readonly err: string } {
  const program = path.join(root, 'test/hub/compare/main.ts');
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', program, ...options], {
    cwd: root,
    encoding: 'utf8',
  });
  return { code: status, err: stderr };
}

/** A source tree with a go.mod, and nothing else. */
function treeWith(goMod: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fleetwright-tree-'));
  writeFileSync(path.join(folder, 'go.mod'), goMod);
  return folder;
}

const treeOf = (api: string): string =>
  treeWith(
    `module open-cluster-management.io/ocm\n\ngo 1.26.0\n\nrequire (\n\topen-cluster-management.io/api ${api}\n)\n`,
  );

describe('the command', () => {
  test('prints its usage for a family that does not exist', () => {
    const { code, err } = run('.', '--only', 'placements');
    expect(err).toMatch(/^usage: npm run hub:compare -- FOLDER/);
    expect(code).toBe(2);
  });

  test('names a folder that is no source tree of OCM', () => {
    const folder = treeWith('module example.com/other\n');
    const { code, err } = run(folder);
    expect(err).toBe(`${folder}/go.mod is not of the module open-cluster-management.io/ocm\n`);
    expect(code).toBe(2);
  });
});

describe('a tree is compared with the release', () => {
  test.each([
    ['v1.2.0', '1.2'],
    ['v1.3.1', '1.3'],
    ['v1.3.1-0.20260811080333-00f84c32b000', '1.4'],
    ['v1.99.0', hubVersionNames.at(-1)],
  ])('that its api module %s belongs to', (api, release) => {
    expect(nearestRelease(treeOf(api))).toBe(release);
  });
});

test.each([
  ['v1.2.1', 'first'],
  ['v1.3.1', 'first'],
  ['v1.4.0', 'last'],
])(
  'with addon-framework %s, templates are expected to read the %s of several configurations',
  (version, read) => {
    const folder = treeWith(
      `module open-cluster-management.io/ocm\n\nrequire (\n\topen-cluster-management.io/addon-framework ${version}\n)\n`,
    );
    expect(releaseOfTree(folder, '1.4')).toMatchObject({
      name: '1.4',
      keepsConfigOrder: true,
      templatesRead: read,
    });
  },
);

test('random cases come after all recorded ones, evenly of each family', () => {
  const cases = casesOf(['placement', 'rollout'], { random: 5, seed: 7 });
  const isRecorded = cases.map((each) => each.isRecorded);
  expect(isRecorded.lastIndexOf(true)).toBeLessThan(isRecorded.indexOf(false));
  expect(cases.filter((each) => !each.isRecorded).map(({ name }) => name)).toEqual([
    'placement seed 7',
    'rollout seed 7',
    'placement seed 8',
    'rollout seed 8',
    'placement seed 9',
  ]);
  expect(cases.at(-1)?.scenario().input.length).toBeGreaterThan(0);
});

test('the table shows the first difference of each case, and cases that could not be played', () => {
  const table = printTable(
    {
      played: 3,
      agreed: 1,
      rows: [
        {
          name: 'placement seed 7',
          kind: 'differs',
          differences: [{ at: 'Placement/a/b status', hub: { number: 1 }, compiler: undefined }],
        },
        { name: 'rollout/wide', kind: 'failed', differences: [], error: 'timed out | twice' },
      ],
      found: path.resolve('found'),
    },
    { release: '1.4', versions: { ocm: 'main' } },
  );
  expect(table).toMatchInlineSnapshot(`
    "1 of 3 cases are answered as predicted for OCM 1.4.

    The hub: ocm main

    | case | differences | the first at | hub | predicted |
    | --- | --- | --- | --- | --- |
    | placement seed 7 | 1 | \`Placement/a/b status\` | \`{"number":1}\` | \`absent\` |
    | rollout/wide | could not be played |  | \`"timed out \\| twice"\` |  |

    The scenarios of seeds are in found.
    "
  `);
});
