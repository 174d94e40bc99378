import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Where the api module keeps the CustomResourceDefinitions that OCM installs. */
const crdFolders = [
  // The only add-on kind that v1beta1 did not have when OCM 1.3 was cut. A definition in v1beta1 takes its place.
  'addon/v1alpha1',
  'addon/v1beta1',
  'cluster/v1',
  'cluster/v1alpha1',
  'cluster/v1beta1',
  'cluster/v1beta2',
  'operator/v1',
  'work/v1',
  'work/v1alpha1',
];

/** The files of a folder that decide what Go builds from it. */
export function goFiles(source: string): readonly string[] {
  return readdirSync(source)
    .filter((name) => (name.endsWith('.go') && !name.endsWith('_test.go')) || name.startsWith('go.'))
    .sort();
}

/**
 * Builds the program of the hub from a folder with its sources, and copies OCM's CustomResourceDefinitions of the same version beside
 * it. Whatever is in the target folder is removed.
 */
export function buildProgram(source: string, target: string): void {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(path.join(target, 'crds'), { recursive: true });
  runGo(source, ['build', '-ldflags', linkFlags(source), '-o', path.join(target, 'hub'), '.'], 'inherit');
  copyCrds(source, path.join(target, 'crds'));
}

/** Runs Go in a folder, and returns what it prints. */
export function runGo(source: string, args: readonly string[], stderr: 'inherit' | 'pipe' = 'pipe'): string {
  // Without cgo the program needs no C compiler, neither to build nor to run.
  const env = { ...process.env, CGO_ENABLED: '0' };
  return execFileSync('go', args, { cwd: source, env, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr] });
}

/** Omits debug information, and sets the version of Kubernetes, which its own builds take from Git. */
function linkFlags(source: string): string {
  const version = moduleField(source, 'k8s.io/kubernetes', 'Version');
  const [major = '', minor = ''] = version.slice(1).split('.');
  const values = Object.entries({ gitVersion: version, gitMajor: major, gitMinor: minor });
  return [
    '-s',
    '-w',
    ...values.map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`),
  ].join(' ');
}

function copyCrds(source: string, target: string): void {
  const module = moduleField(source, 'open-cluster-management.io/api', 'Dir');
  for (const folder of crdFolders) {
    for (const name of readdirSync(path.join(module, folder))) {
      if (!name.endsWith('.crd.yaml')) continue;
      const copy = path.join(target, name);
      copyFileSync(path.join(module, folder, name), copy);
      // Files of the module cache are read-only, and so would be their copies.
      chmodSync(copy, 0o644);
    }
  }
}

function moduleField(source: string, module: string, field: 'Dir' | 'Version'): string {
  return runGo(source, ['list', '-m', '-f', `{{.${field}}}`, module]).trim();
}
