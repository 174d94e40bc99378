import * as module from 'node:module';
import * as cdk8s from 'cdk8s';
import * as constructs from 'constructs';
import * as fleetwright from '../../constructs/index.ts';

/** What apps import though no node_modules has it: the modules that this file is made of. */
const provided: Readonly<Record<string, () => object>> = {
  fleetwright: () => fleetwright,
  cdk8s: () => cdk8s,
  constructs: () => constructs,
  // Few apps need it. The bundler makes this a part of the file, to be run when it is first asked for.
  'cdk8s-plus-27': () => require('cdk8s-plus-27') as object,
};
const scheme = 'fleetwright:';
const registry = Symbol.for('fleetwright.single-file.provided');

// as node:module has them since Node 22.15
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
 * Runs an app's file with Node's own support for TypeScript, and returns what it exports. Single files have no esbuild, which is a
 * program of its own.
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
    // TypeScript lets modules be named as what they become, or without an ending.
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
  // Said outright, so that Node does not tell users to name the kind of their package.
  const isUnnamed = /\.ts(?:\?|$)/.test(url) && (context.format ?? undefined) === undefined;
  return next(url, isUnnamed ? { ...context, format: 'module-typescript' } : context);
}

/** A module that exports what the provided one does. */
function sourceOf(name: string): string {
  const exported = Object.keys(provided[name]?.() ?? {}).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key));
  const names = exported.filter((key) => key !== 'default' && key !== 'module.exports');
  return [
    `const provided = globalThis[Symbol.for('fleetwright.single-file.provided')][${JSON.stringify(name)}]();`,
    ...names.map((key) => `export const ${key} = provided.${key};`),
    'export default provided.default ?? provided;',
  ].join('\n');
}
