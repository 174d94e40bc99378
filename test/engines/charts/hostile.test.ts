import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  avoidingValues,
  loadChart,
  renderChart,
  type ChartFault,
} from '../../../src/engines/charts/index.ts';
import { chartFiles, tarball } from './chart-files.ts';

const chartYaml = 'apiVersion: v2\nname: agent\nversion: 1.0.0\n';

type Files = ReadonlyMap<string, Uint8Array> | Uint8Array;

interface Result {
  readonly faults: readonly ChartFault[];
  readonly objects: readonly unknown[];
}

/** Loads and renders a chart, which takes about a second, and some more on a busy machine. */
function run(files: Files, values: Readonly<Record<string, unknown>> = {}, mostSeconds = 20): Result {
  const before = process.cpuUsage();
  const { chart, faults } = loadChart(files);
  const rendered =
    chart === undefined
      ? undefined
      : renderChart(chart, {
          values,
          release: { name: 'agent', namespace: 'agents' },
          capabilities: { kubeVersion: { version: 'v1.31.2' } },
        });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(mostSeconds);
  return {
    faults: [...faults, ...(rendered?.faults ?? [])],
    objects: (rendered?.manifests ?? []).map(({ object }) => object),
  };
}

function withTemplate(template: string, others: Readonly<Record<string, string>> = {}): Files {
  return chartFiles({ 'Chart.yaml': chartYaml, 'templates/a.yaml': template, ...others });
}

function withSchema(schema: object | string): Files {
  return withTemplate('', {
    'values.schema.json': typeof schema === 'string' ? schema : JSON.stringify(schema),
  });
}

const nested = (depth: number, open: string, close: string, inner = '1'): string =>
  open.repeat(depth) + inner + close.repeat(depth);

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const longName = 'x'.repeat(20_000);

const node = { properties: { c: { $ref: '#/$defs/n' } } };

/** Ten lists, each with the one before ten times. */
const aliases = Array.from({ length: 10 }, (_, level) => {
  const items = level === 0 ? 'x' : `*a${String(level - 1)}`;
  return `a${String(level)}: &a${String(level)} [${Array(10).fill(items).join(', ')}]\n`;
}).join('');

