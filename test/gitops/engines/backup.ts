import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds } from '../../hub/client/kinds.ts';
import { eventually } from './eventually.ts';
import type { EngineHub } from './hub.ts';

type StoredObject = KubernetesObject & { readonly spec?: unknown; readonly status?: unknown };

interface Decided {
  readonly decisions?: readonly unknown[];
}

/** An app on a hub, and the objects of the engine that applies it. */
export interface AppliedApp {
  readonly hub: EngineHub;
  /** The namespace of the app, and the name of its add-on. */
  readonly name: string;
  /** The number of its clusters. */
  readonly clusters: number;
  /** The engine's name as a field manager. */
  readonly fieldManager: string;
  /** Whether the status of the engine's objects is a subresource. */
  readonly hasStatusSubresource: boolean;
  /** Returns the engine's objects. */
  engineObjects(): Promise<readonly StoredObject[]>;
  /** Returns the patch of an engine's object after which the engine leaves the app alone, or applies it again. */
  suspended(suspend: boolean): object;
}

/**
 * The objects of an app on the hub, and what the engine has stored about them, at one time. Writing them back has the effect of
 * restoring the database of the hub: the engine does not run meanwhile, and remembers nothing later.
 */
export class HubBackup {
  readonly #app: AppliedApp;
  readonly #objects: readonly StoredObject[];
  readonly #engineObjects: readonly StoredObject[];

  private constructor(
    app: AppliedApp,
    objects: readonly StoredObject[],
    engineObjects: readonly StoredObject[],
  ) {
    this.#app = app;
    this.#objects = objects;
    this.#engineObjects = engineObjects;
  }

  static async of(app: AppliedApp): Promise<HubBackup> {
    return new HubBackup(app, await objectsOf(app), await app.engineObjects());
  }

  /** Stops the engine for the app. */
  async stopEngine(): Promise<void> {
    await this.#suspend(true);
  }

  /** Starts the engine again. */
  async startEngine(): Promise<void> {
    await this.#suspend(false);
  }

  /** Writes everything as it was. */
  async restore(): Promise<void> {
    const { hub, fieldManager, hasStatusSubresource } = this.#app;
    const { client } = hub;
    const present = await objectsOf(this.#app);
    // The add-on comes last: it follows the decisions of its placement.
    for (const object of this.#objects) {
      if (object.kind === 'ClusterManagementAddOn') await this.#decided();
      const { apiVersion, kind, metadata, spec } = object;
      const { name, namespace, labels, annotations } = metadata;
      const written = { apiVersion, kind, metadata: { name, namespace, labels, annotations }, spec };
      // The fields belong to the engine in the database of the hub, too.
      await client.apply(written as KubernetesObject, { fieldManager });
    }
    for (const later of present)
      if (!this.#objects.some((object) => isSame(object, later))) await client.delete(later);
    const subresource = hasStatusSubresource ? 'status' : undefined;
    for (const object of this.#engineObjects) {
      await client.merge(object, { status: null }, subresource);
      await client.merge(object, { status: object.status }, subresource);
    }
  }

  /** Waits until every placement selects all clusters. */
  async #decided(): Promise<void> {
    const { hub, name, clusters } = this.#app;
    await eventually('the placements select their clusters', async () => {
      const decisions = await hub.client.list(...ocmKinds.placementDecision, name);
      return this.#objects
        .filter(({ kind }) => kind === 'Placement')
        .every(({ metadata }) =>
          decisions.some(
            ({ metadata: { labels }, status }: StoredObject) =>
              labels?.['cluster.open-cluster-management.io/placement'] === metadata.name &&
              (status as Decided | undefined)?.decisions?.length === clusters,
          ),
        );
    });
  }

  async #suspend(suspend: boolean): Promise<void> {
    const patch = this.#app.suspended(suspend);
    for (const object of this.#engineObjects) await this.#app.hub.client.merge(object, patch);
  }
}

/** What an app has on the hub, the add-on last. */
async function objectsOf({ hub, name }: AppliedApp): Promise<readonly StoredObject[]> {
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
