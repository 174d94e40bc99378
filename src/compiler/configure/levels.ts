import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Origin } from '../model/origin.ts';
import { type ConfigKind, type Referent, configKindKey, referentKey } from '../../ocm/referent.ts';
import type { Candidate, ConfigReference, Level } from './resolved-add-on.ts';
import { isNoDefault } from '../../ocm/default-config.ts';

/** An entry of a list of references in an API object. */
export interface ConfigEntry extends ConfigKind {
  readonly namespace?: string;
  readonly name: string;
}

/** The candidates of one level, by group and resource, in order and without duplicates. */
export type LevelCandidates = ReadonlyMap<string, readonly Candidate[]>;

/** The properties that all entries of a level share. */
export interface LevelSource {
  readonly level: Level;
  readonly placement?: string;
  readonly origin: Origin;
  /** Returns the path of the entry at the index. */
  readonly pathOf: (index: number) => FieldPath;
}

/**
 * Returns the candidates of one list of entries. Of equal entries the first one counts, as in OCM's setInstallProgression and
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
    if (source.level === 'default' && isNoDefault(entry.name)) continue;
    const candidates = getOrInsertComputed(kinds, configKindKey(entry), () => []);
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
