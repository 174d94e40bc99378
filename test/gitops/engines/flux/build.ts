import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const module = import.meta.dirname;
const bin = path.join(module, 'bin');
const stamp = path.join(bin, 'sources.sha256');

const controller = 'github.com/fluxcd/kustomize-controller';
/**
 * Whose CustomResourceDefinitions of sources are taken. The program itself cannot be built: the module proxy does not serve
 * github.com/fluxcd/pkg/artifact, which it needs.
 */
const sources = 'github.com/fluxcd/source-controller@v1.9.4';

/** Where the built kustomize-controller is. */
export const kustomizeController = path.join(bin, 'kustomize-controller');

/** The version of kustomize-controller that `go.mod` pins. */
export function kustomizeControllerVersion(): string {
  return go(['list', '-m', '-f', '{{.Version}}', controller]).trim();
}

/** Builds kustomize-controller unless it was built from the present `go.mod`. Cold, that takes several minutes. */
export function buildFlux(): void {
  const hash = createHash('sha256')
    .update(readFileSync(path.join(module, 'go.mod')))
    .update(readFileSync(path.join(module, 'go.sum')))
    .digest('hex');
  if (existsSync(kustomizeController) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin);
  process.stderr.write('Building kustomize-controller; the first time this takes several minutes\n');
  go(['build', '-ldflags', '-s -w', '-o', kustomizeController, controller], 'inherit');
  writeFileSync(stamp, hash);
}

/** Flux's CustomResourceDefinitions, one YAML text per file. */
export function fluxDefinitions(): string[] {
  const folders = [
    go(['list', '-m', '-f', '{{.Dir}}', controller]).trim(),
    (JSON.parse(go(['mod', 'download', '-json', sources])) as { readonly Dir: string }).Dir,
  ];
  return folders.flatMap((folder) => {
    const bases = path.join(folder, 'config/crd/bases');
    return readdirSync(bases).map((file) => readFileSync(path.join(bases, file), 'utf8'));
  });
}

function go(args: readonly string[], stderr: 'inherit' | 'pipe' = 'pipe'): string {
  // Without cgo the program needs no C compiler.
  const env = { ...process.env, CGO_ENABLED: '0' };
  return execFileSync('go', args, { cwd: module, env, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr] });
}