describe('a hostile schema', () => {
  test.each<readonly [string, object | string, Readonly<Record<string, unknown>>, string]>([
    [
      'patterns that backtrack',
      { properties: { a: { pattern: '^(a+)+$' } } },
      { a: `${'a'.repeat(50_000)}b` },
      "agent: at '/a': ",
    ],
    [
      'patterns with nested counts',
      { properties: { a: { pattern: '((a{0,100}){0,100}){0,100}' } } },
      {},
      'error parsing regexp: invalid repeat count: `{0,100}`',
    ],
    [
      'thousands of patterns for thousands of values',
      {
        patternProperties: Object.fromEntries(
          Array.from({ length: 3000 }, (_, index) => [`^k${String(index)}.*x$`, { type: 'string' }]),
        ),
      },
      Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${String(index)}`, 1])),
      'the schema needs too many steps for these values',
    ],
    [
      'thousands of patterns for no value',
      { patternProperties: Object.fromEntries(numbers(3000).map((index) => [`^k${index}.*x$`, {}])) },
      {},
      'the schema needs too many steps for these values',
    ],
    [
      'patterns that count to a thousand',
      { allOf: numbers(1000).map((index) => ({ pattern: `x{1000}${index}` })) },
      {},
      'the schema needs too many steps for these values',
    ],
    [
      'a pattern with many states for a long text',
      { properties: { a: { pattern: '.*.{1000}b' } } },
      { a: 'a'.repeat(100_000) },
      'the schema needs too many steps for these values',
    ],
    [
      'thousands of allowed values for thousands of items',
      { properties: { a: { items: { enum: numbers(5000) } } } },
      { a: numbers(5000).map(() => -1) },
      'the schema needs too many steps for these values',
    ],
    [
      'thousands of properties for thousands of items',
      { properties: { a: { items: { required: numbers(5000).map((index) => `k${index}`) } } } },
      { a: numbers(5000).map(() => ({})) },
      'the schema needs too many steps for these values',
    ],
    [
      'equal items among many',
      { properties: { a: { uniqueItems: true } } },
      { a: [...numbers(50_000).map((index) => ({ k: index })), { k: 0 }] },
      "agent: at '/a': items at 0 and 50,000 are equal",
    ],
    [
      'messages that are long',
      { properties: { a: { items: { enum: ['x'.repeat(100_000)] } } } },
      { a: numbers(5000) },
      'the schema needs too many steps for these values',
    ],
    [
      'millions of keywords',
      `{"allOf":[${Array(400_000).fill('{"a":1}').join(',')}]}`,
      {},
      'the schema needs too many steps for these values',
    ],
    [
      'a remote reference',
      { $ref: 'http://127.0.0.1:1/x' },
      {},
      "can't resolve reference http://127.0.0.1:1/x",
    ],
    [
      'a reference to a file',
      { $ref: 'file:///etc/passwd' },
      {},
      "can't resolve reference file:///etc/passwd",
    ],
    ['a relative reference', { $ref: '../../etc/passwd' }, {}, "can't resolve reference ../../etc/passwd"],
    [
      'a remote dialect',
      { $schema: 'http://127.0.0.1:1/s' },
      {},
      'no schema with key or ref "http://127.0.0.1:1/s"',
    ],
    ['a reference to itself', { allOf: [{ $ref: '#' }] }, {}, 'causing reference cycle'],
    [
      'a factor with a million digits',
      `{"properties":{"a":{"items":{"multipleOf":0.${'0'.repeat(10)}${'7'.repeat(900_000)}}}}}`,
      { a: numbers(10_000).map(() => 1e300) },
      'the schema needs too many steps for these values',
    ],
    [
      'many items that do not match below a long name',
      { additionalProperties: { items: false } },
      { ['x'.repeat(1_000_000)]: numbers(10_000) },
      'the schema needs too many steps for these values',
    ],
    [
      'a long name that leads to itself',
      {
        $ref: `#/$defs/${longName}`,
        $defs: { [longName]: { allOf: numbers(60).map(() => ({ $ref: `#/$defs/${longName}` })) } },
      },
      {},
      'the schema needs too many steps for these values',
    ],
    [
      'formats of long texts',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        additionalProperties: { format: 'uri-template' },
      },
      Object.fromEntries(numbers(300).map((index) => [`k${index}`, `http://a/${'{a}'.repeat(10_000)}`])),
      'the schema needs too many steps for these values',
    ],
    [
      'many parts with their own dialect',
      {
        allOf: numbers(20_000).map((index) => ({
          $id: `http://y/${index}`,
          $schema: 'https://json-schema.org/draft/2020-12/meta/validation',
        })),
      },
      {},
      'the schema needs too many steps for these values',
    ],
    [
      'an exponential number of references',
      {
        $ref: '#/$defs/d0',
        $defs: {
          d40: {},
          ...Object.fromEntries(
            Array.from({ length: 40 }, (_, index) => {
              const next = { $ref: `#/$defs/d${String(index + 1)}` };
              return [`d${String(index)}`, { allOf: [next, next] }];
            }),
          ),
        },
      },
      {},
      'the schema needs too many steps for these values',
    ],
    [
      'branches that double with the depth of the values',
      {
        $ref: '#/$defs/n',
        $defs: {
          n: {
            anyOf: [
              { ...node, required: ['x'] },
              { ...node, required: ['y'] },
            ],
          },
        },
      },
      JSON.parse(nested(40, '{"c":', '}', '{}')) as Record<string, unknown>,
      'the schema needs too many steps for these values',
    ],
    ['deep nesting', nested(20_000, '{"not":', '}', '{}'), {}, 'nested too deeply'],
    ['code in names', '{"required":["\'];throw 1//"],"$comment":"*/throw 1/*"}', {}, "missing property '']"],
  ])('with %s ends with a fault', (_, schema, values, message) => {
    // Two seconds on a machine that is not busy.
    const { faults, objects } = run(withSchema(schema), values, 6);
    expect(objects).toEqual([]);
    expect(faults[0]?.message).toContain(message.replace("'']", String.raw`'\']`));
    expect(['FW6025', 'FW6026']).toContain(faults[0]?.code);
    expect(faults[0]?.file).toBe('values.schema.json');
  });

  test('in each of many charts counts as one', () => {
    const patterns = numbers(100).map((index) => ({ pattern: `^a${index}b*$` }));
    const charts = numbers(30).flatMap((index) => [
      [`charts/c${index}/Chart.yaml`, `apiVersion: v2\nname: c${index}\nversion: 1.0.0\n`],
      [`charts/c${index}/values.schema.json`, JSON.stringify({ $comment: String(index), allOf: patterns })],
    ]);
    const { faults } = run(withTemplate('', Object.fromEntries(charts) as Record<string, string>));
    expect(faults.map(({ code }) => code)).toContain('FW6026');
  });

  test('with names that objects of JavaScript inherit checks these values', () => {
    const schema = '{"properties":{"__proto__":true},"required":["constructor","toString"]}';
    const values = JSON.parse('{"__proto__":{"x":1}}') as Record<string, unknown>;
    expect(run(withSchema(schema), values).faults.map(({ message }) => message)).toEqual([
      "agent: at '': missing properties 'constructor', 'toString'",
    ]);
  });
});

