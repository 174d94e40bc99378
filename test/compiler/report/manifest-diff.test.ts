import { applyPatch, parsePatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { yamlDocument } from '../../../src/compiler/emit/yaml.ts';
import { manifestDiff } from '../../../src/compiler/report/manifest-diff.ts';

const plain = (_tone: string, text: string): string => text;
const configMap = (name: string, data: Readonly<Record<string, string>>, namespace = 'agents'): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});
const diff = (base: readonly object[], head: readonly object[]): string =>
  manifestDiff({ label: 'main', manifests: base }, { label: 'now', manifests: head }, plain, undefined);

describe('a diff of manifests', () => {
  test('is empty if they are the same, in any order', () => {
    const a = configMap('a', { x: '1' });
    const b = configMap('b', { x: '1' });
    expect(diff([a, b], [b, a])).toBe('');
  });

  test('shows the lines that differ, the new ones, and the removed ones last', () => {
    const base = [configMap('gone', { x: '1' }), configMap('settings', { a: '1', b: '2' })];
    const head = [configMap('settings', { a: '1', b: 'two' }), configMap('new', {})];
    expect(diff(base, head)).toBe(`--- ConfigMap agents/settings	main
+++ ConfigMap agents/settings	now
@@ -5,4 +5,4 @@
   namespace: agents
 data:
   a: "1"
-  b: "2"
+  b: two
--- /dev/null
+++ ConfigMap agents/new	now
@@ -0,0 +1,6 @@
+apiVersion: v1
+kind: ConfigMap
+metadata:
+  name: new
+  namespace: agents
+data: {}
--- ConfigMap agents/gone	main
+++ /dev/null
@@ -1,7 +0,0 @@
-apiVersion: v1
-kind: ConfigMap
-metadata:
-  name: gone
-  namespace: agents
-data:
-  x: "1"
`);
  });

  test('follows an object into another namespace, unless there are several of its name', () => {
    const [one, other, third] = ['one', 'other', 'third'].map((namespace) => configMap('a', {}, namespace));
    if (one === undefined || other === undefined || third === undefined) throw new Error('three namespaces');
    expect(diff([one], [other])).toBe(`--- ConfigMap one/a	main
+++ ConfigMap other/a	now
@@ -2,5 +2,5 @@
 kind: ConfigMap
 metadata:
   name: a
-  namespace: one
+  namespace: other
 data: {}
`);
    expect(diff([one, other], [third]).match(/^(?:---|\+\+\+) .*$/gm)).toEqual([
      '--- /dev/null',
      '+++ ConfigMap third/a\tnow',
      '--- ConfigMap one/a\tmain',
      '+++ /dev/null',
      '--- ConfigMap other/a\tmain',
      '+++ /dev/null',
    ]);
    // What stays in its place is not what moved.
    expect(diff([one], [one, other]).match(/^(?:---|\+\+\+) .*$/gm)).toEqual([
      '--- /dev/null',
      '+++ ConfigMap other/a\tnow',
    ]);
  });

  test('compares objects that a template has twice in order', () => {
    const [first, second] = [configMap('a', { x: '1' }), configMap('a', { x: '2' })];
    expect(diff([first, second], [first, second])).toBe('');
    expect(diff([first, second], [first])).toContain('+++ /dev/null\n@@ -1,7 +0,0 @@');
  });

  test('describes every line, so that a terminal can color it', () => {
    const text = manifestDiff(
      { label: 'main', manifests: [configMap('a', { x: '1' })] },
      { label: 'now', manifests: [configMap('a', { x: '2' })] },
      (tone, line) => `${tone}: ${line}`,
      undefined,
    );
    expect(text.split('\n').filter((line) => /^[a-z]+: /.test(line))).toEqual([
      'heading: --- ConfigMap agents/a\tmain',
      'heading: +++ ConfigMap agents/a\tnow',
      'quiet: @@ -4,4 +4,4 @@',
      'loss: -  x: "1"',
      'gain: +  x: "2"',
    ]);
  });

  test('produces the later manifest when it is applied to the earlier one', () => {
    // `##[` is written in another way, since it begins a command to the runner of a CI job.
    const isPlain = (text: string): boolean => !text.includes('##[');
    const key = fc.string({ maxLength: 3 }).filter(isPlain);
    const data = fc.dictionary(key, fc.string().filter(isPlain), { maxKeys: 8 });
    fc.assert(
      fc.property(data, data, (before, after) => {
        const [base, head] = [configMap('a', before), configMap('a', after)];
        const [patch] = parsePatch(diff([base], [head]));
        const result = patch === undefined ? yamlDocument(base) : applyPatch(yamlDocument(base), patch);
        expect(result).toBe(yamlDocument(head));
      }),
    );
  });

  test('replaces a manifest completely if too much differs to look for the shortest difference', () => {
    const lines = (prefix: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${String(index)}`, prefix]));
    const [base, head] = [configMap('a', lines('before')), configMap('a', lines('after'))];
    const started = process.cpuUsage();
    const text = diff([base], [head]);
    const { user, system } = process.cpuUsage(started);
    // In microseconds.
    expect(user + system).toBeLessThan(5_000_000);
    expect(text.split('\n', 4)).toEqual([
      '--- ConfigMap agents/a\tmain',
      '+++ ConfigMap agents/a\tnow',
      '@@ -1,20006 +1,20006 @@',
      '-apiVersion: v1',
    ]);
    expect(applyPatch(yamlDocument(base), text)).toBe(yamlDocument(head));
  });
});
