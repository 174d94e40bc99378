import { expect, test } from 'vitest';
import { quickFixes } from '../../../src/cli/editor/quick-fixes.ts';
import { TextPositions } from '../../../src/cli/editor/text-positions.ts';
import { edited } from './edited.ts';

/** Returns the text after each fix of a finding. @param marked - the text, with `|` at the place of the finding */
function fixed(marked: string, message: string, hint: string): readonly string[] {
  const text = marked.replace('|', '');
  const positions = new TextPositions(text);
  const start = positions.position(marked.indexOf('|'));
  const finding = {
    source: 'fleetwright',
    message: `${message}\n${hint}`,
    range: positions.field(start.line + 1, start.character + 1),
  };
  return quickFixes('file:///a.yaml', positions, [finding]).map((fix) => edited(text, fix));
}

test.each([
  [
    'the word of the hint, and not another one of the message',
    '- |group: addon\n  resource: addontemplate\n  name: agent-v1\n',
    'addontemplate.addon "agent-v1" is neither in the app nor in the fleet snapshot',
    'did you mean the resource "addontemplates"?',
    ['- group: addon\n  resource: addontemplates\n  name: agent-v1\n'],
  ],
  [
    'no word that is not similar to what was meant',
    '- |name: agent-v1\n',
    'addontemplate.addon "agent-v1" is neither in the app nor in the fleet snapshot',
    'did you mean the resource "addontemplates"?',
    [],
  ],
  [
    'the name of a field in a path',
    'spec:\n  |selectr: 1\n',
    'unknown field "spec.selectr"',
    'did you mean "selector"?',
    ['spec:\n  selector: 1\n'],
  ],
  [
    'no key that would be there twice',
    'spec:\n  |selectr: 1\n  selector: 2\n',
    'unknown field "spec.selectr"',
    'did you mean "selector"?',
    [],
  ],
  [
    'no path, if the hint is about one of its steps',
    'jsonPaths: [|.specs]\n',
    'the path ".specs" finds nothing',
    'did you mean "spec"?',
    [],
  ],
  [
    'the namespace of a name that exists in another one',
    '- |name: prod\n  namespace: prod\n',
    'Placement "prod/prod" does not exist',
    'did you mean "agents/prod"?',
    ['- name: prod\n  namespace: agents\n'],
  ],
  [
    'the value of the field of the finding, if others have the same',
    'matchLabels: { |env: pord, tier: pord }\n',
    'no cluster of the fleet has label env with the value "pord"',
    'did you mean "prod"?',
    ['matchLabels: { env: prod, tier: pord }\n'],
  ],
  [
    'no word of an item that follows',
    '  - |name: b\n  - name: prodution\n',
    'Placement "a/prodution" does not exist',
    'did you mean "a/production"?',
    [],
  ],
  [
    'no word of a comment',
    '|name: b # not prodution\n',
    'Placement "a/prodution" does not exist',
    'did you mean "a/production"?',
    [],
  ],
  [
    'the name of a cluster in the field namespace',
    'metadata:\n  |namespace: carl\n',
    'the fleet has no cluster "carl"',
    'did you mean "carol"? If the cluster is new, refresh the fleet snapshot',
    ['metadata:\n  namespace: carol\n'],
  ],
  [
    'a number with a text',
    'metadata: { |version: 1.5, name: a }\n',
    'version must be a string, but is the number 1.5',
    'put it in quotes: "1.5"',
    ['metadata: { version: "1.5", name: a }\n'],
  ],
  [
    'no number that has another notation',
    '|version: 0x10 # 16\n',
    'version must be a string, but is the number 16',
    'put it in quotes: "16"',
    [],
  ],
  [
    'a variable with spaces, in the whole mapping',
    'data:\n  |text: |\n    {{ A }}-{{ A }}\n    {{ A }}\n  other: "{{ A }}"\n',
    'the hub removes {{ A }} from the manifest on 3 clusters: it is not a variable',
    'write {{A}}, without spaces',
    ['data:\n  text: |\n    {{A}}-{{A}}\n    {{A}}\n  other: "{{A}}"\n'],
  ],
])('a fix replaces %s', (_what, text, message, hint, expected) => {
  expect(fixed(text, message, hint)).toEqual(expected);
});
