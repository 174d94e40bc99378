import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { executeCase } from '../engines/charts/execute.ts';
import { functionCase, functionNames } from '../engines/charts/function-cases.ts';
import { askGo, buildGoEngine } from '../engines/charts/go-engine.ts';
import { randomTemplate } from '../engines/charts/random-template.ts';
import { renderCase } from '../engines/charts/render-chart.ts';
import { agrees, ourManifests, type ManifestsAnswer } from '../engines/charts/values/agent-manifests.ts';
import { asGo, askGoProgram, buildGoValues } from '../engines/charts/values/go-values.ts';
import { randomAgentRequest } from '../engines/charts/values/random-chart.ts';

/** How many random cases run; `CHART_CASES=5000` runs more. */
const count = Number(process.env['CHART_CASES'] ?? 300);
const firstSeed = Number(process.env['CHART_SEED'] ?? 1);
const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);

// The first build compiles Helm and client-go.
beforeAll(buildGoEngine, 900_000);

test('random templates render, or fail, as in Go', () => {
  const cases = seeds.map((seed) => ({ seed, request: randomTemplate(seed) }));
  const answers = askGo(cases.map(({ request }) => request));
  const different = cases
    .map(({ seed, request }, index) => ({ seed, request, go: answers[index], ours: executeCase(request) }))
    .filter(({ go, ours }) => go?.output !== ours.output || go?.error !== ours.error);
  expect(different.slice(0, 5)).toEqual([]);
});

test("functions return, or fail with, what Helm's engine does", () => {
  const names = functionNames();
  const cases = seeds.map((seed) => ({
    seed,
    request: functionCase(names[seed % names.length] ?? '', seed),
  }));
  const answers = askGo(cases.map(({ request }) => request));
  const different = cases
    .map(({ seed, request }, index) => ({
      seed,
      request,
      go: answers[index] ?? {},
      ours: renderCase(request),
    }))
    .filter(({ go, ours }) => !isDeepStrictEqual(ours, go));
  expect(different.slice(0, 5)).toEqual([]);
});

test('agents of addon-framework render the same objects, or fail with the same message', () => {
  buildGoValues();
  const requests = seeds.map(randomAgentRequest);
  const answers = askGoProgram<ManifestsAnswer>(requests.map((each) => JSON.stringify(asGo(each))));
  const ours = ourManifests(requests);
  const different = requests
    .map((request, index) => ({ request, go: answers[index] ?? {}, ours: ours[index] ?? {} }))
    .filter((each) => !agrees(each.ours, each.go));
  expect(different.slice(0, 5)).toEqual([]);
  // Both outcomes occur.
  expect(answers.some(({ error }) => error !== undefined)).toBe(true);
  expect(answers.some(({ objects }) => (objects?.length ?? 0) > 1)).toBe(true);
}, 900_000);
