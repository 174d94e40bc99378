import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const source = import.meta.dirname;
const bin = path.join(source, 'bin');
const stamp = path.join(bin, 'sources.sha256');

/** The built program. Its name, or its first argument, picks one of Argo CD's programs. */
export const argoCdProgram = path.join(bin, 'argo-cd');

/** Where the module proxy's copy of Argo CD is on this machine: its CustomResourceDefinitions and configuration. */
export interface ArgoCdModule {
  readonly folder: string;
  readonly version: string;
}

/**
 * Builds Argo CD unless the program was built from the present sources. Cold, that takes several minutes of two cores;
 * progress goes to standard error.
 */
export function buildArgoCd(): ArgoCdModule {
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum', 'main.go', 'build.ts'])
    hash.update(`${name}\0`).update(readFileSync(path.join(source, name)));
  const sources = hash.digest('hex');
  if (!existsSync(argoCdProgram) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== sources) {
    rmSync(bin, { recursive: true, force: true });
    mkdirSync(bin);
    process.stderr.write(
      'Building Argo CD (test/gitops/engines/argo-cd); the first time this takes several minutes\n',
    );
    go(['build', '-ldflags', '-s -w', '-o', argoCdProgram, '.'], 'inherit');
    writeFileSync(stamp, sources);
  }
  const [folder = '', version = ''] = go([
    'list',
    '-m',
    '-f',
    '{{.Dir}} {{.Version}}',
    'github.com/argoproj/argo-cd/v3',
  ])
    .trim()
    .split(' ');
  return { folder, version };
}

function go(args: readonly string[], stderr: 'inherit' | 'pipe' = 'pipe'): string {
  // Without cgo the program needs no C compiler.
  const env = { ...process.env, CGO_ENABLED: '0' };
  return execFileSync('go', args, { cwd: source, env, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr] });
}
