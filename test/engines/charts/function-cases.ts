import { chartFunctions } from '../../../src/engines/charts/functions/index.ts';
import { unsupportedFunctions } from '../../../src/engines/charts/functions/unsupported.ts';
import type { ChartCase } from './case.ts';
import { Random } from './random.ts';
import { randomToml } from './random-toml.ts';
import { randomYaml } from './random-yaml.ts';
import { specialArgument } from './special-arguments.ts';

const values = {
  text: 'hello World',
  empty: '',
  number: 42,
  fraction: 2.75,
  negative: -3,
  large: 1e21,
  yes: true,
  no: false,
  nothing: null,
  list: ['b', 'a', 'c', 'a', ''],
  numbers: [3, 1, 2.5, 0],
  mixed: [1, '1', null, true, ['x'], { k: 'v' }],
  none: [],
  dict: { b: 'x', a: { deep: { er: 1 } }, list: [1, 2] },
  other: { b: 'other', a: { deep: { er: 2, more: true }, next: null }, list: [], c: '<&>' },
  blank: {},
};

const words = [
  '""',
  '"a"',
  '"hello world"',
  '"Hello, W\\u00f6rld \\U0001f600!"',
  '"a,b,,c"',
  '"foo-bar_baz Qux"',
  '"HTTPServer2Go v1.2.3"',
  '"  two  spaces\\t\\n"',
  '"x\\ny\\nz"',
  '"123"',
  '"-1.50"',
  '"true"',
  '"<a href=\\"x\\">&"',
  '"abcdefghijklmnopqrstuvwxyz"',
  '.Values.text',
  '"\\u00e9t\\u00e9 \\u01c5"',
  '"AbcDEFGhi4jk_lm--no"',
  '"a/b/../c.tar.gz"',
];
const patterns = [
  '"a"',
  '"[a-c]+"',
  '"(\\\\w+) (\\\\w+)"',
  '"(?P<first>[a-z])(?P<rest>.*)"',
  '""',
  '"x*"',
  '"("',
  '"[a"',
  '"^$"',
  '"(?i)HELLO"',
  '"\\\\d{2,}"',
  '"o|l"',
  '"\\\\bw"',
  '"a**"',
  '"(?<n>l+)"',
  '"\\\\pL+"',
  '"."',
  '"\\\\s"',
];
const versions = [
  '"1.2.3"',
  '"v1.2"',
  '"1"',
  '"1.2.3-beta.1"',
  '"1.2.3-beta.11+meta"',
  '"0.3.1"',
  '"0.0.3"',
  '"2.0.0"',
  '"1.10.0"',
  '"01.2.3"',
  '"1.2.3-01"',
  '"abc"',
  '""',
  '"1.2.3.4"',
  '"v1.27.3+rke2r1"',
  '"99999999999999999999.0.0"',
];
const constraints = [
  '"1.2.3"',
  '">=1.2.0"',
  '"^1.2"',
  '"~1.2.3"',
  '"^0.3"',
  '"^0.0.3"',
  '">=1.0.0-0 <2"',
  '"1.x || >=2.5.0"',
  '"*"',
  '"!=1.2"',
  '"!=1.2.3"',
  '"1.2 - 1.4.5"',
  '">1.2"',
  '"<=1.2"',
  '">= 1.2, < 3"',
  '"=<2"',
  '"~>1"',
  '"^1.2.3-beta.1"',
  '"not"',
  '""',
  '"~0"',
  '"<1.2.3-beta.2"',
  '">1"',
  '">v1.10-0"',
];
const encoded = [
  '"aGVsbG8="',
  '"aGVsbG8"',
  '"aGVs\\nbG8="',
  '"a==="',
  '"!!!"',
  '"NBSWY3DP"',
  '"NBSWY3DPEE======"',
  '"NBSWY3DPEE="',
  '""',
  '"/+=="',
  '"/w=="',
  '"aGVsbG8=x"',
  '"MZXW6==="',
];
const json = [
  '"{}"',
  '"[]"',
  '"null"',
  '"{\\"a\\": [1, 2.5, \\"x\\", null, {\\"b\\": true}]}"',
  '"[1, \\"two\\", {}]"',
  '"\\"text\\""',
  '"{bad"',
  '"1"',
  '"true"',
  '"12345678901234567890"',
  '"[1,]"',
  '""',
  '"{\\"a\\":1,\\"a\\":2}"',
  '"{\\"\\\\u003ca\\\\u003e\\": \\"\\\\ud83d\\"}"',
];
const paths = [
  '"a/b/c.txt"',
  '"/a//b/./../c/"',
  '""',
  '"/"',
  '"."',
  '".."',
  '"../../x"',
  '"a/.hidden"',
  '"a.b/c"',
  '"//"',
  '"file.tar.gz"',
  '"/.."',
];

