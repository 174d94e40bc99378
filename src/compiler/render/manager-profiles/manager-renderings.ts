import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import type { AddOnDeploymentConfigV1alpha1 } from '../../../../schemas/types.gen.ts';
import type { ClusterAddOn, Configuration, ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { Admitted, Inventory } from '../../model/inventory.ts';
import type { Decisions } from '../../place/decision.ts';
import type { StatusConfiguration } from '../../rollout/status-configuration.ts';
import { deploy } from '../deployment.ts';
import type { GroupFault } from '../fault-diagnostics.ts';
import type { RenderFault } from '../fault.ts';
import { isPreDeleteHook } from '../works/hooks.ts';
import { readInputs } from '../inputs.ts';
import type { RenderedManifests } from '../manifests.ts';
import type { ClusterRendering } from '../render-result.ts';
import type { RenderClass } from '../render-class.ts';
import { sourceRenderer, type SourceRenderer } from '../sources/source-renderer.ts';
import { addOnFacts } from '../sources/source-values.ts';
import type { ManagerProfile } from '../../model/manager-profile.ts';

type StatusOf = (resolved: ResolvedAddOn) => (clusterAddOn: ClusterAddOn) => StatusConfiguration;

/** The renderer of a profile for clusters with the same configuration. */
interface ProfileGroup {
  readonly renderer: SourceRenderer;
  readonly config?: Admitted<AddOnDeploymentConfigV1alpha1>;
}

/** What managers render, as far as profiles declare it. */
export class ManagerRenderings {
  readonly #inventory: Inventory;
  readonly #decisions: Decisions;
  readonly #hub: HubVersion;
  readonly #statusOf: StatusOf;
  readonly #groups = new Map<string, ProfileGroup | RenderFault>();

  constructor(inventory: Inventory, decisions: Decisions, hub: HubVersion, statusOf: StatusOf) {
    this.#inventory = inventory;
    this.#decisions = decisions;
    this.#hub = hub;
    this.#statusOf = statusOf;
  }

  /** Returns the profile of an add-on. Undefined if there is none, or if its manager does not render what the profile declares. */
  profileOf(resolved: ResolvedAddOn): ManagerProfile | undefined {
    return usesProfile(resolved) ? this.#inventory.managerProfiles?.get(resolved.name) : undefined;
  }

  /**
   * Returns the works that the manager creates on a cluster, and the condition if it cannot. Undefined if that is unknown: the works
   * of a hosted add-on are on two clusters.
   */
  render(resolved: ResolvedAddOn, clusterAddOn: ClusterAddOn): ClusterRendering | undefined {
    const profile = this.profileOf(resolved);
    if (profile === undefined || this.#isHosted(resolved, clusterAddOn)) return undefined;
    const { cluster } = clusterAddOn;
    // As addon-framework's addonDeployController: without the ManagedCluster, it creates nothing.
    const nothing = { addOn: resolved.name, cluster, finalizers: [], works: [], roleBindings: [] };
    if (!this.#decisions.clusters.has(cluster)) return { ...nothing, status: { conditions: [] } };
    const statusConfiguration = this.#statusOf(resolved)(clusterAddOn);
    const { conditions, works } = deploy({
      resolved,
      clusterAddOn,
      statusConfiguration,
      manifests: this.#manifestsOn(profile, resolved, clusterAddOn),
      templateConfigs: [],
      hub: this.#hub,
    });
    return { ...nothing, status: { conditions }, works };
  }

  /** Returns the class of a cluster. Undefined if the add-on has no profile, or if its configuration cannot be read. */
  classOf(resolved: ResolvedAddOn, clusterAddOn: ClusterAddOn): RenderClass | undefined {
    const profile = this.profileOf(resolved);
    const group = profile && this.#groupOf(profile, resolved, clusterAddOn);
    if (group === undefined || 'error' in group) return undefined;
    return group.renderer.classOf(this.#factsOf(resolved, clusterAddOn));
  }

  /** Returns what stops managers on the clusters of their add-ons, and the warnings of their charts. */
  *faults(configuration: Configuration): Generator<GroupFault> {
    for (const [addOn, profile] of this.#inventory.managerProfiles ?? []) {
      const resolved = configuration.get(addOn);
      if (resolved === undefined || !usesProfile(resolved)) continue;
      const faults = new Map<
        string,
        { fault: RenderFault; group: GroupFault['group'] & { clusters: string[] } }
      >();
      for (const clusterAddOn of resolved.clusters.values()) {
        const { cluster } = clusterAddOn;
        if (!this.#decisions.clusters.has(cluster) || this.#isHosted(resolved, clusterAddOn)) continue;
        const manifests = this.#manifestsOn(profile, resolved, clusterAddOn);
        const reported = 'error' in manifests ? [manifests] : (manifests.warnings ?? []);
        if (reported.length === 0) continue;
        const group = this.#groupOf(profile, resolved, clusterAddOn);
        const config = 'error' in group ? undefined : group.config;
        const { declaration } = profile;
        for (const fault of reported) {
          const key = `${fault.error}\n${config?.object.metadata.namespace}/${config?.object.metadata.name}`;
          getOrInsertComputed(faults, key, () => ({
            fault,
            group: { addOn, template: declaration, ...(config && { config }), clusters: [] },
          })).group.clusters.push(cluster);
        }
      }
      yield* faults.values();
    }
  }

  #manifestsOn(
    profile: ManagerProfile,
    resolved: ResolvedAddOn,
    clusterAddOn: ClusterAddOn,
  ): RenderedManifests {
    const group = this.#groupOf(profile, resolved, clusterAddOn);
    if ('error' in group) return group;
    const source = group.renderer.render(clusterAddOn.cluster, this.#factsOf(resolved, clusterAddOn));
    if ('error' in source) return atProfile(source, profile);
    const { preDeleteHookLabel } = this.#hub;
    return {
      objects: source.objects.map(({ object }) => ({
        object,
        isHook: isPreDeleteHook(object, preDeleteHookLabel),
      })),
      warnings: source.warnings.map((warning) => atProfile(warning, profile)),
    };
  }

  /** Whether an add-on is in hosted mode, or about to be: until its hosting cluster is found, works that exist stay as they are. */
  #isHosted(resolved: ResolvedAddOn, clusterAddOn: ClusterAddOn): boolean {
    if (clusterAddOn.awaitsHosting !== undefined) return true;
    return this.#factsOf(resolved, clusterAddOn).hostingCluster !== undefined;
  }

  #factsOf(resolved: ResolvedAddOn, clusterAddOn: ClusterAddOn): ReturnType<typeof addOnFacts> {
    const cluster = this.#decisions.clusters.get(clusterAddOn.cluster);
    return addOnFacts(resolved, clusterAddOn, cluster, this.#hub);
  }

  #groupOf(
    profile: ManagerProfile,
    resolved: ResolvedAddOn,
    clusterAddOn: ClusterAddOn,
  ): ProfileGroup | RenderFault {
    const { name } = resolved;
    const { references } = this.#statusOf(resolved)(clusterAddOn);
    const cluster = this.#decisions.clusters.get(clusterAddOn.cluster);
    const { config, annotation, key } = readInputs(resolved, references, cluster, this.#inventory);
    return getOrInsertComputed(this.#groups, key, () => {
      if (config !== undefined && 'error' in config) return config;
      const renderer = sourceRenderer(profile.source, {
        addOn: name,
        config: config?.object,
        imageRegistries: annotation,
        registers: profile.registers,
        rules: 'addon-framework',
      });
      return { renderer, ...(config && { config }) };
    });
  }
}

/** Whether the manager of an add-on renders it. The hub renders templates, and resolves nothing with `lifecycle: self`. */
export function usesProfile({ template, managed }: ResolvedAddOn): boolean {
  return !template && managed;
}

/** A fault of the source is at the profile, unless it is in an annotation or in a configuration. */
function atProfile(fault: RenderFault, { field }: ManagerProfile): RenderFault {
  if (fault.code === 'FW6003' || fault.code === 'FW6004' || fault.code === 'FW6035') return fault;
  return { ...fault, path: ['spec', field, ...(fault.path ?? []).slice(1)] };
}
