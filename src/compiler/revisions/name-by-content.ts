import { isJsonMap } from '../../base/json/json-map.ts';
import { withAnnotations } from '../../ocm/annotations.ts';
import {
  historyLimitAnnotation,
  immutableAnnotation,
  revisionOfAnnotation,
} from '../../ocm/fleetwright-annotations.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { referentKey } from '../../ocm/referent.ts';
import { revisionName } from '../../ocm/revision-name.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { admitObject, type SharedAdmissions } from '../admit/admit-object.ts';
import { joined, oncePerPart, partsOf } from '../../base/collections/joined-lists.ts';
import { oncePer } from '../../base/collections/once-per.ts';
import { Remembered } from '../../base/collections/remembered.ts';
import { diagnostic, type Diagnostic, type Outcome } from '../model/diagnostic.ts';
import type { LoadedObject } from '../model/inventory.ts';
import { withConfigNames } from './config-references.ts';
import { annotationFaults } from './fleetwright-annotations.ts';
import { pointAtLoaded, titleOf } from './point-at-loaded.ts';
import { resourceOf } from './resource-of.ts';

/** The objects with their names on the hub, and the immutable ones among them as they were written. */
export interface NamedByContent {
  readonly objects: readonly LoadedObject[];
  /** By `referentKey` of the written name. */
  readonly written: ReadonlyMap<string, LoadedObject>;
}

/**
 * Gives each object of the app with the annotation `fleetwright.dev/immutable` the name that the construct with `immutable: true`
 * has: its own name and a hash of its content. References to it in the app follow. Objects of the fleet stay as they are: they have
 * the names that the hub uses.
 *
 * The hash is of the content that the hub stores, so it does not depend on the way in which the object is written.
 *
 * Objects that already have such a name are unchanged: the result of this function, the output of `synth` and constructs.
 */
export function nameByContent(
  objects: readonly LoadedObject[],
  hub: HubVersion,
  cache?: SharedAdmissions,
): Outcome<NamedByContent> {
  const ofApp = objectsOfApp(objects);
  const diagnostics = faultsOfAll(ofApp);
  const written = immutableObjects(ofApp);
  const names = new Map<string, string>();
  for (const [key, loaded] of written) {
    const stored = admitObject(loaded, cache, hub).object?.object;
    // Otherwise its faults are reported, and nothing is resolved.
    if (stored !== undefined) names.set(key, revisionName(stored.metadata.name ?? '', stored['spec']));
  }
  const isChanged = (loaded: LoadedObject): boolean =>
    loaded.source === 'app' && (names.size > 0 || annotationsOf(loaded)[immutableAnnotation] !== undefined);
  const value = partsOf(objects).map((part) => {
    const candidates = names.size > 0 ? part : annotated(part);
    if (!candidates.some(isChanged)) return part;
    return part.map((loaded) => (isChanged(loaded) ? named(loaded, written, names) : loaded));
  });
  return { value: { objects: joined(value), written }, diagnostics };
}

const objectsOfApp = oncePerPart((part: readonly LoadedObject[]) =>
  part.filter(({ source, object }) => source === 'app' && hasMetadata(object)),
);

/** Returns the objects that say whether they are immutable. */
const annotated = oncePerPart((part: readonly LoadedObject[]) =>
  part.filter((loaded) => annotationsOf(loaded)[immutableAnnotation] !== undefined),
);

const faultsOfAll = oncePerPart((part: readonly LoadedObject[]) => part.flatMap(faultsOf));

const faultsOf = oncePer((loaded: LoadedObject) => [...annotationFaults(loaded), ...immutableFaults(loaded)]);

/** Loaded objects may lack anything. */
function hasMetadata(object: LoadedObject['object']): boolean {
  return isJsonMap(object.metadata);
}

function annotationsOf({ object }: LoadedObject): Readonly<Record<string, unknown>> {
  const annotations: unknown = object.metadata?.annotations;
  return isJsonMap(annotations) ? annotations : {};
}

/** Returns the key of a configuration in references; undefined for other objects. */
export function configKey(loaded: Pick<LoadedObject, 'object'>): string | undefined {
  const resource = resourceOf(loaded.object);
  const { name, namespace } = loaded.object.metadata ?? {};
  if (resource === undefined || typeof name !== 'string' || name === '') return undefined;
  // as admission completes the namespace
  const scope = resource === 'addontemplates' ? {} : { namespace: namespace ?? 'default' };
  return referentKey({ group: addOnGroup, resource, ...scope, name });
}

