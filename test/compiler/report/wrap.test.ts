import { describe, expect, test } from 'vitest';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { wrapLines } from '../../../src/compiler/report/text/wrap.ts';
import { eventfulReport } from './eventful.ts';

describe('lines that are longer than the terminal', () => {
  test('go on below, indented, and lose no word', () => {
    expect(wrapLines('  changed on 3 clusters: alpha, beta, gamma\nshort', 30)).toBe(
      '  changed on 3 clusters:\n      alpha, beta, gamma\nshort',
    );
    const long = `hash: ${'a'.repeat(64)}`;
    expect(wrapLines(long, 40)).toBe(`hash:\n    ${'a'.repeat(64)}`);
  });

  test('are measured without their colors', () => {
    const red = '\u001b[31mUNINSTALLED\u001b[39m';
    expect(wrapLines(`${red} from one`, 20)).toBe(`${red} from one`);
  });

  test('are unchanged if there is no room to indent', () => {
    expect(wrapLines('          one two three four five six', 24)).toBe(
      '          one two three four five six',
    );
  });

  test.each([40, 60, 80, 100])('of a plan fit into %i columns, but for single words', (columns) => {
    const { plan } = eventfulReport();
    const options = { paint: (_tone: string, text: string) => text, names: 10 };
    const text = planText(plan, { ...options, columns });
    const tooLong = text.split('\n').filter((line) => line.length > columns && line.trim().includes(' '));
    expect(tooLong).toEqual([]);
    const words = (written: string): string => written.replaceAll(/\s+/g, ' ');
    expect(words(text)).toBe(words(planText(plan, options)));
  });
});
