import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { askGoProgramInParts, buildProgram, type ReleaseAnswer } from '../charts/go-releases.ts';
import {
  helmOutcome,
  ourOutcome,
  requestFor,
  type ReleaseOutcome,
} from '../charts/generated/compare-release.ts';
import { randomRelease, type GeneratedRelease } from '../charts/generated/random-release.ts';
import { shapeNames, shapesOf } from '../charts/generated/shapes.ts';

/** How many charts are generated; `CHART_CASES=5000` generates more. */
const count = Number(process.env['CHART_CASES'] ?? 300);
const firstSeed = Number(process.env['CHART_SEED'] ?? 1);

interface ComparedRelease {
  readonly seed: number;
  readonly release: GeneratedRelease;
  readonly helm: ReleaseOutcome;
  readonly ours: ReleaseOutcome;
}

let compared: readonly ComparedRelease[] = [];

// The first build compiles Helm and client-go.
beforeAll(async () => {
  buildProgram();
  const releases = Array.from({ length: count }, (_, index) => randomRelease(firstSeed + index));
  const [{ apiVersions = [] } = {}, ...answers] = await askGoProgramInParts([
    { apiVersions: true },
    ...releases.map(requestFor),
  ]);
  compared = releases.map((release, index) => ({
    seed: firstSeed + index,
    release,
    helm: helmOutcome(answers[index] as ReleaseAnswer),
    ours: ourOutcome(release, apiVersions),
  }));
}, 900_000);

test('generated charts have every shape that public charts have', () => {
  const counts = new Map<string, number>();
  for (const { release } of compared)
    for (const shape of shapesOf(release)) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const missing = shapeNames.filter((shape) => !counts.has(shape));
  expect(missing).toEqual([]);
});

test("the text of each template of generated charts is Helm's, byte for byte, or the message of the error is", () => {
  const different = compared
    .filter(({ helm, ours }) => !isDeepStrictEqual(ours.texts, helm.texts))
    .map(({ seed, helm, ours }) => ({ seed, ...firstDifference(ours.texts, helm.texts) }));
  expect(different.slice(0, 5)).toEqual([]);
  // Most charts can be rendered, and some cannot.
  const rendered = compared.filter(({ helm }) => typeof helm.texts !== 'string');
  expect(rendered.length).toBeGreaterThan(count / 2);
  expect(rendered.length).toBeLessThan(count);
});

test('generated charts create the objects that `helm install` creates, in their order and with their namespaces', () => {
  const different = compared
    .filter(({ helm, ours }) => !isDeepStrictEqual(ours.installation?.created, helm.installation?.created))
    .map(({ seed, helm, ours }) => ({
      seed,
      ours: ours.installation?.created,
      helm: helm.installation?.created,
    }));
  expect(different.slice(0, 3)).toEqual([]);
  const installed = compared.filter(({ helm }) => helm.installation !== undefined);
  expect(installed.length).toBeGreaterThan(count / 2);
});

test('generated charts have the hooks that Helm finds, with their events and weights', () => {
  const different = compared
    .filter(({ helm, ours }) => !isDeepStrictEqual(ours.installation?.hooks, helm.installation?.hooks))
    .map(({ seed, helm, ours }) => ({
      seed,
      ours: ours.installation?.hooks,
      helm: helm.installation?.hooks,
    }));
  expect(different.slice(0, 3)).toEqual([]);
  expect(compared.filter(({ helm }) => (helm.installation?.hooks.length ?? 0) > 0).length).toBeGreaterThan(
    count / 20,
  );
});

/** Returns the first template that differs, or the messages. */
function firstDifference(
  ours: ReleaseOutcome['texts'],
  helm: ReleaseOutcome['texts'],
): { readonly ours: unknown; readonly helm: unknown } {
  if (typeof ours === 'string' || typeof helm === 'string')
    return {
      ours: typeof ours === 'string' ? ours : 'renders',
      helm: typeof helm === 'string' ? helm : 'renders',
    };
  const index = ours.findIndex((text, at) => text !== helm[at]);
  return index < 0 ? { ours: ours.length, helm: helm.length } : { ours: ours[index], helm: helm[index] };
}
