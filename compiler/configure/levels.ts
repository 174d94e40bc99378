import { noDefaultConfigName } from '../admit/convert-cluster-management-add-on.ts';
import type { FieldPath } from '../field-path.ts';
import type { Origin } from '../origin.ts';
import { referentKey, type ConfigKind, type Referent } from '../api/referent.ts';
import type { Candidate, ConfigReference, Level } from './configuration.ts';

/** A list of references as an API object holds it. */
export interface ConfigEntry extends ConfigKind {
  readonly namespace?: string;
  readonly name: string;
}

/** The candidates that one level gives, by group and resource, in order and without repetitions. */
export type LevelCandidates = ReadonlyMap<string, readonly Candidate[]>;

/** What a level's entries have in common. */
export interface LevelSource {
  readonly level: Level;
  readonly placement?: string;
  readonly origin: Origin;
  /** Where the entry of this index was written. */
  readonly pathOf: (index: number) => FieldPath;
}

/** The key of a group and resource; sorting by it sorts by group, then resource. */
export function kindKey(group: string, resource: string): string {
  return `${group}\u0000${resource}`;
}

/**
 * The candidates of one list of entries. The first of equal entries counts, as in OCM's setInstallProgression and
 * mergeAddonConfig.
 */
export function levelCandidates(
  entries: readonly ConfigEntry[] | undefined,
  source: LevelSource,
  hash: (referent: Referent) => string,
): LevelCandidates {
  const kinds = new Map<string, Candidate[]>();
  const seen = new Set<string>();
  for (const [index, entry] of (entries ?? []).entries()) {
    // As OCM: a default without a name says that the kind is supported; elsewhere the name is an ordinary one.
    if (source.level === 'default' && (entry.name === '' || entry.name === noDefaultConfigName)) continue;
    const group = entry.group ?? '';
    const key = kindKey(group, entry.resource);
    const candidates = kinds.get(key) ?? [];
    kinds.set(key, candidates);
    const identity = referentKey(entry);
    if (seen.has(identity)) continue;
    seen.add(identity);
    const { pathOf, ...rest } = source;
    candidates.push({ ...rest, path: pathOf(index), reference: reference(entry, hash) });
  }
  return kinds;
}

function reference(entry: ConfigEntry, hash: (referent: Referent) => string): ConfigReference {
  const referent: Referent = {
    group: entry.group ?? '',
    resource: entry.resource,
    ...(entry.namespace === undefined || entry.namespace === '' ? {} : { namespace: entry.namespace }),
    name: entry.name,
  };
  return { ...referent, specHash: hash(referent) };
}
