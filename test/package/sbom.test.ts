import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundledPackages } from './bundled-packages.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly object[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface LockedPackage {
  readonly name?: string;
  readonly version: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly inBundle?: boolean;
}

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const lock = JSON.parse(read('package-lock.json')) as { readonly packages: Record<string, LockedPackage> };
function idOf([folder, { name, version }]: readonly [string, LockedPackage]): string {
  return `${name ?? folder.replace(/^.*node_modules\//, '')}@${version}`;
}
const bundled = new Set(bundledPackages(root).map(({ name, version }) => `${name}@${version}`));
const locked = Object.entries(lock.packages).filter(
  ([folder, entry]) => folder !== '' && (entry.dev !== true || bundled.has(idOf([folder, entry]))),
);

/** The lock has hashes in Base64, CycloneDX in hexadecimal digits. */
const hexOf = (integrity = ''): string =>
  Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');

let text: string;
let bom: Bom;

beforeAll(() => {
  execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root });
  text = read('build/sbom.cdx.json');
  bom = JSON.parse(text) as Bom;
});

describe('npm run sbom', () => {
  test('describes the package, in CycloneDX', () => {
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
    const { name, version, purl } = bom.metadata.component;
    expect({ name, version, purl }).toEqual({
      name: manifest.name,
      version: manifest.version,
      purl: `pkg:npm/${manifest.name}@${manifest.version}`,
    });
  });

  test('has each package that users install or that is bundled, and no other', () => {
    const ids = bom.components.map((component) => component['bom-ref']);
    expect(ids.sort()).toEqual([...new Set(locked.map(idOf))].sort());
    const direct = bom.dependencies.find(({ ref }) => ref === bom.metadata.component['bom-ref']);
    expect([...(direct?.dependsOn ?? [])].sort()).toEqual(
      [
        ...Object.entries(manifest.dependencies).map((entry) => entry.join('@')),
        ...Object.entries(manifest.devDependencies)
          .map((entry) => entry.join('@'))
          .filter((id) => bundled.has(id)),
      ].sort(),
    );
  });

  test('has a license of each, and the hash that the lock has', () => {
    expect(bom.components.filter(({ licenses }) => licenses === undefined || licenses.length === 0)).toEqual(
      [],
    );
    const hashes = new Map(
      locked
        .filter(([, { inBundle }]) => inBundle !== true)
        .map((entry) => [idOf(entry), hexOf(entry[1].integrity)]),
    );
    const components = bom.components.filter((component) => hashes.has(component['bom-ref']));
    expect(components).toHaveLength(hashes.size);
    expect(components.map((component) => [component['bom-ref'], component.hashes])).toEqual(
      components.map((component) => [
        component['bom-ref'],
        [{ alg: 'SHA-512', content: hashes.get(component['bom-ref']) }],
      ]),
    );
    // Others are files of a package that has a hash.
    const others = bom.components.filter((component) => !hashes.has(component['bom-ref']));
    expect(others.map(({ properties }) => properties)).toEqual(
      others.map(() => [{ name: 'cdx:npm:package:bundled', value: 'true' }]),
    );
  });

  test('has each package that the bundles contain', () => {
    const ids = new Set(bom.components.map((component) => component['bom-ref']));
    expect(bundled.size).toBeGreaterThan(40);
    expect([...bundled].filter((id) => !ids.has(id))).toEqual([]);
  });

  test('writes the same bytes again', () => {
    execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root });
    expect(read('build/sbom.cdx.json')).toBe(text);
  });
});
