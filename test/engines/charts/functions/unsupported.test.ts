import { expect, test } from 'vitest';
import { ChartRenderError, ChartTemplates } from '../../../../src/engines/charts/engine.ts';
import { TemplateLimitError, UnsupportedFunctionError } from '../../../../src/engines/gotemplate/index.ts';

function render(text: string, now?: bigint): ReadonlyMap<string, string> {
  const templates = [{ name: 'c/templates/a.yaml', text, basePath: 'c/templates' }];
  return new ChartTemplates(templates).render(() => new Map(), { now });
}

function failure(text: string): Error {
  try {
    render(text);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('the template rendered');
}

test('a random function is an error that names its place and says why', () => {
  const error = failure('a: b\npassword: {{ randAlphaNum 8 }}');
  expect(error).toBeInstanceOf(ChartRenderError);
  expect(error.message).toBe(
    'template: c/templates/a.yaml:2:13: executing "c/templates/a.yaml" at <randAlphaNum 8>: error calling randAlphaNum: not supported: its result is random, so that the same input would render differently each time',
  );
  expect((error.cause as Error).cause).toBeInstanceOf(UnsupportedFunctionError);
});

test.each([
  '{{ now }}',
  '{{ ago 0 }}',
  '{{ date "2006" "no date" }}',
  '{{ durationRound (toDate "2006" "2024") }}',
])('the current time is an error without a clock: %s', (text) => {
  expect(failure(text).message).toContain('not supported: its result depends on the time of rendering');
});

test('functions that read the clock get the time that is given', () => {
  const text =
    '{{ now }}|{{ date "2006-01-02" now }}|{{ ago (int64 1709210000) }}|{{ htmlDate "" }}|{{ include "a" . }}|{{ tpl "{{ now.Year }}" . }}{{ define "a" }}{{ now.Weekday }}{{ end }}';
  expect([...render(text, 1_709_210_096_500_000_000n).values()]).toEqual([
    '2024-02-29 12:34:56.5 +0000 UTC|2024-02-29|1m37s|2024-02-29|Thursday|2024',
  ]);
});

test('an unknown time zone is an error', () => {
  expect(failure('{{ dateInZone "15:04 MST" (int64 0) "Europe/Berlin" }}').message).toContain(
    'not supported: the abbreviation of the time zone Europe/Berlin is unknown',
  );
  expect(failure('{{ htmlDateInZone (toDate "" "x") "Europe/Berlin" }}').message).toContain(
    'not supported: the offset of the time zone Europe/Berlin is unknown before the year 1000',
  );
});

test('a function that makes a secret is an error', () => {
  expect(failure('{{ derivePassword 1 "long" "a" "b" "c" }}').message).toContain(
    'error calling derivePassword: not supported: it makes a secret of texts in the chart, which the output would contain',
  );
});

test('a chart that only mentions such a function renders', () => {
  const text = '{{ if false }}{{ randAlphaNum 8 }}{{ end }}ok';
  expect([...render(text).values()]).toEqual(['ok']);
});

test('large results, endless includes and cyclic dictionaries end with a bound', () => {
  for (const text of [
    '{{ repeat 100000000 "abc" }}',
    '{{ indent 1000000000 "a" }}',
    '{{ until 1000000000 }}',
    '{{ seq 1 2000000000 }}',
    '{{ replace "" (repeat 100000 "x") (repeat 100000 "y") }}',
    '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
    '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ $d }}',
    '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ toJson $d }}',
    '{{ $x := list "a" }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ $x }}',
    '{{ $x := list "a" }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}',
    '{{ $x := list "a" }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ deepEqual $x (list $x) }}',
    '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ toToml $d }}',
    '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ toYamlPretty $d }}',
    '{{ fromToml (cat "a =" (repeat 5000 "[")) }}',
    '{{ $x := "x" }}{{ range until 40 }}{{ $x = cat $x $x }}{{ end }}',
  ])
    expect([text, failure(text)]).toEqual([text, expect.any(TemplateLimitError)]);
});