describe('hostile YAML', () => {
  test.each([
    ['aliases of aliases', aliases, 'yaml: document contains excessive aliasing'],
    ['an alias of itself', 'a: &a [*a]', "yaml: anchor 'a' value contains itself"],
    ['deep nesting', `a: ${'['.repeat(100_000)}`, 'exceeded max depth of 1000'],
    ['too many nodes', `a: [${'x,'.repeat(400_000)}]`, 'a YAML document has more than 300000 nodes'],
  ])('with %s is a fault of values, of Chart.yaml and of the output', (_, yaml, message) => {
    for (const [file, files] of [
      ['values.yaml', { 'values.yaml': yaml }],
      ['Chart.yaml', { 'Chart.yaml': chartYaml + yaml }],
      ['templates/a.yaml', { 'templates/a.yaml': `kind: A\napiVersion: v1\n${yaml}` }],
    ] as const) {
      const [fault] = run(withTemplate('', files)).faults;
      expect(fault?.message).toContain(message);
      expect(fault?.file).toBe(file);
    }
  });

  test('with a few aliases is read, and what they hold together is bounded', () => {
    const few = aliases.split('\n').slice(0, 3).join('\n');
    expect(run(withTemplate('', { 'values.yaml': few })).faults).toEqual([]);
    const [fault] = run(
      withTemplate('{{ toJson (list .Values .Values .Values) }}'.repeat(1000), { 'values.yaml': few }),
    ).faults;
    expect(fault).toMatchObject({ code: 'FW6029', file: 'templates/a.yaml', line: 1 });
  });

  test('with a hundred thousand documents is read', () => {
    expect(run(withTemplate('a: b\n---\n'.repeat(100_000)))).toEqual({ faults: [], objects: [] });
  });
});

describe('a hostile archive', () => {
  test.each<readonly [string, () => Uint8Array, string]>([
    [
      'an archive that unpacks to too much',
      () => gzipSync(Buffer.alloc(200 * 1024 * 1024)),
      'the archive is larger than a chart may be',
    ],
    [
      'too many folders',
      () =>
        tarball(
          Array.from({ length: 20_001 }, (_, index) => ({ path: `agent/f${String(index)}/`, type: '5' })),
        ),
      'the archive has more than 20000 entries',
    ],
    [
      'a long name outside of the chart',
      () =>
        tarball([
          { path: 'agent/x', type: 'L', text: 'agent/../../x' },
          { path: 'agent/y', text: 'x' },
        ]),
      'chart illegally references parent directory',
    ],
    [
      'an extended path outside of the chart',
      () =>
        tarball([{ path: 'agent/x', type: 'x', text: '27 path=agent/../../../etc\n' }, { path: 'agent/y' }]),
      'chart illegally',
    ],
  ])('with %s is refused', (_, archive, message) => {
    const [fault] = run(archive()).faults;
    expect(fault?.message).toContain(message);
    expect(['FW6022', 'FW6023', 'FW6024']).toContain(fault?.code);
  });

  test('with more than 200 charts is refused', () => {
    const charts = Array.from({ length: 201 }, (_, index) => [
      `charts/c${String(index)}/Chart.yaml`,
      `name: c${String(index)}\nversion: 1.0.0`,
    ]);
    expect(run(chartFiles({ 'Chart.yaml': chartYaml, ...Object.fromEntries(charts) })).faults).toMatchObject([
      { code: 'FW6024', message: 'more than 200 charts are in the chart' },
    ]);
  });
});

