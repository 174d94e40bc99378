// Builds the package: the library, the processes that run apps, the command as a single file that needs no node_modules, and
// the small program that starts it where the package is installed. `packaging/build.ts` runs it, after tsc wrote the declarations.
import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { exampleFiles } from '../src/cli/commands/new/example-app.ts';
import { templates } from '../src/cli/commands/new/app-templates.ts';
import { licenseTexts } from './license-texts.ts';
import { reachableDeclarations } from './reachable-declarations.ts';
import { programHead, programParameters, programTail } from '../src/cli/single-file/program-frame.ts';
import { commandWords } from '../src/cli/run.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Files of the package that the command writes into repositories, prints or reads. */
const packagedFiles = [
  'package.json',
  'docs/ci/Jenkinsfile',
  'docs/ci/azure.yaml',
  'docs/ci/github.yaml',
  'docs/ci/gitlab.yaml',
  'docs/ci/tekton.yaml',
  'packaging/gitops/argocd-cm.yaml',
  'packaging/gitops/flux-health.yaml',
  ...exampleFiles,
  ...filesIn('docs/diagnostics'),
  ...Object.entries(templates).flatMap(([name, files]) => files.map((file) => `apps/${name}/${file}`)),
];

function filesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);
}

const common = {
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
} as const satisfies BuildOptions;

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

/** Embeds the files that commands write or print, and replaces what a script or a file without node_modules cannot do. */
const selfContained: Plugin = {
  name: 'self-contained',
  setup(building) {
    building.onLoad({ filter: /[\\/]workspace[\\/]packaged-file\.ts$/ }, () => {
      const texts = packagedFiles.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]);
      return {
        contents: `const texts = new Map(${JSON.stringify(texts)});\nexport const packagedFile = async (name) => { if (!texts.has(name)) throw new Error('the bundle has no ' + name); return texts.get(name); };`,
      };
    });
    building.onResolve({ filter: /[\\/](?:is-single-file|import-module|provided-modules)\.ts$/ }, (args) => ({
      path: path.join(root, 'src/cli/single-file', path.basename(args.path)),
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
    // Leaves out what takes long to load and is not used.
    building.onResolve({ filter: /^string-width$/ }, () => ({
      path: path.join(root, 'src/cli/terminal/string-width.ts'),
    }));
  },
};

/** Lets the program of the package load the commands from the single file. */
function builtCommand(hash: string): Plugin {
  return {
    name: 'built-command',
    setup(building) {
      building.onResolve({ filter: /^\.\/load-command\.ts$/ }, () => ({
        path: path.join(root, 'src/cli/startup/load-built-command.ts'),
      }));
      building.onLoad({ filter: /[\\/]startup[\\/]program-hash\.ts$/ }, () => ({
        contents: `export const programHash = ${JSON.stringify(hash)};`,
      }));
    },
  };
}

const single = await build({
  ...common,
  entryPoints: ['src/cli/single-file/main.ts'],
  write: false,
  // V8 keeps the code of a script, but not that of a module of Node 20. A script cannot import.
  format: 'cjs',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'urlOfProgram', 'import.meta.filename': '__filename' },
  plugins: [quickAnswers, selfContained],
  // A separate program, which the package uses if it is installed.
  external: ['esbuild'],
});
const program = single.outputFiles[0]?.text ?? '';
const declarations =
  "const module={exports:{}},urlOfProgram=require('node:url').pathToFileURL(__filename).href;";
const functionText = `(function (${programParameters.join(', ')}) {${declarations}\n${program}\nreturn module.exports;})`;
const singleFile = path.join(root, 'build/fleetwright.mjs');
writeFileSync(singleFile, `${programHead}${functionText}${programTail}`);
chmodSync(singleFile, 0o755);

const command = await build({
  ...common,
  entryPoints: { main: 'src/cli/startup/main.ts' },
  outdir: 'build/cli',
  plugins: [quickAnswers, builtCommand(createHash('sha256').update(functionText).digest('hex').slice(0, 16))],
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
});

const library = await build({
  ...common,
  // Users read it in their debugger.
  // Errors of constructs print the names of their classes.
  keepNames: true,
  minifyWhitespace: false,
  minifySyntax: false,
  entryPoints: {
    'constructs/index': 'constructs/index.ts',
    'src/compiler/index': 'src/compiler/index.ts',
    'src/testing/index': 'src/testing/index.ts',
  },
  outdir: 'build',
  packages: 'external',
  plugins: [quickAnswers],
  splitting: true,
  chunkNames: 'library/[name]-[hash]',
});

const child = await build({
  ...common,
  entryPoints: ['src/workspace/app/child/main.ts'],
  outfile: 'build/cli/app-child.js',
  // Apps load them too, and recognize their own objects by the shared module.
  external: ['cdk8s', 'constructs'],
  // A bundled module is CommonJS and requires modules of Node.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);",
  },
});

// Node keeps a text with a single other character at two bytes for each, in every process.
for (const name of ['fleetwright.mjs', 'cli/main.js'])
  if (!isAscii(readFileSync(path.join(root, 'build', name))))
    throw new Error(`build/${name} has a character that is not ASCII: escape it in its regular expression`);

const built = [command, library, child].flatMap(({ metafile }) => Object.keys(metafile.outputs));
const inputs = [single, command, library, child].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(path.join(root, 'build/LICENSES.txt'), licenseTexts(root, [...new Set(inputs)]));

// Remove everything else: declarations that only our own code uses, and the output of earlier builds.
const entries = ['constructs/index.d.ts', 'src/compiler/index.d.ts', 'src/testing/index.d.ts'];
const parts = new Set([
  ...built.map((file) => path.posix.relative('build', file)),
  ...reachableDeclarations(path.join(root, 'build'), entries),
  'fleetwright.mjs',
  'LICENSES.txt',
  'sbom.cdx.json',
]);
// The innermost ones first.
for (const name of readdirSync(path.join(root, 'build'), {
  recursive: true,
  encoding: 'utf8',
}).toReversed()) {
  const place = path.join(root, 'build', name);
  const isRest = statSync(place).isDirectory() ? readdirSync(place).length === 0 : !parts.has(name);
  if (isRest) rmSync(place, { recursive: true });
}