/** Returns the objects to name. One of two objects with the same name is not among them: admission reports it. */
function immutableObjects(ofApp: readonly LoadedObject[]): Map<string, LoadedObject> {
  const counts = new Map<string, number>();
  const marked = new Map<string, LoadedObject>();
  if (!annotated(ofApp).some(isMarked)) return marked;
  for (const loaded of ofApp) {
    const key = configKey(loaded);
    if (key === undefined) continue;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (isMarked(loaded)) marked.set(key, loaded);
  }
  return new Map([...marked].filter(([key]) => counts.get(key) === 1));
}

function isMarked(loaded: LoadedObject): boolean {
  const annotations = annotationsOf(loaded);
  return annotations[immutableAnnotation] === 'true' && annotations[revisionOfAnnotation] === undefined;
}

/** Reports immutable objects that cannot be named by their content. */
function immutableFaults(loaded: LoadedObject): Diagnostic[] {
  const annotations = annotationsOf(loaded);
  const revisionOf = annotations[revisionOfAnnotation];
  const isImmutable = annotations[immutableAnnotation] === 'true';
  const report = (key: string, message: string, hint: string): Diagnostic[] => [
    diagnostic('FW2061', { message, ...pointAtLoaded(loaded, ['metadata', 'annotations', key]), hint }),
  ];
  if (revisionOf !== undefined) {
    const { name } = loaded.object.metadata;
    const isRevision =
      typeof name === 'string' && typeof revisionOf === 'string' && name.startsWith(`${revisionOf}-`);
    if (isImmutable || !isRevision)
      return report(
        revisionOfAnnotation,
        `${titleOf(loaded)} has the annotation that synth writes on a revision`,
        `give it the name without the hash, and the annotation ${immutableAnnotation}: 'true' alone`,
      );
    return [];
  }
  if (isImmutable && resourceOf(loaded.object) === undefined)
    return report(
      immutableAnnotation,
      `${titleOf(loaded)} cannot be named by its content: only AddOnDeploymentConfig and AddOnTemplate can`,
      'remove the annotation',
    );
  if (annotations[historyLimitAnnotation] !== undefined && !isImmutable)
    return report(
      historyLimitAnnotation,
      `${titleOf(loaded)} is not immutable, so it has no earlier revisions to keep`,
      `add the annotation ${immutableAnnotation}: 'true'`,
    );
  return [];
}

/** Whether a name is that of a revision of an object. */
export function isRevisionName(name: string, revisionOf: string): boolean {
  return name.startsWith(`${revisionOf}-`) && /^[0-9a-f]{10}$/.test(name.slice(revisionOf.length + 1));
}

function named(
  loaded: LoadedObject,
  written: ReadonlyMap<string, LoadedObject>,
  names: ReadonlyMap<string, string>,
): LoadedObject {
  const key = configKey(loaded);
  if (key === undefined) return namedReferences(loaded, names);
  const isMutable = annotationsOf(loaded)[immutableAnnotation] === 'false';
  const name = names.get(key);
  if (!isMutable && (name === undefined || written.get(key) !== loaded)) return loaded;
  return rememberedNames.of(loaded, [name], () => withName(loaded, isMutable ? undefined : name));
}

const rememberedNames = new Remembered<LoadedObject>();

/** Returns a configuration with its name on the hub; without a name, one that is not immutable, without the annotation. */
function withName(loaded: LoadedObject, name: string | undefined): LoadedObject {
  if (name === undefined)
    return { ...loaded, object: withAnnotations(loaded.object, { [immutableAnnotation]: undefined }) };
  const { metadata } = loaded.object;
  const object = withAnnotations(
    { ...loaded.object, metadata: { ...metadata, name } },
    { [immutableAnnotation]: undefined, [revisionOfAnnotation]: metadata.name },
  );
  return { ...loaded, object };
}

/** An object with the names of configurations, and the names that were asked for. */
interface NamedReferences {
  readonly loaded: LoadedObject;
  readonly asked: readonly (readonly [key: string, name: string | undefined])[];
}

const rememberedReferences = new Remembered<NamedReferences>();

/** Returns an object that refers to configurations by their names on the hub. */
function namedReferences(loaded: LoadedObject, names: ReadonlyMap<string, string>): LoadedObject {
  const compute = (): NamedReferences => {
    const asked: [string, string | undefined][] = [];
    const object = withConfigNames(loaded.object, ({ key }) => {
      const name = names.get(key);
      asked.push([key, name]);
      return name;
    });
    return { loaded: object === loaded.object ? loaded : { ...loaded, object }, asked };
  };
  return rememberedReferences.of(loaded, [], compute, ({ asked }) =>
    asked.every(([key, name]) => names.get(key) === name),
  ).loaded;
}
