import { expect, test } from 'vitest';
import { ChartRenderError, ChartTemplates } from '../../../charts/engine.ts';
import { TemplateLimitError, UnsupportedFunctionError } from '../../../gotemplate/index.ts';

function render(text: string): ReadonlyMap<string, string> {
  const templates = [{ name: 'c/templates/a.yaml', text, basePath: 'c/templates' }];
  return new ChartTemplates(templates).render(() => new Map());
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

test('the current time is an error', () => {
  expect(failure('{{ now }}').message).toContain(
    'not supported: its result depends on the time of rendering',
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
    '{{ $x := "x" }}{{ range until 40 }}{{ $x = cat $x $x }}{{ end }}',
  ])
    expect([text, failure(text)]).toEqual([text, expect.any(TemplateLimitError)]);
});
