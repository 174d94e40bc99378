import type { CodeAction } from 'vscode-languageserver/node';
import { expect, test } from 'vitest';
import { edited } from './edited.ts';
import { Editor } from './editor.ts';
import { logCollector, logCollectorFile as file, logCollectorWorkspace } from './log-collector.ts';

/** Returns the text with a typo in one word: two neighboring letters are swapped, or the last letter is missing. */
function* typos(text: string): Iterable<string> {
  for (const { 0: word, index } of text.matchAll(/[a-z][\w-]{3,}/gi)) {
    const [middle, end] = [index + Math.floor(word.length / 2), index + word.length];
    const [a = '', b = ''] = text.slice(middle - 1, middle + 1);
    if (a !== b) yield `${text.slice(0, middle - 1)}${b}${a}${text.slice(middle + 1)}`;
    yield `${text.slice(0, end - 1)}${text.slice(end)}`;
  }
}

/** Codes of references, whose fixes adopt the name of a misspelled object. */
const ofReferences: ReadonlySet<unknown> = new Set(['FW4001', 'FW4005', 'FW7003', 'FW7204', 'FW8329']);

test(
  'whatever word has a typo, a fix restores it, or adopts it if an object has the name',
  { timeout: 120_000 },
  async () => {
    const editor = await Editor.in(await logCollectorWorkspace());
    await editor.open(file);
    expect(await editor.findings(file)).toEqual([]);
    const count = async (message: unknown): Promise<number> =>
      (await editor.findings(file)).filter((each) => each.message === message).length;
    const mended = new Set<unknown>();
    const harmful: string[] = [];
    for (const typo of typos(logCollector)) {
      await editor.type(file, editor.text(file), typo);
      const fixes = await editor.fixes<CodeAction[]>(file);
      for (const fix of fixes) {
        const [{ code, message } = { message: '' }] = fix.diagnostics ?? [];
        const after = edited(typo, fix);
        if (after === logCollector) {
          mended.add(code);
          continue;
        }
        await editor.type(file, editor.text(file), typo);
        const before = await count(message);
        await editor.type(file, editor.text(file), after);
        if ((await count(message)) >= before || !ofReferences.has(code))
          harmful.push(`${code}: ${fix.title}, for ${JSON.stringify(message)}`);
      }
    }
    expect(harmful).toEqual([]);
    expect([...mended].map(String).sort((a, b) => a.localeCompare(b))).toEqual([
      'FW2002',
      'FW2005',
      'FW2009',
      'FW4001',
      'FW4002',
      'FW4005',
      'FW4007',
      'FW7001',
      'FW7003',
      'FW7007',
      'FW7015',
      'FW7101',
      'FW7131',
      'FW7132',
      'FW7181',
      'FW7204',
      'FW8329',
      'FW8338',
    ]);
  },
);

test.each([
  ['FW7007', 'environment: prod\n', 'environment: pord\n'],
  ['FW7007', 'environment: prod\n', 'enviroment: prod\n'],
  ['FW7007', '[prod, staging]', '[prod, stagin]'],
  ['FW7007', 'key: environment', 'key: enviroment'],
  ['FW3001', 'operator: In\n', 'operator: in\n'],
  ['FW2005', 'matchLabels:\n', 'matchLabel:\n'],
  ['FW7001', 'clusterSets: [global]', 'clusterSets: [globl]'],
  ['FW7003', 'name: production\n        namespace: logging', 'name: production\n        namespace: agents'],
  ['FW4005', 'name: log-collector\n  namespace: carol', 'name: log-colector\n  namespace: carol'],
  ['FW7102', '{{LOG_LEVEL}}', '{{ LOG_LEVEL }}'],
  ['FW7101', 'name: LOG_LEVEL\n      value: debug', 'name: LOG_LEVL\n      value: debug'],
  ['FW7181', 'resource: addontemplates', 'resource: addontemplate'],
])('%s has the fix back to %j from %j', async (code, right, wrong) => {
  const editor = await Editor.in(await logCollectorWorkspace());
  await editor.open(file);
  await editor.type(file, right, wrong);
  const text = editor.text(file);
  expect(text).not.toBe(logCollector);
  const fixes = await editor.fixes<CodeAction[]>(file);
  const fix = fixes.find(({ diagnostics }) => diagnostics?.some((finding) => finding.code === code));
  expect(fix && edited(text, fix)).toBe(logCollector);
  expect(fix?.isPreferred).toBe(true);
});

test('a number where a text is required has the fix that puts it in quotes', async () => {
  const editor = await Editor.in(await logCollectorWorkspace());
  await editor.open(file);
  await editor.type(file, 'value: info', 'value: 3');
  const [fix] = await editor.fixes<CodeAction[]>(file);
  expect(fix && edited(editor.text(file), fix)).toContain('value: "3"');
});
