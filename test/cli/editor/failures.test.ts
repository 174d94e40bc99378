import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Editor } from './editor.ts';
import { app, file, settings, smallWorkspace } from './small-workspace.ts';

const typo = app('agent').replace(
  'name: production, namespace: agent }]',
  'name: prodution, namespace: agent }]',
);

test.each([
  {
    what: 'an unknown key',
    text: 'engine: flux\nhubVersoin: "1.3"\n',
    place: { start: { line: 1, character: 0 }, end: { line: 1, character: 17 } },
    problem: expect.stringMatching(
      /^hubVersoin is unknown: use one of apps, .*\ndid you mean hubVersion\?$/,
    ) as string,
    message: expect.stringMatching(
      /^Fleetwright: fleetwright.yaml:2: hubVersoin is unknown: .*; did you mean hubVersion\?$/,
    ) as string,
  },
  {
    what: 'a list for a mapping',
    text: '# Rules\npolicies:\n  - expression: "true"\n    message: never\n',
    place: { start: { line: 1, character: 0 }, end: { line: 1, character: 8 } },
    problem: 'policies is not a mapping',
    message: 'Fleetwright: fleetwright.yaml:2: policies is not a mapping',
  },
  {
    what: 'a missing fleet',
    text: 'fleet: fleets/none.yaml\n',
    place: { start: { line: 0, character: 7 }, end: { line: 0, character: 23 } },
    problem: 'fleet fleets/none.yaml does not exist\nfleetwright fleet pull --out fleets/none.yaml',
    message:
      'Fleetwright: fleetwright.yaml:1: fleet fleets/none.yaml does not exist; fleetwright fleet pull --out fleets/none.yaml',
  },
  {
    what: 'no YAML',
    text: 'engine: [flux\n',
    place: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } },
    problem: expect.stringMatching(/^fleetwright.yaml is not valid YAML: /) as string,
    message: expect.stringMatching(
      /^Fleetwright: fleetwright.yaml:2: fleetwright.yaml is not valid YAML: /,
    ) as string,
  },
])('settings with a mistake are a finding at their line, and other findings stay: $what', async (each) => {
  const folder = await smallWorkspace({ [file]: typo });
  const editor = await Editor.in(folder);
  await editor.open(file);
  expect(await editor.errors(file)).toEqual(['FW7003']);
  const before = await editor.findings(file);

  await writeFile(path.join(folder, settings), each.text);
  await expect
    .poll(() => editor.findings(settings))
    .toMatchObject([{ range: each.place, severity: 1, source: 'fleetwright', message: each.problem }]);
  expect(await editor.findings(file)).toEqual(before);
  expect(editor.messages).toEqual([each.message]);

  await editor.type(file, 'prodution', 'production');
  expect(await editor.findings(file)).toEqual(before);
  await writeFile(path.join(folder, settings), '');
  await expect.poll(() => editor.findings(settings)).toEqual([]);
  expect(await editor.errors(file)).toEqual([]);
});
