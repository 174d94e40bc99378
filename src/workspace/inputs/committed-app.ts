import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic, LoadedObject, Location, Origin } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { compareText } from '../../base/collections/compare-text.ts';
import { objectIn, outputIn, type EarlierOutput } from '../output/earlier-output.ts';
import { readInputs, type Inputs, type ReadOptions } from './inputs.ts';
import type { Host } from '../host.ts';
import { ownershipFile } from '../output/output-folder.ts';
import { SourceLines } from '../output/source-lines.ts';

/** An app of which the committed output is read instead of running its code. */
export interface CommittedApp {
  /** The folder of its sources, relative to the working folder. */
  readonly sources: string;
  /** The folder of its output, relative to the working folder. */
  readonly output: string;
  /**
   * The output of the earlier state, for the later one. Files that the output lists as removed count as such only if the
   * earlier state confirms it: otherwise a hand-edited list could hide objects.
   * @default - this is the earlier state
   */
  readonly earlier?: EarlierOutput;
  /**
   * Whether the promotion of the app explains what its output has instead of the placements of the sources.
   * @default - an output counts as it is, and that of the earlier state is explained
   */
  readonly isExplained?: (addOn: HeldAddOn) => boolean;
}

/** A ClusterManagementAddOn of which a promotion holds placements back. */
export interface HeldAddOn {
  /** As the output has it. */
  readonly committed: KubernetesObject;
  /** As the output of the earlier state has it. */
  readonly earlier: KubernetesObject | undefined;
  /** As the output says that the sources have it. */
  readonly ofSources: KubernetesObject;
}

/** Returns the names of the apps of which an output folder has the output; none if there is no such folder. */
export async function outputsIn(out: string): Promise<readonly string[]> {
  const names = await readdir(out).catch(() => []);
  const outputs: string[] = [];
  for (const name of names.sort(compareText))
    if (!name.startsWith('.') && (await isFile(path.join(out, name, ownershipFile)))) outputs.push(name);
  return outputs;
}

/**
 * Reads the committed output of an app, with the fleet of the app. Runs no code.
 *
 * @returns undefined if there is no output
 */
export async function readCommittedApp(
  app: CommittedApp,
  fleet: readonly string[],
  host: Host,
  options: ReadOptions,
): Promise<Inputs | undefined> {
  const folder = path.resolve(host.cwd, app.output);
  if (!(await isFile(path.join(folder, ownershipFile)))) return undefined;
  const inputs = await readInputs([app.sources], fleet, host, { ...options, output: app.output });
  const output = outputIn(folder);
  const past = await pastFiles(output, app.earlier);
  const held = await heldAddOns(output, app);
  const lines = new SourceLines(app.sources, host.cwd);
  const objects = inputs.objects.flatMap((loaded): LoadedObject[] => {
    if (loaded.source !== 'app') return [loaded];
    const { location } = loaded.origin;
    const file = 'file' in location ? location.file : undefined;
    const name = path.basename(file ?? '');
    if (past.has(name)) return [];
    const origin = committedOrigin(loaded, file ?? app.output, lines);
    return [{ ...loaded, object: held.ofSources.get(name) ?? loaded.object, origin }];
  });
  return { ...inputs, objects, diagnostics: [...inputs.diagnostics, ...held.diagnostics] };
}

/** The add-ons of an output of which a promotion holds placements back. */
interface HeldAddOns {
  /** As the sources have them, by the name of their file. */
  readonly ofSources: ReadonlyMap<string, KubernetesObject>;
  readonly diagnostics: readonly Diagnostic[];
}

async function heldAddOns(
  output: EarlierOutput,
  { output: folder, earlier, isExplained }: CommittedApp,
): Promise<HeldAddOns> {
  const ofSources = new Map<string, KubernetesObject>();
  const diagnostics: Diagnostic[] = [];
  if (Object.keys(output.ownership.waiting ?? {}).length === 0) return { ofSources, diagnostics };
  const before = earlier === undefined ? new Map<string, KubernetesObject>() : await addOnsIn(earlier);
  for (const [file, committed] of await addOnsIn(output)) {
    const written = asInSources(committed, output.ownership);
    if (written === committed) continue;
    const addOn = { committed, earlier: before.get(file), ofSources: written };
    if (earlier === undefined || isExplained?.(addOn) === true) ofSources.set(file, written);
    else diagnostics.push(unexplainedPlacements(committed, folder));
  }
  return { ofSources, diagnostics };
}

