/** `package.json`. */
export function packageJson(name: string, fleetwright: string): string {
  const manifest = {
    name,
    private: true,
    type: 'module',
    scripts: {
      synth: 'fleetwright synth',
      check: 'tsc && fleetwright synth --check',
      plan: 'fleetwright plan HEAD --by env',
    },
    dependencies: { fleetwright },
    devDependencies: { typescript: typescriptVersion },
    // A dependency of cdk8s-plus-27 that nothing uses, and that brings 54 MB with it.
    overrides: { backport: 'npm:picocolors@1.1.1' },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** A test holds it to the one that Fleetwright itself is compiled with. */
const typescriptVersion = '7.0.2';

/** `tsconfig.json`. */
export const tsconfig = `{
  "compilerOptions": {
    "target": "es2023",
    "lib": ["es2023"],
    "module": "nodenext",
    "types": [],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["apps"]
}
`;

/**
 * A name that npm accepts, from that of a folder.
 *
 * @param folder - the folder's name, without the way to it
 */
export function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|-+$/g, '');
  // npm would take one of the package's own name for the package itself.
  return name === '' || name === 'fleetwright' || name === 'node_modules' ? 'add-ons' : name.slice(0, 214);
}
