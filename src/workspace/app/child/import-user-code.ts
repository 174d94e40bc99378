import * as module from 'node:module';
import { importModule } from './import-module.ts';
import { providedModules } from './provided-modules.ts';

const scheme = 'fleetwright:';
const registry = Symbol.for('fleetwright.provided-modules');

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

/** Runs the compiled module of an app, and returns its exports. */
export async function importCompiled(url: string): Promise<{ readonly default?: unknown }> {
  return (await importModule(url)) as { readonly default?: unknown };
}

/** Runs the file of an app as the user wrote it, with Node's own support for TypeScript, and returns its exports. */
export async function importUserCode(url: string): Promise<{ readonly default?: unknown }> {
  if (runs === 0) registerHooks();
  runs += 1;
  // Each run of an app has its own modules.
  return await importCompiled(`${url}?run=${runs}`);
}

/** Node before 22.15 has no such hooks: what runs there is JavaScript and imports what is installed. */
function registerHooks(): void {
  const register: unknown = Reflect.get(module, 'registerHooks');
  if (typeof register !== 'function') return;
  Reflect.set(globalThis, registry, providedModules);
  Reflect.apply(register, module, [{ resolve, load } satisfies Hooks]);
}

function resolve(specifier: string, context: object, next: Resolve): Resolved {
  if (Object.hasOwn(providedModules, specifier))
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
  const exported = Object.keys(providedModules[name]?.() ?? {}).filter((key) =>
    /^[A-Za-z_$][\w$]*$/.test(key),
  );
  const names = exported.filter((key) => key !== 'default' && key !== 'module.exports');
  return [
    `const provided = globalThis[Symbol.for('fleetwright.provided-modules')][${JSON.stringify(name)}]();`,
    ...names.map((key) => `export const ${key} = provided.${key};`),
    'export default provided.default ?? provided;',
  ].join('\n');
}
