import { objectKey } from './inventory.ts';
import type { FileLocation } from './origin.ts';

/** An object by the group and kind that identify it in any version. */
export interface ObjectIdentity {
  readonly group: string;
  readonly kind: string;
  /** Absent or empty for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name?: string;
}

/**
 * A text that is the same for two objects that the hub takes for one. The case of the kind does not count, because no group has
 * two kinds that differ in it alone: both would have the same singular name.
 */
export function identityText({ group, kind, namespace, name = '' }: ObjectIdentity): string {
  return `${group}/${kind.toLowerCase()} ${objectKey(namespace, name)}`;
}

/** Objects that are expected to exist on the hub outside of Git: an entry of `external` in fleetwright.yaml. */
export interface ExternalObject {
  /** @default - any group */
  readonly group?: string;
  readonly kind: string;
  /** A glob, in which `*` stands for any characters and `?` for one. @default - any namespace, and none */
  readonly namespace?: string;
  /** A glob as well. */
  readonly name: string;
  readonly location?: FileLocation;
}

/** What a fleet snapshot says of itself. */
export interface SnapshotScope {
  /** The kinds of which it has all objects of the hub, or names them in `leftOut`. */
  readonly covers: readonly string[];
  /** Objects that the hub had and the snapshot does not, because a GitOps engine had written them. */
  readonly leftOut: readonly LeftOutObject[];
}

/** An object that a snapshot names only. */
export interface LeftOutObject extends ObjectIdentity {
  /** What wrote it: `argocd:hello`, `flux:flux-system/hello`, `fleetwright`. */
  readonly writer: string;
}

/** What may be on the hub besides the objects of the inputs. */
export interface Surroundings {
  readonly external: readonly ExternalObject[];
  /** None where the fleet was written by hand: it then counts as complete. */
  readonly snapshots: readonly SnapshotScope[];
  /**
   * Objects that the app had in an earlier state and has no longer, by `identityText`: the GitOps engine deletes them, whatever
   * the snapshot has.
   *
   * @default - none
   */
  readonly gone?: ReadonlySet<string>;
}

/** What the inputs themselves are. */
export interface KnownInputs {
  /** What wrote the objects of the app to the hub. */
  readonly writers: ReadonlySet<string>;
  readonly hasFleet: boolean;
}

/** Kinds that often come from elsewhere: of them nothing is known where there is no fleet snapshot. */
const sharedKinds: ReadonlySet<string> = new Set(['ClusterManagementAddOn', 'Placement']);

/** Whether the hub has an object that the inputs do not have; `unknown` where no snapshot covers its kind. */
export type Existence = 'exists' | 'unknown' | 'missing';

/** What is known of objects that the inputs do not have. */
export interface Elsewhere {
  /** Whether there is a fleet, so that it says something of objects that it does not have. */
  readonly hasFleet: boolean;
  /** Of an object that the inputs do not have. */
  readonly existence: (object: ObjectIdentity) => Existence;
  /** Whether a snapshot says that it covers the kind; where there is no snapshot, nothing says so. */
  readonly lists: (kind: string) => boolean;
  readonly external: readonly ExternalObject[];
}

/** The inputs are all that there is. */
export const nothingElsewhere: Elsewhere = {
  hasFleet: true,
  existence: () => 'missing',
  lists: () => false,
  external: [],
};

/**
 * What the hub has besides the inputs.
 *
 * An object that a snapshot left out belongs to another app or repository, and exists, unless this app's own objects were written
 * by the same Argo CD application or Flux Kustomization: then the app had it and has it no longer, so that the engine deletes it.
 */
export function elsewhere(
  { external, snapshots, gone = new Set() }: Surroundings,
  { writers, hasFleet }: KnownInputs,
): Elsewhere {
  const leftOut = snapshots.flatMap((snapshot) => snapshot.leftOut);
  const others = new Set(leftOut.filter(({ writer }) => !writers.has(writer)).map(identityText));
  const covered = new Set(snapshots.flatMap(({ covers }) => covers));
  const lists = (kind: string): boolean => covered.has(kind);
  return {
    hasFleet,
    existence: (object) => {
      const identity = identityText(object);
      if (external.some((entry) => isMeant(entry, object))) return 'exists';
      if (gone.has(identity)) return 'missing';
      if (others.has(identity)) return 'exists';
      if (!hasFleet) return sharedKinds.has(object.kind) ? 'unknown' : 'missing';
      return snapshots.length === 0 || lists(object.kind) ? 'missing' : 'unknown';
    },
    lists,
    external,
  };
}

/** Whether an entry of `external` names an object. */
export function isMeant(
  entry: ExternalObject,
  { group, kind, namespace = '', name = '' }: ObjectIdentity,
): boolean {
  return (
    entry.kind === kind &&
    (entry.group === undefined || entry.group === group) &&
    (entry.namespace === undefined || matchesGlob(entry.namespace, namespace)) &&
    matchesGlob(entry.name, name)
  );
}

/** Whether an entry names one object: it has no globs. */
export function isSingle({ namespace, name }: ExternalObject): boolean {
  return !/[*?]/.test(`${namespace ?? ''}${name}`);
}

/** Without a regular expression: a pattern with many stars would take one exponential time. */
function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let next = 0;
  while (at < text.length) {
    if (pattern[next] === '*') {
      star = next++;
      resume = at;
    } else if (next < pattern.length && (pattern[next] === '?' || pattern[next] === text[at])) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[next] === '*') next++;
  return next === pattern.length;
}
