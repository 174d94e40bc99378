import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import { diagnosticsAsJson } from '../../../src/compiler/report/json/json.ts';
import { planGithub } from '../../../src/compiler/report/ci/plan-github.ts';
import { planHtml } from '../../../src/compiler/report/html/plan-html.ts';
import { planJson } from '../../../src/compiler/report/json/plan-json.ts';
import { planJunit } from '../../../src/compiler/report/ci/plan-junit.ts';
import { planMarkdown } from '../../../src/compiler/report/ci/plan-markdown.ts';
import { planSarif } from '../../../src/compiler/report/ci/plan-sarif.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { readableReport } from '../../../src/compiler/report/readable-report.ts';
import { diagnosticsAsText } from '../../../src/compiler/report/text/text.ts';
import { eventfulReport } from './eventful.ts';
import { hostileReport, hostileTexts } from './hostile-texts.ts';
import { markdownFaults, sarifFaults } from './report-formats.ts';

const paint = (_tone: string, text: string): string => text;
const acting =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
/** Characters without width, but for the one by which Markdown's own text breaks links. */
const hidden = /\u00ad|\u180e|\u200c|\u200d|\u2060|\u3164|\ufeff|\ufff9/;
const olderCommand = /##\[|##vso\[/i;

function linesOf(text: string): readonly string[] {
  return text.split('\n');
}

/** What is left of Markdown to look for links and references in: not code, and not what a backslash escapes. */
function markdownText(text: string): string {
  return text
    .replaceAll(/^ {0,3}```[^]*?^ {0,3}```$/gm, '')
    .replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
    .replaceAll(/\\[[\]<>]/g, '');
}

describe.each(Object.entries(hostileTexts))('a text with %s', (_name, hostile) => {
  const report = readableReport(hostileReport(hostile));

  test('neither acts in a terminal nor in the log of a CI job', () => {
    const text = planText(report.plan, { paint, names: 10 });
    expect(text).not.toMatch(acting);
    expect(text).not.toMatch(hidden);
    const finding: Diagnostic = {
      code: 'FW8002',
      severity: 'error',
      message: `message ${hostile}`,
      object: { apiVersion: 'v1', kind: hostile, name: hostile },
      path: hostile,
      location: { file: hostile, line: 1, column: 1 },
      hint: hostile,
      related: [{ message: hostile, location: { construct: hostile } }],
    };
    const findings = diagnosticsAsText([finding], { textOf: () => hostile });
    expect(findings).not.toMatch(acting);
    expect(findings).not.toMatch(hidden);
    expect(findings).not.toMatch(olderCommand);
    expect(linesOf(findings).filter((line) => /^\s*::/.test(line))).toEqual([]);
    expect(findings.split('\n\n')).toHaveLength(2);
  });

  test('is one annotation of GitHub at most', () => {
    const written = planGithub(report);
    expect(written).not.toMatch(acting);
    expect(written).not.toMatch(hidden);
    expect(written).not.toMatch(olderCommand);
    const lines = linesOf(written.trimEnd());
    expect(lines).toHaveLength(linesOf(planGithub(eventfulReport()).trimEnd()).length);
    for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice) (?:[a-z]+=[^:,]*,?)+::/);
  });

  test('neither links nor mentions in Markdown, and ends nothing', () => {
    const written = planMarkdown(report);
    expect(written).not.toMatch(acting);
    expect(written).not.toMatch(hidden);
    expect(markdownFaults(written)).toEqual([]);
    const text = markdownText(written);
    for (const link of [
      /:\/\//,
      /\bwww\./i,
      /\]\(/,
      /\bmailto:(?!\u200b)/,
      /@\w/,
      /(?<![&\w])#\d/,
      /\bGH-\d/,
      /[!&$%~](?:\d|")/,
      /<(?:script|img|svg|a)\b/i,
    ])
      expect(text).not.toMatch(link);
    expect(linesOf(text).filter((line) => /^\s*\/[a-z]/.test(line))).toEqual([]);
    expect(text.match(/<!-- fleetwright-plan -->/g)).toHaveLength(1);
  });

  test('is plain text in SARIF', () => {
    const written = planSarif(report);
    expect(sarifFaults(written)).toEqual([]);
    expect(written).not.toMatch(acting);
    expect(written).not.toMatch(hidden);
    expect(written).not.toMatch(olderCommand);
    const { runs } = JSON.parse(written) as {
      readonly runs: readonly {
        readonly results: readonly { readonly message: { readonly text: string } }[];
      }[];
    };
    for (const { message } of runs.flatMap(({ results }) => results))
      expect(message.text.replaceAll(/\\[\\[\]]/g, '')).not.toMatch(/[[\]]/);
  });

  test('is text in JUnit', () => {
    const written = planJunit(report);
    expect(written).not.toMatch(acting);
    expect(written).not.toMatch(hidden);
    const markup = written.replaceAll(/"[^"<>]*"/g, '""').replaceAll(/>[^<>]*</g, '><');
    expect(new Set(markup.match(/<[^\s/>]+/g))).toEqual(
      new Set(['<?xml', '<testsuites', '<testsuite', '<testcase', '<failure', '<system-out']),
    );
    expect(written).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
  });

  test('is text in the page', () => {
    const written = planHtml(report);
    expect(written).not.toMatch(acting);
    expect(written).not.toMatch(hidden);
    expect(written).not.toContain('<script>globalThis');
    expect(written).not.toContain('<img');
    expect(written).not.toContain('<svg onload');
  });

  test('is the same text to a reader of JSON, and acts nowhere else', () => {
    const written = planJson(hostileReport(hostile));
    expect(JSON.parse(written)).toMatchObject({ base: `main${hostile}`, head: `feature/stage${hostile}` });
    expect(written).not.toMatch(acting);
    expect(written).not.toMatch(hidden);
    expect(written).not.toMatch(olderCommand);
    const finding = { code: 'FW8002', severity: 'error', message: hostile } as const;
    expect(diagnosticsAsJson([finding])).not.toMatch(acting);
    expect(diagnosticsAsJson([finding])).not.toMatch(hidden);
  });
});
