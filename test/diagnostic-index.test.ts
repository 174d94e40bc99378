import path from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { codes } from '../src/compiler/model/codes.ts';

const index = path.resolve(import.meta.dirname, '../docs/diagnostics/README.md');

/** The sections of the index: the prefixes of their codes, their heading, and what they report. */
const topics: readonly (readonly [prefixes: RegExp, heading: string, about: string])[] = [
  [/^FW1/, 'Reading YAML and JSON', 'The text of a file cannot be read, or kubectl reads it differently.'],
  [/^FW2/, 'Objects and their schemas', 'The API server of the hub would reject or change the object.'],
  [/^FW3/, 'Placements', 'What the placement controller does with a Placement.'],
  [/^FW4/, 'Configurations and overrides', 'References of add-ons to their configurations.'],
  [/^FW5/, 'Rollouts', 'Rollout strategies that the hub cannot use.'],
  [/^FW6/, 'Rendering', 'Manifests and works that the hub cannot create.'],
  [/^FW70/, 'Rules for placements and references', 'Valid objects that probably have an unintended effect.'],
  [
    /^FW71/,
    'Rules for templates and configurations',
    'Valid objects that probably have an unintended effect.',
  ],
  [/^FW72/, 'Rules for rollouts', 'Valid strategies that probably have an unintended effect.'],
  [/^FW73/, 'Policies', 'Results of the policies in `fleetwright.yaml`.'],
  [
    /^FW81[67]/,
    'Rules for what OCM does not keep',
    'Valid objects whose effect depends on the release of OCM.',
  ],
  [
    /^FW8(?:0|1[0-5])/,
    'Plans and output',
    'Effects of a change, guardrails, and the files that `synth` writes.',
  ],
  [/^FW82/, 'Invariants', 'Answers for the invariants in `fleetwright.yaml`: docs/prove.md.'],
  [
    /^FW83(?!3)/,
    "The cluster's answer",
    'What the webhooks of the hub and the API servers of the clusters reject.',
  ],
  [/^FW833/, 'Names, fields and references without effect', 'What the hub and its agents ignore.'],
  [/^FW90/, 'Command line', 'Apps, input folders, the connection to the hub, and the working directory.'],
  [/^FW91/, 'Import', 'Objects that `import` cannot convert to constructs.'],
  [/^FW92/, 'Controller', 'Settings of the companion.'],
];

function section([prefix, heading, about]: (typeof topics)[number]): string {
  const rows = Object.entries(codes)
    .filter(([code]) => prefix.test(code))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { title, severity }]) => `| [${code}](${code}.md) | ${severity} | ${title} |`);
  return [`## ${heading}`, '', about, '', '| Code | Severity | Title |', '| --- | --- | --- |', ...rows].join(
    '\n',
  );
}

const introduction = `# Diagnostics

Every diagnostic has a code, and every code has a page that describes what the hub does and the remedy.
\`fleetwright explain CODE\` prints the page.

| Severity | Meaning |
| --- | --- |
| error | The hub rejects the input, or it does damage. |
| warning | The hub accepts the input, but the effect is probably not intended. |
| info | Useful to know. |`;

test('the index of diagnostics lists every code with its severity and title', async () => {
  const text = [introduction, ...topics.map(section)].join('\n\n');
  await expect(await format(text, { parser: 'markdown' })).toMatchFileSnapshot(index);
});

test.each(Object.keys(codes))('%s belongs to one topic', (code) => {
  expect(topics.filter(([prefix]) => prefix.test(code))).toHaveLength(1);
});