/** Texts that mean something to a function, by its name. */
const special: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:must)?[rR]egex/, patterns],
  [/^semverCompare$/, [...constraints, ...versions]],
  [/^semver$/, versions],
  [/^b(?:64|32)dec$/, encoded],
  [/romJson/, json],
  [/^(?:os)?(?:base|dir|clean|ext|isAbs|Base|Dir|Clean|Ext|IsAbs)$/, paths],
  [/^kindIs$/, ['"string"', '"map"', '"slice"', '"invalid"', '"float64"', '"int"', '"ptr"']],
  [/^typeIs/, ['"string"', '"map[string]interface {}"', '"[]interface {}"', '"float64"', '"semver.Version"']],
  [/^(?:get|set|unset|hasKey|pluck|pick|omit)$/, ['"a"', '"b"', '"list"', '"missing"']],
  [
    /^(?:split|splitList|splitn|join|replace|contains|trim|has|cat)/,
    ['","', '" "', '"-"', '""', '"l"', '"o"', '"a"'],
  ],
];

/** Texts that YAML quotes, folds or writes as blocks. */
const yamlTexts = [
  ...[
    'yes',
    'No',
    'null',
    '~',
    '1',
    '-1.5',
    '0x1F',
    '0o7',
    '08',
    '1e3',
    '1_000',
    '.5',
    '.inf',
    '1:30',
    '<<',
    '=',
    '2020-01-01',
    '2020-13-01',
    '2020-01-01T1:2:3Z',
    '0b-1',
    '+1',
    '- x',
    '-',
    '?',
    ': a',
    'a: b',
    'a:b',
    'a #b',
    '#',
    '@a',
    '%a',
    '!x',
    '&a',
    '*a',
    '|',
    '>',
    '[',
    '{',
    ',',
    "it's",
    'a"b',
    'a\\\\b',
    ' lead',
    'trail ',
    'a  b',
    '---',
    '...',
    'h\u00e9',
    '\\U0001f600',
    'tab\\there',
    'a\\nb',
    'a\\nb\\n',
    'a\\n\\n',
    '\\n',
    ' a\\nb',
    'a \\nb',
    'a\\n b',
    'a\\r\\nb',
    '\\na',
    'a\\u00a0b',
    '\\u2028',
    "'",
  ].map((text) => `"${text.replaceAll('"', '\\"')}"`),
  '(repeat 30 "word ")',
  '(repeat 12 "it\'s: a ")',
  '(repeat 20 "tab\\tand  two ")',
  '(repeat 40 "\u00e9t\u00e9 ")',
  '(repeat 130 "k")',
  '(repeat 12 "a line of text, which is long\\n")',
];

