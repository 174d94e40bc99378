import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const source = path.join(import.meta.dirname, '..');
const bin = path.join(source, 'bin');
const stamp = path.join(bin, 'sources.sha256');
const crds = path.join(bin, 'crds');

/** Where the api module keeps the CustomResourceDefinitions that OCM installs. */
const crdFolders = [
  'addon/v1beta1',
  'cluster/v1',
  'cluster/v1alpha1',
  'cluster/v1beta1',
  'cluster/v1beta2',
  'operator/v1',
  'work/v1',
  'work/v1alpha1',
];
/** The only add-on kind that v1beta1 did not have when OCM 1.3 was cut. */
const otherCrds = ['addon/v1alpha1/0000_03_addon.open-cluster-management.io_addontemplates.crd.yaml'];

/** Where the built program is. */
export const hubProgram = path.join(bin, 'hub');

/** Whether this machine has Go. */
export function hasGo(): boolean {
  try {
    go(['version']);
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds the hub unless the program is there and its sources are those that it was built from. Cold, that is some
 * minutes of two cores; progress goes to standard error.
 */
export function buildHub(): void {
  const hash = sourceHash();
  if (existsSync(hubProgram) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(crds, { recursive: true });
  process.stderr.write('Building the hub (test/hub); the first time this takes several minutes\n');
  go(['build', '-ldflags', linkFlags(), '-o', hubProgram, '.'], 'inherit');
  copyCrds();
  writeFileSync(stamp, hash);
}

/** Omits debug information, and sets the version of Kubernetes, which its own builds take from Git. */
function linkFlags(): string {
  const version = moduleField('k8s.io/kubernetes', 'Version');
  const [major = '', minor = ''] = version.slice(1).split('.');
  const values = Object.entries({ gitVersion: version, gitMajor: major, gitMinor: minor });
  return [
    '-s',
    '-w',
    ...values.map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`),
  ].join(' ');
}

function copyCrds(): void {
  const module = moduleField('open-cluster-management.io/api', 'Dir');
  const files = crdFolders.flatMap((folder) =>
    readdirSync(path.join(module, folder))
      .filter((name) => name.endsWith('.crd.yaml'))
      .map((name) => `${folder}/${name}`),
  );
  for (const file of [...files, ...otherCrds]) {
    const target = path.join(crds, path.basename(file));
    copyFileSync(path.join(module, file), target);
    // Files of the module cache are read-only, and so would be their copies.
    chmodSync(target, 0o644);
  }
}

function sourceHash(): string {
  const hash = createHash('sha256');
  const names = readdirSync(source).filter(
    (name) => (name.endsWith('.go') && !name.endsWith('_test.go')) || name.startsWith('go.'),
  );
  for (const name of names.sort()) hash.update(`${name}\0`).update(readFileSync(path.join(source, name)));
  hash.update(readFileSync(import.meta.filename));
  return hash.digest('hex');
}

function moduleField(module: string, field: 'Dir' | 'Version'): string {
  return go(['list', '-m', '-f', `{{.${field}}}`, module]).trim();
}

function go(args: readonly string[], stderr: 'inherit' | 'pipe' = 'pipe'): string {
  // Without cgo the program needs no C compiler, neither to build nor to run.
  const env = { ...process.env, CGO_ENABLED: '0' };
  return execFileSync('go', args, { cwd: source, env, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr] });
}
