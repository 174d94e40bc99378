import * as module from 'node:module';
import * as cdk8s from 'cdk8s';
import * as constructs from 'constructs';
import * as fleetwright from '../../../constructs/index.ts';

/** The modules that apps import and no node_modules contains: the modules bundled in this file. */
const provided: Readonly<Record<string, () => object>> = {
  fleetwright: () => fleetwright,
  cdk8s: () => cdk8s,
  constructs: () => constructs,
  // Few apps need it. The bundler makes this a part of the file, which runs when it is first required.
  'cdk8s-plus-27': () => require('cdk8s-plus-27') as object,
};
const scheme = 'fleetwright:';
const registry = Symbol.for('fleetwright.single-file.provided');

// the hooks of node:module since Node 22.15
interface Hooks {
  resolve(specifier: string, context: object, next: Resolve): Resolved;
  load(url: string, context: Loading, next: (url: string, context: Loading) => Loaded): Loaded;
}
type Resolve = (specifier: string, context: object) => Resolved;
interface Resolved {
  readonly url: string;
  readonly format?: string | null;
  readonly shortCircuit?: boolean;
}
interface Loading {
  readonly format?: string | null;
}
interface Loaded {
  readonly format: string;
  readonly source?: unknown;
  readonly shortCircuit?: boolean;
}

let runs = 0;

/**
 * Runs an app's file with Node's own support for TypeScript, and returns its exports. Single files have no esbuild,
 * which is a separate program.
 */
export async function importUserCode(url: string): Promise<{ readonly default?: unknown }> {
  if (runs === 0) registerHooks();
  runs += 1;
  // Each run of an app has its own modules.
  return (await import(`${url}?run=${runs}`)) as { readonly default?: unknown };
}

function registerHooks(): void {
  const register: unknown = Reflect.get(module, 'registerHooks');
  if (typeof register !== 'function') throw new Error('this Node has no hooks for modules');
  Reflect.set(globalThis, registry, provided);
  const hooks: Hooks = { resolve, load };
  Reflect.apply(register, module, [hooks]);
}

function resolve(specifier: string, context: object, next: Resolve): Resolved {
  if (Object.hasOwn(provided, specifier))
    return { url: `${scheme}${specifier}`, format: 'module', shortCircuit: true };
  try {
    return next(specifier, context);
  } catch (error) {
    // In TypeScript, an import may name the compiled file, or have no extension.
    for (const candidate of candidates(specifier)) {
      try {
        return next(candidate, context);
      } catch {
        // the next one
      }
    }
    throw error;
  }
}

function candidates(specifier: string): readonly string[] {
  if (!/^\.{0,2}\//.test(specifier)) return [];
  return [specifier.replace(/\.([cm]?)js$/, '.$1ts'), `${specifier}.ts`, `${specifier}/index.ts`];
}

function load(url: string, context: Loading, next: (url: string, context: Loading) => Loaded): Loaded {
  if (url.startsWith(scheme))
    return { format: 'module', source: sourceOf(url.slice(scheme.length)), shortCircuit: true };
  // Set explicitly, so that Node does not warn users that their package has no "type".
  const isUnnamed = /\.ts(?:\?|$)/.test(url) && (context.format ?? undefined) === undefined;
  return next(url, isUnnamed ? { ...context, format: 'module-typescript' } : context);
}

/** Returns a module with the same exports as the provided one. */
function sourceOf(name: string): string {
  const exported = Object.keys(provided[name]?.() ?? {}).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key));
  const names = exported.filter((key) => key !== 'default' && key !== 'module.exports');
  return [
    `const provided = globalThis[Symbol.for('fleetwright.single-file.provided')][${JSON.stringify(name)}]();`,
    ...names.map((key) => `export const ${key} = provided.${key};`),
    'export default provided.default ?? provided;',
  ].join('\n');
}
