import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { isJsonMap, ownField } from '../../base/json/json-map.ts';
import type { ClusterIndex } from '../place/cluster-index.ts';
import { clusterSetLabel } from '../place/cluster-sets.ts';
import type { Fact } from './expression.ts';

/** The facts of the hub that inputs are compiled for. */
export interface HubFacts {
  /** The name in fleetwright.yaml. @default - the hub has no name */
  readonly name?: string;
  /** The OCM release. */
  readonly version: string;
  /** The values under `facts` in fleetwright.yaml. */
  readonly facts: Readonly<Record<string, unknown>>;
}

const noHub: HubFacts = { version: '', facts: {} };

/** The facts of all clusters, each read once for all add-ons. */
export class ClusterFacts {
  readonly #index: ClusterIndex;
  readonly #columns = new Map<string, readonly unknown[]>();

  constructor(index: ClusterIndex) {
    this.#index = index;
  }

  /** Returns a fact of each cluster, in the order of the index. */
  column(fact: Fact): readonly unknown[] {
    const { clusters } = this.#index;
    return getOrInsertComputed(this.#columns, `${fact.of} ${fact.key}`, () =>
      clusters.map((each, cluster) => factValue(fact, each, this.#index.claims(cluster), noHub)),
    );
  }
}

/** Returns a fact of a cluster or of the hub; undefined if it does not exist, or is empty. */
export function factValue(
  { of, key }: Fact,
  cluster: ManagedClusterV1 | undefined,
  claims: Readonly<Record<string, string>>,
  hub: HubFacts,
): unknown {
  switch (of) {
    case 'cluster.name':
      return cluster?.metadata.name;
    case 'cluster.version':
      return cluster?.status?.version?.kubernetes;
    case 'cluster.set':
      return ownField(cluster?.metadata.labels, clusterSetLabel);
    case 'cluster.labels':
      return ownField(cluster?.metadata.labels, key);
    case 'cluster.claims':
      return ownField(claims, key);
    case 'cluster.allocatable':
      return quantityText(ownField(cluster?.status?.allocatable, key));
    case 'cluster.capacity':
      return quantityText(ownField(cluster?.status?.capacity, key));
    case 'hub.name':
      return hub.name;
    case 'hub.version':
      return hub.version;
    case 'hub.facts':
      return hubFact(hub.facts, key);
    case 'parameters':
      return undefined;
    default:
      throw new Error(`no value for ${String(of satisfies never)}`);
  }
}

function quantityText(quantity: string | number | undefined): string | undefined {
  return quantity === undefined ? undefined : String(quantity);
}

/** Returns the fact with this name, or the value at this path of keys. */
function hubFact(facts: Readonly<Record<string, unknown>>, key: string): unknown {
  const fact = ownField(facts, key);
  if (fact !== undefined) return fact;
  let value: unknown = facts;
  for (const step of key.split('.')) value = isJsonMap(value) ? ownField(value, step) : undefined;
  return value ?? undefined;
}
