import { requiredState, type HubAddOn } from '../../../promotion/decide/cluster-health.ts';
import { clusterKey, type Release } from '../../../promotion/decide/promotion.ts';
import { requiredGate, type RequiredAddOnState } from '../../../promotion/decide/required-gate.ts';
import { readHubAddOns } from '../../../promotion/gates/hub-add-ons.ts';
import { clusterFileName } from '../../../promotion/git/cluster-files.ts';
import type { HubReader } from '../../../workspace/hub/hub-reader.ts';

/** The add-ons that the next wave of a release requires, or whose removal it waits for, as the hub has them. */
export class RequiredOnHub {
  readonly #hub: () => Promise<HubReader>;
  readonly #files: ReadonlySet<string>;
  readonly #addOns: Map<string, HubAddOn>;
  /** The add-ons that are read, and whether their works are. */
  readonly #read = new Map<string, boolean>();

  /**
   * @param onHub - the add-ons that are already read, by `clusterKey`
   * @param files - the names of the committed files. Works are read of add-ons that have some: the app delivers them
   */
  constructor(
    hub: () => Promise<HubReader>,
    files: ReadonlySet<string>,
    onHub: ReadonlyMap<string, HubAddOn>,
  ) {
    this.#hub = hub;
    this.#files = files;
    this.#addOns = new Map(onHub);
  }

  /** Reads what the next wave needs. @throws HubError if the hub rejects a request or does not answer */
  async read({ waves, released }: Release): Promise<void> {
    for (const { requires = [], requiredBy = [], clusters } of waves[released] ?? [])
      for (const name of [...requires, ...requiredBy]) {
        const isDelivered = Object.keys(clusters).some((cluster) =>
          this.#files.has(clusterFileName(name, cluster)),
        );
        const hasWorks = isDelivered || requiredBy.includes(name);
        if (this.#read.get(name) === true || this.#read.get(name) === hasWorks) continue;
        this.#read.set(name, hasWorks);
        for (const [key, addOn] of await readHubAddOns(await this.#hub(), [name], () => hasWorks))
          this.#addOns.set(key, addOn);
      }
  }

  /** Returns how an add-on is on a cluster. */
  state(addOn: string, cluster: string): RequiredAddOnState {
    return requiredState(this.#addOns.get(clusterKey(addOn, cluster)) ?? { works: [] });
  }

  /** Whether some cluster holds the next wave. It may have left the fleet since. */
  holds(release: Release, now: number): boolean {
    const gate = requiredGate(release, {
      requiredState: (addOn, cluster) => this.state(addOn, cluster),
      now,
      failed: new Map(),
    });
    return gate?.isOpen === false;
  }
}
