import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  hubVersion,
  hubVersionNames,
  type HubVersion,
  type HubVersionName,
} from '../../../src/ocm/hub-version.ts';
import { buildProgram, goFiles, runGo } from '../process/build-program.ts';

const source = path.join(import.meta.dirname, '..');
const ocm = 'open-cluster-management.io/ocm';
const api = 'open-cluster-management.io/api';
const framework = 'open-cluster-management.io/addon-framework';

/** A folder that is no source tree of OCM, or one with which no hub can be built. */
export class NoTree extends Error {}

/** Requirements of a Go module, by its path. */
type Requirements = ReadonlyMap<string, string>;

/**
 * Returns the release whose predictions a source tree of OCM is compared with: that of the api module that the tree requires, where a
 * version after a release counts as the next one. For a later one, it is the newest supported release.
 *
 * @throws NoTree if the folder is no source tree of OCM
 */
export function nearestRelease(tree: string): HubVersionName {
  const version = requirementsOf(tree).get(api) ?? '';
  const [, major, minor, rest] = /^v(\d+)\.(\d+)\.(.+)$/.exec(version) ?? [];
  if (minor === undefined) throw new NoTree(`${tree} does not name the version of ${api} that it requires`);
  // v1.3.1-0.DATE-COMMIT is a commit after v1.3.0.
  const isAfterRelease = /^\d+-0\./.test(rest ?? '');
  const name = `${major}.${Number(minor) + (isAfterRelease ? 1 : 0)}`;
  return hubVersionNames.find((known) => known === name) ?? hubVersionNames.at(-1) ?? '1.3';
}

/**
 * Returns the release as a source tree is compared with it: which of several configurations templates read follows the version of
 * addon-framework that the tree requires, because a branch can be built with an earlier one than the release.
 *
 * @throws NoTree if the folder is no source tree of OCM
 */
export function releaseOfTree(tree: string, release: HubVersionName): HubVersion {
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(requirementsOf(tree).get(framework) ?? '') ?? [];
  if (minor === undefined) return hubVersion(release);
  const readsLast = Number(major) > 1 || Number(minor) >= 4;
  return { ...hubVersion(release), templatesRead: readsLast ? 'last' : 'first' };
}

/**
 * Builds the program of the hub with a source tree of OCM, in a separate temporary folder, and returns the path of the program. Modules of OCM
 * are taken from the vendor folder of the tree if it has one: the module proxy may not have those versions.
 *
 * @throws NoTree if the folder is no source tree of OCM, or does not build
 */
export function buildWithTree(tree: string, release: HubVersionName): { folder: string; program: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fleetwright-hub-compare-'));
  try {
    return { folder, program: buildIn(folder, tree, release) };
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw isExit(error) ? new NoTree(`${tree} does not build together with test/hub: see above`) : error;
  }
}

/** Whether a program ended with an error, which it has printed. */
function isExit(error: unknown): boolean {
  return error instanceof Error && 'status' in error;
}

/** Builds in an empty folder, and returns the path of the program. */
function buildIn(folder: string, tree: string, release: HubVersionName): string {
  const requirements = requirementsOf(tree);
  const program = path.join(folder, 'source');
  mkdirSync(program);
  for (const name of goFiles(source)) copyFileSync(path.join(source, name), path.join(program, name));
  const edit = (...args: readonly string[]): void => void runGo(program, ['mod', 'edit', ...args]);
  for (const { Path, Version } of excluded(program)) edit(`-dropexclude=${Path}@${Version}`);
  edit(`-replace=${ocm}=${path.resolve(tree)}`, `-require=${ocm}@v${release}.0`);
  // The API server is as new as the libraries of Kubernetes that the tree requires.
  const kubernetes = requirements.get('k8s.io/apiserver')?.replace(/^v0\./, 'v1.');
  if (kubernetes !== undefined) edit(`-require=k8s.io/kubernetes@${kubernetes}`);
  const language = /^go \S+$/m.exec(readFileSync(path.join(tree, 'go.mod'), 'utf8'))?.[0] ?? '';
  for (const module of vendoredModules(tree)) {
    const copy = path.join(folder, 'modules', module);
    cpSync(path.join(tree, 'vendor', module), copy, { recursive: true });
    // Without its own go.mod, a module would be read as Go 1.16.
    writeFileSync(path.join(copy, 'go.mod'), `module ${module}\n\n${language}\n`);
    edit(`-replace=${module}=${copy}`);
  }
  // Writes the other requirements of the tree into go.mod, which no later command then has to change.
  runGo(program, ['list', '-mod=mod', '-deps', '-f', '', '.'], 'inherit');
  const target = path.join(folder, 'hub');
  buildProgram(program, target);
  return path.join(target, 'hub');
}

function requirementsOf(tree: string): Requirements {
  const file = path.join(tree, 'go.mod');
  if (!existsSync(file)) throw new NoTree(`${tree} has no go.mod`);
  const text = readFileSync(file, 'utf8');
  if (!new RegExp(`^module ${ocm}$`, 'm').test(text)) throw new NoTree(`${file} is not of the module ${ocm}`);
  return new Map(
    [...text.matchAll(/^(?:require)?\s+(\S+) (v\S+)/gm)].map(([, name = '', version = '']) => [
      name,
      version,
    ]),
  );
}

function excluded(folder: string): readonly { readonly Path: string; readonly Version: string }[] {
  const { Exclude } = JSON.parse(runGo(folder, ['mod', 'edit', '-json'])) as {
    readonly Exclude: readonly { Path: string; Version: string }[] | null;
  };
  return Exclude ?? [];
}

/** The modules of OCM in the vendor folder of a tree. */
function vendoredModules(tree: string): readonly string[] {
  const list = path.join(tree, 'vendor/modules.txt');
  if (!existsSync(list)) return [];
  return [...readFileSync(list, 'utf8').matchAll(/^# (open-cluster-management\.io\/\S+) /gm)].map(
    ([, name = '']) => name,
  );
}