const integers = ['0', '1', '2', '3', '5', '10', '-1', '-4', '80'];
const floats = ['0.5', '1.0', '0.3'];
const lists = [
  '.Values.list',
  '.Values.numbers',
  '.Values.mixed',
  '.Values.none',
  '(list 1 2 3)',
  '(list)',
  '(list "a" 1 nil)',
  '(splitList "," "c,a,b")',
  '(until 4)',
];
const dicts = [
  '.Values.dict',
  '.Values.other',
  '.Values.blank',
  '(dict "a" 1 "b" "x")',
  '(dict)',
  '(dict "a" (dict "b" 1))',
  '(deepCopy .Values.dict)',
];
const scalars = [
  '1',
  '0',
  '2.5',
  '-7',
  '"x"',
  '""',
  '"12"',
  '"0x1F"',
  '"1.0"',
  '"abc"',
  'true',
  'false',
  'nil',
  '.Values.number',
  '.Values.fraction',
  '.Values.negative',
  '.Values.large',
  '.Values.nothing',
  '.Values.missing',
  '(semver "1.2.3")',
  '(int64 5)',
  '1e300',
];
const wrong = [
  'nil',
  '.Values.missing',
  '.Values.nothing',
  '"x"',
  '1',
  '.Values.number',
  '.Values.list',
  '.Values.dict',
  'true',
];

class CallMaker {
  readonly #random: Random;
  readonly #name: string;

  constructor(name: string, seed: number) {
    this.#name = name;
    this.#random = new Random(seed);
  }