/** Returns the ClusterManagementAddOns of an output by the name of their file. */
async function addOnsIn({ ownership, read }: EarlierOutput): Promise<ReadonlyMap<string, KubernetesObject>> {
  const names = ownership.files.filter((file) => path.basename(file).startsWith('clustermanagementaddon_'));
  return new Map(
    Array.from(await read(names)).flatMap(([file, text]) => {
      const object = objectIn(text, file);
      return object === undefined ? [] : [[path.basename(file), object] as const];
    }),
  );
}

/** Reports an add-on whose list of held placements does not count, because it could hide what the merge changes. */
function unexplainedPlacements({ metadata }: KubernetesObject, folder: string): Diagnostic {
  return diagnostic('FW8144', {
    message: `${folder} has placements of add-on "${metadata.name ?? ''}" that neither the base nor the release of its promotion has, so the plan shows what the output applies, and not what the promotion holds back`,
    hint: 'plan with --run-apps shows it; that runs the code of both states. fleetwright synth --check verifies the output',
  });
}

/** Returns a ClusterManagementAddOn with the placements of its sources, where a promotion holds something of them back. */
function asInSources(
  object: KubernetesObject,
  { waiting = {} }: EarlierOutput['ownership'],
): KubernetesObject {
  const placements =
    object.kind === 'ClusterManagementAddOn' ? waiting[object.metadata.name ?? ''] : undefined;
  const { spec } = object;
  if (placements === undefined || !isJsonMap(spec) || !isJsonMap(spec['installStrategy'])) return object;
  return { ...object, spec: { ...spec, installStrategy: { ...spec['installStrategy'], placements } } };
}

/** Returns the names of the files of objects that are not part of the app: those that it no longer has, and earlier revisions. */
async function pastFiles(
  { ownership, read }: EarlierOutput,
  earlier: EarlierOutput | undefined,
): Promise<ReadonlySet<string>> {
  const removed = removedFiles(ownership);
  const revisions = Object.values(ownership.revisions).flatMap(([, ...past]) => past);
  const names = [...removed, ...revisions.map((file) => path.basename(file))];
  if (earlier === undefined) return new Set(names);
  const byName = (files: readonly string[]): ReadonlyMap<string, string> =>
    new Map(files.map((file) => [path.basename(file), file]));
  const files = { now: byName(ownership.files), before: byName(earlier.ownership.files) };
  const wasRemoved = new Set(removedFiles(earlier.ownership));
  const confirmed = new Set<string>();
  for (const name of names) {
    const before = files.before.get(name);
    if (before === undefined) continue;
    const now = files.now.get(name) ?? name;
    const [textNow, textBefore] = [(await read([now])).get(now), (await earlier.read([before])).get(before)];
    const isShownAsRemoved = removed.includes(name) && !wasRemoved.has(name);
    if (isShownAsRemoved || textNow === textBefore) confirmed.add(name);
  }
  return confirmed;
}

function removedFiles({ removed = {} }: EarlierOutput['ownership']): readonly string[] {
  return Object.values(removed)
    .flat()
    .map((file) => path.basename(file));
}

/**
 * Returns the location of a committed object: the file, with the line of the sources that names the object if there is one. Lines of
 * the output change with every edit.
 */
function committedOrigin({ object }: LoadedObject, file: string, lines: SourceLines): Origin {
  const locate = (): Location => {
    const source = lines.of(object);
    return { construct: file, ...(source && { source }) };
  };
  return {
    get location() {
      return locate();
    },
    locate,
  };
}

async function isFile(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined))?.isFile() === true;
}
