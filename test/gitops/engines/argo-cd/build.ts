import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const source = import.meta.dirname;

/** The newest release that builds here, and the oldest one that the documentation names. */
export type ArgoCdRelease = 'newest' | 'oldest';

/** The files with the pinned modules of each release. Both build the same program. */
const modules: Readonly<Record<ArgoCdRelease, string>> = { newest: 'go', oldest: 'oldest' };

/** Argo CD as it was built. */
export interface BuiltArgoCd {
  /** The program. Its name, or its first argument, picks one of Argo CD's programs. */
  readonly program: string;
  /** Where the module proxy's copy of Argo CD is on this machine: its CustomResourceDefinitions and configuration. */
  readonly module: string;
  readonly version: string;
}

/**
 * Builds Argo CD unless the program was built from the present sources. Cold, that takes several minutes of two cores;
 * progress goes to standard error.
 */
export function buildArgoCd(release: ArgoCdRelease = 'newest'): BuiltArgoCd {
  const [mod, sum] = ['mod', 'sum'].map((extension) => `${modules[release]}.${extension}`) as [
    string,
    string,
  ];
  const bin = path.join(source, 'bin', release);
  const program = path.join(bin, 'argo-cd');
  const stamp = path.join(bin, 'sources.sha256');
  const hash = createHash('sha256');
  for (const name of [mod, sum, 'main.go', 'build.ts'])
    hash.update(`${name}\0`).update(readFileSync(path.join(source, name)));
  const sources = hash.digest('hex');
  const flag = `-modfile=${mod}`;
  if (!existsSync(program) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== sources) {
    rmSync(bin, { recursive: true, force: true });
    mkdirSync(bin, { recursive: true });
    process.stderr.write(
      `Building Argo CD (test/gitops/engines/argo-cd, ${release} release); the first time this takes several minutes\n`,
    );
    go(['build', flag, '-ldflags', '-s -w', '-o', program, '.'], 'inherit');
    writeFileSync(stamp, sources);
  }
  const format = '{{.Dir}} {{.Version}}';
  const [module = '', version = ''] = go(['list', flag, '-m', '-f', format, 'github.com/argoproj/argo-cd/v3'])
    .trim()
    .split(' ');
  return { program, module, version };
}

function go(args: readonly string[], stderr: 'inherit' | 'pipe' = 'pipe'): string {
  // Without cgo the program needs no C compiler. The newest release requires a version of Go that the machine may not have: Go gets it
  // from the module proxy.
  const env = { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'auto' };
  return execFileSync('go', args, { cwd: source, env, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr] });
}
