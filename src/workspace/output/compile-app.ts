import { counted } from '../../compiler/model/words.ts';
import {
  checkPolicies,
  type ClusterFile,
  compiledClusters,
  type Diagnostic,
  emit,
  type Engine,
  hasErrors,
  individualObjects,
  type Resolution,
  resolutionDocument,
  type TargetHub,
  type Tree,
} from '../../compiler/index.ts';
import { prunedOverrides } from '../../compiler/check/overrides/pruned-overrides.ts';
import { unorderedWaves } from '../../compiler/check/requirements/unenforced-order.ts';
import { fileName } from '../../compiler/emit/file-name.ts';
import { keptObjects } from '../../compiler/emit/removed-objects.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { earlierRevisions, outputsOf, removedObjects, type EarlierOutput } from './earlier-output.ts';
import { FindingSelection } from '../finding-selection.ts';
import type { OutputMemory } from './output-folder.ts';
import type { Policies } from '../settings/policies.ts';
import { resolveInputs, type ResolvedInputs } from '../inputs/resolve-inputs.ts';
import type { Stopwatch } from '../stopwatch.ts';
import type { Host } from '../host.ts';
import type { CompileTarget } from './compile-target.ts';
import type { SharedContent } from '../../compiler/index.ts';

/** The parts of an output that a promotion decides. */
export interface ReleasedOutput {
  /** The files of all clusters. */
  readonly files: readonly ClusterFile[];
  /** The clusters that have a file, by add-on. */
  readonly clusters: ReadonlyMap<string, readonly string[]>;
  /** The add-ons whose placements the promotion changes, by name. */
  readonly addOns: ReadonlyMap<string, KubernetesObject>;
  /** Committed templates and configurations that clusters use until their wave. They stay, whatever the app has. */
  readonly used: readonly KubernetesObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The content of an app in Git, and the output that its clusters have. */
export interface CompiledContent {
  readonly resolution: Resolution;
  readonly target: TargetHub & { readonly engine: Engine };
  /** The committed output. */
  readonly committed: EarlierOutput;
}

/** The target that an app is emitted for. */
export interface SynthTarget<R extends ReleasedOutput = ReleasedOutput> extends CompileTarget {
  readonly engine: Engine;
  readonly policies: Pick<Policies, 'policies' | 'texts' | 'external' | 'findings'>;
  /** The content that other apps have already read: the fleet snapshot that they share. @default - none */
  readonly cache?: SharedContent | undefined;
  /** The output of an earlier run. Parts of it stay. @default - no earlier output */
  readonly earlier?: EarlierOutput;
  /** The resolution of the same inputs in the same run. @default - the inputs are read and resolved */
  readonly resolved?: ResolvedInputs;
  /** Decides what the promotion of the app releases. @default - all clusters get the content of Git */
  readonly release?: (content: CompiledContent) => Promise<R>;
}

/** The output folder of an app. */
export interface OutputFolder {
  readonly tree: Tree;
  readonly memory: OutputMemory;
  /** `6 objects, 1 add-on, installed 4 times`. */
  readonly summary: string;
}

/** The output folder of an app with the removed objects that it keeps. */
export interface CompletedOutput extends OutputFolder {
  /** All objects that earlier outputs have and that no app has any more, kept or not. */
  readonly gone: readonly KubernetesObject[];
}

/** The emitted form of an app. */
export interface EmittedApp extends OutputFolder {
  /**
   * Returns the folder with the objects that the app no longer has and that the hub may still use. `present` contains
   * the file names of the objects of all apps: an object whose file name is among them has moved to another app.
   */
  readonly withRemoved: (present: ReadonlySet<string>) => Promise<CompletedOutput>;
}

/** A compiled app, up to the first phase that has an error. */
export interface CompiledApp<R extends ReleasedOutput = ReleasedOutput> extends Pick<
  ResolvedInputs,
  'resolution' | 'diagnostics' | 'texts'
> {
  /** What the app is compiled from. */
  readonly resolved: ResolvedInputs;
  readonly emitted?: EmittedApp;
  /** What the promotion of the app decides about its clusters. Absent without one, and if the app has errors. */
  readonly promoted?: R;
}

/** Resolves an app, verifies it against the policies, and emits it if there is no error. */
export async function compileApp<R extends ReleasedOutput>(
  inputs: Parameters<typeof resolveInputs>[0],
  target: SynthTarget<R>,
  host: Host,
  watch: Stopwatch,
): Promise<CompiledApp<R>> {
  const resolved =
    target.resolved ??
    (await resolveInputs(inputs, target, host, {
      watch,
      external: target.policies.external,
      cache: target.cache,
      // Folders beside the apps may contain objects that the apps share.
      mayBeEmpty: true,
    }));
  const { resolution } = resolved;
  const texts = new Map([...resolved.texts, ...target.policies.texts]);
  if (resolution === undefined) return { resolved, resolution, texts, diagnostics: resolved.diagnostics };
  const diagnostics: readonly Diagnostic[] = [
    ...resolved.diagnostics,
    ...checkPolicies(resolution, target.policies.policies),
    ...prunedOverrides(resolution, target.engine, target.earlier !== undefined),
    ...(target.release === undefined ? unorderedWaves(resolution, target.engine) : []),
  ];
  const selection = new FindingSelection(target.policies.findings, { now: host.now(), quiet: false });
  if (hasErrors(selection.select(diagnostics))) return { resolved, resolution, texts, diagnostics };
  const { release, earlier } = target;
  if (release === undefined || earlier === undefined) {
    const emitted = await watch.wait('emit', () => emitApp(resolution, target));
    return { resolved, resolution, texts, diagnostics, emitted };
  }
  const promoted = await watch.wait('promote', () => release({ resolution, target, committed: earlier }));
  const all = [...diagnostics, ...promoted.diagnostics];
  if (hasErrors(promoted.diagnostics)) return { resolved, resolution, texts, diagnostics: all };
  const emitted = await watch.wait('emit', () => emitApp(resolution, target, promoted));
  return { resolved, resolution, texts, diagnostics: all, emitted, promoted };
}

async function emitApp(
  resolution: Resolution,
  target: SynthTarget,
  promoted?: ReleasedOutput,
): Promise<EmittedApp> {
  const { engine, earlier } = target;
  const { configuration } = resolution;
  const written = individualObjects(
    resolution,
    target,
    promoted && ((addOn) => promoted.clusters.get(addOn) ?? []),
  );
  const objects = written.map((object) =>
    object.kind === 'ClusterManagementAddOn'
      ? (promoted?.addOns.get(object.metadata.name ?? '') ?? object)
      : object,
  );
  const waiting = waitingPlacements(written, objects);
  const { objects: kept, revisions } =
    earlier === undefined ? { objects: [], revisions: {} } : await earlierRevisions(earlier, objects);
  const names = new Set([...objects, ...kept].map(fileName));
  const past = [...kept, ...(promoted?.used ?? []).filter((object) => !names.has(fileName(object)))];
  const emitWith = (removed: readonly KubernetesObject[]): Tree =>
    emit([...objects, ...past, ...removed], resolutionDocument(resolution), engine, {
      ...(promoted === undefined
        ? { compiled: compiledClusters(resolution, target) }
        : { clusterFiles: promoted.files }),
      earlierFiles:
        earlier === undefined ? [] : outputsOf(earlier).flatMap(({ ownership }) => ownership.files),
    });
  const tree = emitWith([]);
  const addOns = [...configuration.values()].filter(({ isHubOwned }) => isHubOwned !== true);
  const installed = addOns.reduce((sum, addOn) => sum + addOn.clusters.size, 0);
  const revisionCount = past.length === 0 ? '' : ` and ${counted(past.length, 'earlier revision')}`;
  const summaryOf = (removed: number): string => {
    const stays = removed === 0 ? '' : `, ${counted(removed, 'removed object')} that clusters may use`;
    return `${counted(objects.length, 'object')}${revisionCount}${stays}, ${counted(addOns.length, 'add-on')}, installed ${counted(installed, 'time')}`;
  };
  const emitted = { tree, memory: { revisions, waiting }, summary: summaryOf(0) };
  return {
    ...emitted,
    withRemoved: async (present) => {
      if (earlier === undefined || engine === 'none') return { ...emitted, gone: [] };
      const { objects: byName, history } = await removedObjects(
        earlier,
        { files: tree.keys(), revisions },
        present,
      );
      const gone = [...byName.values()];
      const kept = keptObjects(gone, objects, resolution, target);
      if (kept.length === 0) return { ...emitted, gone };
      const byFile = new Map(kept.map((object) => [fileName(object), object]));
      const removed = history([...byFile.keys()]);
      const files = Object.values(removed).flat();
      return {
        tree: emitWith(files.flatMap((file) => byFile.get(file) ?? [])),
        memory: { revisions, removed, waiting },
        summary: summaryOf(files.length),
        gone,
      };
    },
  };
}

/**
 * Returns the placements of add-ons whose output names something else than their sources, by add-on: without them, nobody could see in
 * the output what a promotion holds back.
 */
function waitingPlacements(
  written: readonly KubernetesObject[],
  emitted: readonly KubernetesObject[],
): NonNullable<OutputMemory['waiting']> {
  const waiting: Record<string, readonly object[]> = {};
  for (const [index, object] of written.entries()) {
    const now = emitted[index];
    if (now === undefined || now === object) continue;
    const placements = placementsIn(object);
    if (JSON.stringify(placements) !== JSON.stringify(placementsIn(now)))
      waiting[object.metadata.name ?? ''] = placements;
  }
  return waiting;
}

function placementsIn({ spec }: KubernetesObject): readonly object[] {
  const strategy = isJsonMap(spec) ? spec['installStrategy'] : undefined;
  const placements = isJsonMap(strategy) ? strategy['placements'] : undefined;
  return Array.isArray(placements) ? placements.filter(isJsonMap) : [];
}
