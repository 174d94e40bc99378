import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { isInstalledByPlacements, installPlacements } from '../../ocm/install-strategy.ts';
import type { ClusterManagementAddOnV1beta1 } from '../../../schemas/types.gen.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { FieldPath } from '../model/field-path.ts';
import { objectKey, type Admitted, type Inventory } from '../model/inventory.ts';
import type { Decisions } from '../place/decision.ts';
import { pointAt } from '../model/point-at.ts';
import { didYouMean } from '../model/suggestion.ts';
import type { DeclaredParameters } from './read.ts';

/** A ClusterManagementAddOn that has parameters. */
export type AddOn = Admitted<ClusterManagementAddOnV1beta1>;

/** The add-ons of the inputs, and the clusters that they are installed on. */
export class ParameterizedAddOns {
  readonly inventory: Inventory;
  readonly decisions: Decisions;
  /** Placements for groups of clusters, by `namespace/name`. Add-ons share them. */
  readonly placements = new Map<string, Admitted>();
  #written: ReadonlyMap<string, Admitted> | undefined;
  #clusterAddOns: ReadonlyMap<string, readonly string[]> | undefined;
  /** By the placements of an install strategy, which add-ons share. */
  readonly #selected = new Map<string, InstalledClusters>();

  constructor(inventory: Inventory, decisions: Decisions) {
    this.inventory = inventory;
    this.decisions = decisions;
  }

  /** Returns an object in the version in which it was written. */
  written(kind: string, key: string): Admitted | undefined {
    this.#written ??= new Map(
      this.inventory.objects
        .filter(
          ({ object }) => object.kind === 'ClusterManagementAddOn' || object.kind === 'ManagedClusterAddOn',
        )
        .map((admitted) => {
          const { kind: ofObject, metadata } = admitted.object;
          return [`${ofObject} ${objectKey(metadata.namespace, metadata.name ?? '')}`, admitted];
        }),
    );
    return this.#written.get(`${kind} ${key}`);
  }

  /** Returns the add-on that parameters are for. Undefined if configurations cannot be added to it, which is reported. */
  addOnOf(set: DeclaredParameters, diagnostics: Diagnostic[]): AddOn | undefined {
    const { clusterManagementAddOns } = this.inventory;
    const addOn = clusterManagementAddOns.get(set.addOn);
    if (addOn?.source !== 'app') {
      const names = [...clusterManagementAddOns]
        .filter(([, { source }]) => source === 'app')
        .map(([name]) => name);
      const hint = didYouMean(set.addOn, names, 'the add-ons are');
      diagnostics.push(
        diagnostic('FW4113', {
          message: `ClusterManagementAddOn "${set.addOn}" is not in the same app as its parameters`,
          ...pointAt(set.declaration, ['metadata', 'name']),
          ...(hint !== undefined && { hint }),
        }),
      );
      return undefined;
    }
    const reference = set.parameters.size === 0 ? undefined : this.#deploymentConfigOf(addOn);
    if (reference === undefined) return addOn;
    diagnostics.push(
      diagnostic('FW4111', {
        message: `"${set.addOn}" has parameters, and also the AddOnDeploymentConfig "${reference.name}": the hub would use only one of the configurations`,
        ...reference.location,
        hint: 'move its values to a layer of the parameters',
      }),
    );
    return undefined;
  }

  #deploymentConfigOf(
    addOn: AddOn,
  ): { readonly name: string; readonly location: ReturnType<typeof pointAt> } | undefined {
    const { defaultConfigs = [] } = addOn.object.spec;
    const written = (
      entries: readonly Reference[] | undefined,
      at: FieldPath,
      of: Parameters<typeof pointAt>[0],
    ) => {
      const index = (entries ?? []).findIndex(isDeploymentConfig);
      const entry = entries?.[index];
      return entry && { name: objectKey(entry.namespace, entry.name), location: pointAt(of, [...at, index]) };
    };
    const named = defaultConfigs.filter(({ name }) => name !== '' && !name.startsWith('__reserved'));
    const first = written(named, ['spec'], addOn);
    if (first !== undefined) return first;
    for (const [index, { configs }] of installPlacements(addOn.object).entries()) {
      const at = ['spec', 'installStrategy', 'placements', index, 'configs'];
      const found = written(configs, at, addOn);
      if (found !== undefined) return found;
    }
    for (const clusterAddOn of this.inventory.managedClusterAddOns.values()) {
      if (clusterAddOn.source !== 'app' || clusterAddOn.object.metadata.name !== addOn.object.metadata.name)
        continue;
      const found = written(clusterAddOn.object.spec.configs, ['spec', 'configs'], clusterAddOn);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  clustersOf({ object }: AddOn): InstalledClusters {
    const keys = installPlacements(object).map(({ namespace, name }) => objectKey(namespace, name));
    const selected = getOrInsertComputed(this.#selected, JSON.stringify(keys), () => this.#select(keys));
    if (isInstalledByPlacements(object)) return selected;
    this.#clusterAddOns ??= this.#readClusterAddOns();
    return { ...selected, clusters: this.#clusterAddOns.get(object.metadata.name ?? '') ?? [] };
  }

  #select(keys: readonly string[]): InstalledClusters {
    const placements = new Map<string, readonly string[]>();
    const deciding = new Map<string, number>();
    for (const [index, key] of keys.entries()) {
      const selected = this.decisions.byPlacement.get(key)?.selected ?? [];
      placements.set(key, selected);
      for (const cluster of selected) deciding.set(cluster, index);
    }
    const clusters = [...deciding.keys()].sort();
    const decided = keys.map((): string[] => []);
    for (const cluster of clusters) decided[deciding.get(cluster) ?? -1]?.push(cluster);
    return { clusters, placements, decided };
  }

  #readClusterAddOns(): ReadonlyMap<string, readonly string[]> {
    const clusters = new Map<string, string[]>();
    for (const { object } of this.inventory.managedClusterAddOns.values())
      getOrInsertComputed(clusters, object.metadata.name ?? '', () => []).push(
        object.metadata.namespace ?? '',
      );
    for (const names of clusters.values()) names.sort();
    return clusters;
  }
}

/** The clusters of an add-on. */
interface InstalledClusters {
  /** Sorted. */
  readonly clusters: readonly string[];
  /** The clusters that each placement selects, by `namespace/name`. */
  readonly placements: ReadonlyMap<string, readonly string[]>;
  /** For each placement of the install strategy, the clusters whose configuration it decides, sorted. */
  readonly decided: readonly (readonly string[])[];
}

interface Reference {
  readonly group?: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}

function isDeploymentConfig({ group, resource }: Reference): boolean {
  return group === addOnGroup && resource === 'addondeploymentconfigs';
}
