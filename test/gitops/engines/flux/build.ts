import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The modules of the controllers that are built from the module proxy. */
export type FluxController = 'kustomize-controller' | 'source-controller';

/** The newest release that builds here, and the oldest one that the documentation names. */
export type FluxRelease = 'newest' | 'oldest';

const newest = import.meta.dirname;
const oldest = path.resolve(newest, '../flux-oldest');
const localPrograms = ['git-ssh', 'kubectl'] as const;

/** What the module of the newest release builds: Flux, and the programs around it. */
const newestPackages = [
  'github.com/fluxcd/kustomize-controller',
  'github.com/fluxcd/source-controller',
  // Serves a registry, and pushes to it.
  'github.com/google/go-containerregistry/cmd/crane',
  ...localPrograms.map((name) => `./${name}`),
];

/** The path of a built program. kustomize-controller is the only one of the oldest release. */
export function fluxProgram(
  name: FluxController | 'crane' | (typeof localPrograms)[number],
  release: FluxRelease = 'newest',
): string {
  return path.join(release === 'newest' ? newest : oldest, 'bin', name);
}

/** The version of a controller that `go.mod` pins. */
export function fluxVersion(controller: FluxController, release: FluxRelease = 'newest'): string {
  return moduleOf(controller, release === 'newest' ? newest : oldest, '{{.Version}}');
}

/** Builds the programs of Flux unless they were built from the present sources. Cold, that takes several minutes. */
export function buildFlux(): void {
  build(newest, newestPackages);
}

/** Builds the oldest kustomize-controller unless it was built before. Cold, that takes several minutes, too. */
export function buildOldestFlux(): void {
  build(oldest, ['github.com/fluxcd/kustomize-controller']);
}

function build(module: string, packages: readonly string[]): void {
  const bin = path.join(module, 'bin');
  const stamp = path.join(bin, 'sources.sha256');
  const hash = createHash('sha256').update(packages.join('\n'));
  for (const file of ['go.mod', 'go.sum', ...packages.filter((each) => each.startsWith('./')).map(mainOf)])
    hash.update(`${file}\0`).update(readFileSync(path.join(module, file)));
  const sources = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin);
  process.stderr.write(
    `Building Flux (${path.basename(module)}); the first time this takes several minutes\n`,
  );
  go(module, ['build', '-ldflags', '-s -w', '-o', `${bin}/`, ...packages], 'inherit');
  writeFileSync(stamp, sources);
}

function mainOf(folder: string): string {
  return `${folder}/main.go`;
}

/** Flux's CustomResourceDefinitions, one YAML text per file. */
export function fluxDefinitions(release: FluxRelease = 'newest'): string[] {
  const folders = [
    moduleOf('kustomize-controller', release === 'newest' ? newest : oldest, '{{.Dir}}'),
    moduleOf('source-controller', newest, '{{.Dir}}'),
  ];
  return folders.flatMap((folder) => {
    const bases = path.join(folder, 'config/crd/bases');
    return readdirSync(bases).map((file) => readFileSync(path.join(bases, file), 'utf8'));
  });
}

function moduleOf(controller: FluxController, folder: string, format: string): string {
  return go(folder, ['list', '-m', '-f', format, `github.com/fluxcd/${controller}`]).trim();
}

function go(cwd: string, args: readonly string[], stderr: 'inherit' | 'pipe' = 'pipe'): string {
  // Without cgo the programs need no C compiler.
  const env = { ...process.env, CGO_ENABLED: '0' };
  return execFileSync('go', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr] });
}
