import { compareUtf8 } from '../../base/json/go-json.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { boundPolicies, placedPolicy, type BoundPolicy, type PlacedPolicy } from '../api/bound-policies.ts';
import { namespaceOf } from '../api/placement-references.ts';
import { objectKey } from '../model/inventory.ts';
import { deletesResources } from './application.ts';
import { applicationGenerator, type GenerationInputs } from './generate-applications.ts';
import type { ApplicationOnCluster, PolicyOnCluster } from './on-cluster.ts';

/** Where a Policy is. */
export interface PlacedBoundPolicy {
  readonly policy: BoundPolicy;
  /** By the name of the cluster. */
  readonly placed: ReadonlyMap<string, PlacedPolicy>;
}

const cached = new WeakMap<GenerationInputs['inventory'], PlacedByCluster>();

/** Returns the policies and Applications of one state, by cluster. All users of the state share the result. */
export function placedByCluster({ inventory, decisions }: GenerationInputs): PlacedByCluster {
  const existing = cached.get(inventory);
  if (existing?.inputs.decisions === decisions) return existing;
  const placed = new PlacedByCluster({ inventory, decisions });
  cached.set(inventory, placed);
  return placed;
}

/** The policies and Applications that Placements bring to clusters. Evaluated on first access. */
export class PlacedByCluster {
  readonly inputs: GenerationInputs;
  #policies: readonly PlacedBoundPolicy[] | undefined;
  #policiesOn: ReadonlyMap<string, readonly PolicyOnCluster[]> | undefined;
  #applicationsOn: ReadonlyMap<string, readonly ApplicationOnCluster[]> | undefined;

  constructor(inputs: GenerationInputs) {
    this.inputs = inputs;
  }

  /** All Policies that are bound, by name, with their clusters. */
  get policies(): readonly PlacedBoundPolicy[] {
    const { inventory, decisions } = this.inputs;
    const selected = (placement: string) => decisions.byPlacement.get(placement)?.selected ?? [];
    return (this.#policies ??= boundPolicies(inventory).map((policy) => ({
      policy,
      placed: placedPolicy(policy, selected),
    })));
  }

  /** Returns the policies on a cluster, by name. */
  policiesOn(cluster: string): readonly PolicyOnCluster[] {
    this.#policiesOn ??= this.#allPolicies();
    return this.#policiesOn.get(cluster) ?? [];
  }

  /** Returns the Applications that deploy to a cluster, by name. Those of ApplicationSets that are not evaluated are unknown. */
  applicationsOn(cluster: string): readonly ApplicationOnCluster[] {
    this.#applicationsOn ??= this.#allApplications();
    return this.#applicationsOn.get(cluster) ?? [];
  }

  #allPolicies(): ReadonlyMap<string, readonly PolicyOnCluster[]> {
    const byCluster = new Map<string, PolicyOnCluster[]>();
    for (const { policy, placed } of this.policies)
      for (const [cluster, { remediationAction }] of placed)
        getOrInsertComputed(byCluster, cluster, () => []).push({
          name: policy.name,
          ...(remediationAction !== undefined && { remediationAction }),
        });
    return byCluster;
  }

  #allApplications(): ReadonlyMap<string, readonly ApplicationOnCluster[]> {
    const generator = applicationGenerator(this.inputs);
    const byCluster = new Map<string, ApplicationOnCluster[]>();
    for (const holder of generator.sets()) {
      const namespace = namespaceOf(holder);
      const applicationSet = objectKey(namespace, holder.object.metadata.name ?? '');
      for (const { name, cluster, object } of generator.generate(holder).applications) {
        if (cluster === undefined) continue;
        getOrInsertComputed(byCluster, cluster, () => []).push({
          name: objectKey(namespace, name),
          applicationSet,
          deletesResources: deletesResources(object),
        });
      }
    }
    for (const applications of byCluster.values()) applications.sort((a, b) => compareUtf8(a.name, b.name));
    return byCluster;
  }
}
