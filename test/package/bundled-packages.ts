import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A package that a bundle contains, as build/LICENSES.txt describes it. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** License and notices. */
  readonly text: string;
}

/** Returns what the build wrote to build/LICENSES.txt. */
export function bundledPackages(root: string): readonly BundledPackage[] {
  const texts = readFileSync(path.join(root, 'build/LICENSES.txt'), 'utf8').split(`\n${'-'.repeat(80)}\n\n`);
  return texts.map((packageText) => {
    const [, name, version, license, text] = /^(\S+) (\S+): ([^\n]+)\n\n(.*)$/s.exec(packageText) ?? [];
    if (!name || !version || !license || !text)
      throw new Error(`not a package with a license: ${packageText}`);
    return { name, version, license, text };
  });
}
