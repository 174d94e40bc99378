// Builds the programs of the package: the command in a few files, which load faster than one file per module, and the
// command as a single file that needs no node_modules, for places such as a plugin of Argo CD. `npm run build` runs
// it.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { templates } from '../src/cli/commands/new/app-templates.ts';
import { licenseTexts } from './license-texts.ts';
import { commandWords } from '../src/cli/run.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Files of the package that the command writes into repositories, or prints. */
const packagedFiles = [
  'docs/ci/github.yaml',
  'docs/ci/gitlab.yaml',
  'packaging/gitops/argocd-cm.yaml',
  'packaging/gitops/flux-health.yaml',
  ...filesIn('docs/diagnostics'),
  ...Object.entries(templates).flatMap(([name, files]) => files.map((file) => `apps/${name}/${file}`)),
];

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
  // Node prints the line that throws an error.
  lineLimit: 160,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};

/** Some bundled modules are CommonJS and require modules of Node. */
const requireBanner =
  "import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);";

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

/** Embeds what the command prints without loading any command: the version, and the words of completion. */
const quickAnswers: Plugin = {
  name: 'quick-answers',
  setup(building) {
    building.onLoad({ filter: /[\\/]workspace[\\/]version\.ts$/ }, () => ({
      contents: `export const version = ${JSON.stringify(version)};`,
    }));
    building.onLoad({ filter: /[\\/]commands[\\/]completion[\\/]all-words\.ts$/ }, () => ({
      contents: `export const allWords = async () => (await import('words-of-commands')).default;`,
    }));
    building.onResolve({ filter: /^words-of-commands$/ }, ({ path: name }) => ({
      path: name,
      namespace: name,
    }));
    building.onLoad({ filter: /^/, namespace: 'words-of-commands' }, () => ({
      contents: JSON.stringify(commandWords()),
      loader: 'json',
    }));
  },
};

/** Embeds the files that the package has beside it, and uses Node's own support for TypeScript instead of esbuild. */
const selfContained: Plugin = {
  name: 'self-contained',
  setup(building) {
    building.onLoad({ filter: /[\\/]workspace[\\/]packaged-file\.ts$/ }, () => {
      const texts = packagedFiles.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]);
      return {
        contents: `const texts = new Map(${JSON.stringify(texts)});\nexport const packagedFile = async (name) => texts.get(name);`,
      };
    });
    building.onResolve({ filter: /^\.\/(?:child-program|import-user-code|prepare-app)\.ts$/ }, (args) => ({
      path: path.join(root, 'src/cli/single-file', args.path),
    }));
    building.onResolve({ filter: /^whatwg-url$/ }, () => ({
      path: path.join(root, 'src/cli/single-file/whatwg-url.ts'),
    }));
    // `debug` uses it for colors if another package installed it. Bundles contain no package that only tests need.
    building.onResolve({ filter: /^supports-color$/ }, () => ({
      path: path.join(root, 'src/cli/single-file/supports-color.ts'),
    }));
    // Of the Kubernetes client, only the kubeconfig reader is used. The types of all APIs are ten times as large.
    building.onResolve({ filter: /^@kubernetes\/client-node$/ }, () => ({
      path: path.join(root, 'node_modules/@kubernetes/client-node/dist/config.js'),
    }));
  },
};

/** Leaves out what takes long to load and is not used. */
const quickStart: Plugin = {
  name: 'quick-start',
  setup(building) {
    building.onResolve({ filter: /^string-width$/ }, () => ({
      path: path.join(root, 'src/cli/terminal/string-width.ts'),
    }));
  },
};

/**
 * Lets a file that Node itself loads import the Kubernetes client, which is a module: code that `src/cli/startup/compiled-code.ts` loads
 * imports nothing without a warning of Node.
 */
const importKubeconfig: Plugin = {
  name: 'import-kubeconfig',
  setup(building) {
    building.onLoad({ filter: /[\\/]kubeconfig-library\.ts$/ }, () => ({
      contents: "export const kubeconfigLibrary = require('./import-kubeconfig.cjs');",
    }));
    building.onResolve({ filter: /^\.\/import-kubeconfig\.cjs$/ }, ({ path: file }) => ({
      path: file,
      external: true,
    }));
  },
};

/** Loads the commands from a file, with the compiled code of an earlier run. */
function builtCommand(file: string): Plugin {
  return {
    name: 'built-command',
    setup(building) {
      building.onResolve({ filter: /^\.\/load-command\.ts$/ }, () => ({
        path: path.join(root, 'src/cli/startup/load-built-command.ts'),
      }));
      building.onLoad({ filter: /[\\/]startup[\\/]command-file\.ts$/ }, () => ({
        contents: `export const commandFile = ${JSON.stringify(file)};`,
      }));
    },
  };
}

// Remove the output of tsc for deleted sources: the package would contain it.
for (const file of readdirSync(path.join(root, 'build'), { recursive: true, encoding: 'utf8' })) {
  const [, module] = /^(.*?)(?:\.d\.ts|\.js|\.js\.map)$/.exec(file) ?? [];
  if (module !== undefined && !existsSync(path.join(root, `${module}.ts`)))
    rmSync(path.join(root, 'build', file));
}
// Their names depend on their content, so earlier ones would remain.
rmSync(path.join(root, 'build/cli/parts'), { recursive: true, force: true });
const command = await build({
  ...common,
  metafile: true,
  // V8 keeps the code of a script, but not that of a module of Node 20.
  format: 'cjs',
  entryPoints: { command: 'src/cli/startup/command-process.ts' },
  outdir: 'build/cli/parts',
  entryNames: '[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  plugins: [quickAnswers, quickStart, importKubeconfig],
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'urlOfBundle', 'import.meta.filename': '__filename' },
  // Few commands load these, and they are large; apps load cdk8s too.
  external: [
    'esbuild',
    'cdk8s',
    'cdk8s-plus-27',
    'constructs',
    '@kubernetes/client-node',
    'pino',
    'prom-client',
  ],
  banner: { js: "const urlOfBundle = require('node:url').pathToFileURL(__filename).href;" },
});
writeFileSync(
  path.join(root, 'build/cli/parts/import-kubeconfig.cjs'),
  "module.exports = () => import('@kubernetes/client-node');\n",
);
const [commandFile = ''] = Object.keys(command.metafile.outputs);
const program = await build({
  ...common,
  metafile: true,
  entryPoints: { main: 'src/cli/startup/main.ts' },
  outdir: 'build/cli',
  plugins: [quickAnswers, builtCommand(path.relative('build/cli', commandFile))],
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
});
const child = await build({
  ...common,
  metafile: true,
  entryPoints: ['src/workspace/app/child/main.ts'],
  outfile: 'build/cli/app-child.js',
  // Apps load them too, and recognize their own objects by the shared module.
  external: ['cdk8s', 'constructs'],
  banner: { js: requireBanner },
});
const singleFile = await build({
  ...common,
  metafile: true,
  entryPoints: ['src/cli/single-file/main.ts'],
  outfile: 'build/fleetwright.mjs',
  plugins: [quickAnswers, quickStart, selfContained],
  banner: { js: requireBanner },
});
const inputs = [command, program, child, singleFile].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(path.join(root, 'build/LICENSES.txt'), licenseTexts(root, [...new Set(inputs)]));
