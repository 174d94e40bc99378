import { pathToFileURL } from 'node:url';
import type { LoadedObject } from '../../../src/compiler/model/inventory.ts';
import { loadConstructs } from '../../../src/compiler/load/constructs.ts';
import { collect, type App } from '../../../constructs/index.ts';

/** Returns the objects that an app creates. */
export async function constructsIn(file: string): Promise<readonly LoadedObject[]> {
  const module = (await import(pathToFileURL(file).href)) as { default: App };
  const { objects, errors } = collect(module.default);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return loadConstructs(objects).value;
}
