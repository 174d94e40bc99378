import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { admit } from '../../../src/compiler/admit/admit.ts';
import { load } from '../../../src/compiler/load/load.ts';
import { nameByContent } from '../../../src/compiler/revisions/name-by-content.ts';
import { outsideReferences } from '../../../src/compiler/revisions/outside-references.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';

const folder = path.resolve(import.meta.dirname, '../../../docs/diagnostics');
const pages = readdirSync(folder).filter((name) => /^FW2\d{3}\.md$/.test(name));
// no rule of OCM's schemas can fail, and the loader looks for apiVersion and kind itself
const withoutExample = new Set(['FW2001.md', 'FW2015.md']);
const ofPreview = new Set(['FW2031.md']);
const ofFleet = new Set(['FW2026.md']);

/** The example of a page, and what is printed for it: its first two blocks of code. */
function blocks(page: string): [string, string] {
  const [, example = '', , printed = ''] = page.split(/^```/m);
  return [example.replace(/^yaml\n/, ''), printed.trim()];
}

describe.each(pages.filter((name) => !withoutExample.has(name)))('docs/diagnostics/%s', (name) => {
  test('shows what is printed for its example', () => {
    const [example, printed] = blocks(readFileSync(path.join(folder, name), 'utf8'));
    const source = ofFleet.has(name) ? 'fleet' : 'app';
    const loaded = load([{ file: 'example.yaml', text: example, source }]);
    expect(loaded.diagnostics).toEqual([]);
    const release = hubVersion(ofPreview.has(name) ? '1.4' : '1.3');
    const named = nameByContent(loaded.value, release);
    const admitted = admit(named.value.objects, undefined, undefined, release);
    const diagnostics = [
      ...named.diagnostics,
      ...admitted.diagnostics,
      ...outsideReferences(named.value.written, admitted.value),
    ];
    expect(diagnostics.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)).toEqual([
      printed,
    ]);
  });
});
