import { readFile, writeFile } from 'node:fs/promises';
import { isBuiltin, SourceMap } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  build,
  BuildFailure,
  Loader,
  OnLoadResult,
  OnResolveArgs,
  OnResolveResult,
  PartialMessage,
  Plugin,
} from 'esbuild';
import { installedPackage } from './installed-package.ts';
import { UnreadableApp, type AppCode, type AppCodeOptions } from './app-code.ts';

/** The conditions that a Node program resolves in CommonJS and ES modules. esbuild would add those of bundlers. */
const conditions: string[] = [];
const loaders: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
  '.json': 'json',
};
const codeOf = (file: string): Loader => loaders[path.extname(file)] ?? 'js';

let modules = 0;

/** The function of esbuild that compiles. */
export type Build = typeof build;

/**
 * Builds one JavaScript module from an app and the files of the user that it imports, TypeScript or JavaScript. No
 * code is run. Installed packages stay in place: Node loads them.
 *
 * @param build of esbuild, which is a separate program
 * @throws UnreadableApp if a file has an error or imports a missing module
 */
export async function compileApp(
  build: Build,
  file: string,
  { cwd, temporary, mayRead }: AppCodeOptions,
): Promise<AppCode> {
  modules += 1;
  const module = path.join(temporary, `${modules}.mjs`);
  const require = `import{createRequire as createRequireOfApp}from"node:module";const require=createRequireOfApp(${JSON.stringify(file)});`;
  try {
    const { outputFiles } = await build({
      absWorkingDir: cwd,
      entryPoints: [file],
      outfile: module,
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      conditions,
      keepNames: true,
      sourcemap: 'external',
      sourcesContent: false,
      logLevel: 'silent',
      banner: { js: require },
      define: Object.fromEntries(metaProperties.map(({ expression, name }) => [expression, name])),
      plugins: [userCode(mayRead)],
    });
    const code = outputFiles.find(({ path }) => path === module)?.text ?? '';
    const map = outputFiles.find(({ path }) => path === `${module}.map`)?.text ?? '{}';
    await writeFile(module, code);
    return { module, userCode: [], locate: locator(module, map) };
  } catch (error) {
    throw isBuildFailure(error) ? unreadable(error) : error;
  }
}

function locator(module: string, map: string): AppCode['locate'] {
  let sourceMap: SourceMap | undefined;
  return (frame) => {
    if (frame.file !== module) return frame;
    sourceMap ??= new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0]);
    const entry = sourceMap.findEntry(frame.line - 1, frame.column - 1);
    if (!('originalSource' in entry)) return frame;
    return {
      file: path.resolve(path.dirname(module), entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
  };
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

function unreadable({ errors, message }: BuildFailure): UnreadableApp {
  const [first] = errors;
  if (first === undefined) return new UnreadableApp(message);
  const { location, text, detail } = first;
  const hint = typeof detail === 'string' ? detail : undefined;
  return new UnreadableApp(
    text,
    location === null ? undefined : { file: location.file, line: location.line, column: location.column + 1 },
    hint,
  );
}

/**
 * The properties with which a module reads its own location. In one module for all files, they would return the
 * location of that module.
 */
const metaProperties = [
  { expression: 'import.meta.url', name: 'fleetwrightUrl', of: (file: string) => pathToFileURL(file).href },
  { expression: 'import.meta.filename', name: 'fleetwrightFilename', of: (file: string) => file },
  { expression: 'import.meta.dirname', name: 'fleetwrightDirname', of: (file: string) => path.dirname(file) },
  { expression: '__filename', name: 'fleetwrightFilename', of: (file: string) => file },
  { expression: '__dirname', name: 'fleetwrightDirname', of: (file: string) => path.dirname(file) },
] as const;
const metaNamespace = 'fleetwright-meta';

/** Reads the files of the user, and leaves packages to Node. */
function userCode(mayRead: (file: string) => boolean): Plugin {
  return {
    name: 'user-code',
    setup(building) {
      const resolved = {};
      const resolveByDefault = async (args: OnResolveArgs): Promise<OnResolveResult> => {
        const { kind, resolveDir, importer } = args;
        return await building.resolve(args.path, { kind, resolveDir, importer, pluginData: resolved });
      };
      building.onResolve({ filter: /^[^./]/ }, async (args): Promise<OnResolveResult | undefined> => {
        if (args.pluginData === resolved || args.kind === 'entry-point' || path.isAbsolute(args.path))
          return undefined;
        if (args.path.startsWith(`${metaNamespace}:`))
          return { path: args.path.slice(metaNamespace.length + 1), namespace: metaNamespace };
        if (isBuiltin(args.path)) return { path: args.path, external: true };
        // One instance is enough, whatever "paths" of a tsconfig.json contains.
        const packagePath = /^fleetwright(?:\/|$)/.test(args.path)
          ? installedPackage(args.path, args.resolveDir)
          : undefined;
        const { errors = [], path: place = '' } =
          packagePath === undefined ? await resolveByDefault(args) : { path: packagePath };
        if (errors.length > 0) {
          // The app may catch the error for a missing module if it loads the module at run time.
          if (args.kind === 'dynamic-import' || args.kind === 'require-call')
            return { path: args.path, external: true };
          return { errors: [missingPackage(args)] };
        }
        if (/\.[cm]?tsx?$|\.json$|\.jsx$/.test(place)) return { path: place };
        const isRequired = args.kind === 'require-call' || args.kind === 'require-resolve';
        return { path: isRequired ? place : pathToFileURL(place).href, external: true };
      });
      building.onLoad({ filter: /.*/, namespace: metaNamespace }, ({ path: file }) => ({
        contents: [...new Map(metaProperties.map(({ name, of }) => [name, of(file)]))]
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
          .join('\n'),
      }));
      building.onLoad({ filter: /.*/, namespace: 'file' }, async ({ path: file }): Promise<OnLoadResult> => {
        if (!mayRead(file)) return { errors: [outside(file)] };
        const text = await readFile(file, 'utf8');
        return { contents: withMeta(file, text), loader: codeOf(file) };
      });
    },
  };
}

/** Defines the properties with which a file reads its own location, behind its last line, so that no other line moves. */
function withMeta(file: string, text: string): string {
  if (codeOf(file) === 'json' || !/\bimport\s*\.\s*meta\b|\b__(?:dirname|filename)\b/.test(text)) return text;
  const names = [...new Set(metaProperties.map(({ name }) => name))];
  const isModule = /^\s*(?:import|export)\b/m.test(text);
  if (!isModule) {
    const values = new Map(metaProperties.map(({ name, of }) => [name, of(file)]));
    return `${names.map((name) => `var ${name}=${JSON.stringify(values.get(name))};`).join('')}${text}`;
  }
  return `${text}\nimport { ${names.join(', ')} } from ${JSON.stringify(`${metaNamespace}:${file}`)};\n`;
}

function missingPackage({ path: specifier }: OnResolveArgs): PartialMessage {
  return {
    text: `Cannot find package '${specifier}'`,
    detail: 'correct the name, or install the package with npm',
  };
}

function outside(file: string): PartialMessage {
  return {
    text: `it imports ${file}, which is outside of the workspace`,
    detail: 'move the file into the repository, or name the app under apps.unconfined in fleetwright.yaml',
  };
}
