import { hasErrors, type Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import { hubObjects } from '../../../src/compiler/hub-objects.ts';
import type { HubVersion } from '../../../src/ocm/hub-version.ts';
import type { LoadedObject } from '../../../src/compiler/model/inventory.ts';
import { load } from '../../../src/compiler/load/load.ts';
import { predictRollout } from '../../../src/compiler/predict-rollout.ts';
import { resolve } from '../../../src/compiler/resolve.ts';
import type { Rollouts } from '../../../src/compiler/rollout/rollout.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { project, type ProjectionOptions } from '../../conformance/projection.ts';
import type { Answer } from '../record/recording.ts';
import { clusterNames, printObjects, type Scenario } from '../record/scenario.ts';
import type { RolloutRecording, Waves } from '../record/waves.ts';

/** What is made of a scenario, by the hub or by the compiler: an answer, or the objects that the API server refuses. */
export type Outcome =
  | { readonly answer: Answer | (RolloutRecording & { readonly progress: Progress }) }
  | { readonly refused: readonly string[] }
  /** The compiler has a bug: otherwise it throws nothing. */
  | { readonly thrown: string };

/** The messages of the conditions `Progressing` when a rollout has come to its end, by `namespace/name` of the placement. */
export type Progress = Readonly<Record<string, string>>;

/** What the compiler says that the hub makes of a scenario, from its YAML on. */
export function predict(scenario: Scenario, hub: HubVersion, now: number): Outcome {
  try {
    return scenario.update === undefined
      ? predictAnswer(scenario, hub, now)
      : predictWaves(scenario, hub, now);
  } catch (error) {
    return { thrown: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function predictAnswer({ input }: Scenario, hub: HubVersion, now: number): Outcome {
  const { value, diagnostics } = resolve(loaded(input), { now, hub });
  if (value === undefined) return { refused: refusedObjects(diagnostics) };
  return { answer: project(hubObjects(value, { hub, addOnApiVersion: 'v1alpha1' }), comparedIn(input)) };
}

function predictWaves({ input, update = [], faults }: Scenario, hub: HubVersion, now: number): Outcome {
  const { value, diagnostics } = predictRollout(loaded(input), {
    now,
    hub,
    update: loaded(update),
    ...(faults && { failing: new Set(faults.failing), silent: new Set(faults.silent) }),
  });
  if (value?.update === undefined) return { refused: refusedObjects(diagnostics) };
  return {
    answer: { install: waves(value.install), update: waves(value.update), progress: progress(value.update) },
  };
}

/** Permissions that clusters share can be compared where there is only one cluster. */
export function comparedIn(input: readonly KubernetesObject[]): ProjectionOptions {
  return { sharedBindings: clusterNames(input).length === 1 };
}

/** Scenarios have one add-on. */
function waves(rollouts: Rollouts): Waves {
  return [...rollouts.values()].flatMap((rollout) => rollout.waves.map(({ clusters }) => clusters));
}

function progress(rollouts: Rollouts): Progress {
  return Object.fromEntries(
    [...rollouts.values()].flatMap(({ progressions }) =>
      progressions.map(({ placement, condition }) => [placement, condition.message]),
    ),
  );
}

/** Loads the objects of a scenario as they would be in a file. */
export function loaded(objects: readonly KubernetesObject[]): readonly LoadedObject[] {
  const { value, diagnostics } = load([
    { file: 'scenario.yaml', text: printObjects(objects), source: 'app' },
  ]);
  if (hasErrors(diagnostics))
    throw new Error(`the scenario cannot be loaded: ${JSON.stringify(diagnostics)}`);
  return value;
}

function refusedObjects(diagnostics: readonly Diagnostic[]): readonly string[] {
  const objects = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ object }) => `${object?.kind ?? ''}/${object?.name ?? ''}`);
  return [...new Set(objects)];
}
