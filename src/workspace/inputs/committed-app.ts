import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { LoadedObject, Location, Origin } from '../../compiler/index.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { compareText } from '../../base/collections/compare-text.ts';
import { outputIn, type EarlierOutput } from '../output/earlier-output.ts';
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
  const output = await outputIn(folder);
  const past = await pastFiles(output, app.earlier);
  const lines = new SourceLines(app.sources, host.cwd);
  const objects = inputs.objects.flatMap((loaded): LoadedObject[] => {
    if (loaded.source !== 'app') return [loaded];
    const { location } = loaded.origin;
    const file = 'file' in location ? location.file : undefined;
    if (file !== undefined && past.has(path.basename(file))) return [];
    const origin = committedOrigin(loaded, file ?? app.output, lines);
    return [{ ...loaded, object: asInSources(loaded.object, output.ownership), origin }];
  });
  return { ...inputs, objects };
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
