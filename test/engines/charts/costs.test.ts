import { describe, expect, test } from 'vitest';
import { loadChart, renderChart, type ChartFault } from '../../../src/engines/charts/index.ts';
import { chartFiles } from './chart-files.ts';

interface Rendered {
  readonly faults: readonly ChartFault[];
  /** Processor time. */
  readonly seconds: number;
}

function render(template: string, files: Readonly<Record<string, string>> = {}): Rendered {
  const { chart, faults } = loadChart(
    chartFiles({
      'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
      'templates/a.yaml': template,
      ...files,
    }),
  );
  if (chart === undefined) throw new Error(faults[0]?.message);
  const before = process.cpuUsage();
  const result = renderChart(chart, {
    values: {},
    release: { name: 'a', namespace: 'b' },
    capabilities: { kubeVersion: { version: 'v1.34.0' } },
  });
  return { faults: result.faults, seconds: process.cpuUsage(before).user / 1e6 };
}

const definition = (index: number): string =>
  `k${String(index)}:\n  type: object\n  description: a text that is as long as many descriptions of fields are\n  properties: { a: { type: string } }\n`;
const large = Array.from({ length: 7500 }, (_, index) => definition(index)).join('');

describe('a chart with large files is within the bounds', () => {
  test.each([
    ['fromYaml of a file', '{{ $x := .Files.Get "large.yaml" | fromYaml }}'],
    [
      'fromYaml of the same file five times',
      '{{ range until 5 }}{{ $x := $.Files.Get "large.yaml" | fromYaml }}{{ end }}',
    ],
    ['merge of everything that a template sees', '{{ $x := merge (dict "a" 1) . }}'],
    ['a copy of everything that a template sees', '{{ $x := deepCopy . }}'],
    ['tpl of a file', '{{ $x := tpl (.Files.Get "large.yaml") . }}'],
    ['a file in base64', '{{ $x := .Files.Get "large.yaml" | b64enc }}'],
    ['a file with indentation', '{{ $x := .Files.Get "large.yaml" | nindent 4 }}'],
  ])('%s', (_, template) => {
    expect(large.length).toBeGreaterThan(960_000);
    expect(render(template, { 'large.yaml': large }).faults).toEqual([]);
  });
});

describe('the time of a function is at most linear in what it reads and writes', () => {
  test.each([
    ['upper', (size: number) => `{{ $x := upper (repeat ${String(size)} "ab ") }}`],
    ['title', (size: number) => `{{ $x := title (repeat ${String(size)} "ab ") }}`],
    ['wrap', (size: number) => `{{ $x := wrap 3 (repeat ${String(size)} "ab ") }}`],
    ['nindent', (size: number) => `{{ $x := nindent 4 (repeat ${String(size)} "ab\\n") }}`],
    ['replace', (size: number) => `{{ $x := replace "a" "bb" (repeat ${String(size)} "ab ") }}`],
    ['trimAll', (size: number) => `{{ $x := trimAll "a" (repeat ${String(size)} "aa") }}`],
    ['splitList', (size: number) => `{{ $x := splitList " " (repeat ${String(size)} "ab ") }}`],
    ['join', (size: number) => `{{ $x := splitList " " (repeat ${String(size)} "ab ") | join "," }}`],
    ['uniq', (size: number) => `{{ $x := splitList " " (repeat ${String(size / 10)} "ab ") | uniq }}`],
    [
      'sortAlpha',
      (size: number) => `{{ $x := splitList " " (repeat ${String(size / 10)} "ab ") | sortAlpha }}`,
    ],
    [
      'regexReplaceAll',
      (size: number) => `{{ $x := regexReplaceAll "a(b|c)*" (repeat ${String(size / 4)} "ab ") "x" }}`,
    ],
    [
      'regexFindAll',
      (size: number) => `{{ $x := regexFindAll "a(b|c)*" (repeat ${String(size / 4)} "ab ") -1 }}`,
    ],
    ['regexSplit', (size: number) => `{{ $x := regexSplit " " (repeat ${String(size / 4)} "ab ") -1 }}`],
    ['b64dec', (size: number) => `{{ $x := repeat ${String(size)} "ab " | b64enc | b64dec }}`],
    ['toYaml', (size: number) => `{{ $x := splitList " " (repeat ${String(size / 4)} "ab ") | toYaml }}`],
    ['fromYaml', (size: number) => `{{ $x := repeat ${String(size / 4)} "- ab\\n" | fromYamlArray }}`],
    [
      'fromJson',
      (size: number) => `{{ $x := printf "[%s1]" (repeat ${String(size / 2)} "1,") | fromJsonArray }}`,
    ],
    ['tpl', (size: number) => `{{ $x := tpl (repeat ${String(size / 40)} "{{ 1 }} ") . }}`],
    ['quote', (size: number) => `{{ $x := repeat ${String(size)} "ab " | quote }}`],
    ['kebabcase', (size: number) => `{{ $x := repeat ${String(size / 4)} "Ab " | kebabcase }}`],
    ['trunc', (size: number) => `{{ $x := repeat ${String(size)} "ab " | trunc -5 }}`],
    [
      'list',
      (size: number) =>
        `{{ $l := list }}{{ range until ${String(size / 400)} }}{{ $l = append $l . }}{{ end }}`,
    ],
    [
      'dict',
      (size: number) =>
        `{{ $d := dict }}{{ range until ${String(size / 40)} }}{{ $_ := set $d (print .) . }}{{ end }}`,
    ],
  ])('%s', (_, template) => {
    const small = render(template(20_000));
    // The lesser of two: a collection of garbage or another program can fall into one of them.
    const big = [1, 2].map(() => render(template(160_000)));
    expect([small, ...big].flatMap(({ faults }) => faults)).toEqual([]);
    // Eight times as much takes eight times as long, give or take what the processor does besides. A square takes 64 times.
    expect(Math.min(...big.map(({ seconds }) => seconds))).toBeLessThan(24 * small.seconds + 0.3);
  });
});
