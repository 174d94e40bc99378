// Writes `build/sbom.cdx.json`, the CycloneDX bill of materials of the package and of what its bundles contain. Run by
// `packaging/build.ts` and `npm run sbom`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  dev?: boolean;
  devDependencies?: object;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Record<string, LockedPackage>;
}

interface Bom {
  serialNumber?: string;
  readonly metadata: { timestamp?: string; readonly component: { name: string; readonly 'bom-ref': string } };
  components: readonly { readonly 'bom-ref': string }[];
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const root = path.resolve(import.meta.dirname, '..');
const parse = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const manifest = parse('package.json') as {
  readonly name: string;
  readonly dependencies: Record<string, string>;
  devDependencies?: Readonly<Record<string, string>>;
};
const lock = parse('package-lock.json') as Lock;

const idOf = (folder: string, { name, version }: LockedPackage): string =>
  `${name ?? folder.replace(/^.*node_modules\//, '')}@${version ?? ''}`;

/** The packages that the bundles contain: `packaging/bundle.ts` lists them, each with its license. */
const bundled = new Set(
  readFileSync(path.join(root, 'build/LICENSES.txt'), 'utf8')
    .split(`\n${'-'.repeat(80)}\n\n`)
    .map((text) => /^(\S+) (\S+):/.exec(text)?.slice(1).join('@')),
);

/** Returns the folders of development dependencies that are bundled, and of all packages that these depend on. */
function bundledFolders(): ReadonlySet<string> {
  const folders = new Set<string>();
  const waiting = Object.entries(lock.packages)
    .filter((entry) => bundled.has(idOf(...entry)))
    .map(([folder]) => folder);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (folders.has(folder)) continue;
    folders.add(folder);
    for (const name of Object.keys(lock.packages[folder]?.dependencies ?? {})) {
      // As Node: the nearest folder above.
      const above = folder
        .split('/node_modules/')
        .map((_, index, all) => all.slice(0, index + 1).join('/node_modules/'));
      const place = [
        ...above.toReversed().map((each) => `${each}/node_modules/${name}`),
        `node_modules/${name}`,
      ];
      const found = place.find((each) => each in lock.packages);
      if (found !== undefined) waiting.push(found);
    }
  }
  return folders;
}

/**
 * Returns the lock as it would be without development dependencies, but with those that are bundled. `npm sbom --omit=dev` leaves
 * out every package that a development dependency needs too.
 */
function runtimeLock(): Lock {
  const needed = bundledFolders();
  const entries = Object.entries(lock.packages).filter(
    ([folder, { dev }]) => dev !== true || needed.has(folder),
  );
  const published = new Set(
    entries.filter(([, { integrity }]) => integrity !== undefined).map((entry) => idOf(...entry)),
  );
  const packages = Object.fromEntries(
    entries
      // For a package that another one contains, npm would list the copy without a hash.
      .filter((entry) => entry[1].integrity !== undefined || !published.has(idOf(...entry)))
      .map(([folder, { dev: _, ...entry }]) => [folder, entry]),
  );
  packages[''] = { ...packages[''], dependencies: manifest.dependencies };
  delete packages['']?.devDependencies;
  return { ...lock, packages };
}

/** Removes the packages that a bundled one depends on and that are neither bundled nor installed. */
function withoutUnused({
  components,
  dependencies,
  metadata,
}: Bom): Pick<Bom, 'components' | 'dependencies'> {
  const installed = Object.entries(lock.packages)
    .filter(([folder, { dev }]) => folder !== '' && dev !== true)
    .map((entry) => idOf(...entry));
  const used = new Set([metadata.component['bom-ref'], ...installed, ...bundled]);
  return {
    components: components.filter((component) => used.has(component['bom-ref'])),
    dependencies: dependencies
      .filter(({ ref }) => used.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((id) => used.has(id)) })),
  };
}

// What is bundled is a part of the package, as what is installed.
for (const [name, version] of Object.entries(manifest.devDependencies ?? {}))
  if (bundled.has(`${name}@${version}`)) manifest.dependencies[name] = version;
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
  Object.assign(bom, withoutUnused(bom));
  // The same lock produces the same bill of materials, on every day and machine.
  delete bom.serialNumber;
  delete bom.metadata.timestamp;
  writeFileSync(path.join(root, 'build/sbom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
