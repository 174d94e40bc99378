import { objectKey } from './inventory.ts';
import type { FileLocation } from './origin.ts';
import type { RepositoryFiles } from './repository-files.ts';

/** An object, identified by group and kind in any version. */
export interface ObjectIdentity {
  readonly group: string;
  readonly kind: string;
  /** Absent or empty for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name?: string;
}

/**
 * Returns a text that is equal for two objects that the hub treats as one. The case of the kind does not count: no group has two
 * kinds that differ only in case, because both would have the same singular name.
 */
export function identityText({ group, kind, namespace, name = '' }: ObjectIdentity): string {
  return `${group}/${kind.toLowerCase()} ${objectKey(namespace, name)}`;
}

/** Objects that are expected on the hub but are not in Git: an entry of `external` in fleetwright.yaml. */
export interface ExternalObject {
  /** @default - any group */
  readonly group?: string;
  readonly kind: string;
  /** A glob: `*` matches any characters and `?` matches one. @default - any namespace, and none */
  readonly namespace?: string;
  /** A glob. */
  readonly name: string;
  readonly location?: FileLocation;
}

/** The metadata of a fleet snapshot about its own contents. */
export interface SnapshotScope {
  /** The kinds for which it has all objects of the hub, or lists them in `omitted`. */
  readonly covers: readonly string[];
  /** Objects that were on the hub but are not in the snapshot, because a GitOps engine had written them. */
  readonly omitted: readonly OmittedObject[];
}

/** An object that a snapshot only names. */
export interface OmittedObject extends ObjectIdentity {
  /** The writer: `argocd:hello`, `flux:flux-system/hello`, `fleetwright`. */
  readonly writer: string;
}

/** The objects that may be on the hub besides the inputs. */
export interface Surroundings {
  readonly external: readonly ExternalObject[];
  /** Empty if the fleet was written manually: it then counts as complete. */
  readonly snapshots: readonly SnapshotScope[];
  /**
   * Objects of an earlier state of the app that the current state no longer has, by `identityText`. The GitOps engine deletes
   * them, whatever the snapshot contains.
   *
   * @default - none
   */
  readonly gone?: ReadonlySet<string>;
  /** The hub in the settings of the workspace, for layers of parameters. @default - the hub has no name and no facts */
  readonly hub?: NamedHub;
  /** Whether a promotion releases the clusters of compiled delivery, behind the gates of the rollout strategies. @default false */
  readonly isPromoted?: boolean;
  /** The files of the repository, if an ApplicationSet reads them. @default - the inputs are in no repository */
  readonly repository?: RepositoryFiles;
}

/** A hub in the settings of a workspace. */
export interface NamedHub {
  readonly name: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Properties of the inputs themselves. */
export interface InputFacts {
  /** The writers of the app's objects on the hub. */
  readonly writers: ReadonlySet<string>;
  readonly hasFleet: boolean;
}

/** Kinds that are often created outside of the app. Without a fleet snapshot, their existence is unknown. */
const sharedKinds: ReadonlySet<string> = new Set(['ClusterManagementAddOn', 'Placement']);

/** Whether the hub has an object that is not in the inputs; `unknown` if no snapshot covers its kind. */
export type Existence = 'exists' | 'unknown' | 'missing';

/** The information about objects that are not in the inputs. */
export interface Elsewhere {
  /** Whether there is a fleet, so that the absence of an object is known. */
  readonly hasFleet: boolean;
  /** Returns the existence of an object that is not in the inputs. */
  readonly existence: (object: ObjectIdentity) => Existence;
  /** Whether a snapshot covers the kind; false without a snapshot. */
  readonly lists: (kind: string) => boolean;
  readonly external: readonly ExternalObject[];
  /** The files of the repository that has the inputs. Absent if no ApplicationSet reads them, or there is no repository. */
  readonly repository?: RepositoryFiles;
}

/** For inputs that are complete: no other objects exist. */
export const nothingElsewhere: Elsewhere = {
  hasFleet: true,
  existence: () => 'missing',
  lists: () => false,
  external: [],
};

/**
 * Returns the information about objects on the hub besides the inputs.
 *
 * An object that a snapshot left out belongs to another app or repository, and exists. The exception is an object with the same
 * Argo CD application or Flux Kustomization as this app's own objects: then the app no longer has it, so the engine deletes it.
 */
export function elsewhere(
  { external, snapshots, gone = new Set(), repository }: Surroundings,
  { writers, hasFleet }: InputFacts,
): Elsewhere {
  const omitted = snapshots.flatMap((snapshot) => snapshot.omitted);
  const others = new Set(omitted.filter(({ writer }) => !writers.has(writer)).map(identityText));
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
    ...(repository && { repository }),
  };
}

/** Whether an entry of `external` matches an object. */
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

/** Whether an entry names exactly one object: it has no globs. */
export function isSingle({ namespace, name }: ExternalObject): boolean {
  return !/[*?]/.test(`${namespace ?? ''}${name}`);
}

/**
 * Whether a text matches a glob. Works without a regular expression, which takes exponential time for a pattern with many stars.
 */
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
