import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { AddOnChange } from '../add-on-plan.ts';
import { hostedClusters } from '../../render/hosted-clusters.ts';
import type { Pair } from '../resolution-pair.ts';
import { deliveredBy, isHeld } from './delivered-objects.ts';

/**
 * The clusters to which something else delivers an object in the later state. The agent deletes an object only when its last owner
 * is gone. A work that orphans an object, or only reads it, does not own it.
 */
export class OtherDeliveries {
  readonly #pair: Pair;
  readonly #sources = new Map<string, readonly Source[]>();
  /** The objects that hosting clusters get in hosted mode, by cluster. */
  #hosted: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  /** Returns the clusters among `clusters` to which nothing but `change` delivers the object. */
  lostOn(
    key: string,
    clusters: readonly string[],
    change: Pick<AddOnChange, 'kind' | 'addOn'>,
  ): readonly string[] {
    const others = this.#sourcesOf(key).filter(
      ({ kind, addOn }) => kind !== change.kind || addOn !== change.addOn,
    );
    return clusters.filter(
      (cluster) => !others.some((source) => source.clusters.has(cluster)) && !this.#isHosted(key, cluster),
    );
  }

  /** Whether anything delivers the object to a cluster. */
  isDelivered(key: string, cluster: string): boolean {
    return this.#isHosted(key, cluster) || this.#sourcesOf(key).some(({ clusters }) => clusters.has(cluster));
  }

  #sourcesOf(key: string): readonly Source[] {
    return getOrInsertComputed(this.#sources, key, () => [...this.#deliveriesOf(key)]);
  }

  /** Whether an add-on in hosted mode delivers the object to its hosting cluster. */
  #isHosted(key: string, cluster: string): boolean {
    this.#hosted ??= this.#hostedObjects();
    return this.#hosted.get(cluster)?.has(key) === true;
  }

  #hostedObjects(): Map<string, Set<string>> {
    const { configuration, inventory } = this.#pair.head.resolution;
    const byCluster = new Map<string, Set<string>>();
    for (const addOn of configuration.values()) {
      if (addOn.delivery !== 'compiled') continue;
      for (const { cluster } of hostedClusters(addOn, inventory))
        for (const object of deliveredBy({ addOn: addOn.name }, cluster, 'head', this.#pair).values()) {
          const { hosted } = object;
          if (hosted !== undefined && isHeld(object))
            getOrInsertComputed(byCluster, hosted.cluster, () => new Set<string>()).add(hosted.key);
        }
    }
    return byCluster;
  }

  *#deliveriesOf(key: string): Iterable<Source> {
    const { works } = this.#pair;
    const { resolution, rendered } = this.#pair.head;
    for (const [addOn, groups] of rendered) {
      const clusters = groups
        .filter((group) => this.#delivers(key, { addOn }, group.clusters[0] ?? ''))
        .flatMap((group) => group.clusters);
      yield { addOn, clusters: new Set(clusters) };
    }
    for (const [addOn, byCluster] of works.head.others) {
      const kind = 'ManifestWork';
      const clusters = [...byCluster.keys()].filter((cluster) =>
        this.#delivers(key, { kind, addOn }, cluster),
      );
      yield { kind, addOn, clusters: new Set(clusters) };
    }
    for (const addOn of works.head.replicaSets.keys()) {
      const kind = 'ManifestWorkReplicaSet';
      if (this.#delivers(key, { kind, addOn }, ''))
        yield { kind, addOn, clusters: resolution.decisions.clusters };
    }
  }

  #delivers(key: string, source: Pick<Source, 'kind' | 'addOn'>, cluster: string): boolean {
    const object = deliveredBy(source, cluster, 'head', this.#pair).get(key);
    return object !== undefined && isHeld(object);
  }
}

interface Source extends Pick<AddOnChange, 'kind' | 'addOn'> {
  readonly clusters: { has(cluster: string): boolean };
}
