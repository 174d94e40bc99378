import { checkPolicies } from '../compiler/check/policy.ts';
import { prunedOverrides } from '../compiler/check/overrides/pruned-overrides.ts';
import { compiledClusters } from '../compiler/deliver/compiled-clusters.ts';
import { individualObjects } from '../compiler/deliver/individual-objects.ts';
import { hasErrors, type Diagnostic } from '../compiler/diagnostic.ts';
import { emit, type Tree } from '../compiler/emit/emit.ts';
import type { Engine } from '../compiler/emit/engine.ts';
import { resolutionDocument } from '../compiler/emit/resolution.ts';
import { forHub } from '../compiler/admit/for-hub.ts';
import type { Resolution } from '../compiler/resolve.ts';
import type { Hub } from './options.ts';
import type { Policies } from './policy.ts';
import { resolveInputs, type ResolvedInputs } from './resolve-inputs.ts';
import { keptRevisions, type Revisions } from './revisions.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { Terminal } from './terminal.ts';

/** What an app is compiled for. */
export interface CompileTarget {
  readonly hub: Hub;
  readonly engine: Engine;
  readonly policies: Pick<Policies, 'policies' | 'texts'>;
  /** An earlier output, whose revisions of immutable objects stay. @default - there is none */
  readonly earlier?: string;
}

/** The folder that an app becomes. */
export interface EmittedApp {
  readonly tree: Tree;
  readonly revisions: Revisions;
  /** `6 objects, 1 add-on, installed 4 times`. */
  readonly summary: string;
}

/** An app, compiled as far as it is without an error. */
export interface CompiledApp extends Pick<ResolvedInputs, 'resolution' | 'diagnostics' | 'texts'> {
  readonly emitted?: EmittedApp;
}

/** Resolves an app, holds it against the policies, and emits it where nothing is wrong. */
export async function compileApp(
  inputs: Parameters<typeof resolveInputs>[0],
  target: CompileTarget,
  terminal: Terminal,
  watch: Stopwatch,
): Promise<CompiledApp> {
  const { resolution, ...resolved } = await resolveInputs(inputs, target.hub, terminal, {
    watch,
    // Folders beside the apps may have what these share.
    mayBeEmpty: true,
  });
  const texts = new Map([...resolved.texts, ...target.policies.texts]);
  if (resolution === undefined) return { resolution, texts, diagnostics: resolved.diagnostics };
  const diagnostics: readonly Diagnostic[] = [
    ...resolved.diagnostics,
    ...checkPolicies(resolution, target.policies.policies),
    ...prunedOverrides(resolution, target.engine),
  ];
  if (hasErrors(diagnostics)) return { resolution, texts, diagnostics };
  const emitted = await watch.wait('emit', () => emitApp(resolution, target));
  return { resolution, texts, diagnostics, emitted };
}

async function emitApp(resolution: Resolution, { hub, engine, earlier }: CompileTarget): Promise<EmittedApp> {
  const { configuration } = resolution;
  const objects = individualObjects(resolution).map((object) => forHub(object, hub));
  const { objects: kept, revisions } =
    earlier === undefined ? { objects: [], revisions: {} } : await keptRevisions(earlier, objects);
  const installed = [...configuration.values()].reduce((sum, addOn) => sum + addOn.clusters.size, 0);
  const past = kept.length === 0 ? '' : ` and ${count(kept.length, 'earlier revision')}`;
  return {
    tree: emit(
      [...objects, ...kept],
      resolutionDocument(resolution),
      engine,
      compiledClusters(resolution, hub),
    ),
    revisions,
    summary: `${count(objects.length, 'object')}${past}, ${count(configuration.size, 'add-on')}, installed ${count(installed, 'time')}`,
  };
}

function count(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}
