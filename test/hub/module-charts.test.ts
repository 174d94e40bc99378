import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { helmOutcome, ourOutcome, requestFor } from '../charts/generated/compare-release.ts';
import { askGoProgramInParts as askHelm, buildProgram } from '../charts/go-releases.ts';
import {
  moduleCharts,
  moduleRelease,
  moduleRequest,
  publicModuleCharts,
  type ModuleChart,
} from '../engines/charts/module-charts.ts';
import { agrees, ourManifests, type ManifestsAnswer } from '../engines/charts/values/agent-manifests.ts';
import { asGo, askGoProgram, buildGoValues } from '../engines/charts/values/go-values.ts';

/** How many random values each chart is rendered with; `MODULE_CHART_CASES=300` runs more. */
const count = Number(process.env['MODULE_CHART_CASES'] ?? 5);
const firstSeed = Number(process.env['CHART_SEED'] ?? 1);

test('charts in Go modules of the ecosystem render the same objects with random values, or fail with the same message', () => {
  buildGoValues();
  const charts = moduleCharts();
  expectCharts(charts);
  const cases = charts.flatMap((chart) =>
    Array.from({ length: count }, (_, index) => ({
      chart: chart.name,
      seed: firstSeed + index,
      request: moduleRequest(chart, firstSeed + index),
    })),
  );
  const answers = askGoProgram<ManifestsAnswer>(cases.map(({ request }) => JSON.stringify(asGo(request))));
  const ours = ourManifests(cases.map(({ request }) => request));
  const different = cases
    .map(({ chart, seed, request }, index) => ({
      chart,
      seed,
      annotations: request.annotations,
      go: answers[index] ?? {},
      ours: ours[index] ?? {},
    }))
    // A random function is an error here, and different each time in Go.
    .filter(
      (each) => each.ours.error?.includes('its result is random') !== true && !agrees(each.ours, each.go),
    );
  expect(different.slice(0, 3)).toEqual([]);
  // Both outcomes occur.
  expect(answers.some(({ error }) => error !== undefined)).toBe(true);
  expect(answers.some(({ objects }) => (objects?.length ?? 0) > 1)).toBe(true);
}, 900_000);

test('public charts in Go modules render the texts and create the objects that Helm does, with random values', async () => {
  buildProgram();
  const charts = publicModuleCharts();
  expectCharts(charts);
  const cases = charts.flatMap((chart) =>
    Array.from({ length: count }, (_, index) => ({
      chart: chart.name,
      seed: firstSeed + index,
      release: moduleRelease(chart, firstSeed + index),
    })),
  );
  const [{ apiVersions = [] } = {}, ...answers] = await askHelm([
    { apiVersions: true },
    ...cases.map(({ release }) => requestFor(release)),
  ]);
  const compared = cases
    .map(({ chart, seed, release }, index) => ({
      chart,
      seed,
      helm: helmOutcome(answers[index] ?? {}),
      ours: ourOutcome(release, apiVersions),
    }))
    // A random function is an error here, and different each time in Go.
    .filter(({ ours }) => typeof ours.texts !== 'string' || !ours.texts.includes('its result is random'));
  const different = compared.filter(
    ({ helm, ours }) =>
      !isDeepStrictEqual(ours.texts, helm.texts) ||
      // Kinds that the cluster does not have are an error of Helm only.
      (helm.installation !== undefined && !isDeepStrictEqual(ours.installation, helm.installation)),
  );
  expect(different.slice(0, 3)).toEqual([]);
  expect(compared.filter(({ helm }) => helm.installation !== undefined).length).toBeGreaterThan(count);
}, 900_000);

function expectCharts(charts: readonly ModuleChart[]): void {
  for (const { name, files } of charts)
    expect([name, Object.keys(files)]).toEqual([name, expect.arrayContaining(['Chart.yaml'])]);
}
