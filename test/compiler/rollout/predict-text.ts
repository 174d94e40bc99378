import { expect } from 'vitest';
import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import { hubVersion, type HubVersionName } from '../../../src/ocm/hub-version.ts';
import type { LoadedObject, Source } from '../../../src/compiler/model/inventory.ts';
import { load } from '../../../src/compiler/load/load.ts';
import { predictRollout, type PredictedRollout } from '../../../src/compiler/predict-rollout.ts';

/** When rollouts in tests start. */
export const start = Date.parse('2026-06-01T00:00:00Z');

export interface PredictTextOptions {
  readonly fleet?: string;
  readonly update?: string;
  readonly hub?: HubVersionName;
  readonly failing?: readonly string[];
  readonly silent?: readonly string[];
}

/** The rollouts of YAML written in a test, from loading on. */
export function predictText(
  text: string,
  { fleet = '', update, hub = '1.3', failing = [], silent = [] }: PredictTextOptions = {},
): PredictedRollout & { diagnostics: readonly Diagnostic[] } {
  const objects = [...objectsOf(text, 'app'), ...objectsOf(fleet, 'fleet')];
  const { value, diagnostics } = predictRollout(objects, {
    now: start,
    hub: hubVersion(hub),
    failing: new Set(failing),
    silent: new Set(silent),
    ...(update !== undefined && { update: objectsOf(update, 'app') }),
  });
  if (value === undefined) throw new Error(`not admitted: ${JSON.stringify(diagnostics, null, 2)}`);
  return { ...value, diagnostics };
}

function objectsOf(text: string, source: Source): readonly LoadedObject[] {
  const loaded = load([{ file: `${source}.yaml`, text, source }]);
  expect(loaded.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return loaded.value;
}
