import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
}

const root = path.resolve(import.meta.dirname, '../..');
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
// The package itself is '', and what another package contains comes with its hash.
const downloads = Object.entries(packages).filter(
  ([folder, { inBundle }]) => folder !== '' && inBundle !== true,
);

describe('package-lock.json', () => {
  test('locks packages, also those for other platforms', () => {
    expect(downloads.length).toBeGreaterThan(250);
    const platforms = downloads.filter(([folder]) => /(?:darwin|win32)-(?:arm64|x64)/.test(folder));
    expect(platforms.length).toBeGreaterThan(10);
  });

  test('has a SHA-512 hash of each package', () => {
    expect(downloads.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual(
      [],
    );
  });

  test('names no other source than a registry over HTTPS: no links, Git repositories, files or plain HTTP', () => {
    const others = downloads.filter(
      ([, { link, resolved }]) =>
        link === true || (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
    );
    expect(others).toEqual([]);
  });

  test('has no package that runs a script during its installation, but for esbuild, which works without it', () => {
    const scripts = downloads.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(scripts.map(([folder]) => folder)).toEqual(['node_modules/esbuild']);
  });
});
