import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { groupBy } from '../../base/collections/groups.ts';
import { joined } from '../../base/collections/joined-lists.ts';
import { oncePer } from '../../base/collections/once-per.ts';
import { Remembered } from '../../base/collections/remembered.ts';
import type { AddOnTemplateV1alpha1 } from '../../../schemas/types.gen.ts';
import type { ClusterAddOn, Configuration, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { codes } from '../model/codes.ts';
import type { Outcome } from '../model/diagnostic.ts';
import { formatFieldPath } from '../model/field-path.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import type { Inventory } from '../model/inventory.ts';
import type { Decisions } from '../place/decision.ts';
import { renderClusterAddOn, type RenderedClusterAddOn } from './cluster-add-on.ts';
import type { RenderFault } from './fault.ts';
import { faultDiagnostics, type GroupFault } from './fault-diagnostics.ts';
import { renderGroups, type GroupsOfAddOn } from './groups.ts';
import { hostedClusters } from './hosted-clusters.ts';
import { hostingClusterOn } from './hosting-cluster.ts';
import { parseImageRegistries } from './decoration/image-registries.ts';
import { readInputs, templateOf, type RenderInputs } from './inputs.ts';
import { ManagerRenderings } from './manager-profiles/manager-renderings.ts';
import { unusedProfiles } from './manager-profiles/unused-profiles.ts';
import type { RenderedManifests } from './manifests.ts';
import { locateObjects } from './works/manifest-location.ts';
import type { ClusterRendering, RenderGroup, Rendering } from './render-result.ts';
import type { RenderClass } from './render-class.ts';
import { sharedBindings } from './registration/shared-bindings.ts';
import {
  configurationAfter,
  reachedConfiguration,
  type StatusConfiguration,
} from '../rollout/status-configuration.ts';
import type { Rollouts } from '../rollout/rollout.ts';
import type { RoleBinding } from '../../ocm/role-binding.ts';
import { agentNamespace } from '../../ocm/agent-namespace.ts';

export interface RenderOptions {
  readonly hub: HubVersion;
  /**
   * How the configuration reaches the clusters.
   *
   * @default - every cluster has the configuration
   */
  readonly rollouts?: Rollouts;
}

/**
 * Returns what the hub's addon-manager creates from every add-on on every cluster: works, registrations, hub permissions and
 * conditions, for a hub that has no works of these add-ons yet.
 *
 * Clusters with the same template, configuration and annotation are rendered identically except for their name. Problems are
 * therefore detected on the first cluster of each group and reported once for all of them.
 */
export function render(
  inventory: Inventory,
  decisions: Decisions,
  configuration: Configuration,
  options: RenderOptions,
): Outcome<Rendering> {
  const rendering = new HubRendering(inventory, decisions, configuration, options);
  return {
    value: rendering,
    diagnostics: [
      ...faultDiagnostics(rendering.faults(), inventory),
      ...unusedProfiles(inventory, configuration),
    ],
  };
}

/** Returns the status configuration that a cluster add-on is rendered with. */
type StatusConfigurationOf = (clusterAddOn: ClusterAddOn) => StatusConfiguration;

const rememberedFaults = new Remembered<readonly GroupFault[]>();
const listOf = oncePer((groups: GroupsOfAddOn) => groups.values());
/** In place of a template that does not exist. */
const none: { readonly object?: undefined } = {};

/** Renders on request, and caches what the clusters of an add-on have in common. */
class HubRendering implements Rendering {
  readonly groups: readonly RenderGroup[];
  readonly #inventory: Inventory;
  readonly #decisions: Decisions;
  readonly #configuration: Configuration;
  readonly #hub: HubVersion;
  readonly #rollouts: Rollouts | undefined;
  readonly #groups: ReturnType<typeof renderGroups>;
  readonly #managers: ManagerRenderings;
  readonly #bindingElsewhere: ReadonlySet<string>;
  readonly #withSources: ReadonlySet<string>;

  constructor(
    inventory: Inventory,
    decisions: Decisions,
    configuration: Configuration,
    { hub, rollouts }: RenderOptions,
  ) {
    this.#inventory = inventory;
    this.#decisions = decisions;
    this.#configuration = configuration;
    this.#hub = hub;
    this.#rollouts = rollouts;
    this.#groups = renderGroups(inventory, decisions, configuration, hub);
    this.groups = joined([...this.#groups.values()].map(listOf));
    this.#managers = new ManagerRenderings(inventory, decisions, hub, this.#statusConfigurationOf);
    this.#bindingElsewhere = new Set(this.groups.filter(bindsElsewhere).map(({ addOn }) => addOn));
    this.#withSources = new Set(
      this.groups.flatMap(({ addOn, manifests }) => (manifests.hasSources ? [addOn] : [])),
    );
  }

  /** Returns the problems of all groups, each on its first cluster. */
  faults(): readonly GroupFault[] {
    const faults: GroupFault[] = [...this.#managers.faults(this.#configuration)];
    for (const [name, groups] of groupBy(this.groups, ({ addOn }) => addOn)) {
      const resolved = this.#configuration.get(name);
      if (resolved === undefined) continue;
      // Bindings outside of the namespaces of clusters are those of all clusters, in the configuration that the rollout reaches.
      const bindings = this.#bindingElsewhere.has(name)
        ? [this.#rollouts?.get(name), this.#inventory.addOnTemplates, this.#inventory.addOnDeploymentConfigs]
        : [];
      const template = this.#defaultTemplateOf(resolved);
      const inputs = [this.#decisions.clusters, this.#hub, template, ...bindings, ...groups];
      // Do not pass these as arguments: their number is limited.
      for (const fault of rememberedFaults.of(resolved, inputs, () => this.#faultsOf(resolved, groups)))
        faults.push(fault);
    }
    return faults;
  }

  /** Returns the problems of the groups of an add-on. */
  #faultsOf(resolved: ResolvedAddOn, groups: readonly RenderGroup[]): readonly GroupFault[] {
    const faults: GroupFault[] = [];
    const faultless = new Set<string>();
    for (const group of groups) {
      const content = contentOf(group);
      // Report problems even if the rollout does not reach the cluster.
      const { faults: sampleFaults = [] } = faultless.has(content)
        ? {}
        : (this.#renderOn(group.addOn, group.clusters[0] ?? '', everywhere) ?? {});
      if (sampleFaults.length === 0 && resolved.delivery === 'hub') faultless.add(content);
      const others = group.manifests.hasSources ? faultsByCluster(group) : [];
      if (!others.some(({ fault }) => isError(fault)))
        faults.push(...sampleFaults.map((fault) => ({ fault, group })));
      faults.push(...others);
    }
    return withoutNamesElsewhere(faults, groups);
  }

  clusterAddOn(addOn: string, cluster: string): ClusterRendering | undefined {
    return this.#renderOn(addOn, cluster, this.#statusConfigurationOf)?.rendering;
  }

  predicted(addOn: string, cluster: string): ReturnType<Rendering['predicted']> {
    const resolved = this.#configuration.get(addOn);
    if (resolved === undefined || !resolved.managed) return undefined;
    if (resolved.template) return this.clusterAddOn(addOn, cluster);
    const clusterAddOn = resolved.clusters.get(cluster);
    return clusterAddOn && this.#managers.render(resolved, clusterAddOn);
  }

  secrets(addOn: string, cluster: string): ReturnType<Rendering['secrets']> {
    const resolved = this.#configuration.get(addOn);
    const clusterAddOn = resolved?.clusters.get(cluster);
    if (resolved === undefined || clusterAddOn === undefined) return noSecrets;
    const { references } = this.#statusConfigurationOf(resolved)(clusterAddOn);
    const { key } = readInputs(resolved, references, this.#decisions.clusters.get(cluster), this.#inventory);
    const secrets = this.#groups.get(addOn)?.get(key)?.manifests.secrets(cluster) ?? [];
    if ('error' in secrets) return secrets;
    const hosting = hostingClusterOn(resolved, clusterAddOn, this.#decisions);
    const located = locateObjects(
      secrets.map((object) => ({ object, isHook: false })),
      hosting !== undefined,
    );
    if ('error' in located) return located;
    return {
      managed: located.managed.map(({ object }) => object),
      hosting: located.hosting.map(({ object }) => object),
      hostingCluster: hosting?.name,
    };
  }

  classesOf(addOn: string): ReturnType<Rendering['classesOf']> {
    const resolved = this.#configuration.get(addOn);
    if (resolved === undefined) return undefined;
    const isRendered = this.#withSources.has(addOn) || this.#managers.profileOf(resolved) !== undefined;
    if (!isRendered && !this.#isHostedAnywhere(resolved)) return undefined;
    return (cluster) => {
      const clusterAddOn = resolved.clusters.get(cluster);
      return (clusterAddOn && this.#classOf(resolved, clusterAddOn)) ?? unknownClass;
    };
  }

  sharedBindings(addOn: string): ReturnType<Rendering['sharedBindings']> {
    const resolved = this.#configuration.get(addOn);
    if (resolved === undefined) return [];
    return [...this.#sharedBindingsOf(resolved).values()].filter(
      ({ metadata }) => !resolved.clusters.has(metadata.namespace),
    );
  }

  readonly #namespaceOf = once((template: AddOnTemplateV1alpha1) =>
    agentNamespace(template, this.#hub.kubernetesMinor),
  );

  readonly #defaultTemplateOf = once((resolved: ResolvedAddOn) => {
    const template = templateOf(resolved, resolved.defaultReferences, this.#inventory);
    return 'error' in template ? none : template;
  });

  readonly #templateConfigsOf = once(
    (resolved: ResolvedAddOn) =>
      this.#defaultTemplateOf(resolved).object?.spec.agentSpec.manifestConfigs ?? [],
  );

  readonly #statusConfigurationOf = once((resolved: ResolvedAddOn): StatusConfigurationOf => {
    const rollout = this.#rollouts?.get(resolved.name);
    return rollout === undefined ? everywhere(resolved) : configurationAfter(rollout);
  });

  readonly #isHostedAnywhere = once((resolved: ResolvedAddOn) => {
    if (resolved.delivery !== 'compiled') return false;
    const [first] = hostedClusters(resolved, this.#inventory);
    return first !== undefined;
  });

  readonly #sharedBindingsOf = once((resolved: ResolvedAddOn) =>
    sharedBindings(
      resolved.delivery,
      this.#bindingElsewhere.has(resolved.name) ? resolved.clusters.keys() : [],
      (cluster, bindings) => {
        const clusterAddOn = resolved.clusters.get(cluster);
        if (clusterAddOn === undefined) return;
        const statusConfiguration = this.#statusConfigurationOf(resolved)(clusterAddOn);
        this.#renderOne(resolved, clusterAddOn, statusConfiguration, bindings, { objects: [] });
      },
    ),
  );

  #renderOne(
    resolved: ResolvedAddOn,
    clusterAddOn: ClusterAddOn,
    statusConfiguration: StatusConfiguration,
    bindings: Map<string, RoleBinding>,
    manifests?: RenderedManifests,
  ): RenderedClusterAddOn {
    const cluster = this.#decisions.clusters.get(clusterAddOn.cluster);
    const inputs = readInputs(resolved, statusConfiguration.references, cluster, this.#inventory);
    const { template } = inputs;
    return renderClusterAddOn({
      resolved,
      clusterAddOn,
      statusConfiguration,
      cluster,
      template: 'error' in template ? template : template.object,
      namespace: installedIn(resolved.name, inputs, this.#namespaceOf),
      manifests:
        manifests ??
        this.#groups.get(resolved.name)?.get(inputs.key)?.manifests.render(clusterAddOn.cluster) ??
        inputFault(inputs),
      templateConfigs: this.#templateConfigsOf(resolved),
      hosting: hostingClusterOn(resolved, clusterAddOn, this.#decisions),
      hub: this.#hub,
      bindings,
    });
  }

  #renderOn(
    addOn: string,
    cluster: string,
    statusConfigurationOf: (resolved: ResolvedAddOn) => StatusConfigurationOf,
  ): { rendering: ClusterRendering; faults: readonly RenderFault[] } | undefined {
    const resolved = this.#configuration.get(addOn);
    const clusterAddOn = resolved?.clusters.get(cluster);
    if (resolved === undefined || clusterAddOn === undefined) return undefined;
    // The companion creates separate bindings for every cluster.
    const bindings = new Map(resolved.delivery === 'compiled' ? [] : this.#sharedBindingsOf(resolved));
    const statusConfiguration = statusConfigurationOf(resolved)(clusterAddOn);
    const { faults, ...rendered } = this.#renderOne(resolved, clusterAddOn, statusConfiguration, bindings);
    const roleBindings = [...bindings.values()].filter(({ metadata }) => metadata.namespace === cluster);
    return { rendering: { addOn, cluster, ...rendered, roleBindings }, faults };
  }

  #classOf(resolved: ResolvedAddOn, clusterAddOn: ClusterAddOn): RenderClass | undefined {
    const renderClass = this.#sourceClassOf(resolved, clusterAddOn);
    const hosting = hostingClusterOn(resolved, clusterAddOn, this.#decisions);
    if (hosting === undefined) return renderClass;
    const { key, kubernetesVersion } = renderClass ?? unknownClass;
    return { key: `${key}\n${hosting.name} ${hosting.state}`, kubernetesVersion, hosting };
  }

  #sourceClassOf(resolved: ResolvedAddOn, clusterAddOn: ClusterAddOn): RenderClass | undefined {
    if (!this.#withSources.has(resolved.name)) return this.#managers.classOf(resolved, clusterAddOn);
    const { cluster } = clusterAddOn;
    const { references } = this.#statusConfigurationOf(resolved)(clusterAddOn);
    const { key } = readInputs(resolved, references, this.#decisions.clusters.get(cluster), this.#inventory);
    return this.#groups.get(resolved.name)?.get(key)?.manifests.classOf(cluster);
  }
}

const noSecrets: Exclude<ReturnType<Rendering['secrets']>, RenderFault> = { managed: [], hosting: [] };

/** The class of clusters on which nothing can be rendered. */
const unknownClass: RenderClass = { key: '', kubernetesVersion: '' };

/** Whether a fault stops the hub. Those without a code are reported elsewhere. */
function isError({ code }: RenderFault): boolean {
  return code === undefined || codes[code].severity === 'error';
}

/** Returns the faults and warnings of a group whose clusters can differ, each with the clusters that have it. */
function faultsByCluster(group: RenderGroup): GroupFault[] {
  const faults = new Map<string, { fault: RenderFault; clusters: string[] }>();
  for (const cluster of group.clusters) {
    const rendered = group.manifests.render(cluster);
    for (const fault of 'error' in rendered ? [rendered] : (rendered.warnings ?? []))
      getOrInsertComputed(faults, fault.error, () => ({ fault, clusters: [] })).clusters.push(cluster);
  }
  return [...faults.values()].map(({ fault, clusters }) => ({ fault, group: { ...group, clusters } }));
}

/** Leaves out the warnings about names of Secrets that the chart does not have on some clusters, and has on others. */
function withoutNamesElsewhere(
  faults: readonly GroupFault[],
  groups: readonly RenderGroup[],
): readonly GroupFault[] {
  const missing = faults.filter(({ fault }) => fault.code === 'FW6054');
  if (missing.length === 0) return faults;
  const keyOf = ({ fault, group }: GroupFault): string =>
    [templateName(group), formatFieldPath(fault.path ?? []), fault.error].join('\n');
  const without = clusterCounts(missing, keyOf, ({ group }) => group.clusters);
  const all = clusterCounts(groups, templateName, ({ clusters }) => clusters);
  return faults.filter(
    (each) => each.fault.code !== 'FW6054' || without.get(keyOf(each)) === all.get(templateName(each.group)),
  );
}

function templateName({ template }: Pick<GroupFault['group'], 'template'>): string {
  return template.object.metadata.name ?? '';
}

/** Returns the number of clusters by a key. */
function clusterCounts<T>(
  list: readonly T[],
  keyOf: (item: T) => string,
  clustersOf: (item: T) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of list) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) ?? 0) + clustersOf(item).length);
  }
  return counts;
}

/** Equal for groups that differ only by the name of the configuration: many clusters can have one each with the same content. */
function contentOf({ addOn, template, annotation = '', configHash }: RenderGroup): string {
  return [addOn, template.object.metadata.name, annotation, configHash].join('\n');
}

function everywhere(resolved: ResolvedAddOn): (clusterAddOn: ClusterAddOn) => StatusConfiguration {
  return (clusterAddOn) => reachedConfiguration(resolved, clusterAddOn);
}

/** Caches the results of a function by the identity of its argument. */
function once<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const cache = new Map<K, V>();
  return (key) => {
    return getOrInsertComputed(cache, key, () => compute(key));
  };
}

function bindsElsewhere({ template }: RenderGroup): boolean {
  return (template.object.spec.registration ?? []).some(({ kubeClient }) =>
    (kubeClient?.hubPermissions ?? []).some(({ type }) => type === 'SingleNamespace'),
  );
}

/** Returns `status.namespace`. As OCM TemplateAgentRegistrationNamespaceFunc. */
function installedIn(
  addOn: string,
  { template, config }: RenderInputs,
  namespaceOf: (template: AddOnTemplateV1alpha1) => string,
): string | RenderFault {
  if ('error' in template) return template;
  if (config === undefined) return namespaceOf(template.object);
  if ('error' in config)
    return { error: `failed to get deployment config for addon ${addOn}: ${config.error}` };
  return config.object.spec.agentInstallNamespace || namespaceOf(template.object);
}

/** Returns the first fault of the hub if the objects to render from do not exist. */
function inputFault({ template, config, annotation = '' }: RenderInputs): RenderFault {
  if ('error' in template) return template;
  const annotated = parseImageRegistries(annotation);
  if ('error' in annotated) return annotated;
  return config !== undefined && 'error' in config ? config : { error: 'nothing to render from' };
}
