/** The releases of cdk8s-plus that `init` can choose: that of Fleetwright itself, and the newest one. */
export const plusVersions = { '27': '2.9.5', '34': '2.0.54' } as const;

/** A release of cdk8s-plus: the minor version of the Kubernetes whose kinds it has. */
export type PlusRelease = keyof typeof plusVersions;

/** `package.json`. */
export function packageJson(
  name: string,
  fleetwright: string,
  { hasTypeScript, plus }: { readonly hasTypeScript: boolean; readonly plus: PlusRelease },
): string {
  const { cdk8s, constructs } = constructVersions;
  const ofPlus = { [`cdk8s-plus-${plus}`]: plusVersions[plus] };
  const manifest = {
    name,
    private: true,
    type: 'module',
    scripts: {
      synth: 'fleetwright synth',
      check: `${hasTypeScript ? 'tsc && ' : ''}fleetwright synth --check`,
      plan: 'fleetwright plan HEAD --by env',
    },
    // Apps in TypeScript import cdk8s and similar packages: pnpm and yarn link only the packages that are listed here.
    dependencies: hasTypeScript ? { cdk8s, ...ofPlus, constructs, fleetwright } : { fleetwright },
    ...(hasTypeScript && {
      devDependencies: {
        ...(runsTypeScript() ? {} : { esbuild: esbuildVersion }),
        typescript: typescriptVersion,
      },
    }),
    // resolutions are the overrides of pnpm and yarn. Newer releases have no unused dependency.
    ...(hasTypeScript && plus === '27' && { overrides: unusedDependencies, resolutions: unusedDependencies }),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** An unused dependency of cdk8s-plus-27 with 54 MB of dependencies. */
const unusedDependencies = { backport: 'npm:picocolors@1.1.1' };

/**
 * The versions of Fleetwright's own package.json; a test compares them. One version each means one instance, which
 * constructs need.
 */
const constructVersions = { cdk8s: '2.70.106', constructs: '10.8.1' };

/** The versions of Fleetwright's own package.json; a test compares them. */
const typescriptVersion = '7.0.2';
const esbuildVersion = '0.28.2';

/** Whether this Node runs apps in TypeScript. Others compile them with esbuild. */
function runsTypeScript(): boolean {
  return Boolean(Reflect.get(process.features, 'typescript'));
}

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
 * Returns a package name that npm accepts, from the name of a folder.
 *
 * @param folder - name of the folder, without its path
 */
export function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|-+$/g, '');
  // npm resolves a package with the name of its own dependency to itself.
  return name === '' || name === 'fleetwright' || name === 'node_modules' ? 'add-ons' : name.slice(0, 214);
}
