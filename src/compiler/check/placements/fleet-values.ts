import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { compareUtf8, goJson } from '../../../base/json/go-json.ts';
import type { ClusterIndex } from '../../place/cluster-index.ts';
import { meetsRequirement, type LabelRequirement } from '../../place/label-selector.ts';
import type { SelectorTerm } from './selector-terms.ts';

type Kind = SelectorTerm['kind'];

/** The labels and claims of the clusters of a fleet. Results are cached, because many placements use the same ones. */
export interface FleetValues {
  /** Whether any cluster satisfies a requirement. */
  isMet(kind: Kind, requirement: LabelRequirement): boolean;
  /** Returns the sorted values of a key on all clusters; empty if no cluster has the key. */
  of(kind: Kind, key: string): readonly string[];
  /** Returns the sorted keys of all clusters. */
  keys(kind: Kind): readonly string[];
}

const valuesOfIndex = new WeakMap<ClusterIndex, FleetValues>();

/** Returns the labels and claims of the clusters of an index. They are kept as long as the index exists: an edit of a placement leaves it. */
export function fleetValues(index: ClusterIndex): FleetValues {
  return getOrInsertComputed(valuesOfIndex, index, newFleetValues);
}

function newFleetValues(index: ClusterIndex): FleetValues {
  const met = new Map<string, boolean>();
  const values = new Map<string, readonly string[]>();
  const keys = new Map<Kind, readonly string[]>();
  const holder = (kind: Kind, cluster: number) =>
    kind === 'label' ? (index.labels[cluster] ?? {}) : index.claims(cluster);

  function findMet(kind: Kind, requirement: LabelRequirement): boolean {
    for (let cluster = 0; cluster < index.size; cluster++) {
      if (meetsRequirement(requirement, holder(kind, cluster))) return true;
    }
    return false;
  }

  function findValues(kind: Kind, key: string): readonly string[] {
    const distinct = new Set<string>();
    for (let cluster = 0; cluster < index.size; cluster++) {
      const value: unknown = holder(kind, cluster)[key];
      if (typeof value === 'string') distinct.add(value);
    }
    return [...distinct].sort(compareUtf8);
  }

  function findKeys(kind: Kind): readonly string[] {
    const distinct = new Set<string>();
    for (let cluster = 0; cluster < index.size; cluster++)
      for (const key of Object.keys(holder(kind, cluster))) distinct.add(key);
    return [...distinct].sort(compareUtf8);
  }

  return {
    isMet: (kind, requirement) => {
      const key = goJson([kind, requirement.key, requirement.operator, requirement.values]);
      return getOrInsertComputed(met, key, () => findMet(kind, requirement));
    },
    of: (kind, key) => {
      const id = `${kind} ${key}`;
      return getOrInsertComputed(values, id, () => findValues(kind, key));
    },
    keys: (kind) => getOrInsertComputed(keys, kind, findKeys),
  };
}
