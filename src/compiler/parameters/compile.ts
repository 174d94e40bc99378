import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { deliveryAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { isInstalledByPlacements, installPlacements } from '../../ocm/install-strategy.ts';
import { isManagedByAddonManager } from '../../ocm/lifecycle.ts';
import type { ManagedClusterAddOnV1beta1 } from '../../../schemas/types.gen.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { admitObject } from '../admit/admit-object.ts';
import { sortByKind } from '../admit/inventory.ts';
import { overrideMode } from '../cluster-overrides/override-mode.ts';
import { hasErrors, type Diagnostic, type Outcome } from '../model/diagnostic.ts';
import { objectKey, type Admitted, type Inventory } from '../model/inventory.ts';
import type { Decisions } from '../place/decision.ts';
import { assignValues, inName, type OverrideGroup } from './assignment.ts';
import type { HubFacts } from './cluster-facts.ts';
import { withChartValues } from './chart-values.ts';
import { CompiledAddOnObject } from './compiled-object.ts';
import { DeploymentConfigs, type DeploymentConfigReference } from './deployment-config.ts';
import { ParameterEvaluation } from './evaluate.ts';
import { canBeDivided, groupPlacement } from './group-placement.ts';
import { sizeFaults } from './object-size.ts';
import type { Layer, Parameter, ParameterValues } from './model.ts';
import { ParameterizedAddOns, type AddOn } from './parameterized-add-ons.ts';
import type { DeclaredParameters } from './read.ts';

/** The parameters of an add-on, with their values on each cluster. */
export interface AddOnParameters {
  readonly parameters: ReadonlyMap<string, Parameter>;
  /**
   * Weakest first where their order is defined.
   *
   * @internal
   */
  readonly layers: readonly Layer[];
  /**
   * `namespace/name` of the AddOnDeploymentConfigs that are compiled from them.
   *
   * @internal
   */
  readonly configs: ReadonlySet<string>;
  /** By cluster. Clusters with the same values from the same layers share an object. */
  readonly clusters: ReadonlyMap<string, ParameterValues>;
}

/** An inventory in which parameters are compiled to AddOnDeploymentConfigs. */
export interface CompiledParameters {
  readonly inventory: Inventory;
  /** By add-on. */
  readonly parameters: ReadonlyMap<string, AddOnParameters>;
}

/**
 * Compiles parameters to AddOnDeploymentConfigs, one per distinct content, and the references to them: each placement gets the
 * configuration that most of its clusters have, and the other clusters get overrides in the mode of the add-on.
 */
export function compileParameters(
  inventory: Inventory,
  sets: ReadonlyMap<string, DeclaredParameters>,
  decisions: Decisions,
  hub: HubFacts,
): Outcome<CompiledParameters> {
  const evaluation = new ParameterEvaluation(decisions.scheduler, hub);
  const diagnostics: Diagnostic[] = [];
  const parameters = new Map<string, AddOnParameters>();
  const changed = new Map<Admitted, Admitted>();
  const added: Admitted[] = [];
  const context = new ParameterizedAddOns(inventory, decisions);
  for (const set of sets.values()) {
    const addOn = context.addOnOf(set, diagnostics);
    if (addOn === undefined) continue;
    const installed = context.clustersOf(addOn);
    const { value: clusters, diagnostics: findings } = evaluation.evaluate(set, installed);
    diagnostics.push(...findings);
    const configs = new Set<string>();
    parameters.set(set.addOn, { parameters: set.parameters, layers: set.layers, configs, clusters });
    if (set.parameters.size === 0 || hasErrors(findings)) continue;
    const objects = new AddOnCompilation(set, addOn, context, evaluation).compile(clusters);
    for (const [before, after] of objects.changed) changed.set(before, after);
    for (const { object } of objects.added)
      if (object.kind === 'AddOnDeploymentConfig')
        configs.add(objectKey(object.metadata.namespace, object.metadata.name ?? ''));
    added.push(...objects.added);
    diagnostics.push(...objects.diagnostics);
    const templates = withChartValues(set, inventory);
    for (const [before, after] of templates.value) changed.set(before, after);
    diagnostics.push(...templates.diagnostics);
  }
  const objects = [
    ...inventory.objects.map((admitted) => changed.get(admitted) ?? admitted),
    ...added,
    ...context.placements.values(),
  ];
  return {
    value: {
      inventory: sets.size === 0 ? inventory : sortByKind(objects, inventory.elsewhere),
      parameters,
    },
    diagnostics,
  };
}

/** Compiles the parameters of one add-on. */
class AddOnCompilation {
  readonly #set: DeclaredParameters;
  readonly #addOn: AddOn;
  readonly #context: ParameterizedAddOns;
  readonly #evaluation: ParameterEvaluation;
  readonly #configs: DeploymentConfigs;
  readonly #changed = new Map<Admitted, Admitted>();
  readonly #added: Admitted[] = [];

  constructor(
    set: DeclaredParameters,
    addOn: AddOn,
    context: ParameterizedAddOns,
    evaluation: ParameterEvaluation,
  ) {
    this.#set = set;
    this.#addOn = addOn;
    this.#context = context;
    this.#evaluation = evaluation;
    this.#configs = new DeploymentConfigs(set);
  }

  compile(values: ReadonlyMap<string, ParameterValues>): {
    readonly changed: ReadonlyMap<Admitted, Admitted>;
    readonly added: readonly Admitted[];
    readonly diagnostics: readonly Diagnostic[];
  } {
    const written = this.#context.written('ClusterManagementAddOn', this.#set.addOn);
    if (written === undefined) throw new Error(`no ClusterManagementAddOn ${this.#set.addOn}`);
    const compiled = new CompiledAddOnObject(written, this.#set.declaration.origin);
    compiled.supportDeploymentConfigs();
    if (isInstalledByPlacements(this.#addOn.object)) this.#compilePlacements(values, compiled);
    else {
      const { usual, groups } = this.#assign([...values.keys()].sort(), values);
      if (usual !== undefined) compiled.setDefaultConfig(this.#configs.reference(usual, ''));
      for (const group of groups) this.#override(group);
    }
    const addOn = compiled.result();
    this.#changed.set(written, addOn);
    return {
      changed: this.#changed,
      added: [...this.#configs.objects, ...this.#added],
      diagnostics: [...this.#configs.diagnostics, ...sizeFaults(addOn)],
    };
  }

  #compilePlacements(values: ReadonlyMap<string, ParameterValues>, compiled: CompiledAddOnObject): void {
    const { object } = this.#addOn;
    const placements = installPlacements(object);
    const { clusters, decided } = this.#context.clustersOf(this.#addOn);
    for (const [index, { namespace, name }] of placements.entries()) {
      const { usual, groups } = this.#assign(decided[index] ?? [], values);
      const config =
        usual ??
        this.#evaluation.withoutCluster(
          this.#set,
          objectKey(namespace, name),
          placements.map((each) => objectKey(each.namespace, each.name)),
        ) ??
        this.#assign(clusters, values).usual;
      const line = placements.length === 1 ? '' : inName(name);
      if (config !== undefined) compiled.addPlacementConfig(index, this.#configs.reference(config, line));
      for (const group of groups) this.#overrideAt(index, group, compiled);
    }
  }

  #assign(
    clusters: readonly string[],
    values: ReadonlyMap<string, ParameterValues>,
  ): ReturnType<typeof assignValues> {
    const conditions = this.#set.layers.flatMap((layer) => {
      const { scope } = layer;
      // Sets of a layer need not be bound to the namespace of the placement.
      if (scope.rank !== 'where' || scope.where.sets !== undefined) return [];
      return [{ layer, where: scope.where, isSelected: this.#evaluation.selection(scope.where) }];
    });
    return assignValues(clusters, values, (each) => this.#configs.contentOf(each), conditions);
  }

  /** Gives a group of a placement's clusters its configuration: by one Placement if the mode allows it. */
  #overrideAt(index: number, group: OverrideGroup, compiled: CompiledAddOnObject): void {
    const strategy = installPlacements(this.#addOn.object)[index];
    const key = objectKey(strategy?.namespace, strategy?.name ?? '');
    const base = this.#context.inventory.placements.get(key)?.object;
    const byPlacement =
      overrideMode(this.#addOn.object) === 'placement' &&
      this.#addOn.object.metadata.annotations?.[deliveryAnnotation] !== 'compiled' &&
      isManagedByAddonManager(this.#addOn.object);
    if (!byPlacement || base === undefined || strategy === undefined || !canBeDivided(base)) {
      this.#override(group);
      return;
    }
    const { addOn, declaration } = this.#set;
    const object = groupPlacement(base, { addOn, ...group });
    const placementKey = objectKey(object.metadata.namespace, object.metadata.name ?? '');
    getOrInsertComputed(this.#context.placements, placementKey, () => {
      const { object: placement } = admitObject({ object, origin: declaration.origin, source: 'app' });
      if (placement === undefined) throw new Error(`no Placement for ${addOn} on ${group.title}`);
      return placement;
    });
    compiled.addPlacementAfter(index, {
      ...strategy,
      name: object.metadata.name ?? '',
      configs: [...(strategy.configs ?? []), this.#configs.reference(group.values, group.title)],
    });
  }

  #override({ values, clusters, title }: OverrideGroup): void {
    const reference = this.#configs.reference(values, title);
    for (const cluster of clusters) this.#overrideOn(cluster, reference);
  }

  #overrideOn(cluster: string, reference: DeploymentConfigReference): void {
    const { addOn, declaration } = this.#set;
    const key = objectKey(cluster, addOn);
    const existing = this.#context.written('ManagedClusterAddOn', key);
    if (existing?.source === 'app') {
      const spec = existing.object['spec'] as ManagedClusterAddOnV1beta1['spec'] | undefined;
      const object = {
        ...existing.object,
        spec: { ...spec, configs: [...(spec?.configs ?? []), reference] },
      };
      this.#changed.set(existing, { ...existing, object });
      return;
    }
    const object: KubernetesObject = {
      apiVersion: `${addOnGroup}/v1beta1`,
      kind: 'ManagedClusterAddOn',
      metadata: { name: addOn, namespace: cluster },
      spec: { configs: [reference] },
    };
    const { object: admitted } = admitObject({ object, origin: declaration.origin, source: 'app' });
    if (admitted === undefined) throw new Error(`no ManagedClusterAddOn for ${addOn} on ${cluster}`);
    const status = this.#context.inventory.managedClusterAddOns.get(key)?.object.status;
    const withStatus =
      status === undefined ? admitted : { ...admitted, object: { ...admitted.object, status } };
    if (existing === undefined) this.#added.push(withStatus);
    else this.#changed.set(existing, withStatus);
  }
}