  make(): string {
    const random = this.#random;
    const { parameters, isVariadic } = chartFunctions.get(this.#name) ?? {
      parameters: [],
      isVariadic: false,
    };
    const fixed = isVariadic ? parameters.length - 1 : parameters.length;
    const count = isVariadic ? fixed + random.below(4) : fixed;
    const args = Array.from({ length: count }, (_, at) =>
      this.#argument(parameters[Math.min(at, parameters.length - 1)] ?? '', at),
    );
    if (this.#name === 'dig') args.push(random.pick(dicts));
    if (random.chance(0.02)) args.pop();
    return [this.#name, ...args].join(' ');
  }

  #argument(type: string, at: number): string {
    const random = this.#random;
    // The order of keys and values is random in Go.
    if (random.chance(0.05) && !['set', 'keys', 'values'].includes(this.#name)) return random.pick(wrong);
    const special = specialArgument(this.#name, at, random);
    if (special !== undefined) return special;
    switch (type) {
      case 'string':
        return random.pick(this.#texts(at));
      case 'int':
        return random.pick(integers);
      case 'float64':
        return random.pick(floats);
      case 'bool':
        return random.pick(['true', 'false', '.Values.yes']);
      case 'map[string]interface {}':
        return random.pick(
          this.#name === 'values' || this.#name === 'keys' ? ['(dict "a" 1)', '.Values.blank'] : dicts,
        );
      case '*semver.Version':
        return '(semver "1.2.3")';
      default:
        return this.#any(at);
    }
  }

  /** Lists and dictionaries in each other. */
  #nested(depth: number): string {
    const random = this.#random;
    const kind = depth === 0 ? 0 : random.below(4);
    if (kind === 1) return `(list ${random.some(4, () => this.#nested(depth - 1)).join(' ')})`;
    if (kind >= 2)
      return `(dict ${random.some(4, () => `${random.pick(random.chance(0.5) ? ['"a1"', '"a10"', '"a2"', '"B"', '"-"', '"b"'] : yamlTexts)} ${this.#nested(depth - 1)}`).join(' ')})`;
    return random.pick(random.chance(0.3) ? scalars : yamlTexts);
  }

  #texts(at: number): readonly string[] {
    const found = special.find(([name]) => name.test(this.#name))?.[1];
    if (found === undefined || (at > 0 && this.#random.chance(this.#name === 'semverCompare' ? 0 : 0.7)))
      return words;
    return found;
  }

  #any(at: number): string {
    const random = this.#random;
    if (
      /^(?:must)?(?:[fF]irst|[lL]ast|[rR]est|[iI]nitial|[rR]everse|[cC]ompact|[uU]niq|[cC]oncat|[cC]hunk|[sS]ortAlpha)$/.test(
        this.#name,
      ) ||
      (at === 0 && /ush$|ppend$|repend$|ithout$|lice$/.test(this.#name)) ||
      (at === 1 && /as$|^join$/.test(this.#name))
    )
      return random.pick(random.chance(0.85) ? lists : scalars);
    if (this.#name.startsWith('toYaml'))
      return random.chance(0.9) ? this.#nested(3) : random.pick([...scalars, ...lists, ...dicts]);
    if (this.#name === 'dig' && random.chance(0.8)) return random.pick(['"a"', '"deep"', '"b"', '"list"']);
    if (this.#name.endsWith('lice')) return random.pick(integers);
    // A dictionary inside itself is a stack overflow in Go, which ends the program.
    if (this.#name === 'set') return random.pick(scalars);
    return random.pick([...scalars, ...scalars, ...lists, ...dicts, ...words]);
  }
}

/** Functions that read the clock, which Go's engine has and a test does not. */
const clockFunctions: ReadonlySet<string> = new Set(['now', 'ago']);

/** Returns the names of the functions that render. */
export function functionNames(): string[] {
  return [...chartFunctions.keys()]
    .filter((name) => !(name in unsupportedFunctions) && !clockFunctions.has(name))
    .toSorted();
}

/** Returns a chart with one template. */
export function chartCase(text: string, strict = false): ChartCase {
  return {
    chart: {
      name: 'sample',
      templates: [
        { name: 'templates/_helpers.tpl', text: helpers },
        { name: 'templates/case.yaml', text },
      ],
      files: {},
      values,
      strict,
      release: 'addon',
      namespace: 'open-cluster-management-agent-addon',
      kubeVersion: 'v1.31.2',
    },
  };
}

const helpers = `{{- define "greeting" -}}
hello {{ .name | default "nobody" }}
{{- end -}}
{{- define "failing" }}{{ required "name is required" .name }}{{ end -}}
{{- define "loop" }}{{ include "greeting" . }}{{ end -}}`;

/** A call of a function with arguments that a seed decides, and what it returns. */
export function functionCase(name: string, seed: number): ChartCase {
  if (name.startsWith('fromYaml')) return textCase(name, randomYaml(new Random(seed)));
  if (name === 'fromToml') return textCase(name, randomToml(new Random(seed)));
  let call = new CallMaker(name, seed).make();
  for (let at = 1; isNotComparable(call); at++) call = new CallMaker(name, seed + at * 10_000_000).make();
  return chartCase(`{{ $r := ${call} }}{{ printf "%T|%v" $r $r }}`);
}

/** Dates that are not given are the current time, and Node has no abbreviations of zones nor their offsets before 1000. */
function isNotComparable(call: string): boolean {
  if (!/^(?:date(?:InZone|_in_zone)?|htmlDate|htmlDateInZone) /.test(call)) return false;
  const hasDate = /\((?:int|int64|toDate) /.test(call);
  const isFar = /-62135596800|nonsense/.test(call);
  return !hasDate || (/[A-Za-z]\/[A-Z]/.test(call) && (call.includes('MST') || isFar));
}

function textCase(name: string, text: string): ChartCase {
  const { chart } = chartCase(`{{ $r := ${name} .Values.input }}{{ printf "%T|%v" $r $r }}|{{ toJson $r }}`);
  return { chart: { ...chart, values: { ...chart.values, input: text } } };
}

const templates = [
  '{{ include "greeting" (dict "name" "x") }}|{{ include "greeting" .Values }}|{{ include "loop" . | upper }}',
  '{{ include "missing" . }}',
  '{{ include "failing" . }}',
  '{{ include "failing" (dict "name" "x") }}',
  '{{ include "greeting" }}',
  '{{ include "greeting" . | nindent 4 }}',
  '{{ tpl "{{ .Values.text }} {{ .Template.Name }}" . }}',
  '{{ tpl "{{ include \\"greeting\\" . }}" . }}',
  '{{ tpl "{{ define \\"new\\" }}new{{ end }}{{ include \\"new\\" . }}" . }}',
  '{{ tpl "{{ .bad" . }}',
  '{{ tpl "{{ .Values.text.x }}" . }}',
  '{{ tpl "{{ .Values.missing }}" . }}|{{ tpl "" . }}',
  '{{ tpl "{{ tpl \\"{{ .Values.number }}\\" . }}" . }}',
  '{{ tpl "{{ fail \\"inner\\" }}" . }}',
  '{{ required "text: is: required" .Values.nothing }}',
  '{{ required "empty" .Values.empty }}',
  '{{ required "given" .Values.text }}{{ required "zero" 0 }}',
  '\n\n  {{ fail "multi\nline" }}',
  '{{ fail .Values.nothing }}',
  '{{ lookup "v1" "Pod" "ns" "name" }}{{ if lookup "v1" "Pod" "" "" }}a{{ else }}b{{ end }}',
  '{{ getHostByName "example.com" }}|',
  '{{ .Values.missing }}|{{ .Values.missing.deep }}',
  '{{ .Values.nothing }}|{{ print .Values.nothing }}',
  '{{ .Values.number }} {{ .Values.large }} {{ int .Values.number }} {{ .Values.number | toString }}',
  '{{ .Release.Name }} {{ .Release.Namespace }} {{ .Release.IsInstall }} {{ .Release.Service }} {{ .Template.BasePath }}',
  '{{ $d := dict "a" 1 }}{{ $_ := set $d "b" (list 1 2) }}{{ $_ := unset $d "a" }}{{ $d }}',
  '{{ $d := deepCopy .Values.dict }}{{ $_ := mergeOverwrite $d .Values.other }}{{ $d | toJson }}|{{ .Values.dict | toJson }}',
  '{{ $d := merge (dict) .Values.dict .Values.other }}{{ $d | toJson }}|{{ .Values.dict | toJson }}',
  '{{ range $i, $e := untilStep 0 6 2 }}{{ $i }}={{ $e }};{{ end }}{{ range tuple 1 2 }}{{ . }}{{ end }}',
  '{{ (semver "1.2.3-rc.1+b").Major }}{{ (semver "1.2.3-rc.1+b").Prerelease }}{{ (semver "v1.2.3").IncMinor }}{{ (semver "1.2.3").Compare (semver "1.2.4") }}',
  '{{ (semver "1.2.3").Missing }}',
  '{{ .Values.text | b64enc | b64dec | quote }}{{ "a" | squote }}',
  '{{ ternary "a" "b" (eq .Values.number 42.0) }}{{ .Values.yes | ternary 1 2 }}',
  '{{ dict "a" 1 | toPrettyJson }}\n{{ .Values.dict | toPrettyJson }}\n{{ list | toPrettyJson }}{{ .Values.other | toRawJson }}',
  '{{ .Values.AsMap | toJson }}|{{ typeOf .Values.AsMap }}|{{ .AsMap.Release.Name }}|{{ .Template.AsMap.Name }}',
  '{{ .Values.YAML }}|{{ (.Values.Table "dict").YAML }}|{{ typeOf (.Values.Table "dict") }}',
  '{{ .Values.Table "dict.missing" }}',
  '{{ .Values.Table }}',
  '{{ .Values.PathValue "text" }}|{{ .PathValue "Release.Name" }}|{{ .Values.PathValue "nothing" }}',
  '{{ .Values.PathValue "dict" }}',
  '{{ .Values.PathValue "" }}',
  '{{ .Values.Encode . }}',
  '{{ tpl "a{{ tpl \\"\\" . }}b" . }}|{{ tpl "{{ tpl \\"{{/* c */}}\\" . }}{{ define \\"x\\" }}{{ end }}" . }}',
  '{{ dict "k" "a\\u2028b" "l" "c\\u0085\\u0085d" "m" "\\ufeffx" "n" "a\\n\\u2029b" | toYaml }}',
  '{{ dict "a\\u0085b" 1 | toYaml }}|{{ dict "a\\u2028b" 1 | toYaml }}',
  '{{ wrap 3 "a  longer text with wide words" }}|{{ wrapWith 3 "+" "a  longer text" }}',
  '{{ undefinedFunction }}',
  '{{ env "HOME" }}',
  '{{ if }}',
  '{{ .Values.text | nindent -1 }}',
];

/** Charts for Helm's own functions, and for how it reports errors. */
export function helmCases(): ChartCase[] {
  return templates.flatMap((text) => [chartCase(text), chartCase(text, true)]);
}
