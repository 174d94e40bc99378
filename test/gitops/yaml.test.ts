import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { goJson } from '../../src/base/json/go-json.ts';
import { parseGoJson } from '../../src/base/json/parse-json.ts';
import { DiagnosticCollector } from '../../src/compiler/load/diagnostic-collector.ts';
import { readDocuments } from '../../src/compiler/load/documents.ts';
import { SourceFile } from '../../src/compiler/load/source-file.ts';
import { Random } from '../hub/differential/random.ts';
import { yamlText } from './yaml-texts.ts';

const seed = Number(process.env['YAML_SEED'] ?? 1);
const count = Number(process.env['YAML_COUNT'] ?? 20_000);

/** Findings that report the value that kubectl has instead. */
const reported = new Set(['FW1007', 'FW1008', 'FW1014']);

test(`${count} YAML documents have the values that kubectl reads, and what it refuses is refused`, () => {
  const random = new Random(seed);
  const texts = Array.from({ length: count }, () => yamlText(random)).filter(
    (text) => !/^(?:---|\.\.\.)/m.test(text),
  );
  const faults: unknown[] = [];
  const counts = { same: 0, refusedByBoth: 0, refused: 0 };
  for (const [index, answer] of readByGo(texts).entries()) {
    const text = texts[index] ?? '';
    const findings = new DiagnosticCollector(new SourceFile('app.yaml', text));
    const [document] = readDocuments(text, findings);
    const isRefused = findings.diagnostics.some(({ severity }) => severity === 'error');
    if (isRefused) counts[answer === null ? 'refusedByBoth' : 'refused'] += 1;
    else if (answer === null) faults.push({ text, kubectl: 'refuses it' });
    else if (findings.diagnostics.some(({ code }) => reported.has(code))) continue;
    else if (goJson(document?.value ?? null) === answer) counts.same += 1;
    else faults.push({ text, kubectl: answer, fleetwright: goJson(document?.value ?? null) });
  }
  expect(faults).toEqual([]);
  expect(counts.same).toBeGreaterThan(count / 5);
  expect(counts.refusedByBoth).toBeGreaterThan(count / 5);
  // Block scalars that begin with a line of spaces which is longer than the first line of text.
  expect(counts.refused).toBeLessThan(count / 1000);
});

/** Returns the value of each document as JSON in the form of Go; null for those that go-yaml refuses. */
function readByGo(texts: readonly string[]): readonly (string | null)[] {
  // kubectl adds the line break that the last line of a file may lack.
  const input = JSON.stringify(texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`)));
  const output = execFileSync(path.join(inject('tools'), 'yaml'), {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return (JSON.parse(output) as readonly (string | null)[]).map((answer) => {
    if (answer === null) return null;
    const parsed = parseGoJson(answer);
    if (!('value' in parsed)) throw new Error(answer);
    return goJson(parsed.value);
  });
}
