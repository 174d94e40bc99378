import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../compiler/diagnostic.ts';
import type { LoadedObject, Source } from '../compiler/inventory.ts';
import { kustomizationFile, resolutionFile } from '../compiler/emit/emit.ts';
import { loadConstructs } from '../compiler/load/constructs.ts';
import { load, type SourceText } from '../compiler/load/load.ts';
import { runApp } from './app.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Everything that a command was given, loaded. */
export interface Inputs {
  readonly objects: readonly LoadedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that diagnostics point into, by file. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Loads YAML and JSON files, folders of them, standard input (`-`) and apps. The fleet is what `fleet` names; without it,
 * `fleet.yaml`, `fleet.json` or the folder `fleet` beside an app.
 *
 * @throws CommandError where a path is not there or cannot be read.
 */
export async function readInputs(paths: readonly string[], fleet: readonly string[], terminal: Terminal): Promise<Inputs> {
  const texts: SourceText[] = [];
  const apps: string[] = [];
  for (const given of paths) {
    if (given === '-') {
      texts.push({ file: '<stdin>', text: await terminal.readInput(), source: 'app' });
      continue;
    }
    const app = await appFile(given, terminal.cwd);
    if (app === undefined) {
      texts.push(...(await readTexts(given, 'app', terminal.cwd)));
      continue;
    }
    if (app.code) apps.push(app.file);
    texts.push(...(await readAppManifests(app.folder, terminal.cwd)));
    if (fleet.length === 0) texts.push(...(await readAppFleet(app.folder, terminal.cwd)));
  }
  for (const given of fleet) texts.push(...(await readTexts(given, 'fleet', terminal.cwd)));

  const objects: LoadedObject[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const file of apps) {
    const app = await runApp(file, terminal.cwd);
    const loaded = loadConstructs(app.objects);
    objects.push(...loaded.value);
    diagnostics.push(...app.diagnostics, ...loaded.diagnostics);
  }
  const loaded = load(texts);
  return {
    objects: [...objects, ...loaded.value],
    diagnostics: [...diagnostics, ...loaded.diagnostics],
    texts: new Map(texts.map(({ file, text }) => [file, text])),
  };
}

interface App {
  readonly folder: string;
  readonly file: string;
  /** Whether the folder has an app.ts; otherwise it is plain YAML. */
  readonly code: boolean;
}

const code = /\.[cm]?[jt]s$/;
const manifest = /\.(ya?ml|json)$/;
const fleetNames = ['fleet.yaml', 'fleet.yml', 'fleet.json', 'fleet'];
const notManifests = new Set([kustomizationFile, 'kustomization.yml', resolutionFile, 'tsconfig.json', 'package.json', 'package-lock.json']);

/** The app that a path names: its file, or a folder that has an `app.ts` or a fleet. */
async function appFile(given: string, cwd: string): Promise<App | undefined> {
  if (code.test(given)) return { folder: path.dirname(given), file: given, code: true };
  const names = await namesIn(given, cwd);
  if (names === undefined) return undefined;
  const file = ['app.ts', 'app.js'].find((name) => names.includes(name));
  if (file === undefined && !fleetNames.some((name) => names.includes(name))) return undefined;
  return { folder: given, file: path.join(given, file ?? 'app.ts'), code: file !== undefined };
}

async function readAppManifests(folder: string, cwd: string): Promise<SourceText[]> {
  const names = (await namesIn(folder, cwd)) ?? [];
  const files = names.filter((name) => !fleetNames.includes(name) && !code.test(name) && isManifest(name));
  return await Promise.all(files.map((name) => readText(path.join(folder, name), 'app', cwd)));
}

async function readAppFleet(folder: string, cwd: string): Promise<SourceText[]> {
  const names = (await namesIn(folder, cwd)) ?? [];
  const found = fleetNames.filter((name) => names.includes(name));
  return (await Promise.all(found.map((name) => readTexts(path.join(folder, name), 'fleet', cwd)))).flat();
}

/** One file, or every manifest of a folder and its folders, in the order of their names. */
async function readTexts(given: string, source: Source, cwd: string): Promise<SourceText[]> {
  const names = await namesIn(given, cwd);
  if (names === undefined) return [await readText(given, source, cwd)];
  const texts: SourceText[] = [];
  for (const name of names) {
    const below = path.join(given, name);
    if (name.startsWith('.') || name === 'node_modules') continue;
    if ((await stat(path.resolve(cwd, below))).isDirectory()) texts.push(...(await readTexts(below, source, cwd)));
    else if (isManifest(name)) texts.push(await readText(below, source, cwd));
  }
  return texts;
}

function isManifest(name: string): boolean {
  return manifest.test(name) && !name.startsWith('.') && !notManifests.has(name);
}

async function readText(file: string, source: Source, cwd: string): Promise<SourceText> {
  try {
    return { file, text: await readFile(path.resolve(cwd, file), 'utf8'), source };
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The names in a folder, sorted; undefined where the path is no folder. */
async function namesIn(folder: string, cwd: string): Promise<string[] | undefined> {
  try {
    return (await readdir(path.resolve(cwd, folder))).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw unreadable(folder, error);
  }
}

function unreadable(file: string, error: unknown): CommandError {
  const reason = error instanceof Error && 'code' in error ? error.code : undefined;
  if (reason === 'ENOENT') return new CommandError(`${file}: there is no such file or folder`);
  if (reason === 'EACCES') return new CommandError(`${file}: not allowed to read it`);
  return new CommandError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
}
