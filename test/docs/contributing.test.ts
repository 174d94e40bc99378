import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

/** The files of a section of "How to add…". */
function filesOf(section: string): readonly string[] {
  const [, text = ''] = page.split(`\n### ${section}\n`);
  const [, list = ''] = /^\s*Files: (.*)$/m.exec(text.split('\n### ', 1)[0] ?? '') ?? [];
  return [...list.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
}

/** Files that hand-written source has for a thing, found by a text that is part of nothing else. */
function filesWith(text: string, folders: readonly string[]): readonly string[] {
  const out = execFileSync('git', ['grep', '-lF', text, '--', ...folders, ':!*.gen.ts'], { cwd: root });
  return out.toString().trim().split('\n');
}

interface Existing {
  readonly section: string;
  /** One thing of this kind, in the place of the placeholders. */
  readonly names: Readonly<Record<string, string>>;
  /** A text in each file that connects it, besides its own. */
  readonly text: string;
  readonly folders: readonly string[];
  /** Its own file, which may have another folder or no such text. */
  readonly own: string;
}

const existing: readonly Existing[] = [
  {
    section: 'an output format of `plan`',
    names: { 'src/compiler/report/FORMAT/plan-FORMAT.ts': 'src/compiler/report/ci/plan-junit.ts' },
    text: 'junit: body',
    folders: ['src'],
    own: 'src/compiler/report/ci/plan-junit.ts',
  },
  {
    section: 'a command',
    names: { NAME: 'diff' },
    text: 'diffCommand',
    folders: ['src'],
    own: 'src/cli/commands/diff.ts',
  },
  {
    section: 'a setting',
    names: {},
    text: 'plan?.by',
    folders: ['src'],
    own: 'src/workspace/settings/settings-schema.ts',
  },
  {
    section: 'a construct',
    names: { NAME: 'klusterlet' },
    text: "'./klusterlet.ts'",
    folders: ['constructs'],
    own: 'constructs/klusterlet.ts',
  },
  {
    section: 'a rule across objects',
    names: { TOPIC: 'rollouts', NAME: 'soak' },
    text: "'./soak.ts'",
    folders: ['src/compiler/check'],
    own: 'src/compiler/check/rollouts/soak.ts',
  },
  {
    section: 'a diagnostic',
    names: { CODE: 'FW7151' },
    text: '  FW7151: {',
    folders: ['src', 'docs'],
    own: 'docs/diagnostics/FW7151.md',
  },
  {
    section: 'an OCM release',
    names: {},
    text: "name: '1.4'",
    folders: ['src', 'constructs'],
    own: 'src/ocm/hub-version.ts',
  },
];

describe.each(existing)('how to add $section', ({ section, names, text, folders, own }) => {
  const files = filesOf(section).map((file) =>
    Object.entries(names).reduce((name, [from, to]) => name.replaceAll(from, to), file),
  );

  test('names one to three files, which exist for one that was added', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThanOrEqual(3);
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(files).toContain(own);
  });

  test('names every file that has to know it', () => {
    expect(filesWith(text, folders).filter((file) => !files.includes(file))).toEqual([]);
  });
});
