import { availableParallelism, loadavg } from 'node:os';
import type { KubernetesObject } from '../../../../src/base/objects/object-meta.ts';
import { ocmKinds, type KindOf } from '../../../hub/client/kinds.ts';
import { eventually } from '../eventually.ts';
import { FluxRepository } from './repository.ts';
import type { RunningFlux } from '../flux.ts';
import type { GitServer } from '../git-server.ts';
import { littleApp, type LittleAddOn } from '../little-app.ts';
import { clustersOf, uidsOn, valuesOn, type Clusters } from '../little-fleet.ts';

/** A story of one little app in a repository, on clusters, that Flux applies. */
export class FluxStory {
  readonly name: string;
  readonly repository: FluxRepository;
  readonly clusters: Clusters;
  readonly #flux: RunningFlux;

  private constructor(flux: RunningFlux, name: string, clusters: Clusters, repository: FluxRepository) {
    this.#flux = flux;
    this.name = name;
    this.clusters = clusters;
    this.repository = repository;
  }

  /**
   * Adds the clusters to the hub, and the Kustomizations.
   *
   * @param count - the number of clusters
   * @param polls - whether Flux finds commits by its interval only, instead of at once
   */
  static async begin(
    flux: RunningFlux,
    git: GitServer,
    name: string,
    {
      count = 2,
      waves = 0,
      polls = false,
    }: { readonly count?: number; readonly waves?: number; readonly polls?: boolean } = {},
  ): Promise<FluxStory> {
    const clusters = clustersOf(name, count);
    await flux.hub.addClusters(clusters);
    const repository = new FluxRepository(flux, git.create(name), polls);
    repository.write({ 'fleetwright.yaml': 'engine: flux\n' });
    await repository.configure({ [name]: { waves } });
    return new FluxStory(flux, name, clusters, repository);
  }

  /** Writes the app, runs `synth`, and commits. Returns the revision. */
  async commit(addOn: LittleAddOn): Promise<string> {
    return this.repository.change(littleApp(this.name, this.clusters, addOn), JSON.stringify(addOn));
  }

  /** Commits the app and waits until Flux has applied it. Returns the revision. */
  async sync(addOn: LittleAddOn): Promise<string> {
    const revision = await this.commit(addOn);
    await this.repository.synced(revision);
    return revision;
  }

  /** The same value for every cluster, but for some. */
  values(value: string, others: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      ...Object.fromEntries(Object.keys(this.clusters).map((cluster) => [cluster, value])),
      ...others,
    };
  }

  /** The value of each cluster, according to the works on the hub. */
  async delivered(addOn = this.name): Promise<Record<string, string | undefined>> {
    return valuesOn(this.#flux.hub, addOn, Object.keys(this.clusters));
  }

  /** Waits until the works on the hub have these values. */
  async delivers(values: Readonly<Record<string, string | undefined>>, addOn = this.name): Promise<void> {
    await eventually(`the works of ${addOn} have ${JSON.stringify(values)}`, async () => {
      const actual = JSON.stringify(await this.delivered(addOn));
      return actual === JSON.stringify(values) || actual;
    });
  }

  /** Commits and returns how many seconds after it the add-on on the hub names the configuration. */
  async secondsUntil(value: string, commit: () => Promise<string>): Promise<number> {
    await commit();
    const start = performance.now();
    await eventually(
      `${this.name} has ${value} on the hub`,
      async () => (await this.#configured()) === `${this.name}-${value}`,
    );
    return (performance.now() - start) / 1000;
  }

  /** The uid of the ManagedClusterAddOn on each cluster: another one where the add-on was uninstalled meanwhile. */
  async uids(addOn = this.name): Promise<Record<string, string>> {
    return uidsOn(this.#flux.hub, addOn, Object.keys(this.clusters));
  }

  /** An object of the hub that is in the namespace of the story, or in none. */
  async object(kind: KindOf, name: string, namespace?: string): Promise<KubernetesObject | undefined> {
    return this.#flux.hub.client.get(...kind, name, namespace);
  }

  /** Waits until the hub has nothing of an add-on on any cluster. */
  async isGone(addOn = this.name): Promise<void> {
    await eventually(`${addOn} is gone from all clusters`, async () => {
      const left = [
        ...(await this.#flux.hub.client.list(...ocmKinds.managedClusterAddOn)),
        ...(await this.#flux.hub.client.list(...ocmKinds.manifestWork)),
      ].filter(
        ({ metadata: { name = '', namespace = '' } }) =>
          namespace in this.clusters && (name === addOn || name.startsWith(`addon-${addOn}-`)),
      );
      return (
        left.length === 0 || left.map(({ kind, metadata }) => `${kind} ${metadata.namespace}`).join(', ')
      );
    });
  }

  /** The name of the configuration that the add-on on the hub has for its placement. */
  async #configured(): Promise<string | undefined> {
    const addOn = (await this.object(ocmKinds.clusterManagementAddOn, this.name)) as AddOn | undefined;
    return addOn?.spec.installStrategy.placements[0]?.configs[0]?.name;
  }
}

interface AddOn extends KubernetesObject {
  readonly spec: {
    readonly installStrategy: {
      readonly placements: readonly { readonly configs: readonly { readonly name: string }[] }[];
    };
  };
}

/** Within how many seconds a commit has to reach the hub: a minute, longer on a machine that is busy now. */
export function aMinute(): number {
  return 60 * Math.min(4, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));
}
