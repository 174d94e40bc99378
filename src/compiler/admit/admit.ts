import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { inPieces, joined, partsOf } from '../../base/collections/joined-lists.ts';
import { diagnostic, type Diagnostic, type Outcome } from '../model/diagnostic.ts';
import {
  elsewhere,
  type Elsewhere,
  type InputFacts,
  nothingElsewhere,
  type Surroundings,
} from '../model/elsewhere.ts';
import { oncePer } from '../../base/collections/once-per.ts';
import { Remembered } from '../../base/collections/remembered.ts';
import { objectKey, type Admitted, type Inventory, type LoadedObject } from '../model/inventory.ts';
import { hasFleet } from '../model/needs-fleet.ts';
import { pointAt } from '../model/point-at.ts';
import { defaultHubVersion, hubVersion, type HubVersion } from '../../ocm/hub-version.ts';
import { AddedNamespaces } from './added-namespace.ts';
import { admitObject, noAdmissions, type SharedAdmissions } from './admit-object.ts';
import { convertAddOn } from './conversion/convert.ts';
import { describedObject, sortByKind } from './inventory.ts';
import { leaving, writersOf } from './leaving-objects.ts';

export { admitObject, type Admission } from './admit-object.ts';

/**
 * Processes all objects as the API server does, and groups them by kind, each in the version that OCM's controllers read. Objects
 * that the API server rejects are reported and left out, as is the second of two objects of the same kind and name. If the app
 * and the fleet both have an object, the app's object is used, with the fleet's status.
 *
 * @param surroundings - the objects that the hub may have besides the given ones
 * @param hub - its API server accepts the objects
 * @param results - as `ResolveOptions.results`
 */
export function admit(
  objects: readonly LoadedObject[],
  shared: SharedAdmissions = noAdmissions(),
  surroundings: Surroundings = { external: [], snapshots: [] },
  hub: HubVersion = hubVersion(defaultHubVersion),
  results?: object,
): Outcome<Inventory> {
  const parts = partsBySource(objects);
  const ofApp = admitInOrder(parts.first, shared, hub);
  const ofFleet = rememberedFleets.of(results, [hub.kinds, ...parts.fleet], () =>
    admitInOrder(parts.fleet, shared, hub),
  );
  const diagnostics = [
    ...ofApp.diagnostics,
    ...ofFleet.diagnostics,
    ...ofApp.addedNamespaces,
    ...ofFleet.addedNamespaces,
  ];
  const { admitted, app } = ofApp;
  const fleet = ofApp.fleet.size === 0 ? ofFleet.fleet : ofApp.fleet;
  const absent: string[] = [];
  // A Map keeps the position of an existing key: an object stays where it was loaded first.
  for (const [identity, object] of admitted) {
    const other = ofFleet.admitted.get(identity);
    if (other === undefined) continue;
    admitted.set(identity, withStatus(object, other));
    absent.push(identity);
  }
  const writers = writersOf(app, fleet, surroundings.snapshots);
  for (const identity of leaving(app, fleet, writers)) {
    admitted.delete(identity);
    absent.push(identity);
  }
  const inventory = sortByKind(
    joined([inPieces([...admitted.values()]), without(absent, ofFleet)]),
    nothingElsewhere,
  );
  const others = elsewhereOf(surroundings, { writers, hasFleet: hasFleet(inventory) }, results);
  return { value: { ...inventory, elsewhere: others }, diagnostics };
}

/** Objects by `identityText`. */
type ByIdentity = Map<string, Admitted>;

/** The admitted objects of a list. */
interface AdmittedList {
  /** All objects, those of the app with the statuses of the fleet. */
  readonly admitted: ByIdentity;
  readonly app: ByIdentity;
  readonly fleet: ByIdentity;
  readonly diagnostics: readonly Diagnostic[];
  readonly addedNamespaces: readonly Diagnostic[];
}

const rememberedFleets = new Remembered<AdmittedList>();

/**
 * Returns the fleet apart from what comes before it: it has thousands of objects, and most edits are edits of the app. If objects of an
 * app come after those of a fleet, everything is one part.
 */
function partsBySource(objects: readonly LoadedObject[]): {
  readonly first: readonly LoadedObject[];
  readonly fleet: readonly LoadedObject[];
} {
  const parts = partsOf(objects).flatMap((part) => ofOneSource(part));
  const start = parts.findIndex(([first]) => first?.source === 'fleet');
  if (start === -1 || parts.findLastIndex(([first]) => first?.source === 'app') > start)
    return { first: objects, fleet: [] };
  return { first: joined(parts.slice(0, start)), fleet: joined(parts.slice(start)) };
}

/** Divides a part where the source changes: once, so that the parts are the same for all states that have it. */
const ofOneSource = oncePer((part: readonly LoadedObject[]): readonly (readonly LoadedObject[])[] => {
  const lists: LoadedObject[][] = [];
  for (const loaded of part) {
    const last = lists.at(-1);
    if (last?.[0]?.source === loaded.source) last.push(loaded);
    else lists.push([loaded]);
  }
  return lists.length === 1 ? [part] : lists;
});

const rememberedRests = new Remembered<readonly Admitted[]>();

/** Returns the objects of a fleet without some of them: one list as long as the same ones are left out. */
function without(identities: readonly string[], fleet: AdmittedList): readonly Admitted[] {
  return rememberedRests.of(fleet, identities, () => {
    const absent = new Set(identities);
    return [...fleet.admitted].flatMap(([identity, object]) => (absent.has(identity) ? [] : [object]));
  });
}

/** Admits objects. Of two objects of one source with the same identity, the first one counts. */
function admitInOrder(
  objects: readonly LoadedObject[],
  shared: SharedAdmissions,
  hub: HubVersion,
): AdmittedList {
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
    const { identity } = describedObject(object);
    const first = firsts[object.source].get(identity);
    if (first !== undefined) {
      diagnostics.push(duplicate(object, first));
      continue;
    }
    firsts[object.source].set(identity, object);
    const other = admitted.get(identity);
    if (other === undefined) admitted.set(identity, object);
    else
      admitted.set(identity, object.source === 'app' ? withStatus(object, other) : withStatus(other, object));
  }
  return { admitted, ...firsts, diagnostics, addedNamespaces: addedNamespaces.findings() };
}

const remembered = new Remembered<Elsewhere>();

/** Returns what is elsewhere: one object for all states in which it is the same. */
function elsewhereOf(surroundings: Surroundings, facts: InputFacts, results: object | undefined): Elsewhere {
  const { external, snapshots, gone = [], repository } = surroundings;
  const texts = [JSON.stringify(external), [...gone].sort().join('\n'), [...facts.writers].sort().join('\n')];
  return remembered.of(results, [...texts, repository, facts.hasFleet, ...snapshots], () =>
    elsewhere(surroundings, facts),
  );
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

/** One object for all states in which an app and a fleet have the same two. */
const withStatuses = new WeakMap<Admitted, WeakMap<Admitted, Admitted>>();

/** Returns the object of the app with the status from the fleet. */
function withStatus(app: Admitted, fleet: Admitted): Admitted {
  const ofApp = getOrInsertComputed(withStatuses, app, () => new WeakMap<Admitted, Admitted>());
  return getOrInsertComputed(ofApp, fleet, () => {
    const version = app.object.apiVersion.endsWith('/v1beta1') ? 'v1beta1' : 'v1alpha1';
    const { status } = convertAddOn(fleet.object, version);
    return status === undefined ? app : { ...app, object: { ...app.object, status } };
  });
}
