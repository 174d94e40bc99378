import { execFileSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { quietHost } from '../../src/workspace/host.ts';
import { readInputs } from '../../src/workspace/inputs/inputs.ts';
import { folderWith } from '../cli/terminal.ts';
import { parseObjects } from './emitted-objects.ts';
import { differences } from './same-objects.ts';

const searchPath = process.env['PATH'] ?? '';
beforeAll(() => {
  process.env['PATH'] = `${inject('tools')}${path.delimiter}${searchPath}`;
});
afterAll(() => {
  process.env['PATH'] = searchPath;
});

const values = [
  "'1'",
  'yes',
  '0o17',
  '010',
  '1.0',
  '2020-01-01',
  '~',
  '"x: y"',
  '1_000',
  'on',
  '|\n    a\n    b',
];
const object = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd', ''),
    namespace: fc.constantFrom('', 'one', 'two'),
    kind: fc.constantFrom('ConfigMap', 'Secret', 'Thing', 'Namespace'),
    value: fc.constantFrom(...values),
    annotation: fc.constantFrom(
      '',
      '',
      '',
      'config.kubernetes.io/local-config: "true"',
      'note: here',
      'number: 1',
    ),
    empty: fc.constantFrom('', '', '', 'annotations: {}', 'annotations:', 'labels: {}', 'labels:'),
  })
  .map(
    ({
      name,
      namespace,
      kind,
      value,
      annotation,
      empty,
    }) => `apiVersion: ${kind === 'Thing' ? 'example.com/v1' : 'v1'}
kind: ${kind}
metadata:${name === '' ? ' {}' : `\n  name: ${name}`}${namespace === '' || name === '' ? '' : `\n  namespace: ${namespace}`}${annotation === '' || name === '' ? '' : `\n  annotations: { ${annotation} }`}${empty === '' || name === '' || annotation !== '' ? '' : `\n  ${empty}`}
${kind === 'Thing' ? 'spec' : 'data'}:
  value: ${value}
`,
  );
const file = fc.oneof(
  { weight: 8, arbitrary: fc.array(object, { minLength: 1, maxLength: 2 }).map((all) => all.join('---\n')) },
  fc.constantFrom('# nothing\n', 'values: 1\n', ''),
  object.map(
    (text) => `apiVersion: v1\nkind: List\nitems:\n  - ${text.trimEnd().replaceAll('\n', '\n    ')}\n`,
  ),
);
const changes = [
  'namespace: prod',
  'namePrefix: x-',
  'nameSuffix: -y',
  'labels: [{ pairs: { team: one } }]',
  'commonAnnotations: { note: two }',
  'generatorOptions: { disableNameSuffixHash: true }',
  'configMapGenerator: [{ name: made, literals: [a=b] }]',
  'patches: [{ target: { kind: ConfigMap }, patch: "[{\\"op\\": \\"add\\", \\"path\\": \\"/data/new\\", \\"value\\": \\"z\\"}]" }]',
  'sortOptions: { order: fifo }',
  'configurations: []',
  'metadata: { name: here }',
  'unknown: true',
];
const folders = ['top', 'base', 'other', 'part'];
const kustomization = (at: string): fc.Arbitrary<string> =>
  fc
    .record({
      files: fc.subarray(
        ['a.yaml', 'b.yaml', 'c.yaml', '.hidden', 'missing.yaml', '../base/a.yaml'].slice(0, 6),
      ),
      folders: fc.subarray(['../base', '../other', '../part', '.'], { maxLength: 2 }),
      bases: fc.subarray(['../other'], { maxLength: 1 }),
      components: fc.subarray(['../part', '../base'], { maxLength: 1 }),
      changes: fc.subarray(changes, { maxLength: 2 }),
      isPlain: fc.boolean(),
      isTidy: fc.boolean(),
    })
    .map(({ files, folders: below, bases, components, changes: own, isPlain, isTidy }) => {
      const listed = isTidy ? files.filter((each) => !/missing|base/.test(each)) : files;
      const lower = at === 'top' ? (isTidy ? below.filter((each) => /base|other/.test(each)) : below) : [];
      return [
        ...(at === 'part' ? ['apiVersion: kustomize.config.k8s.io/v1alpha1', 'kind: Component'] : []),
        `resources: [${[...listed, ...lower].join(', ')}]`,
        ...(at === 'top' && bases.length > 0 && !isTidy ? [`bases: [${bases.join(', ')}]`] : []),
        ...(at === 'top' && components.length > 0
          ? [`components: [${(isTidy ? ['../part'] : components).join(', ')}]`]
          : []),
        ...(isPlain ? [] : own),
        '',
      ].join('\n');
    });
const tree = fc.record(
  Object.fromEntries(
    folders.flatMap((at): [string, fc.Arbitrary<string>][] => [
      [`${at}/kustomization.yaml`, kustomization(at)],
      ...['a.yaml', 'b.yaml', 'c.yaml', '.hidden'].map((name): [string, fc.Arbitrary<string>] => [
        `${at}/${name}`,
        file,
      ]),
    ]),
  ),
);

/** The objects that kustomize builds, or undefined. */
function built(folder: string): ReturnType<typeof parseObjects> | undefined {
  try {
    const text = execFileSync('kustomize', ['build', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return parseObjects(text).filter((each: unknown) => each !== null);
  } catch {
    return undefined;
  }
}

test('the objects of any kustomization are those of kustomize build, or it is refused with the reason', async () => {
  const seen = { same: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(tree, async (files) => {
      const cwd = await folderWith(files);
      const { objects, diagnostics } = await readInputs(['top'], [], quietHost(cwd));
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      if (errors.length > 0) {
        seen.refused += 1;
        return;
      }
      const expected = built(path.join(cwd, 'top'));
      expect(expected).toBeDefined();
      seen.same += 1;
      const actual = objects.map((each) => each.object);
      expect(differences(expected ?? [], actual)).toEqual([]);
    }),
    { numRuns: 150, seed: 20_261_126 },
  );
  expect(seen.same).toBeGreaterThan(20);
  expect(seen.refused).toBeGreaterThan(10);
});
