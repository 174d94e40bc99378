// Records the answers of Go's engines: `npx tsx test/charts/record.ts`. The tests of `npm test` read them.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ChartCase, TemplateCase } from './case.ts';
import { functionCase, functionNames, helmCases } from './function-cases.ts';
import { askGo, buildGoEngine } from './go-engine.ts';
import { languageCases, setCases } from './language-cases.ts';
import { randomTemplate } from './random-template.ts';
import { writeRecording } from './recording.ts';

function record(name: string, cases: readonly (TemplateCase | ChartCase)[]): void {
  const answers = askGo(cases);
  writeRecording(
    name,
    cases.map((request, index) => ({ request, answer: answers[index] ?? {} })),
  );
}

mkdirSync(path.join(import.meta.dirname, 'recorded'), { recursive: true });
buildGoEngine();
record('templates', [
  ...languageCases(),
  ...setCases(),
  ...Array.from({ length: 2000 }, (_, index) => randomTemplate(1_000_000 + index)),
]);
record('functions', [
  ...helmCases(),
  ...functionNames().flatMap((name, index) =>
    Array.from({ length: /^(?:to|from)Yaml/.test(name) ? 300 : 15 }, (_, at) =>
      functionCase(name, 2_000_000 + index * 1000 + at),
    ),
  ),
]);
