import { describe, expect, test } from 'vitest';
import {
  TemplateLimitError,
  TemplateSet,
  toValue,
  type Limits,
} from '../../../src/engines/gotemplate/index.ts';

function render(text: string, data: unknown = {}, limits: Partial<Limits> = {}): string {
  const set = new TemplateSet('set');
  set.parse('main', text);
  return set.execute('main', toValue(data), { limits }).text;
}

function failure(text: string, data: unknown = {}, limits: Partial<Limits> = {}): unknown {
  try {
    return render(text, data, limits);
  } catch (error) {
    return error;
  }
}

describe('a hostile template ends with an error that names its place', () => {
  test('endless recursion', () => {
    const error = failure('{{ define "a" }}\n{{ template "a" . }}{{ end }}{{ template "a" . }}');
    expect(error).toBeInstanceOf(TemplateLimitError);
    expect(error).toMatchObject({
      message: 'more than 100 templates call each other',
      position: { template: 'main', line: 2, column: 12 },
    });
  });

  test('loops in loops', () => {
    const loops = '{{ range 1000 }}'.repeat(4) + '{{ end }}'.repeat(4);
    expect(failure(loops, {}, { steps: 100_000 })).toMatchObject({
      message: 'the template needs more than 100000 steps',
      position: { template: 'main', line: 1 },
    });
  });

  test('large output', () => {
    expect(failure('{{ range 1000 }}0123456789{{ end }}', {}, { output: 5000 })).toMatchObject({
      message: 'the template writes more than 5000 characters',
    });
  });

  test('large padding', () => {
    expect(failure('{{ range 100 }}{{ printf "%1000000d" 1 }}{{ end }}')).toBeInstanceOf(TemplateLimitError);
  });

  test('deep nesting of parentheses and of actions', () => {
    expect(failure(`{{ ${'('.repeat(5000)}1${')'.repeat(5000)} }}`)).toBeInstanceOf(TemplateLimitError);
    expect(failure('{{ if 1 }}'.repeat(5000) + '{{ end }}'.repeat(5000))).toBeInstanceOf(TemplateLimitError);
  });
});

test('names that objects of JavaScript inherit are keys like all others', () => {
  const data = JSON.parse('{"__proto__": {"polluted": true}, "constructor": "c", "map": {}}') as unknown;
  expect(
    render('{{ .__proto__.polluted }} {{ .constructor }} {{ .map.constructor }} {{ .map.toString }}', data),
  ).toBe('true c <no value> <no value>');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('an address is an error, because it is different each time', () => {
  expect(failure('{{ printf "%p" . }}')).toMatchObject({
    message:
      'template: main:1:3: executing "main" at <printf "%p" .>: error calling printf: %p prints an address, which is different each time',
  });
});
