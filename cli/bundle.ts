// Makes the programs of the package: the command in a few files, which load faster than one for each module, and the command
// as a single file that needs no node_modules, for places such as a plugin of Argo CD. Run by `npm run build`.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type BuildOptions, type BuildResult, type Plugin } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');

/** Files of the package that the command writes into repositories, or prints. */
const packagedFiles = ['docs/ci/github.yaml', 'docs/ci/gitlab.yaml', ...filesIn('docs/diagnostics')];

function filesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);
}

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true,
  // Node shows the line where something is thrown.
  lineLimit: 160,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};

/** Some of what is bundled is CommonJS, and asks for modules of Node. */
const requireBanner =
  "import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);";

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

/** Puts into the file what the package has beside it, and Node's own support for TypeScript in place of esbuild. */
const selfContained: Plugin = {
  name: 'self-contained',
  setup(building) {
    building.onLoad({ filter: /[\\/]cli[\\/]version\.ts$/ }, () => ({
      contents: `export const version = ${JSON.stringify(version)};`,
    }));
    building.onLoad({ filter: /[\\/]cli[\\/]packaged-file\.ts$/ }, () => {
      const texts = packagedFiles.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]);
      return {
        contents: `const texts = new Map(${JSON.stringify(texts)});\nexport const packagedFile = async (name) => texts.get(name);`,
      };
    });
    building.onResolve({ filter: /^\.\/(?:child-program|import-user-code|prepare-app)\.ts$/ }, (args) => ({
      path: path.join(root, 'cli/single-file', args.path),
    }));
    building.onResolve({ filter: /^whatwg-url$/ }, () => ({
      path: path.join(root, 'cli/single-file/whatwg-url.ts'),
    }));
    // Of the Kubernetes client only what reads a kubeconfig is used; the types of all APIs are ten times as large.
    building.onResolve({ filter: /^@kubernetes\/client-node$/ }, () => ({
      path: path.join(root, 'node_modules/@kubernetes/client-node/dist/config.js'),
    }));
  },
};

/** Of all packages that are part of a bundle, as their licenses ask for. */
function licensesOf({ metafile }: BuildResult<{ metafile: true }>): string {
  const folders = new Set<string>();
  for (const input of Object.keys(metafile.inputs)) {
    const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  const texts = [...folders].sort().map((folder) => {
    const file = readdirSync(path.join(root, folder)).find((name) => /^licen[cs]e/i.test(name));
    const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license?: string;
    };
    const text = file === undefined ? '' : readFileSync(path.join(root, folder, file), 'utf8').trim();
    return `${manifest.name} ${manifest.version}: ${manifest.license ?? 'see below'}\n\n${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

// Their names are those of their content: earlier ones would stay beside them.
rmSync(path.join(root, 'build/cli/parts'), { recursive: true, force: true });
const command = await build({
  ...common,
  metafile: true,
  entryPoints: { main: 'cli/main.ts' },
  outdir: 'build/cli',
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  // Loaded by few commands, and large; or, as cdk8s, loaded by apps too.
  external: [
    'fleetwright',
    'esbuild',
    'cdk8s',
    'cdk8s-plus-27',
    'constructs',
    '@kubernetes/client-node',
    'pino',
    'prom-client',
  ],
  banner: { js: requireBanner },
});
const child = await build({
  ...common,
  metafile: true,
  entryPoints: ['cli/app/child/main.ts'],
  outfile: 'build/cli/app-child.js',
  // Apps load them too, and see what is theirs by it.
  external: ['cdk8s', 'constructs'],
  banner: { js: requireBanner },
});
const singleFile = await build({
  ...common,
  metafile: true,
  entryPoints: ['cli/single-file/main.ts'],
  outfile: 'build/fleetwright.mjs',
  plugins: [selfContained],
  banner: { js: requireBanner },
});
writeFileSync(
  path.join(root, 'build/LICENSES.txt'),
  licensesOf({
    ...singleFile,
    metafile: {
      ...singleFile.metafile,
      inputs: { ...command.metafile.inputs, ...child.metafile.inputs, ...singleFile.metafile.inputs },
    },
  }),
);
