import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { UserError } from '../user-error.ts';

/** The release of cdk8s-plus that Fleetwright has. Its objects work on any later Kubernetes. */
export const ownPlusModule = 'cdk8s-plus-27';

/** A release of cdk8s-plus, which the package.json of a workspace selects. */
export interface PlusModule {
  /** Such as `cdk8s-plus-34`. */
  readonly name: string;
  /** @throws UserError if it is not installed */
  readonly load: () => Promise<object>;
}

/** Returns the newest cdk8s-plus that the package.json of a workspace lists, otherwise Fleetwright's own. */
export async function plusModuleOf(root: string): Promise<PlusModule> {
  const file = path.join(root, 'package.json');
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const listed = [...text.matchAll(/"(cdk8s-plus-(\d+))"\s*:/g)].map(([, name = '', release]) => ({
    name,
    release: Number(release),
  }));
  const [newest] = listed.toSorted((a, b) => b.release - a.release);
  const name = newest?.name ?? ownPlusModule;
  if (name === ownPlusModule) return { name, load: async () => await import('cdk8s-plus-27') };
  return { name, load: async () => await Promise.resolve(loadFrom(file, name)) };
}

/** Releases of cdk8s-plus are CommonJS. */
function loadFrom(file: string, name: string): object {
  const module: unknown = installed(createRequire(file), name);
  if (typeof module === 'object' && module !== null) return module;
  throw new UserError(`package.json lists ${name}, which is not installed`, 'run npm install');
}

function installed(require: NodeJS.Require, name: string): unknown {
  try {
    return require(name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