describe('a hostile template', () => {
  const loop = (body: string, before = ''): string => `${before}{{ range until 100000 }}${body}{{ end }}`;

  test.each([
    ['loops in loops', loop(loop(''))],
    ['a growing list', loop('{{ $l = append $l . }}', '{{ $l := list }}')],
    ['a list that doubles', loop('{{ $l = concat $l $l }}', '{{ $l := list 1 }}')],
    ['a text that doubles', loop('{{ $l = printf "%s%s" $l $l }}', '{{ $l := "x" }}')],
    ['quotes that double', loop('{{ $l = toJson $l }}', '{{ $l := "\\"" }}')],
    ['patterns', loop('{{ $_ := regexReplaceAll "(a*)*b" $l "x" }}', '{{ $l := repeat 100000 "ab" }}')],
    ['sorting', loop('{{ $_ := sortAlpha $l }}', '{{ $l := until 30000 }}')],
    ['searching', loop('{{ $_ := has "x" $l }}', '{{ $l := until 100000 }}')],
    ['copies', loop('{{ $_ := deepCopy $l }}', '{{ $l := dict "a" (until 100000) }}')],
    ['YAML', loop('{{ $_ := fromYaml (toYaml $l) }}', '{{ $l := until 10000 }}')],
    ['TOML', loop('{{ $_ := fromToml (toToml $l) }}', '{{ $l := dict "a" (until 10000) }}')],
    ['a TOML key of many parts', '{{ fromToml (cat (repeat 3000 "a.") "b = 1") }}'],
    ['hashes', loop('{{ $_ := sha512sum $l }}', '{{ $l := repeat 10000000 "x" }}')],
    [
      'comparisons',
      loop('{{ $_ := eq $l $m }}', '{{ $l := repeat 9999999 "x" }}{{ $m := repeat 9999999 "x" }}'),
    ],
    ['time zones', loop('{{ $_ := dateInZone "2006" (int64 .) "Europe/Berlin" }}')],
    ['globs', loop('{{ $_ := $.Files.Glob (repeat 3000 "{a,") }}')],
    ['texts as templates', loop('{{ $_ := tpl "{{ define \\"x\\" }}{{ end }}" $ }}')],
    ['itself as a template', '{{ $t := "{{ tpl .t . }}" }}{{ tpl $t (dict "t" $t) }}'],
    ['includes of itself', '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}'],
    ['a dictionary inside itself', '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ toYaml $d }}'],
    ['parentheses', `{{ ${'('.repeat(100_000)} }}`],
    ['output', loop('{{ repeat 1000 "x" }}')],
  ])('with %s ends with a fault', (_, template) => {
    const { faults, objects } = run(withTemplate(template));
    expect(objects).toEqual([]);
    expect(faults).toMatchObject([{ code: 'FW6029', file: 'templates/a.yaml' }]);
  });

  test('whose values cannot avoid a random function is searched for a short time', () => {
    const names = Array.from({ length: 200 }, (_, index) => `token${index}`);
    const reads = names.map((name) => `{{ .Values.${name} }}`).join('');
    const files = withTemplate(
      `${reads}{{ range until 100000 }}{{ $x := . }}{{ end }}apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: '{{ uuidv4 }}'}\n`,
      { 'values.yaml': names.map((name) => `${name}: ""\n`).join('') },
    );
    const { chart } = loadChart(files);
    if (chart === undefined) throw new Error('the chart is not loaded');
    const before = process.cpuUsage();
    expect(
      avoidingValues(chart, {
        values: {},
        release: { name: 'agent', namespace: 'agents' },
        capabilities: { kubeVersion: { version: 'v1.31.2' } },
      }),
    ).toEqual({ ways: [], unavoidable: 'templates/a.yaml:4' });
    const { user, system } = process.cpuUsage(before);
    // two seconds on a machine that is not busy
    expect((user + system) / 1e6).toBeLessThan(6);
  });

  test('with deep values ends with a fault', () => {
    const values = JSON.parse(nested(9000, '{"a":', '}', '{}')) as Record<string, unknown>;
    expect(run(withTemplate('{{ toYaml .Values }}'), values).faults).toMatchObject([{ code: 'FW6029' }]);
  });

  const configMap = (value: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: ${value}}\n`;

  test('reads no file outside of the chart', () => {
    const reads = [
      '{{ .Files.Get "../../../etc/passwd" }}{{ .Files.Get "/etc/passwd" }}',
      '{{ range $name, $_ := .Files.Glob "/**" }}{{ $name }}{{ end }}',
      '{{ range $name, $_ := .Files.Glob "../**" }}{{ $name }}{{ end }}{{ .Files.Lines "/etc/passwd" }}',
    ].join('');
    expect(run(withTemplate(configMap(`"${reads}"`))).objects).toMatchObject([{ data: { x: '[]' } }]);
  });

  test('changes no prototype', () => {
    const values = JSON.parse(
      '{"__proto__":{"polluted":"a"},"constructor":{"prototype":{"polluted":"b"}},"a":{}}',
    ) as Record<string, unknown>;
    const template = `{{ $d := merge (dict) (fromJson "{\\"__proto__\\":{\\"polluted\\":1}}") (fromYaml "__proto__: {polluted: 1}") (fromToml "__proto__.polluted = 1") }}{{ $_ := set $d "__proto__" .Values }}${configMap(
      '"{{ $d.polluted }}{{ (dict).polluted }}{{ .Values.a.toString }}|{{ .Values.__proto__.polluted }}{{ .Values.constructor.prototype.polluted }}"',
    )}__proto__: { polluted: 1 }\n`;
    const [object] = run(
      withTemplate(template, { 'values.yaml': '__proto__: { polluted: 1 }' }),
      values,
    ).objects;
    expect(object).toMatchObject({ data: { x: '|ab' } });
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
