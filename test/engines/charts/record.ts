// Records the answers of Go's engines: `npx tsx test/engines/charts/record.ts`. The tests of `npm test` read them.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ChartCase, TemplateCase } from './case.ts';
import { functionCase, functionNames, helmCases } from './function-cases.ts';
import { askGo, buildGoEngine } from './go-engine.ts';
import { languageCases, setCases } from './language-cases.ts';
import { randomTemplate } from './random-template.ts';
import { askGoProgramInParts } from '../../charts/go-releases.ts';
import { schemaCase, wrongSchemaCase, type SchemaCase } from './schema/random-schema.ts';
import { schemaShapes, type SchemaShape } from './schema/schema-shapes.ts';
import { writeRecording } from './recording.ts';
import { timeCases } from './time-cases.ts';

function record(name: string, cases: readonly (TemplateCase | ChartCase)[]): void {
  const answers = askGo(cases);
  writeRecording(
    name,
    cases.map((request, index) => ({ request, answer: answers[index] ?? {} })),
  );
}

async function recordSchemas<Case>(
  name: string,
  cases: readonly Case[],
  textOf: (request: Case) => SchemaShape,
): Promise<void> {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const answers = await askGoProgramInParts(
    cases.map(textOf).map(({ schema, values }) => ({
      release: {
        files: {
          'Chart.yaml': base64('apiVersion: v2\nname: agent\nversion: 1.0.0\n'),
          'values.schema.json': base64(schema),
        },
        values: JSON.stringify(values),
        release: 'agent',
        namespace: 'agents',
        kubeVersion: 'v1.34.2',
      },
    })),
  );
  writeRecording(
    name,
    cases.map((request, index) => {
      const { error } = answers[index] ?? {};
      return { request, answer: error === undefined ? {} : { error } };
    }),
  );
}

const asText = ({ schema, values }: SchemaCase): SchemaShape => ({ schema: JSON.stringify(schema), values });

/** Cases from a seed on. */
const random = <Case>(start: number, count: number, caseOf: (seed: number) => Case): Case[] =>
  Array.from({ length: count }, (_, index) => caseOf(start + index));

/** The texts of YAML and TOML have many forms. */
function countOf(name: string): number {
  if (/^(?:to|from)(?:Yaml|Toml)/.test(name)) return 300;
  return 15;
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
  ...timeCases(),
  ...functionNames().flatMap((name, index) =>
    Array.from({ length: countOf(name) }, (_, at) => functionCase(name, 2_000_000 + index * 1000 + at)),
  ),
]);
await recordSchemas('schemas', random(3_000_000, 1000, schemaCase), asText);
await recordSchemas('schema-shapes', schemaShapes(), (each) => each);
await recordSchemas('wrong-schemas', random(4_000_000, 500, wrongSchemaCase), asText);
