import { diagnostic, type Diagnostic, type Outcome } from '../model/diagnostic.ts';
import { elsewhere, identityText, nothingElsewhere, type Surroundings } from '../model/elsewhere.ts';
import { objectKey, type Admitted, type Inventory, type LoadedObject } from '../model/inventory.ts';
import { hasFleet } from '../model/needs-fleet.ts';
import { pointAt } from '../model/point-at.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { defaultHubVersion, hubVersion, type HubVersion } from '../../ocm/hub-version.ts';
import { AddedNamespaces } from './added-namespace.ts';
import { admitObject, noAdmissions, type SharedAdmissions } from './admit-object.ts';
import { convertAddOn } from './conversion/convert.ts';
import { sortByKind } from './inventory.ts';
import { leaving, writersOf } from './leaving-objects.ts';

export { admitObject, type Admission } from './admit-object.ts';

/**
 * Processes all objects as the API server does, and groups them by kind, each in the version that OCM's controllers read. Objects
 * that the API server rejects are reported and left out, as is the second of two objects of the same kind and name. If the app
 * and the fleet both have an object, the app's object is used, with the fleet's status.
 *
 * @param surroundings - the objects that the hub may have besides the given ones
 * @param hub - its API server accepts the objects
 */
export function admit(
  objects: readonly LoadedObject[],
  shared: SharedAdmissions = noAdmissions(),
  surroundings: Surroundings = { external: [], snapshots: [] },
  hub: HubVersion = hubVersion(defaultHubVersion),
): Outcome<Inventory> {
  const diagnostics: Diagnostic[] = [];
  const firsts = { app: new Map<string, Admitted>(), fleet: new Map<string, Admitted>() };
  const admitted = new Map<string, Admitted>();
  const addedNamespaces = new AddedNamespaces();
  for (const loaded of objects) {
    const admission = admitObject(loaded, shared, hub);
    for (const diagnostic of addedNamespaces.take(loaded, admission.diagnostics))
      diagnostics.push(diagnostic);
    const { object } = admission;
    if (object === undefined) continue;
    const identity = identify(object);
    const first = firsts[object.source].get(identity);
    if (first !== undefined) {
      diagnostics.push(duplicate(object, first));
      continue;
    }
    firsts[object.source].set(identity, object);
    const other = admitted.get(identity);
    // a Map keeps the position of an existing key: the object stays where it was loaded first
    if (other === undefined) admitted.set(identity, object);
    else
      admitted.set(identity, object.source === 'app' ? withStatus(object, other) : withStatus(other, object));
  }
  diagnostics.push(...addedNamespaces.findings());
  const writers = writersOf(firsts.app, firsts.fleet, surroundings.snapshots);
  for (const identity of leaving(firsts.app, firsts.fleet, writers)) admitted.delete(identity);
  const inventory = sortByKind([...admitted.values()], nothingElsewhere);
  const others = elsewhere(surroundings, { writers, hasFleet: hasFleet(inventory) });
  return { value: { ...inventory, elsewhere: others }, diagnostics };
}

function identify({ object: { apiVersion, kind, metadata } }: Admitted): string {
  return identityText({ group: groupOf(apiVersion), kind, ...metadata });
}

function duplicate(second: Admitted, first: Admitted): Diagnostic {
  const { object } = second;
  const key = objectKey(object.metadata.namespace, object.metadata.name ?? '');
  return diagnostic('FW2025', {
    message: `${object.kind} ${key} already exists, and this object would overwrite it`,
    ...pointAt(second, ['metadata', 'name']),
    hint: 'remove one of the two, or give it another name',
    related: [{ message: 'the first one', location: first.origin.locate(['metadata', 'name']) }],
  });
}

/** Returns the object of the app with the status from the fleet. */
function withStatus(app: Admitted, fleet: Admitted): Admitted {
  const version = app.object.apiVersion.endsWith('/v1beta1') ? 'v1beta1' : 'v1alpha1';
  const { status } = convertAddOn(fleet.object, version);
  return status === undefined ? app : { ...app, object: { ...app.object, status } };
}
