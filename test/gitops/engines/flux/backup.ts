import type { KubernetesObject } from '../../../../kubernetes/object-meta.ts';
import { ocmKinds } from '../../../hub/client/kinds.ts';
import type { RunningFlux } from '../flux.ts';
import { eventually } from '../eventually.ts';
import type { FluxStory } from './story.ts';

type StoredObject = KubernetesObject & { readonly spec?: unknown; readonly status?: unknown };

interface Decided {
  readonly decisions?: readonly unknown[];
}

/**
 * The objects of a story on the hub, and what Flux knows of them, at one time. Writing them back has the effect of restoring the
 * database of the hub: Flux does not run meanwhile, and remembers nothing later.
 */
export class HubBackup {
  readonly #flux: RunningFlux;
  readonly #story: FluxStory;
  readonly #objects: readonly StoredObject[];
  readonly #kustomizations: readonly StoredObject[];

  private constructor(
    flux: RunningFlux,
    story: FluxStory,
    objects: readonly StoredObject[],
    kustomizations: readonly StoredObject[],
  ) {
    this.#flux = flux;
    this.#story = story;
    this.#objects = objects;
    this.#kustomizations = kustomizations;
  }

  static async of(flux: RunningFlux, story: FluxStory): Promise<HubBackup> {
    const objects = await objectsOf(flux, story);
    return new HubBackup(flux, story, objects, await story.repository.kustomizations());
  }

  /** Stops Flux for the story. */
  async stopFlux(): Promise<void> {
    await this.#suspend(true);
  }

  /** Writes everything as it was, and starts Flux again. */
  async restore(): Promise<void> {
    const { client } = this.#flux.hub;
    const present = await objectsOf(this.#flux, this.#story);
    // The add-on comes last: it follows the decisions of its placement.
    for (const object of this.#objects) {
      if (object.kind === 'ClusterManagementAddOn') await this.#decided();
      const { apiVersion, kind, metadata, spec } = object;
      const { name, namespace, labels, annotations } = metadata;
      const written = { apiVersion, kind, metadata: { name, namespace, labels, annotations }, spec };
      // The fields belong to Flux in the database of the hub, too.
      await client.apply(written as KubernetesObject, { fieldManager: 'kustomize-controller' });
    }
    for (const later of present)
      if (!this.#objects.some((object) => isSame(object, later))) await client.delete(later);
    for (const kustomization of this.#kustomizations)
      await client.merge(kustomization, { status: kustomization.status }, 'status');
    await this.#suspend(false);
  }

  /** Waits until every placement selects all clusters. */
  async #decided(): Promise<void> {
    const { hub } = this.#flux;
    await eventually('the placements select their clusters', async () => {
      const decisions = await hub.client.list(...ocmKinds.placementDecision, this.#story.name);
      return this.#objects
        .filter(({ kind }) => kind === 'Placement')
        .every(({ metadata: { name = '' } }) =>
          decisions.some(
            ({ metadata, status }: StoredObject) =>
              metadata.labels?.['cluster.open-cluster-management.io/placement'] === name &&
              (status as Decided | undefined)?.decisions?.length === Object.keys(this.#story.clusters).length,
          ),
        );
    });
  }

  async #suspend(suspend: boolean): Promise<void> {
    for (const kustomization of this.#kustomizations)
      await this.#flux.hub.client.merge(kustomization, { spec: { suspend } });
  }
}

/** What the app of a story has on the hub, the add-on last. */
async function objectsOf({ hub }: RunningFlux, { name }: FluxStory): Promise<readonly StoredObject[]> {
  const addOns = await hub.client.list(...ocmKinds.clusterManagementAddOn);
  return [
    ...(await hub.client.list(...ocmKinds.addOnDeploymentConfig, name)),
    ...(await hub.client.list(...ocmKinds.placement, name)),
    ...addOns.filter(({ metadata }) => metadata.name === name),
  ];
}

function isSame(a: KubernetesObject, b: KubernetesObject): boolean {
  return a.kind === b.kind && a.metadata.name === b.metadata.name;
}
