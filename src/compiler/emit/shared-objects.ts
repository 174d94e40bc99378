import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { referenceTo, type Inventory } from '../model/inventory.ts';
import { fileName } from './file-name.ts';

/** The objects that an app writes, before they are emitted. */
export interface AppObjects {
  readonly name: string;
  readonly objects: Inventory['objects'];
}

/**
 * Returns diagnostics for objects that several apps have. Each app is applied separately: two Argo CD Applications take such an
 * object from each other, and removing either app removes the object. `others` contains the files of apps that were emitted
 * earlier, by app.
 */
export function sharedObjects(
  apps: readonly AppObjects[],
  others: ReadonlyMap<string, readonly string[]> = new Map(),
): Diagnostic[] {
  const owners = new Map<string, { app: string; related: NonNullable<Diagnostic['related']> }>();
  for (const [app, files] of others) for (const file of files) owners.set(file, { app, related: [] });
  const diagnostics: Diagnostic[] = [];
  for (const { name, objects } of apps) {
    for (const { object, origin, source } of objects) {
      if (source !== 'app') continue;
      const file = fileName(object);
      const owner = owners.get(file);
      const location = origin.locate([]);
      if (owner === undefined) {
        owners.set(file, { app: name, related: [{ message: `in app ${name}`, location }] });
        continue;
      }
      diagnostics.push(
        diagnostic('FW8008', {
          message: `app ${owner.app} has this object, too: both would apply it, and the removal of either app would delete it`,
          object: referenceTo(object),
          location,
          hint: 'keep it in one app, or move shared objects to a separate app',
          related: owner.related,
        }),
      );
    }
  }
  return diagnostics;
}
