// Writes `build/sbom.cdx.json`, the CycloneDX bill of materials of the package and of what its bundles contain. Run by
// `npm run build` and `npm run sbom`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  devDependencies?: object;
}

interface Lock {
  readonly packages: Record<string, LockedPackage>;
}

interface Bom {
  serialNumber?: string;
  readonly metadata: { timestamp?: string; readonly component: { name: string } };
}

const root = path.resolve(import.meta.dirname, '..');
const parse = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const manifest = parse('package.json') as { readonly name: string; devDependencies?: object };

/**
 * Returns the lock as it would be without development dependencies. `npm sbom --omit=dev` leaves out every package
 * that a development dependency needs too, such as esbuild.
 */
function runtimeLock(): Lock {
  const lock = parse('package-lock.json') as Lock;
  const idOf = (folder: string, { name, version }: LockedPackage): string =>
    `${name ?? folder.replace(/^.*node_modules\//, '')}@${version ?? ''}`;
  const entries = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true);
  const published = new Set(
    entries.filter(([, { integrity }]) => integrity !== undefined).map((entry) => idOf(...entry)),
  );
  const packages = Object.fromEntries(
    // For a package that another one contains, npm would list the copy without a hash.
    entries.filter((entry) => entry[1].integrity !== undefined || !published.has(idOf(...entry))),
  );
  delete packages['']?.devDependencies;
  return { ...lock, packages };
}

const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-sbom-'));
try {
  delete manifest.devDependencies;
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(runtimeLock()));
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const bom = JSON.parse(
    execFileSync('npm', ['sbom', ...options], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  ) as Bom;
  // npm names the package after its folder.
  bom.metadata.component.name = manifest.name;
  // The same lock produces the same bill of materials, on every day and machine.
  delete bom.serialNumber;
  delete bom.metadata.timestamp;
  writeFileSync(path.join(root, 'build/sbom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
